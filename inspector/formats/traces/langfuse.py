"""Traces of Langfuse: each call of a model, its input and output, as a conversation.

Only generations are read: the inputs of agents and spans repeat theirs. Input and output are in the format of the
traced program, often as JSON text: messages of OpenAI, Anthropic or LangChain, bodies, items of responses, plain text.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import is_message, read_message
from inspector.formats.openai.records import read_chat, read_messages
from inspector.formats.openai.responses import looks_like_items, read_items
from inspector.formats.saved_chats import SavedChat, in_line, surest, values_of, workspace_of
from inspector.formats.traces.langchain import is_langchain, messages_of
from inspector.model import Message, Role, Workspace, changed
from inspector.reading.json import unwrapped
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects, parse_time

_CALLED = "GENERATION"


def sniff(source: FileSource) -> float:
    """Return how likely the file is a trace with its observations."""
    return surest(source, lambda value: 0.95 if _is_trace(value) else 0.0)


def _is_trace(value: Any) -> bool:
    fields = mapping(value)
    return isinstance(fields.get("trace"), Mapping) and isinstance(fields.get("observations"), list)


def load(source: FileSource) -> Workspace:
    """Return the calls of the traces of a file, each a conversation. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    chats: list[SavedChat] = []
    for place, value in values_of(source, notes):
        if not _is_trace(value):
            notes.add(place, "expected a trace with observations; it was left out", "error")
            continue
        for at, observation in _generations(value, place):
            chat = _chat(observation, notes, at)
            chats += [chat] if chat.nodes else []
    if not chats:
        message = "expected a trace in which a model was given or answered messages, found none"
        raise notes.unreadable("$.observations", message)
    return workspace_of(chats, source, notes)


def _generations(trace: Mapping[str, Any], place: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the calls of a trace in the order in which they began, each with its place."""
    listed = enumerate(items_of(trace["observations"]))
    found = [
        (f"{place}.observations[{number}]", one)
        for number, one in listed
        if isinstance(one, Mapping) and one.get("type") == _CALLED
    ]
    return sorted(found, key=lambda pair: _began(pair[1]))


def _began(observation: Mapping[str, Any]) -> float:
    time = parse_time(observation.get("startTime"))
    return time.timestamp() if time else 0.0


def _chat(observation: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    tools: list[Mapping[str, Any]] = []
    messages = _read(observation.get("input"), "user", tools, notes, f"{place}.input")
    answer = _read(observation.get("output"), "assistant", tools, notes, f"{place}.output")
    if answer:
        answer[-1] = changed(answer[-1], metadata={**answer[-1].metadata, **_recorded(observation)})
    nodes = in_line((place, message) for message in (*messages, *answer))
    model = observation.get("model")
    return SavedChat(
        nodes,
        next(reversed(nodes), None),
        place,
        as_text(observation["id"]) if isinstance(observation.get("id"), str) else "",
        title=as_text(observation["name"]) if isinstance(observation.get("name"), str) else "",
        model=as_text(model) if isinstance(model, str) else "",
        tools=tools,
    )


def _recorded(observation: Mapping[str, Any]) -> dict[str, int]:
    """Return the usage: by kind, or in the older form of prompt and completion."""
    return read_usage(observation.get("usageDetails") or observation.get("usage")).metadata


def _read(value: Any, role: Role, tools: list[Mapping[str, Any]], notes: Notes, place: str) -> list[Message]:
    """Return the messages of an input or an output; plain text is a message of `role`."""
    value = unwrapped(value)
    if isinstance(value, str):
        return [Message("", role, as_text(value))] if value.strip() else []
    if isinstance(value, list):
        return _read_list(value, tools, notes, place)
    if not isinstance(value, Mapping):
        return []
    if is_message(value):
        return read_message(_with_calls(value), notes, place)
    listed = items_of(value.get("messages"))
    if any(is_langchain(item) for item in listed):
        return _read_list(listed, tools, notes, f"{place}.messages")
    if role == "assistant" and isinstance(value.get("output"), list):
        return read_items(value["output"], notes, f"{place}.output")
    chat = read_chat(value, notes, place)
    if chat and chat.messages:
        tools += chat.tools
        return chat.messages
    return _read_gemini(value, role, notes, place)


def _read_list(values: Any, tools: list[Mapping[str, Any]], notes: Notes, place: str) -> list[Message]:
    """Read a list of messages, with LangChain's definitions of tools among them."""
    placed: list[tuple[str, Any]] = []
    for number, item in enumerate(values):
        schema = mapping(mapping(item).get("content"))
        if schema.get("type") == "function" and isinstance(schema.get("function"), Mapping):
            tools.append(schema)
        else:
            placed.append((f"{place}[{number}]", item))
    if any(is_langchain(item) for _, item in placed):
        return [message for _, message in messages_of(iter(placed), notes)]
    items = [item for _, item in placed]
    if looks_like_items(items):
        return read_messages(items, notes, place)
    return [message for at, item in placed for message in read_message(_with_calls(item), notes, at)]


def _with_calls(record: Any) -> Any:
    """Return the record with the tool calls that LangChain's tracer keeps elsewhere."""
    calls = objects(mapping(mapping(record).get("additional_kwargs")).get("tool_calls"))
    return {**record, "tool_calls": calls} if calls and "tool_calls" not in record else record


def _read_gemini(value: Mapping[str, Any], role: Role, notes: Notes, place: str) -> list[Message]:
    """Read the text of a request or an answer of Gemini; anything else has no known layout."""
    given = value.get("contents")
    if isinstance(given, str):
        return [Message("", role, as_text(given))]
    first = next(iter(objects(value.get("candidates"))), {})
    parts = objects(mapping(first.get("content")).get("parts"))
    texts = [as_text(part["text"]) for part in parts if isinstance(part.get("text"), str) and not part.get("thought")]
    if not texts:
        notes.add(place, "is of no layout of messages that is known; it was left out", "info")
        return []
    return [Message("", "assistant", "".join(texts))]


FORMAT = Format("langfuse", "Langfuse trace", sniff, load, "`trace` with `observations`")
