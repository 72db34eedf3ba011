"""The report of a single prompt: a page, its table, its bar, or the prompt itself, by the ending of the name."""

from collections.abc import Sequence
from pathlib import Path

import click

from inspector.assembly.answer import Answer
from inspector.assembly.bar_drawing import bar_drawing
from inspector.assembly.inspection_file import inspection_part
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.cli.failure import InputError
from inspector.cli.inspections import baseline_of, file_of
from inspector.cli.loading import answer_for, named_failures, opened_files
from inspector.cli.output import say_written, warn
from inspector.cli.qt import picture_of_drawing
from inspector.cli.scenarios import read_scenario
from inspector.drawings.svg import svg
from inspector.pages.export import UnknownEndingError, export_answer
from inspector.sources import SourceProtectedError
from inspector.writing import write_file

PICTURE = ".png"


def report_prompt(
    pipeline: Pipeline,
    paths: Sequence[str],
    scenario: Scenario,
    scenario_file: str | None,
    baseline: str | None,
    redacts: bool,
    out: str,
) -> None:
    """Write the report of a single prompt, and report the file. End the command for unreadable or unwritable files."""
    compared = _baseline(paths, baseline)
    with named_failures():
        answer = answer_for(pipeline, scenario)
        before = answer_for(pipeline, compared) if compared else None
    opened = opened_files(paths, pipeline, scenario, scenario_file)
    opened += [file_of(baseline)] if baseline else []
    try:
        if Path(out).suffix.lower() == PICTURE:
            write_file(out, _picture(out, answer, before), opened)
        else:
            lost = export_answer(answer, pipeline.workspace, out, opened, before, redacts)
            for words in lost:
                warn(f"{out}: {words} could not be written")
    except UnknownEndingError as problem:
        raise click.UsageError(f"--out {problem}, or {PICTURE}") from None
    except SourceProtectedError as problem:
        raise InputError(str(problem)) from None
    except OSError as problem:
        raise InputError(f"{out}: cannot be written: {problem.strerror or problem}") from None
    say_written(f"the prompt ({answer.status}, {answer.ledger.total:,} tokens)", out)


def _baseline(paths: Sequence[str], baseline: str | None) -> Scenario | None:
    """Return the scenario to compare with: the named scenario, or else the baseline of the opened inspection."""
    if baseline is not None:
        return read_scenario(baseline)
    return baseline_of(paths[0]) if paths and inspection_part(paths[0]) is not None else None


def _picture(out: str, answer: Answer, before: Answer | None) -> bytes:
    """Return the bar in pixels, drawn by the window's library."""
    return picture_of_drawing(svg([bar_drawing(answer, before)]))
