"""The items of a survival: which of them are shown, in what order, and as rows of a table. No widgets here."""

from enum import Enum

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.survival import Outcome, Survival
from inspector.analysis.survival_drawing import Write, at_value, survival_drawing, value_writer
from inspector.analysis.survival_search import Survived
from inspector.assembly.columns import I64, Action, Bool, Rows, Section, phrase, section_title
from inspector.drawings.drawing import Drawing
from inspector.gui.table.model import ArrayTableModel
from inspector.tables import Column, Tone


class Order(Enum):
    """What items are sorted by."""

    PROMPT = "Prompt order"
    SECTION = "Section"
    FALL = "Where it falls"


class Shown(Enum):
    """Which items are shown."""

    ALL = "All items"
    MOVING = "Changing items"
    LOST = "Lost with more"


def rows_of(survived: Survived, order: Order, shown: Shown) -> Rows:
    """The rows that are shown, in their order. Items of one section, or that fall together, stay in prompt order."""
    found, assembly = survived.found, survived.assembly
    rows = assembly.order
    if shown is not Shown.ALL:
        chosen = _changing(found) if shown is Shown.MOVING else np.isin(np.arange(len(found)), found.rows[found.losses])
        rows = rows[chosen[rows]]
    if order is Order.PROMPT:
        return rows
    values = assembly.section if order is Order.SECTION else found.falls
    return rows[np.argsort(values[rows], kind="stable")]


def _changing(found: Survival) -> Bool:
    """Which items not the same becomes of in every prompt; that there is no prompt changes none of them."""
    told = found.outcomes != Outcome.NO_PROMPT
    different = np.unique(found.rows[told] * len(Outcome) + found.outcomes[told]) // len(Outcome)
    return np.bincount(different, minlength=len(found)) > 1


def nearest_flip(survived: Survived, row: int, number: int) -> int | None:
    """The number nearest to another at which something else becomes of an item; of two as near the higher one."""
    sides = (survived.found.next_flip(number, direction, np.array([row])) for direction in (1, -1))
    there = [flip for flip in sides if flip is not None]
    return min(there, key=lambda flip: abs(flip - number), default=None)


def written(survived: Survived, number: int) -> str:
    """A numbered value of the slider as people read it, such as `35.0 %` or `4,096`."""
    return _written(survived)(survived.found.axis.value(number))


def words(survived: Survived, row: int) -> str:
    """What becomes of an item from value to value."""
    return survived.found.words(row, _written(survived))


def _written(survived: Survived) -> Write:
    return value_writer(survived.slider.parameter)


def drawing_of(survived: Survived, rows: Rows, today: float) -> Drawing:
    """The map of some items."""
    return survival_drawing(survived.found, survived.assembly.candidates, rows, survived.slider.parameter, today)


def drawing_at(drawing: Drawing, survived: Survived, today: float) -> Drawing:
    """The same map when the slider has another value."""
    return at_value(drawing, survived.found, survived.slider.parameter, today)


def words_of(outcome: int) -> str:
    """What becomes of an item, in a word."""
    return "no prompt" if outcome == Outcome.NO_PROMPT else phrase(Action(outcome))


def item_sentence(survived: Survived, row: int) -> str:
    """An item and its stretches, such as `m12: dropped up to 1,799, kept from 1,800 on`."""
    return f"{survived.assembly.candidates.ids[row]}: {words(survived, row)}"


def losses_sentence(survived: Survived) -> str:
    """How many items more of the slider loses, and the first of them."""
    found, ids = survived.found, survived.assembly.candidates.ids
    if not len(found.losses):
        return "More of it loses no item."
    place = int(found.losses[np.argmin(found.begins[found.losses])])
    items = len(np.unique(found.rows[found.losses]))
    which = f"{ids[int(found.rows[place])]} at {written(survived, int(found.begins[place]))}"
    return f"More of it loses 1 item: {which}." if items == 1 else f"More of it loses {items:,} items, first {which}."


class SurvivalModel(ArrayTableModel[Survived]):
    """A row for each item."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, parent)

    def show_survived(self, survived: Survived | None, rows: Rows) -> None:
        """Show these items of a survival; None shows nothing."""
        self.show(survived, rows, () if survived is None else survived.assembly.candidates.ids)


def _section(survived: Survived, row: int) -> str:
    return section_title(Section(int(survived.assembly.section[row])))


def _falls(survived: Survived, row: int) -> str:
    falls = int(survived.found.falls[row])
    if falls > survived.found.last:
        return "lost with more" if survived.found.is_ever_in[row] else "never"
    return "always" if falls == survived.found.first else written(survived, falls)


def _quiet(survived: Survived, row: int) -> Tone | None:
    return None if survived.assembly.in_prompt[row] else "muted"


def _flip_counts(survived: Survived) -> I64:
    return np.diff(survived.found.bounds) - 1


COLUMNS: tuple[Column[Survived], ...] = (
    Column(
        "item",
        "Item",
        "Its id; in grey where it is not in the prompt today",
        lambda survived, row: survived.assembly.candidates.ids[row],
        lambda survived: np.arange(len(survived.found)),
        digits=18,
        tone=_quiet,
    ),
    Column("section", "Section", "Where it stands", _section, lambda survived: survived.assembly.section, digits=10),
    Column(
        "today",
        "Today",
        "What becomes of it under today's value",
        lambda survived, row: words_of(int(survived.assembly.action[row])),
        lambda survived: survived.assembly.action,
        digits=11,
        yields=2,
    ),
    Column(
        "in_from",
        "In from",
        "The value from which on it is in every prompt",
        _falls,
        lambda survived: survived.found.falls,
        digits=13,
        right=True,
    ),
    Column(
        "flips",
        "Changes",
        "How often what becomes of it changes along the slider",
        lambda survived, row: f"{int(_flip_counts(survived)[row]):,}",
        _flip_counts,
        digits=8,
        right=True,
        yields=3,
    ),
    Column(
        "stretches",
        "Under which values",
        "What becomes of it from value to value; about: the change lies near that value, not just there",
        words,
        digits=40,
        stretches=True,
    ),
)
