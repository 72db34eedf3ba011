"""Declared paths into JSON: `message.role` is the key `role` inside of `message`; of several paths the first counts.

`parts.0.type` is the type of the first of the parts.
"""

from collections.abc import Iterator
from typing import Any

from inspector.reading.json import unwrapped
from inspector.reading.values import as_text, mapping

Paths = tuple[str, ...]
"""Paths to the same thing in the versions of a layout; "" is the value itself."""


def at_path(value: Any, path: str) -> Any:
    """Return the value at a path, None if there is none; JSON written as text on the way is decoded."""
    if "." not in path and isinstance(value, dict):  # nearly every path
        return value.get(path) if path else value
    for key in path.split(".") if path else ():
        held = unwrapped(value)
        value = _item(held, key) if isinstance(held, list) else mapping(held).get(key)
    return value


def _item(held: list[Any], key: str) -> Any:
    return held[int(key)] if key.isdigit() and int(key) < len(held) else None


def all_at(value: Any, paths: Paths) -> Iterator[tuple[str, Any]]:
    """Yield the paths at which there is something, each with its value."""
    yield from ((path, found) for path in paths if (found := at_path(value, path)) is not None)


def first_at(value: Any, paths: Paths) -> tuple[str, Any]:
    """Return the first path with a value that is not empty, or the first with any, and the value; else `("", None)`."""
    found = list(all_at(value, paths))
    return next((pair for pair in found if pair[1] not in ("", [], {})), found[0] if found else ("", None))


def word_at(value: Any, paths: Paths) -> str:
    """Return the first text, number or truth value at the paths as text, "" if there is none."""
    held = (found for _, found in all_at(value, paths) if isinstance(found, str | int | float))
    return next((word for one in held if (word := as_text(one).strip())), "")


def has_marks(value: Any, marks: Paths) -> bool:
    """Return whether there is something at every mark; `name|title` is a mark at either."""
    return all(any(all_at(value, tuple(mark.split("|")))) for mark in marks)


def step(path: str) -> str:
    """Return a path as the end of a place: `.message.role`."""
    return f".{path}" if path else ""
