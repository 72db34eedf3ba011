"""What all records have in common. They are msgspec Structs: made in a twentieth of the time of a frozen dataclass.

Those of which there may be a million (`gc=False`) are not looked at by the garbage collector: nothing in them leads
back to them.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

MOST_TOKENS = 1_000_000_000
"""What one thing may be said to cost, or to have of pictures: arrays of counts hold it, and whatever is added."""

Owners = tuple[str, ...] | None
"""The ids of the conversations of a thing: () for none, None where its file does not say."""

_Record = TypeVar("_Record", bound=Struct)
_NOTHING: Mapping[str, Any] = {}


def nothing() -> Mapping[str, Any]:
    """The mapping of all records that have nothing to say in one: one object, which nobody changes."""
    return _NOTHING


def changed(record: _Record, **fields: Any) -> _Record:
    """The same record with other values in these fields."""
    return replace(record, **fields)
