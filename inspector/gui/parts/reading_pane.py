"""The pane in which a text of a file is read: as plain text, however long it is."""

import re
from collections.abc import Sequence

from PySide6.QtGui import QResizeEvent, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from inspector.gui.parts.visible_text import shown_length
from inspector.gui.theme import mark_color
from inspector.retrieval.search.words import marks_in
from inspector.visible_text import made_visible

MOST_CODE_POINTS = 500_000
"""How much of a text is shown: more is more than a person reads, and laying it out would stop the window."""
LONGEST_WORD = 1_000
MOST_MARKS = 200
"""More words than this are not marked in a text."""
# Where Qt may end a line: at spaces, and on either side of each sign of the scripts that are written without them.
_BREAKS = re.compile("[ \\t\\n\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff]")


def put_text(field: QPlainTextEdit, text: str) -> None:
    """Put a text into a field that breaks its lines between words; where a word is very long, anywhere.

    For a word without end Qt takes a time that grows with its square: minutes for 200,000 code points.
    """
    longest = max(map(len, _BREAKS.split(text)))
    usual, anywhere = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere, QTextOption.WrapMode.WrapAnywhere
    mode = usual if longest <= LONGEST_WORD else anywhere
    if mode != field.wordWrapMode():
        field.clear()  # the text before would be laid out once more
        field.setWordWrapMode(mode)
    field.setPlainText(text)


class ReadingPane(QPlainTextEdit):
    """A text that can be read and copied, not edited, with unseen characters written out."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._sought_at: int | None = None
        self.setReadOnly(True)
        self.setAccessibleName(name)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)

    def show_text(self, text: str) -> bool:
        """Show a text, of a very long one the beginning; the same one again stays as it is scrolled and selected.

        Returns whether it is another one than before.
        """
        if text == self._text:
            return False
        self._text, self._sought_at = text, None
        shown = made_visible(text[:MOST_CODE_POINTS])
        if len(text) > MOST_CODE_POINTS:
            shown += f"…\n\n{len(text) - MOST_CODE_POINTS:,} more characters are not shown."
        put_text(self, shown)
        return True

    @property
    def whole(self) -> str:
        """The text, all of it."""
        return self._text

    def bring_into_sight(self, places: Sequence[tuple[int, int]]) -> None:
        """Scroll to the first of these places, if there is one; it stays in sight in another size of this pane."""
        for start, _ in places[:1]:
            self.setTextCursor(self.cursor_over(start, start))
            self._seek()

    def _seek(self) -> None:
        self.centerCursor()
        self._sought_at = self.verticalScrollBar().value()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep what was brought into sight there, unless somebody has scrolled on."""
        is_as_sought = self._sought_at == self.verticalScrollBar().value()
        super().resizeEvent(event)
        if is_as_sought:
            self._seek()

    def marks_of(self, words: tuple[str, ...]) -> list[QTextEdit.ExtraSelection]:
        """What marks these words in the text."""
        ground = QTextCharFormat()
        ground.setBackground(mark_color())
        places = marks_in(self._text, words)[:MOST_MARKS]
        return [marked(self.cursor_over(start, end), ground) for start, end in places]

    def cursor_over(self, start: int, end: int) -> QTextCursor:
        """A cursor that selects the code points of the text from `start` up to `end`, as far as they are shown."""
        start, end = (min(place, MOST_CODE_POINTS) for place in (start, end))
        before = shown_length(made_visible(self._text[:start]))
        cursor = QTextCursor(self.document())
        cursor.setPosition(before)
        cursor.setPosition(before + shown_length(made_visible(self._text[start:end])), QTextCursor.MoveMode.KeepAnchor)
        return cursor


def marked(cursor: QTextCursor, look: QTextCharFormat) -> QTextEdit.ExtraSelection:
    """What a cursor selects, in another look."""
    selection = QTextEdit.ExtraSelection()
    selection.cursor, selection.format = cursor, look  # type: ignore[attr-defined]
    return selection
