"""Messages of Letta's agent files: parts of its own, results of several tools at once, and asking for approval."""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.model import Message, changed
from inspector.reading.values import as_text, items_of, mapping, objects, parse_time

_APPROVAL = "approval"
_ROLES = {"summary": "user"}  # what stands for messages that were cut off is sent as the person's
_HIDDEN = ("omitted_reasoning", "redacted_reasoning")


def read_letta_message(record: Any, notes: Notes, place: str) -> list[Message]:
    """The messages of a record: one, and one for each result of a tool; none for a bad one.

    A question for approval is the call that it asks for.
    """
    fields = mapping(record)
    role = as_text(fields.get("role"))
    if role == _APPROVAL:
        return _approval(fields, notes, place)
    if role == "tool" and (returned := _returned(fields)):
        return returned
    known = {**fields, "role": _ROLES.get(role, fields.get("role"))} if fields else record
    content = fields.get("content")
    if isinstance(content, list):
        known = {**known, "content": [part for one in content for part in _usual(one)]}
    found = read_message(known, notes, place)
    return [changed(one, metadata={**one.metadata, "summary": True}) for one in found] if role in _ROLES else found


def _usual(part: Any) -> Iterator[Any]:
    """A part under the names that others have for it; hidden thinking is none."""
    fields = mapping(part)
    kind = fields.get("type")
    if kind == "tool_call":
        yield {"type": "tool_use", **{key: fields.get(key) for key in ("id", "name", "input")}}
    elif kind == "tool_return":
        yield {"type": "tool_result", "tool_use_id": fields.get("tool_call_id"), "content": fields.get("content")}
    elif kind == "summarized_reasoning":
        text = "\n".join(as_text(one.get("text")) for one in objects(fields.get("summary")))
        yield {"type": "thinking", "thinking": text}
    elif kind not in _HIDDEN:
        yield part


def _returned(fields: Mapping[str, Any]) -> list[Message]:
    """The results where a record has several, or none as content; each is what its tool answered."""
    returns = objects(fields.get("tool_returns"))
    if not returns or (len(returns) == 1 and fields.get("content")):
        return []
    ids = [as_text(fields.get("id")), *("" for _ in returns[1:])]
    time = parse_time(fields.get("created_at"))
    return [
        Message(id_, "tool", _response(one), time=time, tool_call_id=as_text(one.get("tool_call_id")))
        for id_, one in zip(ids, returns, strict=True)
    ]


def _response(returned: Mapping[str, Any]) -> str:
    return as_text(returned.get("func_response", returned.get("tool_return")))


def _approval(fields: Mapping[str, Any], notes: Notes, place: str) -> list[Message]:
    calls = items_of(fields.get("tool_calls"))
    if calls:
        return read_letta_message({**fields, "role": "assistant"}, notes, place)
    answered = [one for one in objects(fields.get("approvals")) if one.get("tool_call_id")]
    results = _returned({**fields, "tool_returns": [one for one in answered if _response(one)], "content": None})
    if not results:
        notes.add(place, "answers a question for approval; that is not a message of the prompt", "info")
    return results


def open_files(agent: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Id, name and visible text of the files that an agent has open, which stand in its prompt."""
    for number, file in enumerate(objects(agent.get("files_agents"))):
        text = file.get("visible_content")
        if file.get("is_open") is True and isinstance(text, str) and text.strip():
            yield as_text(file.get("id")) or f"file{number}", as_text(file.get("file_name")), as_text(text)
