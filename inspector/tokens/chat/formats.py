"""The chat formats that this program ships, and which one a model is written for."""

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
"""The chat format of a prompt that the model's own template refuses."""
_OPENAI_VOCABULARIES = ("o200k_base", "cl100k_base")


@dataclass(frozen=True, slots=True)
class ShippedFormat:
    """A row of `chat_templates/formats.yaml`.

    `exact_for` are the model families for which the template beside it was compared with what their maker publishes;
    `source` says where the format is from.
    """

    name: str
    specials: tuple[str, ...] = ()
    bos: str = ""
    eos: str = ""
    exact_for: tuple[str, ...] = ()
    source: str = ""


@cache
def shipped_formats() -> Mapping[str, ShippedFormat]:
    """Every format that this program ships, by name."""
    import msgspec

    rows = msgspec.yaml.decode(resource("chat_templates/formats.yaml").read_bytes(), type=list[ShippedFormat])
    return {row.name: row for row in rows}


@cache
def shipped_format(name: str, family: str = "") -> ChatFormat:
    """A shipped format for a family of models. KeyError for a name that is none of `shipped_formats`."""
    row = shipped_formats()[name]
    source = resource(f"chat_templates/{name}.jinja").read_text(encoding="utf-8")
    template = ChatTemplate(name, source, row.specials, row.bos, row.eos, shipped=True)
    frames = {probe: _segments(texts, row.specials) for probe, texts in recorded_frames().get(name, {}).items()}
    return ChatFormat(template, family in row.exact_for, frames)


@cache
def recorded_frames() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """What each shipped template writes into short chats, from `chat_templates/frames.json`: by format, by probe.

    It is what the templates themselves write, recorded so that no window has to render one before it can be drawn.
    """
    import msgspec

    frames = resource("chat_templates/frames.json").read_bytes()
    return msgspec.json.decode(frames, type=dict[str, dict[str, tuple[str, ...]]])


def _segments(texts: tuple[str, ...], specials: tuple[str, ...]) -> tuple[Segment, ...]:
    return tuple(Segment(text, special=text in specials) for text in texts)


def chat_format_for(row: ModelRow | None, tokenizer: Tokenizer) -> ChatFormat:
    """The format of a model: what its own files say where the tokenizer is read from them, else that of its row.

    Without a row it is OpenAI's for OpenAI's vocabularies, and ChatML for everything else.
    """
    own: ChatTemplate | None = getattr(tokenizer, "chat_template", None)
    if own is not None:
        return ChatFormat(own, published=True)
    if row is None:
        return shipped_format("openai" if tokenizer.name.endswith(_OPENAI_VOCABULARIES) else "chatml")
    return shipped_format(row.chat_format if row.chat_format in shipped_formats() else "chatml", row.family)
