"""Survival and replay as drawings: well-formed, with what the figures say, and bounded for very many items."""

from xml.etree import ElementTree

import numpy as np
import pytest

from inspector.analysis.replay import replay
from inspector.analysis.replay_drawing import replay_file
from inspector.analysis.survival import Outcome, for_all, joined, survival_of
from inspector.analysis.survival_drawing import survival_file
from inspector.analysis.survival_search import survival
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.pages.plots import Bar, alone, bars

SVG = "{http://www.w3.org/2000/svg}"


def texts(drawing: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(drawing).iter(f"{SVG}text")]


def filled(drawing: str, fill: str) -> list[ElementTree.Element]:
    return [each for each in ElementTree.fromstring(drawing).iter(f"{SVG}rect") if each.get("fill") == fill]


def test_a_map_has_its_items_values_and_outcomes(pipeline: Pipeline, scenario: Scenario) -> None:
    found, case = survival(pipeline, scenario, "context_window"), pipeline.case(scenario)
    candidates, order = pipeline.candidates(case), pipeline.assemble(case).order
    drawing = survival_file(found, candidates, order)
    written = texts(drawing)
    assert written[0] == f"What becomes of {len(found)} items along context_window"
    assert set(candidates.ids) <= set(written)
    assert "today 70" in written
    assert {"kept", "dropped", "no prompt"} <= set(written)
    kept = filled(drawing, "#2A66AD")
    ever = {int(row) for row in found.rows[found.outcomes == Outcome.KEPT]}
    assert len({each.get("y") for each in kept}) == len(ever) + 1, "a row for each that is ever kept, and the legend"


def test_of_very_many_items_some_are_drawn(pipeline: Pipeline, scenario: Scenario) -> None:
    axis, count = survival(pipeline, scenario, "min_exchanges").axis, 50_000
    start = np.zeros(count, np.uint8)
    found = survival_of("min_exchanges", axis, start, joined([for_all(3, 2, start + Outcome.DROPPED)]))
    drawing = survival_file(found, pipeline.candidates(pipeline.case(scenario)), np.arange(count))
    assert "600 of them drawn" in texts(drawing)[0]
    assert drawing.count("<rect") < 1_500


def test_replays_have_one_scale_and_a_column_for_each_turn(pipeline: Pipeline, scenario: Scenario) -> None:
    found = [replay(pipeline, scenario), replay(pipeline, Scenario(**{**_fields(scenario), "policy": "naive"}))]
    written = texts(replay_file(found))
    most = max(int(each.totals.max()) for each in found)
    assert written.count(f"{most:,}") >= 4, "tokens and prefix of both"
    assert sum("ratio/document" in text for text in written) == sum("naive/document" in text for text in written) == 1
    assert {"system", "history", "overhead"} <= set(written)
    history = filled(replay_file(found[:1]), "#66CCEE")
    assert len(history) == int((found[0].tokens > 0).any(axis=0).sum() and (found[0].tokens[:, 8] > 0).sum()) + 1


def _fields(scenario: Scenario) -> dict[str, object]:
    names = ("conversation", "tokenizer", "context_window")
    return {name: getattr(scenario, name) for name in names}


@pytest.mark.parametrize("name", ["a\x1b[31m", "<b>&\u202e", "x" * 90])
def test_bars_of_any_name_are_well_formed(name: str) -> None:
    drawing = alone(bars("bars", [Bar(name, 0.5, f"{name}: 50 %")], whole=1.0))
    assert ElementTree.fromstring(drawing).tag == f"{SVG}svg"
    assert "\x1b" not in drawing
    assert "\u202e" not in drawing
    assert 'width="210.0"' in drawing, "half of a whole one"
