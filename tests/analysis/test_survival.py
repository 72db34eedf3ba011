"""Survival: next flips, what is not exact, pictures, words, and where more loses an item."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from inspector.analysis.sliders import MODEL_SIZES, Axis, Slider, is_along, move_slider, value_of
from inspector.analysis.survival.ask import Survived, by_policy, survival
from inspector.analysis.survival.stretches import Outcome, Survival, survival_value
from inspector.analysis.survival.tables import STRETCHES
from inspector.assembly.choices import ScenarioError
from inspector.assembly.columns import U8
from inspector.assembly.edits import set_parameters
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Conversation, Memory, MemorySet, Workspace
from inspector.plugins import policies
from inspector.steps import AbandonedError, while_wanted

WINDOW = "context_window"


def outcomes(pipeline: Pipeline, scenario: Scenario, name: str, value: float) -> list[int]:
    moved = move_slider(scenario, pipeline.case(scenario), name, value).scenario
    assembly = pipeline.assemble(pipeline.case(moved))
    return [int(Outcome.NO_PROMPT)] * len(assembly.action) if assembly.error else assembly.action.tolist()


def test_the_other_shares_move_with_one_so_that_there_is_a_prompt(pipeline: Pipeline, scenario: Scenario) -> None:
    kept = survival(pipeline, scenario, "history_share")
    assert Outcome.NO_PROMPT not in kept.outcomes
    assert len(kept.flips)
    case = pipeline.case(scenario)
    moved = move_slider(scenario, case, "history_share", 0.6)
    shares = [moved.scenario.parameters[f"{each}_share"] for each in ("memory", "history", "reserve")]
    assert sum(shares) == pytest.approx(1)
    assert shares[1] == 0.6
    assert moved.label == "Change history share"


def test_moving_a_slider_leads_along_it_and_nowhere_else(pipeline: Pipeline, scenario: Scenario) -> None:
    start = pipeline.case(scenario)
    for name, value in ((WINDOW, 200), ("min_exchanges", 4), ("history_share", 0.7)):
        moved = pipeline.case(move_slider(scenario, start, name, value).scenario)
        assert value_of(moved, name) == value
        assert is_along(start, moved, name)
        assert not is_along(start, moved, "message_cap")
    alone = pipeline.case(set_parameters(scenario, {"history_share": 0.6}).scenario)
    assert not is_along(start, alone, "history_share"), "the other shares did not move with it"
    assert not is_along(start, pipeline.case(replace(scenario, policy="naive", parameters={})), "history_share")


def test_locked_shares_stay_along_a_slider_and_what_is_locked_moves_nothing(
    pipeline: Pipeline, scenario: Scenario
) -> None:
    start, locked = pipeline.case(scenario), frozenset({"memory_share"})
    kept = survival(pipeline, scenario, "history_share", locked=locked)
    assert kept.words(row_of(pipeline, scenario, "k1")) == "kept throughout", "memories have as much as before"
    assert survival(pipeline, scenario, "history_share").numbers_of(np.array([row_of(pipeline, scenario, "k1")])).size
    for value in (0.1, 0.5, 0.7, 1.0):
        moved = move_slider(scenario, start, "history_share", value, locked).scenario
        case = pipeline.case(moved)
        assert value_of(case, "memory_share") == pytest.approx(0.3)
        assert value_of(case, "history_share") == pytest.approx(min(value, 0.7))
        assert is_along(start, case, "history_share", locked)
        assert not is_along(start, case, "history_share"), "without the lock the others move, too"
        assert kept.at(kept.axis.number(value)).tolist() == pipeline.assemble(case).action.tolist()
    still = survival(pipeline, scenario, "memory_share", locked=locked)
    assert not len(still.flips)
    assert (
        move_slider(scenario, start, "memory_share", 0.9, locked).scenario
        == move_slider(scenario, start, "memory_share", 0.1, locked).scenario
    )


@pytest.mark.parametrize("policy", ["ratio", "window_rag"])
def test_the_sizes_of_models_are_windows_along_an_axis(pipeline: Pipeline, scenario: Scenario, policy: str) -> None:
    scenario = replace(scenario, policy=policy, parameters={})
    found = survival(pipeline, scenario, MODEL_SIZES)
    sizes = {row.context_window for row in pipeline.choices.models.rows}
    assert set(found.axis.listed) == {70, *sizes}
    assert found.is_exact
    for number in (found.first, 1, 2, found.last):
        value = found.axis.value(number)
        assert found.at(number).tolist() == outcomes(pipeline, scenario, WINDOW, value)
    moved = move_slider(scenario, pipeline.case(scenario), MODEL_SIZES, 8192).scenario
    assert moved.context_window == 8192
    assert is_along(pipeline.case(scenario), pipeline.case(moved), MODEL_SIZES)
    words = found.words(row_of(pipeline, scenario, "m5"))
    assert "up to 70" in words or "throughout" in words


def test_an_axis_of_listed_values_numbers_them() -> None:
    axis = Axis(4096, 2048, 128_000, whole=True, listed=(2048, 4096, 32_768, 128_000))
    assert [axis.value(number) for number in range(axis.first, axis.last + 1)] == [2048, 4096, 32_768, 128_000]
    assert [axis.number(value) for value in (1, 4096, 5_000, 1_000_000)] == [0, 1, 1, 3]
    assert axis.values(np.array([2, 0])).tolist() == [32_768, 2048]
    assert axis.covers(4096)
    assert not axis.covers(5_000)


def of_window(pipeline: Pipeline, scenario: Scenario) -> Survival:
    return survival(pipeline, scenario, WINDOW)


def row_of(pipeline: Pipeline, scenario: Scenario, item: str) -> int:
    return int(pipeline.candidates(pipeline.case(scenario)).rows_named([item])[0])


def test_the_stretches_of_a_message_in_words(pipeline: Pipeline, scenario: Scenario) -> None:
    """History gets .4 of what nova's 2 tokens leave; the newest exchange takes 13, m7 and m6 10, and m5 12."""
    kept, row = of_window(pipeline, scenario), row_of(pipeline, scenario, "m5")
    assert kept.words(row) == "no prompt up to 7, dropped from 8 to 89, kept from 90 on"
    assert kept.words(row_of(pipeline, scenario, "m9")) == "no prompt up to 7, kept from 8 on"
    assert kept.falls[row] == 90
    assert [(each.low, each.outcome, each.exact) for each in kept.stretches(row)] == [
        (1, Outcome.NO_PROMPT, True),
        (8, Outcome.DROPPED, True),
        (90, Outcome.KEPT, True),
    ]


def test_the_next_flip_of_an_item_and_of_any(pipeline: Pipeline, scenario: Scenario) -> None:
    kept, row = of_window(pipeline, scenario), row_of(pipeline, scenario, "m5")
    rows = np.array([row])
    assert kept.next_flip(70, 1, rows) == 90
    assert kept.next_flip(90, 1, rows) is None
    assert kept.next_flip(95, -1, rows) == 89
    assert kept.next_flip(89, -1, rows) == 7
    nearest = kept.next_flip(70, 1)
    assert nearest is not None
    assert nearest <= 90
    assert (kept.at(nearest) != kept.at(nearest - 1)).any()


def test_the_next_flip_down_is_where_the_other_outcome_was_seen(pipeline: Pipeline, scenario: Scenario) -> None:
    exact, row = of_window(pipeline, scenario), row_of(pipeline, scenario, "m5")
    before = exact.before.copy()
    before[exact.bounds[row] + 2] = 60  # between 60 and 90 nothing was looked at
    kept, rows = replace(exact, before=before), np.array([row])
    assert [kept.next_flip(number, -1, rows) for number in (95, 90, 89, 60)] == [60, 60, 7, 7]
    assert kept.next_flip(70, 1, rows) == 90


@pytest.mark.parametrize("name", [WINDOW, "history_share", "min_exchanges", "message_cap"])
def test_a_picture_is_what_each_value_shows(pipeline: Pipeline, scenario: Scenario, name: str) -> None:
    kept = survival(pipeline, scenario, name)
    numbers = kept.samples(23)
    picture = kept.grid(numbers)
    for column, number in enumerate(numbers.tolist()):
        assert picture[:, column].tolist() == outcomes(pipeline, scenario, name, kept.axis.value(number))


def test_all_of_some_items_are_kept_where_each_is(pipeline: Pipeline, scenario: Scenario) -> None:
    scenario = replace(scenario, parameters={**scenario.parameters, "borrow": "both"})
    kept = of_window(pipeline, scenario)
    rows = np.array([row_of(pipeline, scenario, item) for item in ("m5", "k1", "m2")])
    numbers = np.arange(kept.first, kept.last + 1)
    expected = (kept.grid(numbers)[rows] == Outcome.KEPT).all(axis=0)
    firsts, lasts = kept.all_kept(rows)
    inside = np.zeros(len(numbers), np.bool_)
    for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
        inside[first - kept.first : last + 1 - kept.first] = True
    assert inside.tolist() == expected.tolist()
    assert (firsts[1:] > lasts[:-1] + 1).all()


def test_more_budget_that_loses_an_item_is_listed() -> None:
    """A skip packer of memories of 8, 5 and 2 tokens: a room of 7 has the 5 and the 2, one of 8 only the first."""
    stored = tuple(Memory(f"k{n}", " ".join(["w"] * cost), similarity=1 - n / 9) for n, cost in enumerate((8, 5, 2)))
    found = Workspace(conversations=(Conversation("c", ()),), memory_sets=(MemorySet("s", stored),))
    parameters = {"response_ratio": 0.0, "response_min": 0, "safety_ratio": 0.0, "count_overhead": False}
    scenario = Scenario(policy="reserve", tokenizer="estimate:words", context_window=9, parameters=parameters)
    kept = of_window(Pipeline(found, policies()[0], load_presets()), scenario)
    lost = [(int(kept.rows[place]), int(kept.begins[place])) for place in kept.losses.tolist()]
    assert lost == [(1, 8), (2, 5), (2, 8), (2, 13)]
    pipeline = Pipeline(found, policies()[0], load_presets())
    value = survival_value(kept, pipeline.candidates(make_all(pipeline, scenario)))
    assert [(each["item"], each["at"]) for each in value["lost_with_more"][:2]] == [("k1", 8), ("k2", 5)]


def stepping(*steps: int) -> Any:
    """A policy of one item that is in from each of these values to the next."""

    def ask(value: float) -> U8:
        return np.array([0 if sum(value >= step for step in steps) % 2 else 3], np.uint8)

    return ask


def test_bisection_finds_the_exact_flip_between_samples() -> None:
    kept = by_policy(stepping(123_457), "x", Axis(0, 0, 1_000_000, whole=True), looks=140)
    assert not kept.is_exact
    assert [(each.low, each.exact) for each in kept.stretches(0)] == [(0, True), (123_457, True)]


def test_what_is_not_known_exactly_says_so() -> None:
    steps = tuple(range(1_000, 900_000, 7_001))
    kept = by_policy(stepping(*steps), "x", Axis(0, 0, 1_000_000, whole=True), looks=90)
    inexact = [each for each in kept.stretches(0) if not each.exact]
    assert inexact
    assert "about" in kept.words(0)
    assert kept.asked is not None
    assert len(kept.asked) <= 90


def test_few_values_are_all_asked_so_that_no_stretch_is_missed() -> None:
    kept = by_policy(stepping(41, 42, 77, 78), "x", Axis(0, 0, 99, whole=True))
    assert kept.is_exact
    assert [each.low for each in kept.stretches(0)] == [0, 41, 42, 77, 78]
    assert all(before < after for before, after in pairwise(kept.numbers.tolist()))


def test_rows_of_a_file_are_the_stretches(pipeline: Pipeline, scenario: Scenario) -> None:
    kept, candidates = of_window(pipeline, scenario), pipeline.candidates(pipeline.case(scenario))
    case = pipeline.case(scenario)
    survived = Survived(Slider(WINDOW, WINDOW), kept, case, pipeline.assemble(case))
    rows = [row for row in STRETCHES.records(survived) if row["item"] == "m5"]
    assert rows[-1] == {"item": "m5", "parameter": WINDOW, "from": 90, "to": kept.last, "action": "kept", "exact": True}
    items = survival_value(kept, candidates)["items"]
    assert [len(item["stretches"]) for item in items] == np.diff(kept.bounds).tolist()


def test_what_is_no_number_is_refused_by_name(pipeline: Pipeline, scenario: Scenario) -> None:
    with pytest.raises(ScenarioError, match="borrow is not a number of ratio; those are context_window, memory_share"):
        survival(pipeline, scenario, "borrow")


def test_a_search_that_nobody_wants_ends(pipeline: Pipeline, scenario: Scenario) -> None:
    scenario = replace(scenario, policy="adaptive", parameters={})
    make_all(pipeline, scenario)
    asked: list[bool] = []

    def is_wanted() -> bool:
        asked.append(len(asked) < 20)
        return asked[-1]

    with pytest.raises(AbandonedError), while_wanted(is_wanted):
        survival(pipeline, scenario, "max_tokens")
    assert asked.count(False) == 1
