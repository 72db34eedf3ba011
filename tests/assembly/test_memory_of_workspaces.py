"""Nothing worked out from a workspace outlives it, whatever policy was asked: no cache of a function holds it."""

import gc
from dataclasses import replace
from pathlib import Path
from weakref import ref

import orjson
import pytest
from building import pipeline_for

from inspector.assembly.answer import answer_value, measured, planned_answer
from inspector.assembly.case import Case
from inspector.assembly.decisions import Assembly
from inspector.assembly.explain import explain, ranking_signals
from inspector.assembly.lacking import duplicate_work, make_all, make_here
from inspector.assembly.memory_ranking import comparison_sentence, prompt_sentence, rank_memories, ranking_sentence
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.relevance import NearDuplicates
from inspector.assembly.scenario import Scenario
from inspector.formats import load_workspace
from inspector.model import Conversation, Workspace, changed
from inspector.plugins import policies
from inspector.testing.workspaces import EVERYTHING
from tests.examples import pairs

PAIRS = pairs(sorted({*load_presets(), *((name, "document") for name in policies()[0])}))
"""Every preset, and every policy also where no preset is named after it."""


class Talk(Conversation, frozen=True, weakref=True):
    """A conversation that can be referred to weakly."""


def opened() -> Workspace:
    """A small workspace with one of every kind of thing, whose conversation nobody else holds."""
    (conversation,) = EVERYTHING.conversations
    return changed(EVERYTHING, conversations=(Talk("talk", conversation.messages),))


def looked_at(pipeline: Pipeline, scenario: Scenario) -> Assembly:
    """The assembly of a scenario, after everything was asked of it that a person can see."""
    case = make_all(pipeline, scenario)
    assembly = pipeline.assemble(case)
    if (search := duplicate_work(pipeline, assembly.candidates)) is not None:
        make_here(search)
    answer = measured(pipeline, planned_answer(pipeline, case))
    assert answer.assembly.error is None
    answer_value(answer)
    for row in range(len(assembly.candidates)):
        explain(assembly, row)
        ranking_signals(assembly, row, case.policy)
    look_at_memories(case, assembly, pipeline.known.duplicates.known(assembly.candidates))
    return assembly


def look_at_memories(case: Case, assembly: Assembly, duplicates: NearDuplicates | None) -> None:
    ranking = rank_memories(assembly, case.policy, duplicates)
    for row in ranking.rows.tolist():
        for say in (ranking.why, ranking.signals, ranking.like, ranking.similarity, ranking.short_by):
            say(row)
    assert prompt_sentence(ranking)
    assert comparison_sentence(ranking)
    ranking_sentence(ranking, case.policy_name)
    tuple(ranking.lines)


@pytest.mark.parametrize(("policy", "preset"), PAIRS)
def test_nothing_of_a_workspace_outlives_it(policy: str, preset: str) -> None:
    pipeline = pipeline_for(opened())
    scenario = Scenario(
        policy=policy,
        preset=preset,
        tokenizer="estimate:words",
        context_window=9_000,
        query="the harbour of memory3",
        similarity="hybrid",
        classify="rules",
        summaries="extractive",
        summary_tokens=5,
    )
    assembly = looked_at(pipeline, scenario)
    talk = pipeline.workspace.conversations[0]
    assert isinstance(talk, Talk)
    held = {"candidates": ref(assembly.candidates), "items": ref(assembly.candidates.items), "conversation": ref(talk)}
    del pipeline, assembly, talk
    gc.collect()
    assert [name for name, thing in held.items() if thing() is not None] == []


def conversations_of(name: str) -> list[Conversation]:
    """The living conversations of that id."""
    return [thing for thing in gc.get_objects() if type(thing) is Conversation and thing.id == name]


def test_opening_a_file_keeps_nothing_of_it(tmp_path: Path) -> None:
    file = tmp_path / "gone-when-it-is-closed.json"
    file.write_bytes(orjson.dumps([{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]))
    pipeline = pipeline_for(load_workspace([str(file)]))
    name = pipeline.workspace.conversations[0].id
    assembly = looked_at(pipeline, Scenario(tokenizer="estimate:words"))
    assert len(conversations_of(name)) == 1
    held = ref(assembly.candidates.items)
    del pipeline, assembly
    gc.collect()
    assert conversations_of(name) == []
    assert held() is None


def test_refused_parameters_hold_no_case_before_them() -> None:
    """Not even in a circle, which waits for a collection: each would hold the one before it, and so on."""
    pipeline = pipeline_for(opened())
    scenario = Scenario(tokenizer="estimate:words")
    before = ref(pipeline.case(scenario))
    gc.disable()
    try:
        for number in range(3):
            assert pipeline.case(replace(scenario, parameters={"memory_share": -1.0 - number})).refusal is not None
        assert before() is None
    finally:
        gc.enable()
