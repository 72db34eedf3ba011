"""Pages of rich text, and stacks of them."""

import re
from collections.abc import Iterable, Sequence
from html import escape, unescape
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QColor, QImage, QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication, QStackedLayout, QTextBrowser, QWidget

from inspector.gui.parts.texts import excerpt, figures_whole, shown_length, tooltip
from inspector.gui.theme import named_font, theme

BAR_WIDTH = 80
_CELL = "padding:1px 12px 1px 0;"
_WHOLE = f"{_CELL}white-space:nowrap;"
# Qt drops the margins where paragraphs and tables meet.
_GAP = '<p style="font-size:4px;margin-top:0px;margin-bottom:0px;">&nbsp;</p>'


def paragraph(text: str, color: QColor | None = None, size: str = "", ending: str = "") -> str:
    """Return a sentence; `size` is a CSS font size, `ending` finished HTML after the text."""
    style = f"color:{color.name()};" if color else ""
    style += f"font-size:{size};" if size else ""
    return f'<p style="margin-top:0px;margin-bottom:8px;{style}">{plain(text)}{ending}</p>'


def verdict(html: str, color: QColor | None = None) -> str:
    """Return finished HTML as the one sentence of a view, in large type."""
    ink = f"color:{color.name()};" if color else ""
    size = f"{named_font('sentence').pointSizeF():.2f}pt"
    return f'<p style="{ink}font-size:{size};font-weight:600;margin:0px 0px 4px 0px;">{html}</p>'


def link(target: str, text: str, tip: str = "") -> str:
    """Return linked words with a tooltip."""
    title = f' title="{plain(tooltip(tip))}"' if tip else ""
    return f'<a href="{target}" style="color:{theme().accent.name()};"{title}>{plain(text)}</a>'


def heading(text: str) -> str:
    """Return a small heading above a table."""
    return f'<p style="margin-top:4px;margin-bottom:0px;font-weight:600;">{plain(text)}</p>'


def table(
    rows: Iterable[Sequence[str]],
    figures: Sequence[int] = (1,),
    sentences: Sequence[int] = (),
) -> str:
    """Return a table of finished cells (HTML); the columns in `figures` are right-aligned.

    The columns in `sentences` wrap if there is little room; all others stay on one line.
    """
    lines = []
    for cells in rows:
        sides = ("right" if place in figures else "left" for place in range(len(cells)))
        looks = (_CELL if place in sentences else _WHOLE for place in range(len(cells)))
        line = (
            f'<td style="{look}" align="{side}">{cell}</td>'
            for look, side, cell in zip(looks, sides, cells, strict=True)
        )
        lines.append(f"<tr>{''.join(line)}</tr>")
    return f'{_GAP}<table cellspacing="0" cellpadding="0">{"".join(lines)}</table>{_GAP}'


_LONGEST_BESIDE = 36


def pairs(lines: Iterable[tuple[str, str, str]]) -> str:
    """Return names at the left with their values at the right edge, each followed by a remark, or above a long one."""
    ink, cells = theme().second_text.name(), list[str]()
    for name, value, remark in lines:
        is_long = len(remark) > _LONGEST_BESIDE
        words = value if is_long else ", ".join(filter(None, (value, remark)))
        cells.append(
            f'<tr><td style="padding:2px 8px 2px 0;color:{ink};white-space:nowrap;">{plain(name)}</td>'
            f'<td style="padding:2px 0;" align="right">{plain(words)}</td></tr>'
        )
        if is_long:
            cells.append(f'<tr><td colspan="2" style="padding:0 0 2px 12px;color:{ink};">{plain(remark)}</td></tr>')
    return f'<table cellspacing="0" cellpadding="0" width="100%">{"".join(cells)}</table>'


def definitions(pairs: Iterable[tuple[str, str]], is_narrow: bool = False) -> str:
    """Return terms at the left with their meanings at the right, wrapped; in a narrow panel below each other."""
    if is_narrow:
        return "".join(paragraph("", ending=f"{muted(what)}<br>{plain(meaning)}") for what, meaning in pairs)
    style = "padding:0 16px 6px 0;"
    lines = (
        f'<tr><td style="{style}white-space:nowrap;" valign="top">{muted(what)}</td>'
        f'<td style="{style}" valign="top">{plain(meaning)}</td></tr>'
        for what, meaning in pairs
    )
    return f'{_GAP}<table cellspacing="0" cellpadding="0">{"".join(lines)}</table>'


def beside(*parts: str) -> str:
    """Return parts side by side, each as wide as it needs."""
    there = [part for part in parts if part]
    cells = "".join(f'<td style="padding-right:20px;" valign="top">{part}</td>' for part in there[:-1])
    cells += "".join(f'<td valign="top">{part}</td>' for part in there[-1:])
    return f'{_GAP}<table cellspacing="0" cellpadding="0"><tr>{cells}</tr></table>'


def bar(share: float, color: QColor, of: float = 1.0, width: int = BAR_WIDTH) -> str:
    """Return a bar that fills a share of a `width` in pixels, on a track with the share `of` it; both 0 to 1."""
    filled = round(min(max(share, 0.0), 1.0) * width)
    rest = round(min(max(of, 0.0), 1.0) * width) - filled
    ink = f'<td width="{filled}" bgcolor="{color.name()}" height="8"></td>' if filled else ""
    track = f'<td width="{rest}" bgcolor="{theme().border.name()}" height="8"></td>' if rest > 0 else ""
    room = f'<td width="{width - filled - max(rest, 0)}"></td>' if of < 1 else ""
    return f'<table cellspacing="0" cellpadding="0" width="{width}"><tr>{ink}{track}{room}</tr></table>'


def muted(text: str) -> str:
    """Return a few words in the muted colour."""
    return f'<span style="color:{theme().muted_text.name()};">{plain(text)}</span>'


def strong(text: str) -> str:
    """Return a few words in bold."""
    return f"<b>{plain(text)}</b>"


def plain(text: str) -> str:
    """Return the beginning of a text as HTML, with invisible characters written out."""
    return escape(figures_whole(excerpt(text)))


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


class Pages(QStackedLayout):
    """A stack of pages. Qt's own is as large as the largest page, so a small panel would scroll over empty room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(*filter(None, (parent,)))
        self.currentChanged.connect(lambda _: self.invalidate())

    def setCurrentIndex(self, index: int) -> None:
        """Turn to a page, which takes over the focus of the previous one.

        The focus is set as one that returns: Qt sets it without a reason, for which tables select their first row.
        """
        before, page, focused = self.currentWidget(), self.widget(index), QApplication.focusWidget()
        if before is page or not (before and page and focused and before.isAncestorOf(focused)):
            super().setCurrentIndex(index)
            return
        focused.clearFocus()
        super().setCurrentIndex(index)
        taker = next(filter(_takes_keyboard, (page, *page.findChildren(QWidget))), page)
        taker.setFocus(Qt.FocusReason.ActiveWindowFocusReason)

    def sizeHint(self) -> QSize:
        """Return the preferred size of the page."""
        page = self.itemAt(self.currentIndex())
        return page.sizeHint() if page else QSize()

    def minimumSize(self) -> QSize:
        """Return the least size of the page."""
        page = self.itemAt(self.currentIndex())
        return page.minimumSize() if page else QSize()

    def hasHeightForWidth(self) -> bool:
        page = self.itemAt(self.currentIndex())
        return page is not None and page.hasHeightForWidth()

    def heightForWidth(self, width: int) -> int:
        page = self.itemAt(self.currentIndex())
        return page.heightForWidth(width) if page else -1


def _takes_keyboard(widget: QWidget) -> bool:
    return widget.isVisible() and widget.isEnabled() and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
