"""The model table: what is known of each model, with date and source, and how a name is looked up in it.

The rows are data: `resources/models/*.yaml`, and on top of them a file of the person's own (`files.py`).
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from inspector.model import Problem
from inspector.tokens.models.names import Key, key_of, plain, spellings


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One model. Windows are in tokens, prices in US dollars per million tokens; None is "not known".

    `max_input` is how many tokens a prompt may have where that is fewer than the window (gpt-5: 272,000 of 400,000).
    `tokenizer` is what `tokenizer: auto` asks for; `exact_tokenizer` says whether that is the model's own.
    `date` is the day of the facts, "" where they are undated, and `source` where they are from; the window and prices
    of one model differ between hosts, so a source names the host whose they are.
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


@dataclass(frozen=True, slots=True)
class ModelMatch:
    """The row that a name leads to, and how it was found; `row` is None when `how` is "unknown"."""

    row: ModelRow | None
    how: Literal["exact", "alias", "prefix", "unknown"]


class ModelTable:
    """All rows, looked up by name. Where two rows claim a name, the first one has it: a person's own rows go first.

    `problems` is what is wrong with the person's own rows.
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
        """The row for a model's name as people and files write it: `openai/gpt-4o`, `gpt-4o-2024-11-20`, `GPT-4o`.

        "exact" is its own name, "alias" another name or spelling of it, "prefix" the longest beginning that is known.
        """
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

    def matches(self, text: str) -> tuple[tuple[ModelRow, str], ...]:
        """Rows for what a person types, best first, each with how it was found: as `find` says, then "part" for those
        whose name, maker or aliases contain every word of the text."""
        best = self.find(text)
        words = plain(text).split()
        found = [(best.row, str(best.how))] if best.row is not None else []
        rows = [row for row in self.rows if words and all(word in _searched(row) for word in words)]
        return (*found, *((row, "part") for row in rows if row is not best.row))


def input_limit(row: ModelRow) -> int | None:
    """The most tokens that a prompt may have: the smaller of the maker's own limit of the input and of what the
    longest reply leaves of the window. None for models whose window is the only limit."""
    if row.max_input is None:
        return None
    left = row.context_window - (row.max_output or 0)
    return min(row.max_input, left) if left > 0 else row.max_input


def load_models(own: Path | None = None) -> ModelTable:
    """The shipped rows, with those of the person's own file on top of them; an absent file is an empty one.

    What is wrong with the own file is in `problems`, its good rows are in the table. The file is read again only when
    it has changed.
    """
    if own is None:
        return _shipped()
    try:
        state = own.stat()
    except FileNotFoundError:
        return _shipped()
    except OSError as problem:
        return ModelTable(_shipped().rows, (Problem(str(own), "", f"cannot be read: {problem.strerror}"),))
    return _with_own(own, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=1)
def _shipped() -> ModelTable:
    from inspector.tokens.models.files import shipped_rows

    return ModelTable(shipped_rows())


@lru_cache(maxsize=4)
def _with_own(own: Path, _changed: int, _size: int) -> ModelTable:
    from inspector.tokens.models.files import own_rows

    shipped = _shipped()
    rows, problems = own_rows(own, shipped)
    names = {plain(row.name) for row in rows}
    return ModelTable((*rows, *(row for row in shipped.rows if plain(row.name) not in names)), problems)


def _searched(row: ModelRow) -> str:
    return plain(" ".join((row.name, row.maker, *row.aliases)))
