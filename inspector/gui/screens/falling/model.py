"""The items that are not whole in the prompt, those that fell last on top. Columns only; no widgets here."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.replay import are_of_one_conversation, fell
from inspector.assembly.columns import (
    ROLES,
    Action,
    Bool,
    Rows,
    Section,
    State,
    outcome_tone,
    outcome_words,
    section_title,
)
from inspector.assembly.decisions import Assembly
from inspector.assembly.explain import explain
from inspector.figures import figures
from inspector.gui.table.model import ArrayTableModel
from inspector.tables import Column, Tone, first_line

JUST_NOW = "▼"


@dataclass(frozen=True, eq=False)
class Falling:
    """An assembly, and a mask of the items that fell when it took the place of the one before."""

    assembly: Assembly
    fresh: Bool

    @classmethod
    def between(cls, before: Assembly | None, after: Assembly) -> "Falling":
        """What fell on the way: whole before and not now, or in the prompt before and not now.

        Of another conversation nothing fell.
        """
        fresh = np.zeros(len(after.candidates), np.bool_)
        if before is not None and are_of_one_conversation(before, after):
            fresh[fell(before, after)] = True
        return cls(after, fresh)

    @property
    def rows(self) -> Rows:
        """What is out, the freshest first and then the newest."""
        rows = np.flatnonzero(is_out(self.assembly))[::-1]
        return np.concatenate([rows[self.fresh[rows]], rows[~self.fresh[rows]]])


def is_out(assembly: Assembly) -> Bool:
    """Which items are not whole in the prompt, but for those that do not exist yet at the turn that is replayed."""
    return (assembly.candidates.state != State.NOT_YET) & (assembly.action != Action.KEPT)


class FallingModel(ArrayTableModel[Falling]):
    """Rows of the candidates that are out of the prompt."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(FALLING_COLUMNS, parent)

    def show_falling(self, falling: Falling | None) -> None:
        """Show what is out; None shows nothing."""
        if falling is None:
            self.show(None, np.empty(0, dtype=np.intp), ())
        else:
            self.show(falling, falling.rows, falling.assembly.candidates.ids)


def _role(falling: Falling, row: int) -> str:
    number = int(falling.assembly.candidates.role[row])
    return ROLES[number] if number < len(ROLES) else ""


def _ink(falling: Falling, row: int) -> Tone | None:
    return None if falling.fresh[row] else "muted"


def _action_ink(falling: Falling, row: int) -> Tone | None:
    return outcome_tone(Action(int(falling.assembly.action[row])))


FALLING_COLUMNS: tuple[Column[Falling], ...] = (
    Column(
        "now",
        "Now",
        f"{JUST_NOW} marks what fell with the last step",
        lambda falling, row: JUST_NOW if falling.fresh[row] else "",
        digits=3,
        tone=_action_ink,
    ),
    Column(
        "section",
        "Section",
        "The part of the budget that would pay for it",
        lambda falling, row: section_title(Section(int(falling.assembly.section[row]))),
        digits=10,
        yields=1,
        tone=_ink,
    ),
    Column("role", "Role", "Who a message is from", _role, digits=9, yields=2, tone=_ink),
    Column(
        "text",
        "Text",
        "The first line of the item",
        lambda falling, row: first_line(falling.assembly.candidates.texts[row]),
        digits=24,
        stretches=True,
        tone=_ink,
        tooltip=lambda falling, row: falling.assembly.candidates.texts[row],
    ),
    Column(
        "tokens",
        "Tokens",
        "What the whole item costs; ≈ marks an estimate",
        lambda falling, row: figures(
            int(falling.assembly.candidates.tokens[row]), bool(falling.assembly.candidates.estimated[row])
        ),
        digits=8,
        right=True,
        tone=_ink,
    ),
    Column(
        "action",
        "Action",
        "What the policy made of it",
        lambda falling, row: outcome_words(Action(int(falling.assembly.action[row]))),
        digits=12,
        tone=_action_ink,
    ),
    Column(
        "why",
        "Why",
        "The reason",
        lambda falling, row: falling.assembly.reason_of(row).label,
        digits=21,
        yields=3,
        tone=_ink,
        tooltip=lambda falling, row: explain(falling.assembly, row),
    ),
)
