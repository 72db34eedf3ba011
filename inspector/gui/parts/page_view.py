"""The view of a page: HTML shown once, and from then on, as long as only words and figures change, written over.

Reading HTML and laying it out anew takes longer than a slider has for a whole frame's explanation, and would take away
what a person just selected.
"""

import re
from collections.abc import Sequence
from html import unescape
from typing import NamedTuple

from PySide6.QtCore import QUrl
from PySide6.QtGui import QImage, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextBrowser, QWidget

from inspector.gui.parts.visible_text import shown_length

_TAG = re.compile(r"(<[^>]*>)")
_SPACES = re.compile(r"[ \t\n\r]+")
_NO_BREAK_SPACE = "\xa0"
_BETWEEN = f" {_NO_BREAK_SPACE}\u2028\u2029\ufdd0\ufdd1"
"""What may stand between two texts of a page in a Qt document: spaces, ends of lines, blocks, edges of tables."""


class _Text(NamedTuple):
    """A text of the page as Qt shows it, and whether spaces stand around it."""

    words: str
    before: bool
    after: bool


class BareDocument(QTextDocument):
    """A document that has nothing but its text: a picture or a style sheet that it names is never looked for."""

    def loadResource(self, kind: int, name: QUrl | str) -> QImage:
        """An empty picture: for nothing at all Qt opens the file itself."""
        return QImage()


class PageView(QTextBrowser):
    """Shows pages made by `page`. Text can be selected, and stays selected where it did not change."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDocument(BareDocument(self))
        self.setOpenLinks(False)
        self._html = ""
        self._tags: Sequence[str] = ()
        self._texts: Sequence[_Text] = ()

    def show_page(self, html: str) -> None:
        """Show a page; the place that was scrolled to stays."""
        if html == self._html:
            return
        tags, texts = _parts(html)
        before, same_tags = self._texts, tags == self._tags
        self._html, self._tags, self._texts = html, tags, texts
        if not same_tags or not self._write_over(before, texts):
            scrolled = self.verticalScrollBar().value()
            self.setHtml(html)
            self.verticalScrollBar().setValue(scrolled)

    def _write_over(self, before: Sequence[_Text], after: Sequence[_Text]) -> bool:
        """Put the texts that changed in the place of the old ones; False, and nothing done, where that cannot be."""
        shapes = ([(bool(text.words), *text[1:]) for text in texts] for texts in (before, after))
        starts = _starts(self.document().toRawText(), before)
        if starts is None or len(set(map(tuple, shapes))) > 1:
            return False
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for start, old, new in reversed(list(zip(starts, before, after, strict=True))):
            if old.words != new.words:
                cursor.setPosition(start)
                cursor.setPosition(start + shown_length(old.words), QTextCursor.MoveMode.KeepAnchor)
                cursor.insertText(new.words)  # looks as what was selected
        cursor.endEditBlock()
        return True


def _parts(html: str) -> tuple[list[str], list[_Text]]:
    """The tags of a page, and the texts before, between and after them."""
    parts = _TAG.split(html)
    tags, texts = parts[1::2], []
    unbroken = [False]  # whether the lines of each cell around stay whole, for which Qt takes other spaces
    for part, tag in zip(parts[::2], (*tags, ""), strict=True):
        text = _SPACES.sub(" ", unescape(part))
        words = text.strip(" ")
        words = words.replace(" ", _NO_BREAK_SPACE) if unbroken[-1] else words
        texts.append(_Text(words, text.startswith(" "), text.endswith(" ")))
        if tag.startswith("<td"):
            unbroken.append("nowrap" in tag)
        elif tag == "</td>":
            unbroken.pop()
    return tags, texts


def _starts(shown: str, texts: Sequence[_Text]) -> list[int] | None:
    """Where each text begins in a document, in UTF-16 code units; None where the document is not made of them."""
    starts, at, units = [], 0, 0
    for text in texts:
        found = shown.find(text.words, at)
        if found < 0 or shown[at:found].strip(_BETWEEN):
            return None
        units += shown_length(shown[at:found])
        starts.append(units)
        at, units = found + len(text.words), units + shown_length(text.words)
    return starts
