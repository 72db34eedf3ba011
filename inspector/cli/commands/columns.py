"""prompt-inspector columns: the arguments and options."""

from typing import Any

import click

from inspector.cli import completion
from inspector.cli.options import format_option


@click.command()
@click.argument("file", required=False, shell_complete=completion.files)
@click.argument("names", nargs=-1, metavar="[WHAT=COLUMN]...")
@click.option("--forget", is_flag=True, help="Forget the explanation of tables with these columns.")
@format_option
def columns(**asked: Any) -> None:
    """Name the columns of a CSV or TSV file, such as `text=Nachricht speaker=Absender time=Datum`.

    WHAT is text, speaker, role, answer, time, conversation or id; required are text and any of speaker, role and
    answer. From then on, all tables with these columns are read this way; tables with common column names need no such
    help. With FILE alone, list its columns and their meaning; without FILE, all explanations so far. They are in
    tables.yaml in the configuration folder; the version before the last change is tables.yaml.before.
    """
    from inspector.cli.columns import columns as run

    run(**asked)
