"""A banner: an important sentence, with a mark for its severity, Details and a close button."""

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from inspector.gui.palettes import blended
from inspector.gui.parts.buttons import IconButton
from inspector.gui.parts.labels import ElidedLabel
from inspector.gui.parts.signs import paint_severity, severity_color
from inspector.gui.parts.texts import tooltip
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT, theme
from inspector.model import Severity

_MARK = 4 * UNIT
_STRENGTH = 0.14
"""The share of the severity's colour in the ground of a banner."""


class Banner(QWidget):
    """A line of constant height, whatever it says. The close button emits `closed`."""

    details_requested = Signal()
    repair_requested = Signal()
    columns_requested = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self._severity: Severity = "error"
        self._sentence = ElidedLabel(alignment=Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._details = QPushButton("Details")
        self._details.setObjectName("banner:details")
        self._details.setAccessibleName("Details: go to the list of problems")
        self._repair = QPushButton("Repair")
        self._repair.setObjectName("banner:repair")
        self._repair.setAccessibleName("Repair: read the broken files, guessing the missing parts")
        self._repair.setToolTip(
            tooltip("Reads the broken files, guessing the missing parts. The files stay as they are.")
        )
        self._repair.clicked.connect(lambda _: self.repair_requested.emit())
        self._repair.hide()
        self._columns = QPushButton("Columns…")
        self._columns.setObjectName("banner:columns")
        self._columns.setAccessibleName("Columns: explain the columns of the table")
        self._columns.setToolTip(tooltip("Explain the columns of the table, and open it."))
        self._columns.clicked.connect(lambda _: self.columns_requested.emit())
        self._columns.hide()
        self._close = IconButton("x", "Close this message")
        self._close.setObjectName("banner:close")
        self._details.clicked.connect(lambda _: self.details_requested.emit())
        self._close.clicked.connect(lambda _: self.closed.emit())
        layout = QHBoxLayout(self)
        layout.setContentsMargins(PANEL_MARGIN + _MARK + PANEL_MARGIN, UNIT, PANEL_MARGIN, UNIT)
        layout.setSpacing(GAP)
        layout.addWidget(self._sentence, 1)
        layout.addWidget(self._repair)
        layout.addWidget(self._columns)
        layout.addWidget(self._details)
        layout.addWidget(self._close)

    @property
    def sentence(self) -> str:
        """The current sentence."""
        return self._sentence.text()

    def say(
        self, sentence: str, severity: Severity, repairable: bool = False, is_table: bool = False, listed: bool = True
    ) -> None:
        """Replace the sentence, and offer its remedies and the list that contains it."""
        self._severity = severity
        self._details.setVisible(listed)
        self._repair.setVisible(repairable)
        self._columns.setVisible(is_table)
        self._sentence.say(sentence)
        self.setAccessibleName(f"{severity}: {self.sentence}")
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground in a light tint of the severity's colour, and its mark."""
        color, current = severity_color(self._severity), theme()
        painter = QPainter(self)
        painter.fillRect(self.rect(), blended(color, current.window, _STRENGTH))
        painter.fillRect(0, self.height() - 1, self.width(), 1, blended(color, current.window, 0.5))
        top = (self.height() - _MARK) / 2
        paint_severity(painter, QRectF(PANEL_MARGIN, top, _MARK, _MARK), self._severity)
        painter.end()
