"""The values tried along knobs, and the best of pairs: against plain lists, and recall that is given."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import hypot, inf, nan

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from inspector.analysis.recall.along import RecallAlong
from inspector.analysis.recommend.knobs import (
    LARGEST_WINDOW,
    LEAST_WINDOW,
    Knob,
    _numbers,
    _round_step,
    knob_of,
    knobs_of,
    window_knob,
)
from inspector.analysis.recommend.settings import all_values
from inspector.analysis.recommend.tried import TRIED, Bench, Tried, along, bench_of, crossed, tried_value
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import Parameter, parameters_of
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Workspace
from inspector.plugins import policies

PIPELINE = Pipeline(Workspace(), policies()[0], load_presets())
NOW = Scenario(policy="ratio", tokenizer="estimate:words", context_window=1_024)
LINES, COLUMNS = (10, 20, 30, 40, 50), (1, 2, 4, 8)


@given(st.integers(1, 1_000_000))
def test_windows_are_powers_of_two_and_halves_between_up_to_the_first_as_large(today: int) -> None:
    powers = [512 * 2**n for n in range(13)]
    last = next(power for power in powers if power >= max(today, 65_536))
    expected = {*(p for p in powers if p <= last), *(p * 3 // 2 for p in powers if p < last)}
    assert window_knob(today).values == tuple(sorted(expected))
    assert (LEAST_WINDOW, LARGEST_WINDOW) == (512, 65_536)


@given(st.floats(1e-6, 1e9))
def test_a_round_step_is_the_next_of_1_2_and_5_or_a_quarter_of_ten(least: float) -> None:
    candidates = [factor * 10.0**power for power in range(-8, 12) for factor in (1, 2, 2.5, 5)]
    expected = min(each for each in candidates if each >= least * (1 - 1e-9))
    assert _round_step(least) == pytest.approx(expected)


def test_without_a_range_the_step_is_one() -> None:
    assert _round_step(0.0) == 1.0


@given(st.integers(0, 500), st.integers(1, 5_000), st.integers(3, 25), st.booleans())
def test_even_values_are_a_round_step_apart_and_hold_both_ends(low: int, width: int, most: int, is_whole: bool) -> None:
    parameter = Parameter("p", 1 if is_whole else 1.0, low, low + width)
    values, step = list(_numbers(parameter, most)), _round_step(width / (most - 1))
    assume(0.001 < (width / step - 0.5) % 1 < 0.999)  # a value in the very middle is left to rounding
    even = [low + n * step for n in range(most) if n * step < width - step / 2]
    written = [round(value) if is_whole else round(value, 3) for value in (*even, low + width)]
    assert values == pytest.approx(list(dict.fromkeys(written)))
    assert len(values) <= most


@given(st.integers(0, 100), st.integers(1_000, 200_000), st.integers(4, 25))
def test_logarithmic_values_grow_by_at_most_half_at_the_upper_end(low: int, high: int, most: int) -> None:
    values = list(_numbers(Parameter("p", 5, low, high, scale="log"), most))
    assert (values[0], values[-1]) == (low, high)
    assert values == sorted(values)
    assert len(values) <= most
    large = [value for value in values[1:] if value >= 50]
    assert all(later / earlier < 1.55 for earlier, later in pairwise(large))


def test_a_switch_has_both_sides_and_a_choice_its_words() -> None:
    switch, choice = Parameter("s", False), Parameter("c", "b", choices={"b": "x", "a": "y"})
    assert (knob_of(switch, 9, {}).values, knob_of(choice, 9, {}).values) == ((False, True), ("b", "a"))
    assert [knob_of(each, 9, {}).is_ordered for each in (switch, choice)] == [False, False]
    assert [knob_of(choice, 9, {}).place(word) for word in ("b", "a", "c")] == [0.0, 1.0, None]
    assert knob_of(switch, 9, {}).place(True) == 1.0


def test_a_place_is_in_parts_of_a_step() -> None:
    knob = Knob("context_window", (512, 768, 1_024))
    assert [knob.place(value) for value in (512, 640, 768, 960, 1_024)] == [0, 0.5, 1, 1.75, 2]
    assert [knob.place(value) for value in (511, 1_025)] == [None, None]
    assert (knob.title, knob.written(1_024), knob.is_ordered) == ("Window", "1,024", True)
    share = knob_of(Parameter("p", 0.5, 0, 1, label="Part", unit="share"), 5, {})
    assert (share.title, share.written(0.25), share.is_ordered) == ("Part", "25.0 %", True)
    assert share.place(0.3125) == pytest.approx(1 + 0.0625 / 0.25)


def test_shares_move_together_and_a_fixed_one_may_leave_no_room() -> None:
    declared = parameters_of(policies()[0]["ratio"])
    knobs = {each.name: each for each in knobs_of(declared, all_values(PIPELINE, NOW), 1_024, 13)}
    assert knobs["context_window"].turned(NOW, 77) == replace(NOW, context_window=77)
    turned = knobs["memory_share"].turned(NOW, 0.5)
    assert turned is not None
    values = {name: all_values(PIPELINE, turned)[name] for name in ("memory_share", "history_share", "reserve_share")}
    assert sum(values.values()) == pytest.approx(1)
    assert values["memory_share"] == 0.5
    assert values["history_share"] / values["reserve_share"] == pytest.approx(4 / 3, abs=0.01)
    held = knobs["memory_share"].turned(NOW, 0.5, ("history_share",))
    assert held is not None
    assert held.parameters["history_share"] == 0.4
    assert knobs["memory_share"].turned(NOW, 0.7, ("history_share",)) is None
    tuned = replace(NOW, parameters={"history_share": 0.1, "reserve_share": 0.6})
    moved = knobs["memory_share"].turned(tuned, 0.65)
    assert moved is not None
    assert moved.parameters["reserve_share"] == pytest.approx(0.3), "from the shares of the setting, not of today"
    alone = knobs["min_exchanges"].turned(NOW, 5)
    assert alone == replace(NOW, parameters={"min_exchanges": 5})


def test_lists_and_texts_have_no_knob() -> None:
    declared = [Parameter("a", (1, 2)), Parameter("b", "text"), Parameter("c", 3, 0, 9), Parameter("d", True)]
    knobs = knobs_of(declared, {"a": (1, 2), "b": "text", "c": 3, "d": True}, 1_024, 5)
    assert [knob.name for knob in knobs] == ["context_window", "c", "d"]


def test_only_amounts_of_tokens_end_with_the_largest_window() -> None:
    declared = [Parameter(name, 10, 0, 900_000, unit=unit) for name, unit in (("a", "tokens"), ("b", "characters"))]
    ends = {knob.name: knob.values[-1] for knob in knobs_of(declared, {"a": 10, "b": 10}, 1_024, 5)}
    assert ends == {"context_window": 65_536, "a": 65_536, "b": 900_000}
    small = knobs_of([Parameter("a", 10, 0, 50, unit="tokens")], {"a": 10}, 1_024, 5)
    assert small[1].values[-1] == 50


def pairs(means: Sequence[float], asked: int = 10, of: int = 10) -> Tried:
    """Every pair of values of two knobs with a recall each; NaN is refused."""
    up, across = Knob("lines", LINES), Knob("columns", COLUMNS)
    places = [(column, line) for line in range(len(LINES)) for column in range(len(COLUMNS))]
    recall = RecallAlong(np.array(means)[:, None] * asked, np.array([asked]), ~np.isnan(means), of)
    return Tried((across, up), NOW, (NOW,) * len(places), tuple(places), recall=recall)


def bench(**today: object) -> Bench:
    return Bench(NOW, (), (), dict(today), (), {})


shares = st.lists(st.one_of(st.integers(0, 50).map(lambda part: part / 50), st.just(nan)), min_size=20, max_size=20)


@given(shares, st.sampled_from(LINES), st.sampled_from(COLUMNS), st.sampled_from([inf, 2]))
def test_the_best_pair_is_the_nearest_of_those_within_half_a_point(
    means: list[float], line: int, column: int, within: float
) -> None:
    tried, now = pairs(means), (COLUMNS.index(column), LINES.index(line))
    near = [n for n, (x, y) in enumerate(tried.places) if max(abs(x - now[0]), abs(y - now[1])) <= within]
    known = [n for n in near if not np.isnan(means[n])]
    highest = max((means[n] for n in known), default=0.0)
    equal = [n for n in known if means[n] >= highest - 0.005]
    far = {n: hypot(tried.places[n][0] - now[0], tried.places[n][1] - now[1]) for n in equal}
    expected = min(equal, key=lambda n: (far[n], -means[n]), default=None)
    assert tried.best(bench(lines=line, columns=column), within) == expected
    assert within == inf or tried.best_near(bench(lines=line, columns=column)) == expected


def test_without_a_place_of_now_no_pair_is_near_it() -> None:
    tried = pairs([0.5] * 19 + [0.9])
    for today in ({"lines": 10}, {"lines": 10, "columns": 9}, {}):
        assert tried.today(bench(**today)) is None
        assert (tried.best(bench(**today)), tried.best_near(bench(**today))) == (19, None)
    assert tried.today(bench(lines=25, columns=4)) == (2.0, 1.5)
    assert replace(tried, recall=None).best(bench(lines=10, columns=1)) is None
    assert replace(tried, recall=None).best_sentence(bench(lines=10, columns=1)) == ""


def test_another_word_of_a_choice_is_a_single_step() -> None:
    words = knob_of(Parameter("words", "a", choices=dict.fromkeys("abcd", "")), 9, {})
    tried = replace(pairs([0.5] * 20), knobs=(words, Knob("lines", LINES)))
    steps = tried._steps(bench(words="a", lines=30)).reshape(len(LINES), 4)
    assert steps.tolist() == [[2, 2, 2, 2], [1, 1, 1, 1], [0, 1, 1, 1], [1, 1, 1, 1], [2, 2, 2, 2]]


def test_the_best_is_written_once_where_it_is_near_now() -> None:
    far = pairs([0.25] * 19 + [0.75])
    said = far.best_sentence(bench(lines=10, columns=1), ", ring")
    best, near = "Window 8, Window 50: 75.0 %", "Window 1, Window 10: 25.0 %"
    assert said == f"Best, ring: {best}; best near now, at most 2 steps of each away: {near}"
    assert far.best_sentence(bench(lines=40, columns=4)) == f"Best, near now: {best}"
    assert far.best_sentence(bench(), ", ring") == f"Best, ring: {best}"
    assert pairs([nan] * 20).best_sentence(bench(lines=10, columns=1)) == ""


def test_a_setting_is_described_with_its_interval_and_its_price() -> None:
    recall = RecallAlong(
        np.array([[2.0, 4.0], [1.0, 1.0], [0.0, 0.0]]), np.array([4, 4]), np.array([True] * 2 + [False]), 9
    )
    sized = np.array([1_234.4, nan, nan]), np.array([0.5, nan, nan])
    tried = Tried(
        *((Knob("context_window", (512, 1_024)),), NOW, (NOW,) * 3, ((0, 0), (1, 1), (1, 0)), ("ratio", "slots")),
        *(("Ratio", "Slots"), recall, *sized, 3),
    )
    low, high = recall.interval(0) or (0.0, 0.0)
    price = " for 1,234 tokens a prompt, $0.5000"
    assert tried.sentence(0) == f"Ratio, Window 512: 75.0 % ({100 * low:.1f} % to {100 * high:.1f} %){price}"
    assert replace(tried, cost=None).sentence(0).endswith("1,234 tokens a prompt")
    assert tried.sentence(1).startswith("Slots, Window 1,024: 25.0 %")
    assert "tokens" not in tried.sentence(1)
    assert tried.sentence(2) == "Ratio, Window 1,024: the policy does not take it"
    assert replace(tried, recall=None).sentence(0) == "Ratio, Window 512: the policy does not take it"
    assert tried.standing == "by 8 of 9 questions so far …"
    assert replace(tried, recall=replace(recall, of=8)).standing == "by 8 questions"
    assert replace(tried, recall=None).standing == "asking …"
    assert tried.standing_in_short == "8 of 9 …"
    assert replace(tried, recall=replace(recall, of=8)).standing_in_short == "by 8 questions"
    rows = list(TRIED.records(tried))
    assert [row["policy"] for row in rows] == ["ratio", "slots", "ratio"]
    assert [row["context_window"] for row in rows] == [512, 1_024, 1_024]
    assert [row["recall"] for row in rows] == [0.75, 0.25, None]
    assert (rows[0]["low"], rows[0]["high"]) == pytest.approx((low, high))
    assert [row["tokens"] for row in rows] == [1_234.4, None, None]
    assert [row["cost"] for row in rows] == [0.5, None, None]
    assert [TRIED.columns_of(tried)[0].text(tried, row) for row in range(3)] == ["Ratio", "Slots", "Ratio"]
    waiting = list(TRIED.records(replace(tried, recall=None, tokens=None, cost=None)))
    assert [row[name] for row in waiting for name in ("recall", "low", "tokens", "cost")] == [None] * 12


def test_pairs_are_written_with_today_and_the_best_of_all_and_near() -> None:
    value = tried_value(pairs([0.25] * 19 + [0.75]), bench(lines=10, columns=1))
    assert value["knobs"] == [{"name": "columns", "now": 1}, {"name": "lines", "now": 10}]
    assert (value["policy"], value["probes"], len(value["rows"])) == ("ratio", 10, 20)
    assert (value["best"]["columns"], value["best"]["lines"], value["best"]["recall"]) == (8, 50, 0.75)
    assert (value["best_near_now"]["columns"], value["best_near_now"]["lines"]) == (1, 10)
    other = replace(NOW, policy="slots")
    written = tried_value(replace(pairs([0.5] * 20), base=other), replace(bench(), setting=other))
    assert (written["policy"], {row["policy"] for row in written["rows"]}) == ("slots", {"slots"})
    plain = replace(NOW, policy=None)
    assert replace(bench(), setting=plain).policy == "ratio"
    assert {row["policy"] for row in TRIED.records(replace(pairs([0.5] * 20), base=plain))} == {"ratio"}
    empty = tried_value(replace(pairs([0.5] * 20), recall=None), bench())
    assert (empty["probes"], empty["best"], empty["best_near_now"]) == (0, None, None)


def test_settings_are_tried_along_a_knob_for_each_policy_that_has_it() -> None:
    made = bench_of(PIPELINE, replace(NOW, policy=None), 1_024, ("ratio", "slots", "reserve"), {})
    assert (made.policy, made.today["context_window"], made.setting.policy) == ("ratio", 1_024, "ratio")
    assert [setting.policy for setting, _ in made.others] == ["slots", "reserve"]
    windows = along(made, "context_window")
    assert windows.policies == ("ratio", "slots", "reserve")
    count = len(windows.knobs[0].values)
    assert windows.places == tuple((value, line) for line in range(3) for value in range(count))
    assert [setting.context_window for setting in windows.settings] == list(windows.knobs[0].values) * 3
    own = along(made, "memory_share")
    assert own.policies == ("ratio",)
    assert windows.is_about(replace(made.setting, context_window=512))
    assert windows.is_about(made.setting)
    assert not windows.is_about(replace(made.setting, similarity="hybrid"))
    assert not own.is_about(replace(made.setting, context_window=77))


def test_every_pair_of_two_knobs_is_tried_and_shares_that_leave_no_room_are_not() -> None:
    made = bench_of(PIPELINE, NOW, 1_024, (), {})
    tried = crossed(made, "memory_share", "history_share")
    across, up = tried.knobs
    assert (across.name, up.name) == ("memory_share", "history_share")
    pairs = {(x, y) for y, high in enumerate(up.values) for x, value in enumerate(across.values) if value + high <= 1}
    assert set(tried.places) == pairs
    for setting, (column, row) in zip(tried.settings, tried.places, strict=True):
        values = all_values(PIPELINE, setting)
        assert (values["memory_share"], values["history_share"]) == (across.values[column], up.values[row])
