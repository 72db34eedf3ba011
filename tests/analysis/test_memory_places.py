"""Where memories stand: the cost of a replay with the same decisions at each place, against prompts written out."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache

import numpy as np
import pytest

from inspector.analysis.basis import Basis, Share, result_of
from inspector.analysis.recall.ask import recall
from inspector.analysis.recall.memory_places import (
    FIRST,
    LAID,
    LAST,
    NONE,
    MemoryPlaces,
    memory_places,
    memory_places_value,
    moved_blocks,
)
from inspector.analysis.replay.ask import replay_last
from inspector.assembly.answer import complete_answer
from inspector.assembly.columns import Kind
from inspector.assembly.decisions import Assembly
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.assembly.scenario import Scenario
from inspector.model import Conversation, Memory, MemorySet, Message, Probe, Workspace
from inspector.plugins import policies

START = datetime(2026, 1, 1, tzinfo=UTC)
LONG = "so it went on and on and nobody knew how it would end " * 6
SCENARIO = Scenario(policy="ratio", model="gpt-4o", context_window=16_000, parameters={"min_exchanges": 1})
PROBES = (Probe("old", ("m1",), "a", query="topic1?"), Probe("told", ("m3", "k0"), "a", query="topic3?"))


def pipeline_of(has_memories: bool = True) -> Pipeline:
    """A chat of long messages a minute apart, and memories of half of them."""
    said = (
        Message(f"m{n}", "assistant" if n % 2 else "user", f"topic{n} {LONG}", time=START + timedelta(minutes=n))
        for n in range(30)
    )
    stored = tuple(Memory(f"k{n}", f"about topic{n} " + LONG, source_messages=(f"m{n}",)) for n in range(0, 30, 2))
    sets = (MemorySet("of a", stored if has_memories else (), conversations=("a",)),)
    return Pipeline(Workspace((Conversation("a", tuple(said)),), memory_sets=sets), policies()[0], load_presets())


def places_of(pipeline: Pipeline, scenario: Scenario = SCENARIO) -> MemoryPlaces:
    return result_of(memory_places(Basis(pipeline, scenario), PROBES))


def test_memories_before_the_newest_message_leave_the_conversation_in_the_cache() -> None:
    found = places_of(pipeline_of())
    figures = {one.name: one for one in found.places}
    assert [one.name for one in found.places] == [LAID, LAST, NONE], "this policy puts them before the conversation"
    laid, last, none = (figures[name] for name in (LAID, LAST, NONE))
    assert laid.tokens == last.tokens > none.tokens
    assert laid.memories == last.memories > none.memories == 0
    assert laid.cost == last.cost
    assert laid.read is not None
    assert last.read is not None
    assert laid.read < last.read
    assert last.cost_cached is not None
    assert laid.cost_cached is not None
    assert last.cost_cached < laid.cost_cached
    assert laid.recall == last.recall
    assert found.sentence.startswith("Before the newest message, memories cost $")
    assert "; without memories " in found.sentence
    assert "OpenAI keeps" in found.rule


def test_recall_and_costs_are_those_of_the_files_with_and_without_memories() -> None:
    """The question that also needs a memory counts by its message alone, as without memories."""
    pipeline = pipeline_of()
    figures = {one.name: one for one in places_of(pipeline).places}
    by_messages = (PROBES[0], Probe("told", ("m3",), "a", query="topic3?"))
    for name, scenario in ((LAID, SCENARIO), (NONE, replace(SCENARIO, memory_sets=()))):
        means = recall(pipeline, scenario, by_messages).groups[-1].means
        assert figures[name].recall_with_memories == means["recall_with_memories"]
        replayed = replay_last(pipeline, replace(scenario, conversation="a"), 40)
        assert figures[name].cost_cached == pytest.approx(replayed.cached_costs[1:].mean())
        assert figures[name].prompts == len(replayed) - 1
        assert figures[name].read == pytest.approx(replayed.read[1:].sum() / replayed.totals[1:].sum())


@cache
def kept_pipeline() -> Pipeline:
    """The same for many tests, so that its texts are counted once."""
    return pipeline_of()


def assembly_of(policy: str) -> Assembly:
    return complete_answer(kept_pipeline(), replace(SCENARIO, policy=policy, conversation="a", parameters={})).assembly


@pytest.mark.parametrize("policy", sorted(policies()[0]))
@pytest.mark.parametrize("place", [FIRST, LAST])
def test_moving_memories_keeps_every_item_once_and_the_others_in_order(policy: str, place: str) -> None:
    assembly = assembly_of(policy)
    blocks = moved_blocks(assembly, assembly.blocks, place)
    kinds = assembly.candidates.kind
    before, after = ([row for block in some for row in block.rows.tolist()] for some in (assembly.blocks, blocks))
    assert sorted(before) == sorted(after)
    assert [row for row in before if kinds[row] != Kind.MEMORY] == [row for row in after if kinds[row] != Kind.MEMORY]
    moved = replace(assembly, layout=lambda _: blocks)
    texts = [sorted(message.content for message in prompt_messages(one)) for one in (assembly, moved)]
    assert texts[0] == texts[1]


def test_the_places_are_before_the_first_and_before_the_last_message() -> None:
    assembly = assembly_of("ratio")
    kinds = assembly.candidates.kind
    for place in (FIRST, LAST):
        rows = [row for block in moved_blocks(assembly, assembly.blocks, place) for row in block.rows.tolist()]
        memories = np.flatnonzero([kinds[row] == Kind.MEMORY for row in rows])
        messages = np.flatnonzero([kinds[row] == Kind.MESSAGE for row in rows])
        assert len(memories) > 0
        assert memories[-1] == (messages[0] - 1 if place == FIRST else messages[-1] - 1)
    assert moved_blocks(assembly, (), LAST) == ()


def test_without_memories_there_is_nothing_to_place() -> None:
    found = places_of(pipeline_of(has_memories=False))
    assert [one.name for one in found.places] == [LAID, NONE]
    assert found.sentence.startswith("No prompt of this setting has a memory: ")


def test_without_a_price_no_cost_is_told() -> None:
    found = places_of(pipeline_of(), replace(SCENARIO, model="nobody-knows-1", tokenizer="estimate:words"))
    assert {(one.cost, one.cost_cached, one.read) for one in found.places} == {(None, None, None)}
    assert found.sentence.startswith("The price is not known: ")
    value = json.loads(json.dumps(memory_places_value(found, SCENARIO, None)))
    assert (value["format"], value["cache"], value["questions"]) == ("prompt-inspector/memory-places@1", None, 2)


def test_progress_comes_first_and_no_question_gives_no_recall() -> None:
    *shares, last = memory_places(Basis(pipeline_of(), SCENARIO), ())
    done = [share.part for share in shares if isinstance(share, Share)]
    assert done == sorted(done)
    assert isinstance(last, MemoryPlaces)
    assert last.questions == 0
    assert all(one.prompts == 0 for one in last.places)
    assert "–" in last.sentence
