"""The problems noted while a file is read."""

from dataclasses import dataclass, field

from inspector.model import Problem, Severity
from inspector.reading.values import UnreadableError


@dataclass(slots=True)
class Notes:
    """The problems of a file, and the place (`$`, `line 5: $`) below which they are found."""

    file: str
    problems: list[Problem] = field(default_factory=list)

    def add(self, place: str, message: str, severity: Severity = "warning") -> None:
        """Note a problem."""
        self.problems.append(Problem(self.file, place, message, severity))

    def unreadable(self, place: str, message: str) -> UnreadableError:
        """Return the error to raise when nothing of the file is usable, with all problems noted so far."""
        return UnreadableError(Problem(self.file, place, message), self.problems)
