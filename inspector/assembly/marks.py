"""Marks: must-survive items, notes on items, and items needed by questions. They decide nothing.

They lead to findings, and to probes for measuring recall.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from inspector.assembly.columns import Bool, Fate
from inspector.assembly.decisions import Assembly, Finding
from inspector.assembly.finding_kinds import MUST_SURVIVE_DROPPED
from inspector.assembly.items import ItemTexts
from inspector.assembly.numbers import called_in, numbers_of, title_in
from inspector.figures import counted
from inspector.formats.native.workspace import PROBES
from inspector.model import Character, Conversation, LoreEntry, Memory, Message, Probe, Workspace
from inspector.reading.yaml import dump
from inspector.writing import write_file

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
    what = title_in(items, rows[0]) if len(rows) == 1 else f"{len(rows):,} items"
    label = f"{what} need not stay" if are_all else f"{what} must stay"
    return MarkEdit(label, replace(marks, must_survive=(*others, *chosen)))


def write_note(marks: Marks, items: ItemTexts, row: int, workspace: Workspace, text: str) -> MarkEdit:
    """Set the note on the item of a row; an empty text removes it."""
    of_row = _keys_of(marks.notes, items, [row])
    notes = {key: note for key, note in marks.notes.items() if key not in of_row}
    written = {item_key(items, row, workspace): text.strip()} if text.strip() else {}
    return MarkEdit(f"Note on {called_in(items, row)}", replace(marks, notes={**notes, **written}))


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
        some = ", ".join(numbers_of(assembly.candidates, rows[:NAMED_IN_FINDING].tolist()))
        more = f" and {len(rows) - NAMED_IN_FINDING:,} more" if len(rows) > NAMED_IN_FINDING else ""
        verb = "is" if len(rows) == 1 else "are"
        message = f"{counted(len(rows), 'item')} that must stay {verb} dropped: {some}{more}."
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


MUST_SURVIVE = "must stay"
"""The category of a probe made from must-survive marks."""
MARKED = "marked"
"""The category of a question whose items the user named."""


@dataclass(frozen=True)
class Question:
    """A question of a conversation, with the rows of the items needed for its answer.

    The draft or a text asks by `query`; a message of the chat asks by itself, when the first `at` messages exist.
    """

    conversation: str
    name: str
    at: int | None
    query: str | None
    rows: tuple[int, ...]


def question_of(items: ItemTexts, rows: Sequence[int], at: int | None, has_later: bool = False) -> Question | None:
    """Return the question for the items of these rows; None if there is no question, or it needs no item.

    A draft asks for all of them, unless items later than the turn `at` are among them. Otherwise the last of them asks,
    if it is a message of the user after all the others; else the newest message of that turn.
    """
    if items.conversation is None:
        return None
    draft = len(items.things) - 1 if items.has_draft else None
    name, chosen = items.conversation.id, tuple(sorted(row for row in rows if row != draft))
    if draft is not None and not has_later:
        thing = items.things[draft]
        if not chosen or not isinstance(thing, Message):
            return None
        return Question(name, "The next message", at, thing.content, chosen)
    if len(chosen) > 1 and _asks(items, chosen[-1]):
        return _asked_by(items, name, chosen[-1], chosen[:-1])
    newest = items.first_message + (at or len(items.conversation.messages)) - 1
    others = tuple(row for row in chosen if row != newest)
    is_there = items.first_message <= newest < len(items.things) and _asks(items, newest)
    return _asked_by(items, name, newest, others) if is_there and others else None


def _asks(items: ItemTexts, row: int) -> bool:
    thing = items.things[row]
    return row >= items.first_message and isinstance(thing, Message) and thing.role == "user"


def _asked_by(items: ItemTexts, conversation: str, row: int, rows: tuple[int, ...]) -> Question:
    return Question(conversation, title_in(items, row), row - items.first_message + 1, None, rows)


def need(marks: Marks, items: ItemTexts, question: Question) -> MarkEdit:
    """Record that a question needs the items of its rows, in place of those recorded for the same question before."""
    evidence = tuple(items.names[row] for row in question.rows)
    same = lambda one: (one.conversation, one.at, one.query) == (question.conversation, question.at, question.query)  # noqa: E731
    rest = tuple(one for one in marks.questions if not same(one))
    before = next((one for one in marks.questions if same(one)), None)
    name = before.id if before else _free_id(rest)
    probe = Probe(name, evidence, question.conversation, question.at, question.query, MARKED)
    label = f"{question.name} needs {counted(len(evidence), 'item')}"
    return MarkEdit(label, replace(marks, questions=(*rest, probe)))


def forget_questions(marks: Marks, names: Sequence[str]) -> MarkEdit:
    """Remove these questions."""
    rest = tuple(one for one in marks.questions if one.id not in names)
    return MarkEdit(f"Remove {counted(len(names), 'question')}", replace(marks, questions=rest))


def _free_id(taken: Sequence[Probe]) -> str:
    names = {one.id for one in taken}
    return next(name for number in range(1, len(names) + 2) if (name := f"marked-{number}") not in names)


def marked_probes(marks: Marks, workspace: Workspace) -> tuple[Probe, ...]:
    """Return the probes of all marks: questions, and the must-survive items of each conversation at its newest message.

    A mark without a conversation applies to every conversation with a message of its id, or with a memory of its own of
    this id; otherwise to the only conversation, or to all with other marked items.
    """
    return *marks.questions, *_surviving(marks, workspace)


def _surviving(marks: Marks, workspace: Workspace) -> Iterator[Probe]:
    if not marks.must_survive:
        return
    ids = {chat.id: _ids_in(chat) for chat in workspace.conversations}
    for memories in workspace.memory_sets:
        for chat in {*(memories.conversations or ())} & ids.keys():
            ids[chat] |= {memory.id for memory in memories.memories}
    owned = set[str]().union(*ids.values())
    for chat, own in ids.items():
        named = [key for key in marks.must_survive if key.conversation in ("", chat)]
        evidence = [key.id for key in named if key.conversation == chat or key.id in own]
        floating = [key.id for key in named if not key.conversation and key.id not in owned]
        if evidence or (floating and len(ids) == 1):
            yield Probe(f"must-survive-{chat}", (*evidence, *floating), chat, category=MUST_SURVIVE)


def _ids_in(chat: Conversation) -> set[str]:
    """Return the ids of its messages; none for an unread conversation, whose marks name the conversation."""
    return {message.id for message in chat.messages} if chat.is_read else set()


def probes_text(probes: Sequence[Probe]) -> str:
    """Return probes as the YAML of a probe file."""
    return dump({"format": PROBES, "probes": [probe_value(probe) for probe in probes]})


def probe_value(probe: Probe) -> dict[str, object]:
    """Return a probe under the keys of its file, without empty ones."""
    value = {
        "id": probe.id,
        "conversation": probe.conversation,
        "at": probe.at,
        "query": probe.query,
        "category": probe.category,
        "answer": probe.answer,
        "evidence": list(probe.evidence),
    }
    return {key: held for key, held in value.items() if held not in (None, "")}


def write_probes(probes: Sequence[Probe], path: str | Path, opened: Sequence[str | Path]) -> None:
    """Write a file of probes, atomically. Raise SourceProtectedError for an opened file, and OSError."""
    write_file(path, probes_text(probes).encode(), opened)
