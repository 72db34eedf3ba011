"""FastChat's server logs: lines `{tstamp, type, model, state{messages}}`, each with the whole chat at its time.

Only the last line of a chat counts. A line of an arena has two states, each a chat of its own.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.content.at import At
from inspector.formats.content.media import picture_of
from inspector.formats.content.turns import beside
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES
from inspector.formats.saved_chats import SavedChat, in_line, surest, values_of, workspace_of
from inspector.model import Message, Role, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects

_SPEAKERS: Mapping[int, Role] = {0: "user", 1: "assistant"}


def sniff(source: FileSource) -> float:
    """Return how likely the file holds lines of a server's log."""
    return surest(source, lambda value: 0.95 if _is_line(value) else 0.0)


def _is_line(value: Any) -> bool:
    line = mapping(value)
    return "tstamp" in line and any(isinstance(state.get("messages"), list) for state in _states(line))


def _states(line: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    state = line.get("state")
    return (state,) if isinstance(state, Mapping) else objects(line.get("states"))


def load(source: FileSource) -> Workspace:
    """Return the chats of a log, each in its last state. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    last: dict[str, tuple[Mapping[str, Any], str]] = {}
    states = 0
    for place, line in values_of(source, notes):
        if not _is_line(line):
            notes.add(place, "expected a line with tstamp and the state of a chat; it was left out")
            continue
        for number, state in enumerate(_states(line)):
            states += 1
            at = f"{place}.states[{number}]" if "states" in line else f"{place}.state"
            name = as_text(state["conv_id"]) if isinstance(state.get("conv_id"), str) else f"chat{states}"
            last[name] = ({"model": line.get("model"), **state}, at)
    if not last:
        raise notes.unreadable("$", "expected lines with tstamp and the state of a chat, found none")
    if states > len(last):
        notes.add("", f"{states - len(last):,} lines hold earlier states of the same chats", "info")
    return workspace_of([_chat(state, name, notes, place) for name, (state, place) in last.items()], source, notes)


def _chat(state: Mapping[str, Any], name: str, notes: Notes, place: str) -> SavedChat:
    nodes = in_line(_messages(state, notes, place))
    models = (state.get("model_name"), state.get("model"))
    model = next((as_text(model) for model in models if isinstance(model, str) and model), "")
    system = next((as_text(state[key]) for key in ("system_message", "system") if isinstance(state.get(key), str)), "")
    return SavedChat(nodes, next(reversed(nodes), None), place, name, system=system.strip(), model=model)


def _messages(state: Mapping[str, Any], notes: Notes, place: str) -> Iterator[tuple[str, Message]]:
    """Yield the turns `[role, text]`; an answer not yet written is null."""
    speakers: dict[str, Role] = {
        as_text(name): _SPEAKERS[number] for number, name in enumerate(items_of(state.get("roles"))[:2])
    }
    for number, pair in enumerate(items_of(state.get("messages"))):
        at = f"{place}.messages[{number}]"
        said = items_of(pair)
        word = as_text(said[0]) if said and isinstance(said[0], str) else ""
        role: Role | None = speakers.get(word) or ROLES.get(word.lower())
        text = said[1] if len(said) > 1 else None
        pictured = isinstance(text, list) and bool(text) and isinstance(text[0], str)  # a text and its pictures
        if role is None or not (text is None or isinstance(text, str) or pictured):
            notes.add(at, "expected a pair of a role and a text; it was left out", "error")
        elif isinstance(text, list):
            seen = [
                picture_of(one, At(notes, f"{at}[1][1][{n}]"))
                for part in text[1:2]
                for n, one in enumerate(items_of(part))
            ]
            yield at, Message("", role, parts=beside(as_text(text[0]), media=seen))
        elif text is not None:
            yield at, Message("", role, as_text(text))


FORMAT = Format("fastchat", "FastChat log", sniff, load, "lines with `tstamp`, `type` and `state`")
