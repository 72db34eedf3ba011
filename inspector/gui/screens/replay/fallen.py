"""The items of a replay that ever fall out, each with its turn, as rows of a table. Columns only; no widgets here."""

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.replay import NOTHING, Replay
from inspector.analysis.replay_words import fallen, fell_when, stayed
from inspector.assembly.columns import Section
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
        self.show(found, fallen(found), found.candidates.ids)


def _stayed_text(found: Replay, row: int) -> str:
    turns = int(stayed(found)[row])
    return figures(turns) if turns != NOTHING else ""


def _section(found: Replay, row: int) -> str:
    return section_title(Section(int(found.candidates.home_section[row])))


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
    Column("when", "When", "When the newest message of that turn was said", fell_when, digits=17, yields=2),
    Column(
        "stayed",
        "After turns",
        "How many turns a message was there before it fell out",
        _stayed_text,
        stayed,
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
