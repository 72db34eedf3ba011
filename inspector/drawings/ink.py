"""Parts of SVG in the colours of a palette, each with the name of its role as the class: a page may recolour it."""

from collections.abc import Iterable
from html import escape

from inspector.drawings.colors import STRIPES, Palette, Role, Shade
from inspector.visible_text import on_one_line

CRISP = 'shape-rendering="crispEdges"'  # rectangles side by side have no seams


class Ink:
    """The attributes of colours, and the patterns needed."""

    def __init__(self, palette: Palette) -> None:
        self._palette = palette
        self._striped: dict[Role, str] = {}

    @property
    def stripes(self) -> Iterable[str]:
        """The patterns of stripes requested so far."""
        return self._striped.values()

    def fill(self, tone: Shade) -> str:
        """Fill with a tone."""
        strength = "" if tone.share >= 1 else f' fill-opacity="{tone.share:.3g}"'
        return f'class="{tone.role}" fill="{self._palette[tone.role]}"{strength}'

    def stroke(self, role: Role, width: float = 1, dash: str = "") -> str:
        """Draw a line."""
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        return f'class="{role} line" stroke="{self._palette[role]}" stroke-width="{width:g}" fill="none"{dashed}'

    def striped(self, role: Role) -> str:
        """Fill with stripes of a colour."""
        line = f'<path {self.stroke(role)} stroke-opacity="{STRIPES}" d="M-1 1L1 -1M0 6L6 0M5 7L7 5"/>'
        pattern = f'<pattern id="stripes-{role}" width="6" height="6" patternUnits="userSpaceOnUse">{line}</pattern>'
        self._striped[role] = pattern
        return f'fill="url(#stripes-{role})"'

    def words(self, text: str, left: float, middle: float, anchor: str = "start", role: Role = Role.TEXT) -> str:
        """Return a line of text; it may be from a file."""
        at = f'x="{left:.1f}" y="{middle:.1f}"' + ("" if anchor == "start" else f' text-anchor="{anchor}"')
        return f"<text {self.fill(Shade(role))} {at}>{escape(on_one_line(text))}</text>"

    def tooltip(self, text: str) -> str:
        """Return the tooltip of a group."""
        return f"<title>{escape(on_one_line(text))}</title>"


def role_rules(palette: Palette) -> str:
    """Return the style rules that give drawings of a page the colours of another palette."""
    return "\n".join(
        f"svg .{role} {{ fill: {color}; }} svg .{role}.line {{ fill: none; stroke: {color}; }}"
        for role, color in palette.items()
    )


def document(title: str, width: float, height: float, ink: Ink, inside: str) -> bytes:
    """Return a drawing of this size in pixels on the ground of the palette, as the content of a file."""
    told = escape(on_one_line(title))
    stripes = "".join(ink.stripes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{told}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" '
        f'font-family="sans-serif" font-size="12"><title>{told}</title>'
        f"{stripes and f'<defs>{stripes}</defs>'}"
        f'<rect {ink.fill(Shade(Role.BASE))} width="{width:.0f}" height="{height:.0f}"/>{inside}</svg>\n'
    ).encode()
