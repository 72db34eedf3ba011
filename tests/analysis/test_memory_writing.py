"""How memories are written: each way against the recall of the same files with its memories alone."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import inspector
from inspector.analysis.basis import Basis, Share, result_of
from inspector.analysis.recall.answers import answer_words
from inspector.analysis.recall.ask import recall
from inspector.analysis.recall.memory_writing import (
    EXTRACTED,
    EXTRACTS,
    FILED,
    NONE,
    SUMMARIES,
    MemoryWriting,
    extracted,
    memory_writing,
    memory_writing_value,
    ways_to_write,
)
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Conversation, Memory, MemorySet, Message, PastSummary, Probe, Workspace
from inspector.plugins import policies
from inspector.tokens.tokenizer import Tokenizer

START = datetime(2026, 1, 1, tzinfo=UTC)
SAID = (
    "My sister Ada moved to Lisbon in May. She rents a flat by the river.",
    "That sounds lovely! How does she like it there?",
    "She likes it. Ada plays the cello in a small orchestra now.",
    "I never learned to play. What else is new?",
    "We sold the old boat. It was leaking badly.",
    "A pity, it was a fine boat. Shall we have tea?",
    "Yes, tea with honey. Then I have to mend the fence.",
    "Good luck with the fence. See you on Sunday!",
)
PROBES = (
    Probe("city", ("m0",), "a", query="Where does Ada live?", answer="Lisbon"),
    Probe("plays", ("m2",), "a", query="What does Ada play?", answer="the cello"),
    Probe("boat", ("m4", "m5"), "a", query="What did they sell?", answer="a boat"),
    Probe("memory", ("k0",), "a", query="Where is Ada?", answer="in Lisbon"),
    Probe("both", ("k1", "m2"), "a", query="What does she play?", answer="cello"),
)
SCENARIO = Scenario(policy="ratio", tokenizer="estimate:words", context_window=70, parameters={"min_exchanges": 1})


def chat(name: str) -> Conversation:
    """Two sittings of four messages."""
    times = (START + timedelta(minutes=n, hours=9 * (n // 4)) for n in range(len(SAID)))
    said = (
        Message(f"m{n}", "assistant" if n % 2 else "user", text, time=time)
        for n, (text, time) in enumerate(zip(SAID, times, strict=True))
    )
    return Conversation(name, tuple(said))


def memories(*of: tuple[str, str, str]) -> tuple[Memory, ...]:
    return tuple(Memory(name, text, source_messages=(source,)) for name, text, source in of)


FACTS = MemorySet(
    "facts", memories(("k0", "Ada lives in Lisbon.", "m0"), ("k1", "Ada plays.", "m2")), conversations=("a",)
)
NOTES = MemorySet("notes", memories(("k2", "They sold a boat.", "m4")), conversations=("a",))
SUMMARY = PastSummary("s1", "Ada moved to Lisbon and plays the cello.", time=START + timedelta(minutes=9))
NAMED = PastSummary("s2", "A boat was sold.", source_messages=("m4",))


def pipeline_of(*sets: MemorySet, summaries: tuple[PastSummary, ...] = ()) -> Pipeline:
    workspace = Workspace((chat("a"),), memory_sets=sets, summaries=summaries)
    return Pipeline(workspace, policies()[0], load_presets())


def writing_of(pipeline: Pipeline, probes: tuple[Probe, ...] = PROBES, scenario: Scenario = SCENARIO) -> MemoryWriting:
    return result_of(memory_writing(Basis(pipeline, scenario), probes))


def words() -> Tokenizer:
    return pipeline_of().case(replace(SCENARIO, conversation="a")).model.tokenizer.tokenizer


@pytest.mark.parametrize("policy", ["ratio", "window_rag", "naive"])
def test_each_way_is_the_recall_of_files_with_its_memories(policy: str) -> None:
    """The questions of which a memory is the evidence count by their messages alone, in every way."""
    pipeline, scenario = pipeline_of(FACTS, NOTES, summaries=(SUMMARY, NAMED)), replace(
        SCENARIO, policy=policy, parameters={}
    )  # fmt: skip
    writing = writing_of(pipeline, PROBES, scenario)
    assert [one.way.name for one in writing.ways] == [NONE, FILED, "facts", "notes", SUMMARIES, EXTRACTS]
    asked = [*PROBES[:3], replace_evidence(PROBES[4], "m2")]
    for one in writing.ways:
        alone = pipeline_of(*one.way.sets, summaries=(SUMMARY, NAMED))
        means = recall(alone, scenario, asked).groups[-1].means
        assert one.means == means, one.way.name
    assert writing.questions == 4
    assert [one.id for one in writing.skipped] == ["memory"]


def replace_evidence(probe: Probe, *names: str) -> Probe:
    return Probe(probe.id, names, probe.conversation, query=probe.query, answer=probe.answer)


def test_words_of_answers_survive_in_what_is_written_from_the_needed_messages() -> None:
    writing = writing_of(pipeline_of(FACTS, NOTES, summaries=(SUMMARY, NAMED)), PROBES[:3])
    told = {one.way.name: one.told for one in writing.ways}
    assert told[NONE] == 0
    assert told[FILED] == pytest.approx(2 / 3), "the cello is not written"
    assert told["facts"] == told["notes"] == pytest.approx(1 / 3)
    assert told[SUMMARIES] == 1
    assert writing.told_by_messages == 1
    filed = next(one for one in writing.ways if one.way.name == FILED)
    assert (filed.memories, filed.tokens) == (3, 4 + 2 + 4)


def test_a_summary_is_of_its_messages_or_of_the_sitting_in_which_it_was_made() -> None:
    pipeline = pipeline_of(summaries=(SUMMARY, NAMED, PastSummary("s3", "Nothing is known of this.")))
    (way,) = (one for one in ways_to_write(pipeline, SCENARIO, PROBES, words()) if one.name == SUMMARIES)
    assert [one.source_messages for one in way.sets[0].memories] == [("m0", "m1", "m2", "m3"), ("m4",), ()]
    early = pipeline_of(summaries=(PastSummary("s0", "Before it all.", time=START - timedelta(days=1)),))
    (way,) = (one for one in ways_to_write(early, SCENARIO, PROBES, words()) if one.name == SUMMARIES)
    assert way.sets[0].memories[0].source_messages == ()


def test_extracts_are_sentences_of_their_messages_within_a_fifth_of_each_sitting() -> None:
    messages, tokenizer = chat("a").messages, words()
    found = list(extracted(messages, tokenizer))
    texts = {one.id: one.content for one in messages}
    assert found
    for one in found:
        (source,) = one.source_messages
        assert one.content in texts[source]
        assert one.time is not None
    for sitting in (messages[:4], messages[4:]):
        inside = [one.content for one in found if one.source_messages[0] in {each.id for each in sitting}]
        whole = int(tokenizer.count([each.content for each in sitting]).sum())
        assert 0 < int(tokenizer.count(inside).sum()) <= EXTRACTED * whole
    assert len({one.id for one in found}) == len(found)


@given(st.lists(st.text("ab .!?\n", max_size=30), max_size=8))
def test_extracts_of_any_texts_are_parts_of_them(said: list[str]) -> None:
    messages = [Message(f"m{n}", "user", text) for n, text in enumerate(said)]
    for one in extracted(messages, words()):
        assert one.content in said[int(one.source_messages[0][1:])]


def test_a_long_sitting_is_taken_in_parts_and_nothing_is_left_out() -> None:
    long = [Message(f"m{n}", "user", f"Word{n} is here. And so it goes on.") for n in range(450)]
    sources = {int(one.source_messages[0][1:]) for one in extracted(long, words())}
    assert min(sources) < 200
    assert max(sources) >= 400


def test_the_best_way_is_said_by_what_is_above_chance_else_by_recall() -> None:
    pipeline = pipeline_of(FACTS, NOTES)
    writing = writing_of(pipeline)
    best = max(writing.ways, key=lambda one: one.means["answer_words"] - one.means["other_answer_words"])
    assert writing.sentence.startswith(f"{best.way.title}: the prompts hold ")
    assert "points above chance; " in writing.sentence
    unanswered = tuple(Probe(one.id, one.evidence, "a", query=one.query) for one in PROBES[:3])
    said = writing_of(pipeline, unanswered).sentence
    assert "of the needed messages; " in said
    assert said.endswith(" By 3 questions.")
    value = memory_writing_value(writing_of(pipeline, unanswered), SCENARIO, None)
    assert value["told_by_messages"] is None
    assert value["ways"][0]["answer_words"] is None
    assert value["ways"][0]["named_for"] is None, "nothing is named without memories"


def test_scores_of_a_store_are_read_by_the_scale_of_its_set() -> None:
    far = MemorySet(
        "far",
        (
            Memory("k0", "Ada lives in Lisbon.", similarity=0.9, source_messages=("m0",)),
            Memory("k1", "Tea.", similarity=0.1),
        ),
        conversations=("a",),
        score_scale="distance",
    )
    scenario = replace(SCENARIO, similarity="recorded", score_scales={"far": "distance"})
    pipeline = pipeline_of(far)
    filed = next(one for one in writing_of(pipeline, PROBES[:2], scenario).ways if one.way.name == FILED)
    assert filed.means == recall(pipeline, scenario, PROBES[:2]).groups[-1].means
    assert [one.similarity for one in filed.way.sets[0].memories] == pytest.approx([0.1, 0.9])


def test_progress_comes_first_and_the_value_lists_every_way() -> None:
    pipeline = pipeline_of(FACTS)
    many = PROBES[:3] * 10
    *shares, last = memory_writing(Basis(pipeline, SCENARIO), many)
    assert isinstance(last, MemoryWriting)
    done = [share.part for share in shares if isinstance(share, Share)]
    assert done == sorted(done)
    assert done[-1] == 1
    value = json.loads(json.dumps(memory_writing_value(last, SCENARIO, None)))
    assert value["format"] == "prompt-inspector/memory-writing@1"
    assert [one["way"] for one in value["ways"]] == [NONE, FILED, EXTRACTS]
    assert value["questions"] == 30


def test_of_locomo_observations_hold_more_above_chance_than_none(data_folder: Path) -> None:
    workspace = inspector.load(data_folder / "locomo" / "locomo5.json")
    pipeline = Pipeline(workspace, policies()[0], load_presets())
    asked = [probe for probe in workspace.probes if probe.conversation == "conv-30"]
    writing = writing_of(pipeline, tuple(asked), Scenario(tokenizer="estimate:words", context_window=4_096))
    worth = {one.way.name: one.worth for one in writing.ways}
    assert worth[FILED] > worth[NONE]
    assert worth[EXTRACTS] > worth[NONE]
    assert {one.way.name: one.told for one in writing.ways}[NONE] == 0
    assert all(answer_words(probe.answer) for probe in asked[:5])
