"""The data of media, read again from their places in the source when they are shown or written.

A place is a file, or a member of an archive, and a JSON path in it; it may lead through JSON kept as text.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from inspector.model import Place
from inspector.reading.files import read_file
from inspector.reading.json import unwrapped
from inspector.reading.lines import numbered_lines, read_line
from inspector.reading.media_sizes import decoded
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError

MOST_SOURCE = 512 * 1024 * 1024
"""The size in bytes up to which a source is read again."""
MOST_DATA = 64 * 1024 * 1024
"""The size in bytes up to which the data of a medium are read."""

_START = re.compile(r"(?:(?P<kind>line|row) (?P<line>\d+): )?\$")
_STEP = re.compile(r"\[(\d+)\]")
_DATA_URL = re.compile(r"data:[^,]{0,400},")
_DEEPEST = 200


class DataGoneError(OSError):
    """Raised when data are not at their place any more, or too large; the message says which."""


class MediaSource:
    """Reads data at places; the file read last is kept, so that many data of one file take one reading."""

    def __init__(self) -> None:
        self._source: FileSource | None = None
        self._named = ""

    def data_at(self, place: Place, size: int | None = None, most: int = MOST_DATA) -> bytes:
        """Return the data at a place. `size` is their recorded size, by which a changed file is known.

        Raise DataGoneError where the file is gone or has changed, or is too large, or if the data are of more than
        `most` bytes.
        """
        if size is not None and size > most:
            raise DataGoneError(f"{place.file}: {place.path}: {size:,} bytes are more than the {most:,} that are read")
        try:
            found = self._bytes_at(place, most)
        except (UnreadableError, OSError, ValueError, RecursionError) as error:
            raise DataGoneError(f"{place.file}: {place.path}: cannot be read ({error})") from None
        if found is None or (size is not None and len(found) != size):
            raise DataGoneError(f"{place.file}: {place.path}: is not there any more; the file has changed")
        return found

    def text_at(self, place: Place) -> str:
        """Return the text at a place, such as a signature. Raise DataGoneError if there is none."""
        try:
            found = _value_at(self._opened(place.file), place.path)
        except (UnreadableError, OSError, ValueError, RecursionError) as error:
            raise DataGoneError(f"{place.file}: {place.path}: cannot be read ({error})") from None
        if not isinstance(found, str):
            raise DataGoneError(f"{place.file}: {place.path}: is not there any more; the file has changed")
        return found

    def _bytes_at(self, place: Place, most: int) -> bytes | None:
        source = self._opened(place.file)
        if not place.path:
            return source.data if len(source.data) <= most else None
        value = _value_at(source, place.path)
        if isinstance(value, str):
            url = _DATA_URL.match(value)
            return decoded(value, url.end() if url else 0, most + 1)
        numbers = value.get("data", list(value.values())) if isinstance(value, Mapping) else value
        return bytes(numbers) if isinstance(numbers, list) and len(numbers) <= most else None

    def _opened(self, file: str) -> FileSource:
        if self._source is None or self._named != file:
            self._source, self._named = _source_of(file), file
        return self._source


def _source_of(file: str) -> FileSource:
    """Return a file, or a member of the archive that its path begins with. Raise UnreadableError."""
    path = Path(file)
    inside: list[str] = []
    while not path.is_file() and path != path.parent:
        inside.insert(0, path.name)
        path = path.parent
    source = FileSource(str(path), read_file(path if inside else file, MOST_SOURCE))
    while inside:
        name = next((n for n in range(len(inside), 0, -1) if "/".join(inside[:n]) in source.archive), 0)
        if not name:
            raise source.unreadable("/".join(inside), "is not in the archive")
        source, inside = source.member("/".join(inside[:name])), inside[name:]
    while source.shape == "packed":
        source = source.unpacked
    return source


def _value_at(source: FileSource, path: str) -> Any:
    """Return the value at a path; None if there is none."""
    start = _START.match(path)
    if start is None:
        return None
    rest = path[start.end() :]
    if start["line"] is None:
        return _below(source.yaml if source.shape == "yaml" else source.json, rest, _DEEPEST)
    return next(
        (found for value in _records(source, start) if (found := _below(value, rest, _DEEPEST)) is not None), None
    )


def _records(source: FileSource, start: re.Match[str]) -> Iterator[Any]:
    """Yield the values of a line, mostly one; or that of a row."""
    wanted = int(start["line"])
    if start["kind"] == "row" or source.shape != "json_lines":
        yield from (record.value for record in source.records([]) if record.line == wanted)
        return
    line = next((line for number, line in numbered_lines(source.utf8) if number == wanted), b"")
    yield from (record.value for record in read_line(wanted, line, source.path, []))


def _below(value: Any, path: str, depth: int) -> Any:
    """Return the value at a path below another; a key may have dots in it, and a text may be JSON."""
    if not path or not depth:
        return value if not path else None
    if isinstance(value, str):
        inner = unwrapped(value)
        return None if inner is value else _below(inner, path, depth - 1)
    if isinstance(value, list) and (step := _STEP.match(path)):
        place = int(step[1])
        return _below(value[place], path[step.end() :], depth - 1) if place < len(value) else None
    if not isinstance(value, Mapping) or not path.startswith("."):
        return None
    named = (key for key in value if path.startswith(str(key), 1) and path[1 + len(str(key)) :][:1] in ("", ".", "["))
    tried = (_below(value[key], path[1 + len(str(key)) :], depth - 1) for key in sorted(named, key=len, reverse=True))
    return next((found for found in tried if found is not None), None)
