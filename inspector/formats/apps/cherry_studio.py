"""Backups of Cherry Studio (`data.json`, also in its zip) up to version 5: topics, and the blocks of their messages.

Layout: CherryHQ/cherry-studio, `src/renderer/src/services/BackupService.ts` (stores of the browser),
`types/newMessage.ts` (messages name their blocks, which are in `message_blocks`), `databases/upgrades.ts` (before
version 7 of its database, messages have their text and results themselves) and `types/index.ts` (assistants and topics,
JSON inside of JSON under `persist:cherry-studio`). By `utils/messageUtils/filters.ts`, several answers to a question
are sent as the one that is marked as useful, else the first; a message of type `clear` cuts off all before it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from inspector.formats.agents.session import thoughts_in, turn, usage_metadata
from inspector.formats.apps.cherry_blocks import blocks_of, parts_of
from inspector.formats.compaction import CUT_OFF
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import role_of
from inspector.formats.saved_chats import Node, SavedChat, surest, values_of, workspace_of
from inspector.model import Message, Workspace, changed
from inspector.reading.json import unwrapped
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects

_PERSISTED = "persist:cherry-studio"
_CLEAR = "clear"
_EXPECTED = "topics with messages in a backup of Cherry Studio"

_Turn = tuple[str, Mapping[str, Any]]
"""A message with its place."""


def sniff(source: FileSource) -> float:
    """Return how likely the file is a backup."""
    return surest(source, lambda value: 0.97 if _is_backup(value) else 0.0)


def _is_backup(value: Any) -> bool:
    stores = mapping(mapping(value).get("indexedDB"))
    return "localStorage" in mapping(value) and isinstance(stores.get("topics"), list)


def load(source: FileSource) -> Workspace:
    """Return the topics with messages. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    chats = [chat for place, value in values_of(source, notes) for chat in _chats(mapping(value), notes, place)]
    if not chats:
        raise notes.unreadable("$.indexedDB.topics", f"expected {_EXPECTED}, found none")
    return workspace_of(chats, source, notes)


def _chats(backup: Mapping[str, Any], notes: Notes, place: str) -> Iterator[SavedChat]:
    stores = mapping(backup.get("indexedDB"))
    blocks = blocks_of(stores.get("message_blocks"), f"{place}.indexedDB.message_blocks")
    told = _assistants(mapping(backup.get("localStorage")), notes, f"{place}.localStorage")
    for number, topic in enumerate(items_of(stores.get("topics"))):
        at = f"{place}.indexedDB.topics[{number}]"
        listed = mapping(topic).get("messages")
        if not isinstance(listed, list):
            notes.add(f"{at}.messages", "expected the messages of a topic; it was left out")
        elif listed:
            yield _Topic(mapping(topic), at, told, blocks, notes).chat(listed)


def _assistants(storage: Mapping[str, Any], notes: Notes, place: str) -> Mapping[str, Mapping[str, Any]]:
    """Return what the assistants say about each topic: its own fields, and the `assistant`."""
    state = mapping(unwrapped(mapping(unwrapped(storage.get(_PERSISTED))).get("assistants")))
    if not state:
        notes.add(f"{place}.{_PERSISTED}", "expected the assistants; titles and system prompts of topics are missing")
    listed = [*objects(state.get("assistants")), mapping(state.get("defaultAssistant"))]
    return {
        as_text(topic.get("id")): {**topic, "assistant": assistant}
        for assistant in reversed(listed)
        for topic in objects(assistant.get("topics"))
    }


class _Topic:
    """A topic while it is read: its messages become nodes, with the answers to a question as versions of a turn."""

    def __init__(
        self,
        topic: Mapping[str, Any],
        place: str,
        told: Mapping[str, Mapping[str, Any]],
        blocks: Mapping[str, _Turn],
        notes: Notes,
    ) -> None:
        self._id = as_text(topic.get("id"))
        self._told = {**topic, **told.get(self._id, {})}
        self._place = place
        self._blocks = blocks
        self._notes = notes
        self._model = ""

    def chat(self, listed: Sequence[Any]) -> SavedChat:
        """Return the topic with these messages."""
        nodes: dict[str, Node] = {}
        tip = ""
        for versions in self._turns(listed):
            shown = next((n for n, (_, one) in enumerate(versions) if one.get("useful") is True), 0)
            names = [self._add(nodes, tip, place, held) for place, held in versions]
            tip = names[shown]
        assistant = mapping(self._told.get("assistant"))
        prompts = (as_text(held.get("prompt") or "") for held in (assistant, self._told))
        return SavedChat(
            _with_cuts(nodes, tip, self._cut(listed)),
            tip,
            self._place,
            self._id,
            as_text(self._told.get("name") or ""),
            "\n".join(filter(None, prompts)),
            self._model or as_text(mapping(assistant.get("model")).get("id") or ""),
        )

    def _turns(self, listed: Sequence[Any]) -> Iterator[list[_Turn]]:
        """Yield the messages, those that answer the same question together."""
        groups: dict[str, list[_Turn]] = {}
        for number, message in enumerate(listed):
            place = f"{self._place}.messages[{number}]"
            held = mapping(message)
            asked = as_text(held.get("askId") or "") if held.get("role") == "assistant" else ""
            groups.setdefault(f"answers {asked}" if asked else place, []).append((place, held))
        yield from groups.values()

    def _cut(self, listed: Sequence[Any]) -> str:
        """Return the place of the last message that cuts off all before it, "" if there is none."""
        places = [n for n, one in enumerate(listed) if mapping(one).get("type") == _CLEAR]
        return f"{self._place}.messages[{places[-1]}]" if places else ""

    def _add(self, nodes: dict[str, Node], parent: str, place: str, held: Mapping[str, Any]) -> str:
        """Add the messages of a turn below a node, and return the last one's node."""
        above = parent
        id_ = as_text(held.get("id")) or place
        found = [] if held.get("type") == _CLEAR else self._messages(held, place)
        for number, message in enumerate(found or [None]):
            name = id_ if number == len(found) - 1 or message is None else f"{id_}.{number}"
            while name in nodes:
                name = f"{name}-2"
            nodes[name] = Node(above, () if message is None else (message,), place)
            above = name
        return above

    def _messages(self, held: Mapping[str, Any], place: str) -> list[Message]:
        role = role_of(held)
        if role is None:
            found = as_text(held.get("role"))[:40] or "nothing"
            self._notes.add(f"{place}.role", f"expected user or assistant, found {found}; the message was left out")
            return []
        model = mapping(held.get("model")).get("id") or held.get("modelId")
        metadata, thoughts = usage_metadata(held.get("usage"), model)
        self._model = as_text(metadata.get("model") or "") if role == "assistant" else self._model
        parts, errors = parts_of(held, self._blocks, self._notes, place)
        before = thoughts_in(held, ("reasoning_content",), self._notes, place)
        metadata["error"] = errors
        return turn(
            role,
            [],
            self._notes,
            place,
            time=held.get("createdAt"),
            about=f"{as_text(held.get('id'))}.",
            before=[*before, *parts],
            metadata=metadata,
            thoughts=thoughts,
        )


def _with_cuts(nodes: dict[str, Node], tip: str, cut: str) -> dict[str, Node]:
    """Return the nodes, those up to the place of a cut recorded as cut off; unchanged without a cut."""
    if not cut:
        return nodes
    order = list(nodes)
    last = next((n for n, name in enumerate(order) if nodes[name].place == cut), -1)
    gone = {"recorded": {"action": "dropped", "reason": CUT_OFF}}
    marked: dict[str, Node] = {}
    for number, name in enumerate(order):
        node = nodes[name]
        note = gone if number <= last else {"recorded": {"action": "kept"}}
        told = tuple(changed(one, metadata={**one.metadata, **note}) for one in node.messages)
        marked[name] = Node(node.parent, told, node.place)
    return marked


_BESIDE = ("localStorage", "settings", "files", "knowledge_notes", "translate_history", "quick_phrases", "error")
"""Keys of the program's settings, of other stores, and of what is there a second time."""

FORMAT = Format(
    "cherry_studio",
    "Cherry Studio backup",
    sniff,
    load,
    "`localStorage` beside `indexedDB` with `topics`",
    beside=(*_BESIDE, "rawMcpToolResponse", "compactedContent", "providerMetadata", "mentions"),
)
