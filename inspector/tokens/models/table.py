"""The model table: rows with known facts about models, and their look-up by name. The rows come from `loading.py`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile, zip_longest
from typing import Literal

from inspector.model import Problem
from inspector.nearest import nearest

Key = tuple[str, ...]

# Makers and hosts prefixed to a model's name with a dash: databricks-claude-…, zai-org-glm-…. Words at the beginning
# of a model's own name (mistral, deepseek, qwen) are not among them.
_VENDORS = (
    *("accounts", "alibaba", "amazon", "anthropic", "azure", "bedrock", "cerebras", "cohere", "databricks"),
    *(
        "deepinfra",
        "fireworks",
        "ft",
        "google",
        "groq",
        "meta",
        "microsoft",
        "moonshot",
        "moonshotai",
        "nvidia",
        "ollama",
    ),
    *("openai", "openrouter", "sambanova", "together", "vertex", "xai", "z-ai", "zai", "zai-org"),
)
_VENDOR_BEFORE = re.compile(rf"(?:{'|'.join(sorted(_VENDORS, key=len, reverse=True))})[-_:]+|[a-z-]+[._]")
_PART = re.compile(r"\d+[^\W\d_]*|[^\W\d_]+")
# Fireworks cannot have dots in names: llama-v3p1-8b, glm-4p7.
_DOT_AS_P = re.compile(r"(?<=\d)p(?=\d)")


def plain(name: str) -> str:
    """Return a name without differences of case, surrounding space and kind of slash."""
    return name.strip().casefold().replace("\\", "/")


def key_of(name: str) -> Key:
    """Return the parts of a name, equal for spellings of the same model: Claude-3.5-Sonnet and claude-3-5-sonnet,
    qwen2.5:7b and Qwen-2.5-7B, deepseek-v3p1 and deepseek-3.1.

    A part is a run of letters, or of digits with the letters right after it (4o, 72b). () if there is none.
    """
    parts = _PART.findall(_DOT_AS_P.sub(".", plain(name)))
    followed = zip_longest(parts, parts[1:], fillvalue="")
    return tuple(part for part, after in followed if not (part == "v" and after[:1].isdigit()))


def spellings(name: str) -> Iterator[str]:
    """Yield the name, then without each prefix of hosts in turn: openrouter/openai/gpt-4o, us.anthropic.claude-…"""
    whole = plain(name)
    places = [0, *(match.end() for match in re.finditer("/", whole))]
    for place in places:
        rest = whole[place:]
        yield rest
        while (vendor := _VENDOR_BEFORE.match(rest)) is not None:
            rest = rest[vendor.end() :]
            yield rest


MOST_TOKENS = 2_000_000_000  # the window shows 32-bit numbers


@dataclass(frozen=True, slots=True)
class ModelRow:
    """The facts about a model. Windows are in tokens, prices in US dollars per million tokens; None is "not known".

    `max_input` is the longest prompt in tokens if shorter than the window (gpt-5: 272,000 of 400,000). `tokenizer` is
    the name used by `tokenizer: auto`; `exact_tokenizer` says whether it is the model's own. `date` is the day of the
    facts, "" if undated, and `source` their origin; the window and prices of a model differ between hosts, so a source
    names its host.
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


def input_limit(row: ModelRow) -> int | None:
    """Return the longest prompt in tokens: the smaller of the maker's input limit and the window less the longest
    reply. None for models limited only by their window.
    """
    if row.max_input is None:
        return None
    left = row.context_window - (row.max_output or 0)
    return min(row.max_input, left) if left > 0 else row.max_input


_LONGEST_NAME = 500
"""Characters. Every beginning of a name is looked up, and no model has a longer name."""


@dataclass(frozen=True, slots=True)
class ModelMatch:
    """The row found for a name, and the way it was found; `row` is None when `how` is "unknown"."""

    row: ModelRow | None
    how: Literal["exact", "alias", "prefix", "unknown"]


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
        `GPT-4o`.

        "exact" is its own name, "alias" another name or spelling of it, "prefix" the longest known beginning.
        """
        if len(name) > _LONGEST_NAME:
            return ModelMatch(None, "unknown")
        known = tuple(spellings(name))
        for spelling in known:
            if spelling in self._names:
                return ModelMatch(self._names[spelling], "exact")
        keys = tuple(map(key_of, known))
        for key in keys:
            if key in self._keys:
                return ModelMatch(self._keys[key], "alias")
        prefixes = [key[:size] for key in keys for size in range(1, len(key)) if key[:size] in self._keys]
        if prefixes:
            return ModelMatch(self._keys[max(prefixes, key=len)], "prefix")
        return ModelMatch(None, "unknown")

    def nearest(self, name: str) -> list[str]:
        """Return the names of the rows most similar to an unknown name, by name or alias, the nearest first."""
        rows = {known: row.name for row in self.rows for known in (row.name, *row.aliases)}
        return list(dict.fromkeys(rows[found] for found in nearest(name, rows)))

    def relative(self, name: str) -> ModelRow | None:
        """Return the row nearest to an unknown name: of the rows sharing the longest beginning with it, the most
        similar; None if no row shares its first word.
        """
        if len(name) > _LONGEST_NAME:
            return None
        keys = tuple(filter(None, map(key_of, spellings(name))))
        shared = {row.name: max((_shared(key, key_of(row.name)) for key in keys), default=0) for row in self.rows}
        longest = max(shared.values(), default=0)
        alike = [row for row in self.rows if longest and shared[row.name] == longest]
        return max(alike, key=lambda row: SequenceMatcher(None, plain(name), plain(row.name)).ratio(), default=None)

    def matches(self, text: str) -> tuple[tuple[ModelRow, str], ...]:
        """Return the rows for a typed text, best first, each with the way it was found: as in `find`, then "part" for
        rows whose name, maker or aliases contain every word of the text.
        """
        best = self.find(text)
        words = plain(text).split()
        found = [(best.row, str(best.how))] if best.row is not None else []
        rows = [row for row in self.rows if words and all(word in _searched(row) for word in words)]
        return (*found, *((row, "part") for row in rows if row is not best.row))


def _shared(key: Key, other: Key) -> int:
    """Return the number of parts two names share at their beginnings."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(key, other, strict=False)))


def _searched(row: ModelRow) -> str:
    return plain(" ".join((row.name, row.maker, *row.aliases)))
