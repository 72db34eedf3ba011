"""LongMemEval: a question to many earlier sessions of a user with an assistant.

Layout: github.com/xiaowu0162/LongMemEval: `[{question_id, question_type, question, answer, question_date,
haystack_session_ids[], haystack_dates[], haystack_sessions[[{role, content, has_answer?}]], answer_session_ids[]}]`.
The sessions are a single conversation, and the question is a probe. An id that ends in `_abs` marks a question without
an answer in them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES
from inspector.formats.saved_chats import SavedChat, in_line, surest, values_of, workspace_of
from inspector.formats.turn_times import later
from inspector.formats.unique_ids import unique_texts
from inspector.model import Message, Probe, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, parse_time, strings

_ABSTENTION = "abstention"
_EXPECTED = "expected a question with haystack_sessions"


def sniff(source: FileSource) -> float:
    """Return how likely the file holds questions of LongMemEval."""
    return surest(source, lambda value: 0.95 if _is_question(value) else 0.0)


def _is_question(value: Any) -> bool:
    fields = mapping(value)
    return isinstance(fields.get("haystack_sessions"), list) and isinstance(fields.get("question"), str)


def load(source: FileSource) -> Workspace:
    """Return a conversation and a probe for each question. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    found: list[tuple[str, Mapping[str, Any]]] = []
    for place, value in values_of(source, notes):
        if _is_question(value):
            found.append((place, value))
        else:
            notes.add(place, f"{_EXPECTED}; it was left out", "error")
    if not found:
        raise notes.unreadable("$", f"{_EXPECTED}, found none")
    ids = unique_texts(as_text(value.get("question_id")) or f"q{number}" for number, (_, value) in enumerate(found, 1))
    readers = [_Question(value, id_, place, notes) for id_, (place, value) in zip(ids, found, strict=True)]
    pairs = [reader.read() for reader in readers]
    return workspace_of([chat for chat, _ in pairs], source, notes, probes=tuple(probe for _, probe in pairs))


@dataclass(frozen=True, slots=True)
class _Turn:
    """A message with its place, its session, and whether it holds the answer."""

    place: str
    session: str
    message: Message
    answers: bool


@dataclass(frozen=True, slots=True)
class _Question:
    """A question with its sessions, under a unique id."""

    value: Mapping[str, Any]
    id: str
    place: str
    notes: Notes

    def read(self) -> tuple[SavedChat, Probe]:
        """Return the conversation of all sessions, oldest first, and the question as a probe."""
        turns = [turn for session in self._sessions() for turn in self._turns(*session)]
        ids = unique_texts(turn.message.id for turn in turns)
        turns = [
            _Turn(turn.place, turn.session, changed(turn.message, id=id_), turn.answers)
            for id_, turn in zip(ids, turns, strict=True)
        ]
        nodes = in_line((turn.place, turn.message) for turn in turns)
        title = as_text(self.value["question"])
        chat = SavedChat(nodes, next(reversed(nodes), None), self.place, self.id, title)
        kind = _ABSTENTION if self.id.endswith("_abs") else as_text(self.value.get("question_type"))
        answer = as_text(self.value.get("answer")).strip()
        return chat, Probe(self.id, self._evidence(turns), self.id, query=title, category=kind, answer=answer)

    def _evidence(self, turns: list[_Turn]) -> tuple[str, ...]:
        """Return the turns with the answer; if none is marked, all turns of the sessions with the answer."""
        marked = tuple(turn.message.id for turn in turns if turn.answers)
        sessions = strings(self.value.get("answer_session_ids"))
        return marked or tuple(turn.message.id for turn in turns if turn.session in sessions)

    def _sessions(self) -> list[tuple[str, str, datetime | None, Any]]:
        """Return the place, id, time and turns of each session, in order of time if all have a time."""
        ids, dates = (items_of(self.value.get(key)) for key in ("haystack_session_ids", "haystack_dates"))
        sessions: list[tuple[str, str, datetime | None, Any]] = []
        for number, turns in enumerate(items_of(self.value["haystack_sessions"])):
            id_ = as_text(ids[number]) if number < len(ids) else f"s{number}"
            time = parse_time(dates[number]) if number < len(dates) else None
            sessions.append((f"{self.place}.haystack_sessions[{number}]", id_, time, turns))
        known = [time for _, _, time, _ in sessions if time]
        if len(known) < len(sessions):
            return sessions
        return [session for _, session in sorted(zip(known, sessions, strict=True), key=lambda pair: pair[0])]

    def _turns(self, place: str, session: str, time: datetime | None, turns: Any) -> Iterator[_Turn]:
        if not isinstance(turns, list):
            self.notes.add(place, "expected a list of turns; the session was left out", "error")
        for number, turn in enumerate(items_of(turns)):
            at, fields = f"{place}[{number}]", mapping(turn)
            role = ROLES.get(as_text(fields.get("role")))
            if role is None or not isinstance(fields.get("content"), str):
                self.notes.add(at, "expected a turn with role and content; it was left out", "error")
                continue
            message = Message(f"{session}_{number + 1}", role, as_text(fields["content"]), time=later(time, number))
            yield _Turn(at, session, message, fields.get("has_answer") is True)


FORMAT = Format("longmemeval", "LongMemEval questions", sniff, load, "questions with `haystack_sessions`")
