"""Spans of OpenTelemetry with model calls: OpenInference, and the semantic conventions for generative AI.

They come as OTLP (`resourceSpans`), as exporters print spans, or as rows of Phoenix, whose columns begin with
`attributes.`. Each call of a model is a conversation: its input and its output.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message, role_of
from inspector.formats.saved_chats import SavedChat, in_line, surest, title_of, values_of, workspace_of
from inspector.formats.traces.genai import has_parts, instructions_of, is_message, listed, read_parts_message
from inspector.model import Message, Workspace, changed
from inspector.reading.json import unwrapped
from inspector.reading.source import FileSource
from inspector.reading.values import as_number, as_text, items_of, mapping, objects, parse_time

_DEEPEST = 24
_VALUES = ("stringValue", "boolValue", "intValue", "doubleValue", "bytesValue")


def nested(attributes: Any) -> dict[str, Any]:
    """Return the attributes of a span, given as an object or as OTLP's list of pairs, as objects and lists."""
    pairs = _pairs(attributes)
    tree: dict[str, Any] = {}
    for name, value in pairs:
        _put(tree, name.split(".", _DEEPEST), value)
    return mapping_of(_with_lists(tree, _DEEPEST))


def mapping_of(value: Any) -> dict[str, Any]:
    """Return the value if it is an object, else an empty object."""
    return value if isinstance(value, dict) else {}


def _pairs(attributes: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(attributes, Mapping):
        return ((str(name), value) for name, value in attributes.items())
    listed = (mapping(item) for item in items_of(attributes))
    return ((item["key"], _plain(item.get("value"), _DEEPEST)) for item in listed if isinstance(item.get("key"), str))


def _plain(value: Any, depth: int) -> Any:
    """Return the plain value of an OTLP value, which names its type."""
    fields = mapping(value)
    if not depth:
        return None
    if "arrayValue" in fields:
        return [_plain(item, depth - 1) for item in items_of(mapping(fields["arrayValue"]).get("values"))]
    if "kvlistValue" in fields:
        pairs = (mapping(item) for item in items_of(mapping(fields["kvlistValue"]).get("values")))
        return {str(pair.get("key")): _plain(pair.get("value"), depth - 1) for pair in pairs}
    return next((fields[key] for key in _VALUES if key in fields), None)


def _put(tree: dict[str, Any], path: list[str], value: Any) -> None:
    """Put a value into the tree; the first value wins if two collide."""
    for name in path[:-1]:
        tree = tree.setdefault(name, {})
        if not isinstance(tree, dict):
            return
    tree.setdefault(path[-1], value)


def _with_lists(value: Any, depth: int) -> Any:
    """Return the value with lists in place of objects with numeric names, and with dots in inner names taken apart."""
    if not depth or not isinstance(value, Mapping | list):
        return value
    if isinstance(value, list):
        return [_with_lists(item, depth - 1) for item in value]
    tree: dict[str, Any] = {}
    for name, item in value.items():
        _put(tree, str(name).split(".", _DEEPEST), item)
    if tree and all(name.isascii() and name.isdigit() and len(name) < 10 for name in tree):
        return [_with_lists(tree[name], depth - 1) for name in sorted(tree, key=int)]
    return {name: _with_lists(item, depth - 1) for name, item in tree.items()}


_SAME = ("role", "name", "tool_call_id")


def as_openai(item: Any) -> dict[str, Any]:
    """Return a message under OpenAI's names; without a role if it has none."""
    held = mapping(mapping(item).get("message"))
    found = {key: held[key] for key in _SAME if held.get(key) is not None}
    contents = [mapping(mapping(content).get("message_content")) for content in listed(held.get("contents"))]
    calls = [_call(call) for call in listed(held.get("tool_calls"))]
    found["content"] = contents or held.get("content", "")
    return {**found, "tool_calls": calls} if calls else found


def _call(item: Any) -> Mapping[str, Any]:
    """Return a call, with its wrapping or, as in older conventions, without it."""
    held = mapping(mapping(item).get("tool_call")) or mapping(item)
    function = mapping(held.get("function")) or held
    arguments = function.get("arguments", "")
    return {"id": held.get("id"), "function": {"name": function.get("name"), "arguments": arguments}}


_PREFIX = "attributes."
_BEGINNINGS = ("llm", "gen_ai", "openinference")
_LISTS = ("data", "spans")
_LOOKED_AT = 200
_TIMES = ("startTimeUnixNano", "start_time", "startTime", "start_time_unix_nano")
_USAGES = (("llm", "token_count"), ("gen_ai", "usage"))
_MODELS = (("llm", "model_name"), ("gen_ai", "request", "model"), ("gen_ai", "response", "model"))


@dataclass(frozen=True, slots=True)
class _Span:
    place: str
    fields: Mapping[str, Any]

    @property
    def attributes(self) -> Any:
        if "attributes" in self.fields:
            return self.fields["attributes"]
        return {name[len(_PREFIX) :]: value for name, value in self.fields.items() if name.startswith(_PREFIX)}

    @property
    def calls_a_model(self) -> bool:
        """Return whether any of its attributes describes a model call."""
        attributes = self.attributes
        if isinstance(attributes, Mapping):
            return any(str(name).partition(".")[0] in _BEGINNINGS for name in attributes)
        names = (item.get("key") for item in objects(attributes))
        return any(isinstance(name, str) and name.partition(".")[0] in _BEGINNINGS for name in names)

    @property
    def began(self) -> float:
        found = next((self.fields[key] for key in _TIMES if key in self.fields), None)
        if (number := as_number(found)) is not None:
            return number
        time = parse_time(found)
        return time.timestamp() if time else 0.0

    @property
    def id(self) -> str:
        context = mapping(self.fields.get("context"))
        names = (self.fields.get(key) for key in ("spanId", "span_id", "context.span_id"))
        return next((as_text(name) for name in (*names, context.get("span_id")) if isinstance(name, str)), "")


def _spans(value: Any, place: str) -> Iterator[_Span]:
    """Yield the spans of a value: it is a span, holds a list of them, or is OTLP with its resources and scopes."""
    fields = mapping(value)
    if "resourceSpans" in fields:
        for number, resource in enumerate(items_of(fields["resourceSpans"])):
            scopes = mapping(resource)
            key = "scopeSpans" if "scopeSpans" in scopes else "instrumentationLibrarySpans"
            for index, scope in enumerate(items_of(scopes.get(key))):
                at = f"{place}.resourceSpans[{number}].{key}[{index}].spans"
                spans = enumerate(items_of(mapping(scope).get("spans")))
                yield from (_Span(f"{at}[{place_}]", span) for place_, span in spans if isinstance(span, Mapping))
    elif "attributes" in fields or any(isinstance(name, str) and name.startswith(_PREFIX) for name in fields):
        yield _Span(place, fields)
    else:
        key = next((key for key in _LISTS if isinstance(fields.get(key), list)), "")
        for number, item in enumerate(items_of(fields.get(key))):
            if isinstance(item, Mapping) and "attributes" in item:
                yield _Span(f"{place}.{key}[{number}]", item)


def sniff(source: FileSource) -> float:
    """Return how likely the file holds spans, or messages of the conventions for generative AI."""
    return surest(source, _sureness)


def _sureness(value: Any) -> float:
    if is_message(value):
        return 0.9
    some = (span for span, _ in zip(_spans(value, "$"), range(_LOOKED_AT), strict=False))
    if any(span.calls_a_model for span in some):
        return 0.95
    return 0.5 if isinstance(mapping(value).get("resourceSpans"), list) else 0.0


def load(source: FileSource) -> Workspace:
    """Return the calls of models, each a conversation. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    spans: list[_Span] = []
    loose: list[tuple[str, Message]] = []
    for place, value in values_of(source, notes):
        if is_message(value) or has_parts(value):
            loose += ((place, message) for message in read_parts_message(value, notes, place))
        elif found := list(_spans(value, place)):
            spans += (span for span in found if span.calls_a_model)
        else:
            notes.add(place, "expected a span with attributes; it was left out", "error")
    chats = [_saved(loose, "$")] if loose else []
    chats += (chat for span in sorted(spans, key=lambda span: span.began) if (chat := _chat(span, notes)).nodes)
    if not chats:
        raise notes.unreadable("$", "expected spans in which a model was given or answered messages, found none")
    return workspace_of(chats, source, notes)


def _saved(messages: list[tuple[str, Message]], place: str) -> SavedChat:
    nodes = in_line(messages)
    return SavedChat(nodes, next(reversed(nodes), None), place, title=title_of(message for _, message in messages))


def _chat(span: _Span, notes: Notes) -> SavedChat:
    attributes = nested(span.attributes)
    place = f"{span.place}.attributes"
    given = [*_messages(attributes, "input", notes, place)]
    answered = [*_messages(attributes, "output", notes, place)]
    if answered:
        recorded = next((one for path in _USAGES if (one := _usage(attributes, path))), {})
        answered[-1] = changed(answered[-1], metadata={**answered[-1].metadata, **recorded})
    chat = _saved([(span.place, message) for message in (*given, *answered)], span.place)
    chat.id = span.id
    chat.title = as_text(span.fields["name"]) if isinstance(span.fields.get("name"), str) else chat.title
    chat.system = instructions_of(_at(attributes, ("gen_ai", "system_instructions")), notes, place)
    chat.model = next((name for path in _MODELS if (name := as_text(_at(attributes, path)))), "")
    chat.tools = tuple(_tools(attributes))
    return chat


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        value = mapping_of(value).get(name)
    return value


def _usage(attributes: Any, path: tuple[str, ...]) -> dict[str, int]:
    return read_usage(_at(attributes, path), is_inside=True).metadata


def _messages(attributes: Any, side: str, notes: Notes, place: str) -> Iterator[Message]:
    """Yield the input (`input`) or output (`output`) of a model."""
    name = f"{side}_messages"
    for number, item in enumerate(listed(_at(attributes, ("llm", name)))):
        yield from read_message(as_openai(item), notes, f"{place}.llm.{name}[{number}]")
    for number, item in enumerate(listed(_at(attributes, ("gen_ai", side, "messages")))):
        yield from read_parts_message(item, notes, f"{place}.gen_ai.{side}.messages[{number}]")
    older = "prompt" if side == "input" else "completion"
    for number, item in enumerate(listed(_at(attributes, ("gen_ai", older)))):
        record = {"role": "assistant", **mapping(item)} if side == "output" else item
        if role_of(record):
            yield from read_message(as_openai({"message": record}), notes, f"{place}.gen_ai.{older}[{number}]")


def _tools(attributes: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the definitions of the tools given to a model."""
    for tool in listed(_at(attributes, ("llm", "tools"))):
        schema = unwrapped(_at(tool, ("tool", "json_schema")))
        if isinstance(schema, Mapping):
            yield schema
    yield from objects(unwrapped(_at(attributes, ("gen_ai", "tool", "definitions"))))


FORMAT = Format(
    "spans",
    "OpenInference or OpenTelemetry spans of model calls",
    sniff,
    load,
    "spans with `llm.input_messages` or `gen_ai.input.messages`",
)
