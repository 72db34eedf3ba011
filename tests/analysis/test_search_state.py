"""The state of a search: which probes a rung asks, what is left out, which settings survive, and what is learned."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.analysis.recommend.blocks import Asked
from inspector.analysis.recommend.climbing import _ahead, _keep_the_best, _needed
from inspector.analysis.recommend.folds import Kin, RecallTable, best_fitting, fits, survivors, table_of
from inspector.analysis.recommend.learning import SIZES, LearningPoint, enough, learning_curve
from inspector.analysis.recommend.measure import Cells, no_cells
from inspector.analysis.recommend.search import KEPT, RUNGS, Search, Terms, _rungs, begin, ways_to_try
from inspector.analysis.recommend.settings import TRIED_WAYS
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Probe, Workspace
from inspector.plugins import policies

WINDOW, REPLY = 1_000, 100
CURRENT = Scenario(tokenizer="estimate:words", context_window=WINDOW)


def asked_of(*sizes: int) -> Asked:
    """Chats with so many questions each."""
    blocks = np.repeat(np.arange(len(sizes)), sizes)
    probes = tuple(Probe(f"q{n}", ("m0",), f"c{block}") for n, block in enumerate(blocks.tolist()))
    return Asked(probes, (None,) * len(probes), blocks, tuple(f"c{n}" for n in range(len(sizes))), False, ())


def begun(asked: Asked, *windows: int) -> Search:
    """A search among two policies, of which nothing is measured."""
    pipeline = Pipeline(Workspace(), policies()[0], load_presets())
    return begin(pipeline, CURRENT, asked, Terms(windows or (WINDOW,), REPLY, ("slots", "window_rag")))


def measured(search: Search, seed: int = 1) -> Search:
    """The same with recall and totals drawn at random, the same for equal seeds."""
    random, shape = np.random.default_rng(seed), search.cells.total.shape
    recall = random.random(shape).astype(np.float32)
    search.cells = Cells(recall, recall, random.integers(100, 1_300, shape))
    return search


@given(st.lists(st.integers(1, 90), min_size=1, max_size=6))
def test_each_rung_asks_more_of_every_chat_and_the_last_everything(sizes: list[int]) -> None:
    asked = asked_of(*sizes)
    rungs = _rungs(asked)
    assert rungs[-1].tolist() == list(range(sum(sizes)))
    for number, rung in enumerate(rungs[:-1]):
        counts = np.bincount(asked.blocks[rung], minlength=len(sizes)).tolist()
        assert counts in [[min(size, most) for size in sizes] for most in RUNGS]
        assert set(rung.tolist()) < set(rungs[number + 1].tolist())
        assert 2 * len(rung) <= sum(sizes), "a rung that asks most of them saves nothing"


def test_the_rungs_of_many_questions_are_all_asked() -> None:
    assert [len(rung) for rung in _rungs(asked_of(100, 100, 3))] == [13, 83, 203]
    assert [len(rung) for rung in _rungs(asked_of(10, 10))] == [10, 20]
    assert [len(rung) for rung in _rungs(asked_of(9, 10))] == [19]


def test_a_chat_is_left_out_of_its_own_search_and_the_only_one_never_is() -> None:
    search = begun(asked_of(2, 2, 2))
    assert [search.others(fold).tolist() for fold in search.folds] == [[1, 2], [0, 2], [0, 1], [0, 1, 2]]
    alone = begun(asked_of(3))
    assert [alone.others(fold).tolist() for fold in alone.folds] == [[0], [0]]


def test_fused_is_tried_only_where_auto_may_be_another_way() -> None:
    asked = asked_of(2, 2)
    assert ways_to_try(asked) == tuple(way for way in TRIED_WAYS if way != "fused")
    assert ways_to_try(replace(asked, auto_is_own_way=True)) == TRIED_WAYS
    tried = {setting.similarity for setting in begun(asked).settings}
    assert "auto" in tried
    assert "fused" not in tried


def test_no_setting_is_tried_twice_and_each_window_has_its_own() -> None:
    search = begun(asked_of(2, 2), 1_000, 4_000)
    assert len({repr(setting) for setting in search.settings}) == len(search.settings)
    for place, (rows, window) in enumerate(zip(search.rows, (1_000, 4_000), strict=True)):
        assert {search.settings[row].context_window for row in rows.tolist()} == {window}
        assert search.current(place) == rows[0]
        assert search.settings[search.current(place)] == replace(CURRENT, context_window=window)
        assert search.kin[search.current(place)].distance == (0, 0)
        shipped = [search.settings[row].parameters for row in search.shipped[place].tolist()]
        assert shipped
        assert not any(shipped)
        by_policy = search.alive_of_policies[0][place]
        assert sorted(np.concatenate(list(by_policy.values())).tolist()) == rows.tolist()
        assert all(search.policy_of(row) == policy for policy, own in by_policy.items() for row in own.tolist())
    families = [{search.kin[row].family for row in rows.tolist()} for rows in search.rows]
    assert not families[0] & families[1]
    assert len(families[0]) < len(search.rows[0]), "some differ only in the part of the room"


def test_an_added_setting_has_a_row_of_its_own_and_the_family_that_it_names() -> None:
    search = begun(asked_of(2, 2), 1_000, 4_000)
    count, (name, number) = len(search.settings), next(iter(search.families.items()))
    first = search.add(1, CURRENT, (4, 1), name)
    second = search.add(1, CURRENT, (4, 2), "another")
    third = search.add(0, CURRENT, (4, 3), "another")
    assert (first, second, third) == (count, count + 1, count + 2)
    assert search.rows[1][-2:].tolist() == [first, second]
    assert search.rows[0][-1] == third
    assert search.kin[first] == Kin((4, 1), number)
    assert search.kin[second].family == search.kin[third].family == len(search.families) - 1


def test_a_table_has_sums_and_largest_totals_by_chat_and_no_sum_where_something_is_not_measured() -> None:
    cells = no_cells(2, 4)
    cells.with_memories[0] = [0.5, 1.0, 0.0, 0.25]
    cells.with_memories[1, :3] = 1.0
    cells.total[:] = [[10, 30, 20, 5], [1, 2, 3, 4]]
    kin = [Kin((0, 0), 0), Kin((0, 0), 1)]
    table = table_of(cells, np.arange(4), np.array([0, 0, 1, 1]), 2, WINDOW, REPLY, kin)
    assert (table.window, table.room, table.probes.tolist()) == (WINDOW, WINDOW - REPLY, [2, 2])
    assert table.sums[0].tolist() == [1.5, 0.25]
    assert np.isnan(table.sums[1]).all()
    assert table.largest.tolist() == [[30, 20], [2, 4]]
    assert table.mean(np.array([0]), np.array([0])).tolist() == [0.75]
    assert table.mean(np.array([0]), np.array([0, 1])).tolist() == [1.75 / 4]
    assert fits(cells, 0, np.arange(4), 20) == 0.75


def test_of_equal_settings_the_nearest_survives_and_a_quarter_of_the_most_at_each_reach() -> None:
    recall = np.array([[0.5], [0.9], [0.9], [0.7], [0.8]])
    kin = [Kin((distance, 0), row) for row, distance in enumerate((0, 9, 4, 1, 1))]
    table = RecallTable(WINDOW, WINDOW - REPLY, recall, np.full((5, 1), 100), np.array([1]), kin)
    assert survivors(table, np.arange(5), np.array([0]), 4).tolist() == [2]
    assert survivors(table, np.arange(5), np.array([0]), 8).tolist() == [2, 4]
    assert survivors(table, np.array([0, 1, 3]), np.array([0]), 8).tolist() == [1, 3]
    assert best_fitting(table, np.arange(5), np.array([0]), 3).tolist() == [1, 2, 4]


def test_after_a_rung_the_best_survive_and_always_the_current_setting() -> None:
    search = measured(begun(asked_of(20, 20, 20)))
    before = [list(rows) for rows in search.alive]
    _keep_the_best(search, search.rungs[0], 0)
    assert search.compared == before
    for fold in search.folds:
        (rows,) = search.alive[fold]
        assert search.current(0) in rows
        assert 1 < len(rows) <= KEPT[0] + 1
        assert all(len(own) >= 1 for own in search.alive_of_policies[fold][0].values())
    needed = set(_needed(search).tolist())
    assert needed >= {row for fold in search.alive for row in fold[0].tolist()}
    assert needed >= set(search.shipped[0].tolist()) | set(search.fronts[0].tolist())
    assert len(needed) < len(search.settings)


def test_who_survives_for_a_chat_does_not_depend_on_that_chat() -> None:
    found = []
    for shift in (0.0, 1.0):
        search = measured(begun(asked_of(20, 20, 20)))
        own = search.asked.blocks == 1
        search.cells.with_memories[:, own] *= 1 - shift
        search.cells.total[:, own] += round(700 * shift)
        _keep_the_best(search, search.rungs[0], 0)
        found.append([[rows[0].tolist() for rows in search.alive], search.alive_of_policies[1][0]["slots"].tolist()])
    assert found[0][0][1] == found[1][0][1]
    assert found[0][1] == found[1][1]
    assert found[0][0][0] != found[1][0][0]


def test_the_cells_ahead_are_those_of_later_rungs_for_each_window() -> None:
    search = begun(asked_of(100, 100), 1_000, 4_000)
    few, more, everything = (len(rung) for rung in search.rungs)
    assert _ahead(search, 2) == 0
    assert _ahead(search, 1) == (everything - more) * KEPT[1] * 2
    assert _ahead(search, 0) == (more - few) * KEPT[0] * 2 + _ahead(search, 1)


def test_a_learning_curve_goes_up_to_all_questions_of_the_other_chats() -> None:
    search = measured(begun(asked_of(30, 40)))
    everything = search.rungs[-1]
    curve = learning_curve(search, everything)
    assert [point.probes for point in curve] == [*(size for size in SIZES if size < 30), 30]
    assert all(0 <= point.recall <= 1 for point in curve)
    assert learning_curve(search, everything) == curve, "the same every time"
    assert learning_curve(measured(begun(asked_of(30))), np.arange(30)) == ()


def test_as_many_questions_as_the_others_have_are_learned_from_once() -> None:
    search = measured(begun(asked_of(25, 40)))
    assert [point.probes for point in learning_curve(search, search.rungs[-1])] == [10, 25]
    assert enough((LearningPoint(10, 0.0), LearningPoint(25, 0.0051), LearningPoint(50, 0.005))) == 10
    assert enough((LearningPoint(10, -0.0001), LearningPoint(25, 0.0051), LearningPoint(50, 0.005))) == 25


def test_learned_from_enough_questions_the_better_setting_is_chosen_for_the_other_chat() -> None:
    """One setting always finds everything, all others nothing: any number of questions tells which."""
    search = begun(asked_of(30, 40))
    recall = np.zeros(search.cells.total.shape, np.float32)
    recall[7] = 1.0
    search.cells = Cells(recall, recall, np.full(recall.shape, 100))
    assert [point.recall for point in learning_curve(search, search.rungs[-1])] == pytest.approx([1.0, 1.0, 1.0])
