"""What policies keep with the candidates: a pipeline that has seen other scenarios answers as a new one does."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from building import pipeline_for, words, workspace

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policies.agents.course import Course
from inspector.assembly.policies.agents.talk import Talk
from inspector.assembly.presets import load_presets
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.assembly.scenario import Scenario
from inspector.derived import Derived, cached_property
from inspector.model import Character, Memory, MemorySet, Message
from inspector.retrieval.similarity import Likeness

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


OTHER: dict[str, dict[str, int]] = {"anthropic_context_editing": {"keep": 7}, "langchain_clear_tools": {"keep": 7}}


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


LIVED_FOR_ALL_WINDOWS = (
    "anthropic_context_editing",
    "langchain_clear_tools",
    "semantic_kernel_summarization",
    "llamaindex_summary_buffer",
    "aider_summary",
    "anthropic_compaction",
    "openhands_condenser",
)
LIVED_BY_WINDOW = (
    "codex_compact",
    "gemini_compress",
    "cline_compact",
    "cline_truncate",
    "langchain_summarize",
    "opencode_compact",
    "roo_context",
)


@pytest.fixture
def lived(monkeypatch: pytest.MonkeyPatch) -> list[Course]:
    """The courses that are lived through from now on."""
    found: list[Course] = []
    begin = Course.__init__

    def noted(course: Course, talk: Talk) -> None:
        found.append(course)
        begin(course, talk)

    monkeypatch.setattr(Course, "__init__", noted)
    return found


@pytest.mark.parametrize("policy", LIVED_FOR_ALL_WINDOWS)
def test_a_session_is_lived_through_once_for_all_windows(policy: str, lived: list[Course]) -> None:
    pipeline, scenario = pipeline_for(FOUND), Scenario(policy=policy, tokenizer="estimate:words", context_window=400)
    for _ in range(2):
        for window in (400, 500, 700):
            pipeline.assemble(make_all(pipeline, replace(scenario, context_window=window)))
    assert len(lived) == 1
    pipeline.assemble(make_all(pipeline, replace(scenario, parameters=OTHER.get(policy, {"summary_size": 7}))))
    assert len(lived) == 2


@pytest.mark.parametrize("policy", [*LIVED_FOR_ALL_WINDOWS, *LIVED_BY_WINDOW])
def test_a_session_is_lived_through_once_for_all_queries(policy: str, lived: list[Course]) -> None:
    pipeline = pipeline_for(FOUND)
    scenario = Scenario(policy=policy, tokenizer="estimate:words", context_window=400, similarity="lexical")
    for query in ("boats", "tea", "rain", "boats"):
        pipeline.assemble(make_all(pipeline, replace(scenario, query=query)))
    assert len(lived) == 1
    shorter = make_all(pipeline, replace(scenario, at=8, as_of=True))
    pipeline.assemble(shorter)
    assert len(lived) == 2, "another turn is another session"


@pytest.mark.parametrize("policy", LIVED_BY_WINDOW)
def test_a_session_whose_limit_is_of_the_window_is_lived_through_once_for_each(
    policy: str, lived: list[Course]
) -> None:
    pipeline, scenario = pipeline_for(FOUND), Scenario(policy=policy, tokenizer="estimate:words", query="tea")
    for window in (40_000, 60_000, 40_000):
        pipeline.assemble(make_all(pipeline, replace(scenario, context_window=window)))
    assert len(lived) == 2


def test_copies_of_candidates_share_what_is_the_same_in_all_of_them() -> None:
    pipeline = pipeline_for(workspace(TALK))
    candidates = pipeline.candidates(pipeline.case(Scenario(tokenizer="estimate:words")))
    copy = replace(candidates, query="boats")
    assert copy.rows(Kind.MESSAGE) is candidates.rows(Kind.MESSAGE)
    assert candidates.priority is candidates.confidence is candidates.type_priority
    assert candidates.things is pipeline.workspace.conversations[0].messages


WORKED_OUT = [name for name, value in vars(Candidates).items() if isinstance(value, cached_property)]


def plain(value: Any) -> Any:
    """A value that compares as a whole, whatever arrays are in it."""
    if isinstance(value, np.ndarray):
        return value.dtype, np.where(np.isnan(value), -1, value).tolist()
    if isinstance(value, Likeness):
        return plain(value.values), plain(value.origins)
    return [plain(one) for one in value] if isinstance(value, tuple) else value


@pytest.mark.parametrize("name", WORKED_OUT)
def test_a_copy_keeps_nothing_that_another_turn_or_query_decides(name: str) -> None:
    pipeline = pipeline_for(FOUND)
    scenario = Scenario(tokenizer="estimate:words", policy="window_rag", similarity="lexical", excluded=("m2",))
    before = pipeline.candidates(make_all(pipeline, scenario))
    for turn, query in ((3, "boats"), (4, "boats"), (4, "tea"), (9, None), (1, None), (None, "rain")):
        asked = replace(scenario, at=turn, as_of=turn is not None, query=query)
        case = make_all(pipeline, asked)
        scoped = pipeline.scoped(case)
        getattr(before, name)
        columns = {column: getattr(scoped, column) for column in ("state", "pinned", "active", "activations", "now")}
        moved = before.in_scope(**columns, is_open=scoped.open, before_messages=Derived())
        for copy in (moved, scoped, pipeline.candidates(case)):
            assert plain(getattr(copy, name)) == plain(getattr(replace(copy), name)), (turn, query)
        before = pipeline.candidates(case)


def test_turns_share_what_follows_from_the_rows_before_the_messages_while_these_are_alike() -> None:
    pipeline = pipeline_for(FOUND)
    scenario = Scenario(tokenizer="estimate:words", similarity="lexical", as_of=True)

    def kept(turn: int, **changes: Any) -> object:
        case = make_all(pipeline, replace(scenario, at=turn, **changes))
        return pipeline.candidates(case).before_messages

    assert kept(3) is kept(4), "a reply asks nothing new"
    assert kept(3) is not kept(5), "another question ranks memories anew"
    assert kept(3) is not kept(3, excluded=("k07",))
    assert kept(3, query="tea") is kept(8, query="tea")
