"""Texts of files in the places where Qt reads more than text: tooltips, buttons, menus and the title of the window.

Qt takes a tooltip for HTML where it looks like that, and HTML names pictures that Qt then loads: `<img
src="file:///dev/zero">` in a message would end the program. In the text of a button or an entry of a menu, & marks a
key and is not shown; in the title of a window so is [*]. Every text goes through one of these functions on its way to
such a place, also our own. Labels are made by `parts.labels`, and know themselves that they show plain text.
"""

import re
from html import escape

from inspector.gui.parts.visible_text import excerpt, one_line

TOOLTIP_CODE_POINTS = 900
TOOLTIP_LINES = 40
WHOLE_LINE_CODE_POINTS = 160
"""Lines of a tooltip that are longer are broken even where it is not to wrap."""
WINDOW_TITLE_CODE_POINTS = 200
_KEY_MARK = re.compile("&(.?)")


def tooltip(text: str, wraps: bool = False) -> str:
    """The beginning of a text as a tooltip that shows it as it is, tags and line breaks included; "" for none.

    It ends where the text does: blank lines at the end are left out.

    One that `wraps` is made a block, as suits the texts of items; the lines of others are broken only where they are
    very long.
    """
    if not text:
        return ""
    shown = excerpt(text.rstrip(), TOOLTIP_CODE_POINTS, TOOLTIP_LINES)
    if wraps or max(map(len, shown.split("\n"))) > WHOLE_LINE_CODE_POINTS:
        return f'<span style="white-space: pre-wrap">{escape(shown, quote=False)}</span>'
    return f'<div style="white-space: pre">{escape(shown, quote=False)}</div>'


def control_text(text: str, limit: int = 300) -> str:
    """A text for a button, a box or an entry of a menu: on one line, with every & to be seen."""
    return one_line(text, limit).replace("&", "&&")


def words_of_control(text: str) -> str:
    """What a button or an entry of a menu reads as, without the marks of its keys."""
    return _KEY_MARK.sub(r"\1", text)


def window_title(text: str) -> str:
    """A text for the title of a window, with every [*] to be seen."""
    return one_line(text, WINDOW_TITLE_CODE_POINTS).replace("[*]", "[*][*]")
