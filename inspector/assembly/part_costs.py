"""What each part of a message costs, counted on demand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.collect import call_text
from inspector.assembly.media_costs import part_cost
from inspector.model import Call, DocumentPart, Message, Part, Result, Text, Thought
from inspector.model.parts import flat, type_of
from inspector.tokens.certainty import Certainty, Cost, estimated, exact
from inspector.tokens.media.media import Media
from inspector.tokens.spread import bounds_of, error_words
from inspector.tokens.tokenizer import tokenizer_title


@dataclass(frozen=True, slots=True)
class PricedPart:
    """A part of a message, and its cost by itself."""

    part: Part
    cost: Cost

    @property
    def known_tokens(self) -> int | None:
        """Its tokens; None if they are unknown."""
        return None if self.cost.certainty is Certainty.UNKNOWN else self.cost.tokens


def parts_of(candidates: Candidates, row: int) -> Sequence[Part]:
    """Return the parts of a row in order, if it is a message that is more than plain text."""
    thing = candidates.things[row]
    return flat(thing.parts) if isinstance(thing, Message) else ()


def part_costs(candidates: Candidates, media: Media, row: int, most: int | None = None) -> Iterator[PricedPart]:
    """Yield the cost of each part of a row, at `most` so many; `media` are the rules of the model for all but text."""
    for part in parts_of(candidates, row)[:most]:
        cost = part_cost(part, media, candidates.counts.tokenizer)
        yield PricedPart(part, _text_cost(candidates, part) if cost is None else cost)


def part_values(candidates: Candidates, media: Media, row: int) -> list[dict[str, str | int | None]]:
    """Return the parts of a row as JSON has them."""
    return [
        {"type": type_of(priced.part), "tokens": priced.known_tokens, "certainty": priced.cost.certainty.word}
        for priced in part_costs(candidates, media, row)
    ]


def _text_cost(candidates: Candidates, part: Part) -> Cost:
    """Return the cost of a part that is text; a call is written as its message writes it."""
    tokenizer, text = candidates.counts.tokenizer, _text(part)
    tokens = candidates.counts.count(text)
    rule = f"its text by {tokenizer_title(tokenizer.name)}"
    if isinstance(part, Thought):
        rule = f"{rule}, where thoughts are sent back"
    if candidates.is_own and tokenizer.exact:
        return exact(tokens, rule)
    low, high = bounds_of(tokenizer, [text], np.array([tokens], np.int32))
    error = error_words(tokenizer)
    return estimated(tokens, f"{rule}{f', {error}' if error else ''}", int(low[0]), int(high[0]))


def _text(part: Part) -> str:
    """Return the text of a part that has no other cost."""
    if isinstance(part, Call):
        return call_text(part)
    if isinstance(part, Result):
        return part.content
    return part.text if isinstance(part, Text | Thought | DocumentPart) else ""
