"""How memories are written: the same questions with other memories, side by side.

The ways are no memories, those of the files, each set of them alone where a conversation has several, the summaries of
the files as memories, and extracts: the most informative sentences of each sitting, unchanged. The scenario, its window
and the messages stay the same.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import fsum
from typing import Any

import numpy as np

from inspector.analysis.basis import Basis, Share
from inspector.analysis.recall.answers import AnswerShare, KnownAnswers, mean_answers
from inspector.analysis.recall.ask import MeanRecall, assembled, found_in
from inspector.analysis.recall.probes import Evidence, Skipped, askable, evidence_of, scenario_of
from inspector.assembly.collect import Parts, message_text
from inspector.assembly.columns import F64, Section
from inspector.assembly.decisions import Assembly
from inspector.assembly.items import ItemTexts
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario, scenario_value
from inspector.figures import counted, percentage, points
from inspector.model import Memory, MemorySet, Message, PastSummary, Probe, changed
from inspector.retrieval.relevance.surroundings import sittings_of_talk
from inspector.retrieval.summaries.extractive import MOST_SENTENCES, best_sentences, word_vectors
from inspector.retrieval.summaries.sentences import sentences
from inspector.tables import Column, Kind, Table
from inspector.tokens.tokenizer import Tokenizer

NONE, FILED, SUMMARIES, EXTRACTS = "none", "filed", "summaries", "extracts"
EXTRACTED = 0.2
"""The share of the tokens of a sitting that its extracts take."""
MEMORY_WRITING_FORMAT = "prompt-inspector/memory-writing@1"
_TITLES = {NONE: "No memories", FILED: "As they are", SUMMARIES: "Summaries", EXTRACTS: "Extracts"}
_TOLD_PROBES = 10
_WRITTEN_FOR = 1_000
_Asked = tuple[Probe, Evidence, Iterator[Assembly]]


@dataclass(frozen=True, slots=True)
class WrittenMemories:
    """A way to write the memories of all conversations that are asked: the name of ours, or the id of a set alone."""

    name: str
    sets: tuple[MemorySet, ...]

    @property
    def title(self) -> str:
        """The name as displayed."""
        return _TITLES.get(self.name, f"Only {self.name}")

    @property
    def phrase(self) -> str:
        """The name inside a sentence."""
        return self.title if self.name not in _TITLES else self.title.lower()


@dataclass(frozen=True, slots=True)
class WayFigures:
    """The figures of a way: the number of its memories, their tokens, and the mean tokens of memories in a prompt.

    `recall` are the means over questions; `named` the mean share of the evidence that a kept memory names or is.
    `answers` are the shares of the known answers in the prompts, `told` those in the memories written from the needed
    messages, whether they are in the prompt or not; each None without answers.
    """

    way: WrittenMemories
    memories: int
    tokens: int
    in_prompt: int
    recall: MeanRecall
    named: float
    answers: tuple[AnswerShare | None, ...]
    told: float | None

    @property
    def means(self) -> dict[str, Any]:
        """The means by the names used in rows."""
        return {**self.recall.columns, **mean_answers(self.answers)}

    @property
    def above_chance(self) -> float | None:
        """The share of the answers' words in the prompts beyond that of other questions' answers; None if unknown."""
        own, others = self.means["answer_words"], self.means["other_answer_words"]
        return None if own is None or others is None else own - others

    @property
    def worth(self) -> float:
        """The figure by which ways are compared: the answers above chance, else the recall with memories; 0 of none."""
        recall: float | None = self.means["recall_with_memories"]
        return next((figure for figure in (self.above_chance, recall) if figure is not None), 0.0)

    @property
    def named_for(self) -> float | None:
        """The share of the evidence in memories for each 1,000 tokens of memories in a prompt; None without any."""
        return _WRITTEN_FOR * self.named / self.in_prompt if self.in_prompt else None


@dataclass(frozen=True, eq=False)
class MemoryWriting:
    """The ways side by side, and the share of the answers' words in the needed messages themselves."""

    questions: int
    ways: tuple[WayFigures, ...]
    told_by_messages: float | None
    skipped: tuple[Skipped, ...]

    @property
    def order(self) -> tuple[WayFigures, ...]:
        """The ways by their worth, the best first; of equal ones that with fewer tokens in a prompt."""
        return tuple(sorted(self.ways, key=lambda one: (-one.worth, one.in_prompt)))

    @property
    def sentence(self) -> str:
        """The comparison in words: by answers where they are known, else by recall."""
        best, *others = self.order
        if best.above_chance is None:
            rest = ", ".join(f"{one.way.phrase} {percentage(one.worth)}" for one in others)
            told = f"the prompts hold {percentage(best.worth)} of the needed messages"
        else:
            rest = ", ".join(f"{one.way.phrase} {_points(one)}" for one in others)
            told = (
                f"the prompts hold {percentage(best.means['answer_words'])} of the words of the answers, "
                f"{_points(best)} points above chance"
            )
        return f"{best.way.title}: {told}; {rest}. By {counted(self.questions, 'question')}."


def _points(way: WayFigures) -> str:
    """Return the worth in points, with a sign only below 0."""
    return points(100 * way.worth).removeprefix("+")


def memory_writing(basis: Basis, probes: Sequence[Probe]) -> Iterator[Share | MemoryWriting]:
    """Ask every probe with each way of writing memories. Raise ScenarioError and UnknownTokenizerError."""
    pipeline, scenario = basis.pipeline, basis.scenario
    offered, skipped = askable(pipeline.workspace, probes, scenario.conversation)
    wanted, others = asked_of_messages(pipeline, scenario, offered)
    known, found = KnownAnswers(wanted), list[WayFigures]()
    tokenizer = pipeline.case(scenario).model.tokenizer.tokenizer
    ways = ways_to_write(pipeline, scenario, wanted, tokenizer)
    for number, way in enumerate(ways):
        tally = _Tally(known)
        for place, (probe, evidence, assemblies) in enumerate(_asked(basis, way, wanted), 1):
            tally.add(probe, evidence, next(assemblies))
            if place % _TOLD_PROBES == 0:
                yield Share(number * len(wanted) + place, len(ways) * len(wanted))
        found.append(tally.figures(way, tokenizer))
    told = [known.share_told(_needed_texts(pipeline, scenario, probe), probe) for probe in wanted]
    yield MemoryWriting(len(wanted), tuple(found), _mean(told), (*skipped, *others))


def ways_to_write(
    pipeline: Pipeline, scenario: Scenario, probes: Sequence[Probe], tokenizer: Tokenizer
) -> list[WrittenMemories]:
    """Return the ways that these conversations allow, no memories first; without memories of files, not those."""
    parts: dict[str, Parts] = {}
    for probe in probes:
        if probe.conversation not in parts:
            parts[probe.conversation] = pipeline.case(scenario_of(scenario, probe)).chosen.parts
    filed = [(name, one.memory_sets) for name, one in parts.items()]
    ways = [WrittenMemories(NONE, ())]
    if any(sets for _, sets in filed):
        ways.append(WrittenMemories(FILED, tuple(_owned(name, sets) for name, sets in filed)))
    if any(len(sets) > 1 for _, sets in filed):
        for wanted in dict.fromkeys(one.id for _, sets in filed for one in sets):
            alone = [(name, [one for one in sets if one.id == wanted]) for name, sets in filed]
            ways.append(WrittenMemories(wanted, tuple(_owned(name, sets) for name, sets in alone if sets)))
    if any(one.summaries for one in parts.values()):
        told = [(name, _of_summaries(one)) for name, one in parts.items()]
        ways.append(WrittenMemories(SUMMARIES, tuple(_set_of(*one) for one in told)))
    extracts = tuple(_set_of(name, list(extracted(one.messages, tokenizer))) for name, one in parts.items())
    return [*ways, WrittenMemories(EXTRACTS, extracts)]


def extracted(messages: Sequence[Message], tokenizer: Tokenizer) -> Iterator[Memory]:
    """Yield the most informative sentences of each sitting as memories, in order, each from its message.

    Together they take a fifth of the tokens of their sitting; a very long sitting is taken in parts.
    """
    times = np.array([np.nan if one.time is None else one.time.timestamp() for one in messages], np.float64)
    sittings = sittings_of_talk(times).tolist()
    said: dict[int, list[tuple[Message, str]]] = {}
    for message, sitting in zip(messages, sittings, strict=True):
        text = message_text(message)
        said.setdefault(sitting, []).extend((message, text[start:end]) for start, end in sentences(text))
    for sitting in said.values():
        for first in range(0, len(sitting), MOST_SENTENCES):
            yield from _extracted(sitting[first : first + MOST_SENTENCES], tokenizer)


def _extracted(said: Sequence[tuple[Message, str]], tokenizer: Tokenizer) -> Iterator[Memory]:
    texts = [text for _, text in said]
    sizes = tokenizer.count(texts).tolist()
    for place in sorted(best_sentences(word_vectors(texts, ()), sizes, int(EXTRACTED * sum(sizes)))):
        message, text = said[place]
        yield Memory(f"extract:{message.id}:{place}", text, time=message.time, source_messages=(message.id,))


def _of_summaries(parts: Parts) -> list[Memory]:
    """Return the summaries of the files as memories of the messages told, or of the sitting when they were made."""
    times = np.array([np.nan if one.time is None else one.time.timestamp() for one in parts.messages], np.float64)
    sittings = sittings_of_talk(times)

    def sources(one: PastSummary) -> tuple[str, ...]:
        if one.source_messages or one.time is None:
            return one.source_messages
        before = np.flatnonzero(times <= one.time.timestamp())
        inside = np.flatnonzero(sittings == sittings[before[-1]]) if len(before) else before
        return tuple(parts.messages[place].id for place in inside.tolist())

    return [
        Memory(f"summary:{one.id}", one.summary, time=one.time, source_messages=sources(one)) for one in parts.summaries
    ]


def _set_of(conversation: str, memories: Sequence[Memory]) -> MemorySet:
    return MemorySet(conversation, tuple(memories), conversations=(conversation,))


def _owned(conversation: str, sets: Sequence[MemorySet]) -> MemorySet:
    """Return the memories of the sets of a case, whose scores are similarities, as one set of a conversation."""
    found = _set_of(conversation, [memory for one in sets for memory in one.memories])
    return changed(found, score_scale="similarity")


@dataclass(eq=False)
class _Tally:
    """Sums over the questions of a way."""

    known: KnownAnswers
    recall: MeanRecall = field(default_factory=MeanRecall)
    named: list[float] = field(default_factory=list)
    in_prompt: list[int] = field(default_factory=list)
    answers: list[AnswerShare | None] = field(default_factory=list)
    told: list[float | None] = field(default_factory=list)

    def add(self, probe: Probe, evidence: Evidence, assembly: Assembly) -> None:
        """Add the outcome of a question."""
        found, texts = found_in(assembly, evidence), assembly.candidates.items.texts
        self.recall.add(found)
        self.named.append(float(found.cited.mean()))
        self.in_prompt.append(0 if assembly.error else int(assembly.used[Section.MEMORY]))
        self.answers.append(self.known.share_in(assembly, probe))
        self.told.append(self.known.share_told((texts[row] for row in evidence.citing.tolist()), probe))

    def figures(self, way: WrittenMemories, tokenizer: Tokenizer) -> WayFigures:
        """Return the means."""
        memories = [memory.content for one in way.sets for memory in one.memories]
        return WayFigures(
            way,
            len(memories),
            int(tokenizer.count(memories).sum()),
            round(_mean(self.in_prompt) or 0),
            self.recall,
            _mean(self.named) or 0.0,
            tuple(self.answers),
            _mean(self.told),
        )


def _asked(basis: Basis, way: WrittenMemories, probes: Sequence[Probe]) -> Iterator[_Asked]:
    pipeline = basis.pipeline.over(changed(basis.pipeline.workspace, memory_sets=way.sets))
    return assembled(pipeline, (replace(basis.scenario, memory_sets=None, score_scales={}),), probes, basis.cache)


def asked_of_messages(
    pipeline: Pipeline, scenario: Scenario, probes: Sequence[Probe]
) -> tuple[list[Probe], list[Skipped]]:
    """Return the probes with the evidence that no way of writing memories takes away, and those without any."""
    found: list[Probe] = []
    skipped: list[Skipped] = []
    for probe in probes:
        items = pipeline.plain_items(pipeline.case(scenario_of(scenario, probe)))
        rows = items.rows_called(probe.evidence)
        names = [name for name in probe.evidence if name in rows and not _is_memory(items, rows[name][0])]
        if names:
            found.append(changed(probe, evidence=tuple(names)))
        else:
            skipped.append(Skipped(probe.id, "no message of the conversation is its evidence"))
    return found, skipped


def _is_memory(items: ItemTexts, row: int) -> bool:
    return isinstance(items.things[row], Memory)


def _needed_texts(pipeline: Pipeline, scenario: Scenario, probe: Probe) -> list[str]:
    items = pipeline.plain_items(pipeline.case(scenario_of(scenario, probe)))
    return [items.texts[row] for row in evidence_of(items, probe).rows.tolist()]


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fsum(known) / len(known) if known else None


def _figure(
    key: str, title: str, help: str, kind: Kind, of: Callable[[WayFigures], int | float | None], yields: int = 0
) -> Column[MemoryWriting]:
    """Return a column with a figure of each way, shown where any way has it."""

    def values(writing: MemoryWriting) -> F64:
        figures = map(of, writing.ways)
        return np.array([np.nan if figure is None else figure for figure in figures], np.float64)

    return Column(
        key,
        title,
        help,
        lambda writing, row: of(writing.ways[row]),
        values,
        kind,
        shown=lambda writing: any(of(way) is not None for way in writing.ways),
        yields=yields,
        digits=10,
    )


WRITTEN_WAYS: Table[MemoryWriting] = Table(
    (
        Column(
            "way",
            "Memories",
            "How the memories are written",
            lambda writing, row: writing.ways[row].way.name,
            words=lambda writing, row: writing.ways[row].way.title,
            stretches=True,
            digits=14,
        ),
        _figure("memories", "Number", "The number of memories", Kind.COUNT, lambda way: way.memories, 3),
        _figure("tokens", "Tokens", "The tokens of all of them", Kind.TOKENS, lambda way: way.tokens, 4),
        _figure(
            "in_prompt",
            "In a prompt",
            "The mean tokens of memories in a prompt",
            Kind.TOKENS,
            lambda way: way.in_prompt,
        ),
        _figure(
            "recall_with_memories",
            "Recall",
            "The share of the needed messages in the prompts, themselves or named by a kept memory",
            Kind.SHARE,
            lambda way: way.means["recall_with_memories"],
        ),
        _figure(
            "named_for",
            "By 1,000 tokens",
            "The share of the needed messages named by kept memories, for each 1,000 tokens of memories in a prompt",
            Kind.SHARE,
            lambda way: way.named_for,
            2,
        ),
        _figure(
            "told",
            "Answers told",
            "The share of the words of the known answers in the memories written from the needed messages",
            Kind.SHARE,
            lambda way: way.told,
        ),
        _figure(
            "answer_words",
            "Answer words",
            "The share of the words of the known answers in the prompts",
            Kind.SHARE,
            lambda way: way.means["answer_words"],
        ),
        _figure(
            "other_answer_words",
            "By chance",
            "The share of the words of the other questions' answers in the same prompts",
            Kind.SHARE,
            lambda way: way.means["other_answer_words"],
            1,
        ),
    ),
    lambda writing: range(len(writing.ways)),
)


def memory_writing_value(writing: MemoryWriting, scenario: Scenario, kind: type | None) -> dict[str, Any]:
    """Return the ways as a JSON value, with the share of the answers' words in the needed messages.

    `kind` is the class that decides.
    """
    return {
        "format": MEMORY_WRITING_FORMAT,
        "scenario": scenario_value(scenario, kind),
        "questions": writing.questions,
        "told_by_messages": writing.told_by_messages,
        "skipped": [{"id": one.id, "reason": one.reason} for one in writing.skipped],
        "ways": list(WRITTEN_WAYS.records(writing)),
    }
