"""A place in a file that is being read, and the problems noted there."""

from dataclasses import dataclass

from inspector.formats.notes import Notes
from inspector.model import Place, Severity


@dataclass(frozen=True, slots=True)
class At:
    """A place (`$.messages[0].content[1]`) of the file of these notes."""

    notes: Notes
    place: str

    def below(self, step: str) -> "At":
        """Return a place below this one: `.name` or `[3]`."""
        return At(self.notes, self.place + step)

    def source(self, path: str = "") -> Place:
        """Return where the data at a path below this one are."""
        return Place(self.notes.file, self.place + path)

    def note(self, message: str, severity: Severity = "warning") -> None:
        """Note a problem here."""
        self.notes.add(self.place, message, severity)
