"""Messages of native files: the spellings of a message accepted beside the contract's own."""

from typing import Any

import msgspec


def plain_message(item: dict[str, Any]) -> dict[str, Any]:
    """Return the message with tool calls as `{id, name, arguments}`, even if they are written as OpenAI does.

    Content may be null or absent beside tool calls.
    """
    calls = item.get("tool_calls")
    if not calls:
        return item
    plain = [plain_call(call) for call in calls] if isinstance(calls, list) else calls
    content = item.get("content")
    return {**item, "tool_calls": plain, "content": "" if content is None else content}


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
