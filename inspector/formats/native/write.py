"""Writing our own workspace files."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import msgspec.structs
from msgspec import NODEFAULT

from inspector.formats.native.workspace import WORKSPACE
from inspector.model import Conversation, Message, MessageTree, Part, Tool, Workspace
from inspector.model.parts import type_of
from inspector.reading.yaml import dump
from inspector.sources import files_of
from inspector.writing import write_file

_NOT_WRITTEN = frozenset(("sources", "problems", "tools"))  # of the workspace: filled by loading, or written separately
_YAML_ENDINGS = frozenset((".yaml", ".yml"))


def workspace_value(workspace: Workspace) -> dict[str, Any]:
    """Return the workspace in the layout of the contract, without fields at their defaults.

    `workspace_from` reads the same workspace from it; `sources` and `problems`, which loading fills, are not in it.
    """
    value: dict[str, Any] = {"format": WORKSPACE}
    for name in Workspace.__struct_fields__:
        items = getattr(workspace, name)
        if items and name not in _NOT_WRITTEN:
            value[name] = [_plain(item) for item in items]
    if workspace.tools:
        value["tools"] = [_tool(tool) for tool in workspace.tools]
    if any(tool.origin for tool in workspace.tools):
        value["tool_origins"] = [tool.origin for tool in workspace.tools]
    return value


def _tool(tool: Tool) -> dict[str, Any]:
    """Return the definition of a tool, and beside it its conversations."""
    owners = {} if tool.conversations is None else {"conversations": list(tool.conversations)}
    return {**_plain(tool.schema), **owners}


@cache
def _defaults(kind: type) -> tuple[tuple[str, Any], ...]:
    """Return the name and default of each field of a record; NODEFAULT if it is always written."""
    fields = msgspec.structs.fields(kind)
    found = {one.name: one.default if one.default_factory is NODEFAULT else one.default_factory() for one in fields}
    return tuple((found | {"content": NODEFAULT} if kind is Message else found).items())


def _plain(value: Any) -> Any:
    if isinstance(value, str | int | float) or value is None:
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, msgspec.Struct):
        return _part(value) if isinstance(value, Part) else _record(value)
    return str(value)


def _record(record: Any) -> dict[str, Any]:
    written: dict[str, Any] = {}
    for name, default in _defaults(type(record)):
        value = getattr(record, name)
        if default is not NODEFAULT and value == default and type(value) is type(default):
            continue
        is_tree = isinstance(record, Conversation) and isinstance(value, MessageTree)
        written[name] = _tree(record, value) if is_tree else _plain(value)
    if isinstance(record, Message) and record.parts:
        written["content"] = [_part(part) for part in record.parts]
        del written["parts"]
    return written


def _part(part: Part) -> dict[str, Any]:
    """Return a part with its type, without what is not known."""
    return {"type": type_of(part), **_record(part)}


def _tree(conversation: Conversation, tree: MessageTree) -> dict[str, Any]:
    """Return the tree with messages of the path as their ids, so that no text is written twice."""
    on_path = {message.id: message for message in conversation.messages}
    nodes = [node.id if on_path.get(node.id) == node else _plain(node) for node in tree.messages]
    return {"messages": nodes, "parents": list(tree.parents), "leaf": tree.leaf}


def save_workspace(workspace: Workspace, path: str | Path, opened: Iterable[str | Path] = ()) -> None:
    """Write a workspace file, as YAML if its name says so and else as JSON, whole or not at all.

    `opened` are further files that must not be overwritten, beside those the workspace was opened from. Raise
    SourceProtectedError for any of them, OSError if writing fails, ValueError for a workspace with a value that is
    nested too deep.
    """
    try:
        value = workspace_value(workspace)
    except RecursionError:
        raise ValueError("it holds a value that is nested too deep") from None
    is_yaml = Path(path).suffix.lower() in _YAML_ENDINGS
    content = dump(value) if is_yaml else msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
    write_file(path, content, [*files_of(workspace), *opened])
