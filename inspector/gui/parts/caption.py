"""Captions: the labels of a panel that are not controls: headings, hints and complaints."""

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QTextLayout
from PySide6.QtWidgets import QWidget

from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.plain_text import tooltip
from inspector.gui.theme import give_font


def heading(text: str, parent: QWidget | None = None) -> PlainLabel:
    """The title of a group of controls."""
    label = PlainLabel(text, parent)
    give_font(label, "heading")
    return label


class Hint(PlainLabel):
    """A small muted sentence, or a complaint in the colour of errors; it takes no room while it has no text.

    One with `lines` has the room of so many lines at all times, so that nothing moves when it comes and goes; what
    does not fit them, its tooltip has.
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
        """Another font has other lines."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._lines:
            self._take_height()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the sentence; with an ellipsis at the end of the last line that there is room for."""
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
    """Let a control have its place also while it is hidden."""
    policy = control.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    control.setSizePolicy(policy)
