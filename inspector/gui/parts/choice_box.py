"""A list to choose one entry from, narrower than its longest entry."""

from PySide6.QtWidgets import QComboBox

from inspector.gui.parts.plain_text import tooltip


def choice_box(name: str, words: str, letters: int) -> QComboBox:
    """A box with room for so many letters, whatever its entries; opened, it shows them whole.

    `name` is what tests and style sheets find it by, `words` say what is chosen, in the tooltip and to a screen reader.
    """
    box = QComboBox()
    box.setObjectName(name)
    box.setAccessibleName(words)
    box.setToolTip(tooltip(words))
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(letters)
    return box
