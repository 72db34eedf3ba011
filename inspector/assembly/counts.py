"""Counts: the tokens of each item, and their total."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import HOME_SECTION, Kind, section_title, word
from inspector.assembly.numbers import numbers_of
from inspector.figures import counted
from inspector.tables import Column, Table
from inspector.tables import Kind as Meaning
from inspector.tokens.tokenizer import counted_with

COUNT_FORMAT = "prompt-inspector/count@1"
_SECTION_TITLES = {word(section): section_title(section) for section in HOME_SECTION.values()}


@dataclass(frozen=True, eq=False)
class Counts:
    """The tokens of items by a tokenizer, and the section of each: a word of those, or text. `numbers` name them."""

    tokenizer: str
    exact: bool
    ids: Sequence[str]
    numbers: Sequence[str]
    sections: Sequence[str]
    tokens: Sequence[int]

    @property
    def sentence(self) -> str:
        """The total in words."""
        total, items = counted(sum(self.tokens), "token"), counted(len(self.ids), "item")
        return f"{total} in {items}. {counted_with(self.tokenizer, not self.exact)}."


def item_counts(candidates: Candidates, tokenizer: str, exact: bool) -> Counts:
    """The counts of candidates; `exact` says whether the tokenizer is."""
    doubtful = bool((candidates.recorded | (candidates.images > 0)).any())  # recorded, or without pictures
    sections = [word(HOME_SECTION[Kind(kind)]) for kind in candidates.kind.tolist()]
    sure = exact and bool(candidates.exact.all()) and not doubtful
    return Counts(
        tokenizer,
        sure,
        candidates.ids,
        numbers_of(candidates, range(len(candidates))),
        sections,
        candidates.tokens.tolist(),
    )


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
        "total": sum(counts.tokens),
    }
