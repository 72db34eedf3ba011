"""The finished prompt as the body of a request of any vendor, and the parts it cannot express."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.assembly.answer import Answer, ledger_terms
from inspector.assembly.columns import Action
from inspector.assembly.decisions import Assembly
from inspector.assembly.rendered_prompt import PromptMessage, prompt_messages
from inspector.formats.chat_exports import anthropic_value, lost_words, openai_messages
from inspector.formats.content.turns import as_result, beside
from inspector.formats.content.written import Written, arguments_object
from inspector.json_text import json_document
from inspector.model import Call, Message, Result, changed, with_parts

_DEFAULT_REPLY = 1_024
"""Tokens of a reply if no reserve is set: Anthropic's requests require a number."""


@dataclass(frozen=True, slots=True)
class Request:
    """The body of a request as JSON, and in words the parts it cannot express."""

    content: bytes
    lost: tuple[str, ...] = ()


def prompt_request(answer: Answer, kind: str) -> Request:
    """Return the prompt for any of `REQUESTS`. Raise KeyError for other kinds.

    Raise NothingSaidError if Anthropic would be sent no message with content.
    """
    messages = [_message(answer.assembly, one, place) for place, one in enumerate(prompt_messages(answer.assembly))]
    value, lost = REQUESTS[kind](answer, messages)
    return Request(json_document(value), lost)


def _message(assembly: Assembly, one: PromptMessage, place: int) -> Message:
    """Return a message of the prompt; one that is in it whole has all its parts."""
    thing = assembly.candidates.things[one.rows[0]] if len(one.rows) == 1 else None
    if isinstance(thing, Message) and thing.parts and assembly.action[one.rows[0]] == Action.KEPT:
        return Message(str(place), thing.role, name=one.name, parts=thing.parts)
    calls = tuple(Call(call.id, call.name, call.arguments) for call in one.said.calls)
    parts = beside(one.said.content, calls=calls)
    return Message(
        str(place),
        one.role,  # pyright: ignore[reportArgumentType] - a prompt has the roles of the model
        name=one.name,
        parts=tuple(as_result(parts, one.said.call_id)) if one.said.call_id else parts,
    )


def _openai(answer: Answer, messages: Sequence[Message]) -> tuple[dict[str, Any], tuple[str, ...]]:
    tools, reserve = _tools(answer), answer.assembly.budget.response_reserve
    said, lost = openai_messages(messages)
    value = {"model": answer.model.name, "messages": said}
    return {
        **value,
        **({"tools": tools} if tools else {}),
        **({"max_completion_tokens": reserve} if reserve > 0 else {}),
    }, lost


def _anthropic(answer: Answer, messages: Sequence[Message]) -> tuple[dict[str, Any], tuple[str, ...]]:
    said, lost = anthropic_value(messages)
    tools, reserve = list(map(_anthropic_tool, _tools(answer))), answer.assembly.budget.response_reserve
    value = {"model": answer.model.name, "max_tokens": reserve if reserve > 0 else _DEFAULT_REPLY, **said}
    return {**value, **({"tools": tools} if tools else {})}, lost


def _anthropic_tool(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a tool definition from OpenAI's to Anthropic's layout; a definition already in it stays unchanged."""
    function = schema.get("function")
    if not isinstance(function, Mapping):
        return dict(schema)
    about = {"description": function["description"]} if function.get("description") else {}
    return {"name": function.get("name", ""), **about, "input_schema": function.get("parameters", {"type": "object"})}


def _ollama(answer: Answer, messages: Sequence[Message]) -> tuple[dict[str, Any], tuple[str, ...]]:
    tools, budget = _tools(answer), answer.assembly.budget
    called = {call.id: call.name for message in messages for call in message.tool_calls}
    options = {"num_ctx": budget.context_window}
    if budget.response_reserve > 0:
        options["num_predict"] = budget.response_reserve
    written = Written()
    value = {
        "model": answer.model.name,
        "messages": [_ollama_message(message, called, written) for message in messages],
        **({"tools": tools} if tools else {}),
        "options": options,
        "stream": False,
    }
    names = sum(bool(message.name) for message in messages)
    return value, lost_words([(names, "name of a speaker", "names of speakers"), *written.lost()])


def _ollama_message(message: Message, called: Mapping[str, str], written: Written) -> dict[str, Any]:
    """Return a message for Ollama, which names the tool of a result, and takes arguments as an object."""
    value: dict[str, Any] = {"role": message.role, **written.ollama(message)}
    if message.tool_calls:
        value["tool_calls"] = [
            {"function": {"name": call.name, "arguments": arguments_object(call)}} for call in message.tool_calls
        ]
    if message.role == "tool" and message.tool_call_id in called:
        value["tool_name"] = called[message.tool_call_id]
    return value


def _gemini(answer: Answer, messages: Sequence[Message]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return a request of Gemini's API (https://ai.google.dev/api/generate-content); the model is in its address."""
    written, reserve = Written(), answer.assembly.budget.response_reserve
    contents: list[dict[str, Any]] = []
    for message in _named_results(messages):
        role = "model" if message.role == "assistant" else "user"
        if message.role == "system" or not (parts := written.gemini(message)):
            continue
        if contents and contents[-1]["role"] == role:
            contents[-1]["parts"] += parts
        else:
            contents.append({"role": role, "parts": parts})
    told = "\n\n".join(message.content for message in messages if message.role == "system" and message.content)
    tools = list(map(_gemini_tool, _tools(answer)))
    value = {
        **({"systemInstruction": {"parts": [{"text": told}]}} if told else {}),
        "contents": contents,
        **({"tools": [{"functionDeclarations": tools}]} if tools else {}),
        **({"generationConfig": {"maxOutputTokens": reserve}} if reserve > 0 else {}),
    }
    names = sum(bool(message.name) for message in messages if message.role != "tool")
    return value, lost_words([(names, "name of a speaker", "names of speakers"), *written.lost()])


def _named_results(messages: Sequence[Message]) -> Iterator[Message]:
    """Yield the messages; each result has the name of its tool, which Gemini matches."""
    called = {call.id: call.name for message in messages for call in message.tool_calls}
    for message in messages:
        parts = [
            changed(part, name=called.get(part.id, "")) if isinstance(part, Result) and not part.name else part
            for part in message.parts
        ]
        yield with_parts(message, parts) if parts else message


def _gemini_tool(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the declaration of a function from OpenAI's or Anthropic's definition of a tool."""
    function = schema.get("function")
    if isinstance(function, Mapping):
        return dict(function)
    declared = {key: value for key, value in schema.items() if key != "input_schema"}
    return {**declared, **({"parameters": schema["input_schema"]} if "input_schema" in schema else {})}


def _tools(answer: Answer) -> list[dict[str, Any]]:
    """Return the definitions of the tools, if the prompt has any."""
    if answer.assembly.error is not None:
        return []
    return [dict(tool.schema) for tool in ledger_terms(answer.case)[1]]


REQUESTS: dict[str, Callable[[Answer, Sequence[Message]], tuple[dict[str, Any], tuple[str, ...]]]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "ollama": _ollama,
    "gemini": _gemini,
}
"""The function that makes each request, by name."""
