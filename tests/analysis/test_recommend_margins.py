"""Margins of recommended settings: each setting has its own, of the blocks given alone, and limits are moved to fit."""

from collections.abc import Sequence
from dataclasses import replace
from math import exp, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.analysis.recommend import climbing
from inspector.analysis.recommend.blocks import asked_of, find_probes
from inspector.analysis.recommend.border import LEAST_PART, MOST_PART, _wanted, try_at_border, try_neighbours
from inspector.analysis.recommend.chats import OpenChats
from inspector.analysis.recommend.climbing import Measuring, climb
from inspector.analysis.recommend.folds import (
    REACH_OF_SIZE,
    REACHES,
    USUAL_MARGIN,
    Kin,
    RecallTable,
    choose,
    margin_cost,
    survivors,
)
from inspector.analysis.recommend.front import front_rows
from inspector.analysis.recommend.measure import Cells, no_cells
from inspector.analysis.recommend.search import Search, Terms, begin
from inspector.analysis.recommend.settings import (
    PARTS,
    family_name,
    neighbours,
    planned_part,
    settings_to_try,
    with_part,
)
from inspector.assembly.columns import Rows
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Conversation, Message, Probe, Workspace
from inspector.plugins import policies

MESSAGES, WINDOW, REPLY = 60, 400, 40
CURRENT = Scenario(tokenizer="estimate:words", similarity="lexical", context_window=WINDOW)
TERMS = Terms((WINDOW,), REPLY, ("ratio", "window_rag"))
ALL = np.arange(3)


def table_with(
    window: int, room: int, largest: Sequence[Sequence[int]], recall: Sequence[Sequence[float]] | None = None
) -> RecallTable:
    """Settings by blocks of one probe each, every setting as far from the current one as its place."""
    kin = [Kin((place, 0), place) for place in range(len(largest))]
    sums = np.array(recall if recall is not None else np.zeros(np.shape(largest)), np.float64)
    return RecallTable(window, room, sums, np.array(largest), np.ones(len(largest[0]), np.int64), kin)


def test_a_margin_is_the_spacing_of_a_settings_own_prompts_and_a_part_of_the_usual() -> None:
    table = table_with(1_000, 900, [[500, 520, 600], [100, 200, 950], [700, 700, 700]])
    of_three = USUAL_MARGIN * 1_000 / sqrt(3)
    assert table.margins(ALL, ALL).tolist() == pytest.approx([50 + of_three, 425 + of_three, of_three])
    assert table.margins(ALL[:1], ALL[:2]).tolist() == pytest.approx([20 + USUAL_MARGIN * 1_000 / sqrt(2)])
    assert table.margins(ALL, ALL[:1]).tolist() == pytest.approx([40.0] * 3), "one block tells no spacing"


def test_the_margin_of_a_setting_depends_neither_on_other_settings_nor_on_blocks_left_out() -> None:
    narrow = table_with(1_000, 900, [[500, 510, 520]])
    beside = table_with(1_000, 900, [[500, 510, 520], [100, 100, 890]])
    assert beside.margins(ALL[:1], ALL) == pytest.approx(narrow.margins(ALL[:1], ALL))
    other_block = table_with(1_000, 900, [[500, 510, 899]])
    assert other_block.margins(ALL[:1], ALL[:2]) == pytest.approx(narrow.margins(ALL[:1], ALL[:2]))


@given(st.lists(st.integers(1, 5_000), min_size=2, max_size=12), st.integers(100, 5_000))
def test_a_margin_grows_with_the_spread_and_is_never_below_its_least(largest: list[int], window: int) -> None:
    blocks = np.arange(len(largest))
    wider = [*sorted(largest)[:-1], max(largest) + 10]
    one, two = (table_with(window, window, [some]).margins(ALL[:1], blocks)[0] for some in (sorted(largest), wider))
    assert one >= USUAL_MARGIN * window / sqrt(len(largest)) - 1e-9
    assert two > one


def test_prompts_of_other_chats_mostly_fit_with_the_margin_and_often_not_without() -> None:
    """An oracle of its own: largest prompts of six chats drawn from one distribution, the last of which is new."""
    random = np.random.default_rng(3)
    draws = random.uniform(500, 900, (4_000, 6)).round().astype(int)
    table = table_with(1_000, 900, draws.tolist())
    rows, known = np.arange(len(draws)), np.arange(5)
    need = table.excess(rows, known) + 900
    assert (draws[:, 5] <= need).mean() > 0.93
    assert (draws[:, 5] <= draws[:, :5].max(axis=1)).mean() < 0.87


def test_the_excess_is_counted_with_the_margin_unless_it_is_left_out() -> None:
    table = table_with(1_000, 600, [[500, 500, 500]])
    assert table.excess(ALL[:1], ALL, has_margin=False).tolist() == [-100.0]
    assert table.excess(ALL[:1], ALL).tolist() == pytest.approx([-100 + USUAL_MARGIN * 1_000 / sqrt(3)])


def test_a_setting_is_chosen_only_if_its_own_margin_fits_too() -> None:
    least = USUAL_MARGIN * 1_000 / sqrt(2)
    recall = [[0.1, 0.1], [0.9, 0.9], [1.0, 1.0]]
    just = int(900 - least)
    wide = [just - 4, just - 100]
    assert choose(table_with(1_000, 900, [[700, 700], [just, just], wide], recall), ALL, ALL[:2]) == 1
    assert choose(table_with(1_000, 900, [[700, 700], [just + 1, just + 1], wide], recall), ALL, ALL[:2]) == 0
    exactly = table_with(1_000, 900, [[700], [860]], [[0.1], [0.9]])
    assert choose(exactly, ALL[:2], ALL[:1]) == 1, "the margin of one block is 40 tokens, which leaves none"
    nothing = table_with(1_000, 500, [[700, 700], [600, 600], [590, 520]], recall)
    assert choose(nothing, ALL, ALL[:2]) == 1, "the least over, with the margin"


def test_what_a_margin_costs_is_the_recall_of_what_it_refuses() -> None:
    recall = [[0.5, 0.5], [0.8, 0.8], [1.0, 1.0]]
    table = table_with(1_000, 900, [[700, 700], [895, 895], [901, 901]], recall)
    chosen = choose(table, ALL, ALL[:2])
    assert chosen == 0
    assert margin_cost(table, ALL, ALL[:2], chosen) == pytest.approx(30.0)
    assert margin_cost(table, ALL[:1], ALL[:2], chosen) == 0.0
    assert margin_cost(table, ALL[2:], ALL[:2], 2) == 0.0, "nothing fits, so that no margin refuses it"


def test_a_margin_costs_nothing_where_a_setting_within_a_standard_error_is_chosen_for_its_nearness() -> None:
    table = table_with(1_000, 900, [[100, 100], [100, 100]], [[0.78, 0.81], [0.80, 0.80]])
    assert choose(table, ALL[:2], ALL[:2]) == 0
    assert margin_cost(table, ALL[:2], ALL[:2], 0) == 0.0
    refused = table_with(1_000, 900, [[890, 890], [895, 895]], [[0.5, 0.5], [0.8, 0.8]])
    assert margin_cost(refused, ALL[:2], ALL[:2], 0) == pytest.approx(30.0), "none fits with its margin"


def test_the_nearest_within_a_standard_error_of_the_best_is_chosen() -> None:
    """By hand: the differences from the best are 0.046, −0.014 and 0.016; their mean is 0.016, their error 0.0173."""
    best = [0.60, 0.60, 0.60]
    same = [[100] * 3] * 2
    assert choose(table_with(1_000, 900, same, [[0.554, 0.614, 0.584], best]), ALL[:2], ALL) == 0
    assert choose(table_with(1_000, 900, same, [[0.59, 0.59, 0.59], best]), ALL[:2], ALL) == 1, "a sure difference"
    assert choose(table_with(1_000, 900, same, [[0.597, 0.597, 0.597], best]), ALL[:2], ALL) == 1, "as sure"
    assert choose(table_with(1_000, 900, same, [[0.5991, 0.5991, 0.5991], best]), ALL[:2], ALL) == 0, "shown as equal"
    wild = [[0.30, 0.80, 0.63], best]
    assert choose(table_with(1_000, 900, same, wild), ALL[:2], ALL) == 1, "more than two points are no equality"
    assert choose(table_with(1_000, 900, same, [[0.58, 0, 0], best]), ALL[:2], ALL[:1]) == 1, "one block tells no error"
    assert choose(table_with(1_000, 900, same, [[0.596, 0, 0], best]), ALL[:2], ALL[:1]) == 0, "half a point is equal"
    assert choose(table_with(1_000, 900, same, [[0.594, 0, 0], best]), ALL[:2], ALL[:1]) == 1, "more than half is not"


def test_the_error_of_a_difference_is_that_of_recall_whatever_the_number_of_questions_of_a_chat() -> None:
    """A point less in a chat of two questions and in one of eight: the same in both, so that it is sure."""
    probes = np.array([2, 8])
    sums = np.array([[0.59, 0.59], [0.60, 0.60]]) * probes
    kin = [Kin((place, 0), place) for place in range(2)]
    assert choose(RecallTable(1_000, 900, sums, np.full((2, 2), 100), probes, kin), ALL[:2], ALL[:2]) == 1


def of_families(families: Sequence[int], sizes: Sequence[int], recall: Sequence[Sequence[float]]) -> RecallTable:
    """Settings of these families and sizes, none nearer to the current one than another, by blocks of one probe."""
    largest = np.array([[size] * len(recall[0]) for size in sizes])
    kin = [Kin((0, 0), family) for family in families]
    return RecallTable(10_000, 9_000, np.array(recall, np.float64), largest, np.ones(len(recall[0]), np.int64), kin)


def test_recall_is_smoothed_over_a_family_by_the_difference_in_size() -> None:
    """By hand: a size e^0.03 times as large weighs e^(−1/2) beside 1, one e^0.06 times as large e^(−2)."""
    sizes = [round(5_000 * exp(step * REACH_OF_SIZE)) for step in range(3)]
    table = of_families([7, 7, 7, 8], [*sizes, sizes[0]], [[0.3, 0.0], [0.6, 0.0], [0.9, 1.0], [0.1, 0.2]])
    near, far = exp(-0.5), exp(-2)
    smoothed = table.smoothed(np.arange(4), ALL[:2])
    assert smoothed[0] == pytest.approx(
        [(0.3 + 0.6 * near + 0.9 * far) / (1 + near + far), far / (1 + near + far)], abs=1e-3
    )
    assert smoothed[1, 0] == pytest.approx((0.3 * near + 0.6 + 0.9 * near) / (1 + 2 * near), abs=1e-3)
    assert smoothed[3].tolist() == [0.1, 0.2], "another family does not count, though of the same size"
    assert table.smoothed(ALL[:1], ALL[:2]).tolist() == [[0.3, 0.0]], "settings that are given up do not count"


def test_sizes_are_those_of_the_blocks_given_alone() -> None:
    same = table_with(10_000, 9_000, [[1_000, 1_000, 1_000], [2_000, 2_000, 1_000]], [[0.2] * 3, [0.8] * 3])
    alike = RecallTable(10_000, 9_000, same.sums, same.largest, same.probes, [Kin((0, 0), 0)] * 2)
    assert alike.smoothed(ALL[:2], ALL[2:]).ravel().tolist() == pytest.approx([0.5, 0.5])
    assert alike.smoothed(ALL[:2], ALL).sum(axis=1).tolist() == pytest.approx([0.6, 2.4])


def test_of_settings_as_near_the_better_is_chosen() -> None:
    recall = [[0.5995, 0.5995], [0.6, 0.6], [0.5999, 0.5999]]
    assert choose(of_families([0, 1, 2], [100, 100, 100], recall), ALL, ALL[:2]) == 1
    assert choose(of_families([0, 1, 2], [100, 100, 100], recall[::-1]), ALL, ALL[:2]) == 1
    assert choose(of_families([0, 1, 2], [100, 100, 100], recall[1:] + recall[:1]), ALL, ALL[:2]) == 0


def test_a_setting_that_stands_out_from_its_family_stands_out_by_chance() -> None:
    sizes = [4_000, 4_100, 4_200, 4_050]
    recall = [[0.5] * 3, [0.58] * 3, [0.5] * 3, [0.56] * 3]
    assert choose(of_families([0, 1, 2, 3], sizes, recall), np.arange(4), ALL) == 1
    assert choose(of_families([0, 0, 0, 3], sizes, recall), np.arange(4), ALL) == 3


def test_a_larger_one_of_a_family_counts_though_it_does_not_fit_itself() -> None:
    recall = [[0.50] * 3, [0.70] * 3, [0.55] * 3]
    fitting, beyond = [8_500, 8_500], 8_900
    assert choose(of_families([0, 1, 2], [*fitting, beyond], recall), ALL, ALL) == 1
    table = of_families([0, 1, 0], [8_500, beyond, 8_500], [[0.50] * 3, [0.70] * 3, [0.52] * 3])
    assert table.excess(ALL, ALL).tolist()[1] > 0
    assert choose(table, ALL, ALL) == 0, "of equals by their family the first; what does not fit is not chosen"
    lifted = of_families([0, 0, 1], [8_500, beyond, 8_500], [[0.50] * 3, [0.90] * 3, [0.52] * 3])
    assert choose(lifted, ALL, ALL) == 0


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 5_000), st.floats(0, 1)), min_size=1, max_size=12))
def test_a_smoothed_recall_lies_within_its_family(rows: list[tuple[int, int, float]]) -> None:
    families, sizes, recall = zip(*rows, strict=True)
    table = of_families(families, sizes, [[value] for value in recall])
    for family, smoothed in zip(families, table.smoothed(np.arange(len(rows)), ALL[:1])[:, 0].tolist(), strict=True):
        own = [value for of, value in zip(families, recall, strict=True) if of == family]
        assert min(own) - 1e-9 <= smoothed <= max(own) + 1e-9


def test_a_family_holds_what_differs_only_in_the_part_of_the_room() -> None:
    pipeline = pipeline_of("a")
    current = replace(CURRENT, context_window=4_000)
    tried = next(each for each in settings_to_try(pipeline, current, REPLY, ("window_rag",)) if each.parameters)
    own = family_name(pipeline, tried, REPLY)
    for part in PARTS:
        moved = with_part(pipeline, tried, REPLY, part)
        assert moved is not None
        assert family_name(pipeline, moved, REPLY) == own
    others = {family_name(pipeline, each, REPLY) for each in neighbours(pipeline, tried, REPLY, ("hybrid",))}
    assert own not in others
    assert len(others) > 3
    assert family_name(pipeline, current, REPLY) != own


def test_settings_tried_at_the_border_join_the_family_of_those_that_they_came_from() -> None:
    pipeline, probes = pipeline_of(*"abcd"), asks(*"abcd")
    search = searched(pipeline, probes)
    known = len(search.settings)
    try_at_border(search, pipeline)
    for row in range(known, len(search.settings)):
        alike = [other for other in range(known) if search.kin[other].family == search.kin[row].family]
        assert alike, "it came from a setting of its family"
        parts = {planned_part(pipeline, search.settings[other], REPLY) for other in alike}
        assert None not in parts
        moved = with_part(pipeline, search.settings[alike[0]], REPLY, PARTS[0])
        assert moved is not None
        assert moved.parameters.keys() == search.settings[row].parameters.keys()
        assert moved.similarity == search.settings[row].similarity
    assert len(search.settings) > known


def test_settings_near_the_border_survive_on_both_sides() -> None:
    room = 1_000
    sizes = [int(room * share) for share in (0.5, 0.85, 0.97, 1.05, 1.2, 1.6)]
    recall = [[0.1 + 0.1 * place] for place in range(len(sizes))]
    table = table_with(1, room, [[size] for size in sizes], recall)
    assert survivors(table, np.arange(6), ALL[:1], len(REACHES)).tolist() == [1, 2, 3, 4], "the best up to each reach"


def test_a_front_has_settings_that_fit_with_their_margin_and_while_searching_without() -> None:
    recall = np.array([[0.2, 0.2], [0.8, 0.8]], np.float32)
    cells = Cells(recall, recall, np.array([[500] * 2, [890] * 2]))
    table = table_with(1_000, 900, [[500, 500], [890, 890]])
    assert front_rows(cells, table, ALL[:2], ALL[:2], has_margin=False).tolist() == [0, 1]
    assert front_rows(cells, table, ALL[:2], ALL[:2], has_margin=True).tolist() == [0]


def chat(name: str, words: int) -> Conversation:
    """A chat in which every message has a word of its own and as many others."""
    filler = " ".join(["so"] * words)
    said = (Message(f"m{n}", "assistant" if n % 2 else "user", f"word{name}{n} {filler}") for n in range(MESSAGES))
    return Conversation(name, tuple(said), origin="chats.json")


def pipeline_of(*names: str) -> Pipeline:
    chats = tuple(chat(name, 5 + place) for place, name in enumerate(names))
    return Pipeline(Workspace(chats), policies()[0], load_presets())


def asks(*names: str) -> list[Probe]:
    """Questions to each chat that all need ten of its old messages: more room always brings more."""
    return [
        Probe(f"{name}-{start}", tuple(f"m{n}" for n in old), name, query=" ".join(f"word{name}{n}" for n in old))
        for name in names
        for start in (0, 5, 10)
        for old in [range(start, start + 30)]
    ]


def begun(pipeline: Pipeline, probes: Sequence[Probe]) -> Search:
    return begin(pipeline, CURRENT, asked_of([find_probes(pipeline, CURRENT, probes)]), TERMS)


def searched(pipeline: Pipeline, probes: Sequence[Probe]) -> Search:
    """A search at its end, but without settings near the border."""
    search = begun(pipeline, probes)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(climbing, "try_at_border", lambda *_: np.empty(0, np.intp))
        list(climb(search, Measuring(OpenChats(pipeline))))
    return search


def best_of(search: Search) -> tuple[RecallTable, int]:
    (table,), everything = search.tables(search.rungs[-1]), search.others(search.folds[-1])
    return table, choose(table, search.alive[-1][0], everything)


def test_settings_between_the_limits_tried_bring_more_and_still_fit() -> None:
    pipeline, probes = pipeline_of(*"abcd"), asks(*"abcd")
    plain, whole = searched(pipeline, probes), begun(pipeline, probes)
    steps = [(done, total) for done, total, _ in climb(whole, Measuring(OpenChats(pipeline)))]
    assert steps == sorted(steps, key=lambda step: step[0])
    assert steps[-1][0] == steps[-1][1]
    assert all(done <= total for done, total in steps)
    assert len(whole.settings) > len(plain.settings)
    (before, first), (after, second), everything = best_of(plain), best_of(whole), np.arange(4)
    gain = after.mean(np.array([second]), everything) - before.mean(np.array([first]), everything)
    assert gain > 0
    assert after.excess(np.array([second]), everything)[0] <= 0
    added = set(range(len(plain.settings), len(whole.settings)))
    of_policies = whole.alive_of_policies[-1][0]
    assert {row for rows in of_policies.values() for row in rows.tolist()} & added
    assert all(whole.policy_of(row) == policy for policy, rows in of_policies.items() for row in rows.tolist())
    for rows in whole.alive[-1]:
        assert not np.isnan(whole.cells.with_memories[rows]).any(), "all that may be chosen is measured"


def test_a_setting_given_up_early_that_is_wanted_again_is_measured() -> None:
    pipeline, probes = pipeline_of(*"abcd"), asks(*"abcd")
    wanted = searched(pipeline, probes)
    new = try_at_border(wanted, pipeline)
    search = searched(pipeline, probes)
    given_up = [search.add(0, wanted.settings[row], wanted.kin[row].distance, str(row)) for row in new.tolist()]
    search.cells = search.cells.with_rows(len(search.settings))
    search.cells.with_memories[given_up, :3] = 0.5  # on the first few questions alone
    assert try_at_border(search, pipeline).tolist() == given_up != []


@pytest.mark.parametrize("tried", ["border", "neighbours"])
def test_what_is_tried_again_for_a_block_does_not_depend_on_that_block(tried: str) -> None:
    pipeline, found = pipeline_of(*"abcd"), []
    for shift in (0, 1):
        search = searched(pipeline, asks(*"abcd"))
        own = search.asked.blocks == 0
        search.cells.with_memories[:, own] *= 1 - shift
        search.cells.total[:, own] += 500 * shift
        number = len(search.settings)
        if tried == "border":
            try_at_border(search, pipeline)
        else:
            try_neighbours(search, pipeline, search.rungs[-1])
        rows = search.alive[0][0]
        found.append({repr(search.settings[row]) for row in rows[rows >= number].tolist()})
    assert found[0] == found[1] != set()


def test_neighbours_are_tried_after_the_first_rung_limits_after_the_last_and_no_cell_is_measured_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pipeline, called = pipeline_of("a", "b"), list[tuple[str, int]]()
    probes = [Probe(f"{name}-{n}", (f"m{n}",), name, query=f"word{name}{n}") for name in "ab" for n in range(12)]
    search = begun(pipeline, probes)

    def neighbours_of(search: Search, pipeline: Pipeline, rung: Rows) -> Rows:
        called.append(("neighbours", len(rung)))
        return np.empty(0, np.intp)

    def border_of(search: Search, pipeline: Pipeline) -> Rows:
        called.append(("border", len(search.rungs[-1])))
        return np.empty(0, np.intp)

    monkeypatch.setattr(climbing, "try_neighbours", neighbours_of)
    monkeypatch.setattr(climbing, "try_at_border", border_of)
    *_, (done, _, _) = climb(search, Measuring(OpenChats(pipeline)))
    assert called == [("neighbours", 10), ("border", 24)]
    assert done == (~np.isnan(search.cells.with_memories)).sum() < search.cells.total.size


def test_neighbours_differ_in_one_choice_of_the_best() -> None:
    pipeline = pipeline_of("a")
    tried = next(each for each in settings_to_try(pipeline, CURRENT, REPLY, ("window_rag",)) if each.parameters)
    found = list(neighbours(pipeline, tried, REPLY, ("lexical", "embedding")))
    ways = [each.similarity for each in found if each.similarity != tried.similarity]
    assert set(ways) == {"lexical", "embedding"} - {tried.similarity}
    caps = {
        each.parameters["per_source"]
        for each in found
        if each.parameters["per_source"] != tried.parameters["per_source"]
    }
    assert len(caps) == 3
    assert {each.parameters["misfit"] for each in found} == {"stop", "skip"}
    assert tried not in found
    assert list(neighbours(pipeline, CURRENT, REPLY, ("lexical",))) == []


@pytest.mark.parametrize("policy", ["ratio", "slots", "reserve", "window_rag", "langchain_trim"])
def test_a_setting_plans_with_another_part_of_the_room_and_nothing_else_changes(policy: str) -> None:
    pipeline = pipeline_of("a")
    current = replace(CURRENT, context_window=4_000)
    for setting in settings_to_try(pipeline, current, REPLY, (policy,))[1:40]:
        planned = planned_part(pipeline, setting, REPLY)
        if planned is None:
            continue
        assert planned.part in PARTS
        moved = with_part(pipeline, setting, REPLY, 0.6)
        assert moved is not None
        assert moved.parameters.keys() == setting.parameters.keys()
        assert replace(moved, parameters=setting.parameters) == setting
        assert with_part(pipeline, setting, REPLY, planned.part) == setting


def test_the_current_setting_has_limits_of_its_own_and_is_not_moved() -> None:
    pipeline = pipeline_of("a")
    assert planned_part(pipeline, CURRENT, REPLY) is None
    assert with_part(pipeline, CURRENT, REPLY, 0.5) is None


def test_parts_tried_again_are_those_at_which_the_largest_prompt_should_fit() -> None:
    """By hand, for a room of 900 and a margin of 40: a plan of 0.78 whose largest prompt is 770 has room for 0.8666."""
    pipeline = pipeline_of("a", "b")
    search = searched(pipeline, asks("a", "b"))
    planned = {row: planned_part(pipeline, search.settings[row], REPLY) for row in search.rows[0].tolist()}
    rows = [row for row, found in planned.items() if found and found.part == PARTS[-1]][:6]
    largest, recall = [860, 770, 500, 1_129, 1_060, 1_131], [0.9, 0.8, 0.7, 0.6, 0.5, 0.95]
    sizes, recalls = ([[0.0] for _ in search.settings] for _ in range(2))
    for row, size, share in zip(rows, largest, recall, strict=True):
        sizes[row], recalls[row] = [size], [share]
    table = table_with(1_000, 900, np.array(sizes, np.int64).tolist(), recalls)
    search.alive[-1][0] = np.array(rows)
    found = list(_wanted(search, pipeline, table, search.folds[-1], 0, ALL[:1]))
    fitting = [(rows[0], 0.76), (rows[0], 0.73), *((rows[1], part) for part in (0.86, 0.84, 0.81))]
    beyond = [*((rows[3], part) for part in (0.6, 0.58, 0.55)), *((rows[4], part) for part in (0.63, 0.61, 0.58))]
    assert found == [*fitting, *beyond], "the two best that fit, and the two best up to 1.3 of the room"
    table.largest[rows[0]] = 845
    search.alive[-1][0] = np.array(rows[:1])
    found = list(_wanted(search, pipeline, table, search.folds[-1], 0, ALL[:1]))
    assert found == [(rows[0], part) for part in (0.79, 0.77, 0.74)], "a step from where it is tells something new"


def test_parts_tried_again_keep_within_their_ends() -> None:
    pipeline = pipeline_of(*"abcd")
    search = searched(pipeline, asks(*"abcd"))
    added = try_at_border(search, pipeline)
    limits = [search.settings[row].parameters.get("total_limit", LEAST_PART * (WINDOW - REPLY)) for row in added]
    assert all(LEAST_PART * (WINDOW - REPLY) - 8 <= limit <= MOST_PART * (WINDOW - REPLY) for limit in limits)


def test_cells_grow_by_settings_that_are_not_measured() -> None:
    cells = no_cells(2, 3)
    cells.with_memories[:] = 0.5
    grown = cells.with_rows(4)
    assert grown.with_memories[:2].tolist() == [[0.5] * 3] * 2
    assert np.isnan(grown.with_memories[2:]).all()
    assert (grown.recall.shape, grown.total.shape) == ((4, 3), (4, 3))
