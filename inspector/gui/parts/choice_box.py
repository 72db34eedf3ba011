"""A drop-down list narrower than its longest entry."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox

from inspector.gui.parts.texts import tooltip


class ElidedBox(QComboBox):
    """A box whose entry ends in an ellipsis if it is too long; by itself, Qt cuts through a letter."""

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """Shorten the painted entry to the available room."""
        super().initStyleOption(option)
        parts = QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        room = self.style().subControlRect(*parts).width()
        option.currentText = option.fontMetrics.elidedText(option.currentText, Qt.TextElideMode.ElideRight, room)


def choice_box(name: str, words: str, letters: int) -> QComboBox:
    """Return a box with room for this many letters, whatever its entries; when open, it shows them whole.

    `name` identifies it for tests and style sheets; `words` describe it in the tooltip and for screen readers.
    """
    box = ElidedBox()
    box.setObjectName(name)
    box.setAccessibleName(words)
    box.setToolTip(tooltip(words))
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(letters)
    return box
