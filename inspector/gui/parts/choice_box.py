"""A drop-down list in the look of the window, also narrower than its longest entry."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QWidget

from inspector.gui.parts.number_field import paint_ground
from inspector.gui.parts.policy_box import ARROW, paint_arrow
from inspector.gui.parts.texts import one_line, tooltip
from inspector.gui.theme import OFF_OPACITY, UNIT, scaled, theme

_HEIGHT = 28


class ChoiceBox(QComboBox):
    """A box that paints itself; an entry too long for it ends in an ellipsis."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def sizeHint(self) -> QSize:
        """Return the width for the entries, and the height of a field."""
        return QSize(super().sizeHint().width() + 2 * UNIT, self._height)

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self._height)

    @property
    def shown_text(self) -> str:
        """The entry as it is painted."""
        metrics, room = QFontMetrics(self.font()), self.width() - 5 * UNIT - ARROW
        return metrics.elidedText(one_line(self.currentText()), Qt.TextElideMode.ElideRight, room)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground, the chosen entry and the arrow."""
        paint_ground(self, is_strong=True)
        painter, look = QPainter(self), theme()
        painter.setOpacity(1.0 if self.isEnabled() else OFF_OPACITY)
        paint_arrow(painter, self.rect())
        painter.setPen(look.text)
        room = self.rect().adjusted(2 * UNIT, 0, -ARROW - 2 * UNIT, 0)
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self.shown_text)
        painter.end()

    @property
    def _height(self) -> int:
        return max(scaled(_HEIGHT), self.fontMetrics().height() + 2 * UNIT)


def choice_box(name: str, words: str, letters: int) -> ChoiceBox:
    """Return a box with room for this many letters, whatever its entries; when open, it shows them whole.

    `name` identifies it for tests and style sheets; `words` describe it in the tooltip and for screen readers.
    """
    box = ChoiceBox()
    box.setObjectName(name)
    box.setAccessibleName(words)
    box.setToolTip(tooltip(words))
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(letters)
    return box
