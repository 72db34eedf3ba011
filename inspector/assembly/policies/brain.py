"""brain: the slots as brainos-cortex spends them, charging its whole system message to the memories."""

from dataclasses import dataclass

import numpy as np

from inspector.assembly.attached_files import fill_files
from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Action, Kind, Rows, Section
from inspector.assembly.decisions import Assembly, Block, Composed
from inspector.assembly.defaults import (
    PARAGRAPH,
    active_lore,
    drop_unplaced,
    fill_lore,
    keep_system_text,
    note_small_window,
    split_current,
    split_pinned,
)
from inspector.assembly.ledger import Ledger
from inspector.assembly.packing import until_full
from inspector.assembly.policies.slots import Slots, fill_history, limit_slots, note_exceeded, slots_layout
from inspector.assembly.policy import param
from inspector.assembly.policy_finding_kinds import (
    ATTACHMENTS_OVER_SLOT,
    NEWEST_MESSAGE_TOO_LONG,
    NO_ROOM_FOR_MEMORY,
    SLOT_EXCEEDED,
    SYSTEM_CHARGED_TO_MEMORY,
)
from inspector.assembly.reasons import ALWAYS, PINNED, SWITCHED_OFF
from inspector.assembly.thresholds import Packing
from inspector.model import Memory, Profile

EPISODIC = frozenset({"episodic", "experience", "story"})
"""Types of memories presented as episodes; all others are presented as knowledge."""
PROFILE_HEADING = "User Profile: "


@dataclass(frozen=True)
class Brain(Slots):
    """Fixed slots, as published: slots are set aside in full, and memories follow in file order."""

    quote_files: bool = param(
        True,
        label="Attached files",
        help="Quote attached files and name skipped ones, or leave them all out.",
        topic="documents",
    )

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. There is always a prompt, over the window if necessary."""
        ledger = Ledger(candidates, window)
        slots = self._sizes(window.tokens, has_files=self.quote_files)
        note_small_window(ledger, slots.total, "The slots together")
        room = max(0, window.tokens - slots.total)
        files = ledger.rows(Kind.DOCUMENT, Kind.ATTACHMENT)
        kept_files = files if self.quote_files else None
        limit_slots(ledger, slots, room, has_files=self.quote_files and len(files) > 0)
        unplaced = () if self.quote_files else (Kind.DOCUMENT, Kind.ATTACHMENT)
        drop_unplaced(ledger, Kind.PASSAGE, Kind.SUMMARY, *unplaced)
        keep_system_text(ledger, Kind.SYSTEM, Kind.COMPONENT)
        profile = _keep_profile(ledger)
        _fill_memories(ledger, room)
        history, current = split_current(ledger)
        _note_long_newest(ledger, history, slots.history)
        fill_history(ledger, history, slots.history)
        if kept_files is not None:
            self._fill_files(ledger, kept_files, slots.attachments)
        ledger.keep(current, ALWAYS, Section.CURRENT)
        told = ledger.those_kept(ledger.rows(Kind.SYSTEM, Kind.COMPONENT))
        note_exceeded(ledger, SLOT_EXCEEDED, Section.SYSTEM, slots.system, told)
        note_exceeded(ledger, SLOT_EXCEEDED, Section.PROFILE, slots.profile, profile)
        return ledger.close(slots_layout(_system_block, kept_files, history, current), reserve=slots.response)

    def packing(self, candidates: Candidates) -> Packing | None:
        """Return None: this policy does not report how its slots fill."""
        return None

    def _fill_files(self, ledger: Ledger, rows: Rows, slot: int) -> None:
        """Keep attached files, whose tags use up the characters of the slot too."""
        budget = slot * self.chars_per_token
        used = fill_files(ledger, rows, budget, self.attachment_floor_chars, counts_tags=True)
        if used > budget:
            message = (
                f"The attached files take {used:,} characters with their tags, {used - budget:,} more than the "
                f"{budget:,} of their slot."
            )
            ledger.report(ATTACHMENTS_OVER_SLOT, message, rows)


def profile_sentences(profile: Profile) -> str:
    """Return a profile as sentences in one line, without unknown values."""
    sentences = (
        f"The user's name is {profile.name}." if profile.name else "",
        f"User preferences: {', '.join(profile.preferences)}" if profile.preferences else "",
        f"User goals: {', '.join(profile.goals)}" if profile.goals else "",
        f"Key facts: {'; '.join(profile.facts)}" if profile.facts else "",
    )
    return " ".join(filter(None, sentences))


def memory_line(memory: Memory, text: str) -> str:
    """Return the line of a memory, with its kind and, if recorded, its agent."""
    kind = "Episodic" if memory.type in EPISODIC else "Semantic"
    return f"- [{kind}, agent: {memory.agent}] {text}\n" if memory.agent else f"- [{kind}] {text}\n"


def _keep_profile(ledger: Ledger) -> Rows:
    """Keep the profile as sentences, or leave out an empty profile. Return its row."""
    candidates, rows = ledger.candidates, ledger.rows(Kind.PROFILE)

    def sentences(row: int) -> str:
        profile = candidates.things[row]
        return profile_sentences(profile) if isinstance(profile, Profile) else ""

    costs = candidates.form_tokens(rows, "profile sentences", sentences)
    ledger.reshape(rows, Action.KEPT, None, costs, sentences)
    ledger.drop(rows[costs == 0], SWITCHED_OFF, Section.PROFILE)
    ledger.keep(rows[costs > 0], ALWAYS, Section.PROFILE)
    return rows[costs > 0]


def _fill_memories(ledger: Ledger, room: int) -> None:
    """Pack memories in file order, then lore, into the memories' own limit less the whole system message."""
    candidates, rows = ledger.candidates, ledger.rows(Kind.MEMORY)

    def line(row: int) -> str:
        memory = candidates.things[row]
        return memory_line(memory, candidates.texts[row]) if isinstance(memory, Memory) else ""

    counted = candidates.form_tokens(rows, "line with kind", line)
    costs = np.where(candidates.recorded[rows], candidates.tokens[rows], counted)
    ledger.reshape(rows, Action.KEPT, None, costs, line)
    system = _system_tokens(ledger)
    pinned, others = split_pinned(ledger, rows)
    ledger.guarantee(pinned, PINNED, Section.MEMORY, room=room - system)
    left = room - system - ledger.cost(pinned)
    _note_charged_system(ledger, others, left, system, room)
    left -= ledger.fill(others, left, Section.MEMORY)
    fill_lore(ledger, active_lore(ledger), max(0, left))


def _system_tokens(ledger: Ledger) -> int:
    """Return the tokens of the whole system message, using recorded counts where available."""
    candidates = ledger.candidates
    rows = ledger.those_kept(ledger.rows(Kind.SYSTEM, Kind.COMPONENT, Kind.PROFILE))
    parts = _system_pieces(candidates, rows)
    texts = (piece if isinstance(piece, str) else ledger.text(piece) for piece in parts)
    recorded = rows[candidates.recorded[rows]].tolist()
    plain = sum(candidates.counts.count(candidates.texts[row]) for row in recorded)
    return candidates.counts.count("".join(texts)) + sum(int(candidates.tokens[row]) for row in recorded) - plain


def _note_charged_system(ledger: Ledger, memories: Rows, left: int, system: int, room: int) -> None:
    """Report the memories lost because the system message is charged to their limit, of which `left` is left."""
    fitting = until_full(ledger.costs[memories], left)
    lost = until_full(ledger.costs[memories], left + system) - fitting
    if lost > 0:
        message = (
            f"The system message of {system:,} tokens is taken from the {room:,} for memories as well: {lost:,} "
            f"{'memory that would have fitted is' if lost == 1 else 'memories that would have fitted are'} left out."
        )
        ledger.report(SYSTEM_CHARGED_TO_MEMORY, message, memories[fitting : fitting + lost])
    if system >= room and len(memories):
        message = f"The system message alone, {system:,} tokens, takes all of the {room:,} set aside for memories."
        ledger.report(NO_ROOM_FOR_MEMORY, message)


def _note_long_newest(ledger: Ledger, history: Rows, slot: int) -> None:
    newest = history[-1:]
    if len(newest) and not ledger.candidates.pinned[newest].any() and ledger.cost(newest) > slot:
        message = (
            f"The newest message before the current one takes {ledger.cost(newest):,} tokens, more than the "
            f"conversation slot of {slot:,}; no older message is looked at."
        )
        ledger.report(NEWEST_MESSAGE_TOO_LONG, message, newest)


def _system_pieces(candidates: Candidates, rows: Rows) -> tuple[str | int, ...]:
    """Return the texts of the system message, joined by blank lines, the profile under its heading."""
    pieces: list[str | int] = []
    for row in rows.tolist():
        if candidates.texts[row]:
            is_profile = candidates.kind[row] == Kind.PROFILE
            pieces += [*([PARAGRAPH] if pieces else []), *([PROFILE_HEADING] if is_profile else []), row]
    return tuple(pieces)


def _system_block(assembly: Assembly) -> tuple[Block, ...]:
    rows = np.concatenate([assembly.kept_rows(kind) for kind in (Kind.SYSTEM, Kind.COMPONENT, Kind.PROFILE)])
    pieces = _system_pieces(assembly.candidates, rows)
    return (Composed("system", pieces),) if pieces else ()
