"""Findings about retrieval: memories that say nearly the same, and vectors that cannot be had."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from building import chat, pipeline_for, workspace

from inspector.assembly.answer import complete_answer, planned_answer
from inspector.assembly.candidates import Candidates
from inspector.assembly.decisions import Finding
from inspector.assembly.finding_kinds import EMBEDDING_UNAVAILABLE
from inspector.assembly.known import Known
from inspector.assembly.lacking import duplicate_work, make_here, missing_vectors
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.relevance import DuplicateSearches, MemoryTexts
from inspector.assembly.scenario import Scenario
from inspector.model import Conversation, Memory, MemorySet, Workspace
from inspector.retrieval.vectors.choice import EmbedderChoice

TEXTS = (
    "Nell keeps the key of the boathouse under the third stone",
    "Arthur wants the first of the ebb",
    "Nell keeps the key of the boathouse under the third big stone",
    "The eel is called Monty",
    "Arthur wants the first of the ebb!",
)
SCENARIO = Scenario(tokenizer="estimate:words", context_window=400, similarity="recorded")


def pipeline(texts: tuple[str, ...] = TEXTS) -> Pipeline:
    stored = tuple(Memory(f"k{number}", text) for number, text in enumerate(texts))
    return pipeline_for(workspace(chat(3, 3, 3), MemorySet("default", stored)))


def find_duplicates(made: Pipeline, scenario: Scenario, most: int | None = None) -> None:
    work = duplicate_work(made, made.candidates(made.case(scenario)), most)
    if work is not None:
        make_here(work)


def finding(made: Pipeline, code: str, **fields: Any) -> Finding | None:
    scenario = Scenario(**{"tokenizer": "estimate:words", "context_window": 400, "similarity": "recorded", **fields})
    return next((found for found in planned_answer(made, made.case(scenario)).findings if found.code == code), None)


def test_nothing_is_said_before_anybody_has_looked() -> None:
    assert finding(pipeline(), "near_duplicate_memories") is None


def test_groups_are_counted_and_the_first_is_named() -> None:
    made = pipeline()
    find_duplicates(made, SCENARIO)
    found = finding(made, "near_duplicate_memories")
    assert found is not None
    assert found.message == (
        "2 groups of 4 memories say nearly the same; the first: M 1, M 3. "
        "The prompt holds 2 of them beside the ones they repeat."
    )
    assert found.severity == "warning"
    ids = made.assemble(made.case(SCENARIO)).candidates.ids
    assert [ids[row] for row in found.rows] == ["k0", "k1", "k2", "k4"]


def test_it_is_only_information_while_the_prompt_holds_none_twice() -> None:
    made = pipeline()
    find_duplicates(made, SCENARIO)
    parameters = {"memory_share": 0.0, "history_share": 0.7, "reserve_share": 0.3}
    found = finding(made, "near_duplicate_memories", parameters=parameters)
    assert found is not None
    assert found.severity == "info"
    assert found.message.endswith("the first: M 1, M 3.")


def test_excluding_the_repeats_settles_it() -> None:
    made = pipeline()
    find_duplicates(made, SCENARIO)
    left = finding(made, "near_duplicate_memories", excluded=("k2",))
    assert left is not None
    assert left.message.startswith("2 memories say nearly the same: M 2, M 5.")
    assert finding(made, "near_duplicate_memories", excluded=("k2", "k4")) is None


def test_more_memories_than_are_looked_through_unasked_are_left_alone() -> None:
    made = pipeline()
    find_duplicates(made, SCENARIO, most=4)
    assert made.known.duplicates.known(made.candidates(made.case(SCENARIO))) is None
    find_duplicates(made, SCENARIO)
    known = made.known.duplicates.known(made.candidates(made.case(SCENARIO)))
    assert known is not None
    find_duplicates(made, SCENARIO)
    assert made.known.duplicates.known(made.candidates(made.case(SCENARIO))) is known, "not looked for again"


def test_what_was_found_stays_known_while_the_texts_are_the_same() -> None:
    made = pipeline()
    find_duplicates(made, SCENARIO)
    for fields in ({"query": "ebb"}, {"excluded": ("k0",)}, {"policy": "slots"}, {"similarity": "lexical"}):
        other = Scenario(**{"tokenizer": "estimate:words", "context_window": 400, "similarity": "recorded", **fields})
        assert made.known.duplicates.known(made.candidates(made.case(other))) is not None
        assert made.fork().known.duplicates.known(made.candidates(made.case(other))) is not None


def test_other_memories_are_other_texts() -> None:
    sets = tuple(
        MemorySet(name, tuple(Memory(f"{name}{number}", text) for number, text in enumerate(texts)))
        for name, texts in (("a", TEXTS), ("b", TEXTS[::-1]))
    )
    made = pipeline_for(Workspace(conversations=(Conversation("c1", chat(3)),), memory_sets=sets))
    find_duplicates(made, replace(SCENARIO, memory_sets=("a",)))
    assert finding(made, "near_duplicate_memories", memory_sets=("a",)) is not None
    assert finding(made, "near_duplicate_memories", memory_sets=("b",)) is None, "nobody has looked at these"


class _Known:
    """Vectors of texts by their first letter, so that other texts are alike than by their words."""

    name, fingerprint, quick, chunk = "letters", "letters", True, 100

    def embed(self, texts: Any) -> np.ndarray:
        rows = np.zeros((len(texts), 128), np.float32)
        rows[np.arange(len(texts)), [ord(text[0]) % 128 for text in texts]] = 1
        return rows


def test_vectors_are_compared_where_they_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    made = pipeline()
    embedder = _Known()
    monkeypatch.setattr(Known, "embedder", lambda *_: EmbedderChoice(embedder, "letters make the vectors."))
    wanted = Scenario(tokenizer="estimate:words", context_window=400, similarity="embedding", query="The")
    missing = missing_vectors(made, made.case(wanted))
    made.known.vectors(embedder).add(missing, embedder.embed(missing).astype(np.float16))
    find_duplicates(made, wanted)
    known = made.known.duplicates.known(made.candidates(made.case(wanted)))
    assert known is not None
    assert known.groups == tuple(tuple(known.first + place for place in group) for group in ((0, 2), (1, 4)))
    assert made.known.duplicates.known(made.candidates(made.case(SCENARIO))) is None, "words were not compared yet"
    assert finding(made, "embedding_unavailable", similarity="embedding", query="The") is None


def test_missing_vectors_are_said_only_where_they_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    made = pipeline()
    reason = "wordllama cannot be had here (not installed): words are compared instead."
    monkeypatch.setattr(Known, "embedder", lambda *_: EmbedderChoice(None, reason))
    found = finding(made, "embedding_unavailable", similarity="auto", query="Nell")
    assert found == Finding(EMBEDDING_UNAVAILABLE, reason)
    for fields in (
        {"similarity": "lexical", "query": "Nell"},
        {"similarity": "recorded"},
        {"similarity": "auto", "query": ""},
    ):
        assert finding(made, "embedding_unavailable", **fields) is None


def test_vectors_that_are_known_by_chance_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is recorded is not embedded for `auto`: that it was, for another scenario, must not be seen."""
    stored = tuple(Memory(f"k{number}", text, similarity=0.5) for number, text in enumerate(TEXTS))
    found = workspace(chat(3, 3, 3), MemorySet("default", (*stored, Memory("new", "A memory of another day"))))
    embedder = _Known()
    monkeypatch.setattr(Known, "embedder", lambda *_: EmbedderChoice(embedder, "letters make the vectors."))
    wanted = Scenario(tokenizer="estimate:words", context_window=400, similarity="auto", query="The")
    fresh, used = pipeline_for(found), pipeline_for(found)
    complete_answer(used, replace(wanted, similarity="embedding"), finds_duplicates=True)
    expected, answer = (complete_answer(made, wanted, finds_duplicates=True) for made in (fresh, used))
    assert answer.findings == expected.findings


def test_a_search_that_another_thread_ends_meanwhile_is_not_taken_for_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look at the memories and the look at what is known of them, a fork finds those of other memories."""
    sets = tuple(
        MemorySet(name, tuple(Memory(f"{name}{number}", text) for number, text in enumerate(texts)))
        for name, texts in (("a", TEXTS), ("b", TEXTS[:2]))
    )
    made = pipeline_for(Workspace(conversations=(Conversation("c1", chat(3)),), memory_sets=sets))
    searches, mine = made.known.duplicates, replace(SCENARIO, memory_sets=("a",))
    find_duplicates(made, mine)
    candidates, look = made.candidates(made.case(mine)), DuplicateSearches.memories

    def interrupted(self: DuplicateSearches, asked: Candidates) -> MemoryTexts:
        found = look(self, asked)
        monkeypatch.undo()
        find_duplicates(made.fork(), replace(SCENARIO, memory_sets=("b",)))
        return found

    monkeypatch.setattr(DuplicateSearches, "memories", interrupted)
    known = searches.known(candidates)
    assert known is None or len(known.labels) == len(TEXTS)
