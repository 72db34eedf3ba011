"""Places: what every policy does with the kinds of candidates that it says nothing of itself."""

import numpy as np

from inspector.assembly.columns import Kind, Rows, Section
from inspector.assembly.decisions import Assembly, Block, Joined, Layout, Run
from inspector.assembly.finding_kinds import NOT_PLACED, WINDOW_SMALLER_THAN_BUDGET
from inspector.assembly.items import LIST_MARK
from inspector.assembly.ledger import Ledger
from inspector.assembly.packing import until_full
from inspector.assembly.reasons import ALWAYS, EVERYTHING_FITS, FILTERED, INACTIVE, PINNED, SWITCHED_OFF, Reason

MEMORY_HEADING = "Relevant memories:\n"
PARAGRAPH = "\n\n"


def keep_system_text(book: Ledger, *parts: Kind) -> int:
    """Keep the system text: system prompt, components that are switched on, and profile, or those `parts` of it.

    Components stand in the order of their priority. Returns their tokens.
    """
    rows = book.rows(*(parts or (Kind.SYSTEM, Kind.COMPONENT, Kind.PROFILE)))
    on = rows[book.candidates.active[rows]]
    book.drop(rows[~book.candidates.active[rows]], SWITCHED_OFF, Section.SYSTEM)
    book.keep(on[np.lexsort((book.candidates.priority[on], book.candidates.kind[on]))], ALWAYS, Section.SYSTEM)
    return book.cost(on)


def split_pinned(book: Ledger, rows: Rows) -> tuple[Rows, Rows]:
    """The pinned of these rows, and the others, each in the same order."""
    pinned = book.candidates.pinned[rows]
    return rows[pinned], rows[~pinned]


def split_current(book: Ledger) -> tuple[Rows, Rows]:
    """The messages before the current one, and the current one: the last, if its role is user."""
    rows, current = book.rows(Kind.MESSAGE), book.candidates.current_message
    return rows[: len(rows) - len(current)], current


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
    if not len(rows):
        return 0
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


def note_small_window(book: Ledger, tokens: int, what: str) -> None:
    """Report where what a policy would spend at most exceeds the window."""
    if tokens > book.window.tokens:
        message = f"{what} come to {tokens:,} tokens, more than the window of {book.window.tokens:,}."
        book.report(WINDOW_SMALLER_THAN_BUDGET, message)


def drop_unplaced(book: Ledger, *kinds: Kind) -> None:
    """Drop every candidate of kinds that the policy has no place for, with the finding that counts them."""
    leave_out(book, book.rows(*kinds))


def leave_out(book: Ledger, rows: Rows) -> None:
    """Drop these rows, which the policy has no place for, with the finding that counts them."""
    if len(rows):
        book.drop(rows, FILTERED)
        noun = "item has" if len(rows) == 1 else "items have"
        book.report(NOT_PLACED, f"{len(rows):,} {noun} no place in this policy and are left out.", rows)


def standard_layout(memory_role: str) -> Layout:
    """System text, one message of memories and one of each other kind of text, then the messages as they were said."""

    def layout(assembly: Assembly) -> tuple[Block, ...]:
        blocks = list(paragraphs(assembly, Kind.SYSTEM, Kind.COMPONENT, Kind.PROFILE))
        if len(memories := _with_text(assembly, Kind.MEMORY)):
            blocks.append(Joined(memory_role, memories, MEMORY_HEADING, LIST_MARK, "\n"))
        for kind in _AFTER_MEMORIES:
            blocks += paragraphs(assembly, kind)
        blocks.append(Run(assembly.kept_rows(Kind.MESSAGE)))
        return tuple(blocks)

    return layout


def paragraphs(assembly: Assembly, *kinds: Kind) -> tuple[Block, ...]:
    """One system message of the texts of these kinds, joined by blank lines; nothing where there is no text."""
    rows = _with_text(assembly, *kinds)
    return (Joined("system", rows, joint=PARAGRAPH),) if len(rows) else ()


_AFTER_MEMORIES = (Kind.LORE, Kind.PASSAGE, Kind.SUMMARY, Kind.DOCUMENT, Kind.ATTACHMENT)


def _with_text(assembly: Assembly, *kinds: Kind) -> Rows:
    """The rows of these kinds in the prompt that hold any text."""
    texts = assembly.candidates.texts
    rows = (row for kind in kinds for row in assembly.kept_rows(kind).tolist())
    return np.array([row for row in rows if texts[row]], dtype=np.intp)
