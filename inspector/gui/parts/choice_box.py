"""A list to choose one entry from, narrower than its longest entry."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox

from inspector.gui.parts.plain_text import tooltip


class _ElidedBox(QComboBox):
    """A box whose entry ends in an ellipsis where it has no room; by itself Qt cuts it off in a letter."""

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """What is painted: the entry as far as there is room for it."""
        super().initStyleOption(option)
        parts = QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        room = self.style().subControlRect(*parts).width()
        option.currentText = option.fontMetrics.elidedText(option.currentText, Qt.TextElideMode.ElideRight, room)


def choice_box(name: str, words: str, letters: int) -> QComboBox:
    """A box with room for so many letters, whatever its entries; opened, it shows them whole.

    `name` is what tests and style sheets find it by, `words` say what is chosen, in the tooltip and to a screen reader.
    """
    box = _ElidedBox()
    box.setObjectName(name)
    box.setAccessibleName(words)
    box.setToolTip(tooltip(words))
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(letters)
    return box
