"""The finished prompt as the body of a request to OpenAI, Anthropic or Ollama, and the parts it cannot express."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.assembly.answer import Answer, ledger_terms
from inspector.assembly.rendered_prompt import PromptMessage, prompt_messages
from inspector.figures import counted
from inspector.formats.chat_exports import anthropic_value, arguments_object, openai_messages
from inspector.formats.content.turns import as_result, beside
from inspector.json_text import json_document
from inspector.model import Call, Message

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
    messages = [_message(one, place) for place, one in enumerate(prompt_messages(answer.assembly))]
    value, lost = REQUESTS[kind](answer, messages)
    return Request(json_document(value), lost)


def _message(one: PromptMessage, place: int) -> Message:
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
    value = {"model": answer.model.name, "messages": openai_messages(messages)}
    return {
        **value,
        **({"tools": tools} if tools else {}),
        **({"max_completion_tokens": reserve} if reserve > 0 else {}),
    }, ()


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
    value = {
        "model": answer.model.name,
        "messages": [_ollama_message(message, called) for message in messages],
        **({"tools": tools} if tools else {}),
        "options": options,
        "stream": False,
    }
    names = sum(bool(message.name) for message in messages)
    return value, ((counted(names, "name of a speaker", plural="names of speakers"),) if names else ())


def _ollama_message(message: Message, called: Mapping[str, str]) -> dict[str, Any]:
    """Return a message for Ollama, which names the tool of a result, and takes arguments as an object."""
    value: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        value["tool_calls"] = [
            {"function": {"name": call.name, "arguments": arguments_object(call)}} for call in message.tool_calls
        ]
    if message.role == "tool" and message.tool_call_id in called:
        value["tool_name"] = called[message.tool_call_id]
    return value


def _tools(answer: Answer) -> list[dict[str, Any]]:
    """Return the definitions of the tools, if the prompt has any."""
    if answer.assembly.error is not None:
        return []
    return [dict(tool.schema) for tool in ledger_terms(answer.case)[1]]


REQUESTS: dict[str, Callable[[Answer, Sequence[Message]], tuple[dict[str, Any], tuple[str, ...]]]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "ollama": _ollama,
}
"""The function that makes each request, by name."""
