"""What would keep some items: every way was assembled and does so, and pairs are found where one change is not."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from inspector.analysis.keeping import Keeping, Way, keeping_value, ways_to_keep
from inspector.assembly.columns import Action
from inspector.assembly.edits import set_value
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.wanted import AbandonedError, while_wanted


def rows_of(pipeline: Pipeline, scenario: Scenario, *items: str) -> np.ndarray:
    candidates = pipeline.candidates(make_all(pipeline, scenario))
    return np.array([candidates.rows_named([item])[0] for item in items])


def kept_by(pipeline: Pipeline, scenario: Scenario, *items: str) -> Keeping:
    return ways_to_keep(pipeline, scenario, rows_of(pipeline, scenario, *items))


def every(found: Keeping) -> Iterator[Way]:
    yield from found.singles
    yield from (way for way in (found.pair, found.exclusion, found.model) if way)


def values_of(way: Way | None) -> dict[str, Any]:
    assert way is not None
    return dict(way.changes)


POLICIES = ["ratio", "slots", "reserve", "window_rag", "adaptive"]


@pytest.mark.parametrize("policy", POLICIES)
def test_every_way_keeps_the_items_and_says_what_else_it_does(
    pipeline: Pipeline, scenario: Scenario, policy: str
) -> None:
    scenario = replace(scenario, policy=policy, parameters={"max_tokens": 60} if policy == "adaptive" else {})
    rows = rows_of(pipeline, scenario, "m3", "k3")
    today = pipeline.assemble(pipeline.case(scenario))
    before = today.in_prompt & (today.error is None)
    found = ways_to_keep(pipeline, scenario, rows)
    assert found.is_kept == bool(before[rows].all())
    for way in every(found):
        assembly = pipeline.assemble(make_all(pipeline, way.scenario))
        assert assembly.error is None
        assert (assembly.action[rows] == Action.KEPT).all()
        gone = set(np.flatnonzero(before & ~assembly.in_prompt).tolist()) - set(rows.tolist())
        left_out = {today.candidates.ids.index(name) for name in values_of(way).get("excluded", ())}
        assert set(way.lost) == gone - left_out
    assert [way.harm for way in found.singles] == sorted(way.harm for way in found.singles)


def test_the_nearest_window_of_a_message(pipeline: Pipeline, scenario: Scenario) -> None:
    found = kept_by(pipeline, scenario, "m5")
    single = {name: value for way in found.singles for name, value in way.changes}
    assert single["context_window"] == 90
    assert single["min_exchanges"] == 3
    shares = [dict(way.changes) for way in found.singles if "history_share" in dict(way.changes)]
    assert shares
    for moved in shares:
        assert sum(moved.values()) == pytest.approx(1), "moving one share moves the others"


def test_two_shares_do_together_what_neither_does(pipeline: Pipeline, scenario: Scenario) -> None:
    found = kept_by(pipeline, scenario, "m5")
    values = values_of(found.pair)
    assert len(values) == 2
    for name, value in values.items():
        changed = set_value(scenario, name, value).scenario
        assembly = pipeline.assemble(make_all(pipeline, changed))
        assert assembly.error or assembly.action[rows_of(pipeline, scenario, "m5")[0]] != Action.KEPT


def test_the_fewest_others_are_left_out(pipeline: Pipeline, scenario: Scenario) -> None:
    """History has 27 tokens: m9, m8, m7 and m6 take 23 of them, m5 needs 12, so that one of 8 has to go."""
    found = kept_by(pipeline, scenario, "m5")
    excluded = values_of(found.exclusion)["excluded"]
    assert len(excluded) == 1
    assert excluded[0] in ("m8", "m9")


def test_the_next_model_has_the_smallest_window_that_is_larger(pipeline: Pipeline, scenario: Scenario) -> None:
    found = kept_by(pipeline, replace(scenario, model="gpt-4"), "m5")
    model = pipeline.choices.models.find(values_of(found.model)["model"]).row
    assert model is not None
    assert found.model is not None
    assert found.model.cost is None or found.model.cost > 0
    assert model.context_window > 70


def test_what_is_kept_needs_no_change(pipeline: Pipeline, scenario: Scenario) -> None:
    assert kept_by(pipeline, scenario, "m9") == Keeping(True)


def test_what_is_excluded_is_kept_by_no_slider(pipeline: Pipeline, scenario: Scenario) -> None:
    assert kept_by(pipeline, replace(scenario, excluded=("m5",)), "m5") == Keeping(False)


def test_the_value_names_items(pipeline: Pipeline, scenario: Scenario) -> None:
    found, ids = kept_by(pipeline, scenario, "m5"), pipeline.candidates(pipeline.case(scenario)).ids
    value = keeping_value(found, ids)
    assert value["single"][0]["added"] == found.singles[0].added
    assert set(value["exclude"]["changes"]["excluded"]) <= set(ids)


def test_a_search_that_nobody_wants_any_longer_ends(pipeline: Pipeline, scenario: Scenario) -> None:
    rows, asked = rows_of(pipeline, scenario, "m5"), list[bool]()

    def is_wanted() -> bool:
        asked.append(len(asked) < 20)
        return asked[-1]

    with pytest.raises(AbandonedError), while_wanted(is_wanted):
        ways_to_keep(pipeline, scenario, rows)
    assert asked.count(False) == 1
