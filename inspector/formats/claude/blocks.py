"""The content of a turn as Anthropic's applications write it: blocks of text, thinking, tool use and tool results.

https://docs.anthropic.com/en/api/messages. A block of an unknown type is noted with its place and is not counted.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from inspector.formats.notes import Notes
from inspector.model import Message, Role, ToolCall
from inspector.reading.values import as_text, as_whole, items_of, mapping

_SILENT = frozenset(("redacted_thinking", "token_budget", "flag", "fallback", "container_upload", "connector_text"))
_MEDIA = frozenset(("image", "audio", "video", "document"))
_RESULT_TEXTS = ("text", "content", "stdout")
_INPUTS = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


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
    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    media: list[dict[str, Any]] = field(default_factory=list)

    def read(self, content: Any, place: str) -> None:
        """Read a content: text, or a list of blocks."""
        if isinstance(content, str):
            self.texts.append(as_text(content))
            return
        if not isinstance(content, list):
            self.notes.add(place, f"expected text or a list of blocks, found {type(content).__name__}")
            return
        for number, block in enumerate(content):
            self.read_block(block, f"{place}[{number}]")

    def read_block(self, block: Any, place: str) -> None:
        """Read a block; a block of an unknown type is noted and left out."""
        if isinstance(block, str):
            self.texts.append(as_text(block))
            return
        held = mapping(block)
        kind = as_text(held.get("type"))
        if kind in _READERS:
            _READERS[kind](self, held, place)
        elif kind.endswith("_tool_result"):
            self.add_result(held, place)
        elif kind not in _SILENT:
            found = kind[:40] or type(block).__name__
            self.notes.add(place, f"is a block of the unknown type {found}; it was left out")

    def add_text(self, block: Mapping[str, Any], _place: str) -> None:
        """Add a block of text; empty ones are skipped."""
        if text := as_text(block.get("text")):
            self.texts.append(text)

    def add_thinking(self, block: Mapping[str, Any], _place: str) -> None:
        """Add thinking, which is no content."""
        if text := as_text(block.get("thinking")):
            self.thoughts.append(text)

    def add_voice_note(self, block: Mapping[str, Any], _place: str) -> None:
        """Add a dictated note with its title."""
        self.texts += filter(None, (as_text(block.get("title")), as_text(block.get("text"))))

    def add_call(self, block: Mapping[str, Any], _place: str) -> None:
        """Add a tool call; exports leave out its id, so it gets a new id for its result to name."""
        id_ = as_text(block.get("id")) or f"{self.id}.call{self._calls_so_far}"
        self.calls.append(ToolCall(id_, as_text(block.get("name")), as_text(block.get("input"))))

    def add_media(self, block: Mapping[str, Any], _place: str) -> None:
        """Add a picture or document by its description, never its bytes; for a plain-text document, also its text."""
        described, text = _media(block)
        self.media.append(described)
        self.texts += [text] if text else []

    def add_page(self, block: Mapping[str, Any], place: str) -> None:
        """Add a page found by a search: its title and address, and its texts."""
        texts, media = _result(block.get("content"), self.notes, f"{place}.content")
        self.texts += filter(None, (as_text(block.get("title")), as_text(block.get("source")), *texts))
        self.media += media

    def add_result(self, block: Mapping[str, Any], place: str) -> None:
        """Add the result of a tool as a turn of its own."""
        self.flush()
        texts, media = _result(block.get("content"), self.notes, f"{place}.content")
        metadata: dict[str, Any] = {"media": media} if media else {}
        if block.get("is_error"):
            metadata["is_error"] = True
        self.messages.append(
            Message(
                self._next_id,
                "tool",
                "\n".join(texts),
                name=as_text(block.get("name")),
                time=self.time,
                images=_images(media),
                tool_call_id=as_text(block.get("tool_use_id")) or self._last_call,
                metadata=metadata,
            )
        )

    def flush(self) -> None:
        """Make a turn of all text since the last turn, if any."""
        if not (self.texts or self.thoughts or self.calls or self.media):
            return
        metadata: dict[str, Any] = {"reasoning": "\n".join(self.thoughts)} if self.thoughts else {}
        if self.media:
            metadata["media"] = self.media
        said = Message(
            self._next_id,
            self.role,
            "\n".join(self.texts),
            time=self.time,
            images=_images(self.media),
            tool_calls=tuple(self.calls),
            metadata=metadata,
        )
        self.messages.append(said)
        self.texts, self.thoughts, self.calls, self.media = [], [], [], []

    @property
    def _next_id(self) -> str:
        return f"{self.id}.{len(self.messages)}" if self.id and self.messages else self.id

    @property
    def _calls_so_far(self) -> int:
        return len(self.calls) + sum(len(message.tool_calls) for message in self.messages)

    @property
    def _last_call(self) -> str:
        """Return the first earlier call that has no result yet."""
        answered = {message.tool_call_id for message in self.messages}
        calls = (call.id for message in self.messages for call in message.tool_calls)
        return next((id_ for id_ in calls if id_ not in answered), "")


_READERS: dict[str, Callable[[Turns, Mapping[str, Any], str], None]] = {
    "text": Turns.add_text,
    "thinking": Turns.add_thinking,
    "voice_note": Turns.add_voice_note,
    "tool_result": Turns.add_result,
    "search_result": Turns.add_page,
    **dict.fromkeys(("tool_use", "server_tool_use", "mcp_tool_use", "tool_call"), Turns.add_call),
    **dict.fromkeys(_MEDIA, Turns.add_media),
}


def turns_of(id_: str, role: Role, time: datetime | None, content: Any, notes: Notes, place: str) -> list[Message]:
    """Return the turns of a content; none for empty content."""
    turns = Turns(id_, role, time, notes)
    turns.read(content, place)
    turns.flush()
    return turns.messages


def usage_of(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the model, and the tokens of the prompt and of the answer as the provider counted them."""
    found: dict[str, Any] = {"model": as_text(message["model"])} if isinstance(message.get("model"), str) else {}
    usage = mapping(message.get("usage"))
    sent = [count for key in _INPUTS if (count := as_whole(usage.get(key))) is not None]
    if sent:
        found["recorded_prompt_tokens"] = sum(sent)
    if (answered := as_whole(usage.get("output_tokens"))) is not None:
        found["recorded_tokens"] = answered
    return found


def _media(block: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Return the description of a picture or document with the length of its data, and any plain text."""
    source = mapping(block.get("source"))
    described: dict[str, Any] = {"type": as_text(block.get("type"))}
    for key in ("media_type", "url", "file_id"):
        if isinstance(source.get(key), str):
            described[key] = as_text(source[key])
    for key in ("title", "file_name", "file_uuid"):
        if isinstance(block.get(key), str):
            described[key] = as_text(block[key])
    if source.get("type") == "text":
        return described, as_text(source.get("data"))
    if isinstance(source.get("data"), str):
        described["characters"] = len(source["data"])
    return described, ""


def _images(media: list[dict[str, Any]]) -> int:
    return sum(described["type"] != "document" for described in media) if media else 0


def _result(content: Any, notes: Notes, place: str) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the texts of a result, and its pictures and documents."""
    if content is None or isinstance(content, str):
        return [as_text(content)] if content else [], []
    texts: list[str] = []
    media: list[dict[str, Any]] = []
    for number, piece in enumerate(items_of(content) if isinstance(content, list) else (content,)):
        held = mapping(piece)
        kind = as_text(held.get("type"))
        if isinstance(piece, str):
            texts.append(as_text(piece))
        elif kind in _MEDIA:
            described, text = _media(held)
            media.append(described)
            texts += [text] if text else []
        elif (text := _text_of_piece(held)) is not None:
            texts.append(text)
        else:
            found = kind[:40] or type(piece).__name__
            notes.add(f"{place}[{number}]", f"is a result of the unknown type {found}; it was left out")
    return texts, media


def _text_of_piece(piece: Mapping[str, Any]) -> str | None:
    """Return the text of a piece of a result: text, a found page with its title and address, or printed output."""
    found = next((as_text(piece[key]) for key in _RESULT_TEXTS if isinstance(piece.get(key), str)), None)
    head = [as_text(piece[key]) for key in ("title", "url") if isinstance(piece.get(key), str)]
    return "\n".join(filter(None, (*head, found))) if head or found is not None else None
