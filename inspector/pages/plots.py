"""Plots as SVG inside a page: bars that need no script, and figures as text. What they show is not known here."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from inspector.visible_text import on_one_line

_BAR, _GAP, _WIDTH, _MARGIN = 18, 6, 420, 16
_LETTER, _MOST_LETTERS = 7, 40
_COLUMN, _HEIGHT, _FOOT = 46, 140, 34


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar with its name, its length and what stands beside it. `part` of it is filled with the stronger colour."""

    name: str
    value: float
    shown: str
    part: float | None = None


def bars(title: str, rows: Sequence[Bar], whole: float = 0.0) -> str:
    """Bars from left to right, one below the other; `whole` is the length of a full one, else that of the largest."""
    largest = whole or max((row.value for row in rows), default=0) or 1
    height = len(rows) * (_BAR + _GAP)
    left, right = (
        _MARGIN + _LETTER * max(map(len, texts), default=0)
        for texts in ([_short(row.name) for row in rows], [row.shown for row in rows])
    )
    drawn = (_bar(row, left, place * (_BAR + _GAP), _WIDTH / largest) for place, row in enumerate(rows))
    return drawing(title, left + _WIDTH + right, height, "".join(drawn))


def _bar(row: Bar, left: int, top: int, scale: float) -> str:
    width, part = row.value * scale, (row.value if row.part is None else row.part) * scale
    middle = top + _BAR - 5
    return (
        f"<g><title>{escape(on_one_line(f'{row.name}: {row.shown}'))}</title>"
        f'<text x="{left - 8}" y="{middle}" text-anchor="end">{escape(on_one_line(_short(row.name)))}</text>'
        f'<rect class="weak" fill="#c6d8ec" x="{left}" y="{top}" width="{width:.1f}" height="{_BAR}"/>'
        f'<rect class="bar" fill="#2b6cb0" x="{left}" y="{top}" width="{part:.1f}" height="{_BAR}"/>'
        f'<text x="{left + width + 6:.1f}" y="{middle}">{escape(on_one_line(row.shown))}</text></g>'
    )


def columns(title: str, names: Sequence[str], values: Sequence[int]) -> str:
    """A histogram: columns side by side, without the empty ones at both ends."""
    filled = [place for place, value in enumerate(values) if value]
    if not filled:
        return ""
    shown = range(filled[0], filled[-1] + 1)
    largest = max(values)
    drawn = (_column(names[place], values[place], number, largest) for number, place in enumerate(shown))
    return drawing(title, len(shown) * _COLUMN, _HEIGHT + _FOOT + 16, "".join(drawn))


def _column(name: str, value: int, number: int, largest: int) -> str:
    height = _HEIGHT * value / largest
    left, top, middle = number * _COLUMN, _HEIGHT + 16 - height, number * _COLUMN + _COLUMN / 2
    lines = name.split("–")
    label = "".join(
        f'<text x="{middle}" y="{_HEIGHT + 30 + 13 * place}" text-anchor="middle">{escape(on_one_line(line))}</text>'
        for place, line in enumerate([f"{lines[0]}–", lines[1]] if len(lines) == 2 else lines)
    )
    return (
        f"<g><title>{escape(on_one_line(f'{name}: {value:,}'))}</title>"
        f'<rect class="bar" fill="#2b6cb0" x="{left + 3}" y="{top:.1f}" width="{_COLUMN - 6}" height="{height:.1f}"/>'
        f'<text x="{middle}" y="{top - 4:.1f}" text-anchor="middle">{value:,}</text>{label}</g>'
    )


def drawing(title: str, width: float, height: float, inside: str) -> str:
    """Shapes as a drawing of this size in pixels, for a page."""
    told = escape(on_one_line(title))
    return (
        f'<svg role="img" aria-label="{told}" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" font-family="sans-serif" font-size="12">'
        f"<title>{told}</title>{inside}</svg>"
    )


def alone(drawn: str) -> str:
    """A drawing as a file of its own."""
    return drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1) + "\n"


def _short(name: str) -> str:
    return name if len(name) <= _MOST_LETTERS else f"{name[: _MOST_LETTERS - 1]}…"
