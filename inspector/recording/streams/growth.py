"""Objects that grow by the pieces of a stream; texts are joined once, at the end."""

from collections.abc import Mapping
from typing import Any

Grown = dict[str, Any]


class GrownText(list[str]):
    """The pieces of a text so far."""


def grow(grown: Grown, key: str, piece: str) -> None:
    """Add a piece to the text under a key."""
    held = grown.get(key)
    if not isinstance(held, GrownText):
        held = grown[key] = GrownText([held] if isinstance(held, str) else [])
    held.append(piece)


def finished(value: Any) -> Any:
    """Return the value with each grown text as text."""
    if isinstance(value, GrownText):
        return "".join(value)
    if isinstance(value, Mapping):
        return {key: finished(one) for key, one in value.items()}
    if isinstance(value, list):
        return [finished(one) for one in value]
    return value


def objects_in(value: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a list; none of anything else."""
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def whole_number(value: Any) -> int:
    """Return a place in a list as a stream names it; 0 if it names none."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
