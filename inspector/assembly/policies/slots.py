"""slots: a fixed slot for each part of the prompt, and what they leave of the window for memories (brainos-cortex)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Action, Kind, Rows, Section, word
from inspector.assembly.decisions import Assembly, Block, Composed, Layout, Run
from inspector.assembly.ledger import Ledger
from inspector.assembly.packing import highest_first
from inspector.assembly.places import (
    MEMORY_HEADING,
    active_lore,
    drop_unplaced,
    fill_lore,
    keep_system_text,
    note_small_window,
    paragraphs,
    split_current,
    split_pinned,
)
from inspector.assembly.policy import param
from inspector.assembly.reasons import ALWAYS, CUT, GETS_ITS_SHARE, PINNED
from inspector.model import Document, SkippedFile

HISTORY_PERCENT, ATTACHMENTS_PERCENT = 28, 36
"""Shares of the pool that `scale: window` divides, in whole percent of it, rounded down."""
CUT_MARK = "\n…[truncated]"
ROOM_FOR_CUT_MARK = 20
"""Code points that an attachment which is cut gives up below its cap; the mark itself takes fewer."""


@dataclass(frozen=True, slots=True)
class _Sizes:
    """The slots in force, in tokens; that of the attachments is 0 where there are none."""

    system: int
    profile: int
    history: int
    response: int
    attachments: int

    @property
    def total(self) -> int:
        return self.system + self.profile + self.history + self.response + self.attachments


@dataclass(frozen=True)
class Slots:
    """A slot each for system prompt, profile, history, reply and attachments; memories get what is left."""

    default_window: ClassVar[int] = 8192

    system_slot: int = param(500, 0, 8000, step=10, unit="tokens", group="slots", help="Set aside for the system text.")
    profile_slot: int = param(300, 0, 4000, step=10, unit="tokens", group="slots", help="Set aside for the profile.")
    history_slot: int = param(
        2000, 0, 64_000, step=50, unit="tokens", group="slots", help="What the conversation before this turn may cost."
    )
    response_slot: int = param(400, 0, 16_000, step=10, unit="tokens", group="slots", help="Kept free for the reply.")
    attachments_slot: int = param(
        2500, 0, 64_000, step=50, unit="tokens", group="slots", help="What attached files share, where there are any."
    )
    scale: str = param(
        "fixed",
        choices=("fixed", "window"),
        help="Slots as they are, or history and attachments as shares of what the other slots leave of the window.",
    )
    attachment_floor_chars: int = param(
        600, 0, 10_000, step=50, unit="characters", label="Attachment floor", help="Every attachment gets so much."
    )
    chars_per_token: int = param(
        3, 0, 10, unit="characters", help="To turn the slot of the attachments into characters."
    )

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. There is always a prompt, over the window if need be."""
        book = Ledger(candidates, window)
        files = book.rows(Kind.DOCUMENT, Kind.ATTACHMENT)
        slots = self._sizes(window.tokens, len(files) > 0)
        note_small_window(book, slots.total, "The slots together")
        drop_unplaced(book, Kind.PASSAGE, Kind.SUMMARY)
        system = keep_system_text(book, Kind.SYSTEM, Kind.COMPONENT)
        profile = book.rows(Kind.PROFILE)
        book.keep(profile, ALWAYS, Section.PROFILE)
        history, current = split_current(book)
        spare = max(0, system - slots.system) + max(0, book.cost(profile) - slots.profile)
        room = max(0, window.tokens - slots.total - spare)
        _limit(book, slots, room, has_files=len(files) > 0)
        self._fill_memories(book, room)
        _fill_history(book, history, slots.history)
        self._fill_files(book, files, slots.attachments)
        book.keep(current, ALWAYS, Section.CURRENT)
        _note_exceeded(book, "slot_exceeded", Section.SYSTEM, slots.system, system)
        _note_exceeded(book, "slot_exceeded", Section.PROFILE, slots.profile, book.cost(profile))
        # Not `slot_exceeded`, as policies.md has it: its golden cases rule that out where the floor exceeds the slot.
        _note_exceeded(book, "attachments_over_slot", Section.ATTACHMENTS, slots.attachments, book.cost(files))
        return book.close(_layout(files, history, current), reserve=slots.response)

    def _sizes(self, window: int, has_files: bool) -> _Sizes:
        """The slots as they are given, or with history and attachments scaled to the window."""
        history, attachments = self.history_slot, self.attachments_slot
        if self.scale == "window":
            pool = max(0, window - self.system_slot - self.profile_slot - self.response_slot)
            history, attachments = pool * HISTORY_PERCENT // 100, pool * ATTACHMENTS_PERCENT // 100
        return _Sizes(self.system_slot, self.profile_slot, history, self.response_slot, attachments if has_files else 0)

    def _fill_memories(self, book: Ledger, room: int) -> None:
        """Memories as lines, the most similar first, then lore in what they leave."""
        candidates = book.candidates
        rows = book.rows(Kind.MEMORY)
        costs = np.where(candidates.recorded[rows], candidates.tokens[rows], candidates.line_tokens[rows])
        book.reshape(rows, Action.KEPT, None, costs, candidates.items.lines.__getitem__)
        pinned, others = split_pinned(book, rows)
        similarity = candidates.similarity[others]
        book.score(others, similarity)
        book.guarantee(pinned, PINNED, Section.MEMORY, room=room)
        spent = book.cost(pinned)
        spent += book.fill(others[highest_first(similarity)], room - spent, Section.MEMORY)
        fill_lore(book, active_lore(book), max(0, room - spent))

    def _fill_files(self, book: Ledger, rows: Rows, slot: int) -> None:
        """Attachments in order, each cut to its part of the characters that are left, or to the floor."""
        candidates = book.candidates
        lengths = candidates.items.lengths[rows].tolist()
        caps: dict[int, int] = {}
        used = 0
        for place, (row, length) in enumerate(zip(rows.tolist(), lengths, strict=True)):
            part = (slot * self.chars_per_token - used) // (len(rows) - place)
            cap = max(self.attachment_floor_chars, part)
            if length > cap:
                caps[row] = max(0, cap - ROOM_FOR_CUT_MARK)
                length = caps[row] + len(CUT_MARK)
            used += length

        def beginning(row: int) -> str:
            return candidates.texts[row][: caps[row]] + CUT_MARK

        for row, length in caps.items():
            cut = np.array([row], np.intp)
            costs = candidates.form_tokens(cut, ("code points and mark", length), beginning)
            book.reshape(cut, Action.TRUNCATED, CUT, costs, beginning)
        pinned = candidates.pinned[rows]
        book.guarantee(rows[pinned], PINNED, Section.ATTACHMENTS)
        book.keep(rows[~pinned], GETS_ITS_SHARE, Section.ATTACHMENTS)


def _limit(book: Ledger, slots: _Sizes, room: int, *, has_files: bool) -> None:
    """Declare the sections of the budget."""
    book.limit(Section.SYSTEM, slots.system)
    book.limit(Section.PROFILE, slots.profile)
    book.limit(Section.MEMORY, room)
    book.limit(Section.HISTORY, slots.history)
    book.limit(Section.CURRENT, None)
    if has_files:
        book.limit(Section.ATTACHMENTS, slots.attachments)


def _fill_history(book: Ledger, rows: Rows, room: int) -> None:
    """Pinned messages, then the others, newest first, until one does not fit."""
    pinned, others = split_pinned(book, rows)
    book.guarantee(pinned, PINNED, Section.HISTORY, room=room)
    book.fill(others[::-1], room - book.cost(pinned), Section.HISTORY)


def _note_exceeded(book: Ledger, code: str, section: Section, slot: int, spent: int) -> None:
    if spent > slot:
        message = f"The {word(section)} slot of {slot:,} tokens is exceeded by {spent - slot:,}; nothing is cut."
        book.find(code, "warning", message)


def _layout(files: Rows, history: Rows, current: Rows) -> Layout:
    """System text with the profile, memories, lore, history, attached files, and last the current message."""

    def layout(assembly: Assembly) -> tuple[Block, ...]:
        candidates, memories = assembly.candidates, assembly.kept_rows(Kind.MEMORY).tolist()
        blocks: list[Block] = list(paragraphs(assembly, Kind.SYSTEM, Kind.COMPONENT, Kind.PROFILE))
        if memories:
            blocks.append(Composed("system", (MEMORY_HEADING, *memories)))
        blocks += paragraphs(assembly, Kind.LORE)
        blocks.append(Run(history[assembly.in_prompt[history]]))
        if len(files) or candidates.items.skipped:
            blocks.append(_files_block(candidates, files))
        return (*blocks, Run(current))

    return layout


def _files_block(candidates: Candidates, rows: Rows) -> Composed:
    """One message that quotes the attached files and names those that were skipped."""
    pieces: list[str | int] = []
    for row in rows.tolist():
        thing = candidates.things[row]
        path = thing.title or thing.id if isinstance(thing, Document) else candidates.items.plain_ids[row]
        pieces += [f'<ATTACHED_CONTENT path="{_quoted(path)}">\n', row, "\n</ATTACHED_CONTENT>\n"]
    return Composed("user", (*pieces, *map(_skipped_line, candidates.items.skipped)))


def _skipped_line(file: SkippedFile) -> str:
    return f'<SKIPPED_PATH path="{_quoted(file.path)}" reason="{_quoted(file.reason)}"/>\n'


def _quoted(text: str) -> str:
    """Text that ends no attribute: double quotes become single ones."""
    return text.replace('"', "'")
