"""The text of the current prompt against another: added, removed, moved or changed messages, with words marked."""

from collections.abc import Sequence
from functools import cache
from itertools import islice, pairwise

from PySide6.QtCore import QEvent, QPoint, QSizeF, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QTextEdit, QVBoxLayout, QWidget

from inspector.assembly.text_diff import Mark, WrittenLine
from inspector.gui.parts.asking_view import AskingView, EmptyState
from inspector.gui.parts.buttons import IconButton
from inspector.gui.parts.side_boxes import SideBoxes
from inspector.gui.parts.texts import made_visible
from inspector.gui.theme import fixed_font, give_font, scaled, theme

NO_BASELINE = (
    "Nothing to compare with yet",
    "Set a baseline, change something, and read here which lines and words of the prompt changed.",
)
MOST_LINES = 5_000
MOST_CODE_POINTS = 2_000
_ROW = 44
_CHANGES = ("removed", "added", "moved")


class TextsView(AskingView):
    """A diff of the text of two prompts, and the choice of both.

    `requested` asks for the lines, while visible; `baseline_requested` asks for a baseline.
    """

    requested = Signal()
    baseline_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[WrittenLine, ...] = ()
        self._trouble = ""
        self.boxes = SideBoxes("texts", "Compare the text of the prompt")
        self.text = QTextEdit()
        self.text.setObjectName("text_diff")
        self.text.setAccessibleName("Differences in the text of the prompt")
        self.text.setReadOnly(True)
        self.text.setUndoRedoEnabled(False)
        self.text.setFrameShape(QTextEdit.Shape.NoFrame)
        self.text.setStyleSheet("QTextEdit { border: none; border-radius: 0; }")  # a page has no box of its own
        give_font(self.text, "fixed")
        top = QHBoxLayout()
        top.setContentsMargins(scaled(12), 0, scaled(16), 0)
        top.setSpacing(scaled(8))
        top.addWidget(self.boxes)
        top.addStretch()
        for icon, words, by in (
            ("chevron-up", "Previous change of the text", -1),
            ("chevron-down", "Next change of the text", 1),
        ):
            button = IconButton(icon, words)
            button.setFixedSize(scaled(28), scaled(28))
            button.clicked.connect(lambda _=False, by=by: self.step(by))
            top.addWidget(button)
        row = QWidget()
        row.setFixedHeight(scaled(_ROW))
        row.setLayout(top)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 1, 0, 0)  # a view covered completely by its parts counts as out of sight
        layout.setSpacing(0)
        layout.addWidget(row)
        self._nothing = EmptyState(*NO_BASELINE, [("Set baseline", self.baseline_requested.emit)])
        self._pages = QStackedWidget()
        self._pages.addWidget(self.text)
        self._pages.addWidget(self._nothing)
        layout.addWidget(self._pages, 1)

    def show_lines(self, lines: Sequence[WrittenLine] | str | None) -> None:
        """Show a diff, or a sentence if there is none; for None, the way to one."""
        self._stale = False
        self._lines = () if lines is None or isinstance(lines, str) else tuple(lines)
        self._trouble = lines if isinstance(lines, str) else ""
        self._pages.setCurrentWidget(self._nothing if lines is None else self.text)
        self._write()

    def step(self, by: int) -> None:
        """Go to the next change of the text, or the previous one, round the ends.

        Only its sign is marked: the words of its text have marks of their own.
        """
        if not self._stops:
            return
        here = self.text.textCursor().blockNumber() if self.text.extraSelections() else -1
        ahead = [stop for stop in self._stops if (stop - here) * by > 0]
        stop = (ahead or self._stops)[0 if by > 0 else -1]
        cursor = self._scroll_to(stop, self.text.viewport().height() // 2)
        cursor.setPosition(cursor.position() + len(self._lines[stop].lead), QTextCursor.MoveMode.KeepAnchor)
        mark = QTextEdit.ExtraSelection()
        mark.cursor = cursor  # pyright: ignore[reportAttributeAccessIssue]
        mark.format.setBackground(theme().accent)  # pyright: ignore[reportAttributeAccessIssue]
        mark.format.setForeground(theme().base)  # pyright: ignore[reportAttributeAccessIssue]
        self.text.setExtraSelections([mark])

    @property
    def _stops(self) -> list[int]:
        """The stops of the keys for changes: headings of messages, and the first line of each change below."""
        marks = ["rest", *(line.mark for line in islice(self._lines, MOST_LINES))]
        return [
            number
            for number, (before, mark) in enumerate(pairwise(marks))
            if mark == "heading" or (mark in _CHANGES and before not in (*_CHANGES, "heading"))
        ]

    def _ask(self) -> None:
        self.requested.emit()

    def _scroll_to(self, number: int, height: int) -> QTextCursor:
        """Put the cursor before a line and scroll the line to this height in the viewport."""
        cursor, bar = QTextCursor(self.text.document().findBlockByNumber(number)), self.text.verticalScrollBar()
        self.text.setTextCursor(cursor)  # this lays out everything up to there
        bar.setValue(bar.value() + self.text.cursorRect(cursor).top() - height)
        return cursor

    def _write(self) -> None:
        """Write the lines in the colours of the theme, keeping the top line in place."""
        document, first = self.text.document(), self.text.cursorForPosition(QPoint()).blockNumber()
        height = self.text.cursorRect(QTextCursor(document.findBlockByNumber(first))).top()
        self.text.setExtraSelections([])
        self.text.clear()
        own, cursor, page = self.text.textCursor(), QTextCursor(document), document.pageSize()
        own.setKeepPositionOnInsert(True)  # a cursor at the end would force the layout of everything
        self.text.setTextCursor(own)
        document.setPageSize(QSizeF(0, 0))  # nothing is laid out without a size, and with it only the visible part
        cursor.beginEditBlock()
        quiet = _format(theme().muted_text)
        cursor.insertText(self._trouble, quiet)
        formats, hanging = cache(_formats), cache(_hanging)  # of this theme and size of text
        for line in islice(self._lines, MOST_LINES):
            cursor.setBlockFormat(hanging(line.lead))
            _write_line(cursor, line, *formats(line.mark))
        if len(self._lines) > MOST_LINES:
            cursor.insertText(f"… {len(self._lines) - MOST_LINES:,} more lines", quiet)
        cursor.endEditBlock()
        document.setPageSize(page)
        self.text.setTextCursor(QTextCursor(document))  # the cursor from before now selects all the text written
        if first:
            self._scroll_to(min(first, document.blockCount() - 1), height)

    def changeEvent(self, event: QEvent) -> None:
        """Write the lines again: the theme's colours or the widths of the text are other ones; Qt sends this event for
        both.
        """
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_lines"):
            self._write()


def _write_line(cursor: QTextCursor, line: WrittenLine, usual: QTextCharFormat, marked: QTextCharFormat) -> None:
    cursor.insertText(line.lead, usual)
    for span in line.spans:
        cursor.insertText(made_visible(span.text[:MOST_CODE_POINTS]), marked if span.is_marked else usual)
        if len(span.text) > MOST_CODE_POINTS:
            more = f"… {len(span.text) - MOST_CODE_POINTS:,} more characters"
            cursor.insertText(more, _format(theme().muted_text))
    cursor.insertText("\n", usual)


def _formats(mark: Mark) -> tuple[QTextCharFormat, QTextCharFormat]:
    """Return the format of a line, and of its differing words."""
    look = theme()
    inks = {"rest": look.muted_text, "removed": look.error, "added": look.good, "moved": look.muted_text}
    grounds = {"removed": look.error_soft, "added": look.good_soft}
    usual, marked = _format(inks.get(mark, look.text)), _format(look.text)
    marked.setBackground(grounds.get(mark, look.hover))
    if mark == "heading":
        usual.setFontWeight(QFont.Weight.DemiBold)
    return usual, marked


def _hanging(lead: str) -> QTextBlockFormat:
    """Return the format of a line whose text wraps below itself, leaving the column of signs clear."""
    width = QFontMetricsF(fixed_font()).horizontalAdvance(lead)
    written = QTextBlockFormat()
    written.setLeftMargin(width)
    written.setTextIndent(-width)
    return written


def _format(ink: QColor) -> QTextCharFormat:
    written = QTextCharFormat()
    written.setForeground(ink)
    return written
