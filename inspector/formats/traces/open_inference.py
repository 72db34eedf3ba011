"""Messages in OpenInference's attributes, under the names of OpenAI's.

https://github.com/Arize-ai/openinference, spec/semantic_conventions.md. Every message, content and call is wrapped in
an object that names its kind: `{"message": {"contents": [{"message_content": {…}}], "tool_calls": […]}}`.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.traces.attributes import listed
from inspector.reading.values import mapping

_SAME = ("role", "name", "tool_call_id")


def as_openai(item: Any) -> dict[str, Any]:
    """Return a message under OpenAI's names; without a role if it has none."""
    held = mapping(mapping(item).get("message"))
    found = {key: held[key] for key in _SAME if held.get(key) is not None}
    contents = [_part(content) for content in listed(held.get("contents"))]
    calls = [_call(call) for call in listed(held.get("tool_calls"))]
    found["content"] = contents or held.get("content", "")
    return {**found, "tool_calls": calls} if calls else found


def _part(item: Any) -> Any:
    held = mapping(mapping(item).get("message_content"))
    if "image" not in held:
        return held
    url = mapping(mapping(held["image"]).get("image")).get("url", "")
    return {"type": "image_url", "image_url": {"url": url}}


def _call(item: Any) -> Mapping[str, Any]:
    """Return a call, with its wrapping or, as in older conventions, without it."""
    held = mapping(mapping(item).get("tool_call")) or mapping(item)
    function = mapping(held.get("function")) or held
    arguments = function.get("arguments", "")
    return {"id": held.get("id"), "function": {"name": function.get("name"), "arguments": arguments}}
