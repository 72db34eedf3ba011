"""A row of controls that goes on in another line where there is no room for it in one."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QSpacerItem, QWidget, QWidgetItem

from inspector.gui.parts.labels import PlainLabel
from inspector.gui.theme import GAP, UNIT

WORDS = 24 * UNIT
"""The least width of a line of text that expands: a word or two."""
_Line = list[tuple[QLayoutItem, int]]


class WrappingRow(QLayout):
    """Items side by side, each as wide as it likes to be; the room that is left in a line goes to those that expand.

    An item begins another line where the one before has no room for it; a label goes there with its buddy. The row is
    as narrow as its widest item may be.
    """

    def __init__(self) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(GAP)

    def addStretch(self) -> None:
        """Room between what stands at the left and what stands at the right."""
        self.addItem(QSpacerItem(0, 0, QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum))

    def insertWidget(self, place: int, widget: QWidget) -> None:
        """Put a widget before the item of this place."""
        self.addChildWidget(widget)
        self._items.insert(place, QWidgetItem(widget))
        self.invalidate()

    def addItem(self, item: QLayoutItem) -> None:
        """Put one more at the end."""
        self._items.append(item)
        self.invalidate()

    def count(self) -> int:
        """How many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # type: ignore[override]
        """An item by its place, None where there is none, as Qt asks for."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # type: ignore[override]
        """Take an item out."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """It takes the width that there is where one of its items does, and no more height than it needs."""
        return Qt.Orientation.Horizontal if any(map(_expands, self._items)) else Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """The narrower, the higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of its lines in this width."""
        lines = self._lines(self._inside(QRect(0, 0, width, 0)).width())
        margins = self.contentsMargins()
        return sum(map(_line_height, lines)) + UNIT * max(len(lines) - 1, 0) + margins.top() + margins.bottom()

    def sizeHint(self) -> QSize:
        """All in one line."""
        lines = self._lines(None)
        width = sum(wanted for line in lines for _, wanted in line) + self.spacing() * max(len(self._shown()) - 1, 0)
        return self._with_margins(QSize(width, max(map(_line_height, lines), default=0)))

    def minimumSize(self) -> QSize:
        """The widest item in one line; how high it is then is asked for with the width."""
        least = [item.minimumSize() for item in self._shown()]
        width = max((size.width() for size in least), default=0)
        return self._with_margins(QSize(width, max((size.height() for size in least), default=0)))

    def setGeometry(self, rect: QRect) -> None:
        """Place the items, in the middle of the height of their line."""
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
        """The items by lines, each with the width that it has at least in a layout of this width (None: any)."""
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
        """The widths of a line's items, with what is left shared out among those that expand."""
        left = max(width - sum(wanted for _, wanted in line) - self.spacing() * (len(line) - 1), 0)
        expanding = sum(_expands(item) for item, _ in line)
        return [wanted + (left // expanding if _expands(item) else 0) for item, wanted in line]

    def _inside(self, rect: QRect) -> QRect:
        return rect.marginsRemoved(self.contentsMargins())

    def _with_margins(self, size: QSize) -> QSize:
        return size.grownBy(self.contentsMargins())


class WrappingPane(QWidget):
    """A pane with such rows in its layout, for splitters and scroll areas, which ask for no height by the width."""

    def minimumSizeHint(self) -> QSize:
        """As high as all lines are in the width that it has."""
        layout, least = self.layout(), super().minimumSizeHint()
        lines = layout.minimumHeightForWidth(self.width()) if layout is not None else 0
        return least.expandedTo(QSize(0, lines))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width may have other lines."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


def _wanted(item: QLayoutItem, width: int | None) -> int:
    """The least width of an item in a layout of this width (None: any)."""
    wanted = item.sizeHint().width()
    for most in (WORDS if _expands(item) else None, width):
        wanted = wanted if most is None else min(wanted, most)
    return max(wanted, item.minimumSize().width())


def _is_label_of(item: QLayoutItem, other: QLayoutItem) -> bool:
    label, field = item.widget(), other.widget()
    return isinstance(label, PlainLabel) and field is not None and label.buddy() is field


def _expands(item: QLayoutItem) -> bool:
    """Whether an item has a use for more room; one of fixed width has none, whatever its kind of widget would like."""
    is_fixed = item.minimumSize().width() == item.maximumSize().width()
    return not is_fixed and bool(item.expandingDirections() & Qt.Orientation.Horizontal)


def _height(item: QLayoutItem, width: int) -> int:
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()


def _line_height(line: _Line) -> int:
    return max((_height(item, width) for item, width in line), default=0)
