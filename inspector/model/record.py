"""The common base of all records. They are msgspec Structs, created in a twentieth of the time of a frozen dataclass.

Records with up to a million instances (`gc=False`) are not tracked by the garbage collector: they contain no references
back to themselves.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

MOST_TOKENS = 1_000_000_000
"""The most tokens or pictures of a thing: small enough for arrays of counts, even after additions."""

Owners = tuple[str, ...] | None
"""The ids of the conversations to which a thing belongs: () for none, None if its file does not say."""

_Record = TypeVar("_Record", bound=Struct)
_NOTHING: Mapping[str, Any] = {}


def nothing() -> Mapping[str, Any]:
    """Return the empty mapping shared by all records without values in a field; it is never changed."""
    return _NOTHING


def changed(record: _Record, **fields: Any) -> _Record:
    """Return the same record with other values in these fields."""
    return replace(record, **fields)
