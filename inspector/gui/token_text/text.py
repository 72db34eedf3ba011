"""The text of tokens: rows painted as they come into sight, tokens hovered and chosen, text selected and copied."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QAccessibleWidget, QMenu, QToolTip, QWidget

from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.parts.texts import tooltip
from inspector.gui.theme import PANEL_MARGIN, UNIT, fixed_font
from inspector.gui.token_text.painting import Pointing, RowCell, TokenRows, TokenWriting, paint_row
from inspector.tokens.shown.tokens import ShownTokens, summary, token_line, token_tooltip, without_tokens

_Key = Qt.Key
_STEPS = {_Key.Key_Left: -1, _Key.Key_Right: 1}
_ROWS = {_Key.Key_Up: -1, _Key.Key_Down: 1}
_PAGES = {_Key.Key_PageUp: -1, _Key.Key_PageDown: 1}
_ENDS = (_Key.Key_Home, _Key.Key_End)


def reached_cell(
    key: Qt.Key, of_all: bool, rows: TokenRows, current: int | None, top_row: int, page_rows: int
) -> int | None:
    """Return the cell to which a key leads from the current cell, or None for other keys.

    With `of_all`, Home and End refer to the whole text. Without a current cell, the first visible cell counts as
    current.
    """
    count = len(rows.shown.cells)
    if not count or key not in (*_STEPS, *_ROWS, *_PAGES, *_ENDS):
        return None
    if key in _ENDS and of_all:
        return 0 if key == _Key.Key_Home else count - 1
    if current is None:
        return next((found for row in range(top_row, len(rows)) if (found := _nearest(rows, row, 0.0)) is not None), 0)
    if key in _STEPS:
        return min(max(current + _STEPS[key], 0), count - 1)
    if key in _ENDS:
        parts = _at_home(rows, rows.home_row(current))
        return parts[0 if key == _Key.Key_Home else -1].cell
    return _beside(rows, current, _ROWS.get(key, 0) + _PAGES.get(key, 0) * max(1, page_rows))


def _beside(rows: TokenRows, current: int, by: int) -> int:
    """Return the cell `by` rows below the current cell, or further if no cell ends in that row."""
    here = rows.home_row(current)
    spans = rows.spans_of(here, current)
    x = spans[0][0] if spans else 0.0
    row = min(max(here + by, 0), len(rows) - 1)
    while 0 <= row < len(rows) and row != here:
        cell = _nearest(rows, row, x)
        if cell is not None:
            return cell
        row += 1 if by > 0 else -1
    return current


def _nearest(rows: TokenRows, row: int, x: float) -> int | None:
    """Return the cell of a row nearest to x, or None if no cell ends there."""
    parts = [(abs(part.spans[0][0] - x), part.cell) for part in _at_home(rows, row) if part.spans]
    return min(parts)[1] if parts else None


def _at_home(rows: TokenRows, row: int) -> list[RowCell]:
    """Return the cells that end in a row: a cell beginning with a line break is in the row below it."""
    return [part for part in rows.layout(row).cells if rows.home_row(part.cell) == row]


_Describe = Callable[[Any], str]
_described: dict[type[QWidget], _Describe] = {}


class _Reader(QAccessibleWidget):
    """A widget as a document."""

    def __init__(self, widget: QWidget, describe: _Describe) -> None:
        super().__init__(widget, QAccessible.Role.Document)
        self._describe = describe

    def text(self, kind: QAccessible.Text) -> str:
        """Return the current token as the value; name and description are the widget's own."""
        widget = self.object()
        if kind == QAccessible.Text.Value and isinstance(widget, QWidget):
            return self._describe(widget)
        return super().text(kind)


def read_aloud(kind: type[QWidget], describe: _Describe) -> None:
    """Expose widgets of a kind as documents whose value `describe` returns."""
    if not _described:
        QAccessible.installFactory(_make)
    _described[kind] = describe


def tell_readers(widget: QWidget) -> None:
    """Announce a new current token."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleEvent(widget, QAccessible.Event.ValueChanged))


def _make(_key: str, widget: Any) -> _Reader | None:
    describe = _described.get(type(widget))
    return None if describe is None else _Reader(widget, describe)


KEYS = (
    KeyUse("Next or previous token", "Right, Left"),
    KeyUse("A row up or down", "Up, Down"),
    KeyUse("A page up or down", "PgUp, PgDown"),
    KeyUse("Beginning or end of the row", "Home, End"),
    KeyUse("Beginning or end of the text", "Ctrl+Home, Ctrl+End"),
    KeyUse("Select on the way", "Shift+Right, Shift+Left, Shift+Up, Shift+Down"),
    KeyUse("Copy the selection", "Ctrl+C"),
    KeyUse("Select all", "Ctrl+A"),
)
_Bar = Qt.ScrollBarPolicy
_Held = Qt.KeyboardModifier


class TokenText(QAbstractScrollArea):
    """Shows `ShownTokens` wrapped at its width, read-only.

    `token_hovered(token)` reports the token below the mouse, −1 for none; `token_chosen(token)` the token clicked or
    reached with keys. Dragging and Shift select text, which is copied unchanged, whatever marks are drawn in it.
    """

    token_hovered = Signal(int)
    token_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("token_text")
        self.setAccessibleName("Text by token")
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(_Bar.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(_Bar.ScrollBarAlwaysOn)  # a bar coming and going would rewrap all rows
        self.viewport().setMouseTracking(True)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self._hovered: int | None = None
        self._current: int | None = None
        self._anchor = self._head = 0
        self._rows = TokenRows(without_tokens(""), TokenWriting(fixed_font()), self._text_width)

    @property
    def shown(self) -> ShownTokens:
        """The shown tokens."""
        return self._rows.shown

    @property
    def current_cell(self) -> int | None:
        """The cell chosen last."""
        return self._current

    @property
    def selected_text(self) -> str:
        """The selected part of the text, unchanged."""
        return self.shown.text[slice(*self._selection)]

    def show_tokens(self, shown: ShownTokens) -> None:
        """Show another text. If it begins like the previous one, up to the scroll position, that is kept."""
        top = self._top_place()
        same_beginning = top < len(shown.text) and shown.text[:top] == self.shown.text[:top]
        self._current = self._hovered = None
        self._anchor = self._head = 0
        self._set_rows(TokenRows(shown, self._rows.writing, self._text_width), top if same_beginning else 0)
        tell_readers(self)

    def set_white_space(self, white_space: bool) -> None:
        """Draw marks for spaces, tabs and line ends, or leave gaps."""
        writing = TokenWriting(self._rows.writing.font, white_space)
        self._set_rows(TokenRows(self.shown, writing, self._text_width), self._top_place())

    def show_cell(self, cell: int | None) -> None:
        """Make a cell current and scroll to it, without a signal."""
        self._current = cell
        if cell is not None:
            self._reveal(self._rows.home_row(cell))
        tell_readers(self)
        self.viewport().update()

    def describe(self) -> str:
        """Return the current token in words, or a summary of the text if there is none."""
        cells = self.shown.cells
        return summary(self.shown) if self._current is None else token_line(self.shown, int(cells.first[self._current]))

    def copy(self) -> None:
        """Copy the selection, or else the current token."""
        begin, end = self._selection
        if begin == end and self._current is not None:
            begin, end = self.shown.cells.span(self._current)
        if begin < end:
            QGuiApplication.clipboard().setText(self.shown.text[begin:end])

    def copy_ids(self) -> None:
        """Copy the ids of the selected tokens, of the current one, or of all."""
        cells, (begin, end) = self.shown.cells, self._selection
        chosen = range(len(self.shown)) if self._current is None else cells.tokens(self._current)
        first, last = cells.at(begin), cells.at(end - 1)
        if begin < end and first is not None and last is not None:
            chosen = range(cells.tokens(first).start, cells.tokens(last).stop)
        QGuiApplication.clipboard().setText(" ".join(str(self.shown.ids[token]) for token in chosen))

    def select_all(self) -> None:
        """Select the whole text."""
        self._select(0, len(self.shown.text))

    def cell_at(self, place: QPoint) -> int | None:
        """Return the cell at a place of the viewport, or None beside the text."""
        row = self._row_at(place)
        return self._rows.cell_at(row, place.x() - PANEL_MARGIN) if 0 <= row < len(self._rows) else None

    def cell_rect(self, cell: int) -> QRect:
        """Return the rectangle of a cell in the viewport; of its end, if it spans several rows."""
        row = self._rows.home_row(cell)
        strip, spans = self._strip(row), self._rows.spans_of(row, cell)
        left, right = spans[0] if spans else (0.0, 1.0)
        return QRectF(strip.left() + left, strip.top(), right - left, strip.height()).toAlignedRect()

    @property
    def _selection(self) -> tuple[int, int]:
        return min(self._anchor, self._head), max(self._anchor, self._head)

    @property
    def _text_width(self) -> int:
        return self.viewport().width() - 2 * PANEL_MARGIN

    def _select(self, anchor: int, head: int) -> None:
        self._anchor, self._head = anchor, head
        self.viewport().update()

    def _set_rows(self, rows: TokenRows, top: int) -> None:
        self._rows = rows
        self._set_range(top)

    def _set_range(self, top: int) -> None:
        """Give the scroll bar the height of all rows, with the row of this place at the top."""
        bar, visible, height = self.verticalScrollBar(), self.viewport().height(), self._rows.height
        bar.setRange(0, max(0, len(self._rows) * height + 2 * UNIT - visible))
        bar.setSingleStep(height)
        bar.setPageStep(max(height, visible - height))
        bar.setValue(self._rows.row_of(top) * height)
        self.viewport().update()

    def _top_row(self) -> int:
        return min(self.verticalScrollBar().value() // self._rows.height, len(self._rows) - 1)

    def _top_place(self) -> int:
        return self._rows.bounds(self._top_row())[0]

    def _reveal(self, row: int) -> None:
        """Scroll to a row: just into view if it is near, to a third from the top if it is far away."""
        bar, visible, height = self.verticalScrollBar(), self.viewport().height(), self._rows.height
        top = row * height
        if top < bar.value():
            bar.setValue(top if bar.value() - top < visible else top - visible // 3)
        elif top + height + 2 * UNIT > bar.value() + visible:
            below = top + height + 2 * UNIT - visible
            bar.setValue(below if below - bar.value() < visible else top - visible // 3)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, area = QPainter(self.viewport()), event.rect()
        painter.fillRect(area, self.palette().base())
        pointing = Pointing(self._hovered, self._current, self.hasFocus())
        first = max(0, self._row_at(area.topLeft()))
        for row in range(first, min(len(self._rows) - 1, self._row_at(area.bottomLeft())) + 1):
            layout, selected = self._rows.layout(row), self._selected_in(row)
            paint_row(painter, layout, self._strip(row), self._rows.writing, pointing, selected, self.palette())

    def _strip(self, row: int) -> QRectF:
        top = row * self._rows.height - self.verticalScrollBar().value() + UNIT
        return QRectF(PANEL_MARGIN, top, self._text_width, self._rows.height)

    def _selected_in(self, row: int) -> tuple[int, int] | None:
        (begin, end), (first, last) = self._rows.bounds(row), self._selection
        part = max(begin, first) - begin, min(end, last) - begin
        return part if part[0] < part[1] else None

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Move the painted rows, so that only newly visible ones are painted."""
        self.viewport().scroll(dx, dy)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap again, and keep the top of the text in place."""
        super().resizeEvent(event)
        top = self._top_place()
        if event.size().width() != event.oldSize().width():
            self._rows.wrap(self._text_width)
        self._set_range(top)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme and the size of the font."""
        super().changeEvent(event)
        if not hasattr(self, "_rows"):
            return
        if event.type() == QEvent.Type.PaletteChange:
            self._rows.forget_layouts()
        elif event.type() == QEvent.Type.FontChange:
            font = fixed_font()
            font.setPointSizeF(self.font().pointSizeF())
            writing = TokenWriting(font, self._rows.writing.white_space)
            self._set_rows(TokenRows(self.shown, writing, self._text_width), self._top_place())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def _row_at(self, place: QPoint) -> int:
        """Return the row at a place of the viewport, as if rows continued without end."""
        return (place.y() + self.verticalScrollBar().value() - UNIT) // self._rows.height

    def _place_at(self, place: QPoint) -> int:
        """Return the gap between code points nearest to a place of the viewport."""
        row = self._row_at(place)
        if not 0 <= row < len(self._rows):
            return 0 if row < 0 else len(self.shown.text)
        return self._rows.place_at(row, place.x() - PANEL_MARGIN)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the token, and begin a selection; with Shift, extend it."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        place = event.position().toPoint()
        head = self._place_at(place)
        if event.modifiers() & _Held.ShiftModifier:
            self._select(self._anchor, head)
        else:
            self._select(head, head)
            self._choose(self.cell_at(place))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Report the token below the mouse, or extend the selection to it."""
        place = event.position().toPoint()
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._select(self._anchor, self._place_at(place))
            self._reveal(min(max(self._row_at(place), 0), len(self._rows) - 1))
        else:
            self._set_hovered(self.cell_at(place))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Keep the release from widgets below: the click was for a token."""
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select the token."""
        cell = self.cell_at(event.position().toPoint())
        if cell is not None:
            self._select(*self.shown.cells.span(cell))

    def viewportEvent(self, event: QEvent) -> bool:
        """Show a tooltip for a token, and end hovering when the mouse leaves."""
        if event.type() == QEvent.Type.Leave:
            self._set_hovered(None)
        elif isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            cell = self.cell_at(event.pos())
            text = "" if cell is None else token_tooltip(self.shown, cell)
            place = QRect() if cell is None else self.cell_rect(cell)
            QToolTip.showText(event.globalPos(), tooltip(text, wraps=True), self.viewport(), place)
            return True
        return super().viewportEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer copying."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy", self.copy)
        menu.addAction("Copy ids", self.copy_ids).setEnabled(len(self.shown) > 0)
        menu.addAction("Select all", self.select_all)
        menu.popup(event.globalPos())

    def _set_hovered(self, cell: int | None) -> None:
        if cell != self._hovered:
            self._hovered = cell
            self.token_hovered.emit(-1 if cell is None else int(self.shown.cells.first[cell]))
            self.viewport().update()

    def _choose(self, cell: int | None) -> None:
        if cell is not None:
            self.show_cell(cell)
            self.token_chosen.emit(int(self.shown.cells.first[cell]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows go from token to token and from row to row; with Shift they select. Escape selects nothing."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all()
        elif event.key() == Qt.Key.Key_Escape and self._anchor != self._head:
            self._select(self._head, self._head)
        elif len(self.shown) and (cell := self._reached(event)) is not None:
            self._go_to(cell, bool(event.modifiers() & _Held.ShiftModifier))
        else:
            super().keyPressEvent(event)

    def _reached(self, event: QKeyEvent) -> int | None:
        of_all = bool(event.modifiers() & _Held.ControlModifier)
        page_rows = self.verticalScrollBar().pageStep() // self._rows.height
        return reached_cell(Qt.Key(event.key()), of_all, self._rows, self._current, self._top_row(), page_rows)

    def _go_to(self, cell: int, selecting: bool) -> None:
        """Choose a cell. When selecting, select whole cells from the start of the selection to here."""
        spans = self.shown.cells.span
        begin, end = spans(cell)
        if not selecting:
            self._select(begin, begin)
        else:
            if self._anchor == self._head and self._current is not None:
                self._anchor = spans(self._current)[0 if cell >= self._current else 1]
            self._select(self._anchor, end if end > self._anchor else begin)
        self._choose(cell)


read_aloud(TokenText, TokenText.describe)
