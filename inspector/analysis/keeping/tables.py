"""The ways to keep some items, as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from inspector.analysis.keeping.way import Keeping, Kind, Way
from inspector.analysis.keeping.words import price_text
from inspector.assembly.candidates import Candidates
from inspector.assembly.numbers import numbers_of
from inspector.figures import UNKNOWN_PRICE, figures
from inspector.tables import Column, Face, Table, named
from inspector.tables import Kind as Written

_NAMED, _NAMED_IN_FULL = 8, 60
_KIND_WORDS = {
    Kind.PIN: "pin", Kind.SINGLE: "one change", Kind.PAIR: "pair", Kind.EXCLUDE: "leave out",
    Kind.OWN_WINDOW: "own window", Kind.MODEL: "model",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Ways:
    """All ways found, with the candidates that name their items."""

    found: Keeping
    candidates: Candidates

    @property
    def all(self) -> tuple[Way, ...]:
        """The ways, in their order."""
        return self.found.ways


def way_sentence(ways: Ways, number: int) -> str:
    """Describe a way in full: its label and price, and the other items that leave, are shortened, or come in."""
    way = ways.all[number]
    effects = {"Leaves": way.leaves, "Shortened": way.shortened, "Also kept": way.comes_in}
    told = [f"{name}: {_names(ways, rows)}." for name, rows in effects.items() if rows]
    return " ".join([f"{way.label}: {price_text(way, ways.candidates)}.", *_left_out(way), *told])


def _left_out(way: Way) -> list[str]:
    return [f"Left out: {_listed(value)}." for name, value in way.changes if name == "excluded"]


def _options(ways: Ways, number: int) -> tuple[str, ...]:
    """Return the changes of a way, each as NAME=VALUE."""
    return tuple(f"{name}={_plain(value)}" for name, value in ways.all[number].changes)


def _plain(value: Any) -> str:
    return ",".join(value) if isinstance(value, tuple) else "" if value is None else str(value)


def _listed(names: Sequence[str], most: int = _NAMED) -> str:
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _ids(ways: Ways, rows: Sequence[int]) -> tuple[str, ...]:
    return tuple(ways.candidates.ids[row] for row in rows)


def _names(ways: Ways, rows: Sequence[int], most: int = _NAMED) -> str:
    return _listed(numbers_of(ways.candidates, rows), most) or "none"


def _is_estimated(ways: Ways, number: int) -> bool:
    return ways.all[number].estimated


def _over_text(ways: Ways, number: int) -> str:
    way = ways.all[number]
    return figures(way.exceeds or None, way.estimated)


WAY_COLUMNS: tuple[Column[Ways], ...] = (
    Column(
        "kind",
        "Way",
        "The kind of change",
        lambda ways, number: ways.all[number].kind.value,
        words=lambda ways, number: _KIND_WORDS[ways.all[number].kind],
        faces=Face.FILES | Face.TERMINAL,
    ),
    Column(
        "changes",
        "Change",
        "The change, as options take it",
        _options,
        words=lambda ways, number: ", ".join(_options(ways, number)),
        stretches=True,
        faces=Face.FILES | Face.TERMINAL,
    ),
    Column(
        "label",
        "Change",
        "The change that keeps the items",
        lambda ways, number: ways.all[number].label,
        digits=44,
        stretches=True,
        least=16,
        faces=Face.WINDOW | Face.FILES,
    ),
    Column(
        "leaves",
        "Leave",
        "The number of other items that leave the prompt",
        lambda ways, number: len(ways.all[number].leaves),
        lambda ways: np.array([len(way.leaves) for way in ways.all]),
        Written.COUNT,
        tooltip=lambda ways, number: _names(ways, ways.all[number].leaves, _NAMED_IN_FULL),
        faces=Face.WINDOW,
    ),
    Column(
        "comes_in",
        "Also kept",
        "The number of other items that are then kept whole",
        lambda ways, number: len(ways.all[number].comes_in),
        lambda ways: np.array([len(way.comes_in) for way in ways.all]),
        Written.COUNT,
        goes_last=1,
        tooltip=lambda ways, number: _names(ways, ways.all[number].comes_in, _NAMED_IN_FULL),
        faces=Face.WINDOW,
    ),
    Column(
        "total",
        "Total",
        "The tokens of the prompt then",
        lambda ways, number: ways.all[number].total,
        kind=Written.TOKENS,
        estimated=_is_estimated,
        faces=Face.FILES | Face.TERMINAL,
    ),
    Column(
        "added",
        "Tokens",
        "The difference to the prompt now, in tokens",
        lambda ways, number: ways.all[number].added,
        lambda ways: np.array([way.added for way in ways.all]),
        Written.DIFFERENCE,
        estimated=lambda ways, number: ways.all[number].added_estimated,
        digits=9,
    ),
    Column(
        "over",
        "Over",
        "Tokens of prompt and reply over the window then",
        lambda ways, number: ways.all[number].exceeds,
        lambda ways: np.array([way.exceeds for way in ways.all]),
        Written.TOKENS,
        words=_over_text,
        digits=9,
        goes_last=2,  # the sentence below the table has it, too
    ),
    Column(
        "cost",
        "Cost",
        "The cost of the prompt then, in US dollars",
        lambda ways, number: ways.all[number].cost,
        kind=Written.MONEY,
        absent=UNKNOWN_PRICE,
        estimated=_is_estimated,
        digits=14,
        least=9,
    ),
    Column(
        "kept",
        "Also kept",
        "Other items that are then kept whole",
        lambda ways, number: _ids(ways, ways.all[number].comes_in),
        kind=Written.IDS,
        words=lambda ways, number: named(numbers_of(ways.candidates, ways.all[number].comes_in)),
        faces=Face.FILES | Face.TERMINAL,
    ),
    Column(
        "dropped",
        "Leave",
        "Other items that leave the prompt",
        lambda ways, number: _ids(ways, ways.all[number].leaves),
        kind=Written.IDS,
        words=lambda ways, number: named(numbers_of(ways.candidates, ways.all[number].leaves)),
        faces=Face.FILES | Face.TERMINAL,
    ),
    Column(
        "shortened",
        "Shortened",
        "Other items that are in the prompt no longer whole",
        lambda ways, number: _ids(ways, ways.all[number].shortened),
        kind=Written.IDS,
        words=lambda ways, number: named(numbers_of(ways.candidates, ways.all[number].shortened)),
        faces=Face.FILES | Face.TERMINAL,
    ),
    Column(
        "context_window",
        "Window",
        "The context window in tokens",
        lambda ways, number: ways.all[number].window,
        kind=Written.TOKENS,
        faces=Face.FILES,
    ),
    Column(
        "estimated", "Estimated", "Whether the tokens are estimated", _is_estimated, kind=Written.FLAG, faces=Face.FILES
    ),
)
WAYS: Table[Ways] = Table(WAY_COLUMNS, lambda ways: range(len(ways.all)))
