"""slots: a fixed slot for each part of the prompt, and the rest of the window for memories (brainos-cortex)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from inspector.assembly.attached_files import files_block, fill_files
from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Action, Kind, Rows, Section, section_words
from inspector.assembly.decisions import Assembly, Block, Composed, Layout, Run
from inspector.assembly.defaults import (
    MEMORY_HEADING,
    active_lore,
    drop_unplaced,
    fill_lore,
    keep_system_text,
    memories_by_similarity,
    note_small_window,
    paragraphs,
    split_current,
    split_pinned,
)
from inspector.assembly.finding_kind import FindingKind
from inspector.assembly.ledger import Ledger
from inspector.assembly.policy import Traits, param
from inspector.assembly.policy_finding_kinds import ATTACHMENTS_OVER_SLOT, SLOT_EXCEEDED
from inspector.assembly.reasons import ALWAYS, PINNED
from inspector.assembly.thresholds import WINDOW, Budgets, Packing, Room, mask_of, pooled

HISTORY_PERCENT, ATTACHMENTS_PERCENT = 28, 36
"""Shares of the pool divided under `scale: window`, in whole percent of it, rounded down."""


@dataclass(frozen=True, slots=True)
class SlotSizes:
    """The slots in force, in tokens; that of the attachments is 0 if there are none."""

    system: int
    profile: int
    history: int
    response: int
    attachments: int

    @property
    def total(self) -> int:
        """Their total."""
        return self.system + self.profile + self.history + self.response + self.attachments


SLOT_BUDGETS = frozenset(("system_slot", "profile_slot", "history_slot", "response_slot"))
"""The parameters that affect only rooms."""
TRIED_PARTS = (0.05, 0.2, 0.5, 0.8)
SLOT_STEP = 10


def _divisions(window: int, prompt: int) -> Iterator[dict[str, Any]]:
    """Yield divisions: the reply slot takes the rest after a prompt, the conversation a part of the prompt.

    Nothing is reserved for the system text and the profile, which are charged at their cost.
    """
    response = max(0, window - prompt)
    for part in TRIED_PARTS:
        history = int(prompt * part) // SLOT_STEP * SLOT_STEP
        slots = {"history_slot": history, "response_slot": response, "system_slot": 0, "profile_slot": 0}
        yield {**slots, "scale": "fixed"}


@dataclass(frozen=True)
class Slots:
    """Sets aside a slot each for system prompt, profile, conversation, reply and attachments; memories get the rest."""

    system_slot: int = param(
        500,
        0,
        8000,
        step=10,
        scale="log",
        unit="tokens",
        group="slots",
        label="System",
        help="Tokens set aside for the system text.",
    )
    profile_slot: int = param(
        300,
        0,
        4000,
        step=10,
        scale="log",
        unit="tokens",
        group="slots",
        label="Profile",
        help="Tokens set aside for the profile.",
    )
    history_slot: int = param(
        2000,
        0,
        64_000,
        step=50,
        scale="log",
        unit="tokens",
        group="slots",
        label="Conversation",
        help="The limit of the conversation before this turn.",
        sizes="history",
    )
    response_slot: int = param(
        400,
        0,
        16_000,
        step=10,
        scale="log",
        unit="tokens",
        group="slots",
        label="Reply",
        help="Tokens kept free for the reply.",
        sizes="reply",
    )
    attachments_slot: int = param(
        2500,
        0,
        64_000,
        step=50,
        scale="log",
        unit="tokens",
        group="slots",
        label="Attachments",
        help="Tokens shared by attached files, if there are any.",
    )
    scale: str = param(
        "fixed",
        choices={
            "fixed": "every slot is as it is set",
            "window": "the conversation gets 28 % and attachments 36 % of the window left by the other slots",
        },
        help="Whether slots grow with the window.",
    )
    attachment_floor_chars: int = param(
        600,
        0,
        10_000,
        step=50,
        scale="log",
        unit="characters",
        label="Attachment floor",
        help="Each attachment gets at least this.",
        topic="documents",
    )
    chars_per_token: int = param(
        3, 0, 10, unit="characters", help="To turn the slot of the attachments into characters.", topic="documents"
    )

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. There is always a prompt, over the window if necessary."""
        ledger = Ledger(candidates, window)
        files = ledger.rows(Kind.DOCUMENT, Kind.ATTACHMENT)
        slots = self._sizes(window.tokens, len(files) > 0)
        note_small_window(ledger, slots.total, "The slots together")
        drop_unplaced(ledger, Kind.PASSAGE, Kind.SUMMARY)
        system = keep_system_text(ledger, Kind.SYSTEM, Kind.COMPONENT)
        profile = ledger.rows(Kind.PROFILE)
        ledger.keep(profile, ALWAYS, Section.PROFILE)
        history, current = split_current(ledger)
        spare = max(0, system - slots.system) + max(0, ledger.cost(profile) - slots.profile)
        room = max(0, window.tokens - slots.total - spare)
        limit_slots(ledger, slots, room, has_files=len(files) > 0)
        self._fill_memories(ledger, room)
        fill_history(ledger, history, slots.history)
        fill_files(ledger, files, slots.attachments * self.chars_per_token, self.attachment_floor_chars)
        ledger.keep(current, ALWAYS, Section.CURRENT)
        told = ledger.those_kept(ledger.rows(Kind.SYSTEM, Kind.COMPONENT))
        note_exceeded(ledger, SLOT_EXCEEDED, Section.SYSTEM, slots.system, told)
        note_exceeded(ledger, SLOT_EXCEEDED, Section.PROFILE, slots.profile, profile)
        # Not SLOT_EXCEEDED: each file gets its floor, whatever the slot, and the golden cases tell the two apart.
        note_exceeded(ledger, ATTACHMENTS_OVER_SLOT, Section.ATTACHMENTS, slots.attachments, files)
        return ledger.close(slots_layout(_system_text, files, history, current), reserve=slots.response)

    @property
    def traits(self) -> Traits:
        """The traits, with a default window for scenarios without one."""
        return Traits(
            title="Fixed slots",
            whose="brainos-cortex",
            default_window=8192,
            divisions=_divisions,
            packing=self.packing,
        )

    def packing(self, candidates: Candidates) -> Packing | None:
        """Return the thresholds of memories, lore and messages; None if the window decides how files are cut."""
        ledger = Ledger(candidates, ContextWindow(0))
        files = ledger.rows(Kind.DOCUMENT, Kind.ATTACHMENT)
        if len(files) and self.scale == "window":
            return None
        system, profile = keep_system_text(ledger, Kind.SYSTEM, Kind.COMPONENT), ledger.rows(Kind.PROFILE)
        earlier, current = split_current(ledger)
        pinned, memories = self._memories_as_lines(ledger)
        pinned_lore, lore = split_pinned(ledger, active_lore(ledger))
        told, history = split_pinned(ledger, earlier)
        fill_files(ledger, files, self.attachments_slot * self.chars_per_token, self.attachment_floor_chars)
        system_text = ledger.those_kept(ledger.rows(Kind.SYSTEM, Kind.COMPONENT))
        sure = mask_of(candidates, system_text, profile, files, current, pinned, pinned_lore, told)
        attachments = self.attachments_slot if len(files) else 0
        pools = tuple(pooled(rows, ledger.costs) for rows in (memories, lore, history[::-1]))
        before = tuple(map(ledger.cost, (pinned, pinned_lore, told)))

        def rooms(given: Budgets) -> Room:
            others = given["system_slot"] + given["profile_slot"] + given["response_slot"]
            pool = np.maximum(0, given[WINDOW] - others)
            scaled = given["scale"] == "window" if "scale" in given else np.False_
            slot = np.where(scaled, pool * HISTORY_PERCENT // 100, given["history_slot"])
            spare = np.maximum(0, system - given["system_slot"])
            spare = spare + np.maximum(0, ledger.cost(profile) - given["profile_slot"])
            room = np.maximum(0, given[WINDOW] - others - slot - attachments - spare)
            spent = before[0] + (pools[0].spent(room - before[0]) if len(lore) else 0)
            rest = np.maximum(0, room - spent)
            return Room((room - before[0], rest - before[1], slot - before[2]), np.zeros((), np.bool_))

        budgets = SLOT_BUDGETS if len(files) else SLOT_BUDGETS | {"scale"}
        return Packing(budgets, ledger.forms, sure, pools, rooms)

    def _sizes(self, window: int, has_files: bool) -> SlotSizes:
        """Return the slots as given, or with history and attachments scaled to the window."""
        history, attachments = self.history_slot, self.attachments_slot
        if self.scale == "window":
            pool = max(0, window - self.system_slot - self.profile_slot - self.response_slot)
            history, attachments = pool * HISTORY_PERCENT // 100, pool * ATTACHMENTS_PERCENT // 100
        return SlotSizes(
            self.system_slot, self.profile_slot, history, self.response_slot, attachments if has_files else 0
        )

    def _fill_memories(self, ledger: Ledger, room: int) -> None:
        """Pack memories as lines, most similar first, then lore in the rest."""
        pinned, others = self._memories_as_lines(ledger)
        ledger.guarantee(pinned, PINNED, Section.MEMORY, room=room)
        spent = ledger.cost(pinned)
        spent += ledger.fill(others, room - spent, Section.MEMORY)
        fill_lore(ledger, active_lore(ledger), max(0, room - spent))

    def _memories_as_lines(self, ledger: Ledger) -> tuple[Rows, Rows]:
        """Return the pinned memories, and the others, most similar first, charged as lines."""
        candidates, rows = ledger.candidates, ledger.rows(Kind.MEMORY)
        costs = np.where(candidates.recorded[rows], candidates.tokens[rows], candidates.line_tokens[rows])
        ledger.reshape(rows, Action.KEPT, None, costs, candidates.items.lines.__getitem__)
        return memories_by_similarity(ledger)


def limit_slots(ledger: Ledger, slots: SlotSizes, room: int, *, has_files: bool) -> None:
    """Declare the sections of the budget; `room` is the limit of the memories."""
    ledger.limit(Section.SYSTEM, slots.system)
    ledger.limit(Section.PROFILE, slots.profile)
    ledger.limit(Section.MEMORY, room)
    ledger.limit(Section.HISTORY, slots.history)
    ledger.limit(Section.CURRENT, None)
    if has_files:
        ledger.limit(Section.ATTACHMENTS, slots.attachments)


def fill_history(ledger: Ledger, rows: Rows, room: int) -> None:
    """Pack pinned messages, then the others, newest first, up to the first misfit."""
    pinned, others = split_pinned(ledger, rows)
    ledger.guarantee(pinned, PINNED, Section.HISTORY, room=room)
    ledger.fill(others[::-1], room - ledger.cost(pinned), Section.HISTORY)


def note_exceeded(ledger: Ledger, kind: FindingKind, section: Section, slot: int, rows: Rows) -> None:
    """Report rows that cost more than the slot of their section."""
    excess = ledger.cost(rows) - slot
    if excess > 0:
        message = f"The {section_words(section)} slot of {slot:,} tokens is exceeded by {excess:,}; nothing is cut."
        ledger.report(kind, message, rows)


def slots_layout(
    system_text: Callable[[Assembly], tuple[Block, ...]], files: Rows | None, history: Rows, current: Rows
) -> Layout:
    """Return the layout: system text, memories, lore, history, attached files, and last the current message.

    `files` is None if nothing is quoted, not even the skipped files.
    """

    def layout(assembly: Assembly) -> tuple[Block, ...]:
        candidates, memories = assembly.candidates, assembly.kept_rows(Kind.MEMORY).tolist()
        blocks: list[Block] = list(system_text(assembly))
        if memories:
            blocks.append(Composed("system", (MEMORY_HEADING, *memories)))
        blocks += paragraphs(assembly, Kind.LORE)
        blocks.append(Run(history[assembly.in_prompt[history]]))
        if files is not None and (len(files) or candidates.items.skipped):
            blocks.append(files_block(candidates, files))
        return (*blocks, Run(current))

    return layout


def _system_text(assembly: Assembly) -> tuple[Block, ...]:
    """Return the system text with the profile at its end."""
    return paragraphs(assembly, Kind.SYSTEM, Kind.COMPONENT, Kind.PROFILE)
