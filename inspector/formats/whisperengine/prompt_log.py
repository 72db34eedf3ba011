"""Prompt logs of WhisperEngine: a complete prompt as sent to the model, and the model's answer.

Every message of the prompt was in the context, so all are recorded as kept. The answer was no part of it.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.formats.saved_chats import SavedChat, in_line, read_chats, surest
from inspector.model import Message, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, parse_time

_MARKS = frozenset(("llm_response", "message_count", "total_chars"))
_EXPECTED = "a prompt log of WhisperEngine (bot_name, messages and llm_response)"


def sniff(source: FileSource) -> float:
    """Return how likely the file holds prompts and their answers."""
    return surest(source, lambda value: 0.97 if _is_log(value) else 0.0)


def _is_log(value: Any) -> bool:
    fields = mapping(value)
    return "bot_name" in fields and isinstance(fields.get("messages"), list) and bool(fields.keys() & _MARKS)


def load(source: FileSource) -> Workspace:
    """Return each prompt with its answer as a conversation. Raise UnreadableError if there is none."""
    return read_chats(source, _is_log, _read, _EXPECTED)


def _read(log: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    found: list[tuple[str, Message]] = []
    for index, record in enumerate(items_of(log["messages"])):
        at = f"{place}.messages[{index}]"
        found += ((at, _kept(message)) for message in read_message(record, notes, at))
    answer = _answer(log, notes, f"{place}.llm_response")
    if answer:
        found.append((f"{place}.llm_response", answer))
    nodes = in_line(found)
    title = " ".join(filter(None, (as_text(log["bot_name"]), as_text(log.get("timestamp")))))
    return SavedChat(nodes, next(reversed(nodes), None), place, title=title)


def _kept(message: Message) -> Message:
    return changed(message, metadata={**message.metadata, "recorded": {"action": "kept"}})


def _answer(log: Mapping[str, Any], notes: Notes, place: str) -> Message | None:
    """Return the answer, even if the log has it as plain text."""
    response = log.get("llm_response")
    fields: Mapping[str, Any] = response if isinstance(response, Mapping) else {"content": response}
    content = fields.get("content")
    if not isinstance(content, str):
        notes.add(f"{place}.content", "expected the text of the answer; the prompt is here without it")
        return None
    components = log.get("ai_components")
    return Message(
        "",
        "assistant",
        as_text(content),
        name=as_text(log["bot_name"]),
        time=parse_time(fields.get("response_timestamp")),
        metadata={"ai_components": as_text(components)} if components else {},
    )


FORMAT = Format(
    "whisperengine_prompts", "WhisperEngine prompt log", sniff, load, "`bot_name`, `messages` and an `llm_response`"
)
