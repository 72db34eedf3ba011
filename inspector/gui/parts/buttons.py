"""Buttons: icons, menus, and switches between views."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QToolButton,
    QWidget,
)

from inspector.gui.icons import line_icon
from inspector.gui.parts.number_field import paint_ground
from inspector.gui.parts.policy_box import ARROW, paint_arrow
from inspector.gui.parts.texts import control_text, tooltip, words_of_control
from inspector.gui.parts.wrapping_row import WrappingRow
from inspector.gui.theme import UNIT, scaled, theme

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


class WordButton(QPushButton):
    """A button with an icon before its word."""

    def __init__(self, icon: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(control_text(text), parent)
        self._icon = icon
        self.setIcon(line_icon(icon))

    def changeEvent(self, event: QEvent) -> None:
        """Draw the icon in the colours of another theme."""
        if event.type() == QEvent.Type.PaletteChange:
            self.setIcon(line_icon(self._icon))
        super().changeEvent(event)


_BOX, _OFF = 28, 0.38


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
        wide = self.fontMetrics().horizontalAdvance(self.text()) + ARROW + 5 * UNIT
        return QSize(wide, max(scaled(_BOX), self.fontMetrics().height() + 2 * UNIT))

    def minimumSizeHint(self) -> QSize:
        """Return the full size: half a word would say nothing."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint it as a box to choose from: words at the left, the arrow at the right."""
        paint_ground(self, is_strong=True)
        painter, room = QPainter(self), self.rect().adjusted(2 * UNIT, 0, -ARROW - 2 * UNIT, 0)
        painter.setOpacity(1.0 if self.isEnabled() else _OFF)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, words_of_control(self.text()))
        paint_arrow(painter, self.rect())
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
            button = QToolButton(self)
            button.setText(control_text(text))
            button.setCheckable(True)
            button.setChecked(number == 0)
            button.setAccessibleName(names.format(text.lower()))
            button.setToolTip(tooltip(tips[number] if tips else ""))
            self._group.addButton(button, number)
            row.addWidget(button)
        self.setLayout(row)
        self._group.idToggled.connect(self._tell)
        self._colour()

    @property
    def current(self) -> int:
        """The number of the pressed button."""
        return self._group.checkedId()

    def choose(self, number: int) -> None:
        """Press a button."""
        self._group.button(number).setChecked(True)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_group"):
            self._colour()

    def _tell(self, number: int, pressed: bool) -> None:
        if pressed:
            self._colour()
            self.chosen.emit(number)

    def _colour(self) -> None:
        """Paint the chosen view in the accent colour: a pressed button alone is hard to see in the dark theme."""
        for button in self._group.buttons():
            palette = self.palette()
            if button.isChecked():
                palette.setColor(palette.ColorRole.Button, theme().accent_soft)
                palette.setColor(palette.ColorRole.ButtonText, theme().accent)
            button.setPalette(palette)
