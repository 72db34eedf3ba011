"""Defaults: decisions about kinds of candidates for which a policy has no rule of its own."""

import numpy as np

from inspector.assembly.columns import Kind, Rows, Section
from inspector.assembly.decisions import Assembly, Block, Joined, Layout, Run
from inspector.assembly.finding_kinds import NOT_PLACED, WINDOW_SMALLER_THAN_BUDGET
from inspector.assembly.items import LIST_MARK
from inspector.assembly.ledger import Ledger
from inspector.assembly.packing import highest_first, until_full
from inspector.assembly.reasons import ALWAYS, EVERYTHING_FITS, FILTERED, INACTIVE, PINNED, SWITCHED_OFF, Reason

MEMORY_HEADING = "Relevant memories:\n"
PARAGRAPH = "\n\n"
_NO_ROWS: Rows = np.empty(0, np.intp)


def keep_system_text(ledger: Ledger, *parts: Kind) -> int:
    """Keep the system text: system prompt, components switched on, and profile, or only its `parts`.

    Components are in the order of their priority. Return their tokens.
    """
    candidates = ledger.candidates

    def divided() -> tuple[Rows, Rows]:
        rows = ledger.rows(*parts) if parts else system_rows(ledger)
        is_on = candidates.active[rows]
        on = rows[is_on]
        return on[np.lexsort((candidates.priority[on], candidates.kind[on]))], rows[~is_on]

    on, off = candidates.before_messages.derived("system text", parts, divided)
    ledger.drop(off, SWITCHED_OFF, Section.SYSTEM)
    ledger.keep(on, ALWAYS, Section.SYSTEM)
    return ledger.cost(on)


def system_rows(ledger: Ledger) -> Rows:
    """Return the rows of the system text, switched off or not."""
    return ledger.rows(Kind.SYSTEM, Kind.COMPONENT, Kind.PROFILE)


def split_pinned(ledger: Ledger, rows: Rows) -> tuple[Rows, Rows]:
    """Split rows into the pinned and the others, each in the same order."""
    pinned = ledger.candidates.pinned[rows]
    return (rows[pinned], rows[~pinned]) if np.count_nonzero(pinned) else (rows[:0], rows)


def split_kind(ledger: Ledger, kind: Kind) -> tuple[Rows, Rows]:
    """Split the open rows of a kind into pinned and others; all assemblies of these candidates share the result."""
    candidates = ledger.candidates
    keeper = candidates if kind == Kind.MESSAGE else candidates.before_messages
    return keeper.derived("pinned apart", kind, lambda: split_pinned(ledger, ledger.rows(kind)))


def split_current(ledger: Ledger) -> tuple[Rows, Rows]:
    """Split the messages into those before the current one, and the current message: the last, if its role is user."""
    rows, current = ledger.rows(Kind.MESSAGE), ledger.candidates.current_message
    return rows[: len(rows) - len(current)], current


def memories_by_similarity(ledger: Ledger) -> tuple[Rows, Rows]:
    """Return the pinned memories, and the others, most similar first, scored by their similarity."""
    candidates = ledger.candidates

    def ordered() -> tuple[Rows, Rows]:
        pinned, others = split_pinned(ledger, ledger.rows(Kind.MEMORY))
        return pinned, others[highest_first(candidates.similarity[others])]

    pinned, others = candidates.before_messages.derived("memories by similarity", (), ordered)
    ledger.score(others, candidates.similarity[others])
    return pinned, others


def keep_all(ledger: Ledger, kind: Kind, section: Section, reason: Reason = EVERYTHING_FITS) -> None:
    """Keep everything of a kind, pinned first."""
    pinned, others = split_kind(ledger, kind)
    ledger.guarantee(pinned, PINNED, section)
    ledger.keep(others, reason, section)


def active_lore(ledger: Ledger) -> Rows:
    """Return the active lore entries, pinned ones included; drop the inactive ones."""
    rows = ledger.rows(Kind.LORE)
    if not len(rows):
        return rows
    wanted = ledger.candidates.active[rows] | ledger.candidates.pinned[rows]
    ledger.drop(rows[~wanted], INACTIVE, Section.LORE)
    return rows[wanted]


def fill_lore(ledger: Ledger, rows: Rows, room: int) -> int:
    """Pack active lore, in order, into the room left by the memories. Return the tokens spent."""
    if not len(rows):
        return 0
    pinned, others = split_pinned(ledger, rows)
    ledger.limit(Section.LORE, room)
    ledger.guarantee(pinned, PINNED, Section.LORE, room=room)
    spent = ledger.cost(pinned)
    return spent + ledger.fill(others, room - spent, Section.LORE)


def lore_cost_within(ledger: Ledger, rows: Rows, room: int) -> int:
    """Return the tokens `fill_lore` would spend, without deciding anything."""
    pinned, others = split_pinned(ledger, rows)
    spent = ledger.cost(pinned)
    return spent + ledger.cost(others[: until_full(ledger.costs[others], room - spent)])


def note_small_window(ledger: Ledger, tokens: int, what: str) -> None:
    """Report a window smaller than the maximum spending of a policy."""
    if tokens > ledger.window.tokens:
        message = f"{what} come to {tokens:,} tokens, more than the window of {ledger.window.tokens:,}."
        ledger.report(WINDOW_SMALLER_THAN_BUDGET, message)


def drop_unplaced(ledger: Ledger, *kinds: Kind) -> None:
    """Drop every candidate of kinds without a place in the policy, with a finding that counts them."""
    leave_out(ledger, ledger.rows(*kinds))


def leave_out(ledger: Ledger, rows: Rows, more: str = "") -> None:
    """Drop these rows, which have no place in the policy, with a finding that counts them and says `more`."""
    if len(rows):
        ledger.drop(rows, FILTERED)
        have, are = ("item has", "is") if len(rows) == 1 else ("items have", "are")
        said = f"{len(rows):,} {have} no place in this policy and {are} left out."
        ledger.report(NOT_PLACED, " ".join(filter(None, (said, more))), rows)


def standard_layout(memory_role: str) -> Layout:
    """Return the layout: system text, one message of memories, one of each other kind of text, then the messages."""

    def layout(assembly: Assembly) -> tuple[Block, ...]:
        blocks = list(paragraphs(assembly, Kind.SYSTEM, Kind.COMPONENT, Kind.PROFILE))
        if len(memories := rows_with_text(assembly, Kind.MEMORY)):
            blocks.append(Joined(memory_role, memories, MEMORY_HEADING, LIST_MARK, "\n"))
        for kind in _AFTER_MEMORIES:
            if kind in assembly.candidates.kinds:
                blocks += paragraphs(assembly, kind)
        blocks.append(Run(assembly.kept_rows(Kind.MESSAGE)))
        return tuple(blocks)

    return layout


def paragraphs(assembly: Assembly, *kinds: Kind) -> tuple[Block, ...]:
    """Return one system message of the texts of these kinds, joined by blank lines; nothing if there is no text."""
    rows = rows_with_text(assembly, *kinds)
    return (Joined("system", rows, joint=PARAGRAPH),) if len(rows) else ()


_AFTER_MEMORIES = (Kind.LORE, Kind.PASSAGE, Kind.SUMMARY, Kind.DOCUMENT, Kind.ATTACHMENT)


def rows_with_text(assembly: Assembly, *kinds: Kind) -> Rows:
    """Return the rows of these kinds in the prompt whose text is not empty."""
    parts = [rows for kind in kinds if len(rows := assembly.kept_rows(kind))]
    if not parts:
        return _NO_ROWS
    rows = parts[0] if len(parts) == 1 else np.concatenate(parts)
    return rows[assembly.candidates.items.lengths[rows] > 0]
