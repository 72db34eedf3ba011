"""Exporting an answer: to JSON, CSV, Markdown, HTML or the plain text of the prompt, by the ending of the file name."""

import csv
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from inspector.assembly.answer import Answer, answer_value, ledger_terms
from inspector.assembly.columns import Action, Kind, Section, word
from inspector.assembly.decisions import Assembly
from inspector.assembly.render import render_prompt
from inspector.assembly.report import html_report, markdown_report
from inspector.model import Workspace
from inspector.writing import refuse_sources, write_atomically

CSV_COLUMNS = (
    *("id", "kind", "section", "role", "name", "time", "action", "reason"),
    *("tokens", "exact", "spent", "rank", "left", "score"),
)


class UnknownEndingError(ValueError):
    """The file name ends with something that no export writes; the message names what there is."""


def export_answer(answer: Answer, workspace: Workspace, path: str | Path) -> None:
    """Write an answer in the form that the ending of the path names, whole or not at all.

    Raises UnknownEndingError, SourceProtectedError for a file that was opened, OSError where writing fails.
    """
    ending = Path(path).suffix.lower()
    if ending not in EXPORTS:
        known = ", ".join(EXPORTS)
        raise UnknownEndingError(f"{Path(path).name}: an export ends with one of {known}")
    refuse_sources(workspace, path)
    write_atomically(path, EXPORTS[ending](answer))


def json_text(answer: Answer) -> str:
    """The answer as the command line prints it with --format json."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(answer_value(answer)), indent=2).decode() + "\n"


def csv_text(answer: Answer) -> str:
    """One line for each item, in the order of the answer; what is not known is empty."""
    written = io.StringIO()
    lines = csv.writer(written)
    lines.writerow(CSV_COLUMNS)
    lines.writerows(_csv_rows(answer.assembly))
    return written.getvalue()


def prompt_text(answer: Answer) -> str:
    """The finished prompt as the one text that the model gets; "" where none was made."""
    chat_format, tools, _ = ledger_terms(answer.case)
    return render_prompt(answer.assembly, chat_format, tools).chat.text


def _csv_rows(assembly: Assembly) -> Iterator[tuple[Any, ...]]:
    candidates = assembly.candidates
    for row in assembly.order.tolist():
        thing, score = candidates.things[row], float(assembly.score[row])
        time, rank = getattr(thing, "time", None), int(assembly.rank[row])
        yield (
            _unlike_a_formula(candidates.ids[row]),
            word(Kind(int(candidates.kind[row]))),
            word(Section(int(assembly.section[row]))),
            getattr(thing, "role", ""),
            _unlike_a_formula(getattr(thing, "name", "")),
            time.isoformat() if time else "",
            word(Action(int(assembly.action[row]))),
            assembly.reason_of(row).code,
            int(candidates.tokens[row]),
            "yes" if candidates.exact[row] else "no",
            int(assembly.spent[row]),
            "" if rank < 0 else rank,
            "" if (left := assembly.left_of(row)) is None else left,
            "" if np.isnan(score) else f"{score:.6g}",
        )


def _unlike_a_formula(text: str) -> str:
    """Text that a spreadsheet does not run: one that begins like a formula gets an apostrophe before it (OWASP)."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


EXPORTS: dict[str, Callable[[Answer], str]] = {
    ".json": json_text,
    ".csv": csv_text,
    ".md": markdown_report,
    ".html": html_report,
    ".txt": prompt_text,
}
"""What each ending writes."""
