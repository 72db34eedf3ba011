"""Lines of plain-text logs, for detection and for reading. Independent of any log format."""

from collections.abc import Iterator

from inspector.reading.source import FileSource

_LOOKED_AT = 200  # lines
_HEAD = 64_000  # bytes
_TURN = 600  # bytes of memory for the turn of a line

LEVELS = frozenset(
    ("TRACE", "DEBUG", "VERBOSE", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "CRITICAL", "FATAL", "SEVERE", "PANIC")
)
"""Levels in the logs of programs, in the place of a speaker."""


def first_lines(source: FileSource) -> list[str]:
    """Return the first whole lines of a text; none if the file is no text, or certainly another format."""
    if source.shape not in ("text", "yaml"):
        return []
    lines = source.utf8[:_HEAD].decode(errors="ignore").split("\n")
    if len(source.utf8) > _HEAD and len(lines) > 1:
        lines.pop()
    return [line.removesuffix("\r") for line in lines[:_LOOKED_AT]]


def numbered_lines(source: FileSource) -> Iterator[tuple[int, str]]:
    """Yield all lines of a text, numbered from 1. Raise UnreadableError if they would take too much memory."""
    lines = source.text.count("\n") + 1
    source.take(_TURN * lines, "its messages would take up to")
    for number, line in enumerate(source.text.split("\n"), 1):
        yield number, line.removesuffix("\r")
