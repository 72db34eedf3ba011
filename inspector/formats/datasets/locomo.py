"""LoCoMo: long conversations over many sessions, with observations and a summary of each session.

Layout: github.com/snap-research/LoCoMo, `data/locomo10.json`. A file holds several conversations, so memory sets,
memories, summaries and probes have ids with the conversation's id. The questions of the data set are its probes.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from inspector.formats.format import Format
from inspector.formats.turn_times import later
from inspector.formats.unique_ids import unique_texts, with_unique_ids
from inspector.model import Conversation, Memory, MemorySet, Message, PastSummary, Probe, Problem, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, parse_time, strings

_SESSION = re.compile(r"session_(\d{1,9})$")
_TURN_ID = re.compile(r"D\d+:\d+")
_BETWEEN_IDS = re.compile(r"[;,\s]+")
_CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}


def sniff(source: FileSource) -> float:
    """Return how likely this is a LoCoMo file: objects with a `conversation` of two speakers and sessions."""
    if source.shape not in ("json", "json_lines"):
        return 0.0
    talk = mapping(mapping(source.sample).get("conversation"))
    if "speaker_a" in talk or "speaker_b" in talk:
        return 1.0
    return 0.8 if any(_SESSION.match(str(key)) for key in talk) else 0.0


def load(source: FileSource) -> Workspace:
    """Return a workspace with a conversation, a memory set and summaries for each sample.

    Raise UnreadableError if no sample has a conversation.
    """
    problems: list[Problem] = []
    value = source.json if source.shape == "json" else [record.value for record in source.records(problems)]
    samples = value if isinstance(value, list) else [value]
    readers: list[_Sample] = []
    for number, sample in enumerate(samples):
        place = f"$[{number}]" if isinstance(value, list) else "$"
        if isinstance(mapping(sample).get("conversation"), Mapping):
            readers.append(_Sample(sample, place, as_text(sample.get("sample_id")) or f"c{number}", source, problems))
        else:
            problems.append(source.problem(f"{place}.conversation", "expected an object with sessions", "warning"))
    readers = _unique(readers)
    if not readers:
        raise source.unreadable("$", "expected samples with a conversation, found none", problems)
    conversations = tuple(reader.conversation() for reader in readers)
    pairs = zip(readers, conversations, strict=True)
    memory_sets = tuple(reader.memory_set(talk) for reader, talk in pairs)
    told = tuple(summary for reader in readers for summary in reader.summaries())
    summaries, doubled = with_unique_ids(told, lambda _: (source.path, "session_summary"), "warning")
    asked = tuple(probe for reader in readers for probe in reader.probes())
    return Workspace(
        probes=asked,
        conversations=conversations,
        memory_sets=tuple(memories for memories in memory_sets if memories.memories),
        summaries=summaries,
        problems=(*problems, *doubled),
    )


@dataclass(frozen=True, slots=True)
class _Sample:
    """A sample, its JSON path and id, and the list for its problems."""

    value: Mapping[str, Any]
    place: str
    id: str
    source: FileSource
    problems: list[Problem]

    def warn(self, place: str, message: str) -> None:
        self.problems.append(self.source.problem(f"{self.place}.{place}", message, "warning"))

    @property
    def talk(self) -> Mapping[str, Any]:
        return self.value["conversation"]

    def sessions(self) -> list[int]:
        """Return the numbers of the existing sessions, in order; the data also has times of other sessions."""
        found = (_SESSION.match(str(key)) for key in self.talk)
        return sorted({int(match.group(1)) for match in found if match})

    def time(self, session: int) -> datetime | None:
        return parse_time(self.talk.get(f"session_{session}_date_time"))

    def conversation(self) -> Conversation:
        messages = [message for session in self.sessions() for message in self._messages(session)]
        wanted = [message[0] or f"m{number}" for number, message in enumerate(messages)]
        ids = unique_texts(wanted)
        for before, after in zip(wanted, ids, strict=True):
            if before != after:
                self.warn("conversation", f"the turn id {before} is there twice; the later one is {after}")
        first, second = (as_text(self.talk.get(key)) for key in ("speaker_a", "speaker_b"))
        return Conversation(
            id=self.id,
            messages=tuple(
                self._message(id_, turn, time, second) for id_, (_, turn, time) in zip(ids, messages, strict=True)
            ),
            title=f"{self.id}: {first} and {second}" if first and second else self.id,
        )

    def _messages(self, session: int) -> Iterator[tuple[str, Mapping[str, Any], datetime | None]]:
        """Yield the turns of a session with ids and times: the session's time, and a second for each earlier turn."""
        name = f"session_{session}"
        start = self.time(session)
        if start is None:
            self.warn(f"conversation.{name}_date_time", "expected a time such as 1:56 pm on 8 May, 2023")
        turns = self.talk.get(name)
        if not isinstance(turns, list):
            self.warn(f"conversation.{name}", "expected a list of turns")
        for number, turn in enumerate(items_of(turns)):
            if not isinstance(turn, Mapping) or not isinstance(turn.get("text"), str):
                self.warn(f"conversation.{name}[{number}]", "expected a turn with text")
            if isinstance(turn, Mapping):
                yield as_text(turn.get("dia_id")), turn, later(start, number)

    def _message(self, id_: str, turn: Mapping[str, Any], time: datetime | None, second: str) -> Message:
        """Return a turn. The picture itself is not in the data, only its caption, which replaces it in brackets."""
        text, caption = as_text(turn.get("text")), as_text(turn.get("blip_caption")).strip()
        speaker = as_text(turn.get("speaker"))
        links = [as_text(link) for link in items_of(turn.get("img_url"))]
        return Message(
            id=id_,
            role="assistant" if second and speaker == second else "user",
            content=f"{text} [{caption}]".strip() if caption else text,
            name=speaker,
            time=time,
            metadata={"image_links": links} if links else {},
        )

    def memory_set(self, conversation: Conversation) -> MemorySet:
        """Return the observations, as facts that name the turns they were made from."""
        times = {message.id: message.time for message in conversation.messages}
        memories: list[Memory] = []
        for session, speaker, content, cited in self._observations():
            sources = tuple(turn for turn in cited if turn in times)
            if missing := [turn for turn in cited if turn not in times]:
                self.warn(
                    f"observation.session_{session}_observation", f"names {', '.join(missing)}, which is not a turn"
                )
            memories.append(
                Memory(
                    id=f"{self.id}:o{len(memories) + 1}",
                    content=content,
                    type="fact",
                    time=max((time for turn in sources if (time := times[turn])), default=self.time(session)),
                    source_messages=sources,
                    tags=(speaker,) if speaker else (),
                )
            )
        return MemorySet(self.id, tuple(memories), f"Observations of {self.id}", (self.id,))

    def _observations(self) -> Iterator[tuple[int, str, str, list[str]]]:
        """Yield each observation as (session, speaker, text, ids of the cited turns)."""
        observed = mapping(self.value.get("observation"))
        for session, speakers in _by_session(observed, "_observation"):
            name = f"observation.session_{session}_observation"
            if not isinstance(speakers, Mapping):
                self.warn(name, "expected an object with a list for each speaker")
            for speaker, entries in mapping(speakers).items():
                for number, entry in enumerate(items_of(entries)):
                    text, *evidence = items_of(entry) or (entry,)
                    if isinstance(text, str) and text.strip():
                        yield session, as_text(speaker), as_text(text), _turn_ids(evidence)
                    else:
                        self.warn(f"{name}.{speaker}[{number}]", "expected a text and the turns that it comes from")

    def summaries(self) -> Iterator[PastSummary]:
        """Yield the summary of each session, made at its end."""
        written = mapping(self.value.get("session_summary"))
        for session, summary in _by_session(written, "_summary"):
            if isinstance(summary, str) and summary.strip():
                day = as_text(self.talk.get(f"session_{session}_date_time"))
                title = f"{self.id}, session {session}" + (f" ({day})" if day else "")
                yield PastSummary(
                    f"{self.id}:session_{session}",
                    as_text(summary),
                    title,
                    time=self._end(session),
                    conversations=(self.id,),
                )
            else:
                self.warn(f"session_summary.session_{session}_summary", "expected text")

    def _end(self, session: int) -> datetime | None:
        """Return the time of the last turn of a session."""
        turns = items_of(self.talk.get(f"session_{session}"))
        return later(self.time(session), max(0, len(turns) - 1))

    def probes(self) -> Iterator[Probe]:
        """Yield the questions, asked at the end of the conversation, with the turns behind their answers."""
        for number, asked in enumerate(items_of(self.value.get("qa"))):
            question = as_text(mapping(asked).get("question")).strip()
            if not question:
                self.warn(f"qa[{number}]", "expected an object with a question")
                continue
            yield Probe(
                id=f"{self.id}:q{number + 1}",
                evidence=evidence_of(asked.get("evidence")),
                conversation=self.id,
                query=question,
                category=name_of_category(asked.get("category")),
                answer=as_text(asked.get("answer")).strip(),
            )


def evidence_of(cited: Any) -> tuple[str, ...]:
    """Return the ids of the turns that a question cites: a list, each perhaps with several ids in its text."""
    parts = (part for text in strings(cited) for part in _BETWEEN_IDS.split(text) if part)
    return tuple(dict.fromkeys(parts))


def name_of_category(category: Any) -> str:
    """Return the name of a question's numbered category; "" if it has none."""
    return _CATEGORIES.get(category, as_text(category)) if isinstance(category, int) else ""


def _unique(samples: list[_Sample]) -> list[_Sample]:
    """Return the samples with unique ids; warn of each changed id."""
    ids = unique_texts(sample.id for sample in samples)
    for sample, id_ in zip(samples, ids, strict=True):
        if id_ != sample.id:
            sample.warn("sample_id", f"the id {sample.id} is there twice; the later one is {id_}")
    return [replace(sample, id=id_) for sample, id_ in zip(samples, ids, strict=True)]


def _by_session(fields: Mapping[str, Any], ending: str) -> list[tuple[int, Any]]:
    """Return the values of each session, by its number."""
    matches = ((_SESSION.match(str(key).removesuffix(ending)), value) for key, value in fields.items())
    return sorted(((int(match.group(1)), value) for match, value in matches if match), key=lambda pair: pair[0])


def _turn_ids(evidence: Any) -> list[str]:
    """Return the turns cited by an observation: one id, a list, or several in the same text (`D8:6; D9:17`)."""
    texts = [as_text(part) for item in evidence for part in (item if isinstance(item, list) else [item])]
    return list(dict.fromkeys(id_ for text in texts for id_ in _TURN_ID.findall(text)))


FORMAT = Format(
    "locomo",
    "LoCoMo conversations",
    sniff,
    load,
    "a `conversation` with `speaker_a` and sessions",
    beside=("answer", "adversarial_answer", "query", "evidence"),
)
