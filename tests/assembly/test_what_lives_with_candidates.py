"""What policies keep with the candidates: a pipeline that has seen other scenarios answers as a new one does."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from building import pipeline_for, words, workspace

from inspector.assembly.columns import Kind
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.render import prompt_messages
from inspector.assembly.scenario import Scenario
from inspector.model import Character, Memory, MemorySet, Message

TOPICS = ("boats", "tea", "rain <in> the harbour", "boats & tea", "")
STORED = MemorySet(
    "facts",
    tuple(
        Memory(f"k{n * 7 % 40:02}", f"{TOPICS[n % 5]} {words(n % 9)}".strip(), category=("factual", "odd", "")[n % 3])
        for n in range(40)
    ),
)
TALK = tuple(Message(f"m{n}", "assistant" if n % 2 else "user", f"{TOPICS[n % 4]} {n}") for n in range(12))
FOUND = workspace(TALK, STORED, Character("guide", "Guide", "You are a guide."))
CHANGES: tuple[dict[str, Any], ...] = (
    {},
    {"context_window": 700},
    {"pinned": ("k07", "m2")},
    {"pinned": (), "excluded": ("k14",)},
    {"query": "boats"},
    {"query": "tea", "at": 8},
    {"context_window": 2_000},
)
LIMITS = {"adaptive": ("memory_chars", 9), "reserve": ("response_min", 20)}


def told(pipeline: Pipeline, scenario: Scenario) -> tuple[Any, ...]:
    """All that a policy decided, and the prompt."""
    assembly = pipeline.assemble(make_all(pipeline, scenario))
    messages = [(message.role, message.content, message.rows) for message in prompt_messages(assembly)]
    columns = (assembly.action, assembly.rank, assembly.left, assembly.costs, assembly.charges, assembly.order)
    decided = [column.tolist() for column in columns]
    reasons = [assembly.reason_of(row).code for row in range(len(assembly.rank))]
    return decided, np.nan_to_num(assembly.score, nan=-1).tolist(), reasons, messages, assembly.findings


@pytest.mark.parametrize(("policy", "preset"), sorted(load_presets()))
def test_a_pipeline_that_has_seen_others_answers_as_a_new_one(policy: str, preset: str) -> None:
    scenario = Scenario(
        policy=policy, preset=preset, tokenizer="estimate:words", context_window=400, similarity="lexical"
    )
    used = pipeline_for(FOUND)
    for change in CHANGES:
        scenario = replace(scenario, **change)
        assert told(used, scenario) == told(pipeline_for(FOUND), scenario)
    name, value = LIMITS.get(policy, ("", 0))
    if name:
        scenario = replace(scenario, parameters={name: value})
        assert told(used, scenario) == told(pipeline_for(FOUND), scenario)


def test_copies_of_candidates_share_what_is_the_same_in_all_of_them() -> None:
    pipeline = pipeline_for(workspace(TALK))
    candidates = pipeline.candidates(pipeline.case(Scenario(tokenizer="estimate:words")))
    copy = replace(candidates, query="boats")
    assert copy.rows(Kind.MESSAGE) is candidates.rows(Kind.MESSAGE)
    assert candidates.priority is candidates.confidence is candidates.type_priority
    assert candidates.things is pipeline.workspace.conversations[0].messages
