"""Labels: texts that can be read. Whatever a text holds, it is shown as it is, and never taken for HTML."""

from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from inspector.gui.parts.plain_text import tooltip
from inspector.gui.parts.visible_text import excerpt, figures_loose, figures_whole, one_line

WIDEST_MINIMUM = 400
"""Pixels: no text of a file makes the window wider than this asks for."""


class PlainLabel(QLabel):
    """The label of this program. It shows the beginning of a text, with unseen characters written out."""

    def __init__(self, text: str = "", parent: QWidget | None = None, **properties: Any) -> None:
        super().__init__(parent, **properties)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Show a text; `text()` then gives what is shown of it."""
        super().setText(figures_whole(excerpt(text)))

    def text(self) -> str:
        """What is shown, with plain spaces in its figures."""
        return figures_loose(super().text())

    def minimumSizeHint(self) -> QSize:
        """What the text needs, unless it is very wide."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), WIDEST_MINIMUM), hint.height())


class ElidedLabel(PlainLabel):
    """A line that gives way: where there is no room for all of it, it ends in an ellipsis.

    Its tooltip has the whole text. It stands at the right end of its place, unless `alignment` says otherwise.
    """

    def __init__(
        self,
        parent: QWidget | None = None,
        alignment: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
    ) -> None:
        super().__init__("", parent, alignment=alignment)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def say(self, text: str) -> None:
        """Show a sentence."""
        self.setText(one_line(text))
        self.setToolTip(tooltip(text))

    def minimumSizeHint(self) -> QSize:
        """No width at all is needed."""
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint as much of the text as there is room for."""
        room = self.contentsRect()
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        painter = QPainter(self)
        painter.drawText(room, self.alignment().value, shown)
