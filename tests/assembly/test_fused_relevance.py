"""What surrounds items counts with them: neighbours, sittings, sources; each part is said and can be left out."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from building import pipeline_for, workspace

from inspector.assembly.candidates import Candidates
from inspector.assembly.case import Case
from inspector.assembly.choices import ScenarioError
from inspector.assembly.columns import Kind
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.relevance import similarity_parts, similarity_words
from inspector.assembly.scenario import Scenario
from inspector.model import Memory, MemorySet, Message, changed
from inspector.retrieval.lexical import LexicalIndex
from inspector.retrieval.relevance.settings import RelevanceSettings

MORNING = datetime(2024, 5, 3, 9, tzinfo=UTC)


def said(number: int, name: str, text: str, day: int) -> Message:
    time = MORNING + timedelta(days=day, minutes=number)
    return Message(f"m{number}", "assistant" if name == "Ben" else "user", text, name=name, time=time)


TALK = (
    said(0, "Ana", "We sailed the boat to the island", 0),
    said(1, "Ben", "How long did that take", 0),
    said(2, "Ana", "Nearly nine hours", 0),
    said(3, "Ben", "My cat is fine", 40),
    said(4, "Ana", "Good to hear", 40),
    said(5, "Ana", "Tell me about the boat", 41),
)
MADE = MemorySet(
    "made",
    (
        Memory("k0", "The trip took the whole day", source_messages=("m2", "m0")),
        Memory("k1", "The pet is well", source_messages=("m3", "m99")),
        Memory("k2", "Somebody owns a guitar"),
    ),
)
WANTED = Scenario(
    tokenizer="estimate:words", policy="window_rag", query="sailing a boat", relevance=RelevanceSettings(vectors=0)
)


def found(scenario: Scenario = WANTED, pipeline: Pipeline | None = None) -> Candidates:
    made = pipeline or pipeline_for(workspace(TALK, MADE))
    return made.candidates(make_all(made, scenario))


def without(**parts: object) -> Scenario:
    return replace(WANTED, relevance=replace(WANTED.relevance, **parts))  # type: ignore[arg-type]


def values(candidates: Candidates, kind: Kind) -> list[float]:
    column = candidates.message_likeness.values if kind == Kind.MESSAGE else candidates.similarity
    return column[candidates.rows(kind)].round(2).tolist()


def test_what_stands_beside_what_was_asked_for_is_found_in_its_sitting() -> None:
    turns = values(found(), Kind.MESSAGE)
    assert turns[0] == 1
    assert 1 > turns[1] > turns[2] > 0
    assert turns[3:5] == [0, 0]
    assert np.isnan(turns[5]), "the question itself is not compared"
    assert values(found(without(before=0, after=0, sitting=0)), Kind.MESSAGE)[1:5] == [0, 0, 0, 0]


def test_a_memory_is_found_by_the_messages_that_it_was_made_from() -> None:
    memories = values(found(), Kind.MEMORY)
    assert memories[0] > 0.9
    assert memories[1:] == [0, 0]
    assert values(found(without(sources=0)), Kind.MEMORY) == [0, 0, 0]


def test_messages_that_do_not_take_part_give_their_memories_nothing() -> None:
    assert values(found(replace(WANTED, excluded=("m0",))), Kind.MEMORY) == [0, 0, 0]
    assert values(found(replace(WANTED, at=0)), Kind.MEMORY) == [0, 0, 0]


def test_speakers_and_months_are_asked_for_by_name() -> None:
    by_name = found(replace(WANTED, query="what did Ben say"))
    assert values(by_name, Kind.MESSAGE)[3] > values(by_name, Kind.MESSAGE)[4]
    unnamed = found(replace(without(speakers=False, before=0, after=0, sitting=0), query="Ben"))
    assert values(unnamed, Kind.MESSAGE)[:5] == [0] * 5
    in_june = values(found(replace(WANTED, query="in June 2024?")), Kind.MESSAGE)
    assert min(in_june[3:5]) > max(in_june[:3])


def test_the_parts_of_a_similarity_are_said_with_the_words_that_were_found() -> None:
    candidates = found()
    boat, beside = candidates.rows(Kind.MESSAGE)[:2].tolist()
    parts, words = similarity_parts(candidates, boat)
    assert words == ("sailing", "boat")
    assert list(parts) == ["words", "neighbours", "sitting"]
    assert sum(parts.values()) == pytest.approx(candidates.message_likeness.values[boat])
    assert similarity_words(candidates, boat).startswith("0.")
    assert "its own words (sailing, boat) + 0." in similarity_words(candidates, boat)
    assert "own words" not in similarity_words(candidates, beside)
    assert "the messages beside it" in similarity_words(candidates, beside)
    memory = int(candidates.rows(Kind.MEMORY)[0])
    assert "the messages it was made from" in similarity_words(candidates, memory)


def test_an_item_says_that_its_chat_is_weighed_as_one_with_an_assistant() -> None:
    long = tuple(
        changed(said, content=said.content + " of it" * 500) if said.role == "assistant" else said for said in TALK
    )
    with_assistant = pipeline_for(workspace(long, MADE))
    boat = found().rows(Kind.MESSAGE)[0]
    memory = found().rows(Kind.MEMORY)[0]
    assert "weighed 100.0 % for an assistant's long replies" in similarity_words(found(WANTED, with_assistant), boat)
    for candidates in (found(), found(without(by_kind=False), with_assistant)):
        assert "weighed" not in similarity_words(candidates, boat)
    fused = found(replace(WANTED, similarity="fused"), with_assistant)
    assert "weighed" not in similarity_words(fused, boat)
    assert "weighed" not in similarity_words(found(WANTED, with_assistant), memory)


def test_nothing_is_said_of_what_is_not_fused() -> None:
    candidates = found()
    for row in (0, int(candidates.rows(Kind.MESSAGE)[-1])):
        if candidates.kind[row] != Kind.MEMORY:
            assert similarity_parts(candidates, row) == ({}, ())
    lexical = found(replace(WANTED, similarity="lexical"))
    assert not any(similarity_words(lexical, row) for row in range(len(lexical)))
    unranked = found(replace(WANTED, query=" "))
    assert not any(similarity_words(unranked, row) for row in range(len(unranked)))


def test_a_draft_and_a_replay_index_nothing_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[int] = []
    real = LexicalIndex.__init__
    monkeypatch.setattr(
        LexicalIndex, "__init__", lambda index, texts, *more: built.append(len(texts)) or real(index, texts, *more)
    )
    pipeline = pipeline_for(workspace(TALK, MADE))
    first = values(found(WANTED, pipeline), Kind.MEMORY)
    indexed = list(built)
    assert len(TALK) in indexed
    changed = (replace(WANTED, draft="and then?"), replace(WANTED, at=3), without(stems=False, before=0), WANTED)
    again = [values(found(scenario, pipeline), Kind.MEMORY) for scenario in changed]
    assert built == indexed
    assert again[-1] == first


def test_weights_change_the_parts_at_once() -> None:
    pipeline = pipeline_for(workspace(TALK, MADE))
    usual = values(found(WANTED, pipeline), Kind.MESSAGE)[:5]
    assert values(found(without(sitting=0), pipeline), Kind.MESSAGE)[:5] != usual
    assert values(found(WANTED, pipeline), Kind.MESSAGE)[:5] == usual


def test_a_weight_that_is_none_is_refused() -> None:
    def resolved() -> Case:
        return pipeline_for(workspace(TALK)).case(without(sitting=-1))

    with pytest.raises(ScenarioError, match="relevance: sitting must be a number from 0 to 10, not -1"):
        resolved()
