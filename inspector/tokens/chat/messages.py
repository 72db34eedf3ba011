"""Chats as values: the messages given to a chat format, its template, and the resulting prompt in segments."""

from dataclasses import dataclass, field
from typing import Literal

from inspector.derived import cached_property

Part = Literal["frame", "content", "call", "tools", "reply"]

FRAME = -1
"""The message of a segment written by the template itself."""


@dataclass(frozen=True, slots=True)
class ChatCall:
    """A tool call of a message; `arguments` is JSON as the source wrote it, or any text."""

    name: str
    arguments: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A message as a chat format takes it; its calls are not part of its content."""

    role: str
    content: str
    name: str = ""
    calls: tuple[ChatCall, ...] = ()
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a rendered prompt. A special segment is a single token of the model, whatever its text.

    `part` is the content of a message, a call's name or arguments, the frame written by the template, its text for
    tools, or the beginning of the reply. `message` is the place of the message of a content or call, `FRAME` for the
    rest.
    """

    text: str
    special: bool = False
    part: Part = "frame"
    message: int = FRAME


_END = Segment("", special=True)


@dataclass(frozen=True)
class RenderedChat:
    """A prompt as the model gets it, in segments whose texts join to `text`.

    `faithful` means the template wrote the same text with marks as without. If not, the origin of each text is unknown
    and the whole prompt counts as frame.
    """

    segments: tuple[Segment, ...]
    faithful: bool

    @cached_property
    def text(self) -> str:
        """The whole prompt."""
        return "".join([segment.text for segment in self.segments])

    @cached_property
    def stretches(self) -> tuple[Segment, ...]:
        """The segments with neighbouring ordinary ones joined, as the tokenizer sees them between special tokens."""
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


@dataclass(frozen=True, slots=True)
class ChatTemplate:
    """A Jinja2 program writing messages and tools as a single text.

    `specials` are the strings that become single tokens of the model when the template writes them; `bos` and `eos` are
    passed to it as `bos_token` and `eos_token`. `name` is its origin: `qwen3` for a shipped template, else a file.
    `shipped` is False for templates of unknown authors.
    """

    name: str
    source: str
    specials: tuple[str, ...] = ()
    bos: str = ""
    eos: str = ""
    shipped: bool = field(default=False, kw_only=True)
