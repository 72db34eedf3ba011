"""How a chat is written for a model: a chat template, rendered so that it is known which text is whose."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector.tokens.chat.messages import ChatMessage, RenderedChat, Segment
from inspector.tokens.chat.rendering import render_chat, split_specials
from inspector.tokens.chat.template import ChatTemplate
from inspector.tokens.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class ChatFormat:
    """A way of writing chats. `published` says that it was compared with what the model's maker publishes; otherwise
    all that it adds to the contents is an estimate.

    `frames` is what its template is known to write into short chats, by the name of the chat (see `frames.py`); what is
    not there is rendered.
    """

    template: ChatTemplate
    published: bool = False
    frames: Mapping[str, tuple[Segment, ...]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def name(self) -> str:
        """The name of the template."""
        return self.template.name

    def render(self, messages: Sequence[ChatMessage], tools: Sequence[Mapping[str, Any]] = ()) -> RenderedChat:
        """The prompt of these messages, with the beginning of the reply. ChatTemplateError where it is refused.

        A template that is not ours is rendered in another process, which may take as long as such a process may.
        AbandonedError is raised once this is no longer wanted.
        """
        if self.template.shipped:
            return render_chat(self.template, messages, tools)
        from inspector.tokens.chat.processes import render_apart

        return render_apart(self.template, messages, tools)

    def split(self, text: str) -> tuple[Segment, ...]:
        """A text as a server reads it that takes every special token for one, whoever wrote it."""
        return split_specials(text, self.template.specials)


def count_segments(tokenizer: Tokenizer, segments: Iterable[Segment]) -> int:
    """The tokens of segments, each counted on its own: a special is one."""
    ordinary: list[str] = []
    specials = 0
    for segment in segments:
        if segment.special:
            specials += 1
        else:
            ordinary.append(segment.text)
    return specials + int(tokenizer.count(ordinary).sum())
