"""The columns of the window: sources and settings, the pages in the middle, and the answer about a selection."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from inspector.gui.parts.buttons import IconButton
from inspector.gui.parts.hairlines import Hairlines
from inspector.gui.remembered.layout import Column
from inspector.gui.theme import scaled, theme

NARROW = 1_100
"""Below this width the left column is a rail, and the right column lies below the pages."""
SMALL = 1_440
"""Below this width columns are a little narrower."""
LEFT, LEFT_SMALL, LEFT_LEAST, RAIL = 320, 288, 240, 44
RIGHT, RIGHT_SMALL, RIGHT_LEAST = 404, 352, 260
MIDDLE_LEAST = 360
BELOW = 0.45
"""The share of the height that the right column has below the pages."""


class Side(QWidget):
    """The left column: parts below each other, with a hairline above all but the first. `stretching` take the rest."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAutoFillBackground(True)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 1, 0)
        self._rows.setSpacing(0)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paint a hairline at the right, which is the edge where it lies over the pages."""
        QPainter(self).fillRect(self.width() - 1, 0, 1, self.height(), theme().border)

    def add(self, part: QWidget, stretches: bool) -> None:
        """Add a part at the bottom."""
        if self._rows.count():
            self._rows.addWidget(_Line(self))
        self._rows.addWidget(part, 1 if stretches else 0)


class _Line(QWidget):
    """A hairline between regions."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedHeight(1)

    def paintEvent(self, _: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().border)


class Rail(QWidget):
    """The left column while it is closed: an icon for each of its parts. `chosen(name)` asks to open it."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAutoFillBackground(True)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(6, 8, 6, 8)
        self._rows.setSpacing(4)
        self._rows.addStretch()

    def add(self, name: str, icon: str, title: str) -> None:
        """Add a button for a part."""
        button = IconButton(icon, title, parent=self)
        button.setObjectName(f"rail:{name}")
        button.setFixedSize(32, 32)
        button.clicked.connect(lambda: self.chosen.emit(name))
        self._rows.insertWidget(self._rows.count() - 1, button)


class Body(QWidget):
    """The columns. `resized` reports widths set by the user; `changed` that a column opened, closed or moved.

    A column that the current perspective has no room for, or does not have, opens over the pages until the focus
    leaves it.
    """

    resized = Signal()
    changed = Signal()

    def __init__(self, pages: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.side, self.rail, self.right, self.pages = Side(), Rail(), QStackedWidget(), pages
        self.right.setBackgroundRole(QPalette.ColorRole.Base)
        self.right.setAutoFillBackground(True)
        self._left = QWidget()
        row = QHBoxLayout(self._left)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        row.addWidget(self.side)
        self.outer, self.inner = Hairlines(Qt.Orientation.Horizontal, self), Hairlines(Qt.Orientation.Horizontal)
        self.inner.addWidget(pages)
        self.inner.addWidget(self.right)
        self.outer.addWidget(self._left)
        self.outer.addWidget(self.inner)
        for splitter, stretching in ((self.outer, 1), (self.inner, 0)):
            splitter.setStretchFactor(stretching, 1)
            splitter.setStretchFactor(1 - stretching, 0)
            splitter.splitterMoved.connect(lambda *_: self.resized.emit())
        self._over: QWidget | None = None
        self._has_left = self._has_right = True
        self._wanted = Column(), Column()
        self._usual = True, RIGHT
        QApplication.instance().focusChanged.connect(self._watch_focus)  # type: ignore[union-attr]

    @property
    def is_narrow(self) -> bool:
        """Whether there is no room for columns beside the pages."""
        return self.width() < scaled(NARROW)

    @property
    def is_left_open(self) -> bool:
        """Whether the left column can be seen."""
        return self.side.isVisibleTo(self)

    @property
    def is_right_open(self) -> bool:
        """Whether the right column can be seen."""
        return self.right.isVisibleTo(self)

    @property
    def widths(self) -> tuple[int | None, int | None]:
        """The widths of the columns beside the pages, None for a column elsewhere."""
        beside = self.is_left_open and self._over is not self.side
        right = self.is_right_open and self._over is not self.right and not self.is_narrow
        return self._left.width() if beside else None, self.right.width() if right else None

    def lay_out(self, left: Column, right: Column, has: tuple[bool, bool], usual: tuple[bool, int]) -> None:
        """Lay out the columns as wanted.

        `has`: whether the perspective has a left and a right column. `usual`: whether the left column is open, and the
        width of the right one, where the user has not chosen.
        """
        self.close_over()
        self._wanted, (self._has_left, self._has_right), self._usual = (left, right), has, usual
        self._fit()
        self.changed.emit()

    def open_over(self, side: str) -> None:
        """Open a column over the pages, at its side, until the focus leaves it."""
        self.close_over()
        self._over = self.side if side == "left" else self.right
        self._over.setParent(self)
        self._place_over()
        self._over.show()
        self._over.raise_()
        self.changed.emit()

    def close_over(self) -> None:
        """Put a column that lies over the pages back to its place."""
        over, self._over = self._over, None
        if over is None:
            return
        if over is self.side:
            row = self._left.layout()
            assert isinstance(row, QHBoxLayout)
            row.addWidget(over)
        else:
            self.inner.addWidget(over)
        self._fit()
        self.changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns to the new size."""
        super().resizeEvent(event)
        self.outer.setGeometry(self.rect())
        if self._over is not None and not self.is_narrow and self._has(self._over):
            self.close_over()
        self._fit()

    def _has(self, column: QWidget) -> bool:
        return self._has_left if column is self.side else self._has_right

    def _fit(self) -> None:
        """Give the columns their sizes, in the window as it is now."""
        self._fit_left()
        self._fit_right()
        self._place_over()

    def _fit_left(self) -> None:
        wanted, is_open = self._wanted[0], self._is_open(0)
        beside = is_open and not self.is_narrow
        self._left.setVisible(self._has_left)
        self.rail.setVisible(not beside)
        if self._over is not self.side:
            self.side.setVisible(beside)
        rail = scaled(RAIL)
        self._left.setMinimumWidth(scaled(LEFT_LEAST) if beside else rail)
        self._left.setMaximumWidth(_MOST if beside else rail)
        width = wanted.width or scaled(LEFT_SMALL if self._is_small else LEFT)
        left = (width if beside else rail) if self._has_left else 0
        self.outer.setSizes([left, max(self.width() - left, 1)])

    def _fit_right(self) -> None:
        wanted, is_open = self._wanted[1], self._is_open(1)
        if self._over is self.right:
            return
        self.right.setVisible(self._has_right and is_open)
        self.pages.setMinimumWidth(scaled(MIDDLE_LEAST))
        if self.is_narrow:
            self.inner.setOrientation(Qt.Orientation.Vertical)
            self.right.setMinimumSize(QSize(0, scaled(120)))
            below = round(self.height() * BELOW)
            self.inner.setSizes([self.height() - below, below])
            return
        self.inner.setOrientation(Qt.Orientation.Horizontal)
        self.right.setMinimumSize(QSize(scaled(RIGHT_LEAST), 0))
        usual = self._usual[1] - (RIGHT - RIGHT_SMALL if self._is_small else 0)
        width = wanted.width or scaled(usual)
        self.inner.setSizes([max(self.inner.width() - width, 1), width])

    @property
    def _is_small(self) -> bool:
        return self.width() < scaled(SMALL)

    def _is_open(self, side: int) -> bool:
        is_open = self._wanted[side].is_open
        usual = self._usual[0] if side == 0 else True
        return (self._has_left, self._has_right)[side] and (usual if is_open is None else is_open)

    def _place_over(self) -> None:
        if self._over is self.side:
            rail = scaled(RAIL) if self._has_left else 0
            self.side.setGeometry(rail, 0, scaled(LEFT), self.height())
        elif self._over is self.right:
            width = min(scaled(RIGHT), self.width())
            self.right.setGeometry(self.width() - width, 0, width, self.height())

    def _watch_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        """Close a column over the pages when the focus goes to the pages."""
        if self._over is not None and now is not None and self.inner.isAncestorOf(now):
            self.close_over()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close a column over the pages on Esc."""
        if event.key() == Qt.Key.Key_Escape and self._over is not None:
            self.close_over()
        else:
            super().keyPressEvent(event)


_MOST = 16_777_215
"""Qt's own limit for widths, which stands for none."""
