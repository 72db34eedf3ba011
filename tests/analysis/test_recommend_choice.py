"""The choice among measured settings: against its definition, written out for one setting and one chat at a time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from math import exp, log, sqrt
from statistics import stdev

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from inspector.analysis.recommend.folds import (
    Kin,
    RecallTable,
    best_fitting,
    choose,
    margin_cost,
    survivors,
    table_of,
)
from inspector.analysis.recommend.front import front_rows, pareto, thinned
from inspector.analysis.recommend.measure import Cells

WINDOW, ROOM = 4_000, 3_500


@dataclass(frozen=True)
class Row:
    """A setting: its place from the current one, its family, and its recall and largest prompt for each chat."""

    distance: tuple[int, int]
    family: int
    recall: tuple[float, ...]
    largest: tuple[int, ...]


Rows = tuple[Row, ...]


@st.composite
def rows_of(draw: st.DrawFn, least: int = 1, most: int = 3) -> Rows:
    """Settings of a few families, from far below the room to beyond it, in as many chats."""
    chats = draw(st.integers(least, most))
    share, size = st.integers(0, 40).map(lambda part: part / 40), st.integers(2_900, 3_700)
    row = st.builds(
        Row,
        st.tuples(st.integers(0, 3), st.integers(0, 2)),
        st.integers(0, 2),
        st.tuples(*[share] * chats),
        st.tuples(*[size] * chats),
    )
    return tuple(draw(st.lists(row, min_size=1, max_size=7)))


def table_with(rows: Rows, probes: Sequence[int], unit: int = 1) -> RecallTable:
    sums = np.array([[share * count for share, count in zip(row.recall, probes, strict=True)] for row in rows])
    kin = [Kin(row.distance, row.family) for row in rows]
    sizes = np.array([row.largest for row in rows], np.int64) * unit
    return RecallTable(WINDOW * unit, ROOM * unit, sums, sizes, np.array(probes, np.int64), kin)


def margin(row: Row) -> float:
    """The mean gap between the largest prompts of the chats, and the usual margin by the root of their number."""
    spacing = (max(row.largest) - min(row.largest)) / (len(row.largest) - 1) if len(row.largest) > 1 else 0.0
    return spacing + 0.04 * WINDOW / sqrt(len(row.largest))


def over(row: Row, *, has_margin: bool = True) -> float:
    return max(row.largest) + (margin(row) if has_margin else 0.0) - ROOM


def overall(recall: Sequence[float], probes: Sequence[int]) -> float:
    return sum(share * count for share, count in zip(recall, probes, strict=True)) / sum(probes)


def smooth(rows: Rows, row: Row) -> list[float]:
    """The recall of a setting in each chat, as a mean over its family by nearness of the largest prompts."""
    kin = [other for other in rows if other.family == row.family]
    weights = [exp(-(((log(max(row.largest)) - log(max(other.largest))) / 0.03) ** 2) / 2) for other in kin]
    columns = zip(*(other.recall for other in kin), strict=True)
    return [sum(w * share for w, share in zip(weights, column, strict=True)) / sum(weights) for column in columns]


def error(best: Sequence[float], other: Sequence[float]) -> float:
    """The standard error of the difference between two settings over the chats, within its limits."""
    differences = [one - two for one, two in zip(best, other, strict=True)]
    found = 0.005 if len(differences) < 2 else stdev(differences) / sqrt(len(differences))
    return min(max(found, 0.001), 0.02)


def chosen(rows: Rows, probes: Sequence[int]) -> int:
    """The choice by its definition."""
    fitting = [place for place, row in enumerate(rows) if over(row) <= 0]
    if not fitting:
        return min(range(len(rows)), key=lambda place: over(rows[place]))
    recalls = {place: smooth(rows, rows[place]) for place in fitting}
    means = {place: overall(recalls[place], probes) for place in fitting}
    best = max(fitting, key=lambda place: means[place])
    near = [place for place in fitting if means[best] - means[place] <= error(recalls[best], recalls[place])]
    return min(near, key=lambda place: (rows[place].distance, -means[place]))


def is_clear(rows: Rows, probes: Sequence[int]) -> bool:
    """Whether no setting stands on the very edge of what is near, of the room, or of another's recall."""
    fitting = [row for row in rows if over(row) <= 0]
    recalls = [smooth(rows, row) for row in fitting]
    means = [overall(recall, probes) for recall in recalls]
    best = recalls[means.index(max(means))] if means else []
    edges = [max(means) - one - error(best, recall) for one, recall in zip(means, recalls, strict=True)]
    ties = [one - other for place, one in enumerate(means) for other in means[:place]]
    return all(abs(each) > 1e-9 for each in (*edges, *ties)) and all(abs(over(row)) > 1e-6 for row in rows)


def fewer(rows: Rows, chats: Sequence[int]) -> Rows:
    """The same settings in these chats alone."""
    return tuple(
        replace(row, recall=tuple(row.recall[n] for n in chats), largest=tuple(row.largest[n] for n in chats))
        for row in rows
    )


@given(rows_of(), st.lists(st.integers(1, 9), min_size=3, max_size=3))
def test_the_choice_is_the_one_defined(rows: Rows, counts: list[int]) -> None:
    probes = counts[: len(rows[0].recall)]
    assume(is_clear(rows, probes))
    assert choose(table_with(rows, probes), np.arange(len(rows)), np.arange(len(probes))) == chosen(rows, probes)


@given(rows_of(least=2), st.lists(st.integers(1, 9), min_size=3, max_size=3), st.data())
def test_of_some_settings_and_chats_the_others_have_no_part(rows: Rows, counts: list[int], data: st.DataObject) -> None:
    """As where a chat is left out: neither what it holds nor a setting given up before counts for anything."""
    chats = sorted(data.draw(st.sets(st.integers(0, len(rows[0].recall) - 1), min_size=1)))
    some = sorted(data.draw(st.sets(st.integers(0, len(rows) - 1), min_size=1)))
    probes = counts[: len(rows[0].recall)]
    left = fewer(tuple(rows[place] for place in some), chats)
    assume(is_clear(left, [probes[chat] for chat in chats]))
    expected = some[chosen(left, [probes[chat] for chat in chats])]
    assert choose(table_with(rows, probes), np.array(some), np.array(chats)) == expected


@given(rows_of(least=2), st.integers(2, 5))
def test_the_order_of_chats_their_number_of_questions_and_the_unit_of_tokens_change_nothing(
    rows: Rows, unit: int
) -> None:
    chats = range(len(rows[0].recall))
    assume(is_clear(rows, [2] * len(chats)))
    places, blocks = np.arange(len(rows)), np.array(chats)
    expected = choose(table_with(rows, [2] * len(chats)), places, blocks)
    for order in permutations(chats):
        assert choose(table_with(fewer(rows, order), [2] * len(chats)), places, blocks) == expected
    assert choose(table_with(rows, [4] * len(chats)), places, blocks) == expected
    assert choose(table_with(rows, [2] * len(chats), unit), places, blocks) == expected


@given(rows_of(), st.data())
def test_a_setting_given_twice_is_chosen_once_and_no_other_for_it(rows: Rows, data: st.DataObject) -> None:
    """A family of its own for each: a second one of a family weighs in the mean of that family."""
    apart = tuple(replace(row, family=place) for place, row in enumerate(rows))
    probes = [1] * len(rows[0].recall)
    assume(is_clear(apart, probes))
    twice = (*apart, replace(apart[data.draw(st.integers(0, len(rows) - 1))], family=99))
    blocks = np.arange(len(probes))
    assert choose(table_with(twice, probes), np.arange(len(twice)), blocks) == chosen(apart, probes)


@given(rows_of(), st.lists(st.integers(1, 9), min_size=3, max_size=3))
def test_the_price_of_the_margin_is_what_the_best_without_it_holds_more(rows: Rows, counts: list[int]) -> None:
    probes = counts[: len(rows[0].recall)]
    assume(all(abs(over(row)) > 1e-6 for row in rows))
    places, blocks = np.arange(len(rows)), np.arange(len(probes))
    table = table_with(rows, probes)
    own = choose(table, places, blocks)
    whole = [overall(row.recall, probes) for row in rows if over(row, has_margin=False) <= 0]
    within = [overall(row.recall, probes) for row in rows if over(row) <= 0] or [overall(rows[own].recall, probes)]
    expected = 100 * max(0.0, max(whole) - max(within)) if whole else 0.0
    assert margin_cost(table, places, blocks, own) == pytest.approx(expected)
    ranked = sorted(
        (place for place in places.tolist() if over(rows[place], has_margin=False) <= 0),
        key=lambda place: -table.mean(np.array([place]), blocks)[0],
    )
    assert best_fitting(table, places, blocks, 3).tolist() == ranked[:3]


@given(rows_of(), st.integers(1, 3))
def test_survivors_are_the_best_different_ones_up_to_each_reach(rows: Rows, each: int) -> None:
    probes = [1] * len(rows[0].recall)
    table = table_with(rows, probes)
    recalls = table.mean(np.arange(len(rows)), np.arange(len(probes))).tolist()
    excess = table.excess(np.arange(len(rows)), np.arange(len(probes))).tolist()
    expected = set[int]()
    for reach in (0.9, 1.0, 1.1, 1.25):
        order = sorted(
            range(len(rows)),
            key=lambda n: (max(excess[n] - (reach - 1) * ROOM, 0), -recalls[n], rows[n].distance, n),
        )
        results = [(rows[n].recall, rows[n].largest) for n in order]
        expected |= set([n for place, n in enumerate(order) if results.index(results[place]) == place][:each])
    assert survivors(table, np.arange(len(rows)), np.arange(len(probes)), 4 * each).tolist() == sorted(expected)


def test_nothing_fits_with_its_margin_though_one_prompt_would() -> None:
    """Of those without the room for their margins the one that lacks the least is taken, however little it holds."""
    rows = Row((4, 4), 0, (0.9,), (3_400,)), Row((4, 4), 1, (0.1,), (3_350,))
    table, blocks = table_with(rows, [5]), np.array([0])
    assert table.excess(np.arange(2), blocks).tolist() == [60.0, 10.0]
    assert choose(table, np.arange(2), blocks) == 1
    assert margin_cost(table, np.arange(2), blocks, 1) == pytest.approx(80.0)
    assert margin_cost(table_with(rows, [5]), np.array([1]), blocks, 1) == 0.0
    beyond = tuple(replace(row, largest=(3_600 + place,)) for place, row in enumerate(rows))
    assert choose(table_with(beyond, [5]), np.arange(2), blocks) == 0
    assert margin_cost(table_with(beyond, [5]), np.arange(2), blocks, 0) == 0.0


def test_a_prompt_fits_up_to_the_very_last_token_with_its_margin_and_without() -> None:
    """The margin of a single chat is 160 tokens."""
    rows = tuple(
        Row((place, 0), place, (0.1 * place,), (size,)) for place, size in enumerate([3_340, 3_341, 3_500, 3_501])
    )
    table, places, blocks = table_with(rows, [1]), np.arange(4), np.array([0])
    assert choose(table, places, blocks) == 0
    assert margin_cost(table, places, blocks, 0) == pytest.approx(20)
    assert margin_cost(table, places[1:], blocks, 1) == pytest.approx(10), "none has room for its margin: the chosen"
    assert margin_cost(table, places[2:], blocks, 2) == 0.0
    assert best_fitting(table, places, blocks, 4).tolist() == [2, 1, 0]
    recall = np.array([row.recall for row in rows], np.float32)
    cells = Cells(recall, recall, table.largest)
    assert front_rows(cells, table, places, blocks, has_margin=False).tolist() == [0, 1, 2]
    assert front_rows(cells, table, places, blocks, has_margin=True).tolist() == [0]


def test_a_setting_without_prompts_weighs_as_one_of_a_single_token() -> None:
    """A logarithm of nothing would make no number of the whole family."""
    rows = (Row((0, 0), 0, (0.25,), (0,)), Row((0, 1), 0, (0.75,), (1,)))
    assert table_with(rows, [1]).smoothed(np.arange(2), np.array([0])).ravel().tolist() == pytest.approx([0.5, 0.5])
    apart = (rows[0], replace(rows[1], largest=(2,)))
    assert table_with(apart, [1]).smoothed(np.arange(2), np.array([0])).ravel().tolist() == pytest.approx([0.25, 0.75])


@pytest.mark.parametrize(
    ("gap", "expected"), [(0.0195, 1), (0.0205, 0)], ids=["less than two points", "more than two points"]
)
def test_however_much_a_difference_varies_more_than_two_points_are_never_equal(gap: float, expected: int) -> None:
    rows = (Row((2, 0), 0, (0.9, 0.5), (9, 9)), Row((1, 0), 1, (0.5 - gap, 0.9 - gap), (9, 9)))
    assert choose(table_with(rows, [1, 1]), np.arange(2), np.arange(2)) == expected


@pytest.mark.parametrize(("gap", "expected"), [(0.0009, 1), (0.0011, 0)])
def test_however_little_a_difference_varies_a_tenth_of_a_point_is_always_equal(gap: float, expected: int) -> None:
    rows = (Row((2, 0), 0, (0.5, 0.5), (9, 9)), Row((1, 0), 1, (0.5 - gap, 0.5 - gap), (9, 9)))
    assert choose(table_with(rows, [1, 1]), np.arange(2), np.arange(2)) == expected


points = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=12)


@given(points)
def test_on_the_front_is_what_no_other_point_dominates(drawn: list[tuple[int, int]]) -> None:
    def dominates(one: int, other: int) -> bool:
        (recall, tokens), (less, more) = drawn[one], drawn[other]
        as_good = recall >= less and tokens <= more
        return as_good and ((recall, tokens) != (less, more) or one < other)

    every = range(len(drawn))
    expected = [n for n in every if not any(dominates(other, n) for other in every if other != n)]
    recall, tokens = np.array(drawn, np.float64).T
    found = pareto(recall, tokens).tolist()
    assert found == sorted(expected, key=lambda n: drawn[n][1])


@given(points)
def test_a_front_is_of_measured_settings_whose_prompts_fit(drawn: list[tuple[int, int]]) -> None:
    """Each of the settings has two prompts, one of which is 400 tokens larger; of every third one is not measured."""
    sizes = np.array([[3_000 + 100 * tokens - 200, 3_000 + 100 * tokens + 200] for _, tokens in drawn])
    shares = np.array([[recall / 10, recall / 10] for recall, _ in drawn], np.float32)
    shares[2::3, 1] = np.nan
    cells = Cells(shares[::-1], shares, sizes)
    kin = [Kin((0, 0), place) for place in range(len(drawn))]
    table = table_of(cells, np.arange(2), np.array([0, 0]), 1, WINDOW, WINDOW - ROOM, kin)
    fitting = [n for n in range(len(drawn)) if n % 3 != 2 and sizes[n, 1] <= ROOM]
    expected = [fitting[n] for n in pareto(shares[fitting, 0].astype(np.float64), sizes[fitting].mean(axis=1))]
    assert front_rows(cells, table, np.arange(len(drawn)), np.arange(2), has_margin=False).tolist() == expected


@given(st.integers(0, 60), st.integers(1, 60))
def test_thinned_places_are_even_and_keep_both_ends(count: int, most: int) -> None:
    places = thinned(count, most).tolist()
    assert len(places) == min(count, most)
    assert places == sorted(set(places))
    assert places[:1] == ([0] if count else [])
    assert most == 1 or places[-1:] == ([count - 1] if count else [])
    steps = np.diff(places).tolist()
    assert max(steps, default=0) - min(steps, default=0) <= 1
