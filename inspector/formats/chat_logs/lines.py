"""The lines of logs that are plain text, for a look and for reading. Knows no log."""

from collections.abc import Iterator

from inspector.reading.source import FileSource

_LOOKED_AT = 200  # lines
_HEAD = 64_000  # bytes
_TURN = 600  # bytes of memory for what a line becomes

LEVELS = frozenset(
    ("TRACE", "DEBUG", "VERBOSE", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "CRITICAL", "FATAL", "SEVERE", "PANIC")
)
"""What stands where a speaker would in the logs of programs."""


def first_lines(source: FileSource) -> list[str]:
    """The first whole lines of a text; none of a file that is no text, or is something else for certain."""
    if source.shape not in ("text", "yaml"):
        return []
    lines = source.utf8[:_HEAD].decode(errors="ignore").split("\n")
    if len(source.utf8) > _HEAD and len(lines) > 1:
        lines.pop()
    return [line.removesuffix("\r") for line in lines[:_LOOKED_AT]]


def numbered_lines(source: FileSource) -> Iterator[tuple[int, str]]:
    """All lines of a text, numbered from 1. Raises UnreadableError where they would take too much memory."""
    lines = source.text.count("\n") + 1
    source.take(_TURN * lines, "its messages would take up to")
    for number, line in enumerate(source.text.split("\n"), 1):
        yield number, line.removesuffix("\r")
