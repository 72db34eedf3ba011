"""Trajectories of agents in ATIF, the Agent Trajectory Interchange Format of Harbor.

laude-institute/harbor, `docs/rfcs/0001-trajectory-format.md` and `src/harbor/models/trajectories` (to version 1.7):
`{schema_version, session_id, agent{name, version, model_name, tool_definitions[]}, steps[{source, message, timestamp,
model_name, reasoning_content, tool_calls[{tool_call_id, function_name, arguments}], observation{results[{
source_call_id, content}]}, metrics}]}`. Trajectories of subagents inside become conversations of their own.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.content.turns import with_thought_tokens
from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.formats.saved_chats import SavedChat, in_line, surest, values_of, workspace_of
from inspector.model import Message, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects

_ROLES = {"system": "system", "user": "user", "agent": "assistant", "assistant": "assistant"}
_INSIDE = "subagent_trajectories"
_DEEPEST = 8
_EXPECTED = "a trajectory (schema_version ATIF and steps)"


def sniff(source: FileSource) -> float:
    """Return how likely the file holds trajectories in ATIF."""
    return surest(source, lambda value: 0.97 if _is_trajectory(value) else 0.0)


def _is_trajectory(value: Any) -> bool:
    fields = mapping(value)
    steps, version = fields.get("steps"), fields.get("schema_version")
    return isinstance(steps, list) and isinstance(version, str) and version.upper().startswith("ATIF")


def load(source: FileSource) -> Workspace:
    """Return a conversation for each trajectory. Raise UnreadableError if there is none with steps."""
    notes = Notes(source.path)
    chats: list[SavedChat] = []
    for place, value in values_of(source, notes):
        if _is_trajectory(value):
            chats += _chats(value, notes, place, _DEEPEST)
        else:
            notes.add(place, f"expected {_EXPECTED}; it was left out", "error")
    chats = [chat for chat in chats if chat.nodes]
    if not chats:
        raise notes.unreadable("$.steps", f"expected {_EXPECTED}, found none")
    return workspace_of(chats, source, notes)


def _chats(value: Mapping[str, Any], notes: Notes, place: str, depth: int) -> Iterator[SavedChat]:
    """Yield the chat of a trajectory, and those of its subagents."""
    agent = mapping(value.get("agent"))
    placed = ((f"{place}.steps[{number}]", step) for number, step in enumerate(items_of(value["steps"])))
    found = [(at, message) for at, step in placed for message in _step(step, notes, at)]
    models = (agent.get("model_name"), *(step.get("model_name") for step in objects(value["steps"])))
    ids = (value.get("trajectory_id"), value.get("session_id"))
    nodes = in_line(found)
    yield SavedChat(
        nodes,
        next(reversed(nodes), None),
        place,
        next((as_text(id_) for id_ in ids if isinstance(id_, str)), ""),
        title=as_text(agent.get("name", "")),
        model=next((as_text(model) for model in models if isinstance(model, str) and model), ""),
        tools=objects(agent.get("tool_definitions")),
    )
    for number, inner in enumerate(items_of(value.get(_INSIDE)) if depth else ()):
        if _is_trajectory({"schema_version": value["schema_version"], **mapping(inner)}):
            below = {"schema_version": value["schema_version"], **inner}
            yield from _chats(below, notes, f"{place}.{_INSIDE}[{number}]", depth - 1)


def _step(step: Any, notes: Notes, place: str) -> list[Message]:
    """Return the messages of a step: what was said, and a result for each observation."""
    fields = mapping(step)
    word = as_text(fields.get("source")).lower()
    if word not in _ROLES:
        notes.add(f"{place}.source", f"expected system, user or agent, found {word[:40] or 'nothing'}; it was left out")
        return []
    if "message" not in fields and not fields.keys() & {"tool_calls", "reasoning_content", "observation"}:
        notes.add(f"{place}.message", "expected text or parts, found nothing; the message is empty")
    calls = [
        {"id": call.get("tool_call_id"), "name": call.get("function_name"), "arguments": call.get("arguments", "")}
        for call in objects(fields.get("tool_calls"))
    ]
    made = {
        "role": _ROLES[word],
        "content": fields.get("message") or "",
        "timestamp": fields.get("timestamp"),
        "reasoning_content": fields.get("reasoning_content"),
        **({"tool_calls": calls} if calls else {}),
    }
    said = read_message(made, notes, place)
    usage = read_usage(fields.get("metrics"), is_inside=True)
    if said and usage.metadata:
        said[-1] = changed(said[-1], metadata={**said[-1].metadata, **usage.metadata})
        said = with_thought_tokens(said, usage.thoughts)
    return [*said, *_results(fields, notes, place)]


def _results(step: Mapping[str, Any], notes: Notes, place: str) -> Iterator[Message]:
    """Yield the results of a step; one that names no call is that of the only call, else what the user sends back."""
    calls = [call.get("tool_call_id") for call in objects(step.get("tool_calls"))]
    results = items_of(mapping(step.get("observation")).get("results"))
    only = calls[0] if len(calls) == 1 and len(results) == 1 else None
    for number, result in enumerate(results):
        fields, at = mapping(result), f"{place}.observation.results[{number}]"
        named = fields.get("source_call_id") or only
        content = fields.get("content")
        if content is None and fields.get("subagent_trajectory_ref"):
            content = as_text(fields["subagent_trajectory_ref"])
        made = {"role": "tool" if named else "user", "content": content if content is not None else ""}
        yield from read_message({**made, **({"tool_call_id": named} if named else {})}, notes, at)


FORMAT = Format("atif", "ATIF trajectory", sniff, load, "`schema_version` ATIF with `steps`")
