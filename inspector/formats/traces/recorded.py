"""The input and output of a model call as tracers record them: an object, a list or text from any framework.

The layouts are those of the adapters in langfuse/langfuse, `packages/shared/src/utils/chatml/adapters` (OpenAI,
LangGraph, Gemini and ADK, AI SDK, Microsoft Agent, Semantic Kernel, Pydantic AI, generic), and of the instrumentations
named there.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector.formats.content.reader import read_content
from inspector.formats.content.turns import placed, split
from inspector.formats.gemini.bodies import Body, is_body
from inspector.formats.gemini.parts import is_content, linked
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES, is_message, read_message, role_of
from inspector.formats.openai.records import Chat, layout_of, read_chat, read_messages
from inspector.formats.openai.responses import looks_like_items, read_items
from inspector.formats.traces import genai
from inspector.formats.traces.langchain_messages import is_langchain, messages_of
from inspector.formats.traces.written_out import printed_message, spoken_messages
from inspector.model import Message, Role
from inspector.reading.json import unwrapped
from inspector.reading.values import as_text, items_of, mapping, objects

_ASKED = ("prompt", "prompts", "query", "question", "input", "inputs", "user_input", "user_prompt", "instruction")
_ANSWERED = ("text", "answer", "response", "completion", "output", "result", "generated_text", "object", "value")
_WRAPPED = ("message", "new_message", "generations", "content", "kwargs", "args")
_TOOL_KEYS = ("tools", "functions", "available_tools")
_SCHEMAS = ("inputSchema", "parameters_json_schema", "input_schema")
_KEY_ALONE = {"content": "role"}
"""The input of a Claude Agent SDK call in LangSmith's traces: a tracer bug replaces the message by its last key."""
_DEEPEST = 4
_OTHER_ROLES: Mapping[str, Role] = {"model": "assistant", "agent": "assistant", "tool_result": "tool"}


@dataclass(slots=True)
class Recorded:
    """Reads the input and the output of a call. `tools` collects the tool definitions found in them."""

    notes: Notes
    tools: list[Mapping[str, Any]] = field(default_factory=list)

    def read(self, value: Any, role: Role, place: str) -> list[Message]:
        """Return the messages of an input or output; text without a role gets `role`. Unknown layouts are noted."""
        if unwrapped(value) == _KEY_ALONE:
            self.notes.add(
                place, "is the name of a key in place of the message, a fault of its tracer; it was left out"
            )
            return []
        found = self._read(value, role, place, _DEEPEST)
        if found is None:
            self.notes.add(place, "is of no layout of messages that is known; it was left out", "warning")
        return linked(found or [])

    def _read(self, value: Any, role: Role, place: str, depth: int) -> list[Message] | None:
        """Return the messages of a value; None if its layout is unknown."""
        value = unwrapped(value)
        if value is None or value in ("", [], {}):
            return []
        if isinstance(value, str):
            return self._text(value, role, place)
        if not depth:
            return None
        if isinstance(value, list):
            return self._read_list(value, role, place, depth - 1)
        return self._read_object(value, role, place, depth - 1) if isinstance(value, Mapping) else None

    def _text(self, text: str, role: Role, place: str) -> list[Message]:
        """Return the message of a text, or several if the text of an input names a role before each of them."""
        spoken = spoken_messages(text) if role == "user" else []
        if spoken:
            return [message for one in spoken for message in read_message(one, self.notes, place)]
        return [Message("", role, as_text(text))] if text.strip() else []

    def _read_object(self, value: Mapping[str, Any], role: Role, place: str, depth: int) -> list[Message] | None:
        if is_langchain(value):
            return self._langchain([(place, value)])
        if _has_role(value) and (is_message(value) or genai.has_parts(value) or is_content(value)):
            return self._read_list([value], role, place, depth, "{place}")
        messages = unwrapped(value.get("messages"))
        if isinstance(messages, list):
            return self._read_body({**value, "messages": messages}, role, place, depth)
        if _is_gemini(value):
            return self._gemini(value, place)
        if role == "assistant" and isinstance(value.get("output"), list) and looks_like_items(value["output"]):
            return read_items(value["output"], self.notes, f"{place}.output")
        if layout_of(value):
            return self._known(read_chat(value, self.notes, place))
        return self._read_wrapped(value, role, place, depth)

    def _read_body(self, body: Mapping[str, Any], role: Role, place: str, depth: int) -> list[Message] | None:
        """Return the system prompt, the messages and the answer of a request body, and collect its tools."""
        for key in _TOOL_KEYS:
            self.tools += definitions_of(body.get(key))
        system = self._read(body.get("system", body.get("system_prompt")), "system", f"{place}.system", depth) or []
        found = self._read_list(body["messages"], role, f"{place}.messages", depth)
        answers = [choice.get("message") for choice in objects(body.get("choices"))][:1]
        return None if found is None else [*system, *found, *(self._read_list(answers, role, place, depth) or [])]

    def _known(self, chat: Chat | None) -> list[Message] | None:
        """Return the messages of a chat in a layout of OpenAI, and collect its tools; None if there are none."""
        if chat is None or not chat.messages:
            return None
        self.tools += chat.tools
        return chat.messages

    def _gemini(self, value: Mapping[str, Any], place: str) -> list[Message]:
        """Return the messages of a request or answer of Gemini or ADK, which has the prompt and tools in `config`."""
        given = value.get("contents")
        if isinstance(given, str):
            value = {**value, "contents": [{"role": "user", "parts": [{"text": given}]}]}
        if is_content(value.get("content")):  # an answer of ADK
            value = {"candidates": [value], "usage_metadata": value.get("usage_metadata")}
        body = Body(self.notes)
        body.read({**mapping(value.get("config")), **value}, place)
        self.tools += ({"type": "function", "function": one} for one in body.tools)
        return [*([Message("", "system", body.system)] if body.system else []), *body.messages]

    def _read_wrapped(self, value: Mapping[str, Any], role: Role, place: str, depth: int) -> list[Message] | None:
        """Return the messages of an object that has them, or their text, under a common key."""
        calls = objects(unwrapped(value.get("toolCalls", value.get("tool_calls"))))
        said = _ANSWERED if role == "assistant" else _ASKED
        other = _ASKED if role == "assistant" else _ANSWERED
        for key in ("system", *_WRAPPED, *said, *(() if calls else other)):
            if key == "system" or value.get(key) is None:
                continue
            found = self._read(value[key], role, f"{place}.{key}", depth)
            if found:
                system = self._read(value.get("system"), "system", f"{place}.system", depth) or []
                self.tools += definitions_of(value.get("tools"))
                return [*system, *found, *(self._calls(calls, place) if calls else [])]
        return self._calls(calls, place) if calls else None

    def _read_list(
        self, values: Sequence[Any], role: Role, place: str, depth: int, at: str = "{place}[{number}]"
    ) -> list[Message] | None:
        while len(values) == 1 and isinstance(values[0], list):
            values, place, at = values[0], f"{place}[0]", "{place}[{number}]"
        items: list[tuple[str, Any]] = []
        for number, item in enumerate(values):
            where = at.format(place=place, number=number)
            opened = printed_message(item) or _opened(unwrapped(item))
            if schema := _definition(opened):
                self.tools.append(schema)
            else:
                items.append((where, opened))
        if any(is_langchain(item) for _, item in items):
            return self._langchain(items)
        kept = [item for _, item in items]
        if kept and all(isinstance(item, str) for item in kept):
            return [message for at_, item in items for message in self._text(item, role, at_)]
        if looks_like_items(kept) and not any(map(genai.has_parts, kept)):
            return read_messages(kept, self.notes, place)
        if any(map(_has_role, kept)):
            return list(self._turns(items))
        calls = [item for item in objects(kept) if "toolCallId" in item or "toolName" in item]
        return self._calls(calls, place) if calls else self._blocks(kept, role, place)

    def _turns(self, items: Sequence[tuple[str, Any]]) -> Iterator[Message]:
        """Yield the messages of items; a role that is the name of a called function is that of its result."""
        called: dict[str, list[str]] = {}
        for place, item in items:
            named = with_known_role(item, called)
            for message in self._turn(named, place):
                for call in message.tool_calls:
                    called.setdefault(call.name, []).append(call.id)
                yield message

    def _turn(self, item: Any, place: str) -> list[Message]:
        if genai.has_parts(item) and not is_content(item):
            return genai.read_parts_message(item, self.notes, place)
        if is_content(item):
            body = Body(self.notes)
            body.add(item, place)
            return body.messages
        return read_message(_usual(item), self.notes, place)

    def _blocks(self, values: Sequence[Any], role: Role, place: str) -> list[Message] | None:
        """Read a list of contents without a role: parts of one message, or bodies."""
        if not any(isinstance(mapping(one).get("type"), str) or "text" in mapping(one) for one in values):
            return None
        said, results = split(read_content(list(values), self.notes, place))
        return placed(Message("", role, parts=tuple(said)), results)

    def _calls(self, calls: Sequence[Mapping[str, Any]], place: str) -> list[Message]:
        """Return the message of calls that stand alone, as in the AI SDK's `ai.response.toolCalls`."""
        typed = [call if isinstance(call.get("type"), str) else {"type": "tool-call", **call} for call in calls]
        parts = read_content([_as_call(call) for call in typed], self.notes, f"{place}.toolCalls")
        return [Message("", "assistant", parts=tuple(split(parts)[0]))]

    def _langchain(self, items: Sequence[tuple[str, Any]]) -> list[Message]:
        return [message for _, message in messages_of(iter(items), self.notes)]


def joined_sides(given: Sequence[Message], answered: Sequence[Message]) -> list[Message]:
    """Return the messages of both sides; a system prompt known from the answer only is at the head."""
    of_answer = [one for one in answered if one.role == "system"]
    known = {one.content for one in given if one.role == "system"}
    return [
        *(one for one in of_answer if one.content not in known),
        *given,
        *(one for one in answered if one.role != "system"),
    ]


def definitions_of(value: Any) -> list[Mapping[str, Any]]:
    """Return definitions of tools, given as objects, as JSON texts, or as an object of them by their names."""
    held = unwrapped(value)
    listed = list(held.values()) if isinstance(held, Mapping) and "name" not in held else held
    listed = [listed] if isinstance(listed, Mapping) else listed
    found = (mapping(unwrapped(one)) for one in items_of(listed))
    return [_usual_definition(one) for one in found if one.get("name") or mapping(one.get("function")).get("name")]


def _usual_definition(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a definition with its schema of inputs under the usual name."""
    key = next((key for key in _SCHEMAS[:2] if key in tool), "")
    if not key:
        return tool
    inner = {name: tool[name] for name in ("name", "description") if tool.get(name) is not None}
    return {"type": "function", "function": {**inner, "parameters": unwrapped(tool[key])}}


def with_known_role(item: Any, called: Mapping[str, list[str]]) -> Any:
    """Return the message; the name of a called function as its role becomes the role of a tool result.

    `called` are the ids of the calls without a result, by the name of their function.
    """
    word = mapping(item).get("role")
    if not isinstance(word, str) or word.strip().lower() in ROLES:
        return item
    if word in called:
        ids = called[word]
        answered = {"tool_call_id": ids.pop(0)} if ids else {}
        return {"name": word, **answered, **item, "role": "tool"}
    known = _OTHER_ROLES.get(word.strip().lower())
    return {**item, "role": known} if known else item


def _has_role(item: Any) -> bool:
    fields = mapping(item)
    return role_of(fields) is not None or (isinstance(fields.get("role"), str) and not isinstance(item, str))


def _is_gemini(value: Mapping[str, Any]) -> bool:
    return is_body(value) or isinstance(value.get("contents"), str) or is_content(value.get("content"))


def _opened(item: Any) -> Any:
    """Return the message in a choice, an event or a span's attribute, from its key `message`."""
    inner = mapping(item).get("message")
    if not isinstance(inner, Mapping) or _has_role(item):
        return item
    is_choice = bool(item.keys() & {"index", "finish_reason", "event.name", "finishReason"})
    return {"role": "assistant", **inner} if is_choice else inner


def _definition(item: Any) -> Mapping[str, Any] | None:
    """Return a tool definition, as placed among the messages by LangChain's tracer; None for other items."""
    schema = mapping(mapping(item).get("content"))
    return schema if schema.get("type") == "function" and isinstance(schema.get("function"), Mapping) else None


def _usual(item: Any) -> Any:
    """Return a message with its calls and data in the places of OpenAI's format."""
    if not isinstance(item, Mapping):
        return item
    calls = [*objects(mapping(item.get("additional_kwargs")).get("tool_calls"))]
    content = unwrapped_parts(item.get("content"))
    if isinstance(content, list):
        calls += (part for part in content if _is_call_part(part))
        content = [part for part in content if not _is_call_part(part)]
    if role_of(item) == "tool" and _is_plain(content):
        content = as_text(content)
    own = item.get("tool_calls")
    made: dict[str, Any] = {**item, "content": content}
    if calls and not own:
        made["tool_calls"] = calls
        made["role"] = "assistant" if role_of(item) == "tool" else item.get("role")
    return made


def unwrapped_parts(content: Any) -> Any:
    """Return a content; JSON text of a list of typed parts is read as that list."""
    opened = unwrapped(content)
    is_parts = isinstance(opened, list) and bool(opened) and all(_is_typed(part) for part in opened)
    return opened if is_parts else content


def _is_typed(part: Any) -> bool:
    return isinstance(mapping(part).get("type"), str)


def _is_call_part(part: Any) -> bool:
    return mapping(part).get("type") == "function" and isinstance(mapping(part).get("function"), Mapping)


def _is_plain(content: Any) -> bool:
    """Return whether the content of a result is data, sent to the model as JSON."""
    if isinstance(content, Mapping):
        return not _is_typed(content)
    return (
        isinstance(content, list)
        and bool(content)
        and not all(_is_typed(one) or isinstance(one, str) for one in content)
    )


def _as_call(call: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**call, "type": "tool_call"} if call.get("type") == "function" else call
