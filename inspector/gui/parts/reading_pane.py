"""The pane in which a text of a file is read: as plain text, however long it is."""

import re

from PySide6.QtGui import QTextCursor, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from inspector.gui.parts.visible_text import made_visible, shown_length

MOST_CODE_POINTS = 500_000
"""How much of a text is shown: more is more than a person reads, and laying it out would stop the window."""
LONGEST_WORD = 1_000
# Where Qt may end a line: at spaces, and on either side of each sign of the scripts that are written without them.
_BREAKS = re.compile("[ \\t\\n\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff]")


def wrap_mode(text: str) -> QTextOption.WrapMode:
    """How the lines of a text are broken: between words, or anywhere where a word is very long.

    For a word without end Qt takes a time that grows with its square: minutes for 200,000 code points.
    """
    longest = max(map(len, _BREAKS.split(text)))
    usual = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
    return usual if longest <= LONGEST_WORD else QTextOption.WrapMode.WrapAnywhere


class ReadingPane(QPlainTextEdit):
    """A text that can be read and copied, not edited, with unseen characters written out."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self.setReadOnly(True)
        self.setAccessibleName(name)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)

    def show_text(self, text: str) -> bool:
        """Show a text, of a very long one the beginning; the same one again stays as it is scrolled and selected.

        Returns whether it is another one than before.
        """
        if text == self._text:
            return False
        self._text = text
        shown = made_visible(text[:MOST_CODE_POINTS])
        if len(text) > MOST_CODE_POINTS:
            shown += f"…\n\n{len(text) - MOST_CODE_POINTS:,} more characters are not shown."
        self.setWordWrapMode(wrap_mode(shown))
        self.setPlainText(shown)
        return True

    def cursor_over(self, start: int, end: int) -> QTextCursor:
        """A cursor that selects the code points of the text from `start` up to `end`, as far as they are shown."""
        start, end = (min(place, MOST_CODE_POINTS) for place in (start, end))
        before = shown_length(made_visible(self._text[:start]))
        cursor = QTextCursor(self.document())
        cursor.setPosition(before)
        cursor.setPosition(before + shown_length(made_visible(self._text[start:end])), QTextCursor.MoveMode.KeepAnchor)
        return cursor
