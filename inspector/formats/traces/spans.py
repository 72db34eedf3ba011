"""Spans of OpenTelemetry with model calls: OpenInference, the semantic conventions for generative AI, and others.

Each call of a model is a conversation: its input and its output. They stand in attributes (`llm.input_messages`,
`gen_ai.input.messages`, in older conventions numbered `gen_ai.prompt`), in events of the span, in records of logs that
name the span, or in attributes of single frameworks, by the list in langfuse/langfuse,
`packages/shared/src/server/otel/OtelIngestionProcessor.ts`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message, role_of
from inspector.formats.saved_chats import SavedChat, in_line, surest, title_of, values_of, workspace_of
from inspector.formats.traces.attributes import at_path, mapping_of, nested, pairs
from inspector.formats.traces.genai import has_parts, instructions_of, is_message, listed, read_parts_message
from inspector.formats.traces.recorded import Recorded, definitions_of, joined_sides
from inspector.formats.traces.span_records import Span, is_silent, spans_of
from inspector.model import Message, Workspace, changed
from inspector.reading.json import unwrapped
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects

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


_LOOKED_AT = 200
_USAGES = (("llm", "token_count"), ("gen_ai", "usage"), ("ai", "usage"))
_MODELS = (
    *(("llm", "model_name"), ("gen_ai", "request", "model"), ("gen_ai", "response", "model")),
    *(("ai", "response", "model"), ("ai", "model", "id")),
)
_AGENTS = frozenset(("invoke_agent", "create_agent", "execute_tool", "invoke_workflow", "embeddings"))
_EVENT_ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_CHOICE = "gen_ai.choice"
_BESIDE: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (
        ("ai.prompt.messages", "ai.prompt"),
        ("ai.response.text", "ai.response.object", "ai.result.text", "ai.result.object"),
    ),
    (("gcp.vertex.agent.llm_request",), ("gcp.vertex.agent.llm_response",)),
    (("gen_ai.prompt", "gen_ai.content.prompt"), ("gen_ai.completion", "gen_ai.content.completion")),
    (("langfuse.observation.input",), ("langfuse.observation.output",)),
    (("mlflow.spanInputs",), ("mlflow.spanOutputs",)),
    (("pydantic_ai.all_messages", "all_messages_events", "events"), ()),
    (("input.value",), ("output.value",)),
)
"""Attributes of an input and of its output where the conventions' own are missing, of each the first that is there."""
_CALLS = ("ai.response.toolCalls", "ai.result.toolCalls")
_TOOLS = ("gen_ai.tool.definitions", "ai.prompt.tools")
_KINDS = ("openinference.span.kind", "mlflow.spanType")
_OF_MODELS = frozenset(("", "LLM", "CHAT_MODEL"))
_HOW = "programs keep texts only if asked, as by OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true"


def sniff(source: FileSource) -> float:
    """Return how likely the file holds spans, or messages of the conventions for generative AI."""
    return surest(source, _sureness)


def _sureness(value: Any) -> float:
    if is_message(value):
        return 0.9
    some = (span for span, _ in zip(spans_of(value, "$"), range(_LOOKED_AT), strict=False))
    if any(span.calls_a_model for span in some):
        return 0.95
    return 0.5 if isinstance(mapping(value).get("resourceSpans"), list) else 0.0


def load(source: FileSource) -> Workspace:
    """Return the calls of models, each a conversation. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    spans: list[Span] = []
    loose: list[tuple[str, Message]] = []
    for place, value in values_of(source, notes):
        if is_message(value) or has_parts(value):
            loose += ((place, message) for message in read_parts_message(value, notes, place))
        elif found := list(spans_of(value, place)):
            spans += (span for span in found if span.calls_a_model)
        elif not is_silent(value):
            notes.add(place, "expected a span with attributes; it was left out", "error")
    chats = [_saved(loose, "$")] if loose else []
    chats += _chats(sorted(spans, key=lambda span: span.began), notes)
    if not chats:
        message = f"expected spans in which a model was given or answered messages, found none; {_HOW}"
        raise notes.unreadable("$", message)
    return workspace_of(chats, source, notes)


def _chats(spans: Sequence[Span], notes: Notes) -> list[SavedChat]:
    """Return the chats of the calls; of agents and tools, which repeat them, only where nothing else is there."""
    logs = [span for span in spans if span.is_log]
    told: dict[str, list[Span]] = {}
    for log in logs:
        is_message_event = Span.name_of(log.fields) in {*_EVENT_ROLES, _CHOICE}
        told.setdefault(log.id or ("" if is_message_event else log.place), []).append(log)
    of_calls = [span for span in spans if not span.is_log and not _is_of_agent(span)]
    found = [chat for span in of_calls if (chat := _chat(span, told.pop(span.id, []), notes)).nodes]
    alone = [_chat(records[0], records, notes) for records in told.values()]
    known = {chat.id for chat in found}
    found += (chat for chat in alone if chat.nodes and chat.id not in known)
    if found:
        return found
    return [chat for span in spans if _is_of_agent(span) and (chat := _chat(span, [], notes)).nodes]


def _is_of_agent(span: Span) -> bool:
    """Return whether a span is of an agent or a tool: it repeats what the calls of models in it were given."""
    flat = dict(pairs(span.attributes))
    operation = flat.get("gen_ai.operation.name") or at_path(flat, ("gen_ai", "operation", "name"))
    return isinstance(operation, str) and operation in _AGENTS


def _saved(messages: list[tuple[str, Message]], place: str) -> SavedChat:
    nodes = in_line(messages)
    return SavedChat(nodes, next(reversed(nodes), None), place, title=title_of(message for _, message in messages))


def _chat(span: Span, logs: Sequence[Span], notes: Notes) -> SavedChat:
    attributes = nested(span.attributes)
    flat = dict(pairs(span.attributes))
    place = f"{span.place}.attributes"
    given = [*_messages(attributes, "input", notes, place)]
    answered = [*_messages(attributes, "output", notes, place)]
    reader = Recorded(notes)
    if not given and not answered:
        given, answered = _of_events(span, logs, reader)
    if not given and not answered:
        given, answered = _beside(flat, attributes, reader, place)
    if answered:
        recorded = next((one for path in _USAGES if (one := _usage(attributes, path))), {})
        answered[-1] = changed(answered[-1], metadata={**answered[-1].metadata, **recorded})
    chat = _saved([(span.place, message) for message in joined_sides(given, answered)], span.place)
    chat.id = span.id
    chat.title = as_text(span.fields["name"]) if isinstance(span.fields.get("name"), str) else chat.title
    chat.system = instructions_of(at_path(attributes, ("gen_ai", "system_instructions")), notes, place)
    chat.model = next((name for path in _MODELS if (name := as_text(at_path(attributes, path) or ""))), "")
    chat.tools = tuple(_tools(attributes)) or tuple(reader.tools) or _tools_beside(flat)
    return chat


def _usage(attributes: Any, path: tuple[str, ...]) -> dict[str, int]:
    return read_usage(at_path(attributes, path), is_inside=True).metadata


def _messages(attributes: Any, side: str, notes: Notes, place: str) -> Iterator[Message]:
    """Yield the input (`input`) or output (`output`) of a model."""
    name = f"{side}_messages"
    for number, item in enumerate(listed(at_path(attributes, ("llm", name)))):
        yield from read_message(as_openai(item), notes, f"{place}.llm.{name}[{number}]")
    for number, item in enumerate(listed(at_path(attributes, ("gen_ai", side, "messages")))):
        if side == "output" and isinstance(item, Mapping) and role_of(item) is None:
            item = {**item, "role": "assistant"}
        yield from read_parts_message(item, notes, f"{place}.gen_ai.{side}.messages[{number}]")
    older = "prompt" if side == "input" else "completion"
    for number, item in enumerate(items_of(at_path(attributes, ("gen_ai", older)))):
        record = {"role": "assistant", **mapping(item)} if side == "output" else item
        if role_of(record):
            yield from read_message(as_openai({"message": record}), notes, f"{place}.gen_ai.{older}[{number}]")


def _of_events(span: Span, logs: Sequence[Span], reader: Recorded) -> tuple[list[Message], list[Message]]:
    """Return both sides from the events of a span and the records of logs that name it."""
    given: list[Message] = []
    answered: list[Message] = []
    events = [(f"{span.place}.events[{number}]", event, event) for number, event in enumerate(span.events)]
    events += [(log.place, log.fields, mapping(log.body)) for log in logs]
    for place, event, held in events:
        name, flat = Span.name_of(event), dict(pairs(event.get("attributes")))
        attributes = nested(event.get("attributes"))
        given += _messages(attributes, "input", reader.notes, place)
        answered += _messages(attributes, "output", reader.notes, place)
        if name in _EVENT_ROLES or name == _CHOICE:
            record = {**flat, **{key: held[key] for key in held if event is not held}}
            (answered if name == _CHOICE else given).extend(_of_event(name, record, reader, place))
        elif name.startswith("gen_ai.content."):
            asked, answer = _beside(flat, attributes, reader, place)
            given += asked
            answered += answer
    return given, answered


def _of_event(name: str, record: Mapping[str, Any], reader: Recorded, place: str) -> list[Message]:
    """Return the message of an event: its attributes or body are the message, that of a choice is in `message`."""
    if name == _CHOICE:
        inner = unwrapped(record.get("message"))
        told = (
            inner if isinstance(inner, Mapping) else {"content": inner if inner is not None else record.get("content")}
        )
        made = {"tool_calls": record.get("tool_calls"), **told, "role": "assistant"}
    else:
        made = {**record, "role": _EVENT_ROLES[name]}
        if made["role"] == "tool" and "id" in made:
            made = {"tool_call_id": made.pop("id"), **made}
    calls = unwrapped(made.get("tool_calls"))
    kept = {key: made[key] for key in ("role", "content", "name", "tool_call_id") if made.get(key) is not None}
    return reader.read([{**kept, **({"tool_calls": calls} if calls else {})}], "assistant", place)


def _beside(
    flat: Mapping[str, Any], attributes: Any, reader: Recorded, place: str
) -> tuple[list[Message], list[Message]]:
    """Return both sides from the attributes of a framework; the spans of chains and tools repeat those of calls."""
    kinds = (as_text(_value(flat, attributes, name) or "").strip('"').upper() for name in _KINDS)
    if not all(kind in _OF_MODELS for kind in kinds):
        return [], []
    for inputs, outputs in _BESIDE:
        asked = next((name for name in inputs if _value(flat, attributes, name) is not None), "")
        told = next((name for name in outputs if _value(flat, attributes, name)), "")
        calls = next((name for name in _CALLS if outputs and inputs[0].startswith("ai.") and flat.get(name)), "")
        if not (asked or told or calls):
            continue
        given = reader.read(_value(flat, attributes, asked), "user", f"{place}.{asked}") if asked else []
        answer = {"content": _value(flat, attributes, told), "toolCalls": flat[calls]} if calls else None
        value = answer or _value(flat, attributes, told)
        return given, reader.read(value, "assistant", f"{place}.{told or calls}") if told or calls else []
    return [], []


def _value(flat: Mapping[str, Any], attributes: Any, name: str) -> Any:
    """Return an attribute by its flat name, or in objects in one another; lists of numbered names are not meant."""
    if name in flat:
        return flat[name]
    found = at_path(attributes, name.split("."))
    return None if isinstance(found, list) and name.startswith("gen_ai.") else found


def _tools(attributes: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the definitions of the tools given to a model."""
    for tool in listed(at_path(attributes, ("llm", "tools"))):
        schema = unwrapped(at_path(mapping_of(tool), ("tool", "json_schema")))
        if isinstance(schema, Mapping):
            yield schema
    yield from objects(unwrapped(at_path(attributes, ("gen_ai", "tool", "definitions"))))


def _tools_beside(flat: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    return next((tuple(tools) for name in _TOOLS if (tools := definitions_of(flat.get(name)))), ())


FORMAT = Format(
    "spans",
    "OpenInference or OpenTelemetry spans of model calls",
    sniff,
    load,
    "spans with `llm.input_messages` or `gen_ai.input.messages`",
)
