"""Parts of a page: itself, sentences, tables, frames. Text is escaped, and unseen characters are written out."""

import re
from collections.abc import Iterable, Sequence
from html import escape

from inspector.drawings.colors import DARK, LIGHT, Palette, Role
from inspector.drawings.ink import role_rules
from inspector.figures import figures
from inspector.tables import Column, Subject
from inspector.visible_text import on_one_line

_VARIABLES = {
    "ink": Role.TEXT,
    "faint": Role.MUTED,
    "line": Role.BORDER,
    "paper": Role.BASE,
}


def _variables(palette: Palette) -> str:
    return " ".join(f"--{name}: {palette[role]};" for name, role in _VARIABLES.items())


_STYLE = f"""
:root {{ color-scheme: light dark; }}
:root {{ {_variables(LIGHT)} }}
@media (prefers-color-scheme: dark) {{
:root {{ {_variables(DARK)} }}
{role_rules(DARK)}
}}
"""
_RULES = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 72em; padding: 0 1em; color: var(--ink);
  background: var(--paper); }
h2 { margin-top: 2em; }
p { max-width: 48em; }
div.wide { overflow-x: auto; background:
  linear-gradient(to right, var(--paper) 2em, transparent) left / 4em 100% no-repeat local,
  linear-gradient(to left, var(--paper) 2em, transparent) right / 4em 100% no-repeat local,
  linear-gradient(to right, var(--line), transparent) left / 1em 100% no-repeat,
  linear-gradient(to left, var(--line), transparent) right / 1em 100% no-repeat; }
table { border-collapse: collapse; margin: 0.5em 0 1.5em; }
th, td { padding: 2px 14px 2px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--faint); font-weight: 600; }
td { overflow-wrap: break-word; max-width: 34em; }
td.words { min-width: 14em; }
.figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
svg { display: block; margin: 0.5em 0 1em; font: 12px system-ui, sans-serif; }
"""
_WORDS = 40
"""The length from which a cell counts as sentences, and is kept wide enough for reading on a narrow page."""
Cell = str | int | float | None
_FIGURE = re.compile(r"(≈ \d[\d,]*|[+\-\N{MINUS SIGN}]?\d[\d,]*(\.\d+)? ?%)")


def page(title: str, body: Iterable[str], head: str = "") -> str:
    """Return a whole page of parts, without empty parts; `head` is the further content of its head."""
    begin = f'<meta charset="utf-8"><title>{escape(on_one_line(title))}</title><style>{_STYLE}{_RULES}</style>{head}'
    viewport = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    opened = f'<!DOCTYPE html>\n<html lang="en"><head>{begin}{viewport}</head>\n<body>\n'
    return opened + "\n".join(filter(None, body)) + "\n</body></html>\n"


def heading(text: str, level: int = 2) -> str:
    """Return a heading; 1 is the level of the page."""
    return f"<h{level}>{escape(on_one_line(text))}</h{level}>"


def sentence(text: str) -> str:
    """Return a paragraph of its own."""
    return f"<p>{escape(on_one_line(text))}</p>"


def table(titles: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return a table; columns with a number are columns of figures, None is an empty cell."""
    made = list(rows)
    figures = columns_of_figures(titles, made)
    lines = (f"<tr>{''.join(map(cell, row, figures))}</tr>" for row in made)
    return framed_table(titles, figures, lines)


def told_table(columns: Sequence[Column[Subject]], subject: Subject, rows: Iterable[int]) -> str:
    """Return rows of a declared table."""
    figures = [column.is_figure for column in columns]
    told = (map(cell, (column.text(subject, row) for column in columns), figures) for row in rows)
    return framed_table([column.title for column in columns], figures, (f"<tr>{''.join(cells)}</tr>" for cells in told))


def framed_table(titles: Sequence[str], figures: Sequence[bool], lines: Iterable[str]) -> str:
    """Return a table of finished lines; `figures` says which columns are of figures."""
    head = "".join(cell(title, figure, "th") for title, figure in zip(titles, figures, strict=True))
    return f'<div class="wide"><table><tr>{head}</tr>{"".join(lines)}</table></div>'


def framed_drawing(drawn: bytes) -> str:
    """Return a drawing at its own size, so that it is readable on a narrow page, too; "" if there is none."""
    return f'<div class="wide">{drawn.decode()}</div>' if drawn else ""


def cell(value: Cell, figure: bool = False, tag: str = "td") -> str:
    """Return a cell of a table."""
    written = on_one_line(cell_text(value))
    kind = "figure" if figure else "words" if len(written) > _WORDS else ""
    opened = f'{tag} class="{kind}"' if kind else tag
    return f"<{opened}>{escape(written)}</{tag}>"


def cell_text(value: Cell) -> str:
    """Return the text of a cell."""
    if value is None or isinstance(value, str):
        return value or ""
    return f"{value:,.2f}".replace("-", "\N{MINUS SIGN}") if isinstance(value, float) else figures(value)


def columns_of_figures(titles: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[bool]:
    """Return which columns are of figures: those with a number in any row, or with only percentages or estimates."""
    return [_is_of_figures([row[place] for row in rows]) for place in range(len(titles))]


def _is_of_figures(column: Sequence[Cell]) -> bool:
    texts = [value for value in column if isinstance(value, str) and value]
    has_numbers = any(isinstance(value, int | float) for value in column)
    return has_numbers or (bool(texts) and all(map(_FIGURE.fullmatch, texts)))
