"""Pages on top of each other that ask for the room of the one that is seen, and not for that of the largest."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QStackedLayout, QWidget


class Pages(QStackedLayout):
    """A stack of pages. Qt's own is as large as the largest page, so that a small panel scrolls what is not there."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(*filter(None, (parent,)))
        self.currentChanged.connect(lambda _: self.invalidate())

    def setCurrentIndex(self, index: int) -> None:
        """Turn to a page, which takes over the keyboard of the one before.

        It is given as one that comes back: Qt gives it without a reason, by which tables select their first row.
        """
        before, page, focused = self.currentWidget(), self.widget(index), QApplication.focusWidget()
        if before is page or not (before and page and focused and before.isAncestorOf(focused)):
            super().setCurrentIndex(index)
            return
        focused.clearFocus()
        super().setCurrentIndex(index)
        taker = next(filter(_takes_keyboard, (page, *page.findChildren(QWidget))), page)
        taker.setFocus(Qt.FocusReason.ActiveWindowFocusReason)

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


def _takes_keyboard(widget: QWidget) -> bool:
    return widget.isVisible() and widget.isEnabled() and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
