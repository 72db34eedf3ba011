"""Marks: which items must survive, notes on items, and which items questions need. They decide nothing.

What they concern becomes a finding, and probes that recall is measured by.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from inspector.assembly.columns import Bool, Fate
from inspector.assembly.decisions import Assembly, Finding
from inspector.assembly.finding_kinds import MUST_SURVIVE_DROPPED
from inspector.assembly.items import ItemTexts
from inspector.figures import counted
from inspector.model import Character, LoreEntry, Memory, Message, Probe, Workspace

NAMED_IN_FINDING = 3


class ItemKey(NamedTuple):
    """What a marked item is named by: its id as it is answered, and the conversation that it stands beside.

    "" is any conversation, for ids that nothing else has.
    """

    id: str
    conversation: str = ""


@dataclass(frozen=True)
class Marks:
    """The items that must survive, in the order they were marked, the notes on items, and what questions need.

    Each of `questions` names its conversation, and has an id of its own.
    """

    must_survive: tuple[ItemKey, ...] = ()
    notes: Mapping[ItemKey, str] = field(default_factory=dict)
    questions: tuple[Probe, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.must_survive or self.notes or self.questions)


@dataclass(frozen=True)
class MarkEdit:
    """Marks after a change, and what the change is called."""

    label: str
    marks: Marks


class MarkedRows(NamedTuple):
    """The marks of one conversation: a mask of the rows that must survive, and the notes by row."""

    must_survive: Bool
    notes: Mapping[int, str]


def toggle_must_survive(marks: Marks, items: ItemTexts, rows: Sequence[int], workspace: Workspace) -> MarkEdit:
    """Let the items of these rows have to survive, or none of them where all have to already."""
    are_all = bool(marked_rows(marks, items).must_survive[list(rows)].all())
    of_rows = _keys_of(marks.must_survive, items, rows)
    others = tuple(key for key in marks.must_survive if key not in of_rows)
    chosen = () if are_all else tuple(dict.fromkeys(item_key(items, row, workspace) for row in rows))
    what = items.names[rows[0]] if len(rows) == 1 else f"{len(rows):,} items"
    label = f"{what} need not survive" if are_all else f"{what} must survive"
    return MarkEdit(label, replace(marks, must_survive=(*others, *chosen)))


def write_note(marks: Marks, items: ItemTexts, row: int, workspace: Workspace, text: str) -> MarkEdit:
    """Note something on the item of a row; an empty text takes its note away."""
    of_row = _keys_of(marks.notes, items, [row])
    notes = {key: note for key, note in marks.notes.items() if key not in of_row}
    written = {item_key(items, row, workspace): text.strip()} if text.strip() else {}
    return MarkEdit(f"Note on {items.names[row]}", replace(marks, notes={**notes, **written}))


def item_key(items: ItemTexts, row: int, workspace: Workspace) -> ItemKey:
    """What the item of a row is named by: with its conversation where several are open and the id is not its alone."""
    name, plain = items.names[row], items.plain_ids[row]
    if len(workspace.conversations) < 2 or items.conversation is None:
        return ItemKey(name)
    is_counted = isinstance(items.things[row], Message | Memory | LoreEntry | Character)
    is_its_alone = is_counted and sum(other.id == plain for other in _things_with_ids(workspace)) == 1
    return ItemKey(name) if is_its_alone else ItemKey(name, items.conversation.id)


def marked_rows(marks: Marks, items: ItemTexts) -> MarkedRows:
    """The rows of these items that are marked."""
    must_survive = np.zeros(len(items.things), np.bool_)
    called = _rows_by_key((*marks.must_survive, *marks.notes), items)
    for key in marks.must_survive:
        must_survive[called.get(key, [])] = True
    # A note that says its conversation is nearer than one that says none.
    nearest = sorted(marks.notes, key=lambda key: key.conversation)
    return MarkedRows(must_survive, {row: marks.notes[key] for key in nearest for row in called.get(key, [])})


def _rows_by_key(keys: Iterable[ItemKey], items: ItemTexts) -> dict[ItemKey, list[int]]:
    """The rows that each of these keys names here, as far as it names any."""
    here = items.conversation.id if items.conversation else ""
    there = [key for key in keys if key.conversation in ("", here)]
    rows = items.rows_called(key.id for key in there)
    return {key: rows[key.id] for key in there if key.id in rows}


def _keys_of(keys: Iterable[ItemKey], items: ItemTexts, rows: Iterable[int]) -> set[ItemKey]:
    """Those of these keys that name any of these rows."""
    wanted = set(rows)
    return {key for key, called in _rows_by_key(keys, items).items() if not wanted.isdisjoint(called)}


def lost_rows(assembly: Assembly, marked: MarkedRows) -> Bool:
    """Which of the rows that must survive are dropped; what is not there yet in a replay is not lost."""
    return marked.must_survive & (assembly.fate == Fate.DROPPED)


def mark_findings(assembly: Assembly, marks: Marks) -> Iterator[Finding]:
    """That items are dropped which must survive. Where no prompt was made there is nothing to survive in."""
    if not marks.must_survive or assembly.error is not None:
        return
    rows = np.flatnonzero(lost_rows(assembly, marked_rows(marks, assembly.candidates.items)))
    if len(rows):
        some = ", ".join(assembly.candidates.ids[row] for row in rows[:NAMED_IN_FINDING].tolist())
        more = f" and {len(rows) - NAMED_IN_FINDING:,} more" if len(rows) > NAMED_IN_FINDING else ""
        verb = "is" if len(rows) == 1 else "are"
        message = f"{counted(len(rows), 'item')} that must survive {verb} dropped: {some}{more}."
        yield Finding(MUST_SURVIVE_DROPPED, message, rows)


def grown(marks: Marks, before: Workspace, after: Workspace) -> Marks:
    """The marks of a workspace when more is open than before: still on the items that they were on.

    What was named by its id alone, and is one of several of that id now, is named with its conversation.
    """
    names = {key.id for key in (*marks.must_survive, *marks.notes) if not key.conversation}
    if not names or len(after.conversations) < 2:
        return marks
    was, now = (_conversations_of(workspace, names) for workspace in (before, after))

    def keyed(key: ItemKey) -> ItemKey:
        chats = was.get(key.id, [])
        return ItemKey(key.id, chats[0]) if not key.conversation and len(chats) == 1 < len(now[key.id]) else key

    notes = {keyed(key): note for key, note in marks.notes.items()}
    return replace(marks, must_survive=tuple(map(keyed, marks.must_survive)), notes=notes)


def _conversations_of(workspace: Workspace, names: Iterable[str]) -> dict[str, list[str]]:
    """The conversations that have a message of an id, for each of these ids."""
    wanted, found = frozenset(names), dict[str, list[str]]()
    for chat in workspace.conversations:
        for message in chat.messages:
            if message.id in wanted:
                found.setdefault(message.id, []).append(chat.id)
    return found


def _things_with_ids(workspace: Workspace) -> Iterator[Any]:
    for chat in workspace.conversations:
        yield from chat.messages
    for memories in workspace.memory_sets:
        yield from memories.memories
    for book in workspace.lorebooks:
        yield from book.entries
    yield from workspace.characters
