"""Plots and tables of a recommendation: what is drawn is inside with room around it, and cells say their figures."""

from dataclasses import replace
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.analysis.recall.along import RecallAlong
from inspector.analysis.recall.ask import ProbeRecall
from inspector.analysis.recall.probes import Skipped
from inspector.analysis.recommend.advice import Recommendation, WindowAdvice
from inspector.analysis.recommend.by_policy import PolicyAdvice
from inspector.analysis.recommend.categories import Category
from inspector.analysis.recommend.ceiling import Ceiling
from inspector.analysis.recommend.drawings import (
    along_drawing,
    categories_drawing,
    crossed_drawing,
    front_drawing,
    learning_drawing,
    windows_drawing,
)
from inspector.analysis.recommend.knobs import Knob
from inspector.analysis.recommend.learning import LearningPoint
from inspector.analysis.recommend.measured import BlockGain, Setting
from inspector.analysis.recommend.questions import Questions, Source
from inspector.analysis.recommend.search import Terms
from inspector.analysis.recommend.searched import Searched
from inspector.analysis.recommend.tables import (
    GAIN_COLUMNS,
    QUESTION_COLUMNS,
    WINDOW_COLUMNS,
    is_marked,
)
from inspector.analysis.recommend.tried import Bench, Tried
from inspector.assembly.columns import F64
from inspector.assembly.marks import MARKED
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.drawings.drawing import Axis, Bars, Cells, Drawing, Points
from inspector.model import Probe, Workspace
from inspector.plugins import policies

NOW, BEST = Scenario(policy="ratio"), Scenario(policy="slots")
shares = st.integers(0, 40).map(lambda part: part / 40)


def setting(recall: float, tokens: float | None = 100.0, scenario: Scenario = BEST) -> Setting:
    return Setting(scenario, recall, recall, 1.0, tokens)


def window(size: int, now: float, best: float, found: float | None, *front: tuple[float, float]) -> WindowAdvice:
    ceiling = None if found is None else Ceiling(found, "auto", 0.25)
    rows = tuple(setting(recall, tokens) for recall, tokens in front)
    return WindowAdvice(size, setting(now, scenario=NOW), setting(best), (), None, rows, ceiling=ceiling)


def drawn(drawing: Drawing, row: int = 0) -> tuple[Points, Axis, Axis]:
    series = drawing.rows[row].series
    assert isinstance(series, Points)
    return series, drawing.across, drawing.rows[row].up


def spare(values: F64, axis: Axis) -> tuple[float, float]:
    """The room below the lowest and above the highest value."""
    known = values[~np.isnan(values)]
    return float(known.min()) - axis.first, axis.end - float(known.max())


@given(st.lists(st.tuples(shares, shares, st.one_of(st.none(), shares)), min_size=1, max_size=5), st.data())
def test_recall_by_window_is_inside_with_room_for_its_names(
    rows: list[tuple[float, float, float | None]], data: st.DataObject
) -> None:
    windows = [window(1_000 * (7 * n % 5 + 1), *row) for n, row in enumerate(rows)]
    place = data.draw(st.integers(0, len(rows) - 1))
    drawing = windows_drawing(windows, place)
    points, across, up = drawn(drawing)
    order = sorted(windows, key=lambda each: each.context_window)
    assert across.write(range(len(rows))) == [f"{each.context_window:,}" for each in order]
    expected = [[100 * each.best.recall for each in order], [100 * each.current.recall for each in order]]
    expected.append([100 * each.ceiling.found for each in order if each.ceiling])
    assert [points.up[points.line == line].tolist() for line in range(3)] == expected
    assert (across.first, across.end) == (-0.4, len(rows) - 1 + max(1.0, 0.35 * (len(rows) - 1)))
    spread = max(10.0, float(points.up.max() - points.up.min()))
    assert spare(points.up, up) == pytest.approx((0.12 * spread, 0.12 * spread))
    marked = [order[int(mark.place)].context_window for mark in drawing.marks]
    assert marked == ([windows[place].context_window] if len(rows) > 1 else [])


def test_on_an_axis_of_recall_nothing_is_written_below_0_and_above_100() -> None:
    _, _, up = drawn(windows_drawing([window(1_000, 0.0, 1.0, None)]))
    assert up.first < 0
    assert up.end > 100
    assert up.write([-20, -1, 0, 50, 100, 101]) == ["", "", "0", "50", "100", ""]


def test_the_front_leaves_room_around_its_costs_and_for_the_names_of_windows() -> None:
    windows = [window(1_000, 0.2, 0.9, None, (0.5, 50.0), (0.9, 150.0)), window(500, 0.1, 0.4, None, (0.4, 250.0))]
    points, across, up = drawn(front_drawing(windows, 1))
    assert points.names == ("500", "1,000", "now", "recommended")
    assert points.line.tolist() == [0, 1, 1, 2, 3]
    assert points.across.tolist() == [250, 50, 150, 100, 100]
    assert points.up.tolist() == pytest.approx([40, 50, 90, 10, 40])
    assert spare(points.across, across) == pytest.approx((0.05 * 200, 0.16 * 200))
    assert spare(points.up, up) == pytest.approx((0.1 * 80, 0.1 * 80))
    assert points.steps
    unknown = replace(windows[0], current=setting(0.2, None))
    assert drawn(front_drawing([unknown]))[0].line.tolist() == [0, 0, 2], "no line of now"


@pytest.mark.parametrize(
    ("recalls", "ends"),
    [
        ((0.5, 0.75), (37.5, 100.0)),
        ((0.5, 0.51), (48.0, 55.0)),
        ((0.01, 0.02), (0.0, 6.0)),
        ((0.9, 0.99), (85.5, 100.0)),
    ],
)
def test_a_learning_curve_is_shown_with_what_is_near(recalls: tuple[float, float], ends: tuple[float, float]) -> None:
    curve = [LearningPoint(10 * (n + 1), recall) for n, recall in enumerate(recalls)]
    points, across, up = drawn(learning_drawing(curve))
    assert points.across.tolist() == [10, 20]
    assert points.up.tolist() == pytest.approx([100 * recall for recall in recalls])
    assert (up.first, up.end) == pytest.approx(ends)
    assert (across.first, across.end) == (0.0, 21.0)


def outcome(kept: float, cited: float) -> ProbeRecall:
    """Forty items, of which so many are kept, and the next so many named by a memory."""
    places = np.arange(40) / 40
    is_kept, is_cited = places < kept, (kept <= places) & (places < kept + cited)
    return ProbeRecall(is_kept, is_cited, np.zeros(40, np.bool_), np.where(is_kept, -1, 0))


@given(st.lists(st.tuples(shares, shares, st.booleans()), min_size=1, max_size=4))
def test_bars_stand_side_by_side_in_the_place_of_their_kind(rows: list[tuple[float, float, bool]]) -> None:
    kinds = tuple(
        Category(str(n), (outcome(kept, 0.25),), (outcome(then, 0.5),) if has_then else ())
        for n, (kept, then, has_then) in enumerate(rows)
    )
    drawing = categories_drawing(kinds, None)
    bars = drawing.rows[0].series
    assert isinstance(bars, Bars)
    assert (drawing.across.first, drawing.across.end) == (-0.5, len(rows) - 0.5)
    assert (drawing.rows[0].up.first, drawing.rows[0].up.end) == (0, 100)
    expected = []
    for n, (kept, then, has_then) in enumerate(rows):
        expected.append((n - 0.37, n - 0.03, 100 * min(1, kept + 0.25), 100 * kept, 0))
        expected += [(n + 0.03, n + 0.37, 100 * min(1, then + 0.5), 100 * then, 1)] * has_then
    found = sorted(zip(bars.left, bars.right, bars.height, bars.solid, bars.look, strict=True))
    assert np.array(found) == pytest.approx(np.array(sorted(expected)))


def tried_with(means: list[float], knobs: int) -> Tried:
    """Settings along a knob for two policies, or for every pair of two knobs; NaN is refused."""
    first, second = Knob("context_window", (512, 768, 1_024)), Knob("other", (1, 2))
    places = tuple((column, line) for line in range(2) for column in range(3))
    sums = np.array([[8 * mean, 8 * min(1, mean + 0.1)] for mean in means])
    recall = RecallAlong(sums, np.array([8, 8]), ~np.isnan(means), 16)
    sizes = np.array([100.0, 200.0, nan, nan, nan, nan]), np.array([0.001, 0.003, nan, nan, nan, nan])
    return Tried((first, second)[:knobs], NOW, (NOW,) * 6, places, ("ratio", "slots"), ("R", "S"), recall, *sizes, 9)


def test_recall_along_a_knob_has_its_intervals_and_low_rows_of_tokens_and_dollars() -> None:
    tried = tried_with([0.1, 0.2, 0.3, 0.4, nan, 0.5], 1)
    drawing = along_drawing(tried, None)
    points, across, up = drawn(drawing)
    assert points.across.tolist() == [0, 1, 2, 0, 1, 2]
    assert points.line.tolist() == [0, 0, 0, 1, 1, 1]
    assert points.up.tolist() == pytest.approx([15, 25, 35, 45, nan, 55], nan_ok=True)
    assert tried.recall is not None
    ends = [tried.recall.interval(n) or (nan, nan) for n in range(6)]
    assert points.low.tolist() == pytest.approx([100 * low for low, _ in ends], nan_ok=True)
    assert points.high.tolist() == pytest.approx([100 * high for _, high in ends], nan_ok=True)
    assert (across.first, across.end) == pytest.approx((-0.4, 3.0))
    assert spare(points.up, up) == pytest.approx((0.12 * 40, 0.06 * 40))
    tokens, _, high = drawn(drawing, 1)
    assert (tokens.across.tolist(), tokens.up.tolist(), high.first) == ([0, 1], [100, 200], 0)
    assert high.end == pytest.approx(224)
    dollars, _, high = drawn(drawing, 2)
    assert dollars.up.tolist() == pytest.approx([1, 3])
    assert high.end == pytest.approx(3.36)
    waiting = along_drawing(replace(tried, recall=None, tokens=None), None)
    points, _, up = drawn(waiting)
    assert np.isnan(points.up).all()
    assert (up.first, up.end) == pytest.approx((-12, 106)), "all of recall, and room around it"
    assert drawn(waiting, 1)[2].end == 1.0


def test_a_shade_stands_at_the_places_of_its_pair() -> None:
    tried = tried_with([0.1, 0.2, 0.3, 0.4, nan, 0.5], 2)
    bench = Bench(NOW, (), (), {"context_window": 640, "other": 2}, (), {})
    drawing = crossed_drawing(tried, bench)
    cells = drawing.rows[0].series
    assert isinstance(cells, Cells)
    assert np.array(cells.values) == pytest.approx(np.array([[15, 25, 35], [45, nan, 55]]), nan_ok=True)
    assert (drawing.across.first, drawing.across.end) == (-0.5, 2.5)
    assert (drawing.rows[0].up.first, drawing.rows[0].up.end) == (-0.5, 1.5)
    assert (cells.now, cells.best) == ((0.5, 1.0), (2, 1))
    elsewhere = crossed_drawing(tried, replace(bench, today={})).rows[0].series
    assert isinstance(elsewhere, Cells)
    assert elsewhere.now is None


def test_a_row_of_a_window_says_its_verdict_and_on_how_many_chats_it_holds() -> None:
    gains = tuple(BlockGain(f"c{n}", 4, gain, 0.5, BEST) for n, gain in enumerate((12.0, 0.0, -3.0, 0.5)))
    sure = replace(window(1_000, 0.2, 0.9, 0.95), gains=gains, interval=(1.0, 9.0), binds=("per_source", "min_tail"))
    kept = window(2_000, 0.2, 0.2, None)
    made = Recommendation(Terms((1_000, 2_000), 9), 0.1, 5, (), (sure, replace(kept, best=kept.current)), (), (), True)
    found = Searched.of(Pipeline(Workspace(), policies()[0], load_presets()), NOW, made)
    columns = {column.key: column for column in WINDOW_COLUMNS}
    texts = {key: [column.text(found, row) for row in (0, 1)] for key, column in columns.items()}
    assert texts["verdict"] == ["change", "keep"]
    assert texts["better"] == ["2 of 4", "–"]
    assert texts["binds"] == ["per source, min tail", ""]
    assert [columns["newest"].value(found, row) for row in (0, 1)] == [0.25, None]
    assert [columns["ceiling"].value(found, row) for row in (0, 1)] == [0.95, None]
    verdict, then = columns["verdict"].tone, columns["then"].tone
    assert verdict is not None
    assert then is not None
    assert [verdict(found, row) for row in (0, 1)] == ["accent", "muted"]
    assert verdict(replace(found, in_use=0), 0) == "muted"
    assert [then(found, row) for row in (0, 1)] == [None, "muted"]
    others = (replace(gains[1], chosen=one) for one in (NOW, Scenario()))
    advice = PolicyAdvice(sure.best, None, (gains[0], *others), None)
    chosen = next(column for column in GAIN_COLUMNS if column.key == "chosen")
    assert [chosen.text(advice, row) for row in range(3)] == ["the same", "another, ratio", "another, ratio"]


def test_a_row_of_a_question_says_where_it_comes_from_and_why_it_is_not_asked() -> None:
    probes = (
        Probe("a", ("m0",), query="who?", origin="/some/where/probes.yaml"),
        Probe("b", ("m0",), at=1_200, category=MARKED),
        Probe("c", ("m0",), category=MARKED),
        Probe("d", ("m0",), query=""),
    )
    questions = Questions(True, probes[:1], (Skipped("d", "why"),), Source.BOTH, probes, marked=2)
    texts = {column.key: [column.text(questions, row) for row in range(4)] for column in QUESTION_COLUMNS}
    assert texts["question"] == ["who?", "message 1,200", "the newest message", ""]
    assert texts["from"] == ["probes.yaml", "file", "marks", "marks"]
    assert texts["trouble"] == ["", "", "", "why"]
    assert [is_marked(questions, row) for row in range(4)] == [False, False, True, False]
