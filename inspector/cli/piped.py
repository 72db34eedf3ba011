"""Standard input, which `-` among the paths names: its content, and whether that is plain text."""

import os
import sys
from pathlib import Path
from typing import BinaryIO

from inspector.cli.failure import InputError
from inspector.formats.unnamed import is_plain_text, keep
from inspector.plugins import formats
from inspector.reading.budget import in_words
from inspector.reading.files import MAX_FILE_BYTES
from inspector.reading.source import FileSource, UnreadableError

STANDARD_INPUT = "-"
"""Standard input among the paths."""
PIPED = "standard input"
"""The name of standard input in messages."""


def piped_bytes() -> bytes:
    """Return the content of standard input. End the command if it exceeds the maximum file size."""
    given = sys.stdin.buffer
    data = given.read(MAX_FILE_BYTES + 1) if _file_size(given) <= MAX_FILE_BYTES else None
    if data is None or len(data) > MAX_FILE_BYTES:
        raise InputError(f"{PIPED}: is larger than the {in_words(MAX_FILE_BYTES)} that a file may have")
    return data


def _file_size(given: BinaryIO) -> int:
    """Return the size of the input if it is a file, otherwise 0."""
    try:
        return os.fstat(given.fileno()).st_size
    except OSError:
        return 0


def piped_file(folder: Path) -> str:
    """Write standard input to a new file in a folder, and return its path. End the command if the input is empty."""
    source = FileSource(PIPED, piped_bytes())
    if source.shape == "empty":
        raise InputError(f"{PIPED}: is empty")
    try:
        return str(keep(source, formats()[0], folder, PIPED.capitalize()))
    except UnreadableError as error:
        raise InputError(str(error.problem)) from None
    except OSError as problem:
        raise InputError(f"{folder}: cannot be written to: {problem.strerror or problem}") from None


def standard_input() -> str:
    """Return the text on standard input. End the command if it is not text."""
    return text_of(piped_bytes())


def text_of(piped: bytes) -> str:
    """Decode the content of standard input. End the command if it is not text."""
    try:
        return piped.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise InputError(f"{PIPED}: byte {problem.start}: expected UTF-8 text") from None


def is_piped_text(piped: bytes) -> bool:
    """Return whether standard input is empty, or text of no format."""
    source = FileSource(PIPED, piped)
    return source.shape == "empty" or is_plain_text(source, formats()[0])
