"""Pages on top of each other that ask for the room of the one that is seen, and not for that of the largest."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedLayout, QWidget


class Pages(QStackedLayout):
    """A stack of pages. Qt's own is as large as the largest page, so that a small panel scrolls what is not there."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(*filter(None, (parent,)))
        self.currentChanged.connect(lambda _: self.invalidate())

    def sizeHint(self) -> QSize:
        """What the page would like to have."""
        page = self.itemAt(self.currentIndex())
        return page.sizeHint() if page else QSize()

    def minimumSize(self) -> QSize:
        """The least that the page needs."""
        page = self.itemAt(self.currentIndex())
        return page.minimumSize() if page else QSize()

    def hasHeightForWidth(self) -> bool:
        """Whether the page is the higher, the narrower it is."""
        page = self.itemAt(self.currentIndex())
        return page is not None and page.hasHeightForWidth()

    def heightForWidth(self, width: int) -> int:
        """The height of the page in this width."""
        page = self.itemAt(self.currentIndex())
        return page.heightForWidth(width) if page else -1
