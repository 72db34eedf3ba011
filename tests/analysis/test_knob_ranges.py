"""The values tried along a knob: an amount of tokens needs none beyond the largest window that is tried."""

from inspector.analysis.recommend.knobs import LARGEST_WINDOW, knobs_of
from inspector.analysis.recommend.settings import all_values
from inspector.assembly.edits import use_policy
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import parameters_of
from inspector.assembly.scenario import Scenario
from inspector.plugins import policies


def test_a_knob_in_tokens_ends_with_the_largest_window_tried(pipeline: Pipeline, scenario: Scenario) -> None:
    declared = parameters_of(policies()[0]["window_rag"])
    values = all_values(pipeline, use_policy(scenario, "window_rag").scenario)
    sizes = [each for each in declared if each.unit == "tokens"]
    assert any(each.maximum > LARGEST_WINDOW for each in sizes)
    knobs = {knob.name: knob for knob in knobs_of(declared, values, 4_096, 13)}
    for each in sizes:
        assert knobs[each.name].values[-1] == min(each.maximum, max(LARGEST_WINDOW, values[each.name])), each.name


def test_the_current_value_keeps_its_place(pipeline: Pipeline, scenario: Scenario) -> None:
    declared = parameters_of(policies()[0]["window_rag"])
    large = next(each.name for each in declared if each.unit == "tokens" and each.maximum > 500_000)
    values = {**all_values(pipeline, use_policy(scenario, "window_rag").scenario), large: 500_000}
    knobs = {knob.name: knob for knob in knobs_of(declared, values, 4_096, 13)}
    assert knobs[large].place(500_000) == len(knobs[large].values) - 1
