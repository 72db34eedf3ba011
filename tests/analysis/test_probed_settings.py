"""Recall under many settings at once: what thresholds answer is what each setting comes to when it is assembled."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from inspector.analysis.recall.ask import mean_of, recall
from inspector.analysis.recall.settings import recall_of_each
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.model import Probe

PROBES = (
    Probe("old", ("m1", "m4", "k1"), "c1", query="w"),
    Probe("new", ("m9",), "c1"),
    Probe("other", ("m0", "k3", "gone"), "c2", at=1),
    Probe("none", ("gone",), "c2"),
)
GRIDS: dict[str, dict[str, list[Any]]] = {
    "ratio": {"history_share": [0.3, 0.35, 0.44], "borrow": ["none", "both"], "memory_candidates": [1, 50]},
    "slots": {"history_slot": [5, 20, 40], "system_slot": [0, 9]},
    "reserve": {"response_min": [0, 20], "pack": ["skip", "stop", "knapsack"]},
    "window_rag": {"total_limit": [40, 90], "rag_budget": [5, 30], "misfit": ["stop", "skip"]},
    "adaptive": {"max_tokens": [30, 60]},
    "naive": {},
}


@pytest.mark.parametrize("policies", [[name] for name in GRIDS] + [list(GRIDS)], ids=lambda names: "-".join(names))
def test_each_setting_recalls_what_it_does_alone(pipeline: Pipeline, scenario: Scenario, policies: list[str]) -> None:
    scenarios = [
        replace(
            scenario,
            policy=name,
            conversation=None,
            context_window=window,
            parameters=dict(zip(GRIDS[name], values, strict=True)),
        )
        for name in policies
        for window in (20, 45, 70, 100)
        for values in product(*GRIDS[name].values())
    ]
    found = recall_of_each(pipeline, scenarios, PROBES)
    for one, mean in zip(scenarios, found, strict=True):
        alone = mean_of(recall(pipeline, one, PROBES).found)
        assert mean.columns == pytest.approx(alone.columns), one.parameters


def test_settings_that_are_refused_recall_nothing(pipeline: Pipeline, scenario: Scenario) -> None:
    refused = replace(scenario, parameters={"memory_share": "much"})
    too_much = replace(scenario, parameters={"memory_share": 0.9})
    found = recall_of_each(pipeline, [refused, too_much, replace(too_much, context_window=80)], PROBES[:2])
    assert [mean.columns["recall"] for mean in found] == [0.0, 0.0, 0.0]


def test_no_settings_and_no_probes(pipeline: Pipeline, scenario: Scenario) -> None:
    assert recall_of_each(pipeline, [], PROBES) == []
    assert recall_of_each(pipeline, [scenario], [])[0].columns["recall"] is None
