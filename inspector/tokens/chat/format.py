"""How a chat is written for a model: a chat template, rendered so that each stretch of text has a known origin."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from inspector.resources import resource
from inspector.tokens.certainty import Cost
from inspector.tokens.chat.anthropic import kept_thoughts, server_tool_prompt
from inspector.tokens.chat.certainties import PartRule, PricedPart, cost_of_part
from inspector.tokens.chat.messages import (
    PLAIN,
    ChatMessage,
    ChatTemplate,
    RenderedChat,
    Segment,
    Switches,
    Thoughts,
    with_thoughts,
)
from inspector.tokens.chat.rendering import render_chat, split_specials
from inspector.tokens.models.table import ModelRow
from inspector.tokens.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class ChatFormat:
    """A way of writing chats. `published` means it was compared with the maker's own publication; otherwise all tokens
    around the contents are estimated.

    `frames` holds the known output of its template for short chats, by the name of the chat (see `frames.py`); chats
    not listed are rendered. `thoughts` are those that its clients send back by themselves: all, where the template or
    the server decides. `rules` say how certain its parts are where that differs from the frame; `switches` are those
    of the request; `model` is the name of a model whose server adds something of its own, "" for others.
    """

    template: ChatTemplate
    published: bool = False
    frames: Mapping[str, tuple[Segment, ...]] = field(default_factory=dict, compare=False, repr=False)
    thoughts: Thoughts = "all"
    rules: tuple[PartRule, ...] = field(default=(), compare=False, repr=False)
    switches: Switches = PLAIN
    model: str = ""

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
        sent = self.thoughts if self.switches.thoughts == "auto" else self.switches.thoughts
        messages = with_thoughts(messages, sent)
        if self.model:  # its server drops the others, whoever sends them
            messages = with_thoughts(messages, self.thoughts)
        if self.template.shipped:
            return render_chat(self.template, messages, tools, self.switches)
        from inspector.tokens.chat.processes import render_apart

        return render_apart(self.template, messages, tools, self.switches)

    def switched(self, switches: Switches) -> "ChatFormat":
        """Return this format for a request with these switches."""
        frames = self.frames if switches.thinking is None else {}
        return replace(self, switches=switches, frames=frames)

    def cost(self, part: PricedPart, tokens: int, is_written: bool = True) -> Cost:
        """Return the cost of a part of a prompt, with its certainty; `is_written` is false for definitions of tools or
        thoughts that the template leaves out.
        """
        return cost_of_part(self.rules, self.published, part, tokens, is_written)

    def server_tools(self, has_tools: bool) -> Cost | None:
        """Return the cost of the prompt that the model's server adds for tools, not in the rendered one; else None."""
        return server_tool_prompt(self.model, self.switches.tool_choice) if has_tools and self.model else None

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


STAND_IN = "chatml"
"""The chat format used when the model's own template refuses a prompt."""
_OPENAI_VOCABULARIES = ("o200k_base", "cl100k_base")


@dataclass(frozen=True, slots=True)
class ShippedFormat:
    """A row of `chat_templates/formats.yaml`.

    `exact_for` lists the model families whose makers' own output the template was compared with; `source` is the origin
    of the format. `joint` stands between several texts of a message. `rules` say how certain parts are, for these
    families or for all.
    """

    name: str
    specials: tuple[str, ...] = ()
    bos: str = ""
    eos: str = ""
    exact_for: tuple[str, ...] = ()
    source: str = ""
    thoughts: Thoughts = "all"
    arguments_as_text: bool = False
    joint: str = "\n"
    trims_texts: bool = False
    rules: tuple[PartRule, ...] = ()


@cache
def shipped_formats() -> Mapping[str, ShippedFormat]:
    """Return all shipped formats, by name."""
    import msgspec

    rows = msgspec.yaml.decode(resource("chat_templates/formats.yaml").read_bytes(), type=list[ShippedFormat])
    return {row.name: row for row in rows}


@cache
def shipped_format(name: str, family: str = "") -> ChatFormat:
    """Return a shipped format for a family of models. Raises KeyError for a name not in `shipped_formats`."""
    row = shipped_formats()[name]
    source = resource(f"chat_templates/{name}.jinja").read_text(encoding="utf-8")
    specials, rules = row.specials, tuple(rule for rule in row.rules if not rule.families or family in rule.families)
    template = ChatTemplate(
        *(name, source, specials, row.bos, row.eos),
        shipped=True,
        arguments_as_text=row.arguments_as_text,
        joint=row.joint,
        trims_texts=row.trims_texts,
    )
    frames = {probe: _segments(texts, specials) for probe, texts in recorded_frames().get(name, {}).items()}
    return ChatFormat(template, family in row.exact_for, frames, row.thoughts, rules)


@cache
def recorded_frames() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return the output of each shipped template for short chats, from `chat_templates/frames.json`: by format, by
    probe.

    Recorded from the templates themselves, so that a window can be drawn before any template is rendered.
    """
    import msgspec

    frames = resource("chat_templates/frames.json").read_bytes()
    return msgspec.json.decode(frames, type=dict[str, dict[str, tuple[str, ...]]])


def _segments(texts: tuple[str, ...], specials: tuple[str, ...]) -> tuple[Segment, ...]:
    return tuple(Segment(text, special=text in specials) for text in texts)


def chat_format_for(row: ModelRow | None, tokenizer: Tokenizer) -> ChatFormat:
    """Return the format of a model: from its own files if the tokenizer is read from them, else from its row.

    Without a row, OpenAI's for OpenAI's vocabularies, and ChatML for everything else.
    """
    own: ChatTemplate | None = getattr(tokenizer, "chat_template", None)
    if own is not None:
        return ChatFormat(own, published=True)
    if row is None:
        return shipped_format("openai" if tokenizer.name.endswith(_OPENAI_VOCABULARIES) else "chatml")
    found = shipped_format(row.chat_format if row.chat_format in shipped_formats() else "chatml", row.family)
    kept = kept_thoughts(row.name)
    return found if kept is None else replace(found, model=row.name, thoughts=kept)
