"""Buttons: icons, menus, and switches between views."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QStyle,
    QStyleOptionButton,
    QStyleOptionToolButton,
    QStylePainter,
    QToolButton,
    QWidget,
)

from inspector.gui.icons import drawn_icon, line_icon
from inspector.gui.parts.texts import control_text, tooltip, words_of_control
from inspector.gui.parts.wrapping_row import WrappingRow
from inspector.gui.theme import OFF_OPACITY, RADIUS, UNIT, scaled, theme

SIZE = 20


class IconButton(QToolButton):
    """An icon with a name for screen readers; a `quiet` button is invisible while disabled."""

    def __init__(self, icon: str, words: str, quiet: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon, self._quiet = icon, quiet
        self.setAutoRaise(True)
        self.setFixedSize(SIZE, SIZE)
        self.setIconSize(QSize(14, 14))
        self.say(words)
        self._draw()

    def say(self, words: str) -> None:
        """Set the button's description, as tooltip and accessible name."""
        self.setToolTip(tooltip(words))
        self.setAccessibleName(words)

    def show_icon(self, icon: str) -> None:
        """Show another icon."""
        if icon != self._icon:
            self._icon = icon
            self._draw()

    def _draw(self) -> None:
        self.setIcon(line_icon(self._icon, 14, self._quiet))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()
        super().changeEvent(event)


_WORD_ICON, _WORD_GAP = 16, 6


class WordButton(QPushButton):
    """A button with an icon before its word, with a gap between them that Qt's own buttons lack."""

    def __init__(self, icon: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(control_text(text), parent)
        self._icon = icon

    def sizeHint(self) -> QSize:
        """Return room for icon, gap and word."""
        return super().sizeHint() + QSize(scaled(_WORD_ICON) + self._gap, 0)

    def minimumSizeHint(self) -> QSize:
        """Return the full size: half a word would say nothing."""
        return self.sizeHint()

    @property
    def _gap(self) -> int:
        return _WORD_GAP if self.text() else 0

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the button, then icon and word in its middle."""
        painter, option, side = QStylePainter(self), QStyleOptionButton(), scaled(_WORD_ICON)
        self.initStyleOption(option)
        words, option.text = option.text, ""
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        ink = theme().text if self.isEnabled() else theme().muted_text
        width = self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, words).width()
        left = (self.width() - side - self._gap - width) // 2
        painter.drawPixmap(QPointF(left, (self.height() - side) / 2), drawn_icon(self._icon, side, ink))
        painter.setPen(ink)
        room = self.rect().adjusted(left + side + self._gap, 0, 0, 0)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextShowMnemonic, words)
        painter.end()


_ARROW = 2 * UNIT
"""The side of the square around the arrow."""


class MenuButton(QToolButton):
    """Words and an arrow; a press opens the `menu`."""

    def __init__(self, name: str, words: str, menu: QMenu | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setText(control_text(words))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        if menu is not None:
            self.setMenu(menu)

    def sizeHint(self) -> QSize:
        """Return room for words and arrow side by side."""
        return super().sizeHint() + QSize(_ARROW + UNIT, 0)

    def minimumSizeHint(self) -> QSize:
        """Return the full size: half a word would say nothing."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the usual button without its arrow, then words at the left and the arrow at the right."""
        painter, option = QStylePainter(self), QStyleOptionToolButton()
        self.initStyleOption(option)
        words, option.text = option.text, ""
        option.features &= ~QStyleOptionToolButton.ToolButtonFeature.HasMenu
        painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)
        whole = self.rect()
        option.text = words
        option.rect = whole.adjusted(0, 0, -_ARROW - UNIT, 0)
        painter.drawControl(QStyle.ControlElement.CE_ToolButtonLabel, option)
        top = (whole.height() - _ARROW) // 2
        option.rect = QRect(whole.right() - _ARROW - UNIT, top, _ARROW, _ARROW)
        painter.drawPrimitive(QStyle.PrimitiveElement.PE_IndicatorArrowDown, option)
        painter.end()


_SEGMENT, _SEGMENT_PADDING = 28, 10


class _Segment(QToolButton):
    """A view to choose: its word in the accent on a soft ground while it is chosen."""

    def sizeHint(self) -> QSize:
        """Return room for the word."""
        width = self.fontMetrics().horizontalAdvance(words_of_control(self.text()))
        return QSize(width + 2 * scaled(_SEGMENT_PADDING), scaled(_SEGMENT))

    def minimumSizeHint(self) -> QSize:
        """Return the full size: half a word would say nothing."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look = QPainter(self), theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isChecked() or (self.underMouse() and self.isEnabled()):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.accent_soft if self.isChecked() else look.hover)
            painter.drawRoundedRect(QRectF(self.rect()), RADIUS, RADIUS)
        painter.setOpacity(1.0 if self.isEnabled() else OFF_OPACITY)
        painter.setPen(look.accent if self.isChecked() else look.second_text)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, words_of_control(self.text()))
        painter.end()


class ViewSwitch(QWidget):
    """Buttons side by side, at first with the first one pressed. `chosen(number)` carries a newly pressed button.

    `names` is the pattern of the accessible names, with {} for a button's text; `tips` are the tooltips. With `wraps`,
    the row continues on another line if necessary.
    """

    chosen = Signal(int)

    def __init__(
        self,
        texts: Sequence[str],
        names: str,
        parent: QWidget | None = None,
        tips: Sequence[str] = (),
        wraps: bool = False,
    ) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        row = WrappingRow() if wraps else QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for number, text in enumerate(texts):
            button = _Segment(self)
            button.setText(control_text(text))
            button.setCheckable(True)
            button.setChecked(number == 0)
            button.setAccessibleName(names.format(text.lower()))
            button.setToolTip(tooltip(tips[number] if tips else ""))
            self._group.addButton(button, number)
            row.addWidget(button)
        self.setLayout(row)
        self._group.idToggled.connect(self._tell)

    @property
    def current(self) -> int:
        """The number of the pressed button."""
        return self._group.checkedId()

    def choose(self, number: int) -> None:
        """Press a button."""
        self._group.button(number).setChecked(True)

    def _tell(self, number: int, pressed: bool) -> None:
        if pressed:
            self.chosen.emit(number)
