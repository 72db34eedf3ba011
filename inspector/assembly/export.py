"""Exporting an answer: to JSON, CSV, Markdown, HTML or the plain text of the prompt, by the ending of the file name."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from inspector.assembly.answer import Answer, answer_value, ledger_terms
from inspector.assembly.columns import Action, Kind, Section, word
from inspector.assembly.decisions import Assembly
from inspector.assembly.render import render_prompt
from inspector.assembly.report import html_report, markdown_report
from inspector.csv_text import csv_lines
from inspector.json_text import json_document
from inspector.model import Workspace
from inspector.secrets import masked
from inspector.sources import files_of
from inspector.writing import write_file

CSV_COLUMNS = (
    *("id", "kind", "section", "role", "name", "time", "action", "reason"),
    *("tokens", "exact", "spent", "rank", "left", "score"),
)


class UnknownEndingError(ValueError):
    """The file name ends with something that no export writes; the message names what there is."""


def export_answer(answer: Answer, workspace: Workspace, path: str | Path, opened: Iterable[str | Path] = ()) -> None:
    """Write an answer in the form that the ending of the path names, whole or not at all.

    `opened` are files that must stay beside those of the workspace. Raises UnknownEndingError, SourceProtectedError
    for a file that was opened, OSError where writing fails.
    """
    ending = Path(path).suffix.lower()
    if ending not in EXPORTS:
        known = ", ".join(EXPORTS)
        raise UnknownEndingError(f"{Path(path).name}: an export ends with one of {known}")
    write_file(path, masked(EXPORTS[ending](answer)), [*files_of(workspace), *opened])


def json_text(answer: Answer) -> str:
    """The answer as the command line prints it with --format json."""
    return json_document(answer_value(answer)).decode()


def csv_text(answer: Answer) -> str:
    """One line for each item, in the order of the answer; what is not known is empty."""
    return "".join(csv_lines(_csv_rows(answer.assembly), CSV_COLUMNS))


def prompt_text(answer: Answer) -> str:
    """The finished prompt as the one text that the model gets; "" where none was made."""
    chat_format, tools, _ = ledger_terms(answer.case)
    return render_prompt(answer.assembly, chat_format, tools).chat.text


def _csv_rows(assembly: Assembly) -> Iterator[dict[str, Any]]:
    candidates = assembly.candidates
    for row in assembly.order.tolist():
        thing, score = candidates.things[row], float(assembly.score[row])
        time, rank = getattr(thing, "time", None), int(assembly.rank[row])
        yield {
            "id": candidates.ids[row],
            "kind": word(Kind(int(candidates.kind[row]))),
            "section": word(Section(int(assembly.section[row]))),
            "role": getattr(thing, "role", None),
            "name": getattr(thing, "name", None),
            "time": time.isoformat() if time else None,
            "action": word(Action(int(assembly.action[row]))),
            "reason": assembly.reason_of(row).code,
            "tokens": int(candidates.tokens[row]),
            "exact": "yes" if candidates.exact[row] else "no",
            "spent": int(assembly.spent[row]),
            "rank": None if rank < 0 else rank,
            "left": assembly.left_of(row),
            "score": None if np.isnan(score) else float(f"{score:.6g}"),
        }


EXPORTS: dict[str, Callable[[Answer], str]] = {
    ".json": json_text,
    ".csv": csv_text,
    ".md": markdown_report,
    ".html": html_report,
    ".txt": prompt_text,
}
"""What each ending writes."""
