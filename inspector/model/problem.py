"""A part of a file that could not be used, or not unchanged."""

from typing import Literal

from msgspec import Struct

Severity = Literal["error", "warning", "info"]


class Problem(Struct, frozen=True, gc=False):
    """A part of a file that could not be used unchanged.

    `file` is the path as given, `place` a line, JSON path or chunk in it ("" for the whole file), `message` says both
    the finding and the expectation. `unopened` is true if nothing of the file was used, `repairable` if it is broken
    JSON, which can be guessed on request, `is_table` if it is a table whose columns are unexplained.
    """

    file: str
    place: str
    message: str
    severity: Severity = "error"
    unopened: bool = False
    repairable: bool = False
    is_table: bool = False

    def __str__(self) -> str:
        return f"{self.file}: {self.place}: {self.message}" if self.place else f"{self.file}: {self.message}"
