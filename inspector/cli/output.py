"""The output of commands. Text for human readers goes through here (and `console`, for tables), as do JSON documents.

Ids, titles, names and paths come from files of strangers: none of their characters reaches a terminal as a command, and
none can hide or reverse its neighbours. In text they are written out (⟦U+001B⟧), in JSON they are escapes.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from inspector.visible_text import on_one_line

if TYPE_CHECKING:
    from inspector.csv_text import Row


def say(line: str) -> None:
    """Write one line on standard output."""
    click.echo(on_one_line(line))


def warn(problem: object) -> None:
    """Write the name of the program and a problem as one line on standard error."""
    click.echo(f"prompt-inspector: {on_one_line(str(problem))}", err=True)


def say_written(what: str, file: object) -> None:
    """Report a written file on standard error: standard output is for answers."""
    warn(f"wrote {what} to {file}")


def print_json(value: Any) -> None:
    """Write one JSON document and nothing else on standard output, in pieces; iterators are as in `json_pieces`."""
    from inspector.json_text import json_pieces

    for piece in json_pieces(value):
        sys.stdout.buffer.write(piece)
    sys.stdout.flush()


def print_json_line(value: Any) -> None:
    """Write one line of JSON on standard output."""
    from inspector.json_text import json_line

    sys.stdout.buffer.write(json_line(value))
    sys.stdout.flush()


@contextmanager
def until_nobody_reads() -> Iterator[None]:
    """End the command without failure once its reader stops reading, as `head` does."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.stdout, sys.stderr):
            os.dup2(nowhere, stream.fileno())  # the rest would be written at the end, with a traceback
        raise click.exceptions.Exit(0) from None


def print_csv(rows: "Iterable[Row]") -> None:
    """Write rows as CSV and nothing else on standard output, each as soon as it is available."""
    from inspector.analysis.sweep.row_files import write_csv

    write_csv(rows, sys.stdout.buffer)
