"""The content of a turn as Anthropic's applications write it: blocks of text, thinking, tool use and tool results.

https://docs.anthropic.com/en/api/messages. Blocks of the application only, which no model was sent, are left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from inspector.formats.content.at import At
from inspector.formats.content.reader import read_part
from inspector.formats.content.turns import result_message
from inspector.formats.content.usage import read_usage
from inspector.formats.notes import Notes
from inspector.model import Call, Message, Part, Result, Role, Text, changed
from inspector.reading.decode import kind_of
from inspector.reading.values import as_text, mapping

_SILENT = frozenset(("token_budget", "flag", "fallback", "connector_text"))


@dataclass(slots=True)
class Turns:
    """The turns of a list of blocks: tool results come between the speaker's text before and after them.

    `id` is that of the record, and of its first turn; the others are numbered.
    """

    id: str
    role: Role
    time: datetime | None
    notes: Notes
    messages: list[Message] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)

    def read(self, content: Any, place: str) -> None:
        """Read a content: text, or a list of blocks."""
        if isinstance(content, str):
            self.parts.append(Text(as_text(content)))
            return
        if not isinstance(content, list):
            self.notes.add(place, f"expected text or a list of blocks, found {kind_of(content)}")
            return
        for number, block in enumerate(content):
            self.read_block(block, f"{place}[{number}]")

    def read_block(self, block: Any, place: str) -> None:
        """Read a block; empty texts are skipped."""
        held = mapping(block)
        if as_text(held.get("type")) in _SILENT:
            return
        if held.get("type") == "container_upload":
            self.notes.add(place, "names a file for the container of tools, which is no text of the prompt", "info")
            return
        for part in read_part(block, At(self.notes, place)):
            if isinstance(part, Result):
                self.add_result(part, {"is_error": True} if held.get("is_error") else {})
            elif isinstance(part, Call):
                self.parts.append(part if part.id else changed(part, id=f"{self.id}.call{self._calls_so_far}"))
            elif not (isinstance(part, Text) and not part.text):
                self.parts.append(part)

    def add_result(self, result: Result, metadata: Mapping[str, Any]) -> None:
        """Add the result of a tool as a turn of its own; without the id of a call it answers the open one."""
        self.flush()
        known = result if result.id else changed(result, id=self._last_call)
        self.messages.append(result_message(known, self._next_id, time=self.time, metadata=metadata))

    def flush(self) -> None:
        """Make a turn of all parts since the last turn, if any."""
        if self.parts:
            self.messages.append(Message(self._next_id, self.role, time=self.time, parts=tuple(self.parts)))
            self.parts = []

    @property
    def _next_id(self) -> str:
        return f"{self.id}.{len(self.messages)}" if self.id and self.messages else self.id

    @property
    def _calls_so_far(self) -> int:
        return sum(isinstance(one, Call) for one in self.parts) + sum(len(one.tool_calls) for one in self.messages)

    @property
    def _last_call(self) -> str:
        """Return the first earlier call that has no result yet."""
        answered = {message.tool_call_id for message in self.messages}
        calls = (call.id for message in self.messages for call in message.tool_calls)
        return next((id_ for id_ in calls if id_ not in answered), "")


def turns_of(id_: str, role: Role, time: datetime | None, content: Any, notes: Notes, place: str) -> list[Message]:
    """Return the turns of a content; none for empty content."""
    turns = Turns(id_, role, time, notes)
    turns.read(content, place)
    turns.flush()
    return turns.messages


def usage_of(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the model, and the usage as the provider counted it."""
    found: dict[str, Any] = {"model": as_text(message["model"])} if isinstance(message.get("model"), str) else {}
    return found | read_usage(message.get("usage")).metadata
