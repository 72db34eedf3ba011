"""Captions: the labels of a panel other than controls: headings, hints and complaints."""

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QTextLayout
from PySide6.QtWidgets import QWidget

from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.plain_text import tooltip
from inspector.gui.theme import give_font


def heading(text: str, parent: QWidget | None = None) -> PlainLabel:
    """Return the title of a group of controls."""
    label = PlainLabel(text, parent)
    give_font(label, "heading")
    return label


class Hint(PlainLabel):
    """A small muted sentence, or a complaint in the error colour; it takes no room while empty.

    With `lines`, it always has room for this many lines, so that nothing moves when it comes and goes; longer text is
    in its tooltip.
    """

    def __init__(self, parent: QWidget | None = None, complaint: bool = False, lines: int = 0) -> None:
        super().__init__("", parent)
        self._said = ""
        self._lines = lines
        give_font(self, "small")
        self.setWordWrap(True)
        self.setForegroundRole(QPalette.ColorRole.BrightText if complaint else QPalette.ColorRole.PlaceholderText)
        if lines:
            keep_room(self)
            self._take_height()
        self.hide()

    def say(self, text: str) -> None:
        """Show a sentence, or nothing."""
        if text != self._said:
            self._said = text
            self.setText(text)
            self.setAccessibleName(self.text())
            if self._lines:
                self.setToolTip(tooltip(text))
        if bool(text) == self.isHidden():
            self.setVisible(bool(text))

    def _take_height(self) -> None:
        self.setFixedHeight(self._lines * self.fontMetrics().lineSpacing())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._lines:
            self._take_height()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the sentence, with an ellipsis at the end of the last line that fits."""
        if not self._lines:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        layout = QTextLayout(self.text().replace("\n", " "), self.font())
        layout.beginLayout()
        for number in range(self._lines):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(self.width())
            rest = layout.text()[line.textStart() :]
            is_last = number == self._lines - 1
            shown = self.fontMetrics().elidedText(rest, Qt.TextElideMode.ElideRight, self.width())
            text = shown if is_last else rest[: line.textLength()]
            place = QRect(0, number * self.fontMetrics().lineSpacing(), self.width(), self.fontMetrics().height())
            painter.drawText(place, int(self.alignment()) & ~int(Qt.AlignmentFlag.AlignVertical_Mask), text.rstrip())
        layout.endLayout()


def keep_room(control: QWidget) -> None:
    """Keep the place of a control even while it is hidden."""
    policy = control.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    control.setSizePolicy(policy)
