"""The cost of all that is no text in the messages: pictures, documents, sounds, films, and thoughts that are hidden."""

from dataclasses import dataclass

import numpy as np

from inspector.assembly.columns import I32, U8, Rows, frozen
from inspector.assembly.items import ItemTexts
from inspector.model import MOST_TOKENS, DocumentPart, Image, Message, Part, Sound, Thought, Unknown, Video
from inspector.model.parts import flat
from inspector.tokens.certainty import Cost, estimated, total, unknown
from inspector.tokens.estimate import Estimator
from inspector.tokens.media.media import Media
from inspector.tokens.tokenizer import Tokenizer

_Seen = Image | Sound | Video


@dataclass(frozen=True, slots=True, eq=False)
class MediaCosts:
    """The tokens of the media of each row of `rows`, the messages that hold any, with their range and `Certainty`.

    All columns have the shape of `rows`.
    """

    rows: Rows
    tokens: I32
    low: I32
    high: I32
    certainty: U8


def _none() -> MediaCosts:
    nothing = frozen(np.empty(0, np.int32))
    return MediaCosts(frozen(np.empty(0, np.intp)), nothing, nothing, nothing, frozen(np.empty(0, np.uint8)))


NO_MEDIA = _none()


def media_costs(items: ItemTexts, media: Media, tokenizer: Tokenizer) -> MediaCosts:
    """Return the costs of the media of all messages, by the rules of a model or of the estimator of its texts."""
    messages = enumerate(items.things[items.first_message :], items.first_message)
    held = [(row, thing) for row, thing in messages if isinstance(thing, Message) and thing.parts]
    costs = {row: cost for row, thing in held if (cost := message_cost(thing, media, tokenizer)) is not None}
    found = [(cost.tokens, cost.low, cost.high) for cost in costs.values()]
    tokens, low, high = np.minimum(np.array(found, np.int64).reshape(-1, 3), MOST_TOKENS).astype(np.int32).T
    certainty = np.array([cost.certainty for cost in costs.values()], np.uint8)
    rows = frozen(np.array([*costs], np.intp))
    return MediaCosts(rows, frozen(tokens), frozen(low), frozen(high), frozen(certainty))


def message_cost(message: Message, media: Media, tokenizer: Tokenizer) -> Cost | None:
    """Return the cost of all media of a message together, None if it has none."""
    costs = [cost for part in flat(message.parts) if (cost := part_cost(part, media, tokenizer)) is not None]
    return total(costs) if costs else None


def part_cost(part: Part, media: Media, tokenizer: Tokenizer) -> Cost | None:
    """Return the cost of a part beside its text; None for one that is text, a call or a result.

    A system with a rule for texts of its own has its own charge for a picture, too.
    """
    if isinstance(part, Thought):
        return _hidden(part) if part.encrypted else None
    if isinstance(part, DocumentPart) and part.text and part.pages is None:
        return None
    if isinstance(tokenizer, Estimator) and isinstance(part, _Seen):
        return _charged(tokenizer)
    if isinstance(part, Image):
        picture = media.picture(part.width, part.height, part.detail)
        return total((picture, estimated(media.beside, "")), picture.rule) if media.beside else picture
    if isinstance(part, DocumentPart):
        return media.document(part.pages, text=0 if part.text else None)
    if isinstance(part, Sound):
        return media.sound(part.seconds)
    if isinstance(part, Video):
        return media.film(part.seconds)
    return unknown(f"a part of the unknown type {part.kind}") if isinstance(part, Unknown) else None


def _charged(estimator: Estimator) -> Cost:
    """Return the charge for a picture in the system that owns an estimator."""
    tokens = estimator.image_tokens
    return (
        estimated(tokens, f"{tokens:,} for a picture by {estimator.name}")
        if tokens
        else unknown(f"{estimator.name} has no charge for a picture")
    )


def _hidden(thought: Thought) -> Cost:
    """Return the cost of an encrypted thought: whether it is sent back, its server decides."""
    if thought.tokens is None:
        return unknown("an encrypted thought")
    return unknown(f"an encrypted thought of {thought.tokens:,} tokens, if it is sent back", high=thought.tokens)
