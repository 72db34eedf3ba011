"""Lines that fold what is below them: a chevron, a title, and a few words at the right."""

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QEnterEvent, QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from inspector.gui.icons import line_icon
from inspector.gui.parts.texts import one_line
from inspector.gui.theme import RADIUS, UNIT, FontName, give_font, named_font, theme

HEIGHT = 26
_CHEVRON = 14
_LEFT = 10
_KEYS = {Qt.Key.Key_Right: True, Qt.Key.Key_Left: False}


class FoldLine(QAbstractButton):
    """A line that is checked while it is unfolded. Right and Left unfold and fold, Space and a click turn it."""

    def __init__(self, title: str, font: FontName = "name", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._words = title, ""
        self._font_name: FontName = font
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        give_font(self, "secondary")
        self._name()

    @property
    def words(self) -> str:
        """The words at the right."""
        return self._words

    def say(self, words: str) -> None:
        """Show these words at the right."""
        if words != self._words:
            self._words = one_line(words)
            self._name()
            self.update()

    def _name(self) -> None:
        self.setAccessibleName(f"{self._title}, {self._words}" if self._words else self._title)

    def sizeHint(self) -> QSize:
        return QSize(UNIT * 20, max(HEIGHT, QFontMetrics(named_font(self._font_name)).height() + 2 * UNIT))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        wanted = _KEYS.get(Qt.Key(event.key()))
        if wanted is None:
            super().keyPressEvent(event)
        elif wanted != self.isChecked():
            self.click()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look, inside = QPainter(self), theme(), self.rect()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.hover if self.underMouse() and self.isEnabled() else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(inside.adjusted(1, 1, -1, -1), RADIUS - 1, RADIUS - 1)
        icon = line_icon("chevron-down" if self.isChecked() else "chevron-right", _CHEVRON)
        middle = (self.height() - _CHEVRON) // 2
        icon.paint(painter, QRect(_LEFT, middle, _CHEVRON, _CHEVRON))
        painter.setFont(named_font(self._font_name))
        painter.setPen(look.text if self._font_name == "title" else look.second_text)
        left = _LEFT + _CHEVRON + UNIT
        title = inside.adjusted(left, 0, 0, 0)
        painter.drawText(title, Qt.AlignmentFlag.AlignVCenter, self._title)
        left += painter.fontMetrics().horizontalAdvance(self._title) + 2 * UNIT
        painter.setFont(self.font())
        painter.setPen(look.second_text)
        room = inside.adjusted(left, 0, -2 * UNIT, 0)
        shown = painter.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | self._side, shown)

    @property
    def _side(self) -> Qt.AlignmentFlag:
        return Qt.AlignmentFlag.AlignLeft if self._font_name == "title" else Qt.AlignmentFlag.AlignRight
