"""A list to choose one entry from, narrower than its longest entry."""

from PySide6.QtWidgets import QComboBox, QStyle, QWidget

from inspector.gui.parts.plain_text import tooltip


class ChoiceBox(QComboBox):
    """A box with room for so many letters, whatever its entries; opened, it shows them whole.

    `name` is what tests and style sheets find it by, `words` say what is chosen, in the tooltip and to a screen reader.
    """

    def __init__(self, name: str, words: str, letters: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(words)
        self.setToolTip(tooltip(words))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(letters)

    def showPopup(self) -> None:
        """Open the list, as wide as its entries."""
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent, None, self)
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + bar)
        super().showPopup()
