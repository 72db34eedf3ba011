"""Visible text in widgets: its length there, and its beginning for labels and lists.

A text of a file may have any length. `one_line` and `excerpt` take only as much of its beginning as a place has room
for, so that no widget lays out more.
"""

import re

from inspector.secrets import masked_head
from inspector.visible_text import made_visible

LINE_CODE_POINTS = 300
"""More than fits on a line."""
EXCERPT_CODE_POINTS = 2_000
EXCERPT_LINES = 40
"""More than anyone reads in a label."""
_SPACES = {ord("\n"): " ", ord("\t"): " "}
_IN_FIGURES = re.compile(r"(?<=≈) (?=[-+\u2212]?\d)|(?<=\d) (?=%)")
_HELD_TOGETHER = re.compile(_IN_FIGURES.pattern.replace(" ", "\xa0"))


def figures_whole(text: str) -> str:
    """Return a text in which no line ends between a figure and its ≈ or %."""
    return _IN_FIGURES.sub("\xa0", text)


def figures_loose(text: str) -> str:
    """Return the original of a text from `figures_whole`."""
    return _HELD_TOGETHER.sub(" ", text)


def shown_length(text: str) -> int:
    """Return the length of a text in a Qt document, in UTF-16 code units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def one_line(text: str, limit: int = LINE_CODE_POINTS) -> str:
    """Return the beginning of a text on one line, with its spaces unchanged; … stands for the rest."""
    head = masked_head(text, limit)
    if len(text) <= limit and head.isprintable():
        return head
    head = made_visible(head).translate(_SPACES)
    return head if len(text) <= limit else f"{head}…"


def excerpt(text: str, limit: int = EXCERPT_CODE_POINTS, lines: int = EXCERPT_LINES) -> str:
    """Return the beginning of a text in at most this many lines; … stands for the rest."""
    head = masked_head(text, limit)
    if len(text) <= limit and head.isprintable():
        return head
    first = made_visible(head).split("\n", lines)
    shown = "\n".join(first[:lines])
    return f"{shown}…" if len(text) > limit or len(first) > lines else shown


def first_line(text: str, limit: int = 160) -> str:
    """Return the beginning of a text on one line, for lists."""
    head = " ".join(made_visible(masked_head(text, 2 * limit)).split())
    return head if len(head) <= limit and len(text) <= 2 * limit else f"{head[:limit].rstrip()}…"
