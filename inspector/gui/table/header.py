"""The header of an array table: it keeps titles clear of the sort arrow, and reports the user's changes to columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPolygonF
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyleOptionHeader, QToolButton, QWidget

from inspector.gui.parts.texts import one_line, tooltip
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.theme import UNIT, give_font, named_font, scaled, theme

PADDING = 2 * UNIT
HEIGHT = 34
ARROW = 2 * UNIT
"""The width of the arrow, in pixels."""
ARROW_ROOM = ARROW + UNIT
"""The room for the arrow beside a title."""


class TableHeader(QHeaderView):
    """Titles of columns. The sort arrow is at the other end of a column: at the left for right-aligned titles.

    `let_go` reports the release of the mouse: sizes and order are then final.
    """

    let_go = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)
        self.setSectionsMovable(True)
        self.setHighlightSections(False)
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        give_font(self, "secondary")
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def sizeHint(self) -> QSize:
        """Return the height of a line of titles."""
        return QSize(super().sizeHint().width(), scaled(HEIGHT))

    def _is_sorted(self, section: int) -> bool:
        return self.isSortIndicatorShown() and self.sortIndicatorSection() == section

    def _is_right(self, section: int) -> bool:
        alignment = self.model().headerData(section, self.orientation(), Qt.ItemDataRole.TextAlignmentRole)
        return bool(int(alignment or 0) & int(Qt.AlignmentFlag.AlignRight))

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:
        """Prevent the style's own arrow, shorten the title to leave room for ours, and leave out that of signs."""
        super().initStyleOptionForIndex(option, section)
        model = self.model()
        if isinstance(model, ArrayTableModel) and model.columns[section].of_signs:
            option.text = ""  # type: ignore[attr-defined]
        if self._is_sorted(section):
            option.sortIndicator = QStyleOptionHeader.SortIndicator.None_  # type: ignore[attr-defined]
            room = self.sectionSize(section) - 2 * PADDING - ARROW_ROOM
            title = option.text  # type: ignore[attr-defined]
            shown = self.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, room)
            option.text = shown  # type: ignore[attr-defined]

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Paint a title, and the arrow of the sorted column."""
        painter.save()
        super().paintSection(painter, rect, section)
        painter.restore()
        if self._is_sorted(section):
            self._paint_arrow(painter, self.arrow_place(rect, section), theme().text)

    def arrow_place(self, rect: QRect, section: int) -> QRect:
        """Return the rectangle of the arrow in that of a section."""
        left = rect.left() + UNIT if self._is_right(section) else rect.right() - UNIT - ARROW
        return QRect(left, rect.center().y() - UNIT // 2, ARROW, UNIT + 1)

    def _paint_arrow(self, painter: QPainter, place: QRect, color: QColor) -> None:
        grows = self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
        base, tip = (place.bottom(), place.top()) if grows else (place.top(), place.bottom())
        middle = place.left() + place.width() / 2
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        corners = ((place.left(), base), (place.right() + 1, base), (middle, tip))
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
        painter.restore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Report the end of a drag."""
        super().mouseReleaseEvent(event)
        self.let_go.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Report a double-click on a handle, which fits the column to its contents."""
        super().mouseDoubleClickEvent(event)
        self.let_go.emit()


LineKind = Literal["name", "usual", "muted", "error"]


@dataclass(frozen=True, slots=True)
class HeaderLine:
    """A line in the header of a column: its text and style."""

    text: str
    kind: LineKind


@dataclass(frozen=True, slots=True)
class HeaderEntry:
    """The header of the column `key`. `name` names its button, and `what` describes the object that the button uses."""

    key: str
    name: str
    what: str
    in_use: bool
    lines: tuple[HeaderLine, ...]

    @property
    def short(self) -> tuple[HeaderLine, ...]:
        """The name and the most telling line: an error, else the figure, else the line below the name."""
        name, *others = self.lines
        told = (line for kind in ("error", "usual") for line in others if line.kind == kind)
        return (name, *[next(told, line) for line in others[:1]])


BUTTON_LINE = 1
"""The second line, which leaves room at its right; the name above it needs the whole width."""
SHORT_LINES = 2
USE = "Use"


class EntryHeader(TableHeader):
    """Titles of the columns of an array table, and some lines over each column with an entry.

    `use_requested` carries the key of such a column, which is at least `digits` figures wide.
    """

    use_requested = Signal(str)

    def __init__(self, lines: int, digits: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._line_count, self._digits, self._is_short = lines, digits, False
        self._entries: Mapping[str, HeaderEntry] = {}
        self._buttons: dict[str, QToolButton] = {}
        for changed in (self.sectionResized, self.sectionMoved, self.geometriesChanged):
            changed.connect(self.place_buttons)
        self.sectionDoubleClicked.connect(self._ask_for_section)

    def show_entries(self, entries: Sequence[HeaderEntry]) -> None:
        """Show each entry over the column of its key."""
        self._entries = {entry.key: entry for entry in entries}
        for key in self._buttons.keys() - self._entries.keys():
            self._buttons.pop(key).deleteLater()
        for key, entry in self._entries.items():
            if key not in self._buttons:
                self._buttons[key] = self._make_button(key)
            self._describe(self._buttons[key], entry)
        self.viewport().update()

    def set_room(self, height: int) -> None:
        """Show only the most important lines if all lines of an entry need more than this height."""
        is_short = height < self._height_of(self._line_count)
        if is_short != self._is_short:
            self._is_short = is_short
            self.geometriesChanged.emit()

    def _make_button(self, key: str) -> QToolButton:
        button = QToolButton(self.viewport())
        give_font(button, "secondary")
        button.setText(USE)
        button.clicked.connect(lambda _: self.use_requested.emit(key))
        button.installEventFilter(self)
        return button

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Scroll a newly focused button into sight."""
        if event.type() == QEvent.Type.FocusIn:
            self._show_column(next((key for key, button in self._buttons.items() if button is watched), ""))
        return super().eventFilter(watched, event)

    def _show_column(self, key: str) -> None:
        table, section = self.parentWidget(), self._columns().sections.get(key)
        if section is None or not isinstance(table, QAbstractItemView):
            return
        left, right = self.sectionPosition(section), self.sectionPosition(section) + self.sectionSize(section)
        bar, room = table.horizontalScrollBar(), self.viewport().width()
        if left < self.offset() or right > self.offset() + room:
            bar.setValue(bar.value() + (left - self.offset() if left < self.offset() else right - self.offset() - room))

    def _columns(self) -> ArrayTableModel:
        return cast(ArrayTableModel, self.model())

    def _key(self, section: int) -> str:
        return self._columns().columns[section].key

    def place_buttons(self) -> None:
        """Put each button at the right end of its column; scrolling moves it automatically."""
        for key, button in self._buttons.items():
            section = self._columns().sections.get(key, self.count())
            is_there = section < self.count() and not self.isSectionHidden(section)
            button.setVisible(is_there)
            if is_there:
                left, width = self.sectionViewportPosition(section), self.sectionSize(section)
                button.setGeometry(self._button_place(button, QRect(left, 0, width, self.height())))

    def _button_place(self, button: QToolButton, rect: QRect) -> QRect:
        """Return the place of a button in the rectangle of its section."""
        size, height = button.sizeHint(), self._line_height()
        left, top = rect.right() - size.width() - UNIT + 1, UNIT + BUTTON_LINE * height
        return QRect(left, top, size.width(), height)

    def width_of(self, key: str) -> int:
        """Return the initial width of an entry's lines in pixels, enough for the whole name, or 0 without an entry."""
        if key not in self._entries:
            return 0
        name = QFontMetrics(named_font("title")).horizontalAdvance(one_line(self._entries[key].lines[0].text))
        return max(name + 2 * PADDING, self._digits * self.fontMetrics().horizontalAdvance("0"))

    def _ask_for_section(self, section: int) -> None:
        if self._key(section) in self._entries:
            self.use_requested.emit(self._key(section))

    def _line_height(self) -> int:
        return QFontMetrics(named_font("title")).height()

    def sizeHint(self) -> QSize:
        """Return room for the lines of an entry, or for plain titles if there are no entries."""
        hint, lines = super().sizeHint(), SHORT_LINES if self._is_short else self._line_count
        return QSize(hint.width(), self._height_of(lines)) if self._buttons else hint

    def _height_of(self, lines: int) -> int:
        return lines * self._line_height() + 2 * UNIT

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.geometriesChanged.emit()

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:
        """Leave out the title under an entry, whose lines are painted there."""
        super().initStyleOptionForIndex(option, section)
        if self._key(section) in self._entries:
            option.text = ""  # type: ignore[attr-defined]

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Paint a title, or the lines of an entry."""
        super().paintSection(painter, rect, section)
        key = self._key(section)
        if key not in self._entries:
            return
        painter.save()
        self._paint_entry(painter, rect, self._entries[key])
        painter.restore()

    def _paint_entry(self, painter: QPainter, rect: QRect, entry: HeaderEntry) -> None:
        inside, height = rect.adjusted(PADDING, UNIT, -PADDING, 0), self._line_height()
        for number, line in enumerate(entry.short if self._is_short else entry.lines):
            room = inside.adjusted(0, number * height, 0, 0)
            room.setHeight(height)
            if number == BUTTON_LINE:
                room.setRight(self._buttons[entry.key].x() - UNIT)
            self._paint_line(painter, room, line)

    def _paint_line(self, painter: QPainter, room: QRect, line: HeaderLine) -> None:
        look = theme()
        colors = {"name": look.text, "usual": look.text, "muted": look.muted_text, "error": look.error}
        painter.setFont(named_font("title") if line.kind == "name" else self.font())
        painter.setPen(colors[line.kind])
        text = painter.fontMetrics().elidedText(one_line(line.text), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), text)

    def _describe(self, button: QToolButton, entry: HeaderEntry) -> None:
        """Say what the button of an entry does."""
        button.setObjectName(f"use:{entry.name}")
        button.setEnabled(not entry.in_use)
        button.setAutoRaise(entry.in_use)  # flat: a label rather than a button
        button.setText("In use" if entry.in_use else USE)
        button.setAccessibleName(f"Use the {entry.what} {entry.name}")
        use = f"Use this {entry.what}: {entry.name}"
        button.setToolTip(tooltip(f"This {entry.what} is in use" if entry.in_use else use))
        button.adjustSize()
