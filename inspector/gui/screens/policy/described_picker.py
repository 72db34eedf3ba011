"""A picker with a description of each choice: its popup is a table with a search line."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QComboBox, QWidget

from inspector.derived import cached_property
from inspector.gui.theme import UNIT

if TYPE_CHECKING:
    from inspector.gui.parts.choices import Choice
    from inspector.gui.parts.chooser import Chooser

WIDTH = 350 * UNIT


class DescribedPicker(QComboBox):
    """A combo box whose popup shows `describe` of each entry's data, with a column for each heading.

    A heading is a title, its width in digits (0 for the only column that takes the rest), and the least digits kept.
    """

    def __init__(
        self,
        words: str,
        headings: Sequence[tuple[str, int, int]],
        describe: "Callable[[str], Choice]",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._words, self._headings, self._describe = words, headings, describe

    @cached_property
    def chooser(self) -> "Chooser":
        """The popup, made when it is first opened."""
        from inspector.gui.parts.choice_model import ChoiceColumn
        from inspector.gui.parts.chooser import Chooser

        columns = [ChoiceColumn(title, digits, least=least) for title, digits, least in self._headings]
        chooser = Chooser(f"{self.objectName()}:chooser", self._words, columns, self.window(), headings=True)
        chooser.chosen.connect(lambda choice: self.setCurrentIndex(self.findData(choice.thing)))
        return chooser

    def showPopup(self) -> None:
        """Open the table, with the current choice marked."""
        data = [self.itemData(index) for index in range(self.count())]
        choices = [self._describe(name) for name in data if name is not None]
        corner = self.mapTo(self.window(), QPoint(0, self.height()))
        self.chooser.open_over(self.window(), QRect(corner.x(), corner.y() + 1, WIDTH, 0), choices)
        self.chooser.found.mark(self._describe(self.currentData()).key)

    def hidePopup(self) -> None:
        """Close the table, if it was ever open."""
        if "chooser" in self.__dict__:
            self.chooser.close()
