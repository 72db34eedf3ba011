"""The classes of messages: a switch for the rules that fill gaps in the file, with their findings and limits."""

import numpy as np
from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind
from inspector.assembly.message_marks import Mark
from inspector.gui.parts.caption import Hint, heading
from inspector.gui.parts.plain_text import tooltip
from inspector.gui.theme import UNIT
from inspector.retrieval.emotion import WEAKNESSES
from inspector.retrieval.message_classes import RULES

OFF = "Only what the file marks is emotional, a key moment or filler."
READING = "The messages are being read."
HELP = "Where the file says nothing about a message: emotional weight by VADER, filler and key moments by rules"


class ClassBox(QWidget):
    """A check box with its outcome below. `classifier_chosen` carries a classifier of the scenario, or None."""

    classifier_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = QCheckBox("Fill in by rules")
        self.box.setObjectName("classify_box")
        self.box.setAccessibleName("Classify messages by rules")
        self.box.setToolTip(tooltip(HELP))
        self._found = Hint(self)
        self._found.setObjectName("classify_found")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2 * UNIT, 0, 0)
        column.setSpacing(UNIT)
        title = heading("Classes of messages")
        title.setWordWrap(True)
        column.addWidget(title)
        column.addWidget(self.box)
        column.addWidget(self._found)
        self.box.toggled.connect(lambda checked: self.classifier_chosen.emit(RULES if checked else None))

    def show_classes(self, classifier: str | None, candidates: Candidates | None) -> None:
        """Show whether messages are classified, and the classes found in the candidates; nothing is emitted."""
        with QSignalBlocker(self.box):
            self.box.setChecked(classifier is not None)
        self._found.say(OFF if classifier is None else found_sentence(candidates))


def found_sentence(candidates: Candidates | None) -> str:
    """Return what the rules found in the messages, and how far to trust it."""
    if candidates is None or not candidates.marks.any_computed:
        return READING if candidates is not None and len(candidates.rows(Kind.MESSAGE)) else ""
    marks = candidates.marks
    read = (marks.computed & (Mark.KEY_MOMENT | Mark.FILLER)) > 0
    weights = int(((marks.computed & Mark.EMOTIONAL_WEIGHT) > 0).sum())
    unread = int((read & np.isnan(marks.emotional_weight)).sum())
    moments = int((marks.key_moment & ((marks.computed & Mark.KEY_MOMENT) > 0)).sum())
    fillers = int((marks.filler & ((marks.computed & Mark.FILLER) > 0)).sum())
    found = f"Found: emotional weights {weights:,}, key moments {moments:,}, fillers {fillers:,}."
    none = f" Without a weight, because not English or too short to tell: {unread:,}." if unread else ""
    return f"{found}{none} Weights are VADER's: {WEAKNESSES}"
