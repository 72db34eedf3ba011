"""The content of a message in our own files: text, or a list of parts, and the older keys beside a text.

`{type: text, text}` · `{type: thought, text | encrypted, tokens}` · `{type: call, id, name, arguments}` ·
`{type: result, id, name, content}` · `{type: image | document | audio | video, …}` · `{type: unknown, kind, bytes}`.
Older files have `tool_calls`, `tool_call_id`, `images` (a number) and `metadata.reasoning` instead.
"""

from collections.abc import Mapping
from typing import Any, Protocol

import msgspec

from inspector.formats.content.at import At
from inspector.formats.content.reader import read_part
from inspector.formats.content.turns import as_result, beside
from inspector.formats.notes import Notes
from inspector.model import (
    MOST_IMAGES,
    Call,
    DocumentPart,
    Held,
    Image,
    Part,
    Result,
    Severity,
    Sound,
    Thought,
    Video,
    changed,
)
from inspector.model.parts import PARTS, text_of
from inspector.nearest import nearest
from inspector.reading.decode import converted, kind_of, type_problem

OLDER = ("tool_calls", "tool_call_id", "images")
"""Keys of older files beside a content, now parts of it."""

_KINDS: Mapping[str, type[Part]] = {str(kind.__struct_config__.tag): kind for kind in PARTS}
_MORE = frozenset(OLDER)
_OF_OTHERS = frozenset(
    ("source", "image", "image_url", "audio", "video", "data", "base64", "url", "file_id", "mimeType")
)


class PartReader(Protocol):
    """The reader of the items of a file."""

    file: str

    def problem(self, place: str, message: str, severity: Severity = "error") -> None:
        """Note a problem of the file."""

    def record(self, item: Any, into: type, place: str) -> Any:
        """Return an item as a record, without its invalid optional fields; None if a required field is invalid."""

    def in_range(self, item: Any, place: str) -> Any:
        """Return the item with its figures within their ranges."""

    def parts(self, items: list[Any], place: str) -> list[Part]:
        """Return a list of parts."""
        ...


def needs_parts(item: Mapping[str, Any]) -> bool:
    """Return whether a message is more than plain text."""
    return isinstance(item.get("content"), list) or not _MORE.isdisjoint(item) or "reasoning" in _metadata(item)


def taken_apart(item: Mapping[str, Any], reader: PartReader, place: str) -> tuple[dict[str, Any], list[Part]]:
    """Return a message without the keys of its parts, and its parts."""
    content = item.get("content")
    rest = {key: value for key, value in item.items() if key not in OLDER}
    parts: list[Part] = []
    if isinstance(content, list):
        parts, rest["content"] = reader.parts(content, f"{place}.content"), ""
    elif content is None:
        rest["content"] = ""
    elif isinstance(content, str):
        parts, rest["content"] = list(beside(content)), ""
    thoughts = _metadata(item).get("reasoning")
    if isinstance(thoughts, str):
        rest["metadata"] = {key: value for key, value in _metadata(item).items() if key != "reasoning"}
        parts = [*((Thought(thoughts),) if thoughts else ()), *parts]
    return rest, _with_older(parts, item, reader, place)


def _metadata(item: Mapping[str, Any]) -> Mapping[str, Any]:
    held = item.get("metadata")
    return held if isinstance(held, Mapping) else {}


def _with_older(parts: list[Part], item: Mapping[str, Any], reader: PartReader, place: str) -> list[Part]:
    """Return the parts with those that older files name beside the content."""
    parts = [*parts, *(Image(),) * _images(item.get("images", 0), reader, f"{place}.images")]
    parts += _calls(item.get("tool_calls") or (), reader, f"{place}.tool_calls")
    call = item.get("tool_call_id", "")
    if not isinstance(call, str):
        reader.problem(f"{place}.tool_call_id", f"expected text, found {kind_of(call)}")
        return parts
    return as_result(parts, call, item.get("name", "") if isinstance(item.get("name"), str) else "") if call else parts


def _images(value: Any, reader: PartReader, place: str) -> int:
    if type(value) is not int:
        reader.problem(place, f"expected a number of pictures, found {kind_of(value)}")
        return 0
    if not 0 <= value <= MOST_IMAGES:
        nearest = max(0, min(value, MOST_IMAGES))
        reader.problem(place, f"expected 0 to {MOST_IMAGES:,}, found {value:,}; {nearest:,} was taken", "warning")
        return nearest
    return value


def _calls(value: Any, reader: PartReader, place: str) -> tuple[Call, ...]:
    plain = [plain_call(call) for call in value] if isinstance(value, list) else value
    try:
        return converted(plain, tuple[Call, ...])
    except (msgspec.ValidationError, RecursionError) as error:
        problem = type_problem(error, tuple[Call, ...], "", place)
        reader.problem(problem.place, problem.message)
        return ()


def plain_call(call: Any) -> Any:
    """Return a tool call as `{id, name, arguments}`, converted from OpenAI's `{id, type, function{name, arguments}}`.

    An object of arguments becomes its JSON text.
    """
    if not isinstance(call, dict):
        return call
    function = call.get("function")
    if isinstance(function, dict):
        call = {"id": call.get("id") or "", "name": function.get("name"), "arguments": function.get("arguments", "")}
    arguments = call.get("arguments", "")
    if isinstance(arguments, dict | list):
        call = {**call, "arguments": msgspec.json.encode(arguments).decode()}
    return {**call, "id": ""} if call.get("id") is None else call


def read_parts(items: list[Any], reader: PartReader, place: str) -> list[Part]:
    """Return the parts of a list: ours, or those of another vendor's layout."""
    return [one for number, item in enumerate(items) for one in _read_part(item, reader, f"{place}[{number}]")]


def _read_part(item: Any, reader: PartReader, place: str) -> list[Part]:
    kind = _KINDS.get(item["type"]) if isinstance(item, Mapping) and isinstance(item.get("type"), str) else None
    if kind is None or not _is_ours(kind, item):
        notes = Notes(reader.file)
        found = read_part(item, At(notes, place))
        for problem in notes.problems:
            reader.problem(problem.place, problem.message, problem.severity)
        return found
    own = dict(item)
    if kind is Result and isinstance(own.get("content"), list):
        inner = reader.parts(own["content"], f"{place}.content")
        own["content"] = text_of(inner)
        own["parts"] = [*msgspec.to_builtins([one for one in inner if isinstance(one, Held)]), *own.get("parts", ())]
    if kind is Call:
        own = {**plain_call({key: value for key, value in own.items() if key != "type"}), "type": "call"}
    for key in own.keys() - {"type", *kind.__struct_fields__}:
        near = nearest(str(key), kind.__struct_fields__, 1)
        meant = f" (did you mean {near[0]}?)" if near else ""
        reader.problem(f"{place}.{key}", f"is not a known key; it was skipped{meant}", "warning")
    part = reader.in_range(reader.record(own, kind, place), place)
    if isinstance(part, Result):
        part = changed(part, parts=tuple(reader.in_range(one, f"{place}.parts") for one in part.parts))
    return [part] if part is not None else []


def _is_ours(kind: type[Part], item: Mapping[str, Any]) -> bool:
    """Return whether a part is of our layout: others name media by the same words and hold their data."""
    known = kind.__struct_fields__
    return kind not in (Image, DocumentPart, Sound, Video) or not item.keys() & _OF_OTHERS - set(known)
