"""The scales of recorded scores: how those of each memory set are read, where a set has any."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QWidget

from inspector.assembly.score_scales import WORDS, has_scores
from inspector.gui.parts.choice_box import ChoiceBox, choice_box
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.low_window import LowWindow
from inspector.gui.parts.number_field import WheelGuard
from inspector.gui.parts.texts import one_line, tooltip
from inspector.gui.parts.wrapping_row import WrappingRow
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT
from inspector.model import MemorySet, ScoreScale

MOST_SETS = 8
"""The most sets with a list of their own."""
_LETTERS = 16
_LONGEST_NAME = 40
VERY_LOW = 520
"""Windows of fewer pixels of height have room for three rows of the table only without a list that tells nothing."""
_NAMES: Mapping[ScoreScale, str] = {"similarity": "similarities", "distance": "distances", "raw": "raw scores"}


class ScaleRows(QWidget):
    """A list for each memory set with recorded scores; hidden without any.

    In a very low window it is there only where a scale is chosen, or is not that of similarities.

    `chosen` carries the id of a set and its scale, None for the one that the set names or that its scores suggest.
    """

    chosen = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes: dict[str, ChoiceBox] = {}
        self._names: tuple[tuple[str, str], ...] = ()
        self._is_needed = self._is_telling = False
        self._low = LowWindow(self, VERY_LOW)
        self._low.changed.connect(self._show_needed)
        self._guard = WheelGuard(self)
        self._row = WrappingRow()
        self._row.setSpacing(UNIT)
        self._row.setContentsMargins(GAP, 0, PANEL_MARGIN, UNIT)
        self.setLayout(self._row)
        self.hide()

    def show_sets(self, sets: Sequence[MemorySet], choices: Mapping[str, ScoreScale]) -> None:
        """Show how the scores of these sets are read, and the `choices` of the scenario; nothing is emitted."""
        scored = [one for one in sets if one.score_scale is not None and has_scores(one)][:MOST_SETS]
        names = tuple((one.id, one.title or one.id) for one in scored)
        if names != self._names:
            self._offer(names)
        for one in scored:
            self._show_scale(self.boxes[one.id], one.score_scale, choices.get(one.id))
        self._is_needed = bool(scored)
        self._is_telling = bool(choices) or any(one.score_scale != "similarity" for one in scored)
        self._show_needed()

    def _show_needed(self) -> None:
        self.setVisible(self._is_needed and (self._is_telling or not self._low.is_low))

    def _show_scale(self, box: ChoiceBox, read_as: ScoreScale | None, choice: ScoreScale | None) -> None:
        with QSignalBlocker(box):
            box.setItemText(0, f"auto: {_NAMES[read_as]}" if choice is None and read_as else "automatically")
            box.setCurrentIndex(0 if choice is None else box.findData(choice))
        box.setToolTip(tooltip(f"Read as {WORDS[read_as]}" if read_as else ""))

    def _offer(self, names: tuple[tuple[str, str], ...]) -> None:
        """Make a list for each of these sets, in place of those before."""
        while (item := self._row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._names, self.boxes = names, {}
        for set_id, title in names:
            label, box = PlainLabel(f"Scores of {one_line(title, _LONGEST_NAME)}"), self._box(set_id, title)
            label.setBuddy(box)
            self._row.addWidget(label)
            self._row.addWidget(box)
            self.boxes[set_id] = box

    def _box(self, set_id: str, title: str) -> ChoiceBox:
        box = choice_box(f"score_scale:{set_id}", f"How the scores of {one_line(title)} are read", _LETTERS)
        box.addItem("automatically", None)
        for scale, name in _NAMES.items():
            box.addItem(name, scale)
            box.setItemData(box.count() - 1, tooltip(WORDS[scale]), Qt.ItemDataRole.ToolTipRole)
        self._guard.guard(box)
        box.activated.connect(lambda place: self.chosen.emit(set_id, box.itemData(place)))
        return box
