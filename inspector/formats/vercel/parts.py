"""The parts of an AI SDK message as turns: tool results follow the step of their calls.

Parts of UI messages (`tool-NAME`, `dynamic-tool`, `step-start`, …), of those of version 4 (`tool-invocation`), and of
model messages (`tool-call`, `tool-result`). Parts for the screen only (sources, data) were never sent and are no text.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from inspector.formats.notes import Notes
from inspector.model import Message, Role, ToolCall
from inspector.reading.values import as_text, mapping, objects

_SILENT = frozenset(
    ("source", "source-url", "source-document", "redacted-reasoning", "tool-approval-request", "tool-approval-response")
)
_NAMES = ("filename", "name", "mediaType", "mimeType", "contentType")
_IMAGE = "image"


def is_tool(kind: str) -> bool:
    """Return whether a part of this type is a tool call with its result."""
    return kind == "dynamic-tool" or (kind.startswith("tool-") and kind not in _READERS and kind not in _SILENT)


@dataclass(slots=True)
class Steps:
    """The messages of a single message's parts; `messages` are the finished ones so far."""

    role: Role
    notes: Notes
    messages: list[Message] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    results: list[Message] = field(default_factory=list)
    media: list[dict[str, Any]] = field(default_factory=list)

    def read(self, part: Any, place: str) -> None:
        """Read a part; a part of an unknown type is noted and left out."""
        held = mapping(part)
        kind = as_text(held.get("type"))
        if is_tool(kind):
            name = held.get("toolName") if kind == "dynamic-tool" else kind.removeprefix("tool-")
            self.add_invocation({"toolName": name, **held})
        elif kind in _READERS:
            _READERS[kind](self, held)
        elif not (kind in _SILENT or kind.startswith("data-")):
            found = kind[:40] or type(part).__name__
            self.notes.add(place, f"is a part of the unknown type {found}; it was left out")

    def add_text(self, part: Mapping[str, Any]) -> None:
        """Add text; after tool results it begins a new turn."""
        if text := as_text(part.get("text")):
            self._begin_after_results()
            self.texts.append(text)

    def add_reasoning(self, part: Mapping[str, Any]) -> None:
        """Add reasoning, which is no content."""
        if text := as_text(part.get("text") or part.get("reasoning")):
            self._begin_after_results()
            self.thoughts.append(text)

    def add_file(self, part: Mapping[str, Any]) -> None:
        """Add a picture or a file by its description and the length of its data."""
        kinds = (as_text(part.get(key)) for key in _NAMES[2:])
        is_image = part.get("type") == _IMAGE or any(kind.startswith(("image/", "audio/", "video/")) for kind in kinds)
        described: dict[str, Any] = {"type": _IMAGE if is_image else "file"}
        described.update({key: as_text(part[key]) for key in _NAMES if isinstance(part.get(key), str)})
        data = next((part[key] for key in ("url", "data", "image") if isinstance(part.get(key), str)), "")
        is_address = data.startswith(("http:", "https:"))
        self.media.append({**described, **({"url": as_text(data)} if is_address else {"characters": len(data)})})

    def add_call(self, part: Mapping[str, Any]) -> None:
        """Add a tool call."""
        asked = part.get("input", part.get("args", ""))
        call = ToolCall(as_text(part.get("toolCallId")), as_text(part.get("toolName")), as_text(asked))
        self.calls.append(call)

    def add_invocation(self, part: Mapping[str, Any]) -> None:
        """Add a call and, if the tool was done, its result."""
        held = mapping(part.get("toolInvocation")) or part
        if self.results and self.texts:
            self._begin_after_results()
        self.add_call(held)
        answered = (held.get(key) for key in ("output", "result", "errorText"))
        found = next((answer for answer in answered if answer is not None), None)
        if found is not None:
            self.add_result({**held, "output": found})

    def add_result(self, part: Mapping[str, Any]) -> None:
        """Add a tool result: text, or data, which the model reads as JSON."""
        output = part.get("output", part.get("result"))
        held = mapping(output)
        if held.get("type") == "content" and isinstance(held.get("value"), list):
            text = "\n".join(as_text(piece["text"]) for piece in objects(held["value"]) if "text" in piece)
            images = sum("text" not in piece for piece in objects(held["value"]))
        else:
            text, images = as_text(held["value"] if {"type", "value"} <= held.keys() else output), 0
        id_, name = as_text(part.get("toolCallId")), as_text(part.get("toolName"))
        self.results.append(Message("", "tool", text, name, images=images, tool_call_id=id_))

    def begin_step(self, _part: Mapping[str, Any]) -> None:
        """Begin a step of an agent: a request of its own."""
        self.flush()

    def _begin_after_results(self) -> None:
        if self.results:
            self.flush()

    def flush(self) -> None:
        """Make a turn of all content since the last turn, followed by the results of its calls."""
        if self.texts or self.thoughts or self.calls or self.media:
            thoughts = {"reasoning": "\n".join(self.thoughts)} if self.thoughts else {}
            media = {"media": self.media} if self.media else {}
            images = sum(described["type"] == _IMAGE for described in self.media)
            text, calls = "\n".join(self.texts), tuple(self.calls)
            said = Message("", self.role, text, images=images, tool_calls=calls, metadata={**thoughts, **media})
            self.messages.append(said)
        self.messages += self.results
        self.texts, self.thoughts, self.calls, self.results, self.media = [], [], [], [], []


_READERS: dict[str, Callable[[Steps, Mapping[str, Any]], None]] = {
    "text": Steps.add_text,
    "reasoning": Steps.add_reasoning,
    "file": Steps.add_file,
    _IMAGE: Steps.add_file,
    "tool-call": Steps.add_call,
    "tool-result": Steps.add_result,
    "tool-error": Steps.add_result,
    "tool-invocation": Steps.add_invocation,
    "step-start": Steps.begin_step,
}
