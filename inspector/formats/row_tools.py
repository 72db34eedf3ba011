"""Tools of many chats in one file: each definition once, with its chats."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from inspector.model import Tool
from inspector.reading.values import as_text


def row_tools(chats: Sequence[tuple[str, Iterable[Mapping[str, Any]]]]) -> tuple[Tool, ...]:
    """Return the tools of chats, given by their ids; a tool of all chats names none."""
    schemas: dict[str, Mapping[str, Any]] = {}
    owners: dict[str, dict[str, None]] = {}
    for id_, given in chats:
        for schema in given:
            key = as_text(schema)
            schemas.setdefault(key, schema)
            owners.setdefault(key, {})[id_] = None
    return tuple(
        Tool(schema, None if len(owners[key]) == len(chats) else tuple(owners[key])) for key, schema in schemas.items()
    )
