"""Requests and answers of Anthropic's API, as applications, proxies and batches save them.

https://docs.anthropic.com/en/api/messages. The system prompt is outside the messages, and tool results are in those of
the user; each becomes a turn of its own, with its pictures.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from inspector.formats.claude.blocks import turns_of, usage_of
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import role_of
from inspector.formats.openai.records import inner_body
from inspector.formats.saved_chats import SavedChat, in_line, surest, title_of, values_of, workspace_of
from inspector.model import Message, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects, parse_time

_OWN_BLOCKS = frozenset(
    ("tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "search_result")
)
_OTHERS = frozenset(("tool_calls", "tool_call_id", "function_call", "ts", "parts"))  # keys of other layouts
_LOOKED_AT = 50


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request, an answer, or both, as found in a value; each is empty if absent."""

    request: Mapping[str, Any] = field(default_factory=dict)
    answer: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""
    request_place: str = ""
    answer_place: str = ""

    @property
    def is_anthropic(self) -> bool:
        """Whether either is in the layout of Anthropic's."""
        return _is_answer(self.answer) or _is_request(self.request)


def exchange_of(value: Any) -> Exchange:
    """Return the request and the answer of a body, a batch line, a proxy's log line, or an event `[method, body]`."""
    pair = items_of(value)
    if len(pair) == 2 and isinstance(pair[0], str):
        return exchange_of(pair[1]) if isinstance(pair[1], Mapping) else Exchange()
    fields = mapping(value)
    id_ = as_text(fields["custom_id"]) if isinstance(fields.get("custom_id"), str) else ""
    if "params" in fields:
        return Exchange(mapping(fields["params"]), {}, id_, ".params")
    if isinstance(fields.get("result"), Mapping):
        return Exchange({}, mapping(fields["result"].get("message")), id_, "", ".result.message")
    if "request" in fields or "response" in fields:
        request, answer = (inner_body(fields.get(key)) for key in ("request", "response"))
        return Exchange(request, answer, id_, ".request", ".response")
    return Exchange({}, fields, id_) if fields.get("type") == "message" else Exchange(fields, {}, id_)


def _is_answer(body: Mapping[str, Any]) -> bool:
    is_message = body.get("type") == "message" and body.get("role") == "assistant"
    return is_message and isinstance(body.get("content"), list) and bool(body.keys() & {"stop_reason", "usage"})


def _is_request(body: Mapping[str, Any]) -> bool:
    """Return whether a body with messages has any field that is unique to Anthropic's."""
    messages = objects(body.get("messages"))[:_LOOKED_AT]
    if not any(role_of(message) for message in messages) or any(message.keys() & _OTHERS for message in messages):
        return False
    if "anthropic_version" in body or any("input_schema" in tool for tool in objects(body.get("tools"))):
        return True
    blocks_outside = any(block.get("type") == "text" for block in objects(body.get("system")))
    text_outside = isinstance(body.get("system"), str) and "max_tokens" in body
    return blocks_outside or text_outside or any(_has_own_blocks(message) for message in messages)


def _has_own_blocks(message: Mapping[str, Any]) -> bool:
    kinds = (block.get("type") for block in objects(message.get("content")))
    return any(isinstance(kind, str) and kind in _OWN_BLOCKS for kind in kinds)


def sniff(source: FileSource) -> float:
    """Return how likely the file holds requests, answers or messages of Anthropic's API."""
    return surest(source, _sureness)


def _sureness(value: Any) -> float:
    if _is_turn(value):
        return 0.87 if _has_own_blocks(mapping(value)) else 0.0
    return 0.9 if exchange_of(value).is_anthropic else 0.0


def _is_turn(value: Any) -> bool:
    message = mapping(value)
    return role_of(message) is not None and "content" in message and message.get("type") != "message" and not (
        message.keys() & _OTHERS
    )  # fmt: skip


def load(source: FileSource) -> Workspace:
    """Return a conversation for each exchange, and a conversation of any messages on their own.

    Raise UnreadableError if there is none.
    """
    notes = Notes(source.path)
    chats: list[SavedChat] = []
    loose: list[tuple[str, Message]] = []
    for place, value in values_of(source, notes):
        exchange = exchange_of(value)
        if _is_turn(value):
            loose += ((place, message) for message in _turn(value, notes, place))
        elif exchange.is_anthropic:
            chats.append(chat_of(exchange, notes, place))
        else:
            notes.add(place, "expected a request, an answer or a message of Anthropic's API; it was left out", "error")
    if loose:
        chats.insert(0, _saved(loose, "$"))
    if not any(chat.nodes for chat in chats):
        raise notes.unreadable("$", "expected messages of Anthropic's API, found none")
    return workspace_of(chats, source, notes)


def _saved(messages: list[tuple[str, Message]], place: str) -> SavedChat:
    nodes = in_line(messages)
    return SavedChat(nodes, next(reversed(nodes), None), place, title=title_of(message for _, message in messages))


def chat_of(exchange: Exchange, notes: Notes, place: str) -> SavedChat:
    """Return the chat of a request and its answer; `place` is that of the value in which they were found."""
    request, answer = exchange.request, exchange.answer
    messages = list(_messages(request, notes, f"{place}{exchange.request_place}"))
    if answer:
        at = f"{place}{exchange.answer_place}"
        messages += ((at, message) for message in _answer(answer, notes, at))
    chat = _saved(messages, place)
    chat.id = exchange.id or (as_text(answer["id"]) if isinstance(answer.get("id"), str) else "")
    chat.system = _system(request.get("system"), notes, f"{place}{exchange.request_place}.system")
    models = (request.get("model"), answer.get("model"))
    chat.model = next((as_text(model) for model in models if isinstance(model, str) and model), "")
    chat.tools = objects(request.get("tools"))
    return chat


def _answer(answer: Mapping[str, Any], notes: Notes, place: str) -> list[Message]:
    """Return the turns of an answer; the last has the token counts."""
    turns = _turn(answer, notes, place)
    if turns:
        turns[-1] = changed(turns[-1], metadata={**turns[-1].metadata, **usage_of(answer)})
    return turns


def _messages(request: Mapping[str, Any], notes: Notes, place: str) -> Iterator[tuple[str, Message]]:
    """Yield the turns of a request. A final assistant turn is marked as a prefill: the model continues from there."""
    messages = items_of(request.get("messages"))
    for number, record in enumerate(messages):
        at = f"{place}.messages[{number}]"
        for message in _turn(record, notes, at):
            begun = number == len(messages) - 1 and message.role == "assistant" and "max_tokens" in request
            yield at, changed(message, metadata={**message.metadata, "prefill": True}) if begun else message


def _turn(record: Any, notes: Notes, place: str) -> list[Message]:
    """Return the turns of a message; the last says where the cached prefix of the prompt may end."""
    fields, role = mapping(record), role_of(record)
    if role is None:
        found = as_text(fields.get("role"))[:40] or "nothing"
        notes.add(
            f"{place}.role", f"expected user, assistant or system, found {found}; the message was left out", "error"
        )
        return []
    id_ = as_text(fields["id"]) if isinstance(fields.get("id"), str) else ""
    times = (parse_time(fields.get(key)) for key in ("created_at", "timestamp"))
    time = next((time for time in times if time), None)
    turns = turns_of(id_, role, time, fields.get("content"), notes, f"{place}.content")
    marks = [block["cache_control"] for block in objects(fields.get("content")) if block.get("cache_control")]
    if turns and marks:
        turns[-1] = changed(turns[-1], metadata={**turns[-1].metadata, "cache_control": marks[-1]})
    return turns


def _system(value: Any, notes: Notes, place: str) -> str:
    """Return the system prompt: text, or a list of blocks of text."""
    if not value:
        return ""
    return "\n".join(message.content for message in turns_of("", "system", None, value, notes, place))


FORMAT = Format(
    "anthropic",
    "Anthropic API request, answer or messages",
    sniff,
    load,
    "a request with `messages` and blocks, an answer of type message, or a batch of them",
)
