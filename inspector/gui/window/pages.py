"""The pages of the window: their tabs, and pages in windows of their own."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QFontMetrics,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QMenu, QTabBar, QVBoxLayout, QWidget

from inspector.gui.parts.texts import control_text, tooltip, window_title
from inspector.gui.theme import named_font, scaled, theme
from inspector.model import Severity

_HEIGHT, _PADDING, _TIGHT, _GAP = 40, 14, 8, 8
"""Where there is no room for all tabs, they have less around their titles."""
_CHIP_HEIGHT, _CHIP_PADDING, _UNDERLINE = 18, 7, 2


class PageTabs(QTabBar):
    """The tabs of the pages of a perspective, each with a count where that matters.

    `window_requested(name)` asks for a window of its own for a page, from the menu of its tab.
    """

    window_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts: dict[str, str] = {}
        self._tones: dict[str, Severity | None] = {}
        self._padding = _PADDING
        self.setObjectName("pages")
        self.setAccessibleName("Pages")
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setUsesScrollButtons(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)

    def show_pages(self, titles: Mapping[str, str], keys: Sequence[str]) -> None:
        """Show tabs for these pages, by name, with the keys that bring each to the front."""
        while self.count():
            self.removeTab(0)
        for number, (name, title) in enumerate(titles.items()):
            index = self.addTab(control_text(title))
            self.setTabData(index, name)
            self.setTabToolTip(index, tooltip(f"{title} ({keys[number]})" if number < len(keys) else title))

    def name_at(self, index: int) -> str:
        """Return the name of the page of a tab, "" without one."""
        return str(self.tabData(index) or "")

    def index_of(self, name: str) -> int:
        """Return the index of the tab of a page, -1 without one."""
        return next((index for index in range(self.count()) if self.name_at(index) == name), -1)

    def show_count(self, name: str, count: str, tone: Severity | None = None) -> None:
        """Show a count beside the title of a page, "" for none, in the colour of the worst that it counts."""
        if (self._counts.get(name, ""), self._tones.get(name)) == (count, tone):
            return
        self._tones[name] = tone
        before = self._chip_width(self._counts.get(name, ""))
        self._counts[name] = count
        index = self.index_of(name)
        if index >= 0:
            self.setAccessibleTabName(index, f"{self.tabText(index)}, {count}" if count else self.tabText(index))
            if self._chip_width(count) != before:
                self._fit()
                self.setTabText(index, self.tabText(index))  # Qt measures its tabs again only for a new text
            self.update(self.tabRect(index))

    def tabSizeHint(self, index: int) -> QSize:
        """Return room for the title and its count."""
        title = self._title_width(index)
        chip = self._chip_width(self._counts.get(self.name_at(index), ""))
        return QSize(title + chip + 2 * scaled(self._padding), scaled(_HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Suit the new width before Qt measures the tabs."""
        self._fit()
        super().resizeEvent(event)

    def _fit(self) -> None:
        """Take the padding at which all tabs are in sight, if there is one."""
        shown = [index for index in range(self.count()) if self.isTabVisible(index)]
        self._padding = _PADDING
        if sum(self.tabSizeHint(index).width() for index in shown) > self.width():
            self._padding = _TIGHT

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Return the size of the whole title: half a word would say nothing."""
        return self.tabSizeHint(index)

    def _title_width(self, index: int) -> int:
        """Return the width of a title in the bold font of the front page, so that no tab moves when it comes there."""
        return QFontMetrics(named_font("title")).horizontalAdvance(self.tabText(index))

    def _chip_width(self, count: str) -> int:
        if not count:
            return 0
        digits = QFontMetrics(named_font("secondary")).horizontalAdvance("0" * len(count))  # a tick moves no tab
        return scaled(_GAP) + digits + 2 * scaled(_CHIP_PADDING)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paint titles, counts, and a line under the front page."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        hovered = self.tabAt(self.mapFromGlobal(self.cursor().pos())) if self.underMouse() else -1
        for index in range(self.count()):
            if self.isTabVisible(index):
                self._paint_tab(painter, index, index == hovered)

    def _paint_tab(self, painter: QPainter, index: int, hovered: bool) -> None:
        look, place = theme(), self.tabRect(index)
        front = index == self.currentIndex()
        painter.setFont(named_font("title" if front else "name"))
        painter.setPen(look.text if front or hovered else look.second_text)
        inner = place.adjusted(scaled(self._padding), 0, -scaled(self._padding), 0)
        title = self._title_width(index)
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.tabText(index))
        if count := self._counts.get(self.name_at(index), ""):
            self._paint_chip(
                painter,
                QRect(inner.left() + title, place.top(), inner.right() - title, place.height()),
                count,
                self._tones.get(self.name_at(index)),
            )
        if front:
            line = QRect(inner.left(), place.bottom() - _UNDERLINE + 1, inner.width(), _UNDERLINE)
            painter.fillRect(line, look.accent)

    def _paint_chip(self, painter: QPainter, room: QRect, count: str, tone: Severity | None) -> None:
        look, height = theme(), scaled(_CHIP_HEIGHT)
        grounds = {"error": (look.error_soft, look.error), "warning": (look.warning_soft, look.warning)}
        ground, ink = grounds.get(tone or "", (look.hover, look.second_text))
        chip = QRect(room.left() + scaled(_GAP), 0, self._chip_width(count) - scaled(_GAP), height)
        chip.moveTop(room.top() + (room.height() - height) // 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(chip, height / 2, height / 2)
        painter.setPen(ink)
        painter.setFont(named_font("secondary"))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, count)

    def event(self, event: QEvent) -> bool:
        """Paint again when the mouse comes, moves and goes."""
        if event.type() in (QEvent.Type.HoverMove, QEvent.Type.Enter, QEvent.Type.Leave):
            self.update()
        return super().event(event)

    def _open_menu(self, place: QPoint) -> None:
        name = self.name_at(self.tabAt(place))
        if name:
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.addAction("In a window of its own").triggered.connect(lambda: self.window_requested.emit(name))
            menu.popup(self.mapToGlobal(place))


class PageWindow(QWidget):
    """A window with a single page, which returns to the pages when the window is closed: `closed(name)`.

    The keys of the window that it came from work here, too; Ctrl+W closes it.
    """

    closed = Signal(str)

    def __init__(self, name: str, title: str, page: QWidget, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.name = name
        self.setObjectName(f"{name}_window")
        self.setWindowTitle(window_title(title))
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.addActions(parent.actions())
        closing = QShortcut(QKeySequence("Ctrl+W"), self)
        closing.activated.connect(self.close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(page)
        page.show()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit(self.name)
