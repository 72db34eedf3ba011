"""Stacked pages, sized by the visible page rather than the largest."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QStackedLayout, QWidget


class Pages(QStackedLayout):
    """A stack of pages. Qt's own is as large as the largest page, so a small panel would scroll over empty room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(*filter(None, (parent,)))
        self.currentChanged.connect(lambda _: self.invalidate())

    def setCurrentIndex(self, index: int) -> None:
        """Turn to a page, which takes over the focus of the previous one.

        The focus is set as one that returns: Qt sets it without a reason, for which tables select their first row.
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
        """Return the preferred size of the page."""
        page = self.itemAt(self.currentIndex())
        return page.sizeHint() if page else QSize()

    def minimumSize(self) -> QSize:
        """Return the least size of the page."""
        page = self.itemAt(self.currentIndex())
        return page.minimumSize() if page else QSize()

    def hasHeightForWidth(self) -> bool:
        page = self.itemAt(self.currentIndex())
        return page is not None and page.hasHeightForWidth()

    def heightForWidth(self, width: int) -> int:
        page = self.itemAt(self.currentIndex())
        return page.heightForWidth(width) if page else -1


def _takes_keyboard(widget: QWidget) -> bool:
    return widget.isVisible() and widget.isEnabled() and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
