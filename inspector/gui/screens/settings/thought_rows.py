"""The rows for the model's thoughts: which of them are sent back to it, and whether its template lets it think."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inspector.gui.parts.choice_box import ChoiceBox, choice_box
from inspector.gui.parts.number_field import WheelGuard
from inspector.gui.parts.parameter_row import LINE, TARGET
from inspector.gui.parts.row_parts import RowName
from inspector.gui.parts.texts import tooltip
from inspector.gui.theme import UNIT

_LETTERS = 11
SENT: Mapping[str, str] = {
    "auto": "As the model",
    "loop": "Running loop",
    "all": "All",
    "none": "None",
}
"""The choices of thoughts sent back, by their words in a scenario."""
THINKING: Mapping[bool | None, str] = {None: "As its template", True: "On", False: "Off"}
SENT_HELP = "Which thoughts go back to the model: those its format takes, those since the last user message, all, none"
THINKING_HELP = "The switch for thinking in the model's chat template"


class ThoughtRows(QWidget):
    """Two choices, each shown only where it matters.

    `sent_chosen` carries a word of `SENT`, `thinking_chosen` True, False or None.
    """

    sent_chosen = Signal(str)
    thinking_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sent = choice_box("thoughts_sent", SENT_HELP, _LETTERS)
        self.thinking = choice_box("thoughts_thinking", THINKING_HELP, _LETTERS)
        self._guard = WheelGuard(self)
        self._sent_row = self._row("Thoughts", SENT_HELP, self.sent, SENT)
        self._thinking_row = self._row("Thinking", THINKING_HELP, self.thinking, THINKING)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._sent_row)
        column.addWidget(self._thinking_row)
        self.sent.activated.connect(lambda _: self.sent_chosen.emit(self.sent.currentData()))
        self.thinking.activated.connect(lambda _: self.thinking_chosen.emit(self.thinking.currentData()))
        self.hide()

    def show_choices(self, sent: str, thinking: bool | None, *, has_thoughts: bool, has_switch: bool) -> None:
        """Show the choices of a scenario where they matter, and wherever they were made; nothing is emitted."""
        for box, place in ((self.sent, [*SENT].index(sent)), (self.thinking, [*THINKING].index(thinking))):
            with QSignalBlocker(box):
                box.setCurrentIndex(place)
        self._sent_row.setVisible(has_thoughts or sent != "auto")
        self._thinking_row.setVisible(has_switch or thinking is not None)
        self.setVisible(not (self._sent_row.isHidden() and self._thinking_row.isHidden()))

    def _row(self, title: str, words: str, box: ChoiceBox, choices: Mapping[Any, str]) -> QWidget:
        for key, said in choices.items():
            box.addItem(said, key)
        self._guard.guard(box)
        row = QWidget(self)
        name = RowName(title, takes_rest=True, parent=row)
        name.setToolTip(tooltip(words))
        name.clicked.connect(box.setFocus)
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(UNIT)
        line.addStrut(LINE)
        line.addWidget(name)
        line.addWidget(box)
        line.addSpacing(TARGET + UNIT)
        return row
