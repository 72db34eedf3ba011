"""Values of a file that should all be of one kind: those that are are read, the others are problems."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from inspector.formats.notes import Notes

Read = TypeVar("Read")


def read_each(
    values: Iterable[tuple[str, Any]],
    is_one: Callable[[Any], bool],
    read: Callable[[Mapping[str, Any], Notes, str], Read],
    notes: Notes,
    expected: str,
) -> list[Read]:
    """What `read` makes of the values that are of the kind, each with its place; the others are noted.

    `expected` says what they should have been. Raises UnreadableError where none is.
    """
    found: list[Read] = []
    for place, value in values:
        if is_one(value):
            found.append(read(value, notes, place))
        else:
            notes.add(place, f"expected {expected}; it was left out", "error")
    if not found:
        raise notes.unreadable("$", f"expected {expected}, found none")
    return found
