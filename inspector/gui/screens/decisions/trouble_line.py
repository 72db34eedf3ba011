"""The reason why there is no new picture: a sentence over the first rows of the last good picture, which is kept."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QTableView

from inspector.gui.parts.labels import PlainLabel
from inspector.gui.theme import PANEL_MARGIN, UNIT, theme


class TroubleLine(PlainLabel):
    """A sentence in the colour of errors at the top of a table, as wide as the table; hidden without a sentence."""

    def __init__(self, table: QTableView) -> None:
        super().__init__("", table.viewport())
        self._table = table
        self.setWordWrap(True)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setForegroundRole(QPalette.ColorRole.BrightText)
        self.setMargin(2 * UNIT)
        self.hide()
        table.viewport().installEventFilter(self)

    def say(self, sentence: str) -> None:
        """Show a sentence, or hide the line for ""."""
        self.setText(sentence)
        self._place()
        self.setVisible(bool(sentence))

    def _place(self) -> None:
        width = self._table.viewport().width() - 2 * PANEL_MARGIN
        self.setGeometry(PANEL_MARGIN, UNIT, width, self.heightForWidth(width))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the width of the table."""
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self._place()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setPen(theme().error)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
