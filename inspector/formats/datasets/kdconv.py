"""KdConv: Chinese dialogues of two speakers, whose turns name the knowledge behind them.

Layout: github.com/thu-coai/KdConv, `data/<domain>/*.json`: `[{name, messages[{message, attrs[{name, attrname,
attrvalue}]}]}]`. Speakers take turns and have no names. The knowledge of a turn stays in its metadata.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import SavedChat, in_line, read_chats, surest
from inspector.model import Message, Role, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects

_SPEAKERS: tuple[Role, Role] = ("user", "assistant")
_FACT = ("name", "attrname", "attrvalue")


def sniff(source: FileSource) -> float:
    """Return how likely the file holds dialogues of KdConv."""
    return surest(source, lambda value: 0.95 if _is_dialogue(value) else 0.0)


def _is_dialogue(value: Any) -> bool:
    turns = items_of(mapping(value).get("messages"))
    return bool(turns) and all(isinstance(mapping(turn).get("message"), str) for turn in turns[:5])


def load(source: FileSource) -> Workspace:
    """Return a conversation for each dialogue. Raise UnreadableError if there is none."""
    return read_chats(source, _is_dialogue, _chat, "a dialogue whose messages have a message each")


def _chat(dialogue: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    turns: list[tuple[str, Message]] = []
    for number, turn in enumerate(items_of(dialogue["messages"])):
        at = f"{place}.messages[{number}]"
        if not isinstance(mapping(turn).get("message"), str):
            notes.add(at, "expected a turn with a message; it was left out", "error")
            continue
        facts = [{key: as_text(fact.get(key)) for key in _FACT} for fact in objects(turn.get("attrs"))]
        metadata = {"knowledge": facts} if facts else {}
        turns.append((at, Message("", _SPEAKERS[number % 2], as_text(turn["message"]), metadata=metadata)))
    nodes = in_line(turns)
    title = as_text(dialogue["name"]) if isinstance(dialogue.get("name"), str) else ""
    return SavedChat(nodes, next(reversed(nodes), None), place, title=title)


FORMAT = Format("kdconv", "KdConv dialogues", sniff, load, "dialogues of `messages` with `message` and `attrs`")
