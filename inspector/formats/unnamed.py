"""Content without a file: pasted, or from standard input."""

import json
import time
from collections.abc import Iterable
from pathlib import Path

from inspector.formats.format import Format
from inspector.formats.registry import rank_formats
from inspector.reading.source import FileSource
from inspector.writing import free_name, write_file

_BEGINNINGS = ("{", "[{", "[[", '["')
_HEAD = 1_000  # characters
_ENDINGS = {
    "json": ".json",
    "json_lines": ".jsonl",
    "yaml": ".yaml",
    "png": ".png",
    "zip": ".zip",
    "sqlite": ".sqlite",
    "parquet": ".parquet",
    "packed": ".gz",
}


def is_plain_text(source: FileSource, formats: Iterable[Format]) -> bool:
    """Return whether this is text of none of the formats, and not meant as JSON either."""
    if source.shape not in ("text", "yaml"):
        return False
    if rank_formats(source, formats)[0]:
        return False
    return not "".join(source.text.lstrip()[:_HEAD].split()).startswith(_BEGINNINGS)


def as_file(source: FileSource, formats: Iterable[Format]) -> bytes:
    """Return the bytes to store as a file: plain text becomes a single user message, anything else is unchanged.

    Secrets stay, too, unlike in exports for others: this is the user's only copy. Raise UnreadableError if that would
    take too much memory.
    """
    if is_plain_text(source, formats):
        source.take(2 * len(source.data), "as one message it would take")
        return json.dumps([{"role": "user", "content": source.text}]).encode()
    return source.data


def named_content(source: FileSource, formats: Iterable[Format]) -> tuple[bytes, str]:
    """Return the bytes to store as a file, and the ending of its name."""
    content = as_file(source, formats)
    return content, _ENDINGS.get(source.shape, ".txt") if content is source.data else ".json"


def keep(source: FileSource, formats: Iterable[Format], folder: Path, name: str) -> Path:
    """Write it to a new file of a folder, by this name and the time. Raise OSError, and the errors of `as_file`."""
    content, ending = named_content(source, formats)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = free_name(folder / f"{name} {time.strftime('%Y-%m-%d %H.%M.%S')}{ending}")
    write_file(file, content, ())
    return file
