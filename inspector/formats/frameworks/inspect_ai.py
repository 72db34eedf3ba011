"""Logs of Inspect AI: each sample of an evaluation is a conversation.

UKGovernmentBEIS/inspect_ai, `src/inspect_ai/log/_log.py`, `model/_chat_message.py` and `_util/content.py`. A log is
JSON (`{version, eval, samples[]}`), or a zip (`.eval`) with `header.json` and `samples/*.json`. Long texts stand in
`attachments` of their sample and are named `attachment://…`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.formats.saved_chats import SavedChat, in_line, surest, values_of, workspace_of
from inspector.model import Message, Workspace, changed
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.values import as_text, items_of, mapping, objects

_HEADERS = ("header.json", "_journal/start.json")
_SAMPLES = "samples/"
_ATTACHED = "attachment://"
_MEDIA = ("image", "audio", "video", "document")
_DEEPEST = 12


def sniff(source: FileSource) -> float:
    """Return how likely the file is a log of Inspect AI, or a sample of one."""
    if source.shape == "zip":
        try:
            names = source.archive.names
        except UnreadableError:
            return 0.0
        return 0.97 if any(name in names for name in _HEADERS) and _members(source) else 0.0
    return surest(source, lambda value: 0.97 if _is_log(value) else 0.95 if _is_sample(value) else 0.0)


def _members(source: FileSource) -> list[str]:
    return [name for name in source.archive.names if name.startswith(_SAMPLES) and name.endswith(".json")]


def _is_log(value: Any) -> bool:
    fields = mapping(value)
    about = mapping(fields.get("eval"))
    return isinstance(fields.get("samples"), list) and "task" in about and "model" in about


def _is_sample(value: Any) -> bool:
    fields = mapping(value)
    return isinstance(fields.get("messages"), list) and {"epoch", "target", "input"} <= fields.keys()


def load(source: FileSource) -> Workspace:
    """Return a conversation for each sample. Raise UnreadableError if there is none with messages."""
    notes = Notes(source.path)
    chats = [chat for chat in _chats(source, notes) if chat.nodes]
    if not chats:
        raise notes.unreadable("samples", "expected samples with messages, found none")
    return workspace_of(chats, source, notes)


def _chats(source: FileSource, notes: Notes) -> Iterator[SavedChat]:
    if source.shape == "zip":
        yield from _packed(source, notes)
        return
    for place, value in values_of(source, notes):
        fields = mapping(value)
        if _is_log(value):
            for number, sample in enumerate(items_of(fields["samples"])):
                yield from _sample(sample, mapping(fields["eval"]), notes, f"{place}.samples[{number}]")
        else:
            yield from _sample(value, {}, notes, place)


def _packed(source: FileSource, notes: Notes) -> Iterator[SavedChat]:
    """Yield the chats of a zip; a member that cannot be read is a problem."""
    notes.problems += source.archive.problems
    about: Mapping[str, Any] = {}
    for name in _HEADERS:
        if not about and name in source.archive:
            about = mapping(mapping(_member(source, name, notes)).get("eval"))
    for name in _members(source):
        value = _member(source, name, notes)
        if value is not None:
            yield from _sample(value, about, notes, name)


def _member(source: FileSource, name: str, notes: Notes) -> Any:
    try:
        return source.member(name).json
    except UnreadableError as error:
        notes.add(name, f"{error.problem.message}; it was left out", "error")
        return None


def _sample(value: Any, about: Mapping[str, Any], notes: Notes, place: str) -> Iterator[SavedChat]:
    sample = mapping(value)
    if not isinstance(sample.get("messages"), list):
        notes.add(place, "expected a sample with messages; it was left out", "error")
        return
    attached = mapping(sample.get("attachments"))
    placed = ((f"{place}.messages[{number}]", one) for number, one in enumerate(sample["messages"]))
    found = [(at, message) for at, one in placed for message in _read(_resolved(one, attached), notes, at)]
    usage = read_usage(mapping(sample.get("output")).get("usage")).metadata
    if found and usage and found[-1][1].role == "assistant":
        found[-1] = (found[-1][0], changed(found[-1][1], metadata={**found[-1][1].metadata, **usage}))
    nodes = in_line(found)
    name, epoch = as_text(sample.get("id", "")), as_text(sample.get("epoch", ""))
    yield SavedChat(
        nodes,
        next(reversed(nodes), None),
        place,
        f"{name}-{epoch}" if name and epoch else name,
        title=" ".join(filter(None, (as_text(about.get("task", "")), name, f"epoch {epoch}" if epoch else ""))),
        model=as_text(about.get("model", "")),
        tools=[_resolved(tool, attached) for tool in _tools(sample)],
    )


def _tools(sample: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the tools of the sample's calls of the model, as each was first given."""
    found: dict[str, Mapping[str, Any]] = {}
    for event in objects(sample.get("events")):
        for tool in objects(event.get("tools")) if event.get("event") == "model" else ():
            function = {key: tool[key] for key in ("name", "description", "parameters") if key in tool}
            found.setdefault(as_text(tool.get("name")), {"type": "function", "function": function})
    return list(found.values())


def _resolved(value: Any, attached: Mapping[str, Any], depth: int = _DEEPEST) -> Any:
    """Return the value with the attachments in place of their names."""
    if isinstance(value, str):
        return attached.get(value.removeprefix(_ATTACHED), value) if value.startswith(_ATTACHED) else value
    if not attached or not depth:
        return value
    if isinstance(value, list):
        return [_resolved(one, attached, depth - 1) for one in value]
    if isinstance(value, Mapping):
        return {key: _resolved(one, attached, depth - 1) for key, one in value.items()}
    return value


def _read(record: Any, notes: Notes, place: str) -> list[Message]:
    fields = mapping(record)
    content = fields.get("content")
    error = mapping(fields.get("error"))
    made = {key: fields[key] for key in ("id", "role", "tool_call_id") if fields.get(key) is not None}
    made["content"] = [_part(one) for one in content] if isinstance(content, list) else content
    if not made["content"]:
        made["content"] = as_text(error.get("message") or "")
    if isinstance(fields.get("function"), str):
        made["name"] = fields["function"]
    if calls := objects(fields.get("tool_calls")):
        made["tool_calls"] = [_call(call) for call in calls]
    return read_message(made, notes, place) if fields else read_message(record, notes, place)


def _call(call: Mapping[str, Any]) -> Mapping[str, Any]:
    if isinstance(call.get("function"), Mapping):
        return call
    return {"id": call.get("id"), "name": call.get("function"), "arguments": call.get("arguments", "")}


def _part(part: Any) -> Any:
    """Return a content under its usual names: media by their address or data, thoughts that were withheld, data."""
    fields = mapping(part)
    kind = fields.get("type")
    if kind == "reasoning" and fields.get("redacted") is True:
        return {"type": "redacted_thinking", "data": fields.get("reasoning")}
    if kind == "data":
        return {"type": "text", "text": as_text(fields.get("data"))}
    if kind in _MEDIA and isinstance(fields.get(kind), str):
        told = fields[kind]
        key = "url" if told.startswith(("data:", "http:", "https:")) else "name"
        return {"name": fields.get("filename"), **{k: v for k, v in fields.items() if k != kind}, key: told}
    return part


FORMAT = Format("inspect_ai", "Inspect AI log", sniff, load, "`eval` with `samples`, or a zip of them")
