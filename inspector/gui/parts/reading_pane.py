"""Panes for reading a text of a file: as plain text, of any length, or with the lines further apart."""

import re
from collections.abc import Sequence

from PySide6.QtCore import QEvent
from PySide6.QtGui import (
    QColor,
    QLinearGradient,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from inspector.gui.parts.texts import shown_length
from inspector.gui.theme import mark_color, theme
from inspector.retrieval.search.words import marks_in
from inspector.visible_text import made_visible

MOST_CODE_POINTS = 500_000
"""How much of a text is shown: no one reads more, and laying it out would block the window."""
LONGEST_WORD = 1_000
MOST_MARKS = 200
"""The largest number of marked words in a text."""
# Where Qt may end a line: at spaces, and on either side of each character in scripts written without spaces.
_BREAKS = re.compile("[ \\t\\n\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff]")


def wrap_mode(text: str) -> QTextOption.WrapMode:
    """Return how a text is wrapped: between words, or anywhere if a word is very long.

    For an endless word, Qt's time grows with the square of its length: minutes for 200,000 code points.
    """
    longest = max(map(len, _BREAKS.split(text)))
    usual, anywhere = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere, QTextOption.WrapMode.WrapAnywhere
    return usual if longest <= LONGEST_WORD else anywhere


def put_text(field: QPlainTextEdit, text: str) -> None:
    """Put a text into a field that breaks lines between words, or anywhere if a word is very long."""
    mode = wrap_mode(text)
    if mode != field.wordWrapMode():
        field.clear()  # to avoid laying out the old text again
        field.setWordWrapMode(mode)
    field.setPlainText(text)


def _shown(text: str) -> str:
    """Return a text as a pane shows it: only the beginning if it is very long, invisible characters written out."""
    shown = made_visible(text[:MOST_CODE_POINTS])
    if len(text) > MOST_CODE_POINTS:
        shown += f"…\n\n{len(text) - MOST_CODE_POINTS:,} more characters are not shown."
    return shown


def _cursor_over(pane: QPlainTextEdit | QTextEdit, text: str, start: int, end: int) -> QTextCursor:
    """Return a cursor that selects the code points of the text from `start` up to `end`, as far as shown."""
    start, end = (min(place, MOST_CODE_POINTS) for place in (start, end))
    before = shown_length(made_visible(text[:start]))
    cursor = QTextCursor(pane.document())
    cursor.setPosition(before)
    cursor.setPosition(before + shown_length(made_visible(text[start:end])), QTextCursor.MoveMode.KeepAnchor)
    return cursor


def _marks_of(pane: QPlainTextEdit | QTextEdit, text: str, words: tuple[str, ...]) -> list[QTextEdit.ExtraSelection]:
    """Return the marks on these words in the text."""
    ground = QTextCharFormat()
    ground.setBackground(mark_color())
    places = marks_in(text, words)[:MOST_MARKS]
    return [marked(_cursor_over(pane, text, start, end), ground) for start, end in places]


class ReadingPane(QPlainTextEdit):
    """A text for reading and copying, not editing, with invisible characters written out."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._sought_at: int | None = None
        self.setReadOnly(True)
        self.setAccessibleName(name)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)

    def show_text(self, text: str) -> bool:
        """Show a text, only the beginning if it is very long. The same text again keeps scroll position and selection.

        Returns whether it is a new text.
        """
        if text == self._text:
            return False
        self._text, self._sought_at = text, None
        put_text(self, _shown(text))
        return True

    @property
    def whole(self) -> str:
        """The whole text."""
        return self._text

    def bring_into_sight(self, places: Sequence[tuple[int, int]]) -> None:
        """Scroll to the first of these places, if any, and keep it in sight when the pane is resized."""
        for start, _ in places[:1]:
            self.setTextCursor(self.cursor_over(start, start))
            self._seek()

    def _seek(self) -> None:
        self.centerCursor()
        self._sought_at = self.verticalScrollBar().value()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the place in sight, unless the user has scrolled on."""
        is_as_sought = self._sought_at == self.verticalScrollBar().value()
        super().resizeEvent(event)
        if is_as_sought:
            self._seek()

    def marks_of(self, words: tuple[str, ...]) -> list[QTextEdit.ExtraSelection]:
        """Return the marks on these words in the text."""
        return _marks_of(self, self._text, words)

    def cursor_over(self, start: int, end: int) -> QTextCursor:
        """Return a cursor that selects the code points of the text from `start` up to `end`, as far as shown."""
        return _cursor_over(self, self._text, start, end)


LONGEST_SPACED = 20_000
"""The longest text shown by a spaced pane: Qt lays it out as a whole, in 10 ms at most."""
_MOST_PARAGRAPHS = 200
_FADE = 24
_LINE = 1.5
"""The height of a line of a spaced pane, in sizes of its font."""


class SpacedPane(QTextEdit):
    """The same for a text of up to `LONGEST_SPACED` code points, with its lines further apart."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._sought_at: int | None = None
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setUndoRedoEnabled(False)
        self.setAccessibleName(name)
        self.setFrameShape(QTextEdit.Shape.NoFrame)

    def show_text(self, text: str) -> bool:
        """Show a text from its beginning. The same text again keeps scroll position and selection.

        Returns whether it is a new text.
        """
        if text == self._text:
            return False
        self._text, self._sought_at = text, None
        self._write()
        return True

    def _write(self) -> None:
        shown = _shown(self._text)
        self.setExtraSelections([])
        self.clear()
        self.setWordWrapMode(wrap_mode(shown))
        spaced = QTextBlockFormat()
        height = _LINE * self.fontInfo().pixelSize()
        spaced.setLineHeight(height, QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
        cursor = QTextCursor(self.document())
        cursor.setBlockFormat(spaced)
        cursor.insertText(shown)
        self._close_blank_lines(height)
        self.verticalScrollBar().setValue(0)

    def _close_blank_lines(self, height: float) -> None:
        """Make the blank lines between paragraphs half as high."""
        half, document = QTextBlockFormat(), self.document()
        half.setLineHeight(height / 2, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        if document.blockCount() > _MOST_PARAGRAPHS:
            return
        block = document.begin().next()
        while block.isValid():
            if block.length() == 1:
                QTextCursor(block).setBlockFormat(half)
            block = block.next()

    @property
    def whole(self) -> str:
        """The whole text."""
        return self._text

    def height_at(self, width: int) -> int:
        """Return the height of the whole text in a pane of this width."""
        document = self.document()
        if document.textWidth() != width:
            document.setTextWidth(width)
        return round(document.size().height())

    def bring_into_sight(self, places: Sequence[tuple[int, int]]) -> None:
        """Scroll to the first of these places, if any, and keep it in sight when the pane is resized."""
        for start, _ in places[:1]:
            self.setTextCursor(self.cursor_over(start, start))
            self._seek()

    def _seek(self) -> None:
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect().center().y() - self.viewport().height() // 2)
        self._sought_at = bar.value()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the place in sight, unless the user has scrolled on."""
        is_as_sought = self._sought_at == self.verticalScrollBar().value()
        super().resizeEvent(event)
        if is_as_sought:
            self._seek()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Let the text fade out where it goes on below."""
        super().paintEvent(event)
        bar = self.verticalScrollBar()
        if bar.value() < bar.maximum():
            place = self.viewport().rect()
            place.setTop(place.bottom() + 1 - _FADE)
            fading, ground = QLinearGradient(place.topLeft(), place.bottomLeft()), QColor(theme().base)
            fading.setColorAt(1, ground)
            ground.setAlpha(0)
            fading.setColorAt(0, ground)
            painter = QPainter(self.viewport())
            painter.fillRect(place, fading)
            painter.end()

    def changeEvent(self, event: QEvent) -> None:
        """Space the lines for another size of the text."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._text:
            self._write()

    def marks_of(self, words: tuple[str, ...]) -> list[QTextEdit.ExtraSelection]:
        """Return the marks on these words in the text."""
        return _marks_of(self, self._text, words)

    def cursor_over(self, start: int, end: int) -> QTextCursor:
        """Return a cursor that selects the code points of the text from `start` up to `end`."""
        return _cursor_over(self, self._text, start, end)


def marked(cursor: QTextCursor, look: QTextCharFormat) -> QTextEdit.ExtraSelection:
    """Return the cursor's selection in another look."""
    selection = QTextEdit.ExtraSelection()
    selection.cursor, selection.format = cursor, look  # type: ignore[attr-defined]
    return selection
