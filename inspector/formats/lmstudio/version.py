"""A single version of an LM Studio message: a text of the user, or the steps of an answer.

A step left out of the context, by the user or the application, is no content: thinking goes to the reasoning, any other
text is an excluded message of its own.
"""

from collections.abc import Callable, Mapping
from typing import Any

from inspector.formats.content.media import made
from inspector.formats.content.turns import beside, result_message
from inspector.formats.content.usage import read_usage
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES
from inspector.model import Call, Message, Part, Result, Role, changed, with_parts
from inspector.reading.media_sizes import MediaSize
from inspector.reading.values import as_text, as_whole, items_of, mapping

_DROPPED = {"action": "dropped", "reason": "left out of the context"}
_SILENT = frozenset(("debugInfoBlock", "status", "toolStatus", "citationBlock"))


def read_version(version: Any, notes: Notes, place: str) -> tuple[Message, ...]:
    """Return the messages of a version, without ids; none if its role is unknown."""
    fields = mapping(version)
    role = ROLES.get(as_text(fields.get("role")))
    if role is None:
        notes.add(f"{place}.role", "expected system, user or assistant; the version was left out", "error")
        return ()
    reader = _Reader(role, notes)
    if "steps" in fields:
        for index, step in enumerate(items_of(fields["steps"])):
            reader.read_step(mapping(step), f"{place}.steps[{index}]")
    else:
        reader.read_block(fields, f"{place}.content")
    return reader.finished()


class _Reader:
    """Collects the parts of a version; a new message begins at a left-out step and after the result of a tool."""

    def __init__(self, role: Role, notes: Notes) -> None:
        self.role: Role = role
        self.notes = notes
        self.messages: list[Message] = []
        self.texts: list[str] = []
        self.calls: list[Call] = []
        self.thoughts: list[str] = []
        self.files: list[str] = []
        self.seen: list[Part] = []
        self.tokens = self.left_out = 0
        self.excluded = False
        self.recorded: dict[str, Any] = {}

    def read_step(self, step: Mapping[str, Any], place: str) -> None:
        """Read a step of an answer."""
        kind = as_text(step.get("type"))
        if kind in ("contentBlock", "toolCallRequestBlock", "toolCallResultBlock"):
            self.left_out += not _is_included(step)
            self.read_block(step, f"{place}.content")
            info = mapping(step.get("genInfo"))
            named = {"model": as_text(info["identifier"])} if info.get("identifier") else {}
            self.recorded |= named | read_usage(info.get("stats")).metadata
        elif kind not in _SILENT:
            self.notes.add(place, f"is a step of the unknown type {kind[:40] or 'null'}; it was skipped")

    def read_block(self, block: Mapping[str, Any], place: str) -> None:
        """Read a list of parts, which are in the context or left out together."""
        included = _is_included(block)
        thinking = mapping(block.get("style")).get("type") == "thinking"
        content = block.get("content")
        if isinstance(content, str):
            self._add_text(content, included, thinking, block)
            return
        parts = [content] if isinstance(content, Mapping) else items_of(content)
        for index, part in enumerate(parts):
            fields = mapping(part)
            reader = _PARTS.get(as_text(fields.get("type")))
            if reader:
                reader(self, fields, included, thinking, block)
            else:
                kind = as_text(fields.get("type"))[:40] or "null"
                self.notes.add(f"{place}[{index}]", f"is a part of the unknown type {kind}; it was skipped")

    def add_text(self, part: Mapping[str, Any], included: bool, thinking: bool, block: Mapping[str, Any]) -> None:
        """Add a text, with LM Studio's token count."""
        self._add_text(as_text(part.get("text")), included, thinking, block)
        self.tokens += as_whole(part.get("tokensCount")) or 0

    def _add_text(self, text: str, included: bool, thinking: bool, block: Mapping[str, Any]) -> None:
        if thinking and not included:
            self.thoughts.append(as_text(text))
            return
        if thinking:  # thinking sent back to the model is text, between its marks
            text = f"{as_text(block.get('prefix'))}{text}{as_text(block.get('suffix'))}"
        self._begin(not included)
        self.texts.append(as_text(text))

    def add_call(self, part: Mapping[str, Any], included: bool, _thinking: bool, _block: Mapping[str, Any]) -> None:
        """Add a tool call."""
        self._begin(not included)
        arguments = as_text(part.get("parameters", part.get("arguments")))
        id_ = as_text(part.get("callId") or part.get("toolCallRequestId"))
        self.calls.append(Call(id_, as_text(part.get("name")), arguments))

    def add_result(self, part: Mapping[str, Any], included: bool, _thinking: bool, _block: Mapping[str, Any]) -> None:
        """Add a tool result as a message of its own."""
        self._flush()
        id_ = as_text(part.get("callId") or part.get("toolCallRequestId"))
        result = result_message(Result(id_, content=as_text(part.get("content"))))
        self.messages.append(result if included else _left_out(result))

    def add_file(self, part: Mapping[str, Any], included: bool, _thinking: bool, _block: Mapping[str, Any]) -> None:
        """Add a file beside the text; only pictures are counted, the text of other files is not in the chat."""
        self._begin(not included)
        if as_text(part.get("fileType")).startswith("image"):
            size = MediaSize("", as_whole(part.get("sizeBytes")))
            name = as_text(part.get("name") or part.get("fileIdentifier"))
            self.seen.append(made("image", size, name=name))
        else:
            self.files.append(as_text(part.get("fileIdentifier") or part.get("name")))

    def _begin(self, excluded: bool) -> None:
        if excluded != self.excluded:
            self._flush()
        self.excluded = excluded

    def _flush(self) -> None:
        if not (self.texts or self.calls or self.seen or self.files):
            return
        message = Message(
            "",
            self.role,
            parts=beside("\n".join(self.texts), media=self.seen, calls=self.calls),
            metadata={"files": self.files} if self.files else {},
        )
        self.messages.append(_left_out(message) if self.excluded else message)
        self.texts, self.calls, self.files, self.seen = [], [], [], []

    def finished(self) -> tuple[Message, ...]:
        """Return the messages; metadata of the whole version goes with its last message that is not a tool's."""
        self._flush()
        places = [index for index, message in enumerate(self.messages) if message.role == self.role]
        if not places:
            self.messages.append(Message("", self.role, ""))
        last = places[-1] if places else len(self.messages) - 1
        found = {
            "recorded_tokens": self.tokens or None,
            "steps_left_out": self.left_out or None,
        }
        kept = {key: value for key, value in found.items() if value is not None}
        message = self.messages[last]
        thoughts = "\n".join(filter(None, self.thoughts))
        parts = [*beside("", thoughts=thoughts), *message.whole]
        self.messages[last] = with_parts(message, parts, metadata={**message.metadata, **self.recorded, **kept})
        return tuple(self.messages)


def _is_included(block: Mapping[str, Any]) -> bool:
    return block.get("shouldIncludeInContext") is not False


def _left_out(message: Message) -> Message:
    return changed(message, excluded=True, metadata={**message.metadata, "recorded": _DROPPED})


_PARTS: Mapping[str, Callable[..., None]] = {
    "text": _Reader.add_text,
    "toolCallRequest": _Reader.add_call,
    "toolCallResult": _Reader.add_result,
    "file": _Reader.add_file,
}
