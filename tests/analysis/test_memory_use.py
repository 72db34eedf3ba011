"""Memory use: the figures of each memory over many questions, against a plain reading of single answers."""

import json
import math
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import inspector
from inspector.analysis.basis import Basis, result_of
from inspector.analysis.recall.memory_use import USED_MEMORIES, MemoryUse, memory_uses
from inspector.analysis.recall.probes import scenario_of
from inspector.assembly.answer import answer_value, complete_answer
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import MemorySet, Probe, Workspace, changed
from inspector.plugins import policies

PROBES = (
    Probe("message", ("m9", "m8"), "c1"),
    Probe("cited", ("m0", "k1"), "c1"),
    Probe("both", ("m0", "m2"), "c1"),
    Probe("unnamed", ("m1", "m3"), "c1"),
    Probe("other", ("m1", "m0"), "c2"),
)
SOURCES = {"k0": ("m0",), "k1": ("m0",), "k3": ("m2",)}


@pytest.fixture
def found(found: Workspace) -> Workspace:
    """The small chat whose memories name sources; two of them the same."""
    (stored,) = found.memory_sets
    memories = tuple(changed(one, source_messages=SOURCES.get(one.id, ())) for one in stored.memories)
    return changed(found, memory_sets=(MemorySet("default", memories),))


def use_of(pipeline: Pipeline, scenario: Scenario, probes: tuple[Probe, ...] = PROBES) -> MemoryUse:
    return result_of(memory_uses(Basis(pipeline, scenario), probes))


def kept_ids(pipeline: Pipeline, scenario: Scenario) -> set[str]:
    """The ids of what is whole in a prompt, read off the answer as JSON has it."""
    value = answer_value(complete_answer(pipeline, scenario))
    return {item["id"] for item in value["items"] if item["action"] == "kept" and not value["error"]}


def held_share(kept: set[str], probe: Probe) -> float:
    """The share of the evidence kept or named by a kept memory."""
    named = {name for memory in kept & SOURCES.keys() for name in SOURCES[memory]}
    return sum(one in kept | named for one in probe.evidence) / len(probe.evidence)


@pytest.mark.parametrize("policy", ["ratio", "window_rag", "reserve", "slots", "naive"])
@pytest.mark.parametrize("window", [20, 70, 200])
def test_the_figures_are_those_of_single_answers(
    pipeline: Pipeline, scenario: Scenario, policy: str, window: int
) -> None:
    asked = replace(scenario, conversation=None, policy=policy, context_window=window, parameters={})
    kept, carries, useful, lost = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for probe in PROBES:
        case = scenario_of(asked, probe)
        there = kept_ids(pipeline, case)
        for name in ("k0", "k1", "k2", "k3"):
            carrying = name in probe.evidence or bool({*SOURCES.get(name, ())} & {*probe.evidence})
            kept[name] += name in there
            carries[name] += carrying
            if carrying and name in there:
                useful[name] += 1
                without = kept_ids(pipeline, replace(case, excluded=(name,)))
                lost[name] += held_share(there, probe) - held_share(without, probe)  # type: ignore[assignment]
    use = use_of(pipeline, asked)
    assert use.questions == len(PROBES)
    for place, memory in enumerate(use.memories):
        name = memory.name
        figures = use.kept[place], use.carries[place], use.useful[place]
        assert figures == (kept[name], carries[name], useful[name]), name
        assert use.lost[place] == pytest.approx(lost[name]), name
        assert use.kept[place] <= use.considered[place] <= use.asked[place] <= use.questions
    assert [memory.name for memory in use.memories] == ["k0", "k1", "k2", "k3"], "a shared memory is listed once"


def test_needed_messages_that_no_memory_names_are_memories_to_write(pipeline: Pipeline, scenario: Scenario) -> None:
    use = use_of(pipeline, replace(scenario, conversation=None, context_window=200))
    found = {
        (one.conversation, one.name): int(count) for one, count in zip(use.unnamed, use.wanted.tolist(), strict=True)
    }
    assert found == {("c1", name): 1 for name in ("m9", "m8", "m1", "m3")} | {("c2", "m1"): 1}
    assert (use.there <= use.wanted).all()


def test_a_memory_without_an_id_of_its_own_has_no_known_loss(found: Workspace, scenario: Scenario) -> None:
    (stored,) = found.memory_sets
    twice = changed(stored, memories=(*stored.memories, changed(stored.memories[0], source_messages=("m2",))))
    pipeline = Pipeline(changed(found, memory_sets=(twice,)), policies()[0], load_presets())
    use = use_of(pipeline, replace(scenario, context_window=200), PROBES[:4])
    rows = {use.memories[row].name: row for row in range(len(use.memories))}
    first, second = rows["memories/k0"], rows["memories/k0#2"]
    assert use.useful[first] > 0
    assert math.isnan(use.lost[first]), "its id means both"
    assert not math.isnan(use.lost[second])
    lost = {record["id"]: record["lost"] for record in USED_MEMORIES.records(use)}
    assert lost["memories/k0"] is None
    assert use.order.tolist()[-1] == first, "what is not known comes last"


def test_twins_are_the_others_with_the_same_words(pipeline: Pipeline, scenario: Scenario) -> None:
    first, second = use_of(pipeline, scenario), use_of(pipeline, replace(scenario, policy="window_rag", parameters={}))
    assert first.twins.tolist() == second.twins.tolist() == [3, 3, 3, 3]
    assert first.never.tolist() == second.never.tolist() == [2]
    assert "1 of 4 memories (25.0 %) never carry evidence of 4 questions" in first.sentence
    assert sorted(first.order.tolist()) == [0, 1, 2, 3]
    assert (first.lost[first.order][:-1] >= first.lost[first.order][1:]).all()


def test_the_memories_of_real_chats_carry_what_their_file_says(data_folder: Path) -> None:
    file = data_folder / "locomo" / "locomo5.json"
    sample = json.loads(file.read_bytes())[0]
    turns = re.compile(r"D\d+:\d+")
    needed = {turn for asked in sample["qa"] for turn in turns.findall(" ".join(asked.get("evidence") or ()))}
    told = [
        {*turns.findall(json.dumps(line[1:]))}
        for session in sample["observation"].values()
        for lines in session.values()
        for line in lines
    ]
    workspace = inspector.load(file)
    pipeline = Pipeline(workspace, policies()[0], load_presets())
    asked = Scenario(conversation=sample["sample_id"], policy="ratio", context_window=8_192)
    use = use_of(pipeline, asked, workspace.probes)
    assert len(use.memories) == len(told) == 184
    assert len(use.never) == sum(not cited & needed for cited in told)
    named = set().union(*told)
    assert {item.name.rsplit("/")[-1] for item in use.unnamed} == needed - named
    assert use.useful_share is not None
    assert 0.01 < use.useful_share < 0.05, "few of the memories retrieved for a question have its evidence"
