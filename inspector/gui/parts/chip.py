"""A chip: a word, perhaps with a number, that can be on or off."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from inspector.gui.parts.texts import control_text, words_of_control
from inspector.gui.theme import OFF_OPACITY, UNIT, give_font, named_font, scaled, theme

_HEIGHT, _PADDING = 24, 10


class Chip(QAbstractButton):
    """A rounded word in the accent while it is on."""

    def __init__(self, name: str, text: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setCheckable(True)
        self.setAccessibleName(words)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        give_font(self, "secondary")
        self.say(text)

    def say(self, text: str) -> None:
        """Show another text."""
        if control_text(text) != self.text():
            self.setText(control_text(text))
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return room for the text."""
        width = QFontMetrics(named_font("secondary")).horizontalAdvance(words_of_control(self.text()))
        return QSize(width + 2 * scaled(_PADDING), scaled(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground, the text and the ring of the focus."""
        painter, look = QPainter(self), theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.isEnabled():
            painter.setOpacity(OFF_OPACITY)
        place = self.rect().toRectF().adjusted(1, 1, -1, -1)
        edge = look.accent if self.hasFocus() else look.outline if self.underMouse() else Qt.PenStyle.NoPen
        painter.setPen(edge)
        painter.setBrush(look.accent_soft if self.isChecked() else look.hover)
        painter.drawRoundedRect(place, place.height() / 2, place.height() / 2)
        painter.setPen(look.accent if self.isChecked() else look.second_text)
        room = self.width() - 2 * scaled(_PADDING) + 2
        text = painter.fontMetrics().elidedText(words_of_control(self.text()), Qt.TextElideMode.ElideRight, room)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, text)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()


class ElidedChip(Chip):
    """A chip with a long text, elided where there is little room."""

    def __init__(self, name: str, text: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(name, text, words, parent)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)  # a button of Qt never shrinks

    def minimumSizeHint(self) -> QSize:
        """Return little room."""
        return QSize(12 * UNIT, super().minimumSizeHint().height())
