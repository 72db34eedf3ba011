"""Sessions of Cline 4, its CLI and its SDK: `ID.messages.json` in the folder of a session.

Layout: cline/cline, `sdk/packages/core/src/services/session-data.ts` (`buildMessagesFilePayload`) and
`sdk/packages/shared/src/llms/messages.ts` (`MessageWithMetadata`). The manifest `ID.json` and the compaction
`ID.compaction.json` beside it (`session/models/session-manifest.ts`, `session-compaction.ts`) are read with it, see
`gathered`: the first `source_message_count` messages were sent as the messages of the compaction. Tokens read from a
cache are inside of `inputTokens`, as in the AI SDK by which Cline asks (`core/src/services/agent-events.ts`).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from inspector.formats.compaction import SUMMARY_MARK
from inspector.formats.content.at import At
from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import is_message, read_message
from inspector.formats.saved_chats import Node, SavedChat, read_chats, surest
from inspector.model import Message, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_whole, items_of, mapping, stem

_AGENTS = ("lead", "subagent", "teammate")
_EXPECTED = "a session of Cline (an object with sessionId, agent and messages)"
_ENDING = ".messages"


def sniff(source: FileSource) -> float:
    """Return how likely the file holds the messages of a session, or its compaction."""
    return surest(source, lambda value: 0.96 if _is_session(value) else 0.0)


def _is_session(value: Any) -> bool:
    held = mapping(value)
    is_own = isinstance(held.get("sessionId"), str) and held.get("agent") in list(_AGENTS)
    is_compaction = as_whole(held.get("source_message_count")) is not None and "updated_at" in held
    return (is_own or is_compaction) and any(map(is_message, items_of(held.get("messages"))[:8]))


def load(source: FileSource) -> Workspace:
    """Return the session as a conversation. Raise UnreadableError if it has no messages."""
    return read_chats(source, _is_session, _chat, _EXPECTED)


def _chat(held: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    manifest, own = mapping(held.get("manifest")), stem(notes.file).removesuffix(_ENDING)
    id_ = as_text(held.get("sessionId") or held.get("conversation_id") or own)
    chat = SavedChat({}, None, place, id_ if held.get("agent", "lead") == "lead" else own)
    chat.title = as_text(mapping(manifest.get("metadata")).get("title") or "")
    chat.model = as_text(manifest.get("model") or "")
    chat.system = as_text(held.get("system_prompt") or "")
    records = items_of(held.get("messages"))
    state, at = mapping(held.get("compaction")), f"{place}.compaction"
    if held.get("compaction") is not None and not isinstance(held["compaction"], Mapping):
        notes.add(at, "expected a compaction (an object); it was left out")
    summed = _summed(state, len(records), notes, at)
    for number, record in enumerate(records):
        _add(chat, record, f"m{number}", notes, f"{place}.messages[{number}]")
        if number + 1 == summed:
            _add_summary(chat, items_of(state.get("messages")), records[:summed], notes, f"{at}.messages")
    return chat


def _summed(state: Mapping[str, Any], number: int, notes: Notes, place: str) -> int:
    """Return how many of the messages a compaction replaces; 0 if there is none, or it is of another state."""
    summed = as_whole(state.get("source_message_count")) if state else 0
    if summed is None or not 0 <= summed <= number:
        words = f"expected the number of messages that were compacted, at most {number:,}; the compaction was left out"
        notes.add(f"{place}.source_message_count", words)
        return 0
    return summed


def _add(chat: SavedChat, record: Any, name: str, notes: Notes, place: str) -> str:
    """Add the messages of a record, and return the name of its node, "" without messages."""
    held = mapping(record)
    at = At(notes, f"{place}.content")
    said = {**held, "content": _usual(held["content"], at)} if "content" in held else record
    found = [_told(message, held) for message in read_message(said, notes, place)]
    if not found:
        return ""
    chat.model = as_text(mapping(held.get("modelInfo")).get("id") or "") or chat.model
    chat.nodes[name] = Node(chat.leaf or "", tuple(found), place)
    chat.leaf = name
    return name


def _told(message: Message, record: Mapping[str, Any]) -> Message:
    """Return a message with its usage and model; the results inside a record have none of their own."""
    model = as_text(mapping(record.get("modelInfo")).get("id") or "")
    told = {**read_usage(record.get("metrics")).metadata, **({"model": model} if model else {})}
    return changed(message, metadata={**message.metadata, **told}) if told and message.role != "tool" else message


def _usual(content: Any, at: At) -> Any:
    """Return a content with files as the texts that are sent, and with pictures kept in files as pictures."""
    if not isinstance(content, list):
        return content
    return [_usual_part(part, at.below(f"[{number}]")) for number, part in enumerate(content)]


def _usual_part(part: Any, at: At) -> Any:
    held = mapping(part)
    if held.get("type") == "file" and isinstance(held.get("content"), str):
        if not isinstance(held.get("path"), str):
            at.below(".path").note("expected the path of a file, found nothing; its text is kept without it")
        head = f'<file_content path="{as_text(held.get("path") or "")}">'
        return {"type": "text", "text": f"{head}\n{held['content']}\n</file_content>"}
    if held.get("type") == "image_ref":
        return {**held, "type": "image"}
    if held.get("type") == "tool_result" and isinstance(held.get("content"), list):
        return {**held, "content": _usual(held["content"], at.below(".content"))}
    return part


def _add_summary(chat: SavedChat, sent: Sequence[Any], replaced: Sequence[Any], notes: Notes, place: str) -> None:
    """Add the messages of a compaction that are not among those replaced; the first of them is the summary.

    A replaced message was sent again if it has the id of a message of the compaction, or the same words.
    """
    keys = {key: f"m{number}" for number, record in enumerate(replaced) for key in _keys(record)}
    again = [next((keys[key] for key in _keys(record) if key in keys), "") for record in sent]
    resent = {
        id_
        for name in filter(None, again)
        for n in range(len(chat.nodes[name].messages) if name in chat.nodes else 0)
        for id_ in (f"{name}.{n}" if n else name,)
    }
    for number, (record, name) in enumerate(zip(sent, again, strict=True)):
        if name:
            continue
        new = _add(chat, record, f"c{number}", notes, f"{place}[{number}]")
        if new and not chat.kept:
            node = chat.nodes[new]
            first = changed(node.messages[-1], metadata={**node.messages[-1].metadata, SUMMARY_MARK: True})
            chat.nodes[new] = Node(node.parent, (*node.messages[:-1], first), node.place)
            chat.kept = {new: frozenset(resent)}


def _keys(record: Any) -> tuple[str, ...]:
    """Return by what a message is known again: its id, and its role with its content."""
    held = mapping(record)
    id_ = held.get("id")
    words = f"{as_text(held.get('role'))}: {as_text(held.get('content'))}"
    return (f"id {id_}", words) if isinstance(id_, str) and id_ else (words,)


FORMAT = Format(
    "cline_session",
    "Cline session",
    sniff,
    load,
    "`sessionId`, `agent` and `messages` of Cline 4",
    beside=("manifest", "metadata", "modelInfo", "source"),
)
