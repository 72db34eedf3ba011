"""The model table: rows with known facts about models, and their look-up by name. The rows come from `loading.py`."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Literal

from inspector.derived import cached_property
from inspector.model import Problem
from inspector.nearest import nearest
from inspector.tokens.models.lines import line_of
from inspector.tokens.models.makers import MAKERS
from inspector.tokens.models.names import Key, Spelling, key_of, plain, shorter, spellings, tuned_from
from inspector.tokens.models.prices import Prices

DEFAULT_MODEL = "gpt-4o"
"""The model where neither a setting nor a file names one."""
MOST_TOKENS = 2_000_000_000  # the window shows 32-bit numbers


@dataclass(frozen=True, slots=True)
class ModelRow:
    """The facts about a model. Windows are in tokens, prices in US dollars per million tokens; None is "not known".

    `max_input` is the longest prompt in tokens if shorter than the window (gpt-5: 272,000 of 400,000). `tokenizer` is
    the name used by `tokenizer: auto`; `exact_tokenizer` says whether it is the model's own. `date` is the day of the
    facts, "" if undated, and `source` their origin; the window and prices of a model differ between hosts, so a source
    names its host. `price_in`, `price_out` and `price_cached` are of a short request; `prices` has those of longer
    ones, of writing to a cache and of other classes of service, None where no more is known.
    """

    name: str
    maker: str
    context_window: int
    max_output: int | None
    tokenizer: str
    chat_format: str
    family: str
    aliases: tuple[str, ...] = ()
    exact_tokenizer: bool = False
    date: str = ""
    source: str = ""
    price_in: float | None = None
    price_out: float | None = None
    price_cached: float | None = None
    max_input: int | None = None
    prices: Prices | None = None


def input_limit(row: ModelRow) -> int | None:
    """Return the longest prompt in tokens: the smaller of the maker's input limit and the window less the longest
    reply. None for models limited only by their window.
    """
    if row.max_input is None:
        return None
    left = row.context_window - (row.max_output or 0)
    return min(row.max_input, left) if left > 0 else row.max_input


_LONGEST_NAME = 500
"""Characters. Every spelling of a name is looked up, and no model has a longer name."""


@dataclass(frozen=True, slots=True)
class ModelMatch:
    """The row found for a name, and the way it was found; `row` is None when `how` is "unknown".

    "exact" is the row's own name, "alias" another name or spelling of it, "prefix" a name that is the row's without a
    date, a tag or a quantisation behind it, "fine-tune" a declared fine-tune of the row, whose price is not known.
    """

    row: ModelRow | None
    how: Literal["exact", "alias", "prefix", "fine-tune", "unknown"]


UNKNOWN = ModelMatch(None, "unknown")


class ModelTable:
    """All rows, looked up by name. If several rows claim a name, the first wins: the user's own rows come first.

    `problems` has the faults of the user's own rows.
    """

    def __init__(self, rows: tuple[ModelRow, ...], problems: tuple[Problem, ...] = ()) -> None:
        self.rows = rows
        self.problems = problems
        self._names: dict[str, ModelRow] = {}
        self._keys: dict[Key, ModelRow] = {}
        for row in rows:
            self._names.setdefault(plain(row.name), row)
            for name in (row.name, *row.aliases):
                self._keys.setdefault(key_of(name), row)

    def find(self, name: str) -> ModelMatch:
        """Return the row for a model's name as users and files write it: `openai/gpt-4o`, `gpt-4o-2024-11-20`,
        `GPT-4o`; never the row of another version, size, stage of a line, or maker.
        """
        if len(name) > _LONGEST_NAME:
            return UNKNOWN
        known = tuple(spellings(name))
        for one in known:
            if (row := self._names.get(one.text)) is not None and _allows(one, row):
                return ModelMatch(row, "exact")
        for one in known:
            if (row := self._keys.get(key_of(one.text))) is not None and _allows(one, row):
                return ModelMatch(row, "alias")
        return next(filter(None, map(self._without_ending, known)), None) or self._tuned(known)

    def are_same(self, name: str, other: str) -> bool:
        """Return whether two names mean the same model: the same row, or without rows the same name."""
        row, further = self.find(name).row, self.find(other).row
        return name.casefold() == other.casefold() if row is None and further is None else row is further

    def nearest(self, name: str) -> list[str]:
        """Return the names of the rows most similar to an unknown name, by name or alias, the nearest first."""
        rows = {known: row.name for row in self.rows for known in (row.name, *row.aliases)}
        return list(dict.fromkeys(rows[found] for found in nearest(name, rows)))

    def relative(self, name: str) -> ModelRow | None:
        """Return the row nearest to an unknown name: of the rows of its line and maker, the one that shares most of its
        words and sizes, then the nearest version, then the most similar; None if no row is of its line.
        """
        if len(name) > _LONGEST_NAME:
            return None
        for one in spellings(name):
            key = key_of(one.text)
            of_line = [row for row in self.rows if key and key_of(row.name)[:1] == key[:1] and _allows(one, row)]
            if of_line:
                return min(of_line, key=lambda row: _distance(one.text, key, row))
        return None

    def matches(self, text: str) -> tuple[tuple[ModelRow, str], ...]:
        """Return the rows for a typed text, best first, each with the way it was found: as in `find`, then "part" for
        rows whose name, maker or aliases contain every word of the text.
        """
        best = self.find(text)
        words = text.casefold().split()
        found = [(best.row, str(best.how))] if best.row is not None else []
        names = {row.name for row, _ in found}
        rows = [row for row in self.rows if words and all(word in _searched(row) for word in words)]
        return (*found, *((row, "part") for row in rows if row.name not in names))

    def _without_ending(self, one: Spelling) -> ModelMatch | None:
        """Return the row whose name is this one without dates, tags and quantisations at the end."""
        for less in shorter(one.text):
            key = key_of(less.text)
            row = self._keys.get(key) or self._without_stage.get(key)
            if row is not None and _allows(one, row, less.for_open):
                return ModelMatch(row, "prefix")
        return None

    @cached_property
    def _without_stage(self) -> dict[Key, ModelRow]:
        """The rows by their own names without a stage or tuning at the end: gpt-4.5 of gpt-4.5-preview."""
        found: dict[Key, ModelRow] = {}
        for row in self.rows:
            if row.name.endswith("-latest"):  # no version stands before it: gemini-pro is no name of today's
                continue
            for less in shorter(plain(row.name)):
                if less.is_stage and (is_open(row) or not less.for_open):
                    found.setdefault(key_of(less.text), row)
        return found

    def _tuned(self, known: Iterable[Spelling]) -> ModelMatch:
        """Return the row that a declared fine-tune stands on, without its prices: the tuned model costs otherwise."""
        for one in known:
            base = tuned_from(one.text)
            row = self.find(base).row if base else None
            if row is not None and _allows(one, row):
                free = replace(row, price_in=None, price_out=None, price_cached=None, prices=None)
                return ModelMatch(free, "fine-tune")
        return UNKNOWN


def is_open(row: ModelRow) -> bool:
    """Return whether the weights of a model are published, so that others quantise it and upload it by its name.

    Those of a maker that is not known here, such as the user, are taken for published.
    """
    line = line_of(row.name)
    if line is not None and line.maker == row.maker:
        return line.is_open
    return row.maker not in MAKERS or (row.exact_tokenizer and row.tokenizer.startswith("hf:"))


def _allows(one: Spelling, row: ModelRow, for_open: bool = False) -> bool:
    """Return whether the words around a name fit a row: its maker, and users and quantisations of open models only.

    A row of a maker that is not known here, such as the user's own, fits any maker.
    """
    fits = row.maker not in MAKERS or one.makers <= {row.maker}
    return fits and (not (one.by_user or for_open) or is_open(row))


def _distance(text: str, key: Key, row: ModelRow) -> tuple[int, float, float]:
    """Return how far a row is from a name: parts that differ besides the version, versions between, dissimilarity."""
    other = key_of(row.name)
    parts, others = set(_besides_version(key)), set(_besides_version(other))
    apart = abs(_version(key) - _version(other))
    return len(parts ^ others), apart, -SequenceMatcher(None, text, plain(row.name)).ratio()


def _besides_version(key: Key) -> Iterator[str]:
    return (part for part in key if not _is_version(part))


def _version(key: Key) -> float:
    """Return the first number of a name, as a version; 0 if there is none."""
    return next((float(".".join(part.split(".")[:2])) for part in key if _is_version(part)), 0.0)


def _is_version(part: str) -> bool:
    return part.replace(".", "").isdecimal()


def _searched(row: ModelRow) -> str:
    return " ".join((row.name, row.maker, *row.aliases)).casefold()
