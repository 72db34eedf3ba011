"""Chats as values: the messages given to a chat format, its template, and the resulting prompt in segments."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

from inspector.derived import cached_property

Part = Literal["frame", "content", "thought", "call", "tools", "choice", "reply"]
OWNED: tuple[Part, ...] = ("content", "thought", "call")
"""The parts of a prompt that belong to a message."""

Thoughts = Literal["auto", "loop", "all", "none"]
"""Which thoughts are sent back to the model: those its format takes, those of the running loop of tools, all, none."""
THOUGHTS: tuple[Thoughts, ...] = ("auto", "loop", "all", "none")

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
    """A message as a chat format takes it; its calls and its thoughts are not part of its content.

    `texts` are those of a content made of several, whose lines join to `content`; () for a content of one text.
    """

    role: str
    content: str
    name: str = ""
    calls: tuple[ChatCall, ...] = ()
    call_id: str = ""
    thought: str = ""
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Switches:
    """What a request says beside its messages and tools.

    `thinking` is the template's own switch (`enable_thinking`, `thinking`), None if it is left to the template.
    `tool_choice` is "" for the model's choice, `none`, `any`, or the name of a function after `=`; `tool_form` is
    `functions` where OpenAI's interface gets the definitions as it did first (2023), else `tools`.
    """

    thoughts: Thoughts = "auto"
    thinking: bool | None = None
    tool_choice: str = ""
    tool_form: str = "tools"


PLAIN = Switches()
"""The switches of a request that says nothing beside its messages and tools."""


def loop_start(messages: Sequence[ChatMessage]) -> int:
    """Return the place after the last message of the user: where the running loop of tools begins."""
    return max((place + 1 for place, message in enumerate(messages) if message.role == "user"), default=0)


def with_thoughts(messages: Sequence[ChatMessage], sent: Thoughts) -> list[ChatMessage]:
    """Return the messages with only the thoughts that are sent."""
    first = {"loop": loop_start(messages), "none": len(messages)}.get(sent, 0)
    return [
        replace(message, thought="") if message.thought and place < first else message
        for place, message in enumerate(messages)
    ]


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a rendered prompt. A special segment is a single token of the model, whatever its text.

    `part` is the content of a message, its thought, a call's name or arguments, the frame written by the template, its
    text for tools or for a choice among them, or the beginning of the reply. `message` is the place of the message of
    a content, thought or call, `FRAME` for the rest.
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
    and the whole prompt counts as frame. `doubt` says why the maker's own code refuses this prompt where
    the template mends it: then it is not exact.
    """

    segments: tuple[Segment, ...]
    faithful: bool
    doubt: str = ""

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
    `shipped` is False for templates of unknown authors. `arguments_as_text` passes the arguments of calls as the
    source wrote them, not as objects. `joint` stands between the texts of a content made of several, which are trimmed
    before with `trims_texts`; None passes them as a list if the template takes one.
    """

    name: str
    source: str
    specials: tuple[str, ...] = ()
    bos: str = ""
    eos: str = ""
    shipped: bool = field(default=False, kw_only=True)
    arguments_as_text: bool = field(default=False, kw_only=True)
    joint: str | None = field(default=None, kw_only=True)
    trims_texts: bool = field(default=False, kw_only=True)

    @property
    def has_thinking_switch(self) -> bool:
        """Whether the template reads the switch for thinking, by any of the names that makers use."""
        return _reads_switch(self.source)


_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)
_TAG = re.compile(r"\{[{%](.*?)[}%]\}", re.DOTALL)
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_SWITCH = re.compile(r"(?<![.\w])(?:enable_)?thinking\b(?!\s*=[^=])")


@cache
def _reads_switch(source: str) -> bool:
    """Return whether the code of a template, without its texts, names the switch."""
    code = (_QUOTED.sub("''", tag) for tag in _TAG.findall(_COMMENT.sub("", source)))
    return any(_SWITCH.search(tag) for tag in code)
