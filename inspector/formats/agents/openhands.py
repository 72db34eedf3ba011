"""Conversations of OpenHands: trajectories and events of both of its generations, as lists, lines or single files.

Layouts: OpenHands/software-agent-sdk, `openhands-sdk/openhands/sdk/event` (events with `kind`); and of version 0
All-Hands-AI/OpenHands, `openhands/events/serialization` (events with `action` or `observation`). A condensation names
the events that its summary replaced, or the first and the last of them.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.agents.openhands_events import Event, read_event
from inspector.formats.agents.session import LeftOut, Session, enumerated, workspace_of_sessions
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import surest, values_of
from inspector.model import Message, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, parse_time

_SOURCES = frozenset(("user", "agent", "environment", "hook"))
_KINDS = frozenset(("MessageEvent", "ActionEvent", "ObservationEvent", "SystemPromptEvent", "Condensation"))
_LISTS = ("trajectory", "history", "events")
_LOOKED_AT = 20


def sniff(source: FileSource) -> float:
    """Return how likely the file holds events of OpenHands."""
    return surest(source, lambda value: 0.96 if any(map(_is_event, _listed(value)[:_LOOKED_AT])) else 0.0)


def _listed(value: Any) -> tuple[Any, ...]:
    """Return the events of a trajectory, of a list, or a single one."""
    if isinstance(value, list):
        return tuple(value)
    held = mapping(value)
    return next((items_of(held[key]) for key in _LISTS if isinstance(held.get(key), list)), (value,))


def _is_event(value: Any) -> bool:
    held = mapping(value)
    if held.get("kind") in list(_KINDS):
        return bool(held.keys() & {"llm_message", "action", "observation", "system_prompt", "forgotten_event_ids"})
    if held.get("source") not in list(_SOURCES):
        return False
    is_action = isinstance(held.get("action"), str) and isinstance(held.get("args"), Mapping)
    return is_action or (isinstance(held.get("observation"), str) and "content" in held)


def load(source: FileSource) -> Workspace:
    """Return the events as conversations: one for each trajectory. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    left_out = LeftOut(notes)
    sessions = [_session(id_, events, notes, left_out) for id_, events in _trajectories(source, notes)]
    return workspace_of_sessions(sessions, source, left_out, notes, "events of OpenHands with messages")


def _trajectories(source: FileSource, notes: Notes) -> Iterator[tuple[str, list[tuple[str, Any]]]]:
    """Yield the id and the events of each trajectory; events outside of any are one."""
    loose: list[tuple[str, Any]] = []
    for place, value in values_of(source, notes):
        held = mapping(value)
        key = next((key for key in _LISTS if isinstance(held.get(key), list)), "")
        if key:
            yield as_text(held.get("id") or ""), enumerated(f"{place}.{key}", items_of(held[key]))
        elif isinstance(value, list):
            yield "", enumerated(place, value)
        else:
            loose.append((place, value))
    yield "", loose


def _session(id_: str, events: list[tuple[str, Any]], notes: Notes, left_out: LeftOut) -> Session:
    session = Session(notes, id_)
    nodes: dict[str, list[str]] = {}
    for place, value in events:
        held = mapping(value)
        if not held:
            notes.add(place, "expected an event (an object); it was left out")
            continue
        event = read_event(held, notes, place, left_out)
        session.system = event.system or session.system
        session.model = event.model or session.model
        session.tools = event.tools or session.tools
        name = as_text(held.get("id", ""))
        if event.forgotten is not None:
            _condense(session, event, nodes, held, place)
        else:
            nodes[name] = session.add(f"event{name}" if name.isdigit() else name, event.messages, place)
    return session


def _condense(
    session: Session, event: Event, nodes: Mapping[str, list[str]], held: Mapping[str, Any], place: str
) -> None:
    """Add the summary of a condensation: all events but the forgotten ones were kept."""
    gone = {name for id_ in event.forgotten or () for name in nodes.get(id_, ())}
    kept = [name for name in session.path() if name not in gone]
    if not event.summary:
        session.notes.add(place, "forgets events without a summary of them; it is empty", "info")
    summary = Message("", "user", event.summary, time=parse_time(held.get("timestamp")))
    session.compact(f"condensation{as_text(held.get('id', ''))}", summary, place, kept)


_BESIDE = ("message", "extras", "metrics", "llm_metrics", "diff", "security_risk")
"""Keys of texts for the screen, of the program's own settings, and of what is there a second time."""

FORMAT = Format(
    "openhands", "OpenHands conversation", sniff, load, "events with `source`, and `action` or `kind`", beside=_BESIDE
)
