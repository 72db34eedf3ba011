"""The user's arrangement of a table's columns: which, in which order and how wide. Written as a plain value.

It is read with checks and bounds: from values edited by hand, the valid parts are used.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from inspector.reading.values import as_whole, items_of, mapping

NARROWEST, WIDEST = 8, 5_000
"""In pixels."""
MOST_COLUMNS = 100
_MOST_CHARACTERS = 200  # of a key


@dataclass(frozen=True)
class ColumnChoice:
    """Columns by key; anything not given is as declared.

    `order` is from left to right, `widths` are in pixels, `shown` tells for each column whether it is visible.
    """

    order: tuple[str, ...] = ()
    widths: Mapping[str, int] = field(default_factory=dict)
    shown: Mapping[str, bool] = field(default_factory=dict)


AS_DECLARED = ColumnChoice()


def choice_value(choice: ColumnChoice) -> dict[str, Any]:
    """Return a choice as a plain value, which `read_choice` reads back unchanged; empty if all is as declared."""
    parts = {"order": list(choice.order), "widths": dict(choice.widths), "shown": dict(choice.shown)}
    return {name: part for name, part in parts.items() if part}


def read_choice(value: Any) -> ColumnChoice:
    """Return the choice from the valid parts of a plain value. Never raises."""
    known = mapping(value)
    order = dict.fromkeys(key for key in items_of(known.get("order"))[:MOST_COLUMNS] if _is_key(key))
    widths = {key: as_whole(width) for key, width in _first(known.get("widths")).items() if _is_key(key)}
    shown = {key: there for key, there in _first(known.get("shown")).items() if _is_key(key)}
    return ColumnChoice(
        tuple(order),
        {key: min(max(width, NARROWEST), WIDEST) for key, width in widths.items() if width},
        {key: there for key, there in shown.items() if isinstance(there, bool)},
    )


def _first(value: Any) -> dict[Any, Any]:
    return dict(list(mapping(value).items())[:MOST_COLUMNS])


def _is_key(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _MOST_CHARACTERS
