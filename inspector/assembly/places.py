"""Places: what every policy does with the kinds of candidates that it says nothing of itself (policies.md, Places)."""

import numpy as np

from inspector.assembly.candidates import LIST_MARK
from inspector.assembly.columns import Kind, Rows, Section
from inspector.assembly.decisions import Assembly, Block, Joined, Layout, Run
from inspector.assembly.ledger import Ledger
from inspector.assembly.packing import until_full
from inspector.assembly.reasons import ALWAYS, EVERYTHING_FITS, FILTERED, INACTIVE, PINNED, SWITCHED_OFF, Reason

MEMORY_HEADING = "Relevant memories:\n"
PARAGRAPH = "\n\n"


def keep_system_text(book: Ledger) -> int:
    """Keep the system prompt, the components that are switched on and the profile. Returns their tokens."""
    rows = book.rows(Kind.SYSTEM, Kind.COMPONENT, Kind.PROFILE)
    on = rows[book.candidates.active[rows]]
    book.drop(rows[~book.candidates.active[rows]], SWITCHED_OFF, Section.SYSTEM)
    book.keep(on, ALWAYS, Section.SYSTEM)
    return book.cost(on)


def split_pinned(book: Ledger, rows: Rows) -> tuple[Rows, Rows]:
    """The pinned of these rows, and the others, each in the same order."""
    pinned = book.candidates.pinned[rows]
    return rows[pinned], rows[~pinned]


def keep_all(book: Ledger, kind: Kind, section: Section, reason: Reason = EVERYTHING_FITS) -> None:
    """Keep everything of a kind, pinned first."""
    pinned, others = split_pinned(book, book.rows(kind))
    book.guarantee(pinned, PINNED, section)
    book.keep(others, reason, section)


def active_lore(book: Ledger) -> Rows:
    """The lore entries that are active, those of them pinned first; the inactive ones are dropped."""
    rows = book.rows(Kind.LORE)
    wanted = book.candidates.active[rows] | book.candidates.pinned[rows]
    book.drop(rows[~wanted], INACTIVE, Section.LORE)
    return rows[wanted]


def fill_lore(book: Ledger, rows: Rows, room: int) -> int:
    """Pack active lore, in order, into what the memories left. Returns the tokens it spent."""
    pinned, others = split_pinned(book, rows)
    book.limit(Section.LORE, room)
    book.guarantee(pinned, PINNED, Section.LORE, room=room)
    spent = book.cost(pinned)
    return spent + book.fill(others, room - spent, Section.LORE)


def lore_cost_within(book: Ledger, rows: Rows, room: int) -> int:
    """What `fill_lore` would spend, without deciding anything."""
    pinned, others = split_pinned(book, rows)
    spent = book.cost(pinned)
    return spent + book.cost(others[: until_full(book.costs[others], room - spent)])


def drop_unplaced(book: Ledger, *kinds: Kind) -> None:
    """Drop every candidate of kinds that the policy has no place for, with the finding that counts them."""
    rows = book.rows(*kinds)
    if len(rows):
        book.drop(rows, FILTERED)
        noun = "item has" if len(rows) == 1 else "items have"
        book.find("not_placed", "info", f"{len(rows):,} {noun} no place in this policy and are left out.", rows)


def standard_layout(memory_role: str) -> Layout:
    """System text, one message of memories and one of each other kind of text, then the messages as they were said."""

    def layout(assembly: Assembly) -> tuple[Block, ...]:
        in_prompt = assembly.order[assembly.in_prompt[assembly.order]]
        kinds = assembly.candidates.kind[in_prompt]
        texts = (in_prompt[kinds < Kind.MEMORY], *(in_prompt[kinds == kind] for kind in _LISTED))
        blocks: list[Block] = []
        for kind, rows in zip((Kind.SYSTEM, *_LISTED), texts, strict=True):
            filled = np.array([row for row in rows if assembly.candidates.texts[row]], dtype=np.intp)
            if len(filled):
                blocks.append(_block(kind, filled, memory_role))
        blocks.append(Run(in_prompt[kinds == Kind.MESSAGE]))
        return tuple(blocks)

    return layout


_LISTED = (Kind.MEMORY, Kind.LORE, Kind.PASSAGE, Kind.SUMMARY, Kind.DOCUMENT, Kind.ATTACHMENT)


def _block(kind: Kind, rows: Rows, memory_role: str) -> Block:
    if kind is Kind.MEMORY:
        return Joined(memory_role, rows, MEMORY_HEADING, LIST_MARK, "\n")
    return Joined("system", rows, joint=PARAGRAPH)
