"""Pages: small HTML documents in the theme, for figures and sentences to read and copy."""

from collections.abc import Iterable, Sequence
from html import escape

from PySide6.QtGui import QColor

from inspector.gui.parts.plain_text import tooltip
from inspector.gui.parts.visible_text import excerpt, figures_whole
from inspector.gui.theme import theme

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
    is_narrow: bool = False,
) -> str:
    """Return a table of finished cells (HTML); the columns in `figures` are right-aligned.

    The columns in `sentences` wrap if there is little room; all others stay on one line. In a narrow panel the last
    cell of each row, a remark, is below the first, and these two wrap.
    """
    lines = []
    if is_narrow:
        rows, sentences = ((_above(cells[0], cells[-1]), *cells[1:-1]) for cells in rows), (0,)
    for cells in rows:
        sides = ("right" if place in figures else "left" for place in range(len(cells)))
        looks = (_CELL if place in sentences else _WHOLE for place in range(len(cells)))
        line = (
            f'<td style="{look}" align="{side}">{cell}</td>'
            for look, side, cell in zip(looks, sides, cells, strict=True)
        )
        lines.append(f"<tr>{''.join(line)}</tr>")
    return f'{_GAP}<table cellspacing="0" cellpadding="0">{"".join(lines)}</table>{_GAP}'


def _above(cell: str, remark: str) -> str:
    return cell if remark in ("", muted("")) else f"{cell}<br>{remark}"


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


def beside(*parts: str, is_narrow: bool = False) -> str:
    """Return parts side by side, each as wide as it needs, for wide panels; in a narrow panel below each other."""
    if is_narrow:
        return "".join(parts)
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
