"""How a chat is written for a model: a chat template, rendered so that each stretch of text has a known origin."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector.tokens.chat.messages import ChatMessage, RenderedChat, Segment
from inspector.tokens.chat.rendering import render_chat, split_specials
from inspector.tokens.chat.template import ChatTemplate
from inspector.tokens.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class ChatFormat:
    """A way of writing chats. `published` means it was compared with the maker's own publication; otherwise all tokens
    around the contents are estimated.

    `frames` holds the known output of its template for short chats, by the name of the chat (see `frames.py`); chats
    not listed are rendered.
    """

    template: ChatTemplate
    published: bool = False
    frames: Mapping[str, tuple[Segment, ...]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def name(self) -> str:
        """The name of the template."""
        return self.template.name

    def render(self, messages: Sequence[ChatMessage], tools: Sequence[Mapping[str, Any]] = ()) -> RenderedChat:
        """Return the prompt for these messages, with the beginning of the reply. Raises ChatTemplateError if the
        template refuses.

        A template we do not ship is rendered in another process, within the limits of such a process. Raises
        AbandonedError once the prompt is no longer wanted.
        """
        if self.template.shipped:
            return render_chat(self.template, messages, tools)
        from inspector.tokens.chat.processes import render_apart

        return render_apart(self.template, messages, tools)

    def split(self, text: str) -> tuple[Segment, ...]:
        """Return a text split at every special token in it, as read by servers that honour special tokens there."""
        return split_specials(text, self.template.specials)


def count_segments(tokenizer: Tokenizer, segments: Iterable[Segment]) -> int:
    """Return the total tokens of segments counted separately; a special segment counts 1."""
    ordinary: list[str] = []
    specials = 0
    for segment in segments:
        if segment.special:
            specials += 1
        else:
            ordinary.append(segment.text)
    return specials + int(tokenizer.count(ordinary).sum())
