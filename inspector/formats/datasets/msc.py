"""Multi-Session Chat: two speakers over several sessions, with a persona of each.

Layout: ParlAI's `msc`: lines `{personas[[…], […]], dialog[{text, id}], previous_dialogs[{dialog, personas, time_back}],
metadata{initial_data_id, session_id}}`. Sessions have no dates, only their distance in time. The second speaker is the
assistant; the persona of each is a memory set.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import SavedChat, in_line, surest, values_of, workspace_of
from inspector.formats.unique_ids import unique_texts
from inspector.model import Memory, MemorySet, Message, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, stem, strings

_SPEAKERS = ("Speaker 1", "Speaker 2")
_EXPECTED = "expected an episode with a dialog and personas"


def sniff(source: FileSource) -> float:
    """Return how likely the file holds episodes of Multi-Session Chat."""
    return surest(source, lambda value: 0.95 if _is_episode(value) else 0.0)


def _is_episode(value: Any) -> bool:
    fields = mapping(value)
    turns = items_of(fields.get("dialog"))
    said = bool(turns) and all(isinstance(mapping(turn).get("text"), str) for turn in turns[:3])
    return said and bool(fields.keys() & {"personas", "previous_dialogs"})


def load(source: FileSource) -> Workspace:
    """Return a conversation and its personas for each episode. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    episodes: list[tuple[str, Mapping[str, Any]]] = []
    for place, value in values_of(source, notes):
        if _is_episode(value):
            episodes.append((place, value))
        else:
            notes.add(place, f"{_EXPECTED}; it was left out", "error")
    if not episodes:
        raise notes.unreadable("$", f"{_EXPECTED}, found none")
    ids = unique_texts(
        _name(episode) or f"{stem(source.path)}-{number}" for number, (_, episode) in enumerate(episodes, 1)
    )
    chats = [_chat(episode, id_, notes, place) for id_, (place, episode) in zip(ids, episodes, strict=True)]
    sets = (_personas(episode, id_) for id_, (_, episode) in zip(ids, episodes, strict=True))
    return workspace_of(chats, source, notes, memory_sets=tuple(one for one in sets if one.memories))


def _name(episode: Mapping[str, Any]) -> str:
    names = (mapping(episode.get("metadata")).get("initial_data_id"), episode.get("initial_data_id"))
    return next((as_text(name) for name in names if isinstance(name, str)), "")


def _chat(episode: Mapping[str, Any], id_: str, notes: Notes, place: str) -> SavedChat:
    earlier = items_of(episode.get("previous_dialogs"))
    sessions = [(f"{place}.previous_dialogs[{number}]", one) for number, one in enumerate(earlier)]
    turns: list[tuple[str, Message]] = []
    for number, (at, session) in enumerate([*sessions, (place, episode)], 1):
        if isinstance(mapping(session).get("dialog"), list):
            turns += _turns(session, number, notes, at)
        else:
            notes.add(at, "expected a session with a dialog; it was left out", "error")
    nodes = in_line(turns)
    return SavedChat(nodes, next(reversed(nodes), None), place, id_)


def _turns(session: Mapping[str, Any], number: int, notes: Notes, place: str) -> Iterator[tuple[str, Message]]:
    """Yield the turns of a session; those of earlier sessions have no names, and the first speaker begins."""
    back = as_text(session.get("time_back"))
    kept = {"session": number, **({"time_back": back} if back else {})}
    for index, turn in enumerate(items_of(session["dialog"])):
        at, fields = f"{place}.dialog[{index}]", mapping(turn)
        if not isinstance(fields.get("text"), str):
            notes.add(at, "expected a turn with text; it was left out", "error")
            continue
        named = as_text(fields.get("id"))
        name = named if named in _SPEAKERS else _SPEAKERS[index % 2]
        role = "assistant" if name == _SPEAKERS[1] else "user"
        yield at, Message("", role, as_text(fields["text"]), name, metadata=kept)


def _personas(episode: Mapping[str, Any], id_: str) -> MemorySet:
    """Return the personas of both speakers, as known in the last session."""
    sides = items_of(episode.get("personas"))
    memories = (
        Memory(f"{id_}:{side + 1}.{number}", text, type="explicit", tags=(_SPEAKERS[side],))
        for side, lines in enumerate(sides[:2])
        for number, text in enumerate(strings(lines), 1)
    )
    return MemorySet(id_, tuple(memories), f"Personas of {id_}", (id_,))


FORMAT = Format("msc", "Multi-Session Chat", sniff, load, "a `dialog` with `personas` or `previous_dialogs`")
