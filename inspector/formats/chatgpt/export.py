"""The export of chatgpt.com: `conversations.json`, its shards, and zip archives of them.

A chat that is broken is a problem, and the others open.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from inspector.formats.chatgpt.chat import ChatGptChat, conversation_of, read_chat
from inspector.formats.format import Format
from inspector.formats.openai.message import Notes
from inspector.formats.unique_ids import unique_texts
from inspector.model import Character, Conversation, Memory, MemorySet, Problem, Profile, Workspace, changed
from inspector.reading.json import parse
from inspector.reading.memory import measure_json
from inspector.reading.names import stem
from inspector.reading.source import FileSource
from inspector.reading.unreadable import UnreadableError
from inspector.reading.values import mapping, parse_time

_MEMBER = re.compile(r"(?:^|/)conversations(?:-\d+)?\.json$")
_LOOKED_AT = 3
_PEEK = 200_000  # bytes
_KEPT = 4  # of what the values of an export take, a quarter is left as messages (an eighth was measured)
_CHAT = 600  # bytes of memory for a chat that holds nothing
_NUMBERED = re.compile(r"^\s*\d+\.\s*(?:\[(\d{4}-\d{2}-\d{2})\]\.?\s*)?", re.MULTILINE)


def _is_chat(value: Any) -> bool:
    nodes = value.get("mapping") if isinstance(value, Mapping) else None
    return isinstance(nodes, Mapping) and (not nodes or any(isinstance(node, Mapping) for node in nodes.values()))


def _sniff(source: FileSource) -> float:
    if source.shape == "zip":
        return 0.95 if _holds_export(source) else 0.0
    if source.shape not in ("json", "json_lines"):
        return 0.0
    if source.shape == "json" and source.raw_items is None and source.sample is None:
        return 0.6 if _looks_cut(source.utf8[:_PEEK]) else 0.0
    try:
        return 0.95 if any(_is_chat(value) for value in _first_values(source)) else 0.0
    except UnreadableError:
        return 0.0


def _looks_cut(head: bytes) -> bool:
    """Of an array that is not valid JSON: whether it seems to be an export all the same."""
    return head.lstrip().startswith(b"[") and b'"mapping"' in head and b'"author"' in head


def _holds_export(source: FileSource) -> bool:
    try:
        archive = source.archive
        return any(b'"mapping"' in archive.peek(name, _PEEK) for name in archive.names if _MEMBER.search(name))
    except UnreadableError:
        return False


def _first_values(source: FileSource) -> list[Any]:
    if source.shape == "json_lines":
        return [record.value for record in source.first_records[:_LOOKED_AT]]
    if source.raw_items is not None:
        return list(source.first_items[:_LOOKED_AT])
    value = source.json
    if isinstance(value, Mapping):
        return [value, *list(value.values())[:_LOOKED_AT]]
    return value[:_LOOKED_AT] if isinstance(value, list) else []


def _load(source: FileSource) -> Workspace:
    problems: list[Problem] = []
    if source.shape == "zip":
        names = [name for name in source.archive.names if _MEMBER.search(name)]
        chats = [chat for name in names for chat in _read_member(source, name, problems)]
        problems += source.archive.problems
    else:
        chats = list(_read_shard(source, problems))
    if not chats:
        raise UnreadableError(
            next(iter(problems), source.problem("$", "expected conversations with a mapping of messages"))
        )
    return _workspace(chats, source, problems)


def _read_member(source: FileSource, name: str, problems: list[Problem]) -> list[ChatGptChat]:
    """The chats of one member, of which nothing else is left when the next one is unpacked."""
    try:
        member = source.member(name)
        with source.budget.lent(len(member.data), member.path, "it would take"):
            return list(_read_shard(member, problems))
    except UnreadableError as error:
        problems.append(error.problem)
        return []


def _read_shard(source: FileSource, problems: list[Problem]) -> Iterator[ChatGptChat]:
    """The chats of one file, one after another; one that cannot be read is a problem."""
    notes = Notes(source.path)
    for place, name, value in _chat_values(source, problems):
        if not _is_chat(value):
            if isinstance(value, Mapping) and "mapping" not in value and value.keys() & {"current_node", "title"}:
                value = {**value, "mapping": {}}
            else:
                notes.add(place, "expected a conversation (an object with a mapping of messages)", "error")
                continue
        chat = read_chat(value, notes, place)
        chat.id = chat.id or name
        yield chat
    problems += notes.problems
    problems += [problem for problem in source.problems if problem not in problems]


def _chat_values(source: FileSource, problems: list[Problem]) -> Iterator[tuple[str, str, Any]]:
    """Place, name and value of each chat: of an array, of lines, of one object, or of an object keyed by name."""
    if source.shape == "json_lines":
        yield from ((f"line {record.line}: $", "", record.value) for record in source.records(problems))
    elif source.raw_items is not None:
        yield from _from_raw(source, problems)
    elif _looks_cut(source.utf8[:_PEEK]) and source.sample is None:
        values, broken = source.whole_items()
        problems += [broken] if broken else []
        yield from ((f"$[{index}]", "", value) for index, value in enumerate(values))
    else:
        value = source.json
        if isinstance(value, list):
            yield from ((f"$[{index}]", "", item) for index, item in enumerate(value))
        elif _is_chat(value):
            yield "$", "", value
        else:
            yield from ((f"$.{name}", name, item) for name, item in mapping(value).items())


def _from_raw(source: FileSource, problems: list[Problem]) -> Iterator[tuple[str, str, Any]]:
    """The chats one after another, so that of all but one at a time only what was read from them is in memory."""
    for index, raw in enumerate(source.raw_items or ()):
        place, text = f"$[{index}]", bytes(raw)
        size = _CHAT + measure_json(text).memory
        try:
            source.take(size, f"the chat {place}, from which on none was read, would take about")
        except UnreadableError as error:
            problems.append(error.problem)
            return
        try:
            parsed = parse(text, source.path, look_for_duplicates=False)
        except UnreadableError as error:
            inner = f"{place}, {error.problem.place}" if error.problem.place else place
            problems.append(changed(error.problem, place=inner))
            source.give_back(size)
            continue
        problems += [changed(problem, place=place) for problem in parsed.problems]
        yield place, "", parsed.value
        source.give_back(size - size // _KEPT - _CHAT)


def _workspace(chats: Sequence[ChatGptChat], source: FileSource, problems: list[Problem]) -> Workspace:
    """The chats with what they share: a system text if all begin with it, custom instructions if they never differ."""
    spoken = [chat for chat in chats if chat.path]
    prompts = {chat.system_prompt for chat in spoken}
    profiles = list(dict.fromkeys(profile for chat in chats for profile in chat.profiles))
    system = prompts.pop() if len(prompts) == 1 else ""
    profile = profiles[0] if len(profiles) == 1 else None
    _name(chats, stem(source.path))
    conversations = tuple(conversation_of(chat, bool(system), profile is not None) for chat in chats)
    return Workspace(
        conversations=conversations,
        memory_sets=_memory_sets(chats),
        characters=_characters(system, profile),
        problems=(*problems, *_remarks(source, chats, conversations, len(profiles))),
    )


def _name(chats: Sequence[ChatGptChat], file_stem: str) -> None:
    wanted = [chat.id or f"{file_stem}-{number}" for number, chat in enumerate(chats, 1)]
    for chat, id_ in zip(chats, unique_texts(wanted), strict=True):
        chat.id = id_


def _characters(system: str, profile: Profile | None) -> tuple[Character, ...]:
    if not system and profile is None:
        return ()
    return (Character("system", name="ChatGPT", system_prompt=system, profile=profile),)


def _memory_sets(chats: Sequence[ChatGptChat]) -> tuple[MemorySet, ...]:
    """The saved memories of all chats, each once: every chat repeats those that there were at its time."""
    found: dict[str, datetime | None] = {}
    for text in dict.fromkeys(text for chat in chats for text in chat.memory_texts):
        for content, time in _memories_in(text):
            found.setdefault(content, time)
    if not found:
        return ()
    memories = (
        Memory(f"memory{index}", content, type="explicit", time=time)
        for index, (content, time) in enumerate(found.items())
    )
    return (MemorySet("saved", tuple(memories), title="Saved memories"),)


def _memories_in(text: str) -> Iterator[tuple[str, datetime | None]]:
    """The memories of a list such as `1. [2024-05-01]. Likes tea`; a text without numbers is one memory."""
    starts = list(_NUMBERED.finditer(text))
    if not starts or text[: starts[0].start()].strip():
        yield from ((text.strip(), None),) if text.strip() else ()
        return
    ends = [*(start.start() for start in starts[1:]), len(text)]
    for start, end in zip(starts, ends, strict=True):
        if content := text[start.end() : end].strip():
            yield content, parse_time(start[1])


def _remarks(
    source: FileSource, chats: Sequence[ChatGptChat], conversations: Sequence[Conversation], profiles: int
) -> Iterator[Problem]:
    """What a person should know of the file as a whole."""
    branched = [conversation for conversation in conversations if conversation.tree]
    if branched:
        others = sum(len(one.tree.messages) - len(one.messages) for one in branched if one.tree)
        yield source.problem(
            "", f"{len(branched)} chats have other branches, {others} messages beside the active ones", "info"
        )
    blank = sum(reading.kind == "blank" for chat in chats for reading in chat.readings.values())
    if blank:
        yield source.problem("", f"{blank} system messages are blank in the export; they were left out", "info")
    if profiles > 1:
        yield source.problem(
            "", f"{profiles} different custom instructions; each stays in its chat as a system message", "info"
        )


FORMAT = Format("chatgpt", "ChatGPT export", _sniff, _load, "chats with `mapping` and `current_node`")
