"""The policy of WhisperEngine's published code: its two stages, the history it reads, and its emergency."""

from dataclasses import dataclass

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import I32, ROLE_NUMBER, Kind, Rows, Section
from inspector.assembly.decisions import Assembly, Block, Composed, Joined, Layout, Run
from inspector.assembly.defaults import PARAGRAPH, drop_unplaced, note_small_window, split_pinned
from inspector.assembly.finding_kinds import OVER_WINDOW
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.adaptive import CUT_MARK, Adaptive
from inspector.assembly.policies.whisperengine.components import decide_components, weigh_components
from inspector.assembly.policies.whisperengine.emergency import (
    NOTICE,
    CutPlan,
    CutSystem,
    cut_components,
    cut_message,
)
from inspector.assembly.policies.whisperengine.recent import Reading, read_messages
from inspector.assembly.policy import param
from inspector.assembly.policy_finding_kinds import CURRENT_MESSAGE_LOST, EMERGENCY_TRUNCATION, SYSTEM_OVER_STAGE2
from inspector.assembly.reasons import ALL_FITS, ALWAYS, EMERGENCY, GUARANTEED, PINNED
from inspector.tokens.estimate import image_tokens

HEAD_SHARE, TAIL_SHARE = 0.6, 0.2
"""The shares of `emergency_cut`, at four code points a token, for beginning and end of a cut system message."""
CODE_POINTS_PER_TOKEN = 4


@dataclass(frozen=True, eq=False, slots=True)
class _Messages:
    """The messages read, those of role system and the others, and the charge of every candidate."""

    rows: Rows
    inside: Rows
    told: Rows
    charges: I32

    def charge(self, rows: Rows) -> int:
        return int(self.charges[rows].sum(dtype=np.int64))


@dataclass(frozen=True)
class WhisperEngine(Adaptive):
    """Adaptive as published: components charged by length, prepared messages, and an emergency cut of the rest."""

    system_budget: int = param(
        6000,
        0,
        32_000,
        step=100,
        scale="log",
        at_minimum="no limit",
        unit="tokens",
        label="System message at most",
        help="The limit of all components of the system message together.",
        sizes="memory",
    )
    required_overflow: str = param(
        "cut",
        choices={
            "cut": "each in its turn loses its middle or is left out",
            "keep": "all of them stay whole",
        },
        help="What happens to required components over the limit.",
        topic="rare",
    )
    emergency_cut: int = param(
        16_000,
        0,
        128_000,
        step=500,
        scale="log",
        unit="tokens",
        help="A system message that is left alone is cut above this size.",
        sizes="prompt",
        topic="rare",
    )
    cut_keeps: str = param(
        "both_ends",
        choices={
            "both_ends": "beginning and end, with a notice between them",
            "beginning": "the beginning alone; the system message is cut to the limit of the prompt",
        },
        label="A cut keeps",
        help="The part left of long messages, and of a system message cut in an emergency.",
        topic="rare",
    )
    prepare_history: bool = param(
        True,
        help="Read only the newest messages, without commands, long ones shortened; or take all as they are.",
        topic="conversation",
    )
    history_messages: int = param(
        30,
        0,
        500,
        unit="messages",
        label="Messages read",
        help="This many of the newest messages before the next one are read.",
        topic="conversation",
    )
    history_full: int = param(
        10,
        0,
        100,
        unit="messages",
        label="Newer messages",
        help="Of so many of the newest messages three stay whole, the rest is cut to 400 characters; older ones to "
        "500.",
        topic="conversation",
    )
    time_prefix: bool = param(
        True, help="Put day and time in front of every message but the next one.", topic="conversation"
    )
    picture_tokens: int = param(
        85,
        0,
        2000,
        scale="log",
        at_minimum="not sent",
        unit="tokens",
        help="Tokens charged for a picture; with 0 pictures are not sent.",
        topic="rare",
    )

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. There is always a prompt, over the window if necessary."""
        ledger = Ledger(candidates, window)
        budget = self.max_tokens + self.response_reserve
        note_small_window(ledger, budget, "The limit of the prompt and the tokens for the reply")
        drop_unplaced(ledger, Kind.PASSAGE, Kind.DOCUMENT, Kind.ATTACHMENT)
        keeps_all = self.required_overflow == "keep"
        weighed = weigh_components(
            ledger, self._by_priority(ledger), self.system_budget, self.memory_chars, cuts_required=not keeps_all
        )
        components = weighed.choice.stays
        texts = [ledger.text(row) for row in components.tolist()]
        messages = self._messages(ledger)
        assembled = candidates.counts.count(PARAGRAPH.join(texts))
        system = assembled + messages.charge(messages.inside)
        room = max(0, self.max_tokens - system)
        ledger.limit(Section.SYSTEM, self.system_budget or None)
        ledger.limit(Section.HISTORY, room)
        fits = system + messages.charge(messages.told) <= self.max_tokens
        if fits or system < self.max_tokens:
            decide_components(ledger, weighed, components, self.system_budget)
            self._decide_messages(ledger, messages, room, fits=fits)
            return ledger.close(_layout(components, messages, fits=fits), reserve=self.response_reserve)
        cut = cut_components(ledger, components, texts, self._cut_plan)
        ledger.drop(cut.gone, EMERGENCY, Section.SYSTEM)
        decide_components(ledger, weighed, cut.left, self.system_budget)
        left = self._leave_system_message(ledger, messages, has_components=len(components) > 0)
        self._note_emergency(ledger, assembled, system, cut, left)
        return ledger.close(_emergency_layout(cut, left), reserve=self.response_reserve)

    @property
    def _cut_plan(self) -> CutPlan:
        if self.cut_keeps == "beginning":
            return CutPlan(self.max_tokens, CODE_POINTS_PER_TOKEN * self.max_tokens, 0, CUT_MARK)
        head, tail = (int(share * CODE_POINTS_PER_TOKEN * self.emergency_cut) for share in (HEAD_SHARE, TAIL_SHARE))
        return CutPlan(self.emergency_cut, head, tail, NOTICE)

    def _messages(self, ledger: Ledger) -> _Messages:
        """Return the open messages, prepared, with the charge of each including its pictures."""
        candidates = ledger.candidates
        keeps_end = self.cut_keeps == "both_ends"
        reading = Reading(self.history_messages, self.history_full, keeps_end, self.time_prefix)
        rows = read_messages(ledger, reading) if self.prepare_history else ledger.rows(Kind.MESSAGE)
        charges = ledger.costs.copy()
        seen = rows[(candidates.images[rows] > 0) & ~candidates.recorded[rows]]
        counted = image_tokens(candidates.counts.tokenizer)
        charges[seen] += candidates.images[seen] * (self.picture_tokens - counted)
        if not self.picture_tokens:
            ledger.recost(seen, charges[seen])
        is_system = candidates.role[rows] == ROLE_NUMBER["system"]
        return _Messages(rows, rows[is_system], rows[~is_system], charges)

    def _decide_messages(self, ledger: Ledger, messages: _Messages, room: int, *, fits: bool) -> None:
        """Decide stage 2: guarantee system, pinned and newest messages, then pack older ones."""
        charges, told = messages.charges, messages.told
        pinned, others = split_pinned(ledger, messages.inside)
        ledger.guarantee(pinned, PINNED, Section.HISTORY)
        ledger.guarantee(others, ALWAYS, Section.HISTORY)
        is_pinned = ledger.candidates.pinned[told]
        is_newest = np.arange(len(told)) >= len(told) - self.min_recent
        pinned = told[is_pinned]
        ledger.guarantee(pinned, PINNED, Section.HISTORY, room=room, charges=charges[pinned])
        room -= messages.charge(pinned)
        if fits:
            rest = told[~is_pinned][::-1]
            ledger.keep(rest, ALL_FITS, Section.HISTORY, room=room, charges=charges[rest])
            return
        newest, older = told[is_newest & ~is_pinned][::-1], told[~is_newest & ~is_pinned][::-1]
        ledger.guarantee(newest, GUARANTEED, Section.HISTORY, room=room, charges=charges[newest])
        pack = ledger.fit if self.misfit == "skip" else ledger.fill
        pack(older, room - messages.charge(newest), Section.HISTORY, charges=charges[older])

    def _leave_system_message(self, ledger: Ledger, messages: _Messages, *, has_components: bool) -> Rows:
        """Drop the conversation except pinned messages, and its first system message if there is no other.

        Return the remaining rows.
        """
        first = messages.inside[: 0 if has_components else 1]
        pinned, others = split_pinned(ledger, messages.rows)
        cut_message(ledger, first, self._cut_plan)
        ledger.guarantee(pinned, PINNED, Section.HISTORY)
        alone = first[~ledger.candidates.pinned[first]]
        ledger.guarantee(alone, ALWAYS, Section.HISTORY)
        ledger.drop(others[~np.isin(others, alone)][::-1], EMERGENCY, Section.HISTORY)
        return np.sort(np.concatenate([pinned, alone]))

    def _note_emergency(self, ledger: Ledger, assembled: int, system: int, cut: CutSystem, left: Rows) -> None:
        """Report the effect of an emergency, a lost current message, and a prompt still too large."""
        limit = f"the limit of {self.max_tokens:,}"
        message = f"The system message of {system:,} tokens reaches {limit} for it and the conversation, which is lost."
        ledger.report(EMERGENCY_TRUNCATION, message, cut.left)
        current = ledger.candidates.current_message
        if len(current) and not np.isin(current, left).any():
            ledger.report(CURRENT_MESSAGE_LOST, "The message that is to be answered is not in the prompt.", current)
        if assembled >= self.max_tokens:
            budget = f"of a budget of {self.system_budget:,}" if self.system_budget else "and have no budget"
            message = f"The components alone take {assembled:,} tokens {budget}; the whole prompt may take "
            ledger.report(SYSTEM_OVER_STAGE2, f"{message}{self.max_tokens:,}.", cut.left)
        texts = (piece if isinstance(piece, str) else ledger.text(piece) for piece in cut.pieces)
        rest = ledger.candidates.counts.count("".join(texts)) + ledger.cost(left)
        if rest > self.max_tokens:
            message = f"The rest after the emergency cut takes {rest:,} tokens, still more than {limit}."
            ledger.report(OVER_WINDOW, message, np.concatenate([cut.left, left]))


def _layout(components: Rows, messages: _Messages, *, fits: bool) -> Layout:
    """Return the layout: system message, then the conversation as said; its system messages first if not all fits."""

    def layout(assembly: Assembly) -> tuple[Block, ...]:
        blocks: list[Block] = [Joined("system", components, joint=PARAGRAPH)] if len(components) else []
        if fits:
            return (*blocks, Run(messages.rows))
        if len(messages.inside):
            blocks.append(Run(messages.inside, moved=True))
        return (*blocks, Run(messages.told[assembly.in_prompt[messages.told]]))

    return layout


def _emergency_layout(cut: CutSystem, left: Rows) -> Layout:
    """Return the layout of the rest of the system message, and of the conversation."""

    def layout(_: Assembly) -> tuple[Block, ...]:
        return (*((Composed("system", cut.pieces),) if cut.pieces else ()), Run(left))

    return layout
