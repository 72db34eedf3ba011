"""prompt-inspector record: the arguments and options."""

from pathlib import Path
from typing import Any

import click

from inspector.recording.order import LISTENED


@click.command()
@click.option("--to", "upstream", required=True, metavar="URL", help="The server, such as http://127.0.0.1:11434.")
@click.option(
    "--listen",
    default=LISTENED,
    metavar="HOST:PORT",
    show_default=True,
    help="Where the application sends its requests; port 0 takes a free one.",
)
@click.option(
    "--out",
    "-o",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to add requests to.  [default: recorded-DATE-TIME.jsonl in this folder]",
)
@click.option("--mask", is_flag=True, help="Mask keys and tokens found in texts, too.")
@click.option("--while", "note", type=click.Path(path_type=Path), hidden=True)
def record(**asked: Any) -> None:
    """Pass the requests of an application on to a model server, and keep each with its answer.

    Point the application at the address it prints instead of the server's. Requests of OpenAI's (chat and responses),
    Anthropic's, Gemini's and Ollama's kind are kept; all others only pass. Bytes and streams pass unchanged.
    FILE opens like any other, also while it grows. Keys, cookies and headers are never written. Ctrl+C ends it.
    """
    from inspector.cli.record import record as run

    run(**asked)
