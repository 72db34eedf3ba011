"""The behaviour of the published Sanguine Scribe beyond window_rag: its ranking, its greeting and its last check.

The parts shared with the design document are in `window_rag`.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, I32, U8, Kind, Rows, Section, Source
from inspector.assembly.decisions import Assembly
from inspector.assembly.defaults import drop_unplaced, keep_system_text, split_current, split_pinned
from inspector.assembly.ledger import Ledger
from inspector.assembly.packing import highest_first
from inspector.assembly.policies.window_rag import (
    TRIMS,
    RagLimits,
    best_of_each_source,
    drop_unconsidered,
    enabled_lore,
    fill_history,
    layout,
    out_of_history,
    passages_of_messages,
    recalled,
    relevance,
    too_large,
    withdraw_until,
)
from inspector.assembly.policy import Traits, param
from inspector.assembly.policy_finding_kinds import FIRST_CHUNK_OVER_BUDGET, TAIL_CUT, TWO_TOTALS
from inspector.assembly.reasons import (
    ALWAYS,
    FIRST_CHUNK,
    GREETED,
    GREETING_FIRST,
    NOTHING_RETRIEVED,
    PINNED,
    REPEATED,
)

SECONDS_PER_DAY = 86_400
SCORE_WEIGHT, RECENCY_WEIGHT, SOURCE_WEIGHT = (np.float32(weight) for weight in (0.6, 0.25, 0.15))
WORTH = {Source.LOREBOOK: 1.0, Source.CHRONICLE: 1.2, Source.CHAT: 0.8}
"""The value of a source; the ranking counts its difference from 1."""
LORE_RECENCY = 0.8
RECENCY = {Source.CHRONICLE: (30, 0.1), Source.CHAT: (7, 0.2)}
"""For each source, the days after which the recency is halved, and the lowest recency."""


@dataclass(frozen=True)
class Scribe(RagLimits):
    """Window with retrieval, as published: passages ranked by score, age and source, and the limit of the server."""

    traits: ClassVar[Traits] = Traits(title="Window with retrieval", whose="Sanguine Scribe", greets=True)

    trim: str = param(
        "middle_out",
        choices=TRIMS,
        label="Last check removes",
        help="Which messages go first if everything together is too much.",
        topic="conversation",
    )
    per_source_lorebook: int = param(
        15,
        0,
        200,
        unit="chunks",
        label="Lorebook passages",
        help="This many of the best passages of lorebooks and documents are considered.",
        topic="lore",
    )
    per_source_chronicle: int = param(
        10,
        0,
        200,
        unit="chunks",
        label="Chronicle passages",
        help="This many of the best memories and chronicle passages are considered.",
        topic="memories",
    )
    per_source_chat: int = param(
        15,
        0,
        200,
        unit="chunks",
        label="Chat passages",
        help="This many of the best passages of the chat are considered.",
        topic="memories",
    )
    hard_limit: int = param(
        200_000,
        0,
        1_000_000,
        step=1000,
        scale="log",
        unit="tokens",
        group="limits",
        help="The limit of everything together set by the server; the last check keeps to it, not to the total limit.",
        sizes="prompt",
        topic="rare",
    )
    preamble_tokens: int = param(
        860,
        0,
        10_000,
        step=10,
        scale="log",
        unit="tokens",
        help="Tokens counted by the last check for the fixed text of the application.",
        topic="rare",
    )
    recall_dropped: bool = param(
        False,
        label="Recall dropped messages",
        help="Older messages may come back as passages, as in the document.",
        topic="conversation",
    )

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate; the window is not consulted. Errors: `request_too_large`."""
        ledger = Ledger(candidates, window)
        self.open_sections(ledger)
        self._compare_totals(ledger)
        spent = self.preamble_tokens + keep_system_text(ledger)
        earlier, current = split_current(ledger)
        ledger.keep(current, ALWAYS, Section.CURRENT)
        history, used = fill_history(ledger, earlier, self.history_budget, _charges(ledger, earlier))
        greeting = _greet(ledger, history)
        chunks, found = self._retrieve(ledger, history, used, min(self.rag_budget, max(0, self.total_limit - used)))
        drop_unplaced(ledger, Kind.SUMMARY, Kind.DOCUMENT, Kind.ATTACHMENT)
        spent += ledger.cost(current) + ledger.cost(greeting) + used + found
        excess = self._hard_check(ledger, spent, chunks, np.concatenate([greeting, history]))
        return too_large(ledger, excess, self.hard_limit) if excess > 0 else ledger.close(layout)

    def _compare_totals(self, ledger: Ledger) -> None:
        if self.total_limit != self.hard_limit:
            message = f"The last check holds {self.hard_limit:,} tokens, not the total limit of {self.total_limit:,}."
            ledger.report(TWO_TOTALS, message)

    def _retrieve(self, ledger: Ledger, history: Rows, used: int, room: int) -> tuple[Rows, int]:
        """Keep the best chunks. Return the unpinned ones kept, best first, and the cost of all kept chunks."""
        ledger.limit(Section.RETRIEVED, room)
        repeated, replaced = passages_of_messages(ledger, history)
        back = recalled(ledger, history, replaced | (not self.recall_dropped), self.history_budget - used)
        lore, recorded = enabled_lore(ledger), ledger.rows(Kind.PASSAGE, Kind.MEMORY)
        pinned, others = split_pinned(ledger, np.concatenate([lore, recorded, back]))
        ledger.guarantee(pinned, PINNED, Section.RETRIEVED, room=room)
        spent = ledger.cost(pinned)
        if room == 0:
            ledger.drop(others, NOTHING_RETRIEVED, Section.RETRIEVED)
            return others[:0], spent
        considered = self._considered(ledger, others)
        said = repeated[considered] & (_sources(ledger.candidates, considered) == Source.CHAT)
        ledger.drop(considered[said], REPEATED, Section.RETRIEVED)
        ranked = _ranked(ledger, considered[~said])
        spent += _take_first(ledger, ranked[:1], room - spent)
        spent += self.pack_chunks(ledger, ranked[1:], room - spent)
        return ledger.those_kept(ranked), spent

    def _considered(self, ledger: Ledger, rows: Rows) -> Rows:
        """Return the best of each source by their scores alone; drop the others."""
        most = {
            Source.LOREBOOK: self.per_source_lorebook,
            Source.CHRONICLE: self.per_source_chronicle,
            Source.CHAT: self.per_source_chat,
        }
        chosen = best_of_each_source(_sources(ledger.candidates, rows), relevance(ledger.candidates, rows), most)
        drop_unconsidered(ledger, rows[~chosen])
        return rows[chosen]

    def _hard_check(self, ledger: Ledger, spent: int, chunks: Rows, history: Rows) -> int:
        """Check the server's limit last; a history no longer than its tail is cut too, oldest first."""
        excess = self.last_check(ledger, spent, self.hard_limit, chunks, history)
        if excess <= 0 or len(history) > self.min_tail:
            return excess
        _, loose = split_pinned(ledger, history)
        excess = withdraw_until(ledger, loose, excess, out_of_history(spent, self.hard_limit))
        lost = loose[~np.isin(loose, ledger.those_kept(loose), assume_unique=True)]
        if len(lost):
            message = f"The last check cut into the newest {self.min_tail:,} messages, which it otherwise leaves alone."
            ledger.report(TAIL_CUT, message, lost)
        return excess


def _charges(ledger: Ledger, messages: Rows) -> I32:
    """Return the charges of messages: their cost, and nothing for blank ones."""
    blank = ledger.candidates.items.blank_messages[messages - ledger.candidates.items.first_message]
    return np.where(blank, np.int32(0), ledger.costs[messages])


def _greet(ledger: Ledger, history: Rows) -> Rows:
    """Keep the greeting if the history is empty or the greeting is pinned. Return its row, if kept."""
    pinned, loose = split_pinned(ledger, ledger.rows(Kind.GREETING))
    ledger.guarantee(pinned, PINNED, Section.HISTORY)
    if len(history):
        ledger.drop(loose, GREETED, Section.HISTORY)
        return pinned
    ledger.keep(loose, GREETING_FIRST, Section.HISTORY)
    return np.concatenate([pinned, loose])


def _sources(candidates: Candidates, rows: Rows) -> U8:
    """Return the sources of chunks; documents count as lorebook."""
    sources = candidates.items.sources[rows]
    return np.where(sources == Source.DOCUMENT, np.uint8(Source.LOREBOOK), sources)


def _ranked(ledger: Ledger, rows: Rows) -> Rows:
    """Return these chunks by score, recency and source, best first."""
    candidates = ledger.candidates
    sources = _sources(candidates, rows)
    worth, recency = np.ones(len(rows), np.float32), np.full(len(rows), LORE_RECENCY, np.float32)
    for source, value in WORTH.items():
        worth[sources == source] = value
    days = np.trunc((candidates.now - candidates.time[rows]) / SECONDS_PER_DAY)
    for source, (half, least) in RECENCY.items():
        recency[sources == source] = _recency(days[sources == source], half, least)
    scores = np.nan_to_num(relevance(candidates, rows)).astype(np.float32)
    total = SCORE_WEIGHT * scores + RECENCY_WEIGHT * recency + SOURCE_WEIGHT * (worth - np.float32(1))
    ledger.score(rows, total)
    return rows[highest_first(total.astype(np.float64))]


def _recency(days: F64, half: int, least: float) -> np.ndarray:
    """Return max(least, 1 / (1 + days / half)) in single precision; `least` if the age is unknown."""
    age = np.maximum(days, 0).astype(np.float32) / np.float32(half)
    return np.fmax(np.float32(least), np.float32(1) / (np.float32(1) + age))


def _take_first(ledger: Ledger, first: Rows, room: int) -> int:
    """Take the best chunk, even over the limit, with a finding. Return its cost."""
    ledger.keep(first, FIRST_CHUNK, Section.RETRIEVED, room=room)
    cost = ledger.cost(first)
    if cost > max(room, 0):
        message = f"The best text found takes {cost:,} tokens and is kept, although {max(room, 0):,} were left for it."
        ledger.report(FIRST_CHUNK_OVER_BUDGET, message, first)
    return cost
