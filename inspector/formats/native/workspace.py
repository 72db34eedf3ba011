"""Our own workspace files (`*.workspace.json`, `*.workspace.yaml`): validated, with a problem for each bad item.

The keys are those of the dataclasses in `inspector.model`; `write` writes them.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.native.items import ItemReader
from inspector.formats.native.kinds import WORKSPACE, native_kind
from inspector.model import (
    Attachment,
    Character,
    Conversation,
    Document,
    Lorebook,
    MemorySet,
    Owners,
    Passage,
    PastSummary,
    Probe,
    Problem,
    SkippedFile,
    Tool,
    Workspace,
)
from inspector.reading.decode import check_format, decode, kind_of, read_value, settled
from inspector.reading.source import FileSource
from inspector.reading.unreadable import UnreadableError

__all__ = ["FORMAT", "decode", "read_value", "workspace_from"]

_LISTS: dict[str, type] = {
    "conversations": Conversation,
    "memory_sets": MemorySet,
    "characters": Character,
    "lorebooks": Lorebook,
    "passages": Passage,
    "summaries": PastSummary,
    "documents": Document,
    "attachments": Attachment,
    "skipped": SkippedFile,
    "probes": Probe,
}
_OWNERS = "conversations"
_KEYS = frozenset((*_LISTS, "format", "tools", "tool_origins"))
_TELLING = frozenset(("memory_sets", "characters", "lorebooks", "passages", "summaries", "documents", "attachments"))


def workspace_from(value: Any, file: str) -> Workspace:
    """Return the workspace described by a value in the contract's layout; `file` is named in its problems.

    A bad item is left out (a bad optional field of it only the field) with a problem with its JSON path. Raise
    UnreadableError if the value is no object or names another kind of file.
    """
    if not isinstance(value, Mapping):
        raise UnreadableError(
            Problem(file, "$", f"expected an object with the lists of a workspace, found {kind_of(value)}")
        )
    check_format(value, WORKSPACE, file)
    reader = ItemReader(file)
    lists: dict[str, Any] = {}
    for key, items in value.items():
        place = f"$.{key}"
        if key not in _KEYS:
            reader.problem(place, "is not a known key; it was skipped", "warning")
        elif key in _LISTS:
            lists[key] = reader.read_list(items, _LISTS[key], place)
    lists["tools"] = _tools(reader, value)
    return Workspace(**lists, problems=tuple(reader.problems))


def _tools(reader: ItemReader, value: Mapping[str, Any]) -> tuple[Tool, ...]:
    named = value.get("tool_origins")
    origins = named if isinstance(named, list) else []
    tools: list[Tool] = []
    for index, entry in enumerate(reader.list_at(value.get("tools", ()), "$.tools")):
        if not isinstance(entry, Mapping):
            reader.problem(
                f"$.tools[{index}]", f"expected the definition of a tool (an object), found {kind_of(entry)}"
            )
            continue
        known = index < len(origins) and isinstance(origins[index], str)
        schema = {key: held for key, held in entry.items() if key != _OWNERS}
        tools.append(Tool(schema, _owners(reader, entry, f"$.tools[{index}]"), origins[index] if known else ""))
    return tuple(tools)


def _owners(reader: ItemReader, entry: Mapping[str, Any], place: str) -> Owners:
    """Return the conversations named beside a definition: they are no part of it."""
    named = entry.get(_OWNERS)
    if named is None or (isinstance(named, list | tuple) and all(isinstance(one, str) for one in named)):
        return None if named is None else tuple(named)
    reader.problem(f"{place}.{_OWNERS}", f"expected a list of ids, found {kind_of(named)}")
    return None


def _sniff(source: FileSource) -> float:
    if source.shape not in ("json", "yaml"):
        return 0.0
    value = source.sample
    kind = native_kind(value)
    if kind:
        return 1.0 if kind == "workspace" else 0.0
    if not isinstance(value, Mapping) or isinstance(source.raw_items, tuple):
        return 0.0
    return 0.6 if value.keys() & _TELLING and value.keys() <= _KEYS else 0.0


def _load(source: FileSource) -> Workspace:
    value = source.yaml if source.shape == "yaml" else source.json
    return workspace_from(settled(value, Workspace), source.path)


FORMAT = Format(
    "native",
    "Prompt Inspector workspace",
    _sniff,
    _load,
    "`format: prompt-inspector/workspace`, or nothing but keys of a workspace",
)
