"""The prompt as one text: each item with the colour of its section at the left, and its tokens at the right."""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QTextEdit, QVBoxLayout, QWidget

from inspector.assembly.columns import Section
from inspector.figures import figures
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.reading_pane import MOST_CODE_POINTS, put_text
from inspector.gui.parts.texts import shown_length
from inspector.gui.screens.prompt.model import PromptText, Span
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT, give_font, named_font, scaled, theme
from inspector.visible_text import made_visible

CHARACTERS_AT_ONCE = 200_000
EDGE, EDGES_WIDTH, FIGURES_WIDTH = 4, 16, 72


class ShownSpan(NamedTuple):
    """An item of the shown text: its positions in the document, and its row among the candidates."""

    start: int
    end: int
    row: int


class Gutter(QWidget):
    """A strip beside the text, painted by a function."""

    def __init__(self, paint: Callable[[QPainter, int], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._paint = paint
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, _: QPaintEvent) -> None:
        self._paint(QPainter(self), self.width())


class SpanText(QPlainTextEdit):
    """A text of spans in the fixed font. `row_chosen` carries the row of the span that is clicked or entered."""

    row_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spans: list[ShownSpan] = []
        self._prompt: PromptText | None = None
        self.setReadOnly(True)
        usual = Qt.TextInteractionFlag
        self.setTextInteractionFlags(usual.TextSelectableByMouse | usual.TextSelectableByKeyboard)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setStyleSheet("QPlainTextEdit { border: none; border-radius: 0; }")
        give_font(self, "fixed")
        self._edges, self._figures = Gutter(self._paint_edges, self), Gutter(self._paint_figures, self)
        self.setViewportMargins(scaled(EDGES_WIDTH), 0, scaled(FIGURES_WIDTH), 0)
        self.updateRequest.connect(self._follow)

    def show_spans(self, prompt: PromptText | None, spans: list[ShownSpan]) -> None:
        """Set the spans of the text that is shown."""
        self._prompt, self._spans = prompt, spans
        self._edges.update()
        self._figures.update()

    def _follow(self, _area: QRect, _by: int) -> None:
        self._edges.update()
        self._figures.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the strips beside the text."""
        super().resizeEvent(event)
        inner = self.viewport().geometry()
        self._edges.setGeometry(0, inner.top(), scaled(EDGES_WIDTH), inner.height())
        self._figures.setGeometry(inner.right() + 1, inner.top(), scaled(FIGURES_WIDTH), inner.height())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Choose the span under the mouse, unless text was selected."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            self._choose(self.cursorForPosition(event.position().toPoint()).position())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter chooses the span of the caret."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.textCursor().position())
        else:
            super().keyPressEvent(event)

    def _choose(self, position: int) -> None:
        place = bisect_right(self._spans, position, key=lambda span: span.start) - 1
        if place >= 0 and position <= self._spans[place].end:
            self.row_chosen.emit(self._spans[place].row)

    def _in_sight(self) -> Iterator[tuple[ShownSpan, int, int]]:
        """Yield the spans in sight with their first and last lines, in pixels from the top of the text."""
        first = self.cursorForPosition(QPoint(0, 0)).position()
        height = self.viewport().height()
        last = self.cursorForPosition(QPoint(self.viewport().width(), height)).position()
        begin = max(bisect_right(self._spans, first, key=lambda span: span.start) - 1, 0)
        for span in self._spans[begin:]:
            if span.start > last:
                return
            top = self._line(span.start).top() if span.start >= first else 0
            bottom = self._line(max(span.end - 1, span.start)).bottom() if span.end <= last else height
            if bottom >= 0:
                yield span, top, bottom

    def _line(self, position: int) -> QRect:
        cursor = self.textCursor()
        cursor.setPosition(position)
        return self.cursorRect(cursor)

    def _paint_edges(self, painter: QPainter, _width: int) -> None:
        painter.fillRect(self._edges.rect(), theme().base)
        if self._prompt is None:
            return
        for span, top, bottom in self._in_sight():
            section = Section(int(self._prompt.assembly.section[span.row]))
            painter.fillRect(0, top, EDGE, max(bottom - top, 2), theme().section_color(section))

    def _paint_figures(self, painter: QPainter, width: int) -> None:
        painter.fillRect(self._figures.rect(), theme().base)
        if self._prompt is None:
            return
        painter.setFont(named_font("secondary"))
        painter.setPen(theme().second_text)
        assembly, height = self._prompt.assembly, self.fontMetrics().lineSpacing()
        for span, top, _ in self._in_sight():
            tokens = figures(int(assembly.spent[span.row]), bool(assembly.candidates.estimated[span.row]))
            room = QRect(0, top, width - PANEL_MARGIN, height)
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, tokens)


class SentText(QWidget):
    """The rendered prompt, a part of it if it is long; nothing is computed while hidden.

    `row_chosen` carries the row of the item that is clicked.
    """

    row_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._prompt: PromptText | None = None
        self._begin, self._end = 0, CHARACTERS_AT_ONCE
        self._shown = ""
        self._row: int | None = None
        self._stale = self._leads = False
        self.text = SpanText()
        self.text.setAccessibleName("The prompt as one text")
        self.text.setPlaceholderText("The prompt is being written…")
        self.text.row_chosen.connect(self.row_chosen)
        self._cut = PlainLabel()
        more = QPushButton("Show more")
        more.setAccessibleName("Show more of the prompt")
        more.clicked.connect(self._show_more)
        self._more = QWidget()
        line = QHBoxLayout(self._more)
        line.setContentsMargins(PANEL_MARGIN, UNIT, GAP, UNIT)
        line.addWidget(self._cut, 1)
        line.addWidget(more)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.text, 1)
        layout.addWidget(self._more)
        self._more.hide()

    def sizeHint(self) -> QSize:
        """Return the size of the text."""
        return self.text.sizeHint()

    def show_prompt(self, prompt: PromptText | None) -> None:
        """Show the text of a prompt; None if there is none yet."""
        if prompt is None or self._prompt is None:
            self._begin, self._end, self._row = 0, CHARACTERS_AT_ONCE, None
        self._prompt, self._stale = prompt, True
        if prompt is None:
            self.text.show_spans(None, [])  # not even hidden does it keep the items of files closed meanwhile
        self._catch_up()

    def show_row(self, row: int | None) -> None:
        """Mark the text of a candidate row and scroll to it."""
        self._row = row
        self._stale = self._leads = True
        self._catch_up()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._catch_up()

    def _catch_up(self) -> None:
        if self._stale and self.isVisible():
            self._stale = False
            self._refresh()

    def _show_more(self) -> None:
        self._begin = max(0, self._begin - CHARACTERS_AT_ONCE)
        self._end += 5 * CHARACTERS_AT_ONCE
        self._stale = True
        self._catch_up()

    def _refresh(self) -> None:
        if self._prompt is None:
            self._set_text("")
            self._mark(None)
            self._more.hide()
            return
        span = None if self._row is None else self._prompt.span(self._row)
        if span is not None and self._leads and not self._begin <= span[0] <= span[1] <= self._end:
            self._begin = max(0, span[0] - CHARACTERS_AT_ONCE // 2) if span[1] > CHARACTERS_AT_ONCE else 0
            self._end = max(self._begin + CHARACTERS_AT_ONCE, min(span[1], self._begin + MOST_CODE_POINTS))
        text = self._prompt.text[self._begin : self._end]
        self._set_text(made_visible(text))
        spans = list(_shown(text, self._begin, self._prompt.spans_until(self._begin + len(text))))
        self.text.show_spans(self._prompt, spans)
        self._cut.setText(f"Characters {self._begin + 1:,} to {self._begin + len(text):,} of the prompt.")
        self._more.setVisible(len(text) < len(self._prompt.text))
        self._mark(next((one for one in spans if one.row == self._row), None))
        self._leads = False

    def _set_text(self, text: str) -> None:
        """Show a text, keeping the first line in sight by its paragraph: lines are counted as they are laid out."""
        if text == self._shown:
            return
        self._shown = text
        bar, before = self.text.verticalScrollBar(), self.text.firstVisibleBlock()
        number, line = before.blockNumber(), bar.value() - before.firstLineNumber()
        put_text(self.text, text)
        document = self.text.document()
        block = document.findBlockByNumber(min(number, document.blockCount() - 1))
        self.text.blockBoundingRect(block)  # lays it out
        bar.setValue(block.firstLineNumber() + line)

    def _mark(self, span: ShownSpan | None) -> None:
        """Put a span on the ground of what is selected, and bring it into sight if it was selected just now."""
        if span is None:
            self.text.setExtraSelections([])
            return
        marking = QTextCharFormat()
        marking.setBackground(theme().selected)
        selection = QTextEdit.ExtraSelection()
        selection.format = marking
        selection.cursor = self.text.textCursor()
        selection.cursor.setPosition(span.start)
        selection.cursor.setPosition(span.end, QTextCursor.MoveMode.KeepAnchor)
        self.text.setExtraSelections([selection])
        place = self.text.textCursor()
        place.setPosition(span.start)
        if self._leads and not self.text.viewport().rect().contains(self.text.cursorRect(place)):
            self.text.setTextCursor(place)
            self.text.centerCursor()


def _shown(text: str, begin: int, spans: tuple[Span, ...]) -> Iterator[ShownSpan]:
    """Yield the spans inside a part of the prompt, as positions in the document of its visible form."""
    place = position = 0
    for span in spans[max(bisect_right(spans, begin, key=lambda one: one.end) - 1, 0) :]:
        start, end = max(span.start - begin, place), min(span.end - begin, len(text))
        if start > len(text):
            return
        if end < start:
            continue
        position += shown_length(made_visible(text[place:start]))
        first = position
        position += shown_length(made_visible(text[start:end]))
        place = end
        yield ShownSpan(first, position, span.row)
