"""The items of a replay that ever fall out, each with its turn, as rows of a table. Columns only; no widgets here."""

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.replay import NOTHING, Replay
from inspector.analysis.replay_words import time_text
from inspector.assembly.columns import I64, Section
from inspector.figures import figures
from inspector.gui.table.cell_texts import first_line
from inspector.gui.table.columns import Column
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.theme import section_title


class FallenModel(ArrayTableModel[Replay]):
    """A row for each item that is dropped at some turn after it was in a prompt, in the order in which they fall."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(FALLEN_COLUMNS, parent)

    def show_replay(self, found: Replay | None) -> None:
        """Show what falls in a replay; None shows nothing."""
        if found is None:
            self.show(None, np.empty(0, np.intp), ())
            return
        rows = np.flatnonzero(found.fell_at != NOTHING)
        self.show(found, rows[np.argsort(found.fell_at[rows], kind="stable")], found.candidates.ids)


def _stayed(found: Replay) -> I64:
    """For each message that falls how many turns it was there before; -1 for everything else."""
    said_at = np.arange(len(found.candidates)) - found.candidates.items.first_message + 1
    return np.where((said_at > 0) & (found.fell_at != NOTHING), found.fell_at - said_at, NOTHING)


def _stayed_text(found: Replay, row: int) -> str:
    said_at = row - found.candidates.items.first_message + 1
    return figures(int(found.fell_at[row]) - said_at) if said_at > 0 else ""


def _section(found: Replay, row: int) -> str:
    return section_title(Section(int(found.candidates.home_section[row])))


def _when(found: Replay, row: int) -> str:
    return time_text(found, found.place(int(found.fell_at[row])))


FALLEN_COLUMNS: tuple[Column[Replay], ...] = (
    Column(
        "item",
        "Item",
        "Its id",
        lambda found, row: found.candidates.ids[row],
        lambda found: np.arange(len(found.candidates)),
        digits=14,
    ),
    Column(
        "section",
        "Section",
        "Where it stands",
        _section,
        lambda found: found.candidates.home_section,
        digits=10,
        yields=3,
    ),
    Column(
        "falls",
        "Falls out at",
        "The first turn that drops it after it was in a prompt",
        lambda found, row: figures(int(found.fell_at[row])),
        lambda found: found.fell_at,
        digits=11,
        right=True,
    ),
    Column("when", "When", "When the newest message of that turn was said", _when, digits=17, yields=2),
    Column(
        "stayed",
        "After turns",
        "How many turns a message was there before it fell out",
        _stayed_text,
        _stayed,
        digits=11,
        right=True,
        yields=1,
    ),
    Column(
        "text",
        "Text",
        "Its beginning",
        lambda found, row: first_line(found.candidates.texts[row]),
        digits=14,
        stretches=True,
    ),
)
