"""A row of controls that continues on another line if necessary."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QSpacerItem, QWidget, QWidgetItem

from inspector.gui.parts.labels import PlainLabel
from inspector.gui.theme import GAP, UNIT

WORDS = 24 * UNIT
"""The least width of an expanding text field: a word or two."""
_Line = list[tuple[QLayoutItem, int]]


class WrappingRow(QLayout):
    """Items side by side, each with its preferred width; the rest of a line goes to expanding items.

    An item that does not fit behind the previous one begins another line, together with its label. The least width is
    that of the widest item.
    """

    def __init__(self) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(GAP)

    def addStretch(self) -> None:
        """Add expanding room between the items at the left and those at the right."""
        self.addItem(QSpacerItem(0, 0, QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum))

    def insertWidget(self, place: int, widget: QWidget) -> None:
        """Insert a widget before the item at this place."""
        self.addChildWidget(widget)
        self._items.insert(place, QWidgetItem(widget))
        self.invalidate()

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)
        self.invalidate()

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # type: ignore[override]
        """Return the item at a place, or None, as Qt expects."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # type: ignore[override]
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """Return horizontal if any item expands; the height never does."""
        return Qt.Orientation.Horizontal if any(map(_expands, self._items)) else Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        lines = self._lines(self._inside(QRect(0, 0, width, 0)).width())
        margins = self.contentsMargins()
        return sum(map(_line_height, lines)) + UNIT * max(len(lines) - 1, 0) + margins.top() + margins.bottom()

    def sizeHint(self) -> QSize:
        """Return the size with all items on one line."""
        lines = self._lines(None)
        width = sum(wanted for line in lines for _, wanted in line) + self.spacing() * max(len(self._shown()) - 1, 0)
        return self._with_margins(QSize(width, max(map(_line_height, lines), default=0)))

    def minimumSize(self) -> QSize:
        """Return the least width, that of the widest item; the height depends on the actual width."""
        least = [item.minimumSize() for item in self._shown()]
        width = max((size.width() for size in least), default=0)
        return self._with_margins(QSize(width, max((size.height() for size in least), default=0)))

    def setGeometry(self, rect: QRect) -> None:
        """Place the items, centred vertically in their line."""
        super().setGeometry(rect)
        inside = self._inside(rect)
        top = inside.top()
        for line in self._lines(inside.width()):
            height, left = _line_height(line), inside.left()
            for item, width in zip((item for item, _ in line), self._widths(line, inside.width()), strict=True):
                high = min(_height(item, width), height)
                item.setGeometry(QRect(left, top + (height - high) // 2, width, high))
                left += width + self.spacing()
            top += height + UNIT

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty() or item.spacerItem() is not None]

    def _lines(self, width: int | None) -> list[_Line]:
        """Return the items by line, each with its least width in a layout of this width (None: any)."""
        lines: list[_Line] = []
        left = 0
        items = [(item, _wanted(item, width)) for item in self._shown()]
        for number, (item, wanted) in enumerate(items, 1):
            buddies = (beside for other, beside in items[number : number + 1] if _is_label_of(item, other))
            needed = wanted + sum(self.spacing() + beside for beside in buddies)
            if not lines or (width is not None and left < needed):
                lines.append([])
                left = width or 0
            lines[-1].append((item, wanted))
            left -= wanted + self.spacing()
        return lines

    def _widths(self, line: _Line, width: int) -> list[int]:
        """Return the widths of a line's items, with the rest shared among expanding ones."""
        left = max(width - sum(wanted for _, wanted in line) - self.spacing() * (len(line) - 1), 0)
        expanding = sum(_expands(item) for item, _ in line)
        return [wanted + (left // expanding if _expands(item) else 0) for item, wanted in line]

    def _inside(self, rect: QRect) -> QRect:
        return rect.marginsRemoved(self.contentsMargins())

    def _with_margins(self, size: QSize) -> QSize:
        return size.grownBy(self.contentsMargins())


class WrappingPane(QWidget):
    """A pane with such rows in its layout, for splitters and scroll areas, which ignore width-dependent heights."""

    def minimumSizeHint(self) -> QSize:
        """Return the height of all lines at the current width."""
        layout, least = self.layout(), super().minimumSizeHint()
        lines = layout.minimumHeightForWidth(self.width()) if layout is not None else 0
        return least.expandedTo(QSize(0, lines))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Update the height, since another width may have other lines."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


def _wanted(item: QLayoutItem, width: int | None) -> int:
    """Return the least width of an item in a layout of this width (None: any)."""
    wanted = item.sizeHint().width()
    for most in (WORDS if _expands(item) else None, width):
        wanted = wanted if most is None else min(wanted, most)
    return max(wanted, item.minimumSize().width())


def _is_label_of(item: QLayoutItem, other: QLayoutItem) -> bool:
    label, field = item.widget(), other.widget()
    return isinstance(label, PlainLabel) and field is not None and label.buddy() is field


def _expands(item: QLayoutItem) -> bool:
    """Return whether an item can use more room; an item of fixed width cannot, whatever its widget's policy."""
    is_fixed = item.minimumSize().width() == item.maximumSize().width()
    return not is_fixed and bool(item.expandingDirections() & Qt.Orientation.Horizontal)


def _height(item: QLayoutItem, width: int) -> int:
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()


def _line_height(line: _Line) -> int:
    return max((_height(item, width) for item, width in line), default=0)
