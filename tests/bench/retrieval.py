"""Retrieval on LoCoMo, REALTALK and BEAM: how much of what answers a question is among the first few that it retrieves.

A question of the data set is the query. The turns that it names as evidence are needed: of the turns of its
conversation, or of its memories, of which each has the turns that it was made from. Questions that name no turn, or
one that is not there, are left out.
"""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray
from rich.table import Table

from inspector.analysis.recall.probes import read_probes
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind
from inspector.assembly.lacking import make_all
from inspector.assembly.scenario import Scenario
from inspector.formats import load_workspace
from inspector.model import Conversation, MemorySet, Workspace
from inspector.retrieval.relevance.settings import RelevanceSettings
from inspector.retrieval.vectors.choice import EMBEDDER_NAMES, choose_embedder
from tests.bench.texts import pipeline_of

DEPTHS = (5, 10, 25, 50)
TURNS, MEMORIES = Kind.MESSAGE, Kind.MEMORY

_CHECKOUT = Path(__file__).resolve().parent.parent.parent
_TURN = re.compile(r"D\d+:\d+")


@dataclass(frozen=True)
class Step:
    """A way of comparing texts with a query, and the name of its row."""

    name: str
    way: str
    settings: RelevanceSettings
    embedding: str = "auto"


_BARE = RelevanceSettings(
    stems=False,
    stop_words=False,
    speakers=False,
    months=False,
    before=0,
    after=0,
    sitting=0,
    sources=0,
    vectors=0,
)
_USUAL = RelevanceSettings()
_ADDED = {
    "+ stems": ("stems",),
    "+ stop words out of the query": ("stop_words",),
    "+ the speaker's name": ("speakers",),
    "+ the month": ("months",),
    "+ the turns before and after": ("before", "after"),
    "+ the best of the sitting": ("sitting",),
    "+ the turns that a memory was made from": ("sources",),
    "+ vectors, which is what auto takes": ("vectors",),
}


def steps() -> Iterator[Step]:
    """BM25 over words and each part that is added to it, in order."""
    settings = _BARE
    yield Step("BM25 over words", "fused", settings)
    for name, parts in _ADDED.items():
        settings = replace(settings, **{part: getattr(_USUAL, part) for part in parts})
        yield Step(name, "fused", settings)


def other_ways() -> Iterator[Step]:
    """Words or vectors alone, and their ranks together, with each model of vectors that can be had here."""
    yield Step("lexical", "lexical", _USUAL)
    for name in EMBEDDER_NAMES[1:]:
        if choose_embedder(name).embedder is not None:
            yield Step(f"embedding {name}", "embedding", _USUAL, name)
            yield Step(f"hybrid with {name}", "hybrid", _USUAL, name)
            yield Step(f"fused with {name}", "fused", _USUAL, name)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a conversation, and the turns that answer it."""

    query: str
    needed: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Talk:
    """A conversation with its memories, and the questions about it."""

    conversation: Conversation
    memories: MemorySet
    questions: tuple[Question, ...]


def talk_files() -> list[Path]:
    """The LoCoMo files that are here."""
    return sorted((talk_folder() / "locomo").glob("*.json"))


def talk_folder() -> Path:
    """The folder of real chats."""
    return Path(os.environ.get("PROMPT_INSPECTOR_DATA", _CHECKOUT.parent / "shared" / "data"))


@cache
def talks() -> tuple[Talk, ...]:
    """The conversations of these files."""
    return tuple(talk for file in talk_files() for talk in _talks_of(file))


def files_with_probes(name: str) -> tuple[Path, Path] | None:
    """The workspace and the questions of another data set; None where it is not here."""
    folder = talk_folder().parent / "trials" / name
    files = folder / f"{name}.workspace.json.gz", folder / f"{name}.probes.json"
    return files if all(file.is_file() for file in files) else None


@cache
def talks_with_probes(name: str) -> tuple[Talk, ...]:
    """The conversations of another data set, whose questions are in a file of probes; none where it is not here."""
    files = files_with_probes(name)
    if files is None:
        return ()
    probes, _ = read_probes(str(files[1]))
    found = []
    for conversation in load_workspace([str(files[0])]).conversations:
        known = {message.id for message in conversation.messages}
        own = (probe for probe in probes if probe.conversation == conversation.id)
        asked = (Question(probe.query or "", frozenset(known.intersection(probe.evidence))) for probe in own)
        memories = MemorySet(conversation.id, ())
        found.append(Talk(conversation, memories, tuple(question for question in asked if question.needed)))
    return tuple(found)


def data_sets() -> dict[str, tuple[Talk, ...]]:
    """The data sets that are here, by name: chats between people, and chats with an assistant."""
    found = {"LoCoMo": talks(), "REALTALK": talks_with_probes("realtalk"), "BEAM": talks_with_probes("beam")}
    return {name: some for name, some in found.items() if some}


def single_ways() -> tuple[Step, ...]:
    """Each way of comparing alone, beside which `auto` is held."""
    return tuple(Step(way, way, _USUAL) for way in ("embedding", "lexical", "hybrid", "fused"))


AUTO = Step("auto", "auto", _USUAL)


def retrieval_tables() -> Iterator[Table | str]:
    """Recall by step and depth, of turns and of memories, or a sentence that says why there is none."""
    if not talk_files():
        yield "No LoCoMo file is here: retrieval is not measured."
        return
    asked, turns = sum(len(talk.questions) for talk in talks()), sum(len(t.conversation.messages) for t in talks())
    for kind, what in ((TURNS, "turns"), (MEMORIES, "memories made from them")):
        title = f"LoCoMo: recall of the evidence by {what}, in %, {asked:,} questions, {turns:,} turns"
        table = Table("retrieved", *(f"@{depth}" for depth in DEPTHS), title=title)
        for step in (*steps(), *other_ways()):
            table.add_row(step.name, *(f"{100 * share:.1f}" for share in recall_of(talks(), step, kind)))
        yield table
    for name, some in data_sets().items():
        asked = sum(len(talk.questions) for talk in some)
        table = Table("way", *(f"@{depth}" for depth in DEPTHS), title=f"{name}: {asked:,} questions, by turns, in %")
        for step in (AUTO, *single_ways()):
            table.add_row(step.name, *(f"{100 * share:.1f}" for share in recall_of(some, step, TURNS)))
        yield table


def recall_of(among: Sequence[Talk], step: Step, kind: Kind) -> list[float]:
    """For each depth the mean over all questions of the share of their evidence that is retrieved."""
    return np.array([share for talk in among for share in shares_of(talk, step, kind)]).mean(axis=0).tolist()


def shares_of(talk: Talk, step: Step, kind: Kind) -> Iterator[list[float]]:
    """For each question of a conversation the share of its evidence at each depth."""
    workspace = Workspace(conversations=(talk.conversation,), memory_sets=(talk.memories,))
    pipeline = pipeline_of(workspace)
    for question in talk.questions:
        scenario = Scenario(
            policy="window_rag",
            tokenizer="estimate:words",
            similarity=step.way,
            embedding=step.embedding,
            relevance=step.settings,
            query=question.query,
        )
        candidates = pipeline.candidates(make_all(pipeline, scenario))
        named = [_turns_of(candidates, row) for row in _best(candidates, kind)]
        yield [
            len(question.needed.intersection(chain.from_iterable(named[:depth]))) / len(question.needed)
            for depth in DEPTHS
        ]


def _best(candidates: Candidates, kind: Kind) -> list[int]:
    rows = candidates.rows(kind)
    values: NDArray[np.float64] = candidates.message_likeness.values if kind == TURNS else candidates.similarity
    order = np.argsort(-np.nan_to_num(values[rows], nan=-1.0), kind="stable")
    return rows[order[: DEPTHS[-1]]].tolist()


def _turns_of(candidates: Candidates, row: int) -> frozenset[str]:
    thing: Any = candidates.things[row]
    return frozenset(getattr(thing, "source_messages", (thing.id,)))


def _talks_of(file: Path) -> Iterator[Talk]:
    samples = {sample["sample_id"]: sample for sample in orjson.loads(file.read_bytes())}
    found = load_workspace([str(file)])
    memories = {stored.id: stored for stored in found.memory_sets}
    for conversation in found.conversations:
        known = {message.id for message in conversation.messages}
        asked = tuple(_questions(samples[conversation.id]["qa"], known))
        yield Talk(conversation, memories[conversation.id], asked)


def _questions(asked: list[dict[str, Any]], known: set[str]) -> Iterator[Question]:
    for question in asked:
        needed = {turn for text in question.get("evidence", ()) for turn in _TURN.findall(text)}
        if needed and needed <= known:
            yield Question(question["question"], frozenset(needed))
