"""The model table: rows, and their look-up by name. The rows come from `loading.py`."""

from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Literal

from inspector.model import Problem
from inspector.nearest import nearest
from inspector.tokens.models.names import Key, key_of, plain, spellings
from inspector.tokens.models.row import ModelRow

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
