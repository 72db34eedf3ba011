"""MemoryBank (SiliconFriend): for each user, the exchanges of each day, and the conclusions drawn from them.

Layout: github.com/zhongwanjun/MemoryBank-SiliconFriend, `memory_bank_*.json`; the questions to it are lines of
`probing_questions_*.jsonl`, each with the name of a user. They do not say where their answers are.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from inspector.formats.format import Format
from inspector.formats.turn_times import later
from inspector.formats.unique_ids import unique_texts, with_unique_ids
from inspector.model import Conversation, Memory, MemorySet, Message, PastSummary, Probe, Problem, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, parse_time, strings

_TRAIT = "personality"
_MARKS = ("?", "？")


def sniff(source: FileSource) -> float:
    """Return how likely the file holds named users with a history of days, or with questions to it."""
    if source.shape == "json_lines":
        lines = [record.value for record in source.first_records]
        return 0.6 if lines and all(map(_asks, lines)) else 0.0
    if source.shape != "json" or not isinstance(source.sample, Mapping):
        return 0.0
    return 0.95 if any(_is_person(value) for value in source.sample.values()) else 0.0


def _is_person(value: Any) -> bool:
    fields = mapping(value)
    return isinstance(fields.get("history"), Mapping) and bool(fields.keys() & {"summary", "personality", "name"})


def _asks(line: Any) -> bool:
    """Return whether a line is a name with texts, at least one of them a question."""
    values = list(mapping(line).values())
    texts = items_of(values[0]) if len(values) == 1 else ()
    return all(isinstance(text, str) for text in texts) and any(text.rstrip().endswith(_MARKS) for text in texts)


def load(source: FileSource) -> Workspace:
    """Return a workspace with a conversation and any memories and summaries for each user.

    For a file of questions, it has the probes. Raise UnreadableError if no user has a history or a question.
    """
    problems: list[Problem] = []
    if source.shape == "json_lines":
        probes = tuple(_probes(source, problems))
        if not probes:
            raise source.unreadable("$", "expected lines with a name and questions, found none", problems)
        return Workspace(probes=probes, problems=tuple(problems))
    people: list[_Person] = []
    names = list(mapping(source.json))
    wanted = (as_text(name).strip() or f"person{number}" for number, name in enumerate(names))
    for name, id_ in zip(names, unique_texts(wanted), strict=True):
        place = f"$.{name}"
        if _is_person(source.json[name]):
            people.append(_Person(source.json[name], place, id_, source, problems))
        else:
            problems.append(source.problem(place, "expected a user with a `history` of days", "warning"))
    if not people:
        raise source.unreadable("$", "expected users with a `history` of days, found none", problems)
    sets = [person.memory_set() for person in people]
    told = tuple(summary for person in people for summary in person.summaries())
    conversations = tuple(person.conversation() for person in people)
    summaries, doubled = with_unique_ids(told, lambda _: (source.path, "$"))
    return Workspace(
        conversations=conversations,
        memory_sets=tuple(memories for memories in sets if memories.memories),
        summaries=summaries,
        problems=(*problems, *doubled),
    )


def _probes(source: FileSource, problems: list[Problem]) -> Iterator[Probe]:
    """Yield the questions to each user's conversation."""
    asked: Counter[str] = Counter()
    for record in source.records(problems):
        for name, questions in mapping(record.value).items():
            if not isinstance(questions, list):
                problems.append(
                    source.problem(f"line {record.line}: $.{name}", "expected a list of questions", "warning")
                )
            for question in strings(items_of(questions)):
                person = as_text(name).strip()
                asked[person] += 1
                yield Probe(f"{person}:q{asked[person]}", (), person, query=question)


@dataclass(frozen=True, slots=True)
class _Person:
    """The record of a user, its place and id, and the list for its problems."""

    value: Mapping[str, Any]
    place: str
    id: str
    source: FileSource
    problems: list[Problem]

    def conversation(self) -> Conversation:
        return Conversation(self.id, tuple(self._messages()), f"Talks with {self.id}")

    def _messages(self) -> Iterator[Message]:
        """Yield each exchange as a message of the user and its answer; only days have times, seconds keep the order."""
        number = 0
        for day, exchanges in self.value["history"].items():
            place = f"{self.place}.history.{day}"
            if not isinstance(exchanges, list):
                self._warn(place, "expected a list of exchanges")
                continue
            for index, exchange in enumerate(exchanges):
                texts = mapping(exchange)
                if not isinstance(texts.get("query"), str) or not isinstance(texts.get("response"), str):
                    self._warn(f"{place}[{index}]", "expected an exchange with the texts query and response")
                    continue
                time = parse_time(day)
                yield Message(f"m{number}", "user", as_text(texts["query"]), self.id, later(time, 2 * index))
                answer = as_text(texts["response"])
                yield Message(f"m{number + 1}", "assistant", answer, time=later(time, 2 * index + 1))
                number += 2

    def memory_set(self) -> MemorySet:
        """Return the conclusions about the user, by day and as a whole."""
        traits = list(self._days(_TRAIT))
        ends = self._ends()
        memories = [
            Memory(f"{self.id}:{day}", text, type="fact", category=_TRAIT, time=ends.get(day, parse_time(day)))
            for day, text in traits
        ]
        overall = as_text(self.value.get("overall_personality")).strip()
        if overall:
            last = next(reversed(ends.values()), None)
            memories.append(Memory(f"{self.id}:overall", overall, type="fact", category=_TRAIT, time=last))
        unique, doubled = with_unique_ids(memories, lambda _: (self.source.path, f"{self.place}.{_TRAIT}"))
        self.problems.extend(doubled)
        return MemorySet(self.id, unique, f"Personality of {self.id}", (self.id,))

    def summaries(self) -> Iterator[PastSummary]:
        """Yield the summary of each day, and the overall summary."""
        ends, own = self._ends(), (self.id,)
        for day, text in self._days("summary"):
            time = ends.get(day, parse_time(day))
            yield PastSummary(f"{self.id}:{day}", text, f"{self.id}, {day}", time=time, conversations=own)
        if overall := as_text(self.value.get("overall_history")).strip():
            last = next(reversed(ends.values()), None)
            yield PastSummary(f"{self.id}:overall", overall, f"{self.id}, all days", time=last, conversations=own)

    def _ends(self) -> dict[str, datetime | None]:
        """Return the time of the last message of each day, when the summary of the day was written."""
        history = self.value["history"]
        return {day: later(parse_time(day), max(0, 2 * len(items_of(said)) - 1)) for day, said in history.items()}

    def _days(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield the values of each day under a name, as text or as an object with `content`."""
        for day, written in mapping(self.value.get(name)).items():
            text = written.get("content") if isinstance(written, Mapping) else written
            if isinstance(text, str) and text.strip():
                yield as_text(day), as_text(text)
            else:
                self._warn(f"{self.place}.{name}.{day}", "expected text")

    def _warn(self, place: str, message: str) -> None:
        self.problems.append(self.source.problem(place, message, "warning"))


FORMAT = Format("memory_bank", "MemoryBank", sniff, load, "users with a `history` of days, queries and responses")
