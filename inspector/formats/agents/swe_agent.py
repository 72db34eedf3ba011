"""Trajectories of SWE-agent (`*.traj`): the history of messages as it was sent, with thoughts, calls and results.

Layout: SWE-agent/SWE-agent, `sweagent/types.py` (`HistoryItem`, `TrajectoryStep`, `AgentInfo`). A trajectory without a
history is read by its steps. Demonstrations in the history are marked.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.agents.session import LeftOut, Session, enumerated, turn, workspace_of_sessions
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.formats.saved_chats import surest, values_of
from inspector.model import Message, Thought, Workspace, changed, with_parts
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects, stem

_STEP = frozenset(("action", "observation"))


def sniff(source: FileSource) -> float:
    """Return how likely the file is a trajectory."""
    return surest(source, lambda value: 0.96 if _is_trajectory(mapping(value)) else 0.0)


def _is_trajectory(held: Mapping[str, Any]) -> bool:
    steps, history = objects(held.get("trajectory")), objects(held.get("history"))
    is_told = any("role" in one and one.keys() & {"agent", "message_type", "is_demo"} for one in history)
    return is_told or (any(one.keys() >= _STEP for one in steps) and bool(held.keys() & {"info", "environment"}))


def load(source: FileSource) -> Workspace:
    """Return the trajectory as a conversation. Raise UnreadableError if it has no messages."""
    notes = Notes(source.path)
    sessions = [_session(mapping(value), notes, place) for place, value in values_of(source, notes)]
    return workspace_of_sessions(sessions, source, LeftOut(notes), notes, "messages or steps of SWE-agent")


def _session(held: Mapping[str, Any], notes: Notes, place: str) -> Session:
    session = Session(notes, stem(notes.file))
    history = items_of(held.get("history"))
    for at, one in enumerated(f"{place}.history", history):
        session.add("", _messages(one, notes, at), at)
    if not history:
        notes.add(f"{place}.history", "has no messages; it is read by its steps", "info")
        for at, one in enumerated(f"{place}.trajectory", items_of(held.get("trajectory"))):
            session.add("", _step(mapping(one), notes, at), at)
    return session


def _messages(item: Any, notes: Notes, place: str) -> list[Message]:
    """Return the messages of an item; a thought that is not its text is one beside it."""
    held = mapping(item)
    answered = items_of(held.get("tool_call_ids"))
    named = {**held, "tool_call_id": answered[0]} if held.get("role") == "tool" and answered else item
    found = read_message(named, notes, place)
    thought = as_text(held.get("thought") or "")
    marks = {"is_demo": True} if held.get("is_demo") is True else {}
    return [_told(message, thought, marks) for message in found]


def _told(message: Message, thought: str, marks: Mapping[str, Any]) -> Message:
    is_other = message.role == "assistant" and thought and thought.strip() not in message.content
    parts = (Thought(thought), *message.whole) if is_other else message.whole
    if is_other:
        message = with_parts(message, parts)
    return changed(message, metadata={**message.metadata, **marks}) if marks else message


def _step(step: Mapping[str, Any], notes: Notes, place: str) -> list[Message]:
    """Return the answer of a step and what it led to."""
    key = "response" if "response" in step else "action"
    answer = turn("assistant", step.get(key), notes, f"{place}.{key}")
    return [*answer, *turn("user", step.get("observation"), notes, f"{place}.observation")]


_BESIDE = ("trajectory", "info", "replay_config", "action")
"""Keys of texts for the screen, of the program's own settings, and of what is there a second time."""

FORMAT = Format(
    "swe_agent", "SWE-agent trajectory", sniff, load, "`trajectory` and `history` with `info`", beside=_BESIDE
)
