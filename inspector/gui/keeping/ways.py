"""Ways to keep some items, as rows of a table. No widgets here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.keeping.way import Keeping, Way
from inspector.assembly.candidates import Candidates
from inspector.assembly.parameter_text import edit_label
from inspector.assembly.policy import Parameter
from inspector.assembly.thresholds import WINDOW
from inspector.figures import counted, dollars, figures, signed
from inspector.gui.table.model import ArrayTableModel
from inspector.tables import Column

_NAMED = 8


@dataclass(frozen=True, eq=False)
class Ways:
    """All ways found so far, with the names of their items and parameters."""

    all: tuple[Way, ...]
    candidates: Candidates
    declared: Mapping[str, Parameter]


def ways_in(found: Keeping) -> tuple[Way, ...]:
    """Return the available ways: single changes, the pair, the exclusion, the own window, and the next model."""
    others = (found.pair, found.exclusion, found.own_window, found.model)
    return (*found.singles, *(way for way in others if way is not None))


def change_words(ways: Ways, number: int) -> str:
    """Return the changes of a way in words, such as `Context window 4,096, History share 35.0 %`."""
    way = ways.all[number]
    return ", ".join(_change(way, name, value, ways.declared) for name, value in way.changes)


def way_sentence(ways: Ways, number: int) -> str:
    """Describe a way in full: its changes, the other items lost or kept, and the tokens over the window."""
    way = ways.all[number]
    said = f"{change_words(ways, number)}. Also lost: {_names(ways, way.lost)}. Also kept: {_names(ways, way.gained)}."
    return f"{said} {figures(way.over, way.estimated)} over the window then." if way.over else said


def _change(way: Way, name: str, value: Any, declared: Mapping[str, Parameter]) -> str:
    if name == WINDOW and value is None:
        return f"Context window {way.window:,}, not set by hand"
    if name == WINDOW:
        return f"Context window {value:,}"
    if name == "model":
        return f"Model {value}"
    if name == "excluded":
        return f"Exclude {counted(len(value), 'item')}: {_listed(value)}"
    return edit_label(declared[name], value)


def _listed(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _names(ways: Ways, rows: tuple[int, ...]) -> str:
    return _listed(tuple(ways.candidates.ids[row] for row in rows)) or "none"


def _over(ways: Ways, number: int) -> str:
    way = ways.all[number]
    return figures(way.over, way.estimated) if way.over else "–"


class WaysModel(ArrayTableModel[Ways]):
    """A row for each way."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, parent)

    def show_ways(self, ways: Ways) -> None:
        """Show these ways, in their order."""
        self.show(ways, np.arange(len(ways.all)), tuple(map(str, range(len(ways.all)))))


COLUMNS: tuple[Column[Ways], ...] = (
    Column("change", "Change", "What keeps the items", change_words, digits=44, stretches=True, least=16),
    Column(
        "lost",
        "Also lost",
        "How many other items leave the prompt",
        lambda ways, number: f"{len(ways.all[number].lost):,}",
        lambda ways: np.array([len(way.lost) for way in ways.all]),
        right=True,
        tooltip=lambda ways, number: _names(ways, ways.all[number].lost),
    ),
    Column(
        "gained",
        "Also kept",
        "How many other items enter the prompt",
        lambda ways, number: f"{len(ways.all[number].gained):,}",
        lambda ways: np.array([len(way.gained) for way in ways.all]),
        right=True,
        goes_last=1,
        tooltip=lambda ways, number: _names(ways, ways.all[number].gained),
    ),
    Column(
        "added",
        "Tokens",
        "How many more tokens the prompt takes than today",
        lambda ways, number: signed(ways.all[number].added, ways.all[number].estimated),
        lambda ways: np.array([way.added for way in ways.all]),
        digits=9,
        right=True,
    ),
    Column(
        "over",
        "Over",
        "By how many tokens the prompt then exceeds the window, with what is kept free for the reply",
        _over,
        lambda ways: np.array([way.over for way in ways.all]),
        digits=9,
        right=True,
        goes_last=2,  # the sentence below the table includes it
    ),
    Column(
        "cost",
        "Cost",
        "What the prompt then costs, in US dollars",
        lambda ways, number: dollars(ways.all[number].cost, ways.all[number].estimated),
        digits=14,
        least=9,
        right=True,
    ),
)
