"""Messages of native files: the spellings of a message that are accepted beside the contract's own."""

from typing import Any

import msgspec


def plain_message(item: dict[str, Any]) -> dict[str, Any]:
    """The message with tool calls as `{id, name, arguments}`, also where they are written as OpenAI does.

    Content may be null or absent beside tool calls.
    """
    calls = item.get("tool_calls")
    if not calls:
        return item
    plain = [plain_call(call) for call in calls] if isinstance(calls, list) else calls
    content = item.get("content")
    return {**item, "tool_calls": plain, "content": "" if content is None else content}


def plain_call(call: Any) -> Any:
    """A tool call as `{id, name, arguments}` where it is OpenAI's `{id, type, function{name, arguments}}`.

    Arguments that are an object become the JSON text of it.
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
