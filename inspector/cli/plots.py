"""--plot FILE: the result of a command as a picture (SVG or PNG), or as the table behind it (CSV)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from inspector.cli.failure import InputError
from inspector.cli.output import say_written
from inspector.cli.qt import picture_of_drawing
from inspector.csv_text import csv_lines
from inspector.sources import SourceProtectedError
from inspector.writing import write_file


def write_plot(
    file: str, draw: Callable[[], bytes], rows: Callable[[], Iterable[Mapping[str, Any]]], opened: Sequence[str]
) -> None:
    """Write a drawing (SVG), or the rows, by the ending of the name, and report it.

    End the command if the file cannot be written, or is one of the opened files.
    """
    ending = Path(file).suffix.lower()
    try:
        content = "".join(csv_lines(rows())).encode() if ending == ".csv" else _picture(draw(), ending)
        write_file(file, content, opened)
    except SourceProtectedError as problem:
        raise InputError(str(problem)) from None
    except OSError as problem:
        raise InputError(f"{file}: cannot be written: {problem.strerror or problem}") from None
    say_written("the table" if ending == ".csv" else "the plot", file)


def _picture(drawn: bytes, ending: str) -> bytes:
    return drawn if ending == ".svg" else picture_of_drawing(drawn)
