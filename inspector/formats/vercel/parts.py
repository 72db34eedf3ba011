"""The parts of an AI SDK message as turns: tool results follow the step of their calls.

Parts of UI messages (`tool-NAME`, `dynamic-tool`, `step-start`, …), of those of version 4 (`tool-invocation`), and of
model messages (`tool-call`, `tool-result`). Parts for the screen only (sources, data) were never sent and are no text.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from inspector.formats.content.at import At
from inspector.formats.content.reader import read_call, read_part, read_result
from inspector.formats.content.turns import result_message
from inspector.formats.notes import Notes
from inspector.model import Call, Message, Part, Result, Role, Text, Thought
from inspector.reading.values import as_text, mapping

_SILENT = frozenset(("source", "source-url", "source-document", "tool-approval-request", "tool-approval-response"))
_OWN = frozenset(("tool-call", "tool-result", "tool-error", "tool-invocation", *_SILENT))
_ANSWERS = ("output", "result", "errorText")


def is_tool(kind: str) -> bool:
    """Return whether a part of this type is a tool call with its result."""
    return kind == "dynamic-tool" or (kind.startswith("tool-") and kind not in _OWN)


@dataclass(slots=True)
class Steps:
    """The messages of a single message's parts; `messages` are the finished ones so far."""

    role: Role
    notes: Notes
    messages: list[Message] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)

    def read(self, part: Any, place: str) -> None:
        """Read a part in any vendor's layout."""
        held, at = mapping(part), At(self.notes, place)
        kind = as_text(held.get("type"))
        if is_tool(kind):
            name = held.get("toolName") if kind == "dynamic-tool" else kind.removeprefix("tool-")
            self.add_invocation({"toolName": name, **held}, at)
        elif kind == "tool-invocation":
            self.add_invocation(mapping(held.get("toolInvocation")) or held, at.below(".toolInvocation"))
        elif kind == "step-start":
            self.flush()
        elif not (kind in _SILENT or kind.startswith("data-")):
            self.add(read_part(part, at))

    def add(self, parts: Iterable[Part]) -> None:
        """Add parts; text and thoughts after tool results begin a new turn, and empty ones are skipped."""
        for part in parts:
            if isinstance(part, Result):
                self.results.append(part)
            elif not isinstance(part, Text | Thought):
                self.parts.append(part)
            elif part not in (Text(), Thought()):
                self._begin_after_results()
                self.parts.append(part)

    def add_text(self, text: Any) -> None:
        """Add text; after tool results it begins a new turn."""
        self.add([Text(as_text(text))])

    def add_reasoning(self, text: Any) -> None:
        """Add thinking of the model."""
        self.add([Thought(as_text(text))])

    def add_invocation(self, held: Mapping[str, Any], at: At) -> None:
        """Add a call and, if the tool was done, its result: text, or data, which the model reads as JSON."""
        if self.results and any(isinstance(one, Text) for one in self.parts):
            self._begin_after_results()
        asked = {key: value for key, value in held.items() if key not in _ANSWERS}
        key = next((key for key in _ANSWERS if held.get(key) is not None), "")
        self.add(read_call(asked, at))
        if key:
            self.results.append(read_result({**asked, "content": None, key: held[key]}, at))

    @property
    def calls(self) -> list[Call]:
        """The calls of the turn that is not finished."""
        return [part for part in self.parts if isinstance(part, Call)]

    def _begin_after_results(self) -> None:
        if self.results:
            self.flush()

    def flush(self) -> None:
        """Make a turn of all content since the last turn, followed by the results of its calls."""
        if self.parts:
            self.messages.append(Message("", self.role, parts=tuple(self.parts)))
        self.messages += map(result_message, self.results)
        self.parts, self.results = [], []
