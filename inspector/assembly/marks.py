"""Marks: must-survive items, notes on items, and items needed by questions. They decide nothing.

They lead to findings, and to probes for measuring recall.
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
    """The key of a marked item: its id as shown in answers, and its conversation.

    "" is any conversation, for unique ids.
    """

    id: str
    conversation: str = ""


@dataclass(frozen=True)
class Marks:
    """The must-survive items, in the order of marking, the notes on items, and the needs of questions.

    Each of `questions` names its conversation and has its own id.
    """

    must_survive: tuple[ItemKey, ...] = ()
    notes: Mapping[ItemKey, str] = field(default_factory=dict)
    questions: tuple[Probe, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.must_survive or self.notes or self.questions)


@dataclass(frozen=True)
class MarkEdit:
    """Marks after a change, with the label of the change."""

    label: str
    marks: Marks


class MarkedRows(NamedTuple):
    """The marks of one conversation: a mask of the must-survive rows, and the notes by row."""

    must_survive: Bool
    notes: Mapping[int, str]


def toggle_must_survive(marks: Marks, items: ItemTexts, rows: Sequence[int], workspace: Workspace) -> MarkEdit:
    """Mark the items of these rows as having to survive, or unmark them if all are marked already."""
    are_all = bool(marked_rows(marks, items).must_survive[list(rows)].all())
    of_rows = _keys_of(marks.must_survive, items, rows)
    others = tuple(key for key in marks.must_survive if key not in of_rows)
    chosen = () if are_all else tuple(dict.fromkeys(item_key(items, row, workspace) for row in rows))
    what = items.names[rows[0]] if len(rows) == 1 else f"{len(rows):,} items"
    label = f"{what} need not survive" if are_all else f"{what} must survive"
    return MarkEdit(label, replace(marks, must_survive=(*others, *chosen)))


def write_note(marks: Marks, items: ItemTexts, row: int, workspace: Workspace, text: str) -> MarkEdit:
    """Set the note on the item of a row; an empty text removes it."""
    of_row = _keys_of(marks.notes, items, [row])
    notes = {key: note for key, note in marks.notes.items() if key not in of_row}
    written = {item_key(items, row, workspace): text.strip()} if text.strip() else {}
    return MarkEdit(f"Note on {items.names[row]}", replace(marks, notes={**notes, **written}))


def item_key(items: ItemTexts, row: int, workspace: Workspace) -> ItemKey:
    """Return the key of the item of a row, with its conversation if several are open and the id is not unique."""
    name, plain = items.names[row], items.plain_ids[row]
    if len(workspace.conversations) < 2 or items.conversation is None:
        return ItemKey(name)
    is_counted = isinstance(items.things[row], Message | Memory | LoreEntry | Character)
    is_its_alone = is_counted and sum(other.id == plain for other in _things_with_ids(workspace)) == 1
    return ItemKey(name) if is_its_alone else ItemKey(name, items.conversation.id)


def marked_rows(marks: Marks, items: ItemTexts) -> MarkedRows:
    """Return the marked rows of these items."""
    must_survive = np.zeros(len(items.things), np.bool_)
    called = _rows_by_key((*marks.must_survive, *marks.notes), items)
    for key in marks.must_survive:
        must_survive[called.get(key, [])] = True
    # A note with a conversation takes precedence over a note without.
    nearest = sorted(marks.notes, key=lambda key: key.conversation)
    return MarkedRows(must_survive, {row: marks.notes[key] for key in nearest for row in called.get(key, [])})


def _rows_by_key(keys: Iterable[ItemKey], items: ItemTexts) -> dict[ItemKey, list[int]]:
    """Map each key with matching items to its rows."""
    here = items.conversation.id if items.conversation else ""
    there = [key for key in keys if key.conversation in ("", here)]
    rows = items.rows_called(key.id for key in there)
    return {key: rows[key.id] for key in there if key.id in rows}


def _keys_of(keys: Iterable[ItemKey], items: ItemTexts, rows: Iterable[int]) -> set[ItemKey]:
    """Return the keys that match any of these rows."""
    wanted = set(rows)
    return {key for key, called in _rows_by_key(keys, items).items() if not wanted.isdisjoint(called)}


def lost_rows(assembly: Assembly, marked: MarkedRows) -> Bool:
    """Return which of the must-survive rows are dropped; rows not there yet in a replay are not lost."""
    return marked.must_survive & (assembly.fate == Fate.DROPPED)


def mark_findings(assembly: Assembly, marks: Marks) -> Iterator[Finding]:
    """Report dropped must-survive items, unless no prompt was made."""
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
    """Return the marks of a workspace after more was opened, still on the same items.

    A key without a conversation gets one if its id is no longer unique.
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
    """For each of these ids, list the conversations with a message of this id."""
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
