"""Turns made together: each is what the assembly of that turn alone is, in every column, under every policy."""

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from building import BY_WORDS, pipeline_for
from cases import outside, workspaces
from hypothesis import given
from hypothesis import strategies as st

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Rows
from inspector.assembly.decisions import Assembly
from inspector.assembly.lacking import make_all
from inspector.assembly.presets import load_presets
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.assembly.scenario import Scenario
from inspector.assembly.turns import candidates_at
from inspector.formats import load_workspace
from inspector.model import Workspace, changed
from inspector.resources import samples_folder
from inspector.retrieval.similarity import Likeness, Similarity
from tests.examples import cases, examples

PRESETS = sorted(load_presets())
SAMPLES = sorted(path.name for path in samples_folder().glob("*.workspace.yaml"))


def columns(value: Candidates | Assembly) -> dict[str, Any]:
    """Every column and figure that differs from turn to turn, by name."""
    found = {field.name: getattr(value, field.name) for field in fields(value)}
    return {name: one for name, one in found.items() if isinstance(one, np.ndarray | float | str | tuple)}


def assert_same(together: Candidates | Assembly, alone: Candidates | Assembly) -> None:
    expected = columns(alone)
    for name, value in columns(together).items():
        if isinstance(value, np.ndarray | float):
            np.testing.assert_array_equal(value, expected[name], err_msg=name)
        elif name != "texts":
            assert value == expected[name], name


def assert_each_is_that_alone(workspace: Workspace, scenario: Scenario, turns: Iterable[int]) -> None:
    chosen: Rows = np.array(sorted(turns), np.intp)
    pipeline, other = pipeline_for(workspace), pipeline_for(workspace)
    case = make_all(pipeline, scenario)
    make_all(other, scenario)  # a turn lacks nothing that the whole does not
    for turn, candidates in zip(chosen.tolist(), candidates_at(pipeline, case, chosen), strict=True):
        alone = other.assemble(make_all(other, replace(scenario, at=turn, as_of=True)))
        assert_same(candidates, alone.candidates)
        together = pipeline.decide(case, candidates)
        assert_same(together, alone)
        assert together.error == alone.error
        assert list(prompt_messages(together)) == list(prompt_messages(alone))


@examples(30)
@given(workspaces(), st.sampled_from(PRESETS), st.integers(0, 120), outside)
def test_random_turns_are_those_alone(
    found: Workspace, named: tuple[str, str], window: int, around: dict[str, Any]
) -> None:
    policy, preset = named
    scenario = Scenario(
        policy=policy, preset=preset, context_window=window, tokenizer="estimate:words", embedding=BY_WORDS
    )
    scenario = replace(scenario, pinned=around["pinned"], excluded=around["excluded"])
    assert_each_is_that_alone(found, scenario, range(1, len(found.conversations[0].messages) + 1))


@pytest.mark.parametrize("sample", cases(SAMPLES, SAMPLES[:2]))
def test_turns_of_the_samples_are_those_alone(sample: str) -> None:
    workspace = load_workspace([samples_folder() / sample])
    messages = len(max(workspace.conversations, key=lambda chat: len(chat.messages)).messages)
    for policy, preset in PRESETS:
        scenario = Scenario(policy=policy, preset=preset, context_window=3_000, tokenizer="estimate:words")
        turns = {1, 2, messages // 3, messages // 3 + 1, messages - 1, messages}
        assert_each_is_that_alone(whole_chat(workspace), scenario, (turn for turn in turns if turn > 0))


def whole_chat(workspace: Workspace) -> Workspace:
    """A workspace with its longest conversation alone."""
    return changed(workspace, conversations=(max(workspace.conversations, key=lambda chat: len(chat.messages)),))


@pytest.mark.parametrize("way", ["lexical", "hybrid", "embedding", "recorded", "fused"])
def test_turns_are_compared_with_their_queries_as_if_each_were_alone(way: str) -> None:
    workspace = whole_chat(load_workspace([samples_folder() / "companion.workspace.yaml"]))
    scenario = Scenario(policy="window_rag", context_window=2_000, tokenizer="estimate:words", similarity=way)
    assert_each_is_that_alone(workspace, scenario, range(1, len(workspace.conversations[0].messages) + 1, 7))


def test_turns_of_a_real_talk_are_those_alone(data_folder: Path) -> None:
    workspace = whole_chat(load_workspace([data_folder / "play/derived/tinyshakespeare_messages.jsonl"]))
    for policy in ("ratio", "window_rag"):
        scenario = Scenario(policy=policy, preset="document", context_window=8_000, tokenizer="estimate:words")
        assert_each_is_that_alone(workspace, scenario, range(1, 7_000, 1_400))


def test_what_a_query_finds_is_asked_once_however_often_turns_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    to_each = Similarity.to_each

    def noted(self: Similarity, queries: Sequence[str], *rest: Any) -> list[Likeness]:
        asked.extend(queries)
        return to_each(self, queries, *rest)

    monkeypatch.setattr(Similarity, "to_each", noted)
    workspace = whole_chat(load_workspace([samples_folder() / "companion.workspace.yaml"]))
    pipeline = pipeline_for(workspace)
    scenario = Scenario(policy="ratio", tokenizer="estimate:words", similarity="lexical")
    turns = np.arange(1, len(workspace.conversations[0].messages) + 1)

    def made(scenario: Scenario) -> list[Candidates]:
        return list(candidates_at(pipeline, make_all(pipeline, scenario), turns))

    made(scenario)
    assert asked
    asked.clear()
    made(replace(scenario, context_window=900))
    assert not asked
    monkeypatch.setattr("inspector.assembly.relevance._MOST_QUERIES", 1)
    made(replace(scenario, similarity="fused", embedding=BY_WORDS))
    asked.clear()
    made(scenario)
    assert asked, "the oldest are forgotten"
