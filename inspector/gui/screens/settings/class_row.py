"""The row that has rules find classes of messages about which the file says nothing."""

import numpy as np
from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind
from inspector.assembly.message_marks import Mark
from inspector.gui.parts.labels import Hint
from inspector.gui.parts.parameter_row import LINE, TARGET
from inspector.gui.parts.row_parts import INDENT, RowName, Toggle
from inspector.gui.parts.texts import tooltip
from inspector.gui.theme import UNIT
from inspector.retrieval.emotion import WEAKNESSES
from inspector.retrieval.message_classes import RULES

OFF = "Only what the file marks is emotional, a key moment or filler."
READING = "The messages are being read."
HELP = "Where the file says nothing about a message: emotional weight by VADER, filler and key moments by rules"


class ClassRow(QWidget):
    """A switch with its outcome below. `classifier_chosen` carries a classifier of the scenario, or None."""

    classifier_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label, self.box = RowName("Classes by rules", takes_rest=True, parent=self), Toggle(self)
        self.label.setToolTip(tooltip(HELP))
        self.box.setObjectName("classify_box")
        self.box.setAccessibleName("Classify messages by rules")
        self.box.setToolTip(tooltip(HELP))
        self._found = Hint(self)
        self._found.setObjectName("classify_found")
        self._found.setContentsMargins(INDENT, 0, TARGET, UNIT)
        line = QHBoxLayout()
        line.setSpacing(UNIT)
        line.addStrut(LINE)
        line.addWidget(self.label)
        line.addWidget(self.box)
        line.addSpacing(TARGET + UNIT)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(line)
        column.addWidget(self._found)
        self.label.clicked.connect(self.box.click)
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
