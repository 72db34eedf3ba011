"""The view of a page: HTML shown once, and overwritten in place as long as only words and figures change.

Parsing and laying out HTML takes longer than a whole frame of a slider's drag, and would clear the user's selection.
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
"""Possible separators between two texts of a page in a Qt document: spaces, ends of lines, blocks, edges of tables."""


class _Text(NamedTuple):
    """A text of the page as Qt shows it, and whether there are spaces around it."""

    words: str
    before: bool
    after: bool


class BareDocument(QTextDocument):
    """A document with nothing but its text: pictures and style sheets named in it are never loaded."""

    def loadResource(self, kind: int, name: QUrl | str) -> QImage:
        """Return an empty picture: without any, Qt would open the file itself."""
        return QImage()


class PageView(QTextBrowser):
    """Shows pages made by `page`. Text can be selected, and stays selected where it is unchanged."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDocument(BareDocument(self))
        self.setOpenLinks(False)
        self._html = ""
        self._tags: Sequence[str] = ()
        self._texts: Sequence[_Text] = ()

    def show_page(self, html: str) -> None:
        """Show a page and keep the scroll position."""
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
        """Replace the changed texts in place. Returns False, with nothing done, if that is impossible."""
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
                cursor.insertText(new.words)  # with the format of the selection
        cursor.endEditBlock()
        return True


def _parts(html: str) -> tuple[list[str], list[_Text]]:
    """Return the tags of a page, and the texts before, between and after them."""
    parts = _TAG.split(html)
    tags, texts = parts[1::2], []
    unbroken = [False]  # for each enclosing cell: Qt uses other spaces without wrapping
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
    """Return the start of each text in a document, in UTF-16 code units, or None if the document differs."""
    starts, at, units = [], 0, 0
    for text in texts:
        found = shown.find(text.words, at)
        if found < 0 or shown[at:found].strip(_BETWEEN):
            return None
        units += shown_length(shown[at:found])
        starts.append(units)
        at, units = found + len(text.words), units + shown_length(text.words)
    return starts
