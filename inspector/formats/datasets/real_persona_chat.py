"""RealPersonaChat: Japanese dialogues between two people, or between a user and a model.

Layout: github.com/nu-dialogue/real-persona-chat: `{dialogue_id, interlocutors[], utterances[{interlocutor_id, text,
timestamp}]}`, with a model `{dialogue_id, system_id, interlocutor_id, utterances[{interlocutor user|system, text}]}`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import SavedChat, in_line, read_chats, surest
from inspector.model import Message, Role, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects, parse_time

_ROLES: Mapping[str, Role] = {"user": "user", "system": "assistant"}  # users talk to the system


def sniff(source: FileSource) -> float:
    """Return how likely the file holds dialogues of RealPersonaChat."""
    return surest(source, lambda value: 0.95 if _is_dialogue(value) else 0.0)


def _is_dialogue(value: Any) -> bool:
    turns = items_of(mapping(value).get("utterances"))
    return "dialogue_id" in mapping(value) and bool(turns) and all(map(_is_turn, turns[:5]))


def _is_turn(value: Any) -> bool:
    fields = mapping(value)
    return isinstance(fields.get("text"), str) and bool(_speaker(fields))


def _speaker(turn: Mapping[str, Any]) -> str:
    return as_text(turn.get("interlocutor")) or as_text(turn.get("interlocutor_id"))


def load(source: FileSource) -> Workspace:
    """Return a conversation for each dialogue. Raise UnreadableError if there is none."""
    return read_chats(source, _is_dialogue, _chat, "a dialogue with utterances of interlocutors")


def _chat(dialogue: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    """Return a dialogue; the second named speaker is assumed to be the assistant."""
    named = [as_text(name) for name in items_of(dialogue.get("interlocutors"))]
    spoke = (_speaker(turn) for turn in objects(dialogue["utterances"]))
    speakers = list(dict.fromkeys((*named, *filter(None, spoke))))
    of_two: Mapping[str, Role] = dict.fromkeys(speakers[1:2], "assistant")
    roles = _ROLES if _ROLES.keys() >= set(speakers) else of_two
    names = {"user": as_text(dialogue.get("interlocutor_id")), "system": as_text(dialogue.get("system_id"))}
    nodes = in_line(_turns(dialogue, roles, names, notes, place))
    model = names["system"] if roles is _ROLES else ""
    id_ = as_text(dialogue["dialogue_id"])
    return SavedChat(nodes, next(reversed(nodes), None), place, id_, model=model)


def _turns(
    dialogue: Mapping[str, Any], roles: Mapping[str, Role], names: Mapping[str, str], notes: Notes, place: str
) -> Iterator[tuple[str, Message]]:
    for number, turn in enumerate(items_of(dialogue["utterances"])):
        at = f"{place}.utterances[{number}]"
        if not _is_turn(turn):
            notes.add(at, "expected an utterance with text and its interlocutor; it was left out", "error")
            continue
        speaker = _speaker(turn)
        name = names.get(speaker, "") or speaker if roles is _ROLES else speaker
        time = parse_time(turn.get("timestamp"))
        yield at, Message("", roles.get(speaker, "user"), as_text(turn["text"]), name, time)


FORMAT = Format(
    "real_persona_chat", "RealPersonaChat dialogues", sniff, load, "`utterances` with an `interlocutor` and `text`"
)
