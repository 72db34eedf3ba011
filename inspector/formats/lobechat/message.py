"""A single message of LobeChat: its text, the tools it calls by name, and the files put into it."""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.content.at import At
from inspector.formats.content.media import picture_of
from inspector.formats.content.thoughts import reasoning_text
from inspector.formats.content.turns import result_message
from inspector.formats.content.usage import read_usage
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES
from inspector.formats.vercel.parts import Steps
from inspector.model import Attachment, Message, Result, Role, changed
from inspector.reading.values import as_text, items_of, mapping, objects, parse_time

_ROLES: dict[str, Role] = {**ROLES, "supervisor": "assistant", "group": "assistant", "assistantGroup": "assistant"}


def read_turn(record: Mapping[str, Any], notes: Notes, place: str) -> list[Message]:
    """Return the messages of a record: its text, tool calls and their results; none for a malformed record."""
    role = _ROLES.get(as_text(record.get("role")))
    if role is None:
        found = as_text(record.get("role"))[:40] or "nothing"
        notes.add(f"{place}.role", f"expected system, user, assistant or tool, found {found}; it was left out", "error")
        return []
    if not isinstance(record.get("content"), str | None):
        notes.add(f"{place}.content", "expected text; the message was left out", "error")
        return []
    if role == "tool":
        return _identified([_result(record)], record)
    steps = Steps(role, notes)
    for said in objects(record.get("children")) or (record,):  # an answer in several steps
        _read_step(said, steps, At(notes, place))
    steps.flush()
    return _identified(steps.messages or [Message("", role, "")], record)


def attachments_of(record: Mapping[str, Any]) -> Iterator[Attachment]:
    """Yield the files of a message whose text is in the export."""
    for file in objects(record.get("fileList")):
        if isinstance(file.get("content"), str):
            yield Attachment(as_text(file.get("name")) or "file", as_text(file["content"]), as_text(record.get("id")))


def _read_step(said: Mapping[str, Any], steps: Steps, at: At) -> None:
    steps.add_reasoning(reasoning_text(said.get("reasoning")))
    steps.add_text(said.get("content"))
    for number, picture in enumerate(items_of(said.get("imageList"))):
        steps.add([picture_of(picture, at.below(f".imageList[{number}]"))])
    for tool in objects(said.get("tools")):
        called = {"toolCallId": tool.get("id"), "toolName": tool.get("apiName"), "args": tool.get("arguments", "")}
        answer = mapping(tool.get("result")).get("content")
        steps.add_invocation({**called, **({"result": answer} if answer is not None else {})}, at)


def _result(record: Mapping[str, Any]) -> Message:
    """Return a tool result; older exports have no id of the call."""
    name = as_text(mapping(record.get("plugin")).get("apiName"))
    return result_message(Result(as_text(record.get("tool_call_id")), name, as_text(record.get("content"))))


def _identified(turns: list[Message], record: Mapping[str, Any]) -> list[Message]:
    """Return the turns with the id and time of the record, and its metadata of the whole answer."""
    time = parse_time(record.get("createdAt"))
    turns = [changed(turn, time=time) for turn in turns]
    about = mapping(record.get("metadata"))
    files = [as_text(file.get("name")) for file in objects(record.get("fileList"))]
    error = record.get("error")
    found = {
        "model": as_text(record.get("model")) if turns[0].role == "assistant" else "",
        "files": [name for name in files if name],
        "error": as_text(mapping(error).get("message") or error) if error else "",
        **read_usage(record.get("usage"), about.get("usage"), about).metadata,
    }
    kept = {**turns[0].metadata, **{key: value for key, value in found.items() if value not in ("", [])}}
    turns[0] = changed(turns[0], id=as_text(record.get("id")), metadata=kept)
    return turns
