"""Texts of files in places where Qt interprets text: tooltips, buttons, menus and the window title.

Qt takes a tooltip that looks like HTML for HTML, which can name pictures that Qt then loads: `<img
src="file:///dev/zero">` in a message would end the program. In the text of a button or a menu entry, & marks a key and
is not shown; so is [*] in a window title. Every text, including our own, goes through one of these functions on its way
to such a place. Labels are made by `parts.labels`, which show plain text by themselves.
"""

import re
from html import escape

from inspector.gui.parts.visible_text import excerpt, one_line

TOOLTIP_CODE_POINTS = 900
TOOLTIP_LINES = 40
WHOLE_LINE_CODE_POINTS = 160
"""Longer lines of a tooltip are broken even if it does not wrap."""
WINDOW_TITLE_CODE_POINTS = 200
_KEY_MARK = re.compile("&(.?)")


def tooltip(text: str, wraps: bool = False) -> str:
    """Return the beginning of a text as a tooltip that shows it literally, tags and line breaks included; "" for none.

    Blank lines at the end are left out. With `wraps`, it is a wrapped block, as suits the texts of items; otherwise
    only very long lines are broken.
    """
    if not text:
        return ""
    shown = excerpt(text.rstrip(), TOOLTIP_CODE_POINTS, TOOLTIP_LINES)
    if wraps or max(map(len, shown.split("\n"))) > WHOLE_LINE_CODE_POINTS:
        return f'<span style="white-space: pre-wrap">{escape(shown, quote=False)}</span>'
    return f'<div style="white-space: pre">{escape(shown, quote=False)}</div>'


def control_text(text: str, limit: int = 300) -> str:
    """Return a text for a button, a box or a menu entry: on one line, with every & visible."""
    return one_line(text, limit).replace("&", "&&")


def words_of_control(text: str) -> str:
    """Return the visible words of a button or a menu entry, without the key marks."""
    return _KEY_MARK.sub(r"\1", text)


def window_title(text: str) -> str:
    """Return a text for a window title, with every [*] visible."""
    return one_line(text, WINDOW_TITLE_CODE_POINTS).replace("[*]", "[*][*]")
