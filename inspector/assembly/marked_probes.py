"""Probes marked by the user: items needed by a question, and must-survive items for any question."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from inspector.assembly.items import ItemTexts
from inspector.assembly.marks import MarkEdit, Marks
from inspector.figures import counted
from inspector.formats.native.workspace import PROBES
from inspector.model import Conversation, Message, Probe, Workspace
from inspector.reading.yaml import dump
from inspector.writing import write_file

MUST_SURVIVE = "must survive"
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
        return Question(name, "The draft", at, thing.content, chosen)
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
    return Question(conversation, items.names[row], row - items.first_message + 1, None, rows)


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
        "evidence": list(probe.evidence),
    }
    return {key: held for key, held in value.items() if held not in (None, "")}


def write_probes(probes: Sequence[Probe], path: str | Path, opened: Sequence[str | Path]) -> None:
    """Write a file of probes, atomically. Raise SourceProtectedError for an opened file, and OSError."""
    write_file(path, probes_text(probes).encode(), opened)
