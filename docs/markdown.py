"""Markdown of the generated pages: texts of the program as prose, tables, and anchors of headings."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from inspector.tables import Face, Table, columns_on

_CODE = re.compile(r"(`[^`]*`)")
_SIGNS = re.compile(r"([\\*_\[\]|{}#])")
_NO_WORD = re.compile(r"[^\w\- ]")


def prose(text: str) -> str:
    """Return a text on one line that Markdown shows as it is; what stands in backticks stays code."""
    parts = _CODE.split(" ".join(text.split()))
    return "".join(part if part.startswith("`") else _literal(part) for part in parts)


def _literal(text: str) -> str:
    return _SIGNS.sub(r"\\\1", text.replace("&", "&amp;").replace("<", "&lt;"))


def code(text: str) -> str:
    """Return a text as code; an empty one as a dash."""
    return f"`{text}`" if text else "–"


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of cells that are Markdown already."""
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


def declared_table(declared: Table[Any], subject: Any) -> str:
    """Return the table of an answer with the columns of a terminal; names in the first column are code."""
    columns = columns_on(Face.TERMINAL, declared.columns_of(subject), subject)
    rows = (
        [code(column.text(subject, row)) if not place else prose(column.text(subject, row)) or "–"]
        for row in declared.rows(subject)
        for place, column in enumerate(columns)
    )
    cells = [cell for row in rows for cell in row]
    width = len(columns)
    return table([column.title for column in columns], (cells[at : at + width] for at in range(0, len(cells), width)))


def anchor(heading: str) -> str:
    """Return the anchor that MkDocs gives a heading, as the extension `toc` of Python-Markdown makes it."""
    return re.sub(r"[-\s]+", "-", _NO_WORD.sub("", heading.replace("`", "")).strip().lower())
