"""ratio: shares of the room left by the system prompt (Chorus Engine's design): memories by rank, newest history."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor
from typing import Any

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, Action, Bool, Kind, Rows, Section, frozen
from inspector.assembly.decisions import Assembly
from inspector.assembly.defaults import (
    active_lore,
    drop_unplaced,
    fill_lore,
    keep_system_text,
    lore_cost_within,
    split_pinned,
    standard_layout,
    system_rows,
)
from inspector.assembly.ledger import Ledger
from inspector.assembly.message_class import classes_of
from inspector.assembly.packing import highest_few, highest_first, newest_exchanges_start, until_full
from inspector.assembly.policies.share_rooms import BUDGETS, SHARE_BOUNDS, SUM_BOUNDS, ShareRooms, shift_of
from inspector.assembly.policy import Traits, param
from inspector.assembly.policy_finding_kinds import SYSTEM_PROMPT_TOO_LARGE
from inspector.assembly.reasons import CUT, FILLER, GUARANTEED, NOT_RETRIEVED, OLD_FILLER, PINNED
from inspector.assembly.replacements import REASONS, SummarySource
from inspector.assembly.thresholds import Packing, mask_of, pooled
from inspector.figures import percentage
from inspector.retrieval.ranking import Weights, weighted_sum

SECONDS_PER_DAY = 86_400
CUT_BLOCK = 256
SHARE_STEP = 0.005
TRIED_PARTS = (0.0, 0.25, 0.5, 0.75, 0.9, 1.0)
MOST_TOKENS = np.iinfo(np.int32).max


@dataclass(frozen=True)
class WindowShares:
    """The parameters of ratio under every preset, and the steps that follow from them alone."""

    memory_share: float = param(
        0.30,
        0,
        1,
        step=0.005,
        unit="share",
        group="shares",
        label="Memories",
        help="Share of the window without the system prompt, for memories.",
        sizes="memory",
    )
    history_share: float = param(
        0.40,
        0,
        1,
        step=0.005,
        unit="share",
        group="shares",
        label="Conversation",
        help="Share of the window without the system prompt, for the conversation.",
        sizes="history",
    )
    reserve_share: float = param(
        0.30,
        0,
        1,
        step=0.005,
        unit="share",
        group="shares",
        label="Reply",
        help="Share of the window without the system prompt, kept free for the reply.",
        sizes="reply",
    )
    system_limit: float = param(
        0.25,
        0,
        1,
        step=0.01,
        unit="share",
        label="System prompt at most",
        help="Largest part of the window for the system prompt.",
        topic="rare",
    )
    system_overflow: str = param(
        "error",
        choices={
            "error": "no prompt is made",
            "warn": "the prompt is made, with a finding",
            "ignore": "the prompt is made, without a finding",
        },
        label="Larger system prompt",
        help="What happens to a larger system prompt.",
        topic="rare",
    )
    min_exchanges: int = param(
        3,
        0,
        20,
        unit="exchanges",
        label="Newest always kept",
        help="This many of the newest exchanges (a message of the user and the reply) stay whatever they cost.",
        sizes="newest",
        topic="conversation",
    )
    memory_candidates: int = param(
        50,
        0,
        500,
        unit="memories",
        label="Ranked at most",
        help="Only this many of the most similar memories are ranked.",
        topic="memories",
    )
    similarity_weight: float = param(
        0.4, 0, 1, step=0.05, group="ranking", help="Weight of a memory's similarity to the query.", topic="memories"
    )
    priority_weight: float = param(
        0.3, 0, 1, step=0.05, group="ranking", help="Weight of a memory's own priority.", topic="memories"
    )
    recency_weight: float = param(
        0.2, 0, 1, step=0.05, group="ranking", help="Weight of a memory's age: the newer, the more.", topic="memories"
    )
    type_weight: float = param(
        0.1, 0, 1, step=0.05, group="ranking", help="Weight of a memory's type.", topic="memories"
    )
    half_life_days: float = param(
        30.0,
        0,
        365,
        unit="days",
        label="Recency half-life",
        help="After this many days, recency counts half.",
        topic="memories",
    )
    adaptive: bool = param(
        False,
        label="Adaptive shares",
        help="Move up to 10 % from memories to the conversation as it grows.",
        topic="rare",
    )
    message_cap: int = param(
        0,
        0,
        2000,
        step=10,
        scale="log",
        at_minimum="off",
        unit="tokens",
        cuts=True,
        label="Longest message",
        help="Longer messages of the conversation are cut to this many tokens; 0 cuts none.",
        topic="rare",
    )
    selective: bool = param(
        False,
        label="Summarize old ones",
        help="Summarize or drop older messages by their importance, not by age alone.",
        topic="conversation",
    )
    emotional_threshold: float = param(
        0.7,
        0,
        1,
        step=0.05,
        group="selective",
        label="Important from",
        help="Messages with this emotional weight or more stay whole.",
        topic="conversation",
    )
    recent_messages: int = param(
        20,
        0,
        200,
        unit="messages",
        group="selective",
        label="Never summarized",
        help="This many of the newest messages are never summarized.",
        topic="conversation",
    )
    memory_role: str = param(
        "user",
        choices={
            "user": "the user says them",
            "system": "the system says them",
            "assistant": "the assistant says them",
        },
        label="Memories said by",
        help="Role of the message with the memories.",
        topic="memories",
    )

    def _overflow(self, ledger: Ledger, system: int) -> str:
        """Return why the system prompt is too large to go on, "" if it is not; a mere warning is reported instead."""
        window = ledger.window.tokens
        if system <= self.system_limit * window or self.system_overflow == "ignore":
            return ""
        message = f"The system prompt takes {system:,} of {window:,} tokens, more than {percentage(self.system_limit)}."
        if self.system_overflow == "error":
            return message
        ledger.report(SYSTEM_PROMPT_TOO_LARGE, message, ledger.candidates.rows(Kind.SYSTEM))
        return ""

    def shares_in_effect(self, candidates: Candidates) -> dict[str, float]:
        """Return the shares of sections, by parameter name, shifted by the conversation if `adaptive`."""
        if not self.adaptive:
            return {"memory_share": self.memory_share, "history_share": self.history_share}
        shift, (low, high) = shift_of(candidates), SHARE_BOUNDS
        moved = {"memory_share": self.memory_share - shift, "history_share": self.history_share + shift}
        return {name: min(max(share, low), high) for name, share in moved.items()}

    @property
    def _weights(self) -> Weights:
        return Weights(
            self.similarity_weight, self.priority_weight, self.recency_weight, self.type_weight, self.half_life_days
        )

    def _guaranteed(self, ledger: Ledger) -> Bool:
        """Return a mask over all candidates of the messages of the newest exchanges."""
        candidates, exchanges = ledger.candidates, self.min_exchanges

        def made() -> Bool:
            rows, mask = ledger.rows(Kind.MESSAGE), np.zeros(len(candidates), np.bool_)
            mask[rows[newest_exchanges_start(candidates.open_user_turns, exchanges) :]] = True
            return frozen(mask)

        return candidates.derived("ratio/guaranteed", exchanges, made)

    def _cut(self, ledger: Ledger, rows: Rows, surely: Bool, reach: int) -> None:
        """Cut long messages. Texts are read newest first, only as far back as `reach` tokens can reach."""
        candidates, cap = ledger.candidates, min(self.message_cap, MOST_TOKENS)
        long = candidates.tokens[rows] > cap
        ledger.recost(rows[long], cap)
        cut = long & surely[rows]
        ledger.recost(rows[cut], candidates.cut_tokens(rows[cut], cap))
        spent = 0
        for end in range(len(rows), 0, -CUT_BLOCK):
            block = slice(max(0, end - CUT_BLOCK), end)
            more = rows[block][long[block] & ~cut[block]]
            ledger.recost(more, candidates.cut_tokens(more, cap))
            cut[block] = long[block]
            spent += ledger.cost(rows[block])
            if spent > reach:
                break
        shortened = rows[cut]
        costs = ledger.costs[shortened]
        ledger.reshape(shortened, Action.TRUNCATED, CUT, costs, lambda row: candidates.beginning(row, cap))


@dataclass(frozen=True)
class Ratio(WindowShares):
    """Gives memories, the newest of the conversation and the reply a share each of what the system prompt leaves."""

    discard_after: int = param(
        200,
        0,
        2000,
        unit="messages",
        group="selective",
        label="Dropped beyond",
        help="Unmarked messages older than this many of the newest are dropped.",
        topic="conversation",
    )
    only_if_shorter: bool = param(
        False, group="selective", help="Summarize a message only if its summary is cheaper.", topic="rare"
    )
    borrow: str = param(
        "none",
        choices={
            "none": "each keeps to its own share",
            "history": "the conversation may use the tokens left by memories",
            "memories": "memories may use the tokens left by the conversation",
            "both": "the conversation uses the tokens left by memories, then memories use the rest",
        },
        label="Borrowing",
        help="Whether memories and conversation may use unused tokens of each other.",
        topic="rare",
    )

    @property
    def traits(self) -> Traits:
        """The traits, with its ranking and its shares; summaries and previews are counted if it summarizes."""
        return Traits(
            title="Ratio",
            whose="Chorus Engine",
            counts_replacements=self.selective,
            signals=self.signals,
            packing=self.packing,
            shares_in_effect=self.shares_in_effect,
            divisions=_divisions,
        )

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. Errors: `shares_do_not_sum`, `system_prompt_too_large`."""
        ledger = Ledger(candidates, window)
        if trouble := shares_trouble(self.memory_share, self.history_share, self.reserve_share):
            return ledger.fail("shares_do_not_sum", trouble)
        system = keep_system_text(ledger)
        available = max(0, window.tokens - system)
        reserve = floor(available * self.reserve_share)
        ledger.limit(Section.SYSTEM, None)
        if too_large := self._overflow(ledger, system):
            return ledger.fail("system_prompt_too_large", too_large, available=available, reserve=reserve)
        in_effect = self.shares_in_effect(candidates)
        memory_limit, history_limit = (floor(available * in_effect[name]) for name in ("memory_share", "history_share"))
        self._pack(ledger, memory_limit, history_limit)
        drop_unplaced(ledger, Kind.PASSAGE, Kind.SUMMARY, Kind.DOCUMENT, Kind.ATTACHMENT)
        return ledger.close(standard_layout(self.memory_role), available=available, reserve=reserve)

    def _pack(self, ledger: Ledger, memory_limit: int, history_limit: int) -> None:
        """Pack memories, lore and history, with their loans to each other."""
        pinned, ranked = self._ranked_memories(ledger)
        lore = active_lore(ledger)
        guaranteed = self._guaranteed(ledger)
        history = self._prepared_history(ledger, guaranteed, history_limit + memory_limit)
        borrowed_by_history = borrowed_by_memory = 0
        if self.borrow in ("history", "both"):
            spent = ledger.cost(pinned) + _fitting(ledger, ranked, memory_limit - ledger.cost(pinned))
            spent += lore_cost_within(ledger, lore, max(0, memory_limit - spent))
            borrowed_by_history = max(0, memory_limit - spent)
        ledger.limit(Section.HISTORY, history_limit, borrowed_by_history, Section.MEMORY)
        history_used = self._fill_history(ledger, history, guaranteed, history_limit + borrowed_by_history)
        if self.borrow in ("memories", "both"):
            borrowed_by_memory = max(0, history_limit - history_used)
        ledger.limit(Section.MEMORY, memory_limit, borrowed_by_memory, Section.HISTORY)
        room = memory_limit + borrowed_by_memory
        ledger.guarantee(pinned, PINNED, Section.MEMORY, room=room)
        spent = ledger.cost(pinned)
        spent += ledger.fill(ranked, room - spent, Section.MEMORY)
        fill_lore(ledger, lore, max(0, room - spent))

    def packing(self, candidates: Candidates) -> Packing | None:
        """Return the thresholds of ranked memories, lore and older messages; None if messages are cut to a cap.

        How far back cut messages are counted depends on the budgets.
        """
        if self.message_cap:
            return None
        ledger = Ledger(candidates, ContextWindow(0))
        system = keep_system_text(ledger)
        pinned, ranked = self._ranked_memories(ledger)
        pinned_lore, lore = split_pinned(ledger, active_lore(ledger))
        guaranteed = self._guaranteed(ledger)
        history = self._prepared_history(ledger, guaranteed, 0)
        is_sure = (guaranteed | candidates.pinned)[history]
        sure = (ledger.those_kept(system_rows(ledger)), pinned, pinned_lore, history[is_sure])
        rooms = ShareRooms(
            system=system,
            pinned_memories=ledger.cost(pinned),
            pinned_lore=ledger.cost(pinned_lore),
            sure_history=ledger.cost(history[is_sure]),
            memories=pooled(ranked, ledger.costs),
            lore=pooled(lore, ledger.costs),
            history=pooled(history[~is_sure][::-1], ledger.costs),
            shift=shift_of(candidates),
        )
        return Packing(BUDGETS, ledger.forms, mask_of(candidates, *sure), rooms.pools, rooms)

    def _ranked_memories(self, ledger: Ledger) -> tuple[Rows, Rows]:
        """Return the pinned memories, and those considered, best first; drop the rest."""
        candidates, weights, count = ledger.candidates, self._weights, self.memory_candidates
        make = lambda: _ranking(candidates, weights, count)  # noqa: E731 - of these terms
        terms = (weights, count, candidates.clock)
        pinned, others, ranked, scores = candidates.before_messages.derived("ratio/ranking", terms, make)
        ledger.drop(others, NOT_RETRIEVED, Section.MEMORY)
        ledger.score(ranked, scores)
        return pinned, ranked

    def signals(self, candidates: Candidates, rows: Rows) -> dict[str, tuple[float, F64]]:
        """Return the ranking signals of memories: name → weight, and one value in 0–1 for each row."""
        return _signals(candidates, rows, self._weights)

    def _prepared_history(self, ledger: Ledger, guaranteed: Bool, reach: int) -> Rows:
        """Return the messages for packing, oldest first, in the form in which they would be kept."""
        rows = ledger.rows(Kind.MESSAGE)
        if self.selective or ledger.candidates.marks.any_computed:
            recent = guaranteed[rows] | (np.arange(len(rows))[::-1] < self.recent_messages)
            ledger.classify(rows, classes_of(ledger.candidates.marks, rows, recent, self.emotional_threshold))
        if not self.selective and not self.message_cap:
            return rows
        replaced = np.zeros(len(rows), np.bool_)
        dropped = np.zeros(len(rows), np.bool_)
        surely = guaranteed | ledger.candidates.pinned
        if self.selective:
            replaced, dropped = self._summarize(ledger, rows, surely)
        if self.message_cap:
            self._cut(ledger, rows[~replaced & ~dropped], surely, reach)
        return rows[~dropped]

    def _summarize(self, ledger: Ledger, rows: Rows, surely: Bool) -> tuple[Bool, Bool]:
        """Return masks of the replaced and of the discarded messages.

        Messages marked as filler are discarded where they would be summarized: a summary would add nothing.
        """
        candidates, marks = ledger.candidates, ledger.candidates.marks
        newer = np.arange(len(rows))[::-1]
        preserved = surely[rows] | marks.key_moment[rows] | (newer < self.recent_messages)
        preserved |= marks.emotional_weight[rows] >= self.emotional_threshold
        old = ~preserved & (newer >= self.discard_after)
        ledger.drop(rows[old][::-1], OLD_FILLER, Section.HISTORY)
        filler = ~preserved & ~old & marks.filler[rows]
        ledger.drop(rows[filler][::-1], FILLER, Section.HISTORY)
        discarded = old | filler
        sources = candidates.items.standing.sources_of(rows)
        replaced = ~preserved & ~discarded & (sources != int(SummarySource.WHOLE))
        costs = candidates.replacement_tokens(rows)
        if self.only_if_shorter:
            replaced &= costs < ledger.costs[rows]
        for source, reason in REASONS.items():
            chosen = replaced & (sources == source)
            ledger.reshape(rows[chosen], Action.SUMMARIZED, reason, costs[chosen], candidates.replacement)
        return replaced, discarded

    def _fill_history(self, ledger: Ledger, rows: Rows, guaranteed: Bool, room: int) -> int:
        """Pack pinned, then guaranteed, then older messages, newest first. Return the tokens spent."""
        candidates = ledger.candidates
        make = lambda: _divided(rows, guaranteed, candidates.pinned)  # noqa: E731 - of these messages
        is_whole = rows is candidates.open_rows[Kind.MESSAGE]
        pinned, newest, older = candidates.derived("ratio/history", self.min_exchanges, make) if is_whole else make()
        ledger.guarantee(pinned, PINNED, Section.HISTORY, room=room)
        spent = ledger.cost(pinned)
        ledger.guarantee(newest, GUARANTEED, Section.HISTORY, room=room - spent)
        spent += ledger.cost(newest)
        return spent + ledger.fill(older, room - spent, Section.HISTORY)


def _divisions(window: int, prompt: int) -> Iterator[dict[str, Any]]:
    """Yield divisions of the rest after the reply between memories and conversation, with and without borrowing."""
    reserve = 1 - floor(prompt / max(window, 1) / SHARE_STEP) * SHARE_STEP
    for part in TRIED_PARTS:
        memory = round(part * (1 - reserve) / SHARE_STEP) * SHARE_STEP
        shares = {"memory_share": memory, "history_share": 1 - reserve - memory, "reserve_share": reserve}
        for borrow in ("none", "both"):
            yield {**{name: round(max(share, 0.0), 3) for name, share in shares.items()}, "borrow": borrow}


def shares_trouble(*shares: float) -> str:
    """Return the error for a sum of shares other than 1, "" if they sum to 1."""
    total = sum(shares)
    if SUM_BOUNDS[0] <= total <= SUM_BOUNDS[1]:
        return ""
    number = {3: "three", 5: "five"}[len(shares)]
    return f"The {number} shares must sum to 1 (0.95 to 1.05); they sum to {total:g}."


def memory_signals(
    candidates: Candidates, rows: Rows, weights: Weights, priority: F64, type_priority: F64
) -> dict[str, tuple[float, F64]]:
    """Return name → weight, and one value for each of these memories, given their and their types' priorities."""
    age_days = (candidates.now - candidates.time[rows]) / SECONDS_PER_DAY
    return weights.signals(candidates.similarity[rows], priority, type_priority, age_days)


def _signals(candidates: Candidates, rows: Rows, weights: Weights) -> dict[str, tuple[float, F64]]:
    return memory_signals(candidates, rows, weights, candidates.priority[rows], candidates.type_priority[rows])


def _ranking(candidates: Candidates, weights: Weights, count: int) -> tuple[Rows, Rows, Rows, F64]:
    """Return pinned memories, those not considered, those considered, best first, and the scores of the last."""
    rows = candidates.open_rows[Kind.MEMORY]
    is_pinned = candidates.pinned[rows]
    others = rows[~is_pinned]
    considered = highest_few(candidates.similarity[others], count)
    chosen = others[considered]
    scores = weighted_sum(_signals(candidates, chosen, weights))
    order = highest_first(scores)
    return rows[is_pinned], others[~considered], chosen[order], scores[order]


def _divided(rows: Rows, guaranteed: Bool, pinned: Bool) -> tuple[Rows, Rows, Rows]:
    """Return the pinned of these messages, the other guaranteed ones, and the older ones, the last two newest first."""
    if not len(rows):
        return rows, rows, rows
    first = int(rows[0])
    is_sure = (guaranteed | pinned)[first:]  # of open rows, and of messages only: they are the last rows
    sure = is_sure.nonzero()[0] + first
    is_pinned = pinned[sure]
    older = rows[: len(rows) - len(sure)]
    if len(older) and np.count_nonzero(is_sure[: int(older[-1]) - first + 1]):
        older = rows[~is_sure[rows - first]]  # otherwise they stay a view of the messages: a million rows take 8 MB
    return sure[is_pinned], sure[~is_pinned][::-1], older[::-1]


def _fitting(ledger: Ledger, rows: Rows, room: int) -> int:
    """Return the tokens a stop packer would spend on these rows."""
    return ledger.cost(rows[: until_full(ledger.costs[rows], room)])
