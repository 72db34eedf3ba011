"""The steps of a search one by one: who survives at the edge of a reach, what is tried again, measured, and written."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from inspector.analysis.recall.probes import Skipped
from inspector.analysis.recommend import border, climbing
from inspector.analysis.recommend.advice import Recommendation, WindowAdvice
from inspector.analysis.recommend.answer import recommendation_value
from inspector.analysis.recommend.blocks import Asked
from inspector.analysis.recommend.border import TRIED_AGAIN, _survive, try_neighbours
from inspector.analysis.recommend.ceiling import Ceiling
from inspector.analysis.recommend.chats import OpenChats
from inspector.analysis.recommend.climbing import Measuring, _ahead, _keep_the_best, climb
from inspector.analysis.recommend.folds import NEAR, Kin, RecallTable, best_fitting, choose, fits, survivors, table_of
from inspector.analysis.recommend.learning import LearningPoint, enough, learning_curve
from inspector.analysis.recommend.measure import Cells
from inspector.analysis.recommend.measured import BlockGain, Setting
from inspector.analysis.recommend.rendered import Rendered, _rendered
from inspector.analysis.recommend.search import KEPT_OF_POLICY, Search, Terms, begin
from inspector.assembly.columns import Rows
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Probe, Workspace
from inspector.plugins import policies

WINDOW, REPLY = 1_000, 100
ONE = np.array([0])
CURRENT = Scenario(tokenizer="estimate:words", context_window=WINDOW)


def one_block(*settings: tuple[int, float]) -> RecallTable:
    """Settings of a family each, with their largest prompts and their recall of one question."""
    largest, recall = zip(*settings, strict=True)
    kin = [Kin((0, row), row) for row in range(len(settings))]
    return RecallTable(WINDOW, WINDOW - REPLY, np.array([recall]).T, np.array([largest]).T, np.array([1]), kin)


def cells_of(recall: NDArray[np.float64], total: NDArray[np.int64]) -> Cells:
    """Cells whose recall is the same with and without memories."""
    single = recall.astype(np.float32)
    return Cells(single, single, total)


def pipeline_of() -> Pipeline:
    return Pipeline(Workspace(), policies()[0], load_presets())


def begun(sizes: Sequence[int], *windows: int) -> Search:
    """A search among two policies over chats with so many questions each."""
    blocks = np.repeat(np.arange(len(sizes)), sizes)
    probes = tuple(Probe(f"q{n}", ("m0",), f"c{block}") for n, block in enumerate(blocks.tolist()))
    asked = Asked(probes, (None,) * len(probes), blocks, tuple(f"c{n}" for n in range(len(sizes))), False, ())
    return begin(pipeline_of(), CURRENT, asked, Terms(windows or (WINDOW,), REPLY, ("slots", "window_rag")))


def drawn(search: Search) -> Search:
    """The same with recall and totals drawn at random."""
    random, shape = np.random.default_rng(4), search.cells.total.shape
    recall = random.random(shape).astype(np.float32)
    search.cells = Cells(recall, recall, random.integers(400, 960, (shape[0], 1)) + np.zeros(shape, np.int64))
    return search


def test_a_setting_survives_up_to_the_very_token_of_its_reach() -> None:
    """The margin of one block is 40 tokens of 1,000, so that prompts of 860 fit; a reach of 0.9 ends 90 below."""
    at_ends = [(770, 0.4), (860, 0.5), (950, 0.6), (1_085, 0.7)]
    assert survivors(one_block(*at_ends), np.arange(4), ONE, 4).tolist() == [0, 1, 2, 3]
    for place in (1, 2, 3):
        beyond = [(size + (row == place), recall) for row, (size, recall) in enumerate(at_ends)]
        assert survivors(one_block(*beyond), np.arange(4), ONE, 4).tolist() == sorted({0, 1, 2, 3} - {place})
    less = [(770, 0.4), (760, 0.5)]
    assert survivors(one_block(*less), np.arange(2), ONE, 4).tolist() == [1]


def test_beyond_every_reach_the_smallest_survives() -> None:
    assert survivors(one_block((1_300, 0.1), (1_200, 0.2), (1_201, 0.9)), np.arange(3), ONE, 4).tolist() == [1]


def test_a_prompt_of_the_very_room_fits_and_one_token_more_does_not() -> None:
    cells = cells_of(np.zeros((2, 3)), np.array([[899, 900, 901], [901, 901, 901]]))
    assert [fits(cells, row, np.arange(3), 900) for row in (0, 1)] == [pytest.approx(2 / 3), 0.0]
    assert fits(cells, 0, np.array([True, True, False]), 900) == 1.0
    table = one_block((900, 0.2), (901, 0.9), (100, 0.1))
    assert best_fitting(table, np.arange(3), ONE, 5).tolist() == [0, 2]
    assert best_fitting(table, np.arange(3), ONE, 1).tolist() == [0]
    assert best_fitting(table, np.array([1]), ONE, 5).tolist() == []


def test_of_settings_as_near_and_nearly_as_good_the_better_is_chosen() -> None:
    table = replace(one_block((100, 0.80), (100, 0.80 + NEAR / 2)), kin=[Kin((1, 0), 0), Kin((1, 0), 1)])
    assert choose(table, np.arange(2), ONE) == 1
    assert choose(replace(table, kin=[Kin((1, 0), 0), Kin((1, 1), 1)]), np.arange(2), ONE) == 0


def test_a_chat_without_measured_questions_has_no_largest_prompt_and_no_part_in_recall() -> None:
    cells = cells_of(np.array([[0.5, 1.0, 0.25]]), np.array([[10, 30, 20]]))
    table = table_of(cells, np.array([0, 1]), np.array([0, 0, 1]), 2, 50, 8, [Kin((0, 0), 0)])
    assert (table.window, table.room) == (50, 42)
    assert table.largest.tolist() == [[30, 0]]
    assert table.probes.tolist() == [2, 0]
    assert table.mean(ONE, np.array([0, 1])).tolist() == [0.75]


def test_neighbours_are_those_of_the_best_that_fit_for_each_chat(monkeypatch: pytest.MonkeyPatch) -> None:
    search, tried = drawn(begun((12, 12))), list[Scenario]()
    probes, before = search.rungs[0], len(search.settings)

    def of(pipeline: Pipeline, setting: Scenario, reply: int, ways: Sequence[str]) -> Iterator[Scenario]:
        assert (reply, ways) == (REPLY, search.ways)
        tried.append(setting)
        yield replace(setting, similarity="fused", query=f"beside {search.settings.index(setting)}")

    monkeypatch.setattr(border, "neighbours", of)
    to_measure = try_neighbours(search, pipeline_of(), probes)
    expected, recall, total = list[int](), search.cells.with_memories, search.cells.total[:, 0]
    for own in ([1], [0], [0, 1]):  # the blocks that are not held out; every total is the same in all of them
        inside = probes[np.isin(search.asked.blocks[probes], own)]
        need = total[:before] + 0.04 * WINDOW / np.sqrt(len(own))
        order = sorted(range(before), key=lambda row: -recall[row, inside].mean())
        expected += [row for row in order if need[row] <= WINDOW - REPLY][:TRIED_AGAIN]
    assert [search.settings.index(setting) for setting in tried] == expected
    assert to_measure.tolist() == list(range(before, before + len(set(expected))))
    assert len(search.cells.total) == len(search.settings) == len(search.kin)
    for fold in search.folds:
        own = {f"beside {row}" for row in expected[2 * fold : 2 * fold + 2]}
        assert {search.settings[row].query for row in search.alive[fold][0] if row >= before} == own


def test_a_new_setting_survives_for_its_chat_and_its_policy_alone() -> None:
    search = begun((3, 3))
    row = search.add(0, replace(search.settings[0], policy="slots", query="new"), (1, 1), "of its own")
    _survive(search, 1, 0, np.array([row, search.current(0)]))
    assert [row in search.alive[fold][0] for fold in search.folds] == [False, True, False]
    assert [row in search.alive_of_policies[fold][0]["slots"] for fold in search.folds] == [False, True, False]
    assert row not in search.alive_of_policies[1][0]["window_rag"]
    assert len(set(search.alive[1][0].tolist())) == len(search.alive[1][0])


def test_before_all_questions_a_policy_keeps_one_setting_for_a_chat_and_earlier_a_few() -> None:
    search = drawn(begun((100, 100)))
    assert len(search.rungs) == 3
    _keep_the_best(search, search.rungs[0], 0)
    few = [len(rows) for fold in search.alive_of_policies for rows in fold[0].values()]
    assert max(few) > 1
    assert all(len(rows) <= KEPT_OF_POLICY for fold in search.alive_of_policies for rows in fold[0].values())
    tables = search.tables(search.rungs[1])
    expected = [
        {policy: choose(tables[0], rows, search.others(fold)) for policy, rows in window.items()}
        for fold, (window,) in enumerate(search.alive_of_policies)
    ]
    _keep_the_best(search, search.rungs[1], 1)
    last = [{policy: rows.tolist() for policy, rows in fold[0].items()} for fold in search.alive_of_policies]
    assert last == [{policy: [row] for policy, row in fold.items()} for fold in expected]


def test_cells_are_stored_under_their_questions_however_they_are_parted(monkeypatch: pytest.MonkeyPatch) -> None:
    search, rows, new = begun((4, 3)), np.array([5, 2]), np.array([6, 1, 3])

    def measured(
        chats: object, settings: Sequence[Scenario], probes: Sequence[Probe], *_: object
    ) -> Iterator[tuple[Rows, Cells]]:
        assert settings == [search.settings[5], search.settings[2]]
        assert [probe.id for probe in probes] == ["q6", "q1", "q3"]
        for part in (np.array([2, 0]), np.array([1])):
            values = np.add.outer([500, 200], new[part])
            yield part, cells_of(values.astype(np.float64), values)

    monkeypatch.setattr(climbing, "measured", measured)
    assert list(Measuring(OpenChats(pipeline_of())).measure(search, rows, new)) == [4, 2]
    assert search.cells.total[5].tolist() == [0, 501, 0, 503, 0, 0, 506]
    assert search.cells.total[2].tolist() == [0, 201, 0, 203, 0, 0, 206]
    assert np.isfinite(search.cells.recall).sum() == 6


def test_progress_counts_the_cells_done_of_those_needed_and_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every setting is as good: a rung measures what survives on its new questions, and the total never sinks below."""
    search = begun((100, 100))
    first = len(search.settings) * len(search.rungs[0])

    def measure(_: Measuring, search: Search, rows: Rows, new: Rows) -> Iterator[int]:
        values = np.full((len(rows), len(new)), 0.5, np.float32)
        assert np.isnan(search.cells.recall[np.ix_(rows, new)]).all(), "nothing is measured twice"
        search.cells.take(rows, new, Cells(values, values, np.full(values.shape, 300)))
        yield values.size

    monkeypatch.setattr(Measuring, "measure", measure)
    monkeypatch.setattr(climbing, "try_neighbours", lambda *_: np.empty(0, np.intp))
    monkeypatch.setattr(climbing, "try_at_border", lambda *_: np.empty(0, np.intp))
    steps = list(climb(search, Measuring(OpenChats(pipeline_of()))))
    assert [probes.tolist() for _, _, probes in steps if probes is not None] == [
        *(rung.tolist() for rung in search.rungs),
        search.rungs[-1].tolist(),
    ]
    assert steps[0] == (first, first + _ahead(search, 0), None)
    done = [each for each, _, _ in steps]
    assert done == sorted(done)
    assert all(each <= total for each, total, _ in steps)
    assert steps[-1][:2] == (np.isfinite(search.cells.recall).sum(),) * 2


def test_a_curve_is_of_what_the_other_chat_chose_over_all_windows() -> None:
    """In each window one setting serves each chat alone, so that the other chat chooses what does not serve."""
    search = begun((20, 30), 1_000, 2_000)
    recall = np.zeros(search.cells.total.shape, np.float32)
    first, second = (rows[[3, 4]].tolist() for rows in search.rows)
    recall[first[0], :20], recall[first[1], 20:] = 1.0, 1.0
    recall[second[0]] = 1.0
    search.cells = Cells(recall, recall, np.full(recall.shape, 100))
    curve = learning_curve(search, search.rungs[-1])
    assert [(point.probes, point.recall) for point in curve] == [(10, 0.5), (20, 0.5)]


def test_enough_is_the_first_within_half_a_point_of_all_questions() -> None:
    curve = (LearningPoint(10, 0.70), LearningPoint(25, 0.796), LearningPoint(50, 0.79), LearningPoint(80, 0.80))
    assert enough(curve) == 25
    assert enough((*curve[:1], LearningPoint(25, 0.7949), *curve[2:])) == 80
    assert enough(()) is None


def test_counted_prompts_are_summed_up_by_their_own_figures() -> None:
    assert _rendered([(10, 12, 3), (20, 18, 5), (30, 13, 4)], 12) == Rendered(3, 43 / 3, 18, 20.0, 4.0, 2)
    assert _rendered([], 12) is None


def test_the_json_of_a_recommendation_has_every_figure_at_its_place() -> None:
    now = Setting(Scenario(policy="ratio", context_window=WINDOW), 0.1234567, 0.2, 0.5, 100.26, 0.0012345678912, None)
    best = Setting(Scenario(policy="naive", context_window=WINDOW), 0.3, 0.4, 1.0, None, None, 0.25)
    gain = BlockGain("a", 3, 12.34567, 0.75, best.scenario)
    advice = WindowAdvice(
        *(WINDOW, now, best, (gain, replace(gain, name="b", gain=-2.0, probes=1, fits=0.25)), (1.23456, 9.0)),
        binds=("per_source",),
        ceiling=Ceiling(0.9, "fused", 0.3),
        margin=0.0412345678,
        margin_cost=0.98765,
        rendered=Rendered(4, 10.04, 12, 9.96, 1.25, 1),
    )
    found = Recommendation(
        *(Terms((WINDOW,), 77), 0.05, 9, (Skipped("q9", "it names nothing"),), (advice,)),
        *((LearningPoint(5, 0.5), LearningPoint(9, 0.9)), ("few",), True),
    )
    value = recommendation_value(found, lambda scenario: policies()[0][scenario.policy or "ratio"])
    assert (value["reply"], value["margin"], value["notes"]) == (77, 0.05, ["few"])
    skipped = [{"id": "q9", "reason": "it names nothing"}]
    assert value["probes"] == {"used": 9, "enough": 9, "skipped": skipped}
    assert value["learning"] == [{"probes": 5, "recall": 0.5}, {"probes": 9, "recall": 0.9}]
    (window,) = value["windows"]
    assert (window["verdict"], window["gain"], window["interval"]) == ("change", 5.173, [1.235, 9.0])
    assert window["held_out_fits"] == (3 * 0.75 + 0.25) / 4
    assert (window["margin"], window["margin_cost"], window["binds"]) == (0.041235, 0.988, ["per_source"])
    assert (window["ceiling"], window["ceiling_way"], window["newest_alone"]) == (0.9, "fused", 0.3)
    kept = {"prompts": 4, "tokens": 10.0, "planned": 10.0, "largest": 12, "retrieved": 1.2, "over": 1}
    assert (window["rendered"], window["rendered_now"]) == (kept, None)
    assert [each["probes"] for each in window["per_conversation"]] == [3, 1]
    assert [each["fits"] for each in window["per_conversation"]] == [0.75, 0.25]
    figures = ("recall", "recall_with_memories", "fits", "tokens", "cost", "cost_cached")
    assert [window["current"][name] for name in figures] == [0.123457, 0.2, 0.5, 100.3, 0.001234568, None]
    assert [window["best"][name] for name in figures] == [0.3, 0.4, 1.0, None, None, 0.25]
    kept_now = replace(advice, best=now)
    assert recommendation_value(replace(found, windows=(kept_now,)), type)["windows"][0]["verdict"] == "keep"
