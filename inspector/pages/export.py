"""Exporting an answer, by the ending of the file name: a report, the table of items, the bar, or the finished prompt.

Secrets are masked in all of them.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from inspector.assembly.answer import Answer, ledger_terms, written_answer
from inspector.assembly.bar_drawing import bar_drawing
from inspector.assembly.item_tables import FILE_KEYS, ITEM_ROWS
from inspector.assembly.rendered_prompt import render_prompt
from inspector.csv_text import csv_lines, guarded
from inspector.drawings.svg import svg
from inspector.json_text import json_document
from inspector.model import Workspace
from inspector.pages.prompt_page import prompt_page
from inspector.pages.report import markdown_report
from inspector.pages.requests import REQUESTS, prompt_request
from inspector.secrets import masked
from inspector.sources import files_of
from inspector.visible_text import on_one_line
from inspector.writing import write_file


class UnknownEndingError(ValueError):
    """The file name has an ending that no export writes; the message names the known endings."""


def export_answer(
    answer: Answer,
    workspace: Workspace,
    path: str | Path,
    opened: Iterable[str | Path] = (),
    before: Answer | None = None,
    redacts: bool = False,
) -> tuple[str, ...]:
    """Write an answer in the form named by the ending of the path, atomically; return the parts without a place in it.

    `opened` are files that must not be overwritten, besides those of the workspace. Page and bar compare with `before`;
    with `redacts` the page has hashes in place of texts. Raise UnknownEndingError, also if another form is to be
    redacted, SourceProtectedError for an opened file, and OSError if writing fails.
    """
    ending = ending_of(path)
    if redacts and ending != PAGE:
        raise UnknownEndingError(f"{Path(path).name}: only a report that ends with {PAGE} can be redacted")
    lost: tuple[str, ...] = ()
    if ending == PAGE:
        content: str | bytes = masked(prompt_page(answer, before, redacts))
    elif ending == BAR:
        content = svg([bar_drawing(answer, before)])
    elif ending in REQUEST_ENDINGS:
        made = prompt_request(answer, REQUEST_ENDINGS[ending])
        content, lost = made.content, made.lost
    else:
        content = masked(TEXTS[ending](answer))
    write_file(path, content, [*files_of(workspace), *opened])
    return lost


def ending_of(path: str | Path) -> str:
    """Return the longest known ending of a file name. Raise UnknownEndingError."""
    name = Path(path).name.lower()
    found = [ending for ending in ENDINGS if name.endswith(ending)]
    if not found:
        raise UnknownEndingError(f"{Path(path).name}: an export ends with one of {', '.join(ENDINGS)}")
    return max(found, key=len)


def json_text(answer: Answer) -> str:
    """Return the answer as the command line prints it with --format json."""
    return json_document(written_answer(answer)).decode()


def csv_text(answer: Answer) -> str:
    """Return one line for each item, in the order of the answer; unknown values are empty."""
    return "".join(csv_lines(ITEM_ROWS.records(answer.assembly), FILE_KEYS))


def tsv_text(answer: Answer) -> str:
    """Return the same with tabs between the cells, which never contain tabs or line ends."""
    lines = ("\t".join(map(_tab_cell, row.values())) for row in ITEM_ROWS.records(answer.assembly))
    return "".join(f"{line}\n" for line in ("\t".join(FILE_KEYS), *lines))


def rows_text(answer: Answer) -> str:
    """Return the same rows as a JSON list."""
    return json_document(ITEM_ROWS.records(answer.assembly)).decode()


def _tab_cell(value: Any) -> str:
    return "" if value is None else str(value) if isinstance(value, int | float) else on_one_line(guarded(value))


def prompt_text(answer: Answer) -> str:
    """Return the finished prompt as the single text sent to the model; "" if none was made."""
    chat_format, tools = ledger_terms(answer.case)
    return render_prompt(answer.assembly, chat_format, tools).chat.text


TEXTS: Mapping[str, Callable[[Answer], str]] = {
    ".json": json_text,
    ".items.json": rows_text,
    ".csv": csv_text,
    ".tsv": tsv_text,
    ".md": markdown_report,
    ".txt": prompt_text,
}
"""The writer for each ending of a text."""
PAGE, BAR = ".html", ".svg"
REQUEST_ENDINGS = {f".{kind}.json": kind for kind in REQUESTS}
"""The endings of requests, with their kind."""
ENDINGS = (PAGE, *TEXTS, BAR, *REQUEST_ENDINGS)
