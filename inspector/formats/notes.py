"""The problems that are noted while a file is read."""

from dataclasses import dataclass, field

from inspector.model import Problem, Severity
from inspector.reading.unreadable import UnreadableError


@dataclass(slots=True)
class Notes:
    """The problems of one file, and the place (`$`, `line 5: $`) below which they are found."""

    file: str
    problems: list[Problem] = field(default_factory=list)

    def add(self, place: str, message: str, severity: Severity = "warning") -> None:
        """Notes a problem."""
        self.problems.append(Problem(self.file, place, message, severity))

    def unreadable(self, place: str, message: str) -> UnreadableError:
        """The error to raise when nothing of the file can be used, with all that was noted of its parts."""
        return UnreadableError(Problem(self.file, place, message), self.problems)
