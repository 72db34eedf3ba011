"""What would keep an item agrees with a slow oracle: every value of every number, each assembled by itself."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from examples import examples
from hypothesis import given, reject
from hypothesis import strategies as st

from inspector.analysis.basis import Basis, result_of
from inspector.analysis.explanation.solver import smallest_changes
from inspector.analysis.keeping.search import ways_to_keep
from inspector.analysis.keeping.way import Keeping, Kind
from inspector.analysis.sliders import Axis, axis_along, move_slider
from inspector.assembly.columns import Action
from inspector.assembly.decisions import Assembly
from inspector.assembly.edits import set_value
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.assembly.thresholds import WINDOW
from inspector.model import Character, Conversation, Memory, MemorySet, Message, Workspace
from inspector.plugins import policies

POLICIES, PRESETS = policies()[0], load_presets()
COSTS = st.lists(st.integers(1, 25), min_size=3, max_size=9)
Drawn = dict[str, st.SearchStrategy[Any]]
PARAMETERS: dict[str, Drawn] = {
    "ratio": {
        "min_exchanges": st.integers(0, 3),
        "memory_candidates": st.integers(0, 4),
        "borrow": st.sampled_from(["none", "history", "memories", "both"]),
        "adaptive": st.booleans(),
        "message_cap": st.sampled_from([0, 0, 3, 9]),
        "selective": st.booleans(),
        "recent_messages": st.integers(0, 6),
        "discard_after": st.integers(0, 9),
        "emotional_threshold": st.sampled_from([0.2, 0.5, 0.7]),
    },
    "slots": {name: st.integers(0, 40) for name in ("system_slot", "profile_slot", "history_slot", "response_slot")},
    "reserve": {
        "response_min": st.integers(0, 30),
        "response_max": st.integers(0, 40),
        "response_ratio": st.sampled_from([0.0, 0.2, 0.5]),
        "pack": st.sampled_from(["stop", "skip", "knapsack"]),
    },
    "window_rag": {
        "total_limit": st.integers(10, 120),
        "history_budget": st.integers(0, 60),
        "rag_budget": st.integers(0, 60),
        "misfit": st.sampled_from(["stop", "skip"]),
        "per_source": st.integers(0, 4),
    },
}
NUMBERS = {
    "ratio": [
        "history_share", "memory_share", "min_exchanges", "memory_candidates", "message_cap", "recent_messages",
        "discard_after", "emotional_threshold", "similarity_weight",
    ],
    "slots": ["history_slot", "response_slot", "system_slot"],
    "reserve": ["response_min", "response_max", "response_ratio", "safety_ratio"],
    "window_rag": ["total_limit", "history_budget", "rag_budget", "per_source"],
}  # fmt: skip


def reach(axis: Axis) -> float:
    """How far from today's value others are asked."""
    return 100 if axis.whole else 0.2


@st.composite
def cases(draw: st.DrawFn, policy: str) -> tuple[Pipeline, Scenario]:
    """A small chat with memories, counted in words, under some setting of a policy."""
    weights = st.one_of(st.none(), st.sampled_from([0.1, 0.4, 0.6, 0.9]))
    messages = tuple(
        Message(f"m{n}", "assistant" if n % 2 else "user", " ".join(["w"] * cost), emotional_weight=draw(weights))
        for n, cost in enumerate(draw(COSTS))
    )
    memories = tuple(
        Memory(f"k{n}", " ".join(["w"] * cost), similarity=round(0.9 - n / 10, 2), priority=10 * n, type="fact")
        for n, cost in enumerate(draw(st.lists(st.integers(1, 12), max_size=4)))
    )
    workspace = Workspace(
        conversations=(Conversation("c", messages),),
        memory_sets=(MemorySet("default", memories),),
        characters=(Character("nova", system_prompt="be kind"),),
    )
    pipeline = Pipeline(workspace, POLICIES, PRESETS)
    parameters = draw(st.fixed_dictionaries(PARAMETERS[policy]))
    window = draw(st.integers(20, 120))
    scenario = Scenario(policy=policy, tokenizer="estimate:words", context_window=window, parameters=parameters)
    make_all(pipeline, scenario)
    return pipeline, scenario


def dropped_row(today: Assembly, number: int) -> int | None:
    out = np.flatnonzero((today.action != Action.KEPT) & today.candidates.open)
    return int(out[number % len(out)]) if len(out) else None


def axis_of(pipeline: Pipeline, scenario: Scenario, name: str) -> Axis:
    case = pipeline.case(scenario)
    return axis_along(case, pipeline.candidates(case), name)


def nearest(pipeline: Pipeline, scenario: Scenario, name: str, row: int) -> float | None:
    """The oracle: the first value that keeps a row, with the shares moved by it."""
    case, axis = pipeline.case(scenario), axis_of(pipeline, scenario, name)
    moved = ((value, move_slider(scenario, case, name, value).scenario) for value in values_of(axis))
    return next((value for value, changed in moved if keeps(pipeline, changed, row)), None)


def values_of(axis: Axis) -> Iterator[float]:
    """Every other value within reach of today's, the nearest first; of two equally near ones the higher."""
    numbers = range(axis.number(axis.today - reach(axis)), axis.number(axis.today + reach(axis)) + 1)
    nearest_first = sorted(numbers, key=lambda number: (axis.distance(number), -number))
    return (value for number in nearest_first if (value := axis.value(number)) != axis.today)


def nearest_other(pipeline: Pipeline, scenario: Scenario, name: str, row: int) -> float | None:
    """The oracle for another outcome, with nothing else moved."""
    today, axis = pipeline.assemble(pipeline.case(scenario)), axis_of(pipeline, scenario, name)
    for value in values_of(axis):
        assembly = pipeline.assemble(pipeline.case(set_value(scenario, name, value).scenario))
        if assembly.error is None and assembly.action[row] != today.action[row]:
            return value
    return None


def keeps(pipeline: Pipeline, scenario: Scenario, row: int) -> bool:
    assembly = pipeline.assemble(pipeline.case(scenario))
    return assembly.error is None and bool(assembly.action[row] == Action.KEPT)


def offered(found: Keeping, name: str) -> list[float]:
    """The values of a number among the single changes. A share comes first, before those that it moves."""
    return [way.changes[0][1] for way in found.of(Kind.SINGLE) if way.changes[0][0] == name]


@pytest.mark.parametrize("policy", NUMBERS)
def test_every_number_has_the_value_that_the_oracle_finds(policy: str) -> None:
    @examples(50)
    @given(cases(policy), st.integers(0, 20), st.sampled_from([WINDOW, *NUMBERS[policy]]))
    def agree(made: tuple[Pipeline, Scenario], number: int, name: str) -> None:
        pipeline, scenario = made
        row = dropped_row(pipeline.assemble(pipeline.case(scenario)), number)
        if row is None:
            reject()
        found = offered(result_of(ways_to_keep(Basis(pipeline, scenario), np.array([row]))), name)
        axis, wanted = axis_of(pipeline, scenario, name), nearest(pipeline, scenario, name, row)
        if wanted is None:
            assert all(abs(value - axis.today) > reach(axis) for value in found)
        else:
            assert wanted in found

    agree()


@pytest.mark.parametrize("policy", NUMBERS)
def test_the_smallest_change_of_each_number_is_the_one_that_the_oracle_finds(policy: str) -> None:
    @examples(50)
    @given(cases(policy), st.integers(0, 20), st.sampled_from([WINDOW, *NUMBERS[policy]]))
    def agree(made: tuple[Pipeline, Scenario], number: int, name: str) -> None:
        pipeline, scenario = made
        case = pipeline.case(scenario)
        today = pipeline.assemble(case)
        row = number % len(today.candidates)
        changes = {change.parameter: change for change in smallest_changes(Basis(pipeline, scenario), row)}
        axis, wanted = axis_of(pipeline, scenario, name), nearest_other(pipeline, scenario, name, row)
        if name in changes:
            after = pipeline.assemble(make_all(pipeline, set_value(scenario, name, changes[name].value).scenario))
            assert after.error is None
            assert after.action[row] == changes[name].action != today.action[row]
        if wanted is None:
            assert name not in changes or abs(changes[name].value - axis.today) > reach(axis)
        else:
            assert changes[name].value == wanted

    agree()
