"""Past conversations: the summaries recalled, and the rest of their limit for the memories."""

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind, Rows, Section
from inspector.assembly.defaults import split_pinned
from inspector.assembly.ledger import Ledger
from inspector.assembly.packing import highest_first
from inspector.assembly.policies.chorus.reasons import (
    BEYOND_CAP,
    NO_QUERY,
    SAME_CONVERSATION,
    SUMMARY_FITS,
    SUMMARY_TOO_MUCH,
    SUMMARY_UNLIMITED,
    below_threshold,
)
from inspector.assembly.policies.chorus.system_message import summary_pieces, text_tokens
from inspector.assembly.policy_finding_kinds import SUMMARIES_UNLIMITED
from inspector.assembly.reasons import NOT_RETRIEVED, PINNED

CONSIDERED = 6
"""The number of most similar summaries considered."""
RECALLING = (
    *("remember when", "you remember", "do you remember", "recall when", "you mentioned", "you said", "you told me"),
    *("we talked about", "we discussed", "we were discussing", "last time", "before when", "earlier you"),
    *("previously", "in the past", "back when", "what did you say about", "what did you think about"),
    *("what was your opinion on", "didn't you say", "wasn't it you who", "as we discussed", "as you said"),
    *("like you mentioned", "following up on", "going back to", "returning to", "about that thing"),
)
"""Phrases of a query that refer to the past, in lower case."""


def speaks_of_the_past(query: str) -> bool:
    """Return whether a query refers to the past, so less similar conversations are recalled too."""
    lowered = query.lower()
    return any(phrase in lowered for phrase in RECALLING)


def fill_summaries(ledger: Ledger, limit: int, cap: int, threshold: float) -> int:
    """Decide the summaries. Return the tokens of their block as a single text, with the lines around them.

    The least similar go while the block is over its limit. A limit of exactly 0 means no limit, as in the published
    code.
    """
    ledger.limit(Section.SUMMARIES, limit)
    pinned, others = split_pinned(ledger, ledger.rows(Kind.SUMMARY))
    ledger.guarantee(pinned, PINNED, Section.SUMMARIES)
    similar = _most_similar(ledger, others, threshold)
    taken, left_over = similar[:cap], similar[cap:]
    count = len(taken)
    while limit != 0 and count and _block_tokens(ledger.candidates, pinned, taken[:count]) > limit:
        count -= 1
    ledger.keep(taken[:count], SUMMARY_FITS if limit else SUMMARY_UNLIMITED, Section.SUMMARIES)
    ledger.drop(taken[count:], SUMMARY_TOO_MUCH, Section.SUMMARIES)
    ledger.drop(left_over, BEYOND_CAP, Section.SUMMARIES)
    tokens = _block_tokens(ledger.candidates, pinned, taken[:count])
    if limit == 0 and count:
        message = f"The limit of past conversations is 0, which is taken for none: they take {tokens:,} tokens."
        ledger.report(SUMMARIES_UNLIMITED, message, taken)
    return tokens


def _most_similar(ledger: Ledger, rows: Rows, threshold: float) -> Rows:
    """Return the sufficiently similar summaries of other conversations, most similar first; drop the others."""
    candidates = ledger.candidates
    similarity = candidates.similarity[rows]
    ledger.score(rows, similarity)
    if not candidates.query:
        ledger.drop(rows, NO_QUERY, Section.SUMMARIES)
        return rows[:0]
    ranked = rows[highest_first(similarity)]
    considered = ranked[:CONSIDERED]
    current = candidates.items.conversation.id if candidates.items.conversation else ""
    own = np.array([candidates.items.plain_ids[row] == current for row in considered.tolist()], np.bool_)
    similar = candidates.similarity[considered] >= threshold
    ledger.drop(considered[own], SAME_CONVERSATION, Section.SUMMARIES)
    ledger.drop(considered[~own & ~similar], below_threshold(threshold), Section.SUMMARIES)
    ledger.drop(ranked[CONSIDERED:], NOT_RETRIEVED, Section.SUMMARIES)
    return considered[~own & similar]


def _block_tokens(candidates: Candidates, pinned: Rows, taken: Rows) -> int:
    return text_tokens(candidates, summary_pieces(candidates, [*pinned.tolist(), *taken.tolist()]))
