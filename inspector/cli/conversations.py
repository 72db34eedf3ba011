"""prompt-inspector conversations: every conversation with its length, its days, and what a setting makes of it."""

from dataclasses import replace
from typing import Any

import click

from inspector.analysis.archive.listing import COLUMNS, Archive, listed
from inspector.analysis.archive.overview import overview
from inspector.analysis.basis import Basis
from inspector.assembly.columns import Rows
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.cli.asking import open_asked
from inspector.cli.loading import named_failures, open_cache, progress_bar
from inspector.cli.options import paths_argument, rows_format_option, scenario_options
from inspector.cli.output import print_csv, print_json, say, warn
from inspector.cli.sections import SectionedCommand
from inspector.figures import figures

CONVERSATIONS_FORMAT = "prompt-inspector/conversations@1"
SHOWN_FROM_CHATS = 20


@click.command(cls=SectionedCommand, short_help="List conversations with what a setting makes of each.")
@paths_argument
@click.option(
    "--find", "wanted", default="", metavar="WORDS", help="Only those with these words in their title or file."
)
@click.option("--sort", "key", type=click.Choice(list(COLUMNS)), help="Column to sort by; else as they were opened.")
@click.option("--descending", is_flag=True, help="With --sort: the highest first.")
@scenario_options
@rows_format_option
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
    """List the conversations of PATHS: file, length, days, and tokens, prompt, dropped items and findings of each.

    Every one is assembled as if the scenario chose it. `recall` is there where questions of the files ask about it.
    """
    if descending and key is None:
        raise click.UsageError("--descending goes with --sort")
    pipeline, scenario = open_asked(paths, scenario_file, settings, given, everywhere=True)
    with named_failures():
        archive = _looked_at(pipeline, scenario)
    rows = listed(archive, wanted, key or "", descending=descending)
    values = (archive.value(row) for row in rows.tolist())
    if answer_format == "json":
        print_json({"format": CONVERSATIONS_FORMAT, "conversations": list(values)})
    elif answer_format == "csv":
        print_csv(values)
    else:
        _print(archive, rows)


def _looked_at(pipeline: Pipeline, scenario: Scenario) -> Archive:
    """What is open, with the figures of all of it."""
    archive = Archive.of(pipeline.workspace.conversations)
    looked, count = {}, len(archive.conversations)
    with progress_bar("Assembling", SHOWN_FROM_CHATS) as advance:
        for one in overview(Basis(pipeline, scenario, open_cache())):
            looked[one.row] = one
            advance(len(looked), count)
    return replace(archive, looked=looked)


def _print(archive: Archive, rows: Rows) -> None:
    from inspector.cli.console import Console, Table

    columns = [column for column in COLUMNS.values() if column.shown is None or column.shown(archive)]
    table = Table(*((column.title.casefold(), ">" if column.right else "") for column in columns))
    for row in rows.tolist():
        table.add_row(*(column.text(archive, row) for column in columns))
    Console().print(table)
    say(f"{figures(len(rows))} of {figures(len(archive.conversations))}")
    for row in rows.tolist():
        if trouble := archive.looked[row].trouble:
            warn(f"{archive.title(row)}: {trouble}")
