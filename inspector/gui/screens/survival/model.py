"""The items of a survival: those shown, their order, and the model of their table. No widgets here."""

from collections.abc import Iterator
from enum import Enum

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.survival.ask import Survived
from inspector.analysis.survival.drawing import at_value, survival_drawing
from inspector.analysis.survival.stretches import Outcome, Survival
from inspector.analysis.survival.tables import ITEM_COLUMNS, STRETCHES, places_of, words, written
from inspector.assembly.columns import Bool, Rows, Section
from inspector.assembly.numbers import called, title_in
from inspector.drawings.drawing import Drawing
from inspector.gui.table.model import ArrayTableModel, Marking
from inspector.gui.theme import theme
from inspector.tables import Value, records


class Order(Enum):
    """The order of the items."""

    PROMPT = "Prompt order"
    SECTION = "Section"
    FALL = "Where it falls"


class Shown(Enum):
    """Which items are shown."""

    ALL = "All items"
    MOVING = "Changing items"
    LOST = "Lost with more"


def rows_of(survived: Survived, order: Order, shown: Shown) -> Rows:
    """Return the rows shown, in order. Items of the same section, or with the same fall, stay in prompt order."""
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
    """Return which items have different outcomes in different prompts; the lack of a prompt is not an outcome here."""
    told = found.outcomes != Outcome.NO_PROMPT
    different = np.unique(found.rows[told] * len(Outcome) + found.outcomes[told]) // len(Outcome)
    return np.bincount(different, minlength=len(found)) > 1


def nearest_flip(survived: Survived, row: int, number: int) -> int | None:
    """Return the nearest number at which the outcome of an item changes; of two equally near numbers the higher."""
    sides = (survived.found.next_flip(number, direction, np.array([row])) for direction in (1, -1))
    there = [flip for flip in sides if flip is not None]
    return min(there, key=lambda flip: abs(flip - number), default=None)


def drawing_of(survived: Survived, rows: Rows, today: float) -> Drawing:
    """Return the map of some items."""
    return survival_drawing(survived.found, survived.assembly.candidates, rows, survived.slider.parameter, today)


def drawing_at(drawing: Drawing, survived: Survived, today: float) -> Drawing:
    """Return the same map when the slider has another value."""
    return at_value(drawing, survived.found, survived.slider.parameter, today)


def item_sentence(survived: Survived, row: int) -> str:
    """Return an item and its stretches, such as `Message 13: dropped up to 1,799, kept from 1,800 on`."""
    return f"{title_in(survived.assembly.candidates.items, row)}: {words(survived, row)}"


def losses_sentence(survived: Survived) -> str:
    """Return how many items more of the slider loses, and the first of them."""
    found = survived.found
    if not len(found.losses):
        return "More of it loses no item."
    place = int(found.losses[np.argmin(found.begins[found.losses])])
    items = len(np.unique(found.rows[found.losses]))
    item = called(survived.assembly.candidates, int(found.rows[place]))
    which = f"{item} at {written(survived, int(found.begins[place]))}"
    return f"More of it loses 1 item: {which}." if items == 1 else f"More of it loses {items:,} items, first {which}."


class SurvivalModel(ArrayTableModel[Survived]):
    """A row for each item."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(ITEM_COLUMNS, parent)

    def show_survived(self, survived: Survived | None, rows: Rows) -> None:
        """Show these items of a survival; None shows nothing."""
        self.show(survived, rows, () if survived is None else survived.assembly.candidates.ids)

    def marking(self, position: int) -> Marking | None:
        """Return the hue of the item's section."""
        if self.subject is None:
            return None
        section = Section(int(self.subject.assembly.section[int(self.rows[position])]))
        return Marking(theme().section_color(section))

    def records(self) -> Iterator[dict[str, Value]]:
        """Yield a row for each stretch of each item shown, in the form of the command."""
        survived = self.subject
        if survived is not None:
            yield from records(STRETCHES.columns_of(survived), survived, places_of(survived, self.rows).tolist())
