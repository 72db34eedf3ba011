"""A page as high as its text, for a column that scrolls as a whole."""

import math

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QColor, QResizeEvent, QTextOption, QWheelEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from inspector.gui.parts.page import PageView
from inspector.gui.theme import theme

_LONGEST_WORD = 20
_ANYWHERE = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere


class GrowingPage(PageView):
    """A page without a frame or scroll bars, as high as its text at the current width."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)

    def show_page(self, html: str, ink: QColor | None = None) -> None:
        """Show a page in an ink, that of text by default; without a page, take no room."""
        super().show_page(f'<body style="color:{(ink or theme().text).name()};">{html}</body>')
        # With WordWrap no column of a table is narrower than its longest word; ids may be of any length.
        longest = max(map(len, self.toPlainText().split()), default=0)
        mode = QTextOption.WrapMode.WordWrap if longest <= _LONGEST_WORD else _ANYWHERE
        if mode != self.wordWrapMode():
            self.setWordWrapMode(mode)
        self.setVisible(bool(html))
        self._grow()

    def height_at(self, width: int) -> int:
        """Return the height of the page at this width."""
        document = self.document()
        if document.textWidth() != width:
            document.setTextWidth(width)
        return math.ceil(document.size().height()) if not self.isHidden() else 0

    def minimumSizeHint(self) -> QSize:
        """Return no room: the height is fixed as soon as the width is known."""
        return QSize(0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._grow()
        self.verticalScrollBar().setRange(0, 0)  # Qt keeps the range of another height

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._grow()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the column."""
        event.ignore()

    def _grow(self) -> None:
        self.setFixedHeight(max(1, self.height_at(self.viewport().width())))
