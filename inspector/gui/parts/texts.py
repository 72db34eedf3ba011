"""Texts of files as labels, tooltips and names show them: plain, visible, and distinguishable."""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise

from inspector.secrets import masked_head
from inspector.visible_text import made_visible

LINE_CODE_POINTS = 300
"""More than fits on a line."""
EXCERPT_CODE_POINTS = 2_000
EXCERPT_LINES = 40
"""More than anyone reads in a label."""
_OF_COMMANDS = re.compile(r" \((?:[^()]*--[^()]*|explain|M|prompt-inspector [^()]*)\)")
_SPACES = {ord("\n"): " ", ord("\t"): " "}
_IN_FIGURES = re.compile(r"(?<=≈) (?=[-+\u2212]?\d)|(?<=\d) (?=%)")
_HELD_TOGETHER = re.compile(_IN_FIGURES.pattern.replace(" ", "\xa0"))


def in_window(text: str) -> str:
    """Return a message without what it says of the command line, in brackets."""
    return _OF_COMMANDS.sub("", text)


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


SEEN = 14
"""How many letters at the start of a name are always visible; names that differ within them stay unchanged."""
_BEGINNING = 10
_LONGEST_WORD = 12
_AFTER = 9
_ELLIPSIS = "…"


def told_apart(names: Sequence[str]) -> list[str]:
    """Return the names, each without the stretches shared with others, so that any two different names look different.

    A name with a unique beginning stays unchanged: a view cuts off its end where room is short.
    """
    known = sorted(set(names))
    if len(known) < 2:
        return list(names)
    shared = [_letters_shared(*pair) for pair in pairwise(known)]
    before, after = _forks(shared), list(_forks(reversed(shared)))[::-1]
    short = {name: _shortened(name, sorted({*one, *two})) for name, one, two in zip(known, before, after, strict=True)}
    return [short[name] for name in names]


def without_beginning(name: str, short: str) -> str:
    """Return a name shortened by `told_apart` without its beginning, for even less room."""
    beginning = name[:_BEGINNING].rstrip()
    return short.removeprefix(beginning) if short != name and short.startswith(f"{beginning}{_ELLIPSIS}") else short


def _letters_shared(one: str, two: str) -> int:
    """Return how many letters both have in common at the beginning."""
    alike, most = 0, min(len(one), len(two))
    while alike < most:  # bisection: there may be tens of thousands of names
        middle = (alike + most + 1) // 2
        if one[alike:middle] == two[alike:middle]:
            alike = middle
        else:
            most = middle - 1
    return alike


def _forks(shared: Iterable[int]) -> Iterator[list[int]]:
    """Yield for each name the places, past the always visible letters, where it differs from an earlier name.

    `shared` gives for each name but the first the number of letters shared with its predecessor.
    """
    forks: list[int] = []
    yield forks[:]
    for place in shared:
        while forks and forks[-1] > place:
            forks.pop()
        if place >= SEEN and place not in forks[-1:]:
            forks.append(place)
        yield forks[:]


def _shortened(name: str, forks: Sequence[int]) -> str:
    """Return the beginning of a name, and the surroundings of the places where it differs from others."""
    if not forks:
        return name
    pieces, end = [name[:_BEGINNING]], _BEGINNING
    for fork in forks:
        start = max(_word_start(name, fork), end)
        if start > end:
            pieces[-1] = f"{pieces[-1].rstrip()}{_ELLIPSIS}"
        until = len(name) if fork == forks[-1] else fork + _AFTER
        pieces.append(name[start:until])
        end = max(end, until)
    return "".join(pieces)


def _word_start(name: str, place: int) -> int:
    """Return the start of the word at a place, or a little before the place if words are long or not separated."""
    word = name.rfind(" ", 0, place) + 1
    return word if place - word <= _LONGEST_WORD else place - 2
