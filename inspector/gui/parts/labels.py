"""Labels: every text is shown literally, and never interpreted as HTML."""

from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from inspector.gui.parts.plain_text import tooltip
from inspector.gui.parts.visible_text import excerpt, figures_loose, figures_whole, one_line

WIDEST_MINIMUM = 400
"""In pixels. No text of a file forces the window to be wider."""


class PlainLabel(QLabel):
    """The label of this program. It shows the beginning of a text, with invisible characters written out."""

    def __init__(self, text: str = "", parent: QWidget | None = None, **properties: Any) -> None:
        super().__init__(parent, **properties)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Show a text; `text()` then returns its visible form."""
        super().setText(figures_whole(excerpt(text)))

    def text(self) -> str:
        """Return the visible text, with plain spaces in its figures."""
        return figures_loose(super().text())

    def minimumSizeHint(self) -> QSize:
        """Return the size needed by the text, with a limited width."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), WIDEST_MINIMUM), hint.height())


class ElidedLabel(PlainLabel):
    """A line that shrinks: where it is too long, it ends in an ellipsis.

    Its tooltip has the whole text. It is right-aligned, unless `alignment` differs.
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
        """Return a minimum without any width."""
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        room = self.contentsRect()
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        painter = QPainter(self)
        painter.drawText(room, self.alignment().value, shown)
