"""Chats as data: messages as a chat format takes them, and the prompt that it makes of them, in segments."""

from dataclasses import dataclass
from typing import Literal

from inspector.derived import cached_property

Part = Literal["frame", "content", "call", "tools", "reply"]

FRAME = -1
"""The message of a segment that belongs to none: what the template itself writes."""


@dataclass(frozen=True, slots=True)
class ChatCall:
    """A tool call of a message; `arguments` is JSON as the source wrote it, or any text."""

    name: str
    arguments: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A message as a chat format takes it; what it calls is not in its content."""

    role: str
    content: str
    name: str = ""
    calls: tuple[ChatCall, ...] = ()
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a rendered prompt. A special one is a single token of the model's, whatever its text.

    `part` says what it is: the content of a message, a call's name or arguments, the frame that the template writes,
    what it writes for tools, or the beginning of the reply. `message` is the place of the message that a content or a
    call is of, `FRAME` for all else.
    """

    text: str
    special: bool = False
    part: Part = "frame"
    message: int = FRAME


_END = Segment("", special=True)


@dataclass(frozen=True)
class RenderedChat:
    """A prompt as the text that the model gets, in segments. Together they are `text`.

    `faithful` says that the template wrote the same with marks around the texts as without; where it did not, nobody
    knows whose a text is, and all of it counts as frame.
    """

    segments: tuple[Segment, ...]
    faithful: bool

    @cached_property
    def text(self) -> str:
        """The whole prompt."""
        return "".join([segment.text for segment in self.segments])

    @cached_property
    def stretches(self) -> tuple[Segment, ...]:
        """The segments with neighbouring ordinary ones joined: what a tokenizer sees between two special tokens."""
        found: list[Segment] = []
        texts: list[str] = []
        for segment in (*self.segments, _END):
            if not segment.special:
                texts.append(segment.text)
                continue
            if texts:
                found.append(Segment("".join(texts)))
                texts.clear()
            found.append(segment)
        return tuple(found[:-1])
