"""The cost of all that is no text in the messages: pictures, documents, sounds, films, and thoughts that are hidden."""

from dataclasses import dataclass

import numpy as np

from inspector.assembly.columns import I32, U8, U16, Bool, Rows, frozen
from inspector.assembly.items import ItemTexts
from inspector.formats.content.words import NOUNS
from inspector.model import MOST_TOKENS, DocumentPart, Image, Message, Part, Sound, Thought, Unknown, Video
from inspector.model.parts import PARTS, flat
from inspector.tokens.certainty import Certainty, Cost, estimated, total, unknown
from inspector.tokens.estimate import Estimator
from inspector.tokens.media.media import Media
from inspector.tokens.tokenizer import Tokenizer

_Seen = Image | Sound | Video


@dataclass(frozen=True, slots=True, eq=False)
class MediaCosts:
    """The tokens of the media of each row of `rows`, the messages that hold any, with their range and `Certainty`.

    `kinds` has a bit for each class of `PARTS` of which the row has a part that is as little certain as the whole row.
    All columns have the shape of `rows`.
    """

    rows: Rows
    tokens: I32
    low: I32
    high: I32
    certainty: U8
    kinds: U16

    def nouns(self, chosen: Bool, certainty: Certainty) -> tuple[str, ...]:
        """Return the parts of this certainty in the `chosen` of the rows, in words: pictures, encrypted thoughts."""
        bits = int(np.bitwise_or.reduce(self.kinds[chosen & (self.certainty == certainty)], initial=np.uint16(0)))
        return tuple(_noun(kind) for place, kind in enumerate(PARTS) if bits >> place & 1)


def _noun(kind: type[Part]) -> str:
    return "encrypted thoughts" if kind is Thought else NOUNS[kind][1]


def _none() -> MediaCosts:
    nothing = frozen(np.empty(0, np.int32))
    return MediaCosts(
        frozen(np.empty(0, np.intp)),
        nothing,
        nothing,
        nothing,
        frozen(np.empty(0, np.uint8)),
        frozen(np.empty(0, np.uint16)),
    )


NO_MEDIA = _none()


def media_costs(items: ItemTexts, media: Media, tokenizer: Tokenizer) -> MediaCosts:
    """Return the costs of the media of all messages, by the rules of a model or of the estimator of its texts."""
    messages = enumerate(items.things[items.first_message :], items.first_message)
    held = [(row, thing) for row, thing in messages if isinstance(thing, Message) and thing.parts]
    priced = {row: found for row, thing in held if (found := _costs(thing, media, tokenizer))}
    costs = {row: total(cost for _, cost in found) for row, found in priced.items()}
    found = [(cost.tokens, cost.low, cost.high) for cost in costs.values()]
    tokens, low, high = np.minimum(np.array(found, np.int64).reshape(-1, 3), MOST_TOKENS).astype(np.int32).T
    certainty = np.array([cost.certainty for cost in costs.values()], np.uint8)
    kinds = np.array([_kinds(priced[row], cost.certainty) for row, cost in costs.items()], np.uint16)
    rows = frozen(np.array([*costs], np.intp))
    return MediaCosts(rows, frozen(tokens), frozen(low), frozen(high), frozen(certainty), frozen(kinds))


def _costs(message: Message, media: Media, tokenizer: Tokenizer) -> list[tuple[Part, Cost]]:
    """Return the parts of a message that are no text, with their costs."""
    costs = ((part, part_cost(part, media, tokenizer)) for part in flat(message.parts))
    return [(part, cost) for part, cost in costs if cost is not None]


def _kinds(costs: list[tuple[Part, Cost]], certainty: Certainty) -> int:
    """Return the bits of the classes of the parts with this certainty."""
    return sum({1 << PARTS.index(type(part)) for part, cost in costs if cost.certainty is certainty})


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
