"""Prompts saved by Google AI Studio: chunks, some of them thoughts, the system prompt and the settings.

The files lie in Google Drive without an ending. Token counts of chunks are by the model's own tokenizer.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.content.at import At
from inspector.formats.format import Format
from inspector.formats.gemini.parts import MEDIA, ROLES, Content, linked, media_of, messages_of, read_parts
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import title_of
from inspector.formats.unique_ids import unique_texts
from inspector.model import Character, Conversation, Message, Part, Text, Thought, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError, as_text, as_whole, items_of, mapping, objects, parse_time, stem

_CALLS = ("functionCall", "functionResponse", "executableCode", "codeExecutionResult")


def _sniff(source: FileSource) -> float:
    if source.shape != "json" or source.raw_items is not None:
        return 0.0
    try:
        return 0.97 if isinstance(_chunks(source.sample), list) else 0.0
    except UnreadableError:
        return 0.0


def _chunks(value: Any) -> Any:
    return mapping(mapping(value).get("chunkedPrompt")).get("chunks")


def _load(source: FileSource) -> Workspace:
    value, notes = mapping(source.json), Notes(source.path)
    chunks = _chunks(value)
    if not isinstance(chunks, list):
        raise source.unreadable("$.chunkedPrompt.chunks", "expected a list of chunks")
    messages: list[Message] = []
    thoughts: list[Part] = []
    for number, chunk in enumerate(chunks):
        _read_chunk(chunk, messages, thoughts, notes, f"$.chunkedPrompt.chunks[{number}]")
    if thoughts:
        messages.append(Message("", "assistant", parts=tuple(thoughts)))
    if not messages:
        raise notes.unreadable("$.chunkedPrompt.chunks", "expected chunks with text, found none")
    _note_pending(value, notes)
    ids = unique_texts(message.id or f"m{number}" for number, message in enumerate(messages))
    named = tuple(changed(message, id=id_) for message, id_ in zip(linked(messages), ids, strict=True))
    id_ = as_text(value.get("id")) or stem(source.path)
    model = as_text(mapping(value.get("runSettings")).get("model")).removeprefix("models/")
    return Workspace(
        conversations=(Conversation(id_, named, title_of(named) or id_, model=model),),
        characters=_characters(value, notes),
        problems=tuple(notes.problems),
    )


def _read_chunk(chunk: Any, messages: list[Message], thoughts: list[Part], notes: Notes, place: str) -> None:
    """Add the turns of a chunk; the text of a thought waits for the answer after it."""
    held = mapping(chunk)
    role = ROLES.get(word.strip().lower()) if isinstance(word := held.get("role"), str) else None
    if role is None and not held.get("role") and held.keys() & {"text", "parts"} | _media_keys(held):
        role = "user"  # added files have no role; nor, in old files, has a user's text
    if role is None:
        found = as_text(held.get("role"))[:40] or "nothing"
        notes.add(f"{place}.role", f"expected user or model, found {found}; the chunk was left out")
        return
    content = _content(held, notes, place, len(messages))
    if held.get("isThought"):
        thoughts += [Thought(one.text) if isinstance(one, Text) else one for one in content.parts]
        return
    if role != "assistant" and thoughts:
        messages.append(Message("", "assistant", parts=tuple(thoughts)))
        thoughts.clear()
    content.parts[:0] = thoughts
    thoughts.clear()
    made = messages_of(content, role, time=parse_time(held.get("createTime")), metadata=_metadata(held))
    if made and held.get("id"):
        made[-1] = changed(made[-1], id=as_text(held["id"]))
    messages += made


def _media_keys(held: Mapping[str, Any]) -> set[str]:
    """Return the keys under which a chunk holds files."""
    return {key for key in MEDIA if isinstance(held.get(key), Mapping)}


def _content(held: Mapping[str, Any], notes: Notes, place: str, number: int) -> Content:
    """Return the content of a chunk; its `text` repeats that of its parts."""
    own = [{key: held[key]} for key in _CALLS if key in held]
    content = read_parts([*items_of(held.get("parts")), *own], notes, f"{place}.parts", f"{number}.")
    if isinstance(held.get("text"), str) and (held["text"] or held.get("isThought")):
        content.parts = _repeating(content.parts, as_text(held["text"]), bool(held.get("isThought")))
    content.parts += media_of(held, At(notes, place))
    if "driveDocument" in _media_keys(held):
        notes.add(f"{place}.driveDocument", "is a document in Google Drive; its text is not in this file")
    return content


def _repeating(parts: list[Part], text: str, is_thought: bool) -> list[Part]:
    """Return the parts; a text of the chunk that its parts do not say takes the place of theirs."""
    kinds = Text | Thought if is_thought else Text
    said = [one for one in parts if isinstance(one, kinds)]
    if not said:
        return [Text(text), *parts]
    if len(said) == 1 and said[0].text == text:
        return parts
    place = parts.index(said[0])
    return [*parts[:place], Text(text), *(one for one in parts[place:] if not isinstance(one, kinds))]


def _metadata(held: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if (tokens := as_whole(held.get("tokenCount"))) is not None:
        found["recorded_tokens"] = tokens
    if isinstance(held.get("errorMessage"), str):
        found["error"] = as_text(held["errorMessage"])
    return found


def _note_pending(value: Mapping[str, Any], notes: Notes) -> None:
    pending = mapping(value.get("chunkedPrompt")).get("pendingInputs", value.get("pendingInputs"))
    if any(one.get("text") for one in objects(pending)):
        notes.add("$.pendingInputs", "was written and not sent; it was left out", "info")


def _characters(value: Mapping[str, Any], notes: Notes) -> tuple[Character, ...]:
    told = mapping(value.get("systemInstruction"))
    content = read_parts(told.get("parts", []), notes, "$.systemInstruction.parts")
    text = as_text(told.get("text")) or content.text
    return (Character("system", system_prompt=text),) if text.strip() else ()


FORMAT = Format("aistudio", "Google AI Studio prompt", _sniff, _load, "`chunkedPrompt` with `chunks`")
