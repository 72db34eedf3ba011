"""The two sides of a comparison, chosen by name: `baseline ▾ with now ▾`."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from inspector.assembly.side_choice import SideChoice
from inspector.gui.parts.choice_box import ChoiceBox
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.texts import control_text
from inspector.gui.theme import GAP, scaled

WITH = "with"
_LEAST = 168


class SideBoxes(QWidget):
    """Two boxes with the same choices. `chosen(before, after)` carries both when the user changes one.

    Object names are `NAME_before` and `NAME_after`.
    """

    chosen = Signal(object, object)

    def __init__(self, name: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.before, self.after = (self._box(f"{name}_{side}", f"{words}, {side}") for side in ("before", "after"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP)
        row.addWidget(self.before)
        row.addWidget(PlainLabel(WITH))
        row.addWidget(self.after)

    def _box(self, name: str, words: str) -> QComboBox:
        box = ChoiceBox()
        box.setObjectName(name)
        box.setAccessibleName(words)
        box.setMinimumWidth(scaled(_LEAST))
        box.setPlaceholderText("no baseline yet")
        box.activated.connect(lambda _: self.chosen.emit(self.before.currentData(), self.after.currentData()))
        return box

    def offer(self, choices: Sequence[tuple[SideChoice, str]], before: SideChoice, after: SideChoice) -> None:
        """Offer these choices under their titles, with these two chosen."""
        for box, chosen in ((self.before, before), (self.after, after)):
            with QSignalBlocker(box):
                if [box.itemText(place) for place in range(box.count())] != [title for _, title in choices]:
                    box.clear()
                    for choice, title in choices:
                        box.addItem(control_text(title), choice)
                for place, (choice, _) in enumerate(choices):
                    box.setItemData(place, choice)
                box.setCurrentIndex(next((n for n, (one, _) in enumerate(choices) if one == chosen), -1))
