"""Values of a file that should all be of one kind: those of that kind are read, the others are problems."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from inspector.formats.openai.message import Notes

Read = TypeVar("Read")


def read_each(
    values: Iterable[tuple[str, Any]],
    is_one: Callable[[Any], bool],
    read: Callable[[Mapping[str, Any], Notes, str], Read],
    notes: Notes,
    expected: str,
) -> list[Read]:
    """Return the results of `read` for the values of the kind, each called with its place; the others are noted.

    `expected` describes the kind. Raise UnreadableError if no value is of it.
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
