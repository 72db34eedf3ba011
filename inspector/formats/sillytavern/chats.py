"""SillyTavern: saved chats (JSON lines, with and without header), group definitions and the personas of its settings.

`turn` reads a line, `people` groups and personas; `link` joins a chat with the card, persona and group of the same
folder.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from inspector.formats.cards.card import component, placed, role_of
from inspector.formats.format import Format
from inspector.formats.sillytavern.link import is_group, link, load_group
from inspector.formats.sillytavern.settings import is_settings, load_personas
from inspector.formats.sillytavern.turn import Turn, is_turn, most_common, names_of, read_turn
from inspector.model import (
    Character,
    Component,
    Conversation,
    MessageTree,
    PastSummary,
    Problem,
    Profile,
    Workspace,
    changed,
)
from inspector.reading.source import FileSource, Record
from inspector.reading.values import as_text, as_whole, mapping, stem

__all__ = ["FORMAT", "link"]

_UNUSED = "unused"  # the value of both names of the header in newer versions
_DEPTH = 4  # SillyTavern's DEFAULT_DEPTH of notes
_IN_CHAT = 1  # note_position: among the messages, `note_depth` from the end
_BESIDE_PROMPT = {0: "after_prompt", 2: "before_prompt"}  # IN_PROMPT and BEFORE_PROMPT of public/script.js


def sniff(source: FileSource) -> float:
    """Return how likely this is a chat, a group definition or the settings of SillyTavern."""
    if source.shape not in ("json", "json_lines"):
        return 0.0
    first = source.sample
    if not isinstance(first, Mapping):
        return 0.0
    if _is_header(first) and (first.keys() & {"chat_metadata", "character_name", "create_date"}):
        return 0.95
    if "mes" in first and first.keys() & {"is_user", "send_date", "swipes", "extra", "name"}:
        return 0.95
    return 0.9 if is_group(first) or is_settings(first) else _sureness_of_lines(source)


def _sureness_of_lines(source: FileSource) -> float:
    """Return how likely this is a chat whose first lines are broken."""
    if source.shape != "json_lines":
        return 0.0
    return 0.8 if any(is_turn(record.value) and "is_user" in record.value for record in source.first_records) else 0.0


def _is_header(value: Any) -> bool:
    if not isinstance(value, Mapping) or "mes" in value:
        return False
    return ("chat_metadata" in value and not is_group(value)) or "user_name" in value


def load(source: FileSource) -> Workspace:
    """Return the workspace of the file. Raise UnreadableError if no line of a chat is usable."""
    if source.shape == "json":
        value = source.json
        if is_group(value):
            return load_group(value, source)
        if is_settings(value):
            return load_personas(value, source)
    return _load_chat(source)


def _load_chat(source: FileSource) -> Workspace:
    problems: list[Problem] = []
    records = _records(source, problems)
    first = next(records, None)
    header = mapping(first.value) if first and _is_header(first.value) else {}
    turns = _turns(records if header or not first else chain([first], records), source, problems)
    if not turns and not header:
        raise source.unreadable("", "expected the lines of a SillyTavern chat, found none that can be used", problems)
    conversation = _conversation(turns, stem(source.path))
    problems += _remarks(conversation, turns, header, source)
    character = _character(header, turns)
    return Workspace(
        conversations=(conversation,),
        characters=(character,) if character else (),
        summaries=_summaries(turns, conversation),
        attachments=tuple(attachment for turn in turns for attachment in turn.attachments),
        problems=tuple(problems),
    )


def _records(source: FileSource, problems: list[Problem]) -> Iterator[Record]:
    """Return the lines of a chat; some programs write them as a JSON array."""
    if source.shape == "json" and isinstance(source.json, list):
        return (Record(number, value) for number, value in enumerate(source.json, 1))
    return source.records(problems)


def _turns(records: Iterable[Record], source: FileSource, problems: list[Problem]) -> list[Turn]:
    turns: list[Turn] = []
    for record in records:
        if is_turn(record.value):
            turns.append(read_turn(record, len(turns), source, problems))
        else:
            message = "expected a line of a chat: an object with `mes`"
            problems.append(source.problem(f"line {record.line}", message, "warning"))
    return turns


def _conversation(turns: Sequence[Turn], name: str) -> Conversation:
    messages = tuple(message for turn in turns for message in turn.messages)
    models = [turn.model for turn in turns if turn.model]
    return Conversation(id=name, title=name, messages=messages, tree=_tree(turns), model=models[-1] if models else "")


def _tree(turns: Sequence[Turn]) -> MessageTree | None:
    """Return the messages with their swipes beside them, in the order of each line; None if there are no swipes."""
    if not any(turn.alternatives for turn in turns):
        return None
    messages, parents, last = [], [], ""
    for turn in turns:
        above = last
        last = turn.messages[-1].id
        messages += [*turn.before, *turn.messages, *turn.after]
        chain = [above, *(message.id for message in turn.messages[:-1])]
        parents += [*(above for _ in turn.before), *chain, *(above for _ in turn.after)]
    return MessageTree(tuple(messages), tuple(parents), last)


def _summaries(turns: Sequence[Turn], conversation: Conversation) -> tuple[PastSummary, ...]:
    """Return the newest summary of the Summarize extension, the only summary that the application sends."""
    for turn in reversed(turns):
        if turn.memory:
            last = turn.messages[0].id
            title = f"{conversation.title} up to {last}"
            return (PastSummary(f"{conversation.id}:{last}", turn.memory, title, source_messages=(last,)),)
    return ()


def _name(value: Any) -> str:
    name = as_text(value).strip()
    return "" if name == _UNUSED else name


def _character(header: Mapping[str, Any], turns: Sequence[Turn]) -> Character | None:
    """Return the character a header changes for this chat alone, nameless in a group; None without changes."""
    settings = mapping(header.get("chat_metadata"))
    pieces = [
        component(kind, text)
        for kind, field in (("scenario", "scenario"), ("example", "mes_example"))
        if (text := as_text(settings.get(field))).strip()
    ]
    pieces += _author_note(settings, turns)
    system_prompt = as_text(settings.get("system_prompt"))
    if not pieces and not system_prompt.strip():
        return None
    messages = [message for turn in turns for message in turn.messages]
    speakers = set(names_of(messages, "assistant"))
    name = _name(header.get("character_name")) or (speakers.pop() if len(speakers) == 1 else "")
    user = _name(header.get("user_name")) or most_common(names_of(messages, "user"))
    return Character(
        id=name or "character",
        name=name,
        system_prompt=system_prompt,
        components=tuple(pieces),
        profile=Profile(name=user) if user else None,
    )


def _author_note(settings: Mapping[str, Any], turns: Sequence[Turn]) -> list[Component]:
    """Return the author's note, on if SillyTavern would insert it now: every n-th user message, never for 0."""
    text = as_text(settings.get("note_prompt"))
    if not text.strip():
        return []
    interval = as_whole(settings.get("note_interval", 1)) or 0
    written = sum(message.role == "user" for turn in turns for message in turn.messages)
    note = component("authors_note", text, condition=interval > 0 and written > 0 and written % interval == 0)
    depth, role, position = settings.get("note_depth"), settings.get("note_role"), _note_position(settings)
    if position == _IN_CHAT:
        return [placed(note, depth, role)]
    if position not in _BESIDE_PROMPT:
        return [changed(note, condition=False)]
    return [changed(note, position=_BESIDE_PROMPT[position], role=role_of(role))]


def _note_position(settings: Mapping[str, Any]) -> int | None:
    """Return where the author's note stands: among the messages by default of `public/scripts/authors-note.js`."""
    position = settings.get("note_position")
    return _IN_CHAT if position is None else as_whole(position)


def _remarks(
    conversation: Conversation, turns: Sequence[Turn], header: Mapping[str, Any], source: FileSource
) -> list[Problem]:
    """Return remarks for the user on properties of a chat that its messages do not show."""
    remarks: list[str] = []
    swiped = sum(bool(turn.alternatives) for turn in turns)
    if swiped:
        count = sum(len(turn.alternatives) for turn in turns)
        have = "1 message has" if swiped == 1 else f"{swiped} messages have"
        versions = "1 other version (swipe)" if count == 1 else f"{count} other versions (swipes)"
        remarks.append(f"{have} {versions}; the conversation follows the shown one")
    if (older := sum(bool(turn.memory) for turn in turns) - 1) > 0:
        kept = "1 older summary of the chat is" if older == 1 else f"{older} older summaries of the chat are"
        remarks.append(f"{kept} kept with the messages; the newest one counts")
    settings = mapping(header.get("chat_metadata"))
    if as_text(settings.get("note_prompt")).strip():
        remarks.append(f"the author's note {_note_words(settings)}")
    if world := as_text(settings.get("world_info")).strip():
        remarks.append(f"the chat goes with the lorebook {world}, which is a file of its own")
    remarks += [
        f"{turn.messages[0].id} quotes the file {name}, whose text is not in the chat"
        for turn in turns
        for name in turn.unread_files
    ]
    return [source.problem("", remark, "info") for remark in remarks]


def _note_words(settings: Mapping[str, Any]) -> str:
    position = _note_position(settings)
    if position == _IN_CHAT:
        depth = as_text(settings.get("note_depth", _DEPTH))
        return f"goes {depth} messages from the end, as policies of SillyTavern put it"
    if position in _BESIDE_PROMPT:
        where = "after" if _BESIDE_PROMPT[position] == "after_prompt" else "before"
        return f"goes {where} the main prompt, as policies of SillyTavern put it"
    return f"is not sent: its position {as_text(settings.get('note_position'))} is none of SillyTavern's 0, 1 and 2"


FORMAT = Format(
    "sillytavern",
    "SillyTavern chat, group or personas",
    sniff,
    load,
    "a first line with `chat_metadata` or `user_name`, lines with `mes`, a group or its settings",
)
