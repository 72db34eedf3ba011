"""LM Studio's `*.conversation.json`: messages with versions, one of them selected, and answers in steps.

No message has a time. The system prompt, the model and the window are among lists of settings.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.lmstudio.version import read_version
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import Node, SavedChat, read_chats, surest
from inspector.model import Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_whole, items_of, mapping, objects


def sniff(source: FileSource) -> float:
    """Return how likely the file is a conversation of LM Studio."""
    return surest(source, lambda value: 0.95 if _is_chat(value) else 0.0)


def _is_chat(value: Any) -> bool:
    messages = mapping(value).get("messages")
    if not isinstance(messages, list):
        return False
    if not messages:
        return "perChatPredictionConfig" in value and "lastUsedModel" in value
    return any(isinstance(one.get("versions"), list) and "currentlySelected" in one for one in objects(messages))


def load(source: FileSource) -> Workspace:
    """Return the conversation of a file. Raise UnreadableError if there is none."""
    return read_chats(source, _is_chat, _read, "a conversation of LM Studio (messages with versions)")


def _read(value: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    nodes: dict[str, Node] = {}
    before = ""
    for index, record in enumerate(items_of(value["messages"])):
        before = _add(nodes, f"m{index}", before, record, notes, f"{place}.messages[{index}]")
    used = mapping(value.get("lastUsedModel"))
    chosen = _setting(value.get("perChatPredictionConfig"), "llm.prediction.systemPrompt")
    system = chosen if isinstance(chosen, str) and chosen.strip() else value.get("systemPrompt")
    return SavedChat(
        nodes,
        before or None,
        place,
        title=as_text(value["name"]) if isinstance(value.get("name"), str) else "",
        system=as_text(system).strip() if isinstance(system, str) else "",
        model=as_text(used["identifier"]) if isinstance(used.get("identifier"), str) else "",
        context_window=as_whole(_setting(used.get("instanceLoadTimeConfig"), "llm.load.contextLength")),
    )


def _setting(config: Any, key: str) -> Any:
    """Return the value of a setting; an optional setting is wrapped as `{checked, value}`."""
    found = next((one.get("value") for one in objects(mapping(config).get("fields")) if one.get("key") == key), None)
    return found.get("value") if isinstance(found, Mapping) else found


def _add(nodes: dict[str, Node], name: str, before: str, record: Any, notes: Notes, place: str) -> str:
    """Add the versions of a message as nodes side by side, and return the name of the selected node."""
    versions = items_of(mapping(record).get("versions"))
    if not versions:
        notes.add(place, "expected a message with versions; it was left out")
        return before
    named = as_whole(mapping(record).get("currentlySelected"))
    selected = min(max(named or 0, 0), len(versions) - 1)
    if named != selected:
        notes.add(f"{place}.currentlySelected", f"names no version; version {selected} was taken")
    for number, version in enumerate(versions):
        at = f"{place}.versions[{number}]"
        own = name if number == selected else f"{name}.version{number}"
        nodes[own] = Node(before, read_version(version, notes, at), at)
    return name


FORMAT = Format(
    "lmstudio",
    "LM Studio conversation",
    sniff,
    load,
    "messages with `versions` and `currentlySelected`",
    beside=("debugInfo",),
)
