"""The items that are not whole in the prompt, the latest falls on top. Columns only; no widgets here."""

from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.replay.ask import are_of_one_conversation, fell
from inspector.assembly.columns import Action, Bool, Rows, State, outcome_tone
from inspector.assembly.decisions import Assembly
from inspector.assembly.item_tables import ITEM_COLUMNS, picked
from inspector.gui.table.model import ArrayTableModel
from inspector.tables import Column, Face, Tone, columns_of_part

JUST_NOW = "▼"


@dataclass(frozen=True, eq=False)
class Falling:
    """An assembly, and a mask of the items that fell when it replaced the previous assembly."""

    assembly: Assembly
    fresh: Bool

    @classmethod
    def between(cls, before: Assembly | None, after: Assembly) -> "Falling":
        """Return the falls from one assembly to another: items whole before and not now, or in the prompt before and
        not now.

        Between different conversations nothing falls.
        """
        fresh = np.zeros(len(after.candidates), np.bool_)
        if before is not None and are_of_one_conversation(before, after):
            fresh[fell(before, after)] = True
        return cls(after, fresh)

    @property
    def rows(self) -> Rows:
        """The items out of the prompt, the latest falls first and then the newest items."""
        rows = np.flatnonzero(is_out(self.assembly))[::-1]
        return np.concatenate([rows[self.fresh[rows]], rows[~self.fresh[rows]]])


def is_out(assembly: Assembly) -> Bool:
    """Return which items are not whole in the prompt, except items that do not exist yet at the replayed turn."""
    return (assembly.candidates.state != State.NOT_YET) & (assembly.action != Action.KEPT)


class FallingModel(ArrayTableModel[Falling]):
    """Rows of the candidates out of the prompt."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(FALLING_COLUMNS, parent)

    def show_falling(self, falling: Falling | None) -> None:
        """Show the items out of the prompt; None shows nothing."""
        if falling is None:
            self.show(None, np.empty(0, dtype=np.intp), ())
        else:
            self.show(falling, falling.rows, falling.assembly.candidates.ids)


def _assembly(falling: Falling) -> Assembly:
    return falling.assembly


def _ink(falling: Falling, row: int) -> Tone | None:
    return None if falling.fresh[row] else "muted"


def _action_ink(falling: Falling, row: int) -> Tone | None:
    return outcome_tone(Action(int(falling.assembly.action[row])))


_LAID = {"section": (10, 1), "role": (9, 2), "text": (24, 0), "tokens": (8, 0), "action": (12, 0), "reason": (21, 3)}
"""The columns of the items: their widths, and when they yield."""


def _laid(column: Column[Falling]) -> Column[Falling]:
    digits, yields = _LAID[column.key]
    tone = _action_ink if column.key == "action" else _ink
    return replace(column, digits=digits, yields=yields, goes_last=0, least=0, values=None, tone=tone)


FALLING_COLUMNS: tuple[Column[Falling], ...] = (
    Column(
        "now",
        "Now",
        f"{JUST_NOW} marks what fell with the last step",
        lambda falling, row: JUST_NOW if falling.fresh[row] else "",
        digits=3,
        tone=_action_ink,
        faces=Face.WINDOW,
    ),
    *map(_laid, columns_of_part(picked(tuple(_LAID), ITEM_COLUMNS), _assembly)),
)
