"""Pages: small HTML documents in the theme, for places where figures and sentences are read and copied."""

from collections.abc import Iterable, Sequence
from html import escape

from PySide6.QtGui import QColor

from inspector.gui.parts.plain_text import tooltip
from inspector.gui.parts.visible_text import excerpt, figures_whole
from inspector.gui.theme import theme

BAR_WIDTH = 80
_CELL = "padding:1px 12px 1px 0;"
_WHOLE = f"{_CELL}white-space:nowrap;"
# Qt gives the margins of paragraphs and tables up where they meet.
_GAP = '<p style="font-size:4px;margin-top:0px;margin-bottom:0px;">&nbsp;</p>'


def paragraph(text: str, color: QColor | None = None, size: str = "", ending: str = "") -> str:
    """A sentence; `size` is a CSS font size, `ending` finished HTML that follows the text."""
    style = f"color:{color.name()};" if color else ""
    style += f"font-size:{size};" if size else ""
    return f'<p style="margin-top:0px;margin-bottom:8px;{style}">{plain(text)}{ending}</p>'


def link(target: str, text: str, tip: str = "") -> str:
    """Words that lead somewhere, with a tip."""
    title = f' title="{plain(tooltip(tip))}"' if tip else ""
    return f'<a href="{target}" style="color:{theme().accent.name()};"{title}>{plain(text)}</a>'


def heading(text: str) -> str:
    """A small heading above a table."""
    return f'<p style="margin-top:4px;margin-bottom:0px;font-weight:600;">{plain(text)}</p>'


def table(
    rows: Iterable[Sequence[str]],
    figures: Sequence[int] = (1,),
    sentences: Sequence[int] = (),
    is_narrow: bool = False,
) -> str:
    """A table of finished cells (HTML); those of the columns in `figures` stand at the right.

    Those of the columns in `sentences` take more lines where there is little room; all others stay on one. In a narrow
    panel the last cell of each row, a remark, stands below the first, and these two take more lines.
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
    """What is defined at the left, and at the right what it means, in as many lines as needed; narrow, below it."""
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
    """Parts side by side, each as wide as it needs, for panels that are wider than high; in a narrow one below."""
    if is_narrow:
        return "".join(parts)
    there = [part for part in parts if part]
    cells = "".join(f'<td style="padding-right:20px;" valign="top">{part}</td>' for part in there[:-1])
    cells += "".join(f'<td valign="top">{part}</td>' for part in there[-1:])
    return f'{_GAP}<table cellspacing="0" cellpadding="0"><tr>{cells}</tr></table>'


def bar(share: float, color: QColor, of: float = 1.0, width: int = BAR_WIDTH) -> str:
    """A bar that fills a share of a `width` in pixels, on a track that takes the share `of` it; both 0 to 1."""
    filled = round(min(max(share, 0.0), 1.0) * width)
    rest = round(min(max(of, 0.0), 1.0) * width) - filled
    ink = f'<td width="{filled}" bgcolor="{color.name()}" height="8"></td>' if filled else ""
    track = f'<td width="{rest}" bgcolor="{theme().border.name()}" height="8"></td>' if rest > 0 else ""
    room = f'<td width="{width - filled - max(rest, 0)}"></td>' if of < 1 else ""
    return f'<table cellspacing="0" cellpadding="0" width="{width}"><tr>{ink}{track}{room}</tr></table>'


def muted(text: str) -> str:
    """A few words in the muted colour."""
    return f'<span style="color:{theme().muted_text.name()};">{plain(text)}</span>'


def strong(text: str) -> str:
    """A few words that stand out."""
    return f"<b>{plain(text)}</b>"


def plain(text: str) -> str:
    """The beginning of a text as HTML, with unseen characters written out."""
    return escape(figures_whole(excerpt(text)))
