"""Drawings of what is found: true to the figures of the answer, and bounded for very many items."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from xml.etree import ElementTree

import numpy as np
import pytest

from inspector.analysis.basis import Basis, Share, result_of
from inspector.analysis.recommend.advice import WindowAdvice
from inspector.analysis.recommend.categories import asked_by_category, held
from inspector.analysis.recommend.ceiling import Ceiling
from inspector.analysis.recommend.drawings import (
    along_drawing,
    along_from,
    categories_drawing,
    crossed_drawing,
    front_drawing,
    learning_drawing,
    windows_drawing,
)
from inspector.analysis.recommend.learning import LearningPoint
from inspector.analysis.recommend.measured import Setting
from inspector.analysis.recommend.tried import Bench, Tried, along, bench_of, crossed, try_out
from inspector.analysis.replay.ask import replay
from inspector.analysis.replay.drawing import replay_drawings, whole_drawings
from inspector.analysis.replay.words import warned
from inspector.analysis.survival.ask import survival
from inspector.analysis.survival.drawing import at_value, survival_drawing
from inspector.analysis.survival.stretches import Outcome, for_all, joined, survival_of
from inspector.assembly.answer import planned_answer
from inspector.assembly.bar_drawing import bar_drawing
from inspector.assembly.columns import Fate
from inspector.assembly.lacking import make_all
from inspector.assembly.numbers import numbers_of
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.assembly.timeline import Timeline
from inspector.assembly.timeline_drawing import timeline_drawing
from inspector.drawings.colors import Role
from inspector.drawings.drawing import Bars, Cells, Drawing, Mark, MarkLook, Points, Stack, Stretches
from inspector.drawings.svg import svg
from inspector.model import Conversation, Memory, MemorySet, Message, Probe, Workspace, changed
from inspector.plugins import policies

SVG = "{http://www.w3.org/2000/svg}"


def texts(*drawings: Drawing) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(svg(drawings)).iter(f"{SVG}text")]


def bars_in(drawing: Drawing, row: int) -> Bars:
    series = drawing.rows[row].series
    assert isinstance(series, Bars)
    return series


def test_a_map_has_its_items_values_and_outcomes(pipeline: Pipeline, scenario: Scenario) -> None:
    found, case = survival(pipeline, scenario, "context_window"), pipeline.case(scenario)
    candidates, order = pipeline.candidates(case), pipeline.assemble(case).order
    drawing = survival_drawing(found, candidates, order, None, 70)
    assert drawing.title == f"Outcome of {len(found)} items along context_window"
    items = drawing.rows[0].series
    assert isinstance(items, Stretches)
    assert items.names == numbers_of(candidates, order.tolist())
    numbers = np.arange(found.first, found.last + 1)
    assert np.array_equal(items.grid(numbers), found.grid(numbers)[order])
    assert (drawing.across.first, drawing.across.end) == (found.first - 0.5, found.last + 0.5), "a value is a column"
    assert {"now", "now 70", "kept", "dropped", "no prompt", *items.names} <= set(texts(drawing))
    assert at_value(drawing, found, None, 90).marks[0].place == found.axis.number(90)


def test_of_very_many_items_some_are_drawn(pipeline: Pipeline, scenario: Scenario) -> None:
    axis, count = survival(pipeline, scenario, "min_exchanges").axis, 50_000
    start = np.zeros(count, np.uint8)
    found = survival_of("min_exchanges", axis, start, joined([for_all(3, 2, start + Outcome.DROPPED)]))
    candidates = pipeline.candidates(pipeline.case(scenario))
    drawing = survival_drawing(found, candidates, np.arange(count), None, axis.today)
    assert "600 of them drawn" in texts(drawing)[0]
    assert svg([drawing]).count(b"<rect") < 1_500


def test_replays_have_one_scale_and_bars_that_sum_to_the_prompt(pipeline: Pipeline, scenario: Scenario) -> None:
    found = [replay(pipeline, scenario), replay(pipeline, Scenario(**{**_fields(scenario), "policy": "naive"}))]
    drawings = whole_drawings(found)
    assert len({tuple(row.up.end for row in drawing.rows) for drawing in drawings}) == 1
    for each, drawing in zip(found, drawings, strict=True):
        tokens, fell, shared, cost, reach = (bars_in(drawing, row) for row in range(5))
        tallest = [tokens.solid[tokens.left == left].max() for left in np.unique(tokens.left).tolist()]
        assert tallest == each.totals.tolist()
        assert fell.solid.tolist() == [len(fall.rows) for fall in each.falls]
        assert (shared.height * each.totals / 100).round().tolist() == each.shared.tolist()
        assert np.allclose(cost.height, each.costs * 1_000_000)
        assert reach.height.tolist() == each.horizon.tolist()
        assert [reach.tones[look].role is Role.DROPPED for look in reach.look] == warned(each).tolist()
        assert drawing.rows[0].levels[0].above == f"Window {each.window:,}"
    written = texts(*drawings)
    assert [sum(name in text for text in written) for name in ("Ratio, document", "Everything, document")] == [1, 1]
    assert written.count("Conversation") == written.count("Formatting") == 1, "one legend"
    assert sum(text.startswith("Cost of the prompt: ≈ $") for text in written) == 2


def test_a_turn_that_was_refused_is_seen_and_days_are_above_the_turns(pipeline: Pipeline, scenario: Scenario) -> None:
    refused = replace(scenario, parameters={"memory_share": 0.9})
    (drawing,) = whole_drawings([replay(pipeline, refused)])
    reach = bars_in(drawing, 4)
    assert len(reach) == 10
    assert {reach.tones[look].role for look in reach.look.tolist()} == {Role.DROPPED}
    assert set(reach.height.tolist()) == {reach.tallest} != {0}
    assert not any(mark.look is MarkLook.PERIOD for mark in drawing.marks), "nobody says when"
    open_ = Workspace(conversations=(Conversation("c1", tuple(said(12)), origin="chat.json"),))
    dated = replay(Pipeline(open_, policies()[0], load_presets()), Scenario(tokenizer="estimate:words"))
    assert {"1 Jan", "12 Jan"} & set(texts(*replay_drawings([dated]))) == {"1 Jan"}


def test_the_first_drop_is_marked_in_the_first_lane() -> None:
    open_ = Workspace(conversations=(Conversation("c1", tuple(said(30)), origin="chat.json"),))
    made = Pipeline(open_, policies()[0], load_presets())
    found = replay(made, Scenario(tokenizer="estimate:words", context_window=70, parameters={"min_exchanges": 1}))
    (drawing,) = replay_drawings([found])
    (mark,) = (mark for mark in drawing.marks if mark.look is MarkLook.EVENT)
    turn = int(found.turns[np.flatnonzero(found.fallen)[0]])
    assert (mark.place, mark.words) == (turn, f"First drop, turn {turn}")
    assert texts(drawing).count(mark.words) == 1


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
    drawing = timeline_drawing(timeline)
    sums, bars = bars_in(drawing, 0), bars_in(drawing, 1)
    assert bars.height.tolist() == timeline.tokens.tolist()
    assert bars.solid.tolist() == timeline.spent.tolist()
    assert sums.height[-1] == timeline.spent.sum()
    assert [bars.tones[look].role for look in bars.look[[0, -1]].tolist()] == [Role.DROPPED, Role.HISTORY]
    assert [entry.words for entry in drawing.legend] == [
        f"{timeline.counts[Fate.KEPT]} kept",
        f"{timeline.counts[Fate.DROPPED]} dropped",
    ]
    assert {"tokens of each message, by its number", "from here on everything is kept"} <= set(texts(drawing))


def test_a_timeline_by_time_has_dates_below_it_or_hours_of_one_day() -> None:
    days, hours = (
        texts(timeline_drawing(timeline_of(said(30, apart)), by_time=True))
        for apart in (timedelta(days=1), timedelta(minutes=9))
    )
    assert [text for text in days if text.startswith("2026-")] == [f"2026-01-{day:02}" for day in range(2, 30, 5)]
    assert {"00:00", "04:00"} <= set(hours)
    nobody_knows = [Message(f"m{n}", "user", "w w") for n in range(5)]
    assert "5" in texts(timeline_drawing(timeline_of(nobody_knows), by_time=True)), "numbers where times are not known"


def test_of_very_many_messages_the_tallest_of_each_pixel_are_drawn() -> None:
    messages = said(20_000)
    messages[7_777] = Message("tall", "user", " ".join(["w"] * 50), time=messages[7_777].time)
    drawing = timeline_drawing(timeline_of(messages))
    drawn = ElementTree.fromstring(svg([drawing])).iter(f"{SVG}rect")
    heights = sorted(float(each.get("height") or 0) for each in drawn if each.get("width") == "1")
    assert len(heights) < 6_000
    assert heights[-1] > 5 * heights[-5]


@pytest.mark.parametrize("count", [0, 1])
def test_a_timeline_of_almost_nothing_is_a_drawing(count: int) -> None:
    for by_time in (False, True):
        assert texts(timeline_drawing(timeline_of(said(count)), by_time))


def _fields(scenario: Scenario) -> dict[str, object]:
    names = ("conversation", "tokenizer", "context_window")
    return {name: getattr(scenario, name) for name in names}


def tried_out(pipeline: Pipeline, scenario: Scenario, *knobs: str) -> tuple[Bench, Tried]:
    probes = [Probe(f"q{n}", (f"m{n}",), "c1", query="w") for n in (0, 3, 9)]
    bench = bench_of(pipeline, scenario, 70, ("ratio", "naive"), {})
    tried = along(bench, *knobs) if len(knobs) == 1 else crossed(bench, *knobs)
    return bench, result_of(try_out(Basis(pipeline, scenario), tried, probes))


def test_recall_along_a_knob_has_a_line_for_each_policy_and_a_point_for_each_value(
    pipeline: Pipeline, scenario: Scenario
) -> None:
    bench, tried = tried_out(pipeline, replace(scenario, context_window=600), "context_window")
    drawing, recall = along_drawing(tried, bench), tried.recall
    points = drawing.rows[0].series
    assert isinstance(points, Points)
    assert recall is not None
    assert points.names == tried.titles
    assert tried.policies == ("ratio", "naive")
    assert np.array_equal(points.up, recall.means * 100, equal_nan=True)
    assert len(points.of_line(0)) == len(tried.knobs[0].values)
    assert drawing.marks == (), "the window of now is none of the values"
    other = replace(bench, today={**bench.today, "context_window": 768})
    assert along_from(drawing, tried, other).marks == (Mark(1.0, "now"),)
    root = ElementTree.fromstring(svg([drawing]))
    assert tried.tokens is not None
    sized = [row.series.up.tolist() for row in drawing.rows[1:] if isinstance(row.series, Points)]
    own = [tokens for tokens, (_, line) in zip(tried.tokens.tolist(), tried.places, strict=True) if line == 0]
    assert sized[0] == [tokens for tokens in own if not np.isnan(tokens)]
    known = [points.up[~np.isnan(points.up)].tolist(), *sized]
    assert len(list(root.iter(f"{SVG}circle"))) == sum(map(len, known))
    assert {*tried.titles, "tokens of a prompt", "$ for 1,000 prompts"} <= set(texts(drawing))
    assert tried.standing in texts(drawing)[0]


def test_recall_by_two_knobs_has_a_cell_for_each_pair_and_names_the_best(
    pipeline: Pipeline, scenario: Scenario
) -> None:
    bench, tried = tried_out(pipeline, scenario, "min_exchanges", "context_window")
    drawing, recall, best = crossed_drawing(tried, bench), tried.recall, tried.best(bench)
    cells = drawing.rows[0].series
    assert isinstance(cells, Cells)
    assert recall is not None
    assert best is not None
    assert [cells.values[up, across] for across, up in tried.places] == (recall.means * 100).tolist()
    assert cells.best == tried.places[best]
    assert cells.now == tried.today(bench)
    assert tried.best_sentence(bench, ", ring") in drawing.note
    assert set(texts(drawing)) >= {"512", "65,536", "Window", cells.least, cells.most}


def test_categories_are_bars_as_high_as_their_recall(found: Workspace, scenario: Scenario) -> None:
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
    assert "recommended" not in texts(categories_drawing(now, 70))
    drawing = categories_drawing(both, 70)
    assert {"<early>", "late", "all questions", "recommended", "3 questions"} <= set(texts(drawing))
    bars = bars_in(drawing, 0)
    then = bars.look == 1
    assert bars.height[then].tolist() == pytest.approx([100 * (held(each.then) or 0) for each in both])
    assert bars.solid[then].tolist() == pytest.approx([100 * (held(each.then, "recall") or 0) for each in both])
    assert held(both[0].then) != held(both[0].then, "recall")


def test_the_front_has_a_line_for_each_window_with_now_and_recommended_of_the_first() -> None:
    def setting(tokens: float, recall: float) -> Setting:
        return Setting(Scenario(), recall, recall, 1.0, tokens)

    windows = [
        WindowAdvice(size, setting(size / 4, 0.2), setting(size / 2, 0.8), (), None, (setting(size / 8, 0.1),))
        for size in (512, 1024)
    ]
    drawing = front_drawing(windows, 1)
    points = drawing.rows[0].series
    assert isinstance(points, Points)
    assert points.names == ("1,024", "512", "now", "recommended")
    assert points.across.tolist() == [128, 64, 256, 512]
    assert points.up.tolist() == pytest.approx([10, 10, 20, 80])
    assert points.line.tolist() == [0, 1, 2, 3]
    made_none = replace(windows[0].current, tokens=None)
    nothing = WindowAdvice(512, made_none, made_none, (), None)
    assert texts(front_drawing([nothing])), "a window without a prompt is a drawing all the same"


def test_recall_by_window_has_the_best_now_and_the_most_that_could_fit_by_size() -> None:
    def setting(recall: float) -> Setting:
        return Setting(Scenario(), recall, recall, 1.0)

    windows = [
        WindowAdvice(size, setting(now), setting(best), (), None, ceiling=most)
        for size, now, best, most in ((1024, 0.4, 0.8, Ceiling(0.9, "auto", 0.5)), (512, 0.2, 0.5, None))
    ]
    drawing = windows_drawing(windows, 0)
    points = drawing.rows[0].series
    assert isinstance(points, Points)
    assert points.names == ("best found", "now", "by comparing alone")
    assert [points.up[points.of_line(line)].tolist() for line in range(3)] == [
        pytest.approx([50, 80]), pytest.approx([20, 40]), pytest.approx([90])
    ]  # fmt: skip
    assert points.across[points.of_line(2)].tolist() == [1]
    assert drawing.marks == (Mark(1.0, ""),)
    assert {"512", "1,024"} <= set(texts(drawing))
    assert windows_drawing(windows[:1]).marks == ()


def test_the_learning_curve_has_a_point_for_each_number_of_questions() -> None:
    curve = [LearningPoint(probes, recall) for probes, recall in ((5, 0.5), (25, 0.75))]
    points = learning_drawing(curve).rows[0].series
    assert isinstance(points, Points)
    assert (points.across.tolist(), points.up.tolist()) == ([5, 25], [50, 75])


def test_the_bar_has_every_token_of_the_window_once(pipeline: Pipeline, scenario: Scenario) -> None:
    answer = planned_answer(pipeline, pipeline.case(replace(scenario, context_window=400)))
    stack = bar_drawing(answer).rows[0].series
    assert isinstance(stack, Stack)
    assert sum(part.size for part in stack.parts) == stack.whole == 400
    assert [part.start for part in stack.parts][1:] == list(accumulate(part.size for part in stack.parts))[:-1]
