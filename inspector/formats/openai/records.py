"""The layouts of chats in OpenAI's style: bare lists, bodies, logs, batch, fine-tuning, preference, evaluation.

A value gives at most one chat here; files of many chats are taken apart in `chats`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector.formats.content.turns import with_thought_tokens
from inspector.formats.content.usage import read_usage
from inspector.formats.notes import Notes
from inspector.formats.openai.message import is_message, read_message, with_role_of_call
from inspector.formats.openai.responses import looks_like_items, read_items
from inspector.model import Message, changed
from inspector.reading.json import unwrapped
from inspector.reading.values import as_text, items_of, mapping, objects

_LISTS = ("messages", "conversation", "conversations", "dialogue", "dialog", "chat", "turns", "chat_history")
_TITLES = ("title", "name", "summary_title")
_IDS = ("conversation_id", "chat_id", "session_id", "custom_id", "id", "request_id", "uuid")
_ANSWERS = ("response", "answer", "completion", "output", "reply", "output_text")
_CHOICES = {"none": "none", "required": "any", "any": "any"}
_BODY_KEYS = frozenset(("instructions", "model", "previous_response_id", "max_output_tokens", "tools", "stream"))


@dataclass(slots=True)
class Chat:
    """A chat as found: its messages (the system prompt among them), other endings, and its metadata in the file.

    Each of `endings` is another continuation of the whole of `shared` messages: preferences and further choices.
    """

    messages: list[Message]
    id: str = ""
    title: str = ""
    model: str = ""
    tools: list[Mapping[str, Any]] = field(default_factory=list)
    endings: list[list[Message]] = field(default_factory=list)
    shared: int = 0
    tool_choice: str = ""
    tool_form: str = "tools"


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout of a chat in a value: how likely a value has it, and how to read it."""

    sureness: float
    fits: Callable[[Mapping[str, Any]], bool]
    read: Callable[[Mapping[str, Any], Notes, str], Chat]


def layout_of(value: Any) -> Layout | None:
    """Return the layout of an object that holds a chat; None if it holds none."""
    if not isinstance(value, Mapping):
        return None
    return next((layout for layout in _LAYOUTS if layout.fits(value)), None)


def read_chat(value: Mapping[str, Any], notes: Notes, place: str) -> Chat | None:
    """Return the chat of an object, with its id, title and model; None if the object has none of the layouts."""
    layout = layout_of(value)
    if layout is None:
        return None
    chat = layout.read(value, notes, place)
    chat.id = next((as_text(value[key]) for key in _IDS if isinstance(value.get(key), str | int)), chat.id)
    chat.title = next((as_text(value[key]) for key in _TITLES if isinstance(value.get(key), str)), chat.title)
    chat.model = chat.model or _model(value)
    return chat


def read_messages(value: Any, notes: Notes, place: str) -> list[Message]:
    """Return the messages of a list; other items are noted."""
    if looks_like_items(value):
        return read_items(value, notes, place)
    found: list[Message] = []
    for index, item in enumerate(items_of(value)):
        found += read_message(with_role_of_call(item, found), notes, f"{place}[{index}]")
    return found


def _messages_key(value: Mapping[str, Any]) -> str:
    there = (key for key in _LISTS if key in value)
    return next((key for key in there if any(is_message(item) for item in items_of(value[key])[:20])), "")


def _definitions(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the tools of a body; ShareGPT writes them as JSON text, the first API as `functions`."""
    old = [{"type": "function", "function": function} for function in objects(body.get("functions"))]
    specified = (mapping(tool.get("toolSpec")) for tool in objects(mapping(body.get("toolConfig")).get("tools")))
    of_bedrock = [_of_bedrock(tool) for tool in specified if tool]
    return [*objects(unwrapped(body.get("tools"))), *old, *of_bedrock]


def _of_bedrock(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the definition of a tool as Bedrock Converse has it (`inputSchema{json}`) under the usual names."""
    told = {key: tool[key] for key in ("name", "description") if key in tool}
    return {"type": "function", "function": {**told, "parameters": mapping(tool.get("inputSchema")).get("json", {})}}


def _tool_form(body: Mapping[str, Any]) -> str:
    """Return the key under which a body has its tools: `functions` in the first API (2023), else `tools`."""
    return "functions" if body.get("functions") and not body.get("tools") else "tools"


def _tool_choice(body: Mapping[str, Any]) -> str:
    """Return the choice among the tools of a body, as `Conversation.tool_choice` has it."""
    choice = body.get("tool_choice") or body.get("function_call")
    named = as_text(mapping(mapping(choice).get("function", choice)).get("name"))
    return f"={named}" if named else _CHOICES.get(choice, "") if isinstance(choice, str) else ""


def _read_body(body: Mapping[str, Any], notes: Notes, place: str) -> Chat:
    key = _messages_key(body) or "messages"
    messages = read_messages(body.get(key), notes, f"{place}.{key}")
    system = body.get("system", body.get("system_prompt"))
    if system:
        messages = [*read_message({"role": "system", "content": system}, notes, f"{place}.system"), *messages]
    chat = Chat(messages, model=_model(body), tools=_definitions(body), tool_choice=_tool_choice(body))
    chat.tool_form = _tool_form(body)
    _add_answers(chat, body, notes, place)
    return chat


def _model(value: Mapping[str, Any]) -> str:
    named = (value.get(key) for key in ("model", "modelId"))
    return next((as_text(name) for name in named if isinstance(name, str)), "")


def _read_responses_body(body: Mapping[str, Any], notes: Notes, place: str) -> Chat:
    messages = read_items(body.get("input"), notes, f"{place}.input")
    if body.get("instructions"):
        instructions = {"role": "system", "content": body["instructions"]}
        messages = [*read_message(instructions, notes, f"{place}.instructions"), *messages]
    if body.get("previous_response_id"):
        notes.add(
            f"{place}.previous_response_id",
            "says that earlier turns were kept by the server; they are not in this file",
        )
    chat = Chat(messages, model=_model(body), tools=_definitions(body), tool_choice=_tool_choice(body))
    chat.tool_form = _tool_form(body)
    _add_answers(chat, body, notes, place)
    return chat


def _add_answers(chat: Chat, value: Mapping[str, Any], notes: Notes, place: str) -> None:
    """Append the answer in a response body, with its counts; further choices become other endings."""
    chat.shared = len(chat.messages)
    if isinstance(value.get("output"), list):
        chat.messages += read_items(value["output"], notes, f"{place}.output")
    choices = objects(value.get("choices"))
    if said := _said_alone(value):
        chat.messages += read_message(said, notes, f"{place}.output.message")
    answers = [
        read_message(choice["message"], notes, f"{place}.choices[{index}].message")
        for index, choice in enumerate(choices)
        if isinstance(choice.get("message"), Mapping)
    ]
    if answers:
        chat.messages += answers[0]
        chat.endings += answers[1:]
    if len(chat.messages) == chat.shared and (not chat.messages or chat.messages[-1].role != "assistant"):
        key, said = _answer_in_short(value)
        chat.messages += read_message(said, notes, f"{place}{key}") if said else []
    usage = read_usage(value.get("usage"))
    chat.messages[chat.shared :] = with_thought_tokens(chat.messages[chat.shared :], usage.thoughts)
    if usage.metadata and len(chat.messages) > chat.shared:
        answer = chat.messages[-1]
        chat.messages[-1] = changed(answer, metadata={**answer.metadata, **usage.metadata})


def _answer_in_short(value: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Return the answer that scripts keep beside a request, a text or a message, with its key; or the body itself."""
    if is_message(value) and value.get("role") == "assistant":
        return "", value
    for key in _ANSWERS:
        said = value.get(key)
        if isinstance(said, str) and said.strip():
            return f".{key}", {"role": "assistant", "content": said}
        if is_message(said) and mapping(said).get("role") == "assistant":
            return f".{key}", mapping(said)
    return "", {}


def _read_log(log: Mapping[str, Any], notes: Notes, place: str) -> Chat:
    """Read a request and its response as a proxy writes them: bodies, or `{url, body}`, as objects or as JSON text.

    The usage of a streamed response may be beside it. OpenHands writes the response into the request
    (OpenHands/software-agent-sdk, `openhands-sdk/openhands/sdk/llm/utils/telemetry.py`).
    """
    request, response = (inner_body(log.get(key)) for key in ("request", "response"))
    at = f"{place}.request"
    if "request" not in log:
        request, at = {key: value for key, value in log.items() if key != "response"}, place
    if isinstance(log.get("response"), str) and not response:
        response = {"response": log["response"]}
    response = response if "usage" in response else {**response, "usage": log.get("usage")}
    layout = _body_layout(request)
    chat = layout.read(request, notes, at) if layout else Chat([])
    _add_answers(chat, response, notes, f"{place}.response")
    chat.model = chat.model or _model(response)
    return chat


def inner_body(value: Any) -> Mapping[str, Any]:
    """Return a body: the value itself, JSON text, or below `body`; an empty body if there is none."""
    outer = mapping(unwrapped(value))
    return mapping(unwrapped(outer["body"])) if "body" in outer else outer


def _read_batch_line(line: Mapping[str, Any], notes: Notes, place: str) -> Chat:
    body = inner_body(line)
    layout = _body_layout(body)
    return layout.read(body, notes, f"{place}.body") if layout else Chat([])


def _read_preference(line: Mapping[str, Any], notes: Notes, place: str) -> Chat:
    chat = _read_body(mapping(line["input"]), notes, f"{place}.input")
    chat.shared = len(chat.messages)
    chat.messages += read_messages(line.get("preferred_output"), notes, f"{place}.preferred_output")
    other = read_messages(line.get("non_preferred_output"), notes, f"{place}.non_preferred_output")
    chat.endings += [other] if other else []
    return chat


_PAIR = ("chosen_messages", "rejected_messages")


def _has_pair(value: Mapping[str, Any], key: str) -> bool:
    return any(map(is_message, items_of(value.get(key))[:20]))


def _read_pair(line: Mapping[str, Any], notes: Notes, place: str) -> Chat:
    """Read two whole chats of which the first is preferred, as LLaMA-Factory has them (hiyouga/LLaMA-Factory,
    `src/llamafactory/v1/plugins/data_plugins/converter.py`); their common beginning is shared.
    """
    chosen, rejected = (read_messages(line[key], notes, f"{place}.{key}") for key in _PAIR)
    pairs = enumerate(zip(chosen, rejected, strict=False))
    shared = next((number for number, (one, other) in pairs if one != other), min(len(chosen), len(rejected)))
    chat = Chat(chosen, tools=_definitions(line), shared=shared)
    chat.endings += [rejected[shared:]] if rejected[shared:] else []
    return chat


def _read_evaluation(line: Mapping[str, Any], notes: Notes, place: str) -> Chat:
    """Read an evaluation: the input is the prompt; the ideal answer is no part of it and becomes another ending."""
    messages = read_items(line["input"], notes, f"{place}.input")
    ideal = line["ideal"] if isinstance(line["ideal"], list) else [line["ideal"]]
    endings = [[Message("", "assistant", as_text(answer), metadata={"ideal": True})] for answer in ideal]
    return Chat(messages, endings=endings, shared=len(messages))


def _said_alone(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the message of an answer of Bedrock Converse, Cohere's second API or Ollama; empty if there is none."""
    outer = mapping(value.get("output")) if isinstance(value.get("output"), Mapping) else value
    said = mapping(outer.get("message"))
    is_answer = bool(value.keys() & {"stopReason", "finish_reason", "usage", "done"})
    return said if is_answer and is_message(said) and said.get("role") == "assistant" else {}


def _read_invocation(log: Mapping[str, Any], notes: Notes, place: str) -> Chat:
    """Read a record of Bedrock's log of invocations: the bodies of the request and the answer, of any maker."""
    request, response = (mapping(mapping(log.get(side)).get(f"{side}BodyJson")) for side in ("input", "output"))
    layout = _body_layout(request)
    if layout is None:
        notes.add(f"{place}.input.inputBodyJson", "expected a request with messages, found none")
    chat = layout.read(request, notes, f"{place}.input.inputBodyJson") if layout else Chat([])
    given = len(chat.messages)
    if response.get("type") == "message" and is_message(response):  # as Anthropic answers
        chat.messages += read_message(response, notes, f"{place}.output.outputBodyJson")
    else:
        _add_answers(chat, response, notes, f"{place}.output.outputBodyJson")
    if len(chat.messages) == given:
        notes.add(f"{place}.output.outputBodyJson", "expected an answer with a message, found none")
    chat.model = chat.model or _model(log)
    return chat


def _has_messages(value: Any) -> bool:
    return bool(_messages_key(mapping(value)))


def _is_answer(value: Any) -> bool:
    body = inner_body(value)
    if _is_response(body) or looks_like_items(body.get("output")) or _said_alone(body):
        return True
    return any(is_message(choice.get("message")) for choice in objects(body.get("choices")))


def _is_response(body: Mapping[str, Any]) -> bool:
    """Return whether a body is an answer of the Responses API, which repeats the instructions but not the input."""
    return body.get("object") == "response" and any(map(is_message, items_of(body.get("output"))[:20]))


def _is_log(value: Mapping[str, Any]) -> bool:
    if "request" not in value and "response" not in value:
        return False
    return _body_layout(inner_body(value.get("request"))) is not None or _is_answer(value.get("response"))


def _body_layout(body: Mapping[str, Any]) -> Layout | None:
    """Return the layout of a body inside a log or a batch line; logs are not nested."""
    return next((layout for layout in _BODIES if layout.fits(body)), None)


def _is_responses_body(value: Mapping[str, Any]) -> bool:
    given = value.get("input")
    if isinstance(given, str):
        return bool(value.keys() & _BODY_KEYS)
    items = items_of(given)
    return "ideal" not in value and (looks_like_items(given) or any(is_message(item) for item in items[:20]))


_BODIES: Sequence[Layout] = (
    Layout(0.85, _has_messages, _read_body),
    Layout(0.85, _is_responses_body, _read_responses_body),
    Layout(0.85, _is_response, _read_responses_body),
    Layout(0.85, _is_answer, _read_body),
)
_LAYOUTS: Sequence[Layout] = (
    Layout(0.95, lambda value: value.get("schemaType") == "ModelInvocationLog", _read_invocation),
    Layout(0.95, lambda value: all(_has_pair(value, key) for key in _PAIR), _read_pair),
    Layout(0.95, lambda value: "preferred_output" in value and _has_messages(value.get("input")), _read_preference),
    Layout(0.9, lambda value: "ideal" in value and isinstance(value.get("input"), list | str), _read_evaluation),
    Layout(0.95, lambda value: "body" in value and _body_layout(inner_body(value)) is not None, _read_batch_line),
    Layout(0.85, _is_log, _read_log),
    *_BODIES,
)
