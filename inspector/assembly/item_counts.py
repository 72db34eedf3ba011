"""The counts of all items that could enter a prompt."""

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import HOME_SECTION, Kind, word
from inspector.assembly.counts import Counts
from inspector.assembly.numbers import numbers_of
from inspector.tokens.certainty import Certainty
from inspector.tokens.spread import error_words


def item_counts(candidates: Candidates) -> Counts:
    """The counts of candidates."""
    tokenizer = candidates.counts.tokenizer
    sections = [word(HOME_SECTION[Kind(kind)]) for kind in candidates.kind.tolist()]
    return Counts(
        tokenizer.name,
        Certainty(int(candidates.certainty.max(initial=Certainty.EXACT))),
        candidates.ids,
        numbers_of(candidates, range(len(candidates))),
        sections,
        candidates.tokens.tolist(),
        candidates.token_bounds,
        error_words(tokenizer),
    )
