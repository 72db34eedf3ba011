"""Parts of drawings with two axes: ticks with their words, rectangles and legends. What they show is not known here."""

from collections.abc import Iterable, Sequence
from html import escape

from inspector.visible_text import on_one_line

INK, PAPER, LINE, MUTED = "#1b2027", "#ffffff", "#cdd2d8", "#5b6570"
SQUARE = 12
_CRISP = 'shape-rendering="crispEdges"'  # rectangles side by side have no seams


def ground(width: float, height: float) -> str:
    """White paper below everything: a file is looked at on any ground."""
    return f'<rect class="ground" width="{width:.0f}" height="{height:.0f}" fill="{PAPER}"/>'


def words(text: str, left: float, middle: float, anchor: str = "start", fill: str = INK) -> str:
    """A line of text; what it says may be from a file."""
    return (
        f'<text x="{left:.1f}" y="{middle:.1f}" text-anchor="{anchor}" fill="{fill}">{escape(on_one_line(text))}</text>'
    )


def box(left: float, top: float, width: float, height: float, fill: str) -> str:
    """A filled rectangle."""
    return f'<rect x="{left:.2f}" y="{top:.2f}" width="{width:.2f}" height="{height:.2f}" fill="{fill}" {_CRISP}/>'


def upright(left: float, top: float, height: float, fill: str = INK, dash: str = "4 3") -> str:
    """A line from top to bottom."""
    return f'<path d="M{left:.1f} {top:.1f}v{height:.1f}" stroke="{fill}" stroke-dasharray="{dash}" fill="none"/>'


def ticks(places: Iterable[tuple[float, str]], bottom: float) -> str:
    """Words below an axis, each with a short line at its place."""
    return "".join(
        f'<path d="M{place:.1f} {bottom:.1f}v4" stroke="{MUTED}" fill="none"/>'
        + words(text, place, bottom + 16, "middle", MUTED)
        for place, text in places
    )


def legend(entries: Sequence[tuple[str, str]], left: float, top: float, step: float) -> str:
    """Squares of colours, each with what it stands for, side by side."""
    return "".join(
        box(left + place * step, top, SQUARE, SQUARE, fill) + words(name, left + place * step + SQUARE + 6, top + 10)
        for place, (name, fill) in enumerate(entries)
    )
