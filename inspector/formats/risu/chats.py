"""A single chat of RisuAI: its messages and which of them were sent, its summaries, note and lorebook."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.formats.cards.card import component
from inspector.formats.content.usage import read_usage
from inspector.formats.notes import Notes
from inspector.formats.risu.lorebook import lorebook_of
from inspector.formats.saved_chats import SavedChat, in_line
from inspector.formats.unique_ids import unique_texts
from inspector.model import Character, Lorebook, Message, PastSummary, Problem, Role, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_whole, items_of, mapping, objects, parse_time, strings

_ROLES: dict[str, Role] = {"user": "user", "char": "assistant", "system": "system"}
_ALL_BEFORE = "allBefore"
_MEMORIES = (("hypaV3Data", "summaries"), ("hypaV2Data", "mainChunks"))


@dataclass(frozen=True, slots=True)
class RisuChat:
    """A chat, and its other contents beside the messages."""

    chat: SavedChat
    summaries: tuple[PastSummary, ...]
    characters: tuple[Character, ...]
    lorebooks: tuple[Lorebook, ...]


def read_chat(value: Mapping[str, Any], source: FileSource, notes: Notes, place: str, name: str) -> RisuChat:
    """Return a chat of an export; `name` is the prefix of new ids."""
    found = list(_messages(value, notes, f"{place}.message"))
    ids = unique_texts(message.id or f"m{number}" for number, (_, message) in enumerate(found))
    messages = [changed(message, id=id_) for id_, (_, message) in zip(ids, found, strict=True)]
    summaries = tuple(_summaries(value, name))
    marked = _recorded(messages, summaries, _newest_prompt(value))
    nodes = in_line((at, message) for (at, _), message in zip(found, marked, strict=True))
    title = as_text(value.get("name")).strip()
    chat = SavedChat(nodes, next(reversed(nodes), None), place, as_text(value.get("id")), title)
    for record in objects(value["message"]):
        made = mapping(record.get("generationInfo"))
        chat.model = as_text(made.get("model")) or chat.model
        chat.context_window = as_whole(made.get("maxContext")) or chat.context_window
    problems: list[Problem] = []
    local = lorebook_of(value.get("localLore"), f"{place}.localLore", name, title or name, source, problems)
    notes.problems += problems
    return RisuChat(chat, summaries, _note(value), (local,) if local.entries else ())


def _note(value: Mapping[str, Any]) -> tuple[Character, ...]:
    note = value.get("note")
    if not isinstance(note, str) or not note.strip():
        return ()
    return (Character("character", components=(component("authors_note", as_text(note)),)),)


def _messages(value: Mapping[str, Any], notes: Notes, place: str) -> Iterator[tuple[str, Message]]:
    records = items_of(value["message"])
    cut = max((number for number, one in enumerate(records) if mapping(one).get("disabled") == _ALL_BEFORE), default=-1)
    for number, one in enumerate(records):
        record, at = mapping(one), f"{place}[{number}]"
        role = _ROLES.get(as_text(record.get("role")))
        if role is None or not isinstance(record.get("data"), str):
            notes.add(at, "expected a message with data and the role user or char; it was left out", "error")
            continue
        yield at, _message(record, role, _dropped(record, number <= cut))


def _dropped(record: Mapping[str, Any], is_before: bool) -> str:
    """Return the reason why a message was not sent, "" if it was."""
    if record.get("isComment") is True:
        return "a comment"
    if record.get("disabled") is True:
        return "disabled"
    return "disabled with all before" if is_before else ""


def _message(record: Mapping[str, Any], role: Role, dropped: str) -> Message:
    made = mapping(record.get("generationInfo"))
    figures = {
        "model": as_text(made.get("model")) or None,
        **read_usage(made).metadata,
        "saying": as_text(record.get("saying")) or None,
        "recorded": {"action": "dropped", "reason": dropped} if dropped else None,
    }
    return Message(
        as_text(record.get("chatId")),
        role,
        as_text(record["data"]),
        name=as_text(record.get("name")),
        time=parse_time(record.get("time")),
        excluded=bool(dropped),
        metadata={key: figure for key, figure in figures.items() if figure is not None},
    )


def _newest_prompt(value: Mapping[str, Any]) -> frozenset[str]:
    """Return the texts of the newest prompt that was kept verbatim, none if no prompt was."""
    for record in reversed(objects(value["message"])):
        prompt = objects(mapping(record.get("promptInfo")).get("promptText"))
        if prompt:
            return frozenset(as_text(part.get("content")).strip() for part in prompt)
    return frozenset()


def _summaries(value: Mapping[str, Any], name: str) -> Iterator[PastSummary]:
    """Yield the summaries of a chat, each with the ids of the messages it replaces, if known."""
    whole = value.get("supaMemoryData")
    if isinstance(whole, str) and whole.strip():
        yield PastSummary(f"{name}-supaMemory", as_text(whole), "SupaMemory")
    for field, key in _MEMORIES:
        for number, one in enumerate(objects(mapping(value.get(field)).get(key))):
            text = as_text(one.get("text")) if isinstance(one.get("text"), str) else ""
            if text.strip():
                id_ = f"{name}-{field.removesuffix('Data')}-{number}"
                yield PastSummary(id_, text, f"Summary {number + 1}", source_messages=strings(one.get("chatMemos")))


def _recorded(
    messages: Sequence[Message], summaries: Sequence[PastSummary], prompt: frozenset[str]
) -> Iterator[Message]:
    """Yield the messages with the application's action on them: sent verbatim in the newest prompt, or summarized."""
    by = {id_: summary.id for summary in summaries for id_ in summary.source_messages}
    for message in messages:
        action: dict[str, Any] = {}
        if "recorded" in message.metadata:
            yield message
            continue
        if message.content.strip() and message.content.strip() in prompt:
            action = {"action": "kept"}
        elif message.id in by:
            action = {"action": "summarized", "by": by[message.id]}
        yield changed(message, metadata={**message.metadata, "recorded": action}) if action else message
