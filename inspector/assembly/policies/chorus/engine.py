"""The published code of Chorus Engine at two states, as variants of ratio; its steps are in the modules beside."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, ROLE_NUMBER, Kind, Rows, Section
from inspector.assembly.decisions import Assembly
from inspector.assembly.defaults import active_lore, drop_unplaced, fill_lore, keep_system_text
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.chorus.history import HistoryRules, fill_history, whole_tokens
from inspector.assembly.policies.chorus.memories import (
    RULES_2026_01,
    RULES_2026_02,
    RecallRules,
    chorus_signals,
    fill_memories,
    least_similarities,
    rank_memories,
)
from inspector.assembly.policies.chorus.messages import prepare_messages
from inspector.assembly.policies.chorus.reasons import NOT_READ
from inspector.assembly.policies.chorus.selective import Selection, read_rows, select_messages, spoken_tokens
from inspector.assembly.policies.chorus.summaries import fill_summaries, speaks_of_the_past
from inspector.assembly.policies.chorus.system_message import chorus_layout, keep_documents
from inspector.assembly.policies.ratio import MOST_TOKENS, WindowShares, shares_trouble
from inspector.assembly.policy import Traits, param
from inspector.assembly.policy_finding_kinds import NEGATIVE_BUDGET, NEWEST_MESSAGES_LOST, UNUSED_LIMIT

WINDOW_SHARE, RECENT_SHARE, TOKENS_PER_MESSAGE = 0.75, 0.2, 50
FEWEST_RECENT, MOST_RECENT = 10, 100
BY_WINDOW = -1
"""Marks a parameter to be computed from the window."""


@dataclass(frozen=True)
class ChorusEngine(WindowShares):
    """The base of both states: order of steps, memories at a quarter of their length, whole or summarized history."""

    memory_cap: int = param(
        20,
        0,
        100,
        unit="memories",
        help="At most this many memories are taken, even if more would fit.",
        topic="memories",
    )
    message_charge: int = param(
        10, 0, 50, unit="tokens", help="Added to the cost of each message if not all of them fit.", topic="rare"
    )
    message_limit: int = param(
        10_000,
        0,
        20_000,
        scale="log",
        unit="messages",
        help="Only this many messages of a chat are read.",
        sizes="history",
        topic="conversation",
    )

    recall_rules: ClassVar[RecallRules]
    cleans_messages: ClassVar[bool]
    unplaced: ClassVar[tuple[Kind, ...]]

    @property
    def traits(self) -> Traits:
        """The traits; replacements of old messages are counted here only when needed."""
        return Traits(
            title="Ratio",
            whose="Chorus Engine",
            question=self.question,
            signals=self.signals,
            thresholds=self.thresholds,
            shares_in_effect=self.shares_in_effect,
        )

    def thresholds(self, candidates: Candidates, rows: Rows) -> F64:
        """Return the least similarity required by the type of each memory."""
        return least_similarities(candidates.items, self.recall_rules)[rows]

    def signals(self, candidates: Candidates, rows: Rows) -> dict[str, tuple[float, F64]]:
        """Return the ranking signals of memories: name → weight, and one value for each row."""
        return chorus_signals(candidates, self.recall_rules, self._weights, rows)

    def question(self, candidates: Candidates) -> str:
        """Return the newest user message among those read, "" if there is none."""
        read = self._read(candidates, self._selection(candidates, 0))
        users = read[candidates.role[read] == ROLE_NUMBER["user"]]
        return candidates.texts[int(users[-1])] if len(users) else ""

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. Errors: `shares_do_not_sum`, `system_prompt_too_large`."""
        ledger = Ledger(candidates, window)
        if trouble := shares_trouble(*self._all_shares()):
            return ledger.fail("shares_do_not_sum", trouble)
        system = keep_system_text(ledger)
        ledger.limit(Section.SYSTEM, None)
        documents = self._keep_documents(ledger)
        available = window.tokens - system - documents
        reserve = int(available * self.reserve_share)
        if too_large := self._overflow(ledger, system):
            return ledger.fail("system_prompt_too_large", too_large, available=available, reserve=reserve)
        if available < 0:
            message = (
                f"System prompt and documents take {-available:,} tokens more than the window; all limits are below 0."
            )
            ledger.report(NEGATIVE_BUDGET, message)
        lent = self._share_with_memories(ledger, available, documents)
        memory_share, history_share = self.shares_in_effect(candidates).values()
        self._decide_memories(ledger, int(available * memory_share), lent)
        self._decide_history(ledger, int(available * history_share))
        drop_unplaced(ledger, *self.unplaced)
        return ledger.close(chorus_layout(self.memory_role), available=available, reserve=reserve)

    def _decide_memories(self, ledger: Ledger, limit: int, lent: int) -> None:
        """Decide memories, and active lore in the room they leave."""
        ledger.limit(Section.MEMORY, limit, lent, Section.SUMMARIES)
        lore = active_lore(ledger)
        pinned, ranked = rank_memories(ledger, self.recall_rules, self._weights, self.memory_candidates)
        left = fill_memories(ledger, pinned, ranked, limit + lent, self.memory_cap)
        fill_lore(ledger, lore, max(0, left))

    def _decide_history(self, ledger: Ledger, limit: int) -> None:
        """Decide the messages read: as shown to the model, or selected and summarized."""
        candidates = ledger.candidates
        selection = self._selection(candidates, ledger.window.tokens)
        read = self._read(candidates, selection)
        self._drop_unread(ledger, read)
        if selection is None:
            rows = prepare_messages(ledger, read, self.cleans_messages)
        else:
            rows = select_messages(ledger, read, selection)
        newest = self._guaranteed(ledger)
        if self.message_cap:
            self._cut(ledger, rows[~ledger.is_reshaped(rows)], newest | candidates.pinned, MOST_TOKENS)
        whole = whole_tokens(ledger, rows, (type(self), self.message_limit, self.message_cap, selection))
        fill_history(ledger, rows, limit, whole, newest, self._history_rules())

    def _drop_unread(self, ledger: Ledger, read: Rows) -> None:
        """Drop the messages not loaded by the code; pinned ones are read wherever they are."""
        messages = ledger.rows(Kind.MESSAGE)
        if len(read) == len(messages):
            return
        unread = messages[~np.isin(messages, read, assume_unique=True)]
        ledger.drop(unread[::-1], NOT_READ, Section.HISTORY)
        self._note_unread(ledger, unread)

    def _history_rules(self) -> HistoryRules:
        return HistoryRules(self.message_charge, ends_with_user=False)

    def _all_shares(self) -> tuple[float, ...]:
        return self.memory_share, self.history_share, self.reserve_share

    def _keep_documents(self, ledger: Ledger) -> int:
        """Keep documents, if they have a place. Return the tokens of their excerpts."""
        return 0

    def _share_with_memories(self, ledger: Ledger, available: int, documents: int) -> int:
        """Decide the sections with their own limits. Return the tokens of these limits left to the memories."""
        return 0

    def _note_unread(self, ledger: Ledger, unread: Rows) -> None:
        """Report the loss from unread messages, if it is a fault."""

    def _read(self, candidates: Candidates, selection: Selection | None) -> Rows:
        """Return the loaded messages, oldest first."""
        return read_rows(candidates, self.message_limit)

    def _selection(self, candidates: Candidates, window: int) -> Selection | None:
        """Return how messages are selected, None if the conversation is too short or nothing is to be selected."""
        return None


@dataclass(frozen=True)
class Chorus202602(ChorusEngine):
    """Ratio as published in February 2026, with documents, past conversations, and error messages removed."""

    document_share: float = param(
        0.15, 0, 1, step=0.005, unit="share", group="shares", help="Share for documents, computed and never applied."
    )
    context_share: float = param(
        0.05,
        0,
        1,
        step=0.005,
        unit="share",
        group="shares",
        help="Share of the available tokens for past conversations.",
    )
    recent_messages: int = param(
        BY_WINDOW,
        BY_WINDOW,
        200,
        at_minimum="by the window",
        unit="messages",
        group="selective",
        label="Never summarized",
        help="This many of the newest messages are never summarized; −1 takes 10 to 100, by the window.",
        topic="conversation",
    )
    selective_above: int = param(
        BY_WINDOW,
        BY_WINDOW,
        200_000,
        step=500,
        scale="log",
        at_minimum="by the window",
        unit="tokens",
        group="selective",
        help="Longer conversations are summarized; −1 takes three quarters of the window.",
        topic="conversation",
    )
    summary_cap: int = param(
        2, 0, 6, unit="", help="At most this many past conversations are included.", topic="summaries"
    )
    summary_thresholds: tuple[float, ...] = param(
        (0.75, 0.55),
        0,
        1,
        step=0.01,
        help="Lowest similarity of past conversations: as a rule, and if the query speaks of the past.",
        topic="summaries",
    )
    trailing_user: bool = param(
        True,
        label="End with a user message",
        help="Remove messages after the last user message that fits.",
        topic="rare",
    )

    recall_rules = RULES_2026_02
    cleans_messages = True
    unplaced = (Kind.PASSAGE, Kind.ATTACHMENT)

    def _all_shares(self) -> tuple[float, ...]:
        return (*super()._all_shares(), self.document_share, self.context_share)

    def _history_rules(self) -> HistoryRules:
        return HistoryRules(self.message_charge, self.trailing_user)

    def _keep_documents(self, ledger: Ledger) -> int:
        return keep_documents(ledger)

    def _share_with_memories(self, ledger: Ledger, available: int, documents: int) -> int:
        document_limit, summary_limit = int(available * self.document_share), int(available * self.context_share)
        ledger.limit(Section.DOCUMENTS, document_limit)
        rows = ledger.rows(Kind.DOCUMENT)
        if len(rows) and documents > document_limit:
            message = f"Documents take {documents:,} tokens; their limit of {document_limit:,} is never applied."
            ledger.report(UNUSED_LIMIT, message, rows)
        usual, recalling = self.summary_thresholds
        threshold = recalling if speaks_of_the_past(ledger.candidates.query) else usual
        return summary_limit - fill_summaries(ledger, summary_limit, self.summary_cap, threshold)

    def _selection(self, candidates: Candidates, window: int) -> Selection | None:
        long = int(window * WINDOW_SHARE)
        above = long if self.selective_above == BY_WINDOW else self.selective_above
        if not self.selective or spoken_tokens(candidates, self.message_limit) <= above:
            return None
        by_window = min(max(int(int(long * RECENT_SHARE) / TOKENS_PER_MESSAGE), FEWEST_RECENT), MOST_RECENT)
        recent = by_window if self.recent_messages == BY_WINDOW else self.recent_messages
        return Selection(recent, self.emotional_threshold)


@dataclass(frozen=True)
class Chorus202601(ChorusEngine):
    """Ratio as published in January 2026, reading the oldest messages of a conversation instead of the newest."""

    recent_messages: int = param(
        30,
        0,
        200,
        unit="messages",
        group="selective",
        label="Never summarized",
        help="This many of the newest messages are never summarized.",
        topic="conversation",
    )
    selective_above: int = param(
        20_000,
        0,
        200_000,
        step=500,
        scale="log",
        unit="tokens",
        group="selective",
        help="Longer conversations are summarized.",
        topic="conversation",
    )

    recall_rules = RULES_2026_01
    cleans_messages = False
    unplaced = (Kind.PASSAGE, Kind.SUMMARY, Kind.DOCUMENT, Kind.ATTACHMENT)

    def _note_unread(self, ledger: Ledger, unread: Rows) -> None:
        message = f"Only the oldest {self.message_limit:,} messages are read: the newest {len(unread):,} are lost."
        ledger.report(NEWEST_MESSAGES_LOST, message, unread)

    def _read(self, candidates: Candidates, selection: Selection | None) -> Rows:
        """Return all messages if they are selected, else the oldest."""
        rows = candidates.existing_messages
        if selection is not None:
            return rows
        later = rows[self.message_limit :]
        return np.concatenate([rows[: self.message_limit], later[candidates.pinned[later]]])

    def _selection(self, candidates: Candidates, window: int) -> Selection | None:
        if not self.selective or spoken_tokens(candidates, None) <= self.selective_above:
            return None
        return Selection(self.recent_messages, self.emotional_threshold)
