"""Exporting an answer, by the ending of the file name: a report, the table of items, the bar, or the finished prompt.

Secrets are masked in all of them.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from inspector.assembly.answer import Answer, answer_value, ledger_terms
from inspector.assembly.bar_drawing import bar_file
from inspector.assembly.item_tables import FILE_KEYS, ITEM_ROWS
from inspector.assembly.prompt_page import prompt_page
from inspector.assembly.render import render_prompt
from inspector.assembly.report import markdown_report
from inspector.assembly.requests import REQUESTS, prompt_request
from inspector.csv_text import csv_lines, guarded
from inspector.json_text import json_document
from inspector.model import Workspace
from inspector.secrets import masked
from inspector.sources import files_of
from inspector.visible_text import on_one_line
from inspector.writing import write_file


class UnknownEndingError(ValueError):
    """The file name ends with something that no export writes; the message names what there is."""


def export_answer(
    answer: Answer,
    workspace: Workspace,
    path: str | Path,
    opened: Iterable[str | Path] = (),
    before: Answer | None = None,
    redacts: bool = False,
) -> tuple[str, ...]:
    """Write an answer in the form that the ending of the path names, whole or not at all; answers what has no place.

    `opened` are files that must stay beside those of the workspace. Page and bar compare with `before`; with
    `redacts` the page has hashes in place of texts. Raises UnknownEndingError, also where something else is to be
    redacted, SourceProtectedError for a file that was opened, OSError where writing fails.
    """
    ending = ending_of(path)
    if redacts and ending != PAGE:
        raise UnknownEndingError(f"{Path(path).name}: only a report that ends with {PAGE} can be redacted")
    lost: tuple[str, ...] = ()
    if ending == PAGE:
        content: str | bytes = masked(prompt_page(answer, before, redacts))
    elif ending == BAR:
        content = bar_file(answer, before)
    elif ending in REQUEST_ENDINGS:
        made = prompt_request(answer, REQUEST_ENDINGS[ending])
        content, lost = made.content, made.lost
    else:
        content = masked(TEXTS[ending](answer))
    write_file(path, content, [*files_of(workspace), *opened])
    return lost


def ending_of(path: str | Path) -> str:
    """The longest ending of a name that an export writes. Raises UnknownEndingError."""
    name = Path(path).name.lower()
    found = [ending for ending in ENDINGS if name.endswith(ending)]
    if not found:
        raise UnknownEndingError(f"{Path(path).name}: an export ends with one of {', '.join(ENDINGS)}")
    return max(found, key=len)


def json_text(answer: Answer) -> str:
    """The answer as the command line prints it with --format json."""
    return json_document(answer_value(answer)).decode()


def csv_text(answer: Answer) -> str:
    """One line for each item, in the order of the answer; what is not known is empty."""
    return "".join(csv_lines(ITEM_ROWS.records(answer.assembly), FILE_KEYS))


def tsv_text(answer: Answer) -> str:
    """The same with tabs between the cells, none of which has a tab or a line end in it."""
    lines = ("\t".join(map(_tab_cell, row.values())) for row in ITEM_ROWS.records(answer.assembly))
    return "".join(f"{line}\n" for line in ("\t".join(FILE_KEYS), *lines))


def rows_text(answer: Answer) -> str:
    """The same rows as a list of JSON."""
    return json_document(list(ITEM_ROWS.records(answer.assembly))).decode()


def _tab_cell(value: Any) -> str:
    return "" if value is None else str(value) if isinstance(value, int | float) else on_one_line(guarded(value))


def prompt_text(answer: Answer) -> str:
    """The finished prompt as the one text that the model gets; "" where none was made."""
    chat_format, tools, _ = ledger_terms(answer.case)
    return render_prompt(answer.assembly, chat_format, tools).chat.text


TEXTS: Mapping[str, Callable[[Answer], str]] = {
    ".json": json_text,
    ".items.json": rows_text,
    ".csv": csv_text,
    ".tsv": tsv_text,
    ".md": markdown_report,
    ".txt": prompt_text,
}
"""What each ending of a text writes."""
PAGE, BAR = ".html", ".svg"
REQUEST_ENDINGS = {f".{kind}.json": kind for kind in REQUESTS}
"""The endings of requests, and whose they are."""
ENDINGS = (PAGE, *TEXTS, BAR, *REQUEST_ENDINGS)
