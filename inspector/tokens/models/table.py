"""The model table: rows, and how a name is looked up among them. Where rows come from is in `loading.py`."""

from dataclasses import dataclass
from typing import Literal

from inspector.model import Problem
from inspector.tokens.models.names import Key, key_of, plain, spellings
from inspector.tokens.models.row import ModelRow

_LONGEST_NAME = 500
"""Characters. Every beginning of a name is looked up, and no model has a longer one."""


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

    def matches(self, text: str) -> tuple[tuple[ModelRow, str], ...]:
        """Rows for what a person types, best first, each with how it was found: as `find` says, then "part" for those
        whose name, maker or aliases contain every word of the text."""
        best = self.find(text)
        words = plain(text).split()
        found = [(best.row, str(best.how))] if best.row is not None else []
        rows = [row for row in self.rows if words and all(word in _searched(row) for word in words)]
        return (*found, *((row, "part") for row in rows if row is not best.row))


def _searched(row: ModelRow) -> str:
    return plain(" ".join((row.name, row.maker, *row.aliases)))
