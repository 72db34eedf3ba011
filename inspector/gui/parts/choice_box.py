"""A drop-down list narrower than its longest entry."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyleOptionComboBox

from inspector.gui.parts.number_field import WheelGuard, paint_ground
from inspector.gui.parts.policy_box import ARROW, paint_arrow
from inspector.gui.parts.texts import tooltip
from inspector.gui.theme import UNIT, scaled

HEIGHT, OFF = 28, 0.38


class ElidedBox(QComboBox):
    """A box in the look of the pickers, whose entry ends in an ellipsis if it is too long; Qt cuts through a letter."""

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), max(scaled(HEIGHT), self.fontMetrics().height() + 2 * UNIT))

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """Shorten the painted entry to the room before the arrow."""
        super().initStyleOption(option)
        text = self.currentText() or self.placeholderText()
        room = self._room.width()
        option.currentText = option.fontMetrics.elidedText(text, Qt.TextElideMode.ElideRight, room)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground, the entry as far as there is room, and the arrow."""
        paint_ground(self, is_strong=True)
        painter, option = QPainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.setOpacity(1.0 if self.isEnabled() else OFF)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self._room, Qt.AlignmentFlag.AlignVCenter, option.currentText)
        paint_arrow(painter, self.rect())
        painter.end()

    @property
    def _room(self) -> QRect:
        """The room for the entry, before the arrow."""
        return self.rect().adjusted(2 * UNIT, 0, -ARROW - 2 * UNIT, 0)


def choice_box(name: str, words: str, letters: int) -> QComboBox:
    """Return a box with room for this many letters, whatever its entries; when open, it shows them whole.

    `name` identifies it for tests and style sheets; `words` describe it in the tooltip and for screen readers. The
    wheel scrolls the page, and never chooses.
    """
    box = ElidedBox()
    box.setObjectName(name)
    box.setAccessibleName(words)
    box.setToolTip(tooltip(words))
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(letters)
    WheelGuard(box).guard(box)
    return box
