"""A chat still held as text by its file, and the memory for reading it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from msgspec import Raw

from inspector.formats.notes import Notes
from inspector.model import Problem, changed
from inspector.reading.json import parse
from inspector.reading.memory import measure_json
from inspector.reading.pieces import Item
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError

CHAT_BYTES = 600
"""Memory for an empty chat."""
KEPT_UP_TO = 250_000_000
"""Bytes; beyond this, the text of the chats and their messages together would take too much memory."""
MOST_UNREAD = 5_000_000
"""Bytes; a larger chat is read at once, and the memory that it takes is counted."""
_KEPT = 4  # a quarter of the memory of an export's values is left as messages (an eighth was measured)
_LARGE = "is so large that each chat is read when it is chosen: lists do not say how long those are that were not"


@dataclass(frozen=True, slots=True)
class UnreadText:
    """A chat as text, and its place in the file."""

    source: FileSource
    place: str
    json: Raw | Item

    def value(self, notes: Notes) -> Any:
        """Return the text as a value; repairs are noted. Raise UnreadableError if it cannot be read."""
        try:
            parsed = parse(bytes(self.json), self.source.path, look_for_duplicates=False)
        except UnreadableError as error:
            inner = error.problem.place
            place = f"{self.place}, {inner}" if inner else self.place
            raise UnreadableError(changed(error.problem, place=place)) from None
        notes.problems += [changed(problem, place=self.place) for problem in parsed.problems]
        return parsed.value

    @contextmanager
    def counted(self, keeps: bool) -> Iterator[None]:
        """Count the memory for reading it inside the `with`; with `keeps`, the remaining share stays counted.

        Raise BeyondBudgetError if less is left.
        """
        size = CHAT_BYTES + measure_json(bytes(self.json)).memory
        self.source.take(size, f"the chat {self.place}, from which on none was read, would take about")
        left = 0
        try:
            yield
            left = size // _KEPT + CHAT_BYTES if keeps else 0
        finally:
            self.source.give_back(size - left)


def large(source: FileSource) -> Problem:
    """Return the problem of a file whose chats stay unread for good."""
    return source.problem("", _LARGE, "info")
