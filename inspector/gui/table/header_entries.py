"""The entry in a header over a column: a few lines of text, and whether it is in use."""

from dataclasses import dataclass
from typing import Literal

LineKind = Literal["name", "usual", "muted", "error"]


@dataclass(frozen=True, slots=True)
class HeaderLine:
    """A line in the header of a column: its text and style."""

    text: str
    kind: LineKind


@dataclass(frozen=True, slots=True)
class HeaderEntry:
    """The header of the column `key`. `name` names its button, and `what` describes the object that the button uses."""

    key: str
    name: str
    what: str
    in_use: bool
    lines: tuple[HeaderLine, ...]

    @property
    def short(self) -> tuple[HeaderLine, ...]:
        """The name and the most telling line: an error, else the figure, else the line below the name."""
        name, *others = self.lines
        told = (line for kind in ("error", "usual") for line in others if line.kind == kind)
        return (name, *[next(told, line) for line in others[:1]])
