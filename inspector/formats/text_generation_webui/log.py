"""The rows of a text-generation-webui log: pairs of texts by the user and the character, with versions of both.

`internal` is the text that the model read; `visible` is the same as HTML and is not used. The metadata of row 3 are
under `user_3` and `assistant_3`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from inspector.formats.content.turns import beside, pictures, result_message
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import Node, versions_of
from inspector.model import Attachment, Call, Message, Result, Role
from inspector.reading.values import as_text, as_whole, items_of, mapping, objects, parse_time

_GREETING = "<|BEGIN-VISIBLE-CHAT|>"
_ROLES: tuple[Role, Role] = ("user", "assistant")


@dataclass(slots=True)
class LoggedChat:
    """A log as nodes; `leaf` is the last shown node, "" if there is none."""

    nodes: dict[str, Node] = field(default_factory=dict)
    leaf: str = ""
    model: str = ""
    attachments: list[Attachment] = field(default_factory=list)


def read_log(rows: Any, metadata: Any, notes: Notes, key: str) -> LoggedChat:
    """Return the log of a list of rows; a row that is no pair of texts is noted."""
    log = LoggedChat()
    known = mapping(metadata)
    for number, row in enumerate(items_of(rows)):
        place = f"$.{key}[{number}]"
        pair = items_of(row)
        if len(pair) != 2 or not all(text is None or isinstance(text, str) for text in pair):
            notes.add(place, "expected a pair of texts, by the user and by the character")
            continue
        for role, text in zip(_ROLES, pair, strict=True):
            if text and text != _GREETING:
                name = f"{role}_{number}"
                _add(log, name, role, as_text(text), mapping(known.get(name)), place)
    return log


def _add(log: LoggedChat, name: str, role: Role, text: str, known: Mapping[str, Any], place: str) -> None:
    """Add a turn, the calls and results of its tools before it, and its other versions beside it."""
    before = log.leaf
    model = as_text(known["model_name"]) if isinstance(known.get("model_name"), str) else ""
    metadata = {"model": model} if model else {}
    files = objects(known.get("attachments"))
    seen = pictures(sum("image_data" in file or as_text(file.get("type")).startswith("image") for file in files))
    said = beside(text, media=seen)
    message = Message("", role, time=parse_time(known.get("timestamp")), parts=said, metadata=metadata)
    versions, shown = _versions(known, role, (*_tool_turns(known, name), message))
    log.nodes |= versions_of(name, before, versions, shown, place)
    log.leaf, log.model = name, model or log.model
    for number, file in enumerate(files):
        content = file.get("content")
        if isinstance(content, str) and content.strip() and "image_data" not in file:
            path = f"{name}/{as_text(file.get('name')) or number}"
            log.attachments.append(Attachment(path, as_text(content), name))


def _versions(known: Mapping[str, Any], role: Role, turn: tuple[Message, ...]) -> tuple[list[tuple[Message, ...]], int]:
    """Return all versions of a turn in order, and the index of the shown one: the turn itself."""
    listed = [one for one in objects(known.get("versions")) if isinstance(one.get("content"), str)]
    texts = [as_text(one["content"]) for one in listed]
    named = as_whole(known.get("current_version_index"))
    shown = next((number for number, text in enumerate(texts) if text == turn[-1].content), named)
    shown = shown if shown is not None and 0 <= shown < len(texts) else len(texts)
    times = [parse_time(one.get("timestamp")) for one in listed]
    versions = [(Message("", role, text, time=time),) for text, time in zip(texts, times, strict=True)]
    return [*versions[:shown], turn, *versions[shown + 1 :]], shown


def _tool_turns(known: Mapping[str, Any], name: str) -> Iterator[Message]:
    """Yield the calls and results before an answer, as the log lists them in OpenAI's layout."""
    for number, step in enumerate(objects(known.get("tool_sequence"))):
        calls = objects(step.get("tool_calls"))
        if calls:
            made = tuple(_call(call, f"{name}.{number}.{index}") for index, call in enumerate(calls))
            yield Message("", "assistant", parts=beside(as_text(step.get("content")), calls=made))
        elif step.get("role") == "tool":
            id_, name = as_text(step.get("tool_call_id")), as_text(step.get("name"))
            yield result_message(Result(id_, name, as_text(step.get("content"))))


def _call(call: Mapping[str, Any], id_: str) -> Call:
    inner = mapping(call.get("function"))
    return Call(as_text(call.get("id")) or id_, as_text(inner.get("name")), as_text(inner.get("arguments")))
