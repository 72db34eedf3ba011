"""Counts: the tokens of each item, and their total."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from inspector.assembly.columns import HOME_SECTION, section_title, word
from inspector.figures import counted
from inspector.tables import Column, Table
from inspector.tables import Kind as Meaning
from inspector.tokens.certainty import Certainty, Cost
from inspector.tokens.cost_words import counted_with
from inspector.tokens.spread import Bounds

COUNT_FORMAT = "prompt-inspector/count@1"
_SECTION_TITLES = {word(section): section_title(section) for section in HOME_SECTION.values()}


@dataclass(frozen=True, eq=False)
class Counts:
    """The tokens of items by a tokenizer, and the section of each: a word of those, or text. `numbers` name them.

    `bounds` are the least and the most tokens of each; `error` is the tokenizer's own in words, "" if none is known.
    """

    tokenizer: str
    certainty: Certainty
    ids: Sequence[str]
    numbers: Sequence[str]
    sections: Sequence[str]
    tokens: Sequence[int]
    bounds: Bounds
    error: str = ""

    @property
    def exact(self) -> bool:
        """Whether every count is one of the model's own vocabulary."""
        return self.certainty is Certainty.EXACT

    @property
    def total(self) -> Cost:
        """The tokens of all items together, as sure as the least sure of them, with their range."""
        low, high = (int(bound.sum(dtype=np.int64)) for bound in self.bounds)
        return Cost(sum(self.tokens), low, high, self.certainty, self.error)

    @property
    def sentence(self) -> str:
        """The total in words."""
        total, items = self.total, counted(len(self.ids), "item")
        figure = counted(total.tokens, "token", estimated=total.certainty is Certainty.UNKNOWN)
        between = f" ({total.low:,} to {total.high:,})" if total.low < total.high else ""
        by = f": {self.error}" if self.error and not self.exact else ""
        counting = counted_with(self.tokenizer, replace(total, low=total.tokens, high=total.tokens))
        return f"{figure}{between} in {items}. {counting}{by}."


COUNTS: Table[Counts] = Table(
    (
        Column(
            "id",
            "#",
            "The number of the item",
            lambda counts, row: counts.ids[row],
            words=lambda counts, row: counts.numbers[row],
        ),
        Column(
            "section",
            "Section",
            "Its part of the budget",
            lambda counts, row: counts.sections[row],
            words=lambda counts, row: _SECTION_TITLES.get(counts.sections[row], "Text"),
        ),
        Column("tokens", "Tokens", "Its tokens", lambda counts, row: counts.tokens[row], kind=Meaning.TOKENS),
    ),
    lambda counts: range(len(counts.ids)),
)


def counts_value(counts: Counts) -> dict[str, Any]:
    """The counts as JSON has them."""
    return {
        "format": COUNT_FORMAT,
        "tokenizer": counts.tokenizer,
        "exact": counts.exact,
        "items": list(COUNTS.records(counts)),
        "total": counts.total.tokens,
        "low": counts.total.low,
        "high": counts.total.high,
        "certainty": counts.total.certainty.word,
        "error": counts.error,
    }
