"""A button that opens a menu, with its arrow beside the words: Fusion draws it over their end."""

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QMenu, QStyle, QStyleOptionToolButton, QStylePainter, QToolButton, QWidget

from inspector.gui.parts.plain_text import control_text
from inspector.gui.theme import UNIT

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
