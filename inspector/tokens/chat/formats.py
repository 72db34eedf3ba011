"""The shipped chat formats, and the choice of a format for a model."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from inspector.resources import resource
from inspector.tokens.chat.format import ChatFormat
from inspector.tokens.chat.messages import Segment
from inspector.tokens.chat.template import ChatTemplate
from inspector.tokens.models.row import ModelRow
from inspector.tokens.tokenizer import Tokenizer

STAND_IN = "chatml"
"""The chat format used when the model's own template refuses a prompt."""
_OPENAI_VOCABULARIES = ("o200k_base", "cl100k_base")


@dataclass(frozen=True, slots=True)
class ShippedFormat:
    """A row of `chat_templates/formats.yaml`.

    `exact_for` lists the model families whose makers' own output the template was compared with; `source` is the origin
    of the format.
    """

    name: str
    specials: tuple[str, ...] = ()
    bos: str = ""
    eos: str = ""
    exact_for: tuple[str, ...] = ()
    source: str = ""


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
    template = ChatTemplate(name, source, row.specials, row.bos, row.eos, shipped=True)
    frames = {probe: _segments(texts, row.specials) for probe, texts in recorded_frames().get(name, {}).items()}
    return ChatFormat(template, family in row.exact_for, frames)


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
    return shipped_format(row.chat_format if row.chat_format in shipped_formats() else "chatml", row.family)
