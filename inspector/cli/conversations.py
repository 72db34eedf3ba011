"""prompt-inspector conversations: every conversation with its length, its days, and its result under a setting."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import click

from inspector.analysis.archive.listing import CONVERSATION_COLUMNS, Archive, listed
from inspector.analysis.archive.overview import Looked, overview
from inspector.analysis.archive.survey import Survey, survey
from inspector.analysis.archive.survey_text import survey_lines, survey_value
from inspector.analysis.basis import Basis
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.cli.answering import Telling, answer
from inspector.cli.asking import open_asked
from inspector.cli.loading import named_failures, open_cache, progress_bar
from inspector.cli.output import warn
from inspector.tables import Table

CONVERSATIONS_FORMAT = "prompt-inspector/conversations@1"
SHOWN_FROM_CHATS = 20


def conversations(
    paths: tuple[str, ...],
    wanted: str,
    key: str | None,
    descending: bool,
    scenario_file: str | None,
    settings: tuple[str, ...],
    answer_format: str,
    **given: Any,
) -> None:
    """Run `prompt-inspector conversations` with the values of its options."""
    if descending and key is None:
        raise click.UsageError("--descending goes with --sort")
    pipeline, scenario = open_asked(paths, scenario_file, settings, given, everywhere=True)
    looked: dict[int, Looked] = {}
    archive = replace(Archive.of(pipeline.workspace.conversations), looked=looked)
    looking = _looking(pipeline, scenario, archive.matching(wanted).tolist(), looked)
    if key is None and answer_format == "csv":
        with named_failures():
            answer(archive, _telling(looking), answer_format)
        return
    with named_failures():
        rows = list(looking)
    if key is not None:
        rows = listed(archive, wanted, key, descending=descending).tolist()
    answer(archive, _telling(rows), answer_format)
    if answer_format == "table":
        for row in rows:
            if trouble := archive.looked[row].trouble:
                warn(f"{archive.title(row)}: {trouble}")


def _telling(rows: Iterable[int]) -> Telling[Archive]:
    table = Table(CONVERSATION_COLUMNS, lambda _: rows)

    def value(archive: Archive) -> dict[str, Any]:
        records = list(table.records(archive))
        return {"format": CONVERSATIONS_FORMAT, "conversations": records, "survey": survey_value(_survey(archive))}

    def below(archive: Archive) -> list[str]:
        return [f"{len(archive.looked):,} of {len(archive.conversations):,}", *survey_lines(_survey(archive))]

    return Telling([table], value, below=below, most=None)


def _survey(archive: Archive) -> Survey:
    return survey(list(archive.looked.values()), len(archive.looked))


def _looking(pipeline: Pipeline, scenario: Scenario, rows: Sequence[int], looked: dict[int, Looked]) -> Iterator[int]:
    """Yield these rows, each as soon as it is assembled; its figures are then in `looked`."""
    with progress_bar("Assembling", SHOWN_FROM_CHATS) as advance:
        for one in overview(Basis(pipeline, scenario, open_cache()), rows=rows):
            looked[one.row] = one
            advance(len(looked), len(rows))
            yield one.row
