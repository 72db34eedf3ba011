"""What `report` writes of one prompt: a page, its table, its bar, or the prompt itself, by the ending of the name."""

from collections.abc import Sequence
from pathlib import Path

import click

from inspector.assembly.answer import Answer
from inspector.assembly.bar_drawing import bar_drawing
from inspector.assembly.export import ENDINGS, UnknownEndingError, export_answer
from inspector.assembly.inspection_file import inspection_part
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.cli.failure import InputError
from inspector.cli.inspections import baseline_of, file_of
from inspector.cli.loading import answer_for, named_failures, opened_files
from inspector.cli.options import read_scenario
from inspector.cli.output import say_written, warn
from inspector.cli.qt import picture_of_drawing
from inspector.drawings.svg import svg
from inspector.sources import SourceProtectedError
from inspector.writing import write_file

PICTURE = ".png"
PROMPT_ENDINGS = (*ENDINGS, PICTURE)
"""What the name of a report of one prompt may end with."""


def report_prompt(
    pipeline: Pipeline,
    paths: Sequence[str],
    scenario: Scenario,
    scenario_file: str | None,
    baseline: str | None,
    redacts: bool,
    out: str,
) -> None:
    """Write one prompt, and say where it is. Ends the command where something cannot be read or written."""
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
    """What is compared with: the scenario that was named, else the baseline of the inspection that is opened."""
    if baseline is not None:
        return read_scenario(baseline)
    return baseline_of(paths[0]) if paths and inspection_part(paths[0]) is not None else None


def _picture(out: str, answer: Answer, before: Answer | None) -> bytes:
    """The bar in pixels, which the window's library draws."""
    return picture_of_drawing(svg([bar_drawing(answer, before)]))
