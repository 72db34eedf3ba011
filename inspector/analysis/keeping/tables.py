"""The ways to keep some items, as a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from inspector.analysis.keeping.way import Keeping, Way
from inspector.assembly.candidates import Candidates
from inspector.assembly.numbers import numbers_of
from inspector.assembly.parameter_text import edit_label
from inspector.assembly.policy import Parameter
from inspector.assembly.thresholds import WINDOW
from inspector.derived import cached_property
from inspector.figures import UNKNOWN_PRICE, counted, figures
from inspector.tables import Column, Face, Kind, Table, named

_NAMED = 8
_KIND_WORDS = {
    "single": "one change", "pair": "pair", "exclude": "leave out", "own_window": "own window", "model": "model",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Ways:
    """All ways found, with the candidates and parameters that name their items and values."""

    found: Keeping
    candidates: Candidates
    declared: Mapping[str, Parameter]

    @cached_property
    def all(self) -> tuple[Way, ...]:
        """Single changes, the pair, the exclusion, the own window, and the next model, if any."""
        return tuple(way for _, way in self._named)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kind of each way, as JSON calls it."""
        return tuple(kind for kind, _ in self._named)

    @cached_property
    def _named(self) -> tuple[tuple[str, Way], ...]:
        found = self.found
        others = zip(_KIND_WORDS, (None, found.pair, found.exclusion, found.own_window, found.model), strict=True)
        return (*(("single", way) for way in found.singles), *((kind, way) for kind, way in others if way is not None))


def change_words(ways: Ways, number: int) -> str:
    """Return the changes of a way, such as `Context window 4,096, History share 35.0 %`."""
    way = ways.all[number]
    return ", ".join(_change(way, name, value, ways.declared) for name, value in way.changes)


def way_sentence(ways: Ways, number: int) -> str:
    """Describe a way in full: its changes, the other items it loses or keeps, and the excess over the window."""
    way = ways.all[number]
    said = f"{change_words(ways, number)}. Also lost: {_names(ways, way.lost)}. Also kept: {_names(ways, way.gained)}."
    return f"{said} {figures(way.over, way.estimated)} over the window then." if way.over else said


def _change(way: Way, name: str, value: Any, declared: Mapping[str, Parameter]) -> str:
    if name == WINDOW and value is None:
        return f"Window {way.window:,}, the model's own"
    if name == WINDOW:
        return f"Window {value:,}"
    if name == "model":
        return f"Model {value}"
    if name == "excluded":
        return f"Leave out {counted(len(value), 'item')}: {_listed(value)}"
    return edit_label(declared[name], value)


def _options(ways: Ways, number: int) -> tuple[str, ...]:
    """Return the changes of a way, each as NAME=VALUE."""
    return tuple(f"{name}={_plain(value)}" for name, value in ways.all[number].changes)


def _plain(value: Any) -> str:
    return ",".join(value) if isinstance(value, tuple) else "" if value is None else str(value)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _ids(ways: Ways, rows: Sequence[int]) -> tuple[str, ...]:
    return tuple(ways.candidates.ids[row] for row in rows)


def _names(ways: Ways, rows: Sequence[int]) -> str:
    return _listed(numbers_of(ways.candidates, rows)) or "none"


def _is_estimated(ways: Ways, number: int) -> bool:
    return ways.all[number].estimated


def _over_text(ways: Ways, number: int) -> str:
    way = ways.all[number]
    return figures(way.over or None, way.estimated)


WAY_COLUMNS: tuple[Column[Ways], ...] = (
    Column(
        "kind",
        "Way",
        "The kind of change",
        lambda ways, number: ways.kinds[number],
        words=lambda ways, number: _KIND_WORDS[ways.kinds[number]],
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
    Column("change", "Change", "The change", change_words, digits=44, stretches=True, least=16, faces=Face.WINDOW),
    Column(
        "lost",
        "Also lost",
        "The number of other items that leave the prompt",
        lambda ways, number: len(ways.all[number].lost),
        lambda ways: np.array([len(way.lost) for way in ways.all]),
        Kind.COUNT,
        tooltip=lambda ways, number: _names(ways, ways.all[number].lost),
        faces=Face.WINDOW,
    ),
    Column(
        "gained",
        "Also kept",
        "The number of other items that enter the prompt",
        lambda ways, number: len(ways.all[number].gained),
        lambda ways: np.array([len(way.gained) for way in ways.all]),
        Kind.COUNT,
        goes_last=1,
        tooltip=lambda ways, number: _names(ways, ways.all[number].gained),
        faces=Face.WINDOW,
    ),
    Column(
        "total",
        "Total",
        "The tokens of the prompt then",
        lambda ways, number: ways.all[number].total,
        kind=Kind.TOKENS,
        estimated=_is_estimated,
        faces=Face.FILES | Face.TERMINAL,
    ),
    Column(
        "added",
        "Tokens",
        "The difference to the prompt now, in tokens",
        lambda ways, number: ways.all[number].added,
        lambda ways: np.array([way.added for way in ways.all]),
        Kind.DIFFERENCE,
        estimated=_is_estimated,
        digits=9,
    ),
    Column(
        "over",
        "Over",
        "Tokens of prompt and reply over the window then",
        lambda ways, number: ways.all[number].over,
        lambda ways: np.array([way.over for way in ways.all]),
        Kind.TOKENS,
        words=_over_text,
        digits=9,
        goes_last=2,  # the sentence below the table has it, too
    ),
    Column(
        "cost",
        "Cost",
        "The cost of the prompt then, in US dollars",
        lambda ways, number: ways.all[number].cost,
        kind=Kind.MONEY,
        absent=UNKNOWN_PRICE,
        estimated=_is_estimated,
        digits=14,
        least=9,
    ),
    Column(
        "kept",
        "Also kept",
        "Other items that enter the prompt",
        lambda ways, number: _ids(ways, ways.all[number].gained),
        kind=Kind.IDS,
        words=lambda ways, number: named(numbers_of(ways.candidates, ways.all[number].gained)),
        faces=Face.FILES | Face.TERMINAL,
    ),
    Column(
        "dropped",
        "Also lost",
        "Other items that leave the prompt",
        lambda ways, number: _ids(ways, ways.all[number].lost),
        kind=Kind.IDS,
        words=lambda ways, number: named(numbers_of(ways.candidates, ways.all[number].lost)),
        faces=Face.FILES | Face.TERMINAL,
    ),
    Column(
        "context_window",
        "Window",
        "The context window in tokens",
        lambda ways, number: ways.all[number].window,
        kind=Kind.TOKENS,
        faces=Face.FILES,
    ),
    Column(
        "estimated", "Estimated", "Whether the tokens are estimated", _is_estimated, kind=Kind.FLAG, faces=Face.FILES
    ),
)
WAYS: Table[Ways] = Table(WAY_COLUMNS, lambda ways: range(len(ways.all)))
