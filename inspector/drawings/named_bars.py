"""Named bars and histograms as SVG: the charts of reports, with every figure as text."""

from collections.abc import Sequence
from dataclasses import dataclass

from inspector.drawings.colors import LIGHT, Palette, Role, Shade
from inspector.drawings.drawing import LETTER
from inspector.drawings.ink import Ink, document

_BAR, _GAP, _WIDTH, _MARGIN = 18, 6, 420, 16
_MOST_LETTERS = 40
_COLUMN, _HEIGHT, _FOOT = 46, 140, 34
_STRONG, _WEAK = Shade(Role.ACCENT), Shade(Role.ACCENT, 0.26)


@dataclass(frozen=True, slots=True)
class NamedBar:
    """A bar with its name, its length and the words beside it. `part` of it is filled with the stronger colour."""

    name: str
    value: float
    shown: str
    part: float | None = None


def named_bars(title: str, rows: Sequence[NamedBar], full: float = 0.0, palette: Palette = LIGHT) -> bytes:
    """Draw horizontal bars below each other; `full` is the value of a full bar, else the largest value."""
    largest = full or max((row.value for row in rows), default=0) or 1
    left, right = (
        _MARGIN + LETTER * max(map(len, texts), default=0)
        for texts in ([_short(row.name) for row in rows], [row.shown for row in rows])
    )
    ink = Ink(palette)
    drawn = (_bar(row, left, _GAP + place * (_BAR + _GAP), _WIDTH / largest, ink) for place, row in enumerate(rows))
    return document(title, left + _WIDTH + right, _GAP + len(rows) * (_BAR + _GAP), ink, "".join(drawn))


def _bar(row: NamedBar, left: int, top: int, scale: float, ink: Ink) -> str:
    width, part = row.value * scale, (row.value if row.part is None else row.part) * scale
    middle = top + _BAR - 5
    return (
        f"<g>{ink.tooltip(f'{row.name}: {row.shown}')}{ink.words(_short(row.name), left - 8, middle, 'end')}"
        f'<rect {ink.fill(_WEAK)} x="{left}" y="{top}" width="{width:.1f}" height="{_BAR}"/>'
        f'<rect {ink.fill(_STRONG)} x="{left}" y="{top}" width="{part:.1f}" height="{_BAR}"/>'
        f"{ink.words(row.shown, left + width + 6, middle)}</g>"
    )


def histogram(title: str, names: Sequence[str], values: Sequence[int], palette: Palette = LIGHT) -> bytes:
    """Return columns side by side, without the empty ones at both ends; nothing if all are empty."""
    filled = [place for place, value in enumerate(values) if value]
    if not filled:
        return b""
    shown, largest, ink = range(filled[0], filled[-1] + 1), max(values), Ink(palette)
    drawn = (_column(names[place], values[place], number, largest, ink) for number, place in enumerate(shown))
    return document(title, len(shown) * _COLUMN, _HEIGHT + _FOOT + 16, ink, "".join(drawn))


def _column(name: str, value: int, number: int, largest: int, ink: Ink) -> str:
    height = _HEIGHT * value / largest
    left, top, middle = number * _COLUMN, _HEIGHT + 16 - height, number * _COLUMN + _COLUMN / 2
    lines = name.split("–")
    label = "".join(
        ink.words(line, middle, _HEIGHT + 30 + 13 * place, "middle")
        for place, line in enumerate([f"{lines[0]}–", lines[1]] if len(lines) == 2 else lines)
    )
    return (
        f"<g>{ink.tooltip(f'{name}: {value:,}')}"
        f'<rect {ink.fill(_STRONG)} x="{left + 3}" y="{top:.1f}" width="{_COLUMN - 6}" height="{height:.1f}"/>'
        f"{ink.words(f'{value:,}', middle, top - 4, 'middle')}{label}</g>"
    )


def _short(name: str) -> str:
    return name if len(name) <= _MOST_LETTERS else f"{name[: _MOST_LETTERS - 1]}…"
