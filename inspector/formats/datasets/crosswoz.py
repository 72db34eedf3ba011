"""CrossWOZ: Chinese dialogues in which a system helps a user to plan a day.

Layout: github.com/thu-coai/CrossWOZ, `data/crosswoz/*.json`: `{"10550": {sys-usr, goal, messages[{role usr|sys,
content, dialog_act, …}], task description[], type}}`.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import SavedChat, in_line, values_of, workspace_of
from inspector.model import Message, Role, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping

_ROLES: Mapping[str, Role] = {"usr": "user", "sys": "assistant"}
_EXPECTED = "expected dialogues whose messages are of usr and sys"


def sniff(source: FileSource) -> float:
    """Return how likely the file holds dialogues of CrossWOZ."""
    values = mapping(source.sample).values() if source.shape == "json" else ()
    return 0.95 if any(_is_dialogue(value) for value in [*values][:5]) else 0.0


def _is_dialogue(value: Any) -> bool:
    turns = items_of(mapping(value).get("messages"))
    return bool(turns) and all(as_text(mapping(turn).get("role")) in _ROLES for turn in turns[:2])


def load(source: FileSource) -> Workspace:
    """Return a conversation for each dialogue. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    chats: list[SavedChat] = []
    for place, document in values_of(source, notes):
        for name, value in mapping(document).items():
            at = f"{place}.{as_text(name)}"
            if _is_dialogue(value):
                chats.append(_chat(value, as_text(name), notes, at))
            else:
                notes.add(at, f"{_EXPECTED}; it was left out", "error")
    if not chats:
        raise notes.unreadable("$", f"{_EXPECTED}, found none")
    return workspace_of(chats, source, notes)


def _chat(dialogue: Mapping[str, Any], name: str, notes: Notes, place: str) -> SavedChat:
    turns: list[tuple[str, Message]] = []
    for number, turn in enumerate(items_of(dialogue["messages"])):
        at, fields = f"{place}.messages[{number}]", mapping(turn)
        role = _ROLES.get(as_text(fields.get("role")))
        if role is None or not isinstance(fields.get("content"), str):
            notes.add(at, "expected a turn of usr or sys with content; it was left out", "error")
        else:
            turns.append((at, Message("", role, as_text(fields["content"]))))
    nodes = in_line(turns)
    return SavedChat(nodes, next(reversed(nodes), None), place, name, f"CrossWOZ {name}")


FORMAT = Format(
    "crosswoz", "CrossWOZ dialogues", sniff, load, "dialogues by name, their `messages` of the roles usr and sys"
)
