"""prompt-inspector sweep: the arguments and options."""

from typing import Any

import click

from inspector.cli import completion
from inspector.cli.options import (
    glob_option,
    paths_argument,
    probes_option,
    reply_option,
    scenario_options,
    worker_options,
)
from inspector.cli.sections import SectionedCommand


@click.command(cls=SectionedCommand)
@paths_argument
@scenario_options
@probes_option
@reply_option
@click.option("--measured", is_flag=True, help="Write and count every prompt as a whole: exact, and much slower.")
@click.option(
    "--out",
    "-o",
    metavar="FILE",
    shell_complete=completion.files,
    help="File to write, ending in .jsonl, .csv or .parquet.",
)
@click.option(
    "--format",
    "-f",
    "row_format",
    type=click.Choice(["jsonl", "csv", "table", "json"]),
    help="How to write to standard output; rows are jsonl by default, the answer to --sql is a table.",
)
@glob_option
@worker_options
@click.option("--anew", is_flag=True, help="With --glob: begin again, whatever an earlier sweep has left.")
@click.option("--sql", metavar="QUERY", help="Ask the rows by SQL (table rows): of --out, or of .parquet PATHS.")
def sweep(**asked: Any) -> None:
    """Assemble PATHS under every combination of the values given with --set KEY=START:STOP:STEP or --set KEY=a,b,c.

    The file of --out always holds a complete sweep: it is written after the last row. If the sweep is interrupted
    earlier (Ctrl+C, a closed terminal) or fails, the rows so far are kept beside it, as NAME.interrupted.csv for
    NAME.csv. In CSV, text that begins like a formula gets an apostrophe before it.

    With --glob, PATHS are an archive: each file is opened separately, by --workers processes or on a --cluster, and bad
    files are listed. After an interruption, the same command continues where the sweep ended.
    """
    from inspector.cli.sweep import sweep as run

    run(**asked)
