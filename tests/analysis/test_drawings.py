"""Drawings of what is found: well-formed, true to the figures, bounded for very many items."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import numpy as np
import pytest

from inspector.analysis.basis import Basis, Share, result_of
from inspector.analysis.recommend.categories import asked_by_category, held
from inspector.analysis.recommend.drawings import along_file, categories_file, crossed_file
from inspector.analysis.recommend.tried import Bench, Tried, along, bench_of, crossed, try_out
from inspector.analysis.replay import replay
from inspector.analysis.replay_drawing import replay_file
from inspector.analysis.survival import Outcome, for_all, joined, survival_of
from inspector.analysis.survival_drawing import survival_file
from inspector.analysis.survival_search import survival
from inspector.assembly.columns import Fate
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.assembly.timeline import Timeline
from inspector.assembly.timeline_drawing import timeline_file
from inspector.model import Conversation, Memory, MemorySet, Message, Probe, Workspace, changed
from inspector.pages.plots import Bar, alone, bars
from inspector.plugins import policies

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


def test_a_turn_that_was_refused_is_seen_and_days_stand_below_the_turns(pipeline: Pipeline, scenario: Scenario) -> None:
    refused = replace(scenario, parameters={"memory_share": 0.9})
    drawing = replay_file([replay(pipeline, refused)])
    warned = filled(drawing, "#BE2F18")
    assert len(warned) == 10
    assert {each.get("height") for each in warned} == {"70.00"}
    assert not any(text.startswith("2026-") for text in texts(drawing)), "nobody says when"
    open_ = Workspace(conversations=(Conversation("c1", tuple(said(12)), origin="chat.json"),))
    dated = replay(Pipeline(open_, policies()[0], load_presets()), Scenario(tokenizer="estimate:words"))
    assert {"2026-01-01", "2026-01-12"} <= set(texts(replay_file([dated])))


def timeline_of(messages: Sequence[Message], window: int = 70) -> Timeline:
    open_ = Workspace(conversations=(Conversation("c1", tuple(messages), origin="chat.json"),))
    made = Pipeline(open_, policies()[0], load_presets())
    scenario = Scenario(tokenizer="estimate:words", context_window=window, parameters={"min_exchanges": 1})
    make_all(made, scenario)
    return Timeline(made.assemble(made.case(scenario)))


def said(
    count: int, apart: timedelta = timedelta(days=1), first: datetime = datetime(2026, 1, 1, tzinfo=UTC)
) -> list[Message]:
    lengths = [1 + n * 7 % 5 for n in range(count)]
    return [Message(f"m{n}", "user", " ".join(["w"] * lengths[n]), time=first + n * apart) for n in range(count)]


def test_a_timeline_has_a_bar_for_each_message_as_high_as_its_tokens() -> None:
    timeline = timeline_of(said(30))
    drawing = timeline_file(timeline)
    assert "tokens of each message, by its number" in texts(drawing)
    kept, dropped = (filled(drawing, fill)[:-1] for fill in ("#66CCEE", "#E5A393"))
    assert (len(kept), len(dropped)) == (timeline.counts[Fate.KEPT], timeline.counts[Fate.DROPPED])
    heights = [float(each.get("height") or 0) for each in dropped]
    tokens = timeline.tokens[timeline.fates == Fate.DROPPED]
    assert heights == pytest.approx((tokens * max(heights) / tokens.max()).tolist(), abs=0.01)
    assert "from here on everything is kept" in texts(drawing)


def test_a_timeline_by_time_has_dates_below_it_or_hours_of_one_day() -> None:
    days, hours = (
        texts(timeline_file(timeline_of(said(30, apart)), by_time=True))
        for apart in (timedelta(days=1), timedelta(minutes=9))
    )
    assert {"2026-01-01", "2026-01-30"} <= set(days)
    assert {"00:00", "04:21"} <= set(hours)
    nobody_knows = [Message(f"m{n}", "user", "w w") for n in range(5)]
    assert "5" in texts(timeline_file(timeline_of(nobody_knows), by_time=True)), "numbers where times are not known"


def test_of_very_many_messages_the_tallest_of_each_pixel_are_drawn() -> None:
    messages = said(20_000)
    messages[7_777] = Message("tall", "user", " ".join(["w"] * 50), time=messages[7_777].time)
    drawing = timeline_file(timeline_of(messages))
    assert any("of those at one place the tallest" in text for text in texts(drawing))
    assert drawing.count("<rect") < 1_000
    heights = [float(each.get("height") or 0) for each in filled(drawing, "#E5A393")]
    assert sorted(heights)[-1] == 180 > sorted(heights)[-2]


@pytest.mark.parametrize("count", [0, 1])
def test_a_timeline_of_almost_nothing_is_a_drawing(count: int) -> None:
    for by_time in (False, True):
        assert ElementTree.fromstring(timeline_file(timeline_of(said(count)), by_time)).tag == f"{SVG}svg"


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


def tried_out(pipeline: Pipeline, scenario: Scenario, *knobs: str) -> tuple[Bench, Tried]:
    probes = [Probe(f"q{n}", (f"m{n}",), "c1", query="w") for n in (0, 3, 9)]
    bench = bench_of(pipeline, scenario, 70, ("ratio", "naive"), {})
    tried = along(bench, *knobs) if len(knobs) == 1 else crossed(bench, *knobs)
    return bench, result_of(try_out(Basis(pipeline, scenario), tried, probes))


def test_recall_along_a_knob_has_a_line_for_each_policy_and_a_point_for_each_value(
    pipeline: Pipeline, scenario: Scenario
) -> None:
    bench, tried = tried_out(pipeline, replace(scenario, context_window=600), "context_window")
    drawing = along_file(tried, bench)
    assert {"ratio", "naive"} <= set(texts(drawing))
    root = ElementTree.fromstring(drawing)
    values = len(tried.knobs[0].values)
    assert len(root.findall(f"{SVG}circle")) == values, "those of the policy in front"
    lines = [each.get("d") or "" for each in root.iter(f"{SVG}path") if "L" in (each.get("d") or "")]
    drawn = [each for each in lines if not each.endswith("Z")]
    assert sorted(each.count("L") for each in drawn) == [values - 1] * 2
    assert tried.standing in texts(drawing)[0]


def test_recall_by_two_knobs_has_a_cell_for_each_pair_and_names_the_best(
    pipeline: Pipeline, scenario: Scenario
) -> None:
    bench, tried = tried_out(pipeline, scenario, "min_exchanges", "context_window")
    drawing = crossed_file(tried, bench)
    cells = [each for each in ElementTree.fromstring(drawing).iter(f"{SVG}rect") if each.get("fill") != "#D5D9DE"]
    assert len(cells) == len(tried.settings) + 1 + 6, "the ground, and six shades of the scale"
    assert any(text.endswith(tried.best_sentence(bench, ", ring")) for text in texts(drawing))
    assert set(texts(drawing)) >= {"512", "65,536", "Context window"}


def test_categories_are_columns_as_high_as_their_recall(found: Workspace, scenario: Scenario) -> None:
    cites = MemorySet("default", (Memory("k", "w", similarity=0.9, source_messages=("m0", "m3")),))
    pipeline = Pipeline(changed(found, memory_sets=(cites,)), policies()[0], load_presets())
    probes = [Probe(f"q{n}", (f"m{n}",), "c1", query="w", category="<early>" if n < 5 else "late") for n in (0, 3, 9)]
    now, both = [
        step
        for step in asked_by_category(
            Basis(pipeline, scenario), [replace(scenario, context_window=600), scenario], probes
        )
        if not isinstance(step, Share)
    ]
    assert "recommended" not in texts(categories_file([("70", now)]))
    drawing = categories_file([("70", both)])
    assert {"<early>", "late", "all questions", "recommended"} <= set(texts(drawing))
    heights = [float(each.get("height") or 0) for each in filled(drawing, "#2A66AD")][:-1]
    assert heights == pytest.approx([300 * (held(each.then, "recall") or 0) for each in both])
    assert held(both[0].then) != held(both[0].then, "recall")
