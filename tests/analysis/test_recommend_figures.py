"""The figures of measured settings: means, gains on chats left out, tokens, costs, and the best of each policy."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.analysis.recommend import ceiling
from inspector.analysis.recommend.advice import WindowAdvice, _advise, _front, _notes, _window_advice
from inspector.analysis.recommend.blocks import Asked
from inspector.analysis.recommend.by_policy import PolicyAdvice, best_of_policies
from inspector.analysis.recommend.cached import _counted, cheapest
from inspector.analysis.recommend.ceiling import _costly, _groups, _variants
from inspector.analysis.recommend.chats import OpenChats
from inspector.analysis.recommend.folds import Kin, choose
from inspector.analysis.recommend.interval import bounded_interval, gain_interval
from inspector.analysis.recommend.measure import NO_PROMPT, Cells, _parts, no_cells
from inspector.analysis.recommend.measured import (
    BlockGain,
    Setting,
    gains_of,
    interval_of,
    recall_interval,
    setting_of,
)
from inspector.analysis.recommend.search import Search, Terms
from inspector.analysis.recommend.settings import all_values
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Probe, Workspace
from inspector.plugins import policies
from inspector.tokens.models.prices import Prices, plain_prices

WINDOW, REPLY = 1_000, 100
CHEAP, DEAR = plain_prices(1.0, None, None), plain_prices(3.0, None, None)


def search_with(
    recall: Sequence[Sequence[float]],
    totals: Sequence[Sequence[int]],
    blocks: Sequence[int],
    names: Mapping[str, Sequence[int]] | None = None,
    prices: Sequence[Prices | None] = (),
) -> Search:
    """A search at its end, in which everything is alive; the rows of each policy are given, the first is of now."""
    of_policies = {name: np.array(rows) for name, rows in (names or {"naive": range(len(recall))}).items()}
    policy = {row: name for name, rows in of_policies.items() for row in rows.tolist()}
    count, questions = max(blocks) + 1, len(blocks)
    probes = tuple(Probe(f"q{n}", ("m0",), f"c{block}") for n, block in enumerate(blocks))
    chats = tuple(f"c{n}" for n in range(count))
    asked = Asked(probes, tuple(prices) or (None,) * questions, np.array(blocks), chats, False, ())
    rows, folds = np.arange(len(recall)), range(count + 1)
    whole = np.array(recall, np.float32)
    return Search(
        asked,
        Terms((WINDOW,), REPLY),
        [Scenario(policy=policy[row], query=str(row), context_window=WINDOW) for row in rows.tolist()],
        [Kin((row, 0), row) for row in rows.tolist()],
        [rows],
        Cells((whole / 2).astype(np.float32), whole, np.array(totals)),
        [np.arange(questions)],
        [[rows] for _ in folds],
        [[rows] for _ in folds],
        [rows],
        [rows[:1]],
        [[of_policies] for _ in folds],
        {},
    )


RECALL = [[0.25, 0.75, 0.5, 1.0, 0.0, 0.5], [1.0, 0.5, 1.0, 0.0, 0.5, 1.0], [0.5] * 6]
TOTALS = [[100, 300, 500, 700, 900, 901], [200, NO_PROMPT, 400, 600, 800, 1_000], [NO_PROMPT] * 6]
BLOCKS = [0, 0, 1, 1, 1, 2]


def test_a_setting_has_the_means_of_these_probes_alone() -> None:
    search = search_with(RECALL, TOTALS, BLOCKS, prices=[CHEAP, DEAR, CHEAP, CHEAP, DEAR, CHEAP])
    probes = np.array([1, 4, 5])
    found = setting_of(search, 0, probes, WINDOW - REPLY)
    assert found.scenario == search.settings[0]
    assert (found.recall, found.recall_with_memories) == pytest.approx((1.25 / 6, 1.25 / 3))
    assert found.fits == pytest.approx(2 / 3), "901 tokens leave one too few for the reply"
    assert (found.tokens, found.cost) == pytest.approx((2_101 / 3, (900 + 2_700 + 901) / 3 / 1e6))
    assert (found.cost_cached, found.paid) == (None, found.cost)
    assert replace(found, cost_cached=0.5).paid == 0.5


def test_of_prompts_that_are_not_made_no_tokens_and_no_cost_count() -> None:
    search = search_with(RECALL, TOTALS, BLOCKS, prices=[CHEAP] * 6)
    some = setting_of(search, 1, np.array([0, 1, 2]), WINDOW - REPLY)
    assert (some.tokens, some.cost, some.fits) == (300.0, pytest.approx(300 / 1e6), pytest.approx(2 / 3))
    none = setting_of(search, 2, np.arange(6), WINDOW - REPLY)
    assert (none.tokens, none.cost, none.fits) == (None, None, 0.0)
    unknown = search_with(RECALL, TOTALS, BLOCKS, prices=[CHEAP] * 5 + [None])
    assert setting_of(unknown, 0, np.arange(6), 900).cost is None
    assert setting_of(unknown, 0, np.arange(5), 900).cost is not None


def test_a_gain_is_the_difference_on_the_questions_of_the_chat_left_out() -> None:
    search = search_with(RECALL, TOTALS, BLOCKS)
    (table,), everything = search.tables(np.arange(6)), np.arange(6)
    gains = gains_of(search, table, everything, [1, 2, 1], 0)
    assert [each.name for each in gains] == ["c0", "c1", "c2"]
    assert [each.probes for each in gains] == [2, 3, 1]
    assert [each.gain for each in gains] == pytest.approx([25, 0, 50])
    assert [each.fits for each in gains] == [0.5, 0.0, 0.0]
    assert [each.chosen.query for each in gains] == ["1", "2", "1"]
    own = [0.5, 0.5, 0.5]  # the recall of each chat under the setting compared with
    expected = gain_interval([25, 0, 50], 100 * float(np.mean(own)))
    assert interval_of(search, gains, 0, everything) == pytest.approx(expected)
    assert interval_of(search, (), 0, everything) is None
    assert recall_interval(search, 1, everything) == pytest.approx(bounded_interval([0.75, 0.5, 1.0], 0.0, 1.0))


def test_chats_count_alike_in_an_interval_and_by_their_questions_in_what_fits() -> None:
    gains = tuple(BlockGain(f"c{n}", n, gain, fit, Scenario()) for n, gain, fit in [(1, 10.0, 0.5), (3, -20.0, 1.0)])
    setting = Setting(Scenario(), 0.5, 0.5, 1.0)
    advice = WindowAdvice(WINDOW, setting, setting, gains, (-5.0, 9.0))
    assert (advice.gain, advice.held_out_fits) == (-5.0, 3.5 / 4)
    policy = PolicyAdvice(setting, None, (*gains, *(replace(gains[0], gain=more) for more in (0.0, 0.5))), None)
    assert (policy.policy, policy.gain, policy.better) == ("ratio", pytest.approx(-9.5 / 4), 2)
    assert PolicyAdvice(replace(setting, scenario=Scenario(policy="slots")), None, (), None).policy == "slots"
    nothing = replace(advice, gains=())
    assert (nothing.gain, nothing.held_out_fits, nothing.gain_over_baseline, nothing.needed) == (None,) * 4
    assert replace(advice, over=gains[:1]).gain_over_baseline == 10.0


@pytest.mark.parametrize(
    ("low", "now_fits", "best_fits", "changes"),
    [
        (0.1, 1.0, 1.0, True),
        (0.0, 1.0, 1.0, False),
        (-1.0, 0.5, 1.0, True),
        (-1.0, 1.0, 0.5, False),
        (0.1, 1.0, 0.5, True),
    ],
    ids=["sure", "not above 0", "fits more", "fits less", "sure, fits less"],
)
def test_to_change_is_advised_for_a_sure_gain_or_a_prompt_that_fits(
    low: float, now_fits: float, best_fits: float, changes: bool
) -> None:
    now, best = Setting(Scenario(), 0.5, 0.5, now_fits), Setting(Scenario(policy="slots"), 0.5, 0.9, best_fits)
    gains = tuple(BlockGain(name, 4, gain, 1.0, best.scenario) for name, gain in (("a", 6.0), ("b", 2.0)))
    advice = WindowAdvice(WINDOW, now, best, gains, (low, 9.0))
    assert (advice.changes, advice.may_be_chance, advice.is_short_of_samples) == (changes, not changes, not changes)
    kept = replace(advice, best=now)
    assert (kept.changes, kept.may_be_chance, kept.is_short_of_samples) == (False, False, False)
    assert not replace(advice, gains=gains[:1]).is_short_of_samples
    assert not replace(advice, gains=(*gains, replace(gains[0], gain=-8.0))).is_short_of_samples, "no gain at all"


def test_the_best_of_each_policy_is_chosen_alone_and_of_each_chat_by_the_others() -> None:
    """Chats of one question; every policy has two settings, of which the second serves the last chat alone."""
    recall = [[0.2, 0.2, 0.2], [0.0, 0.0, 0.9], [0.6, 0.6, 0.0], [0.0, 0.0, 0.7], [0.9, 0.9, 0.8], [0.1, 0.1, 0.9]]
    totals = [[100] * 3, [100] * 3, [950] * 3, [1_200] * 3, [100] * 3, [100] * 3]
    names = {"naive": [0, 1], "slots": [2, 3], "ratio": [4, 5]}
    search = search_with(recall, totals, [0, 1, 2], names)
    (table,), probes = search.tables(np.arange(3)), np.arange(3)
    best = choose(table, np.arange(6), probes)
    assert best == 4
    gains = gains_of(search, table, probes, [4, 4, 4], 0)
    found = best_of_policies(search, table, 0, probes, (best, gains))
    assert [each.setting.scenario.query for each in found] == ["4", "1", "0", "2"], "what does not fit is last"
    assert [each.is_current for each in found] == [False, False, True, False]
    assert found[0].gains == gains
    assert found[2].gains == ()
    expected = [choose(table, np.array([0, 1]), search.others(block)) for block in range(3)]
    assert [each.chosen.query for each in found[1].gains] == [str(row) for row in expected]
    assert [each.fits for each in found[3].gains] == [0.0] * 3
    for each in found:
        assert each.interval == interval_of(search, each.gains, 0, probes)
        assert each.recall == recall_interval(search, int(each.setting.scenario.query or 0), probes)
    kept = best_of_policies(search, table, 0, probes, (0, ()))
    assert [each.setting.scenario.query for each in kept] == ["0", "4", "2"]
    assert [each.is_current for each in kept] == [True, False, False]


def test_of_a_single_chat_nothing_is_left_out() -> None:
    search = search_with([[0.2], [0.9], [0.5]], [[100]] * 3, [0], {"naive": [0], "slots": [1], "ratio": [2]})
    (table,), probes = search.tables(np.arange(1)), np.arange(1)
    advice = _window_advice(search, table, 0, probes, np.array([0]))
    assert (advice.best.scenario.query, advice.gains, advice.interval, advice.over) == ("1", (), None, ())
    assert [each.gains for each in advice.policies] == [()] * 3
    assert advice.baseline is not None
    assert advice.baseline.scenario.query == "0"
    assert advice.margin == pytest.approx(0.04)


def test_of_two_chats_each_is_left_out_and_a_part_of_an_answer_is_not_whole() -> None:
    names = {"naive": [0], "slots": [1]}
    search = search_with([[0.2, 0.2], [0.4, 0.9]], [[100] * 2] * 2, [0, 1], names)
    found = _advise(search, np.arange(2))
    (advice,) = found.windows
    assert [[round(each.gain) for each in row.gains] for row in advice.policies] == [[20, 70], []]
    assert [round(each.gain) for each in advice.over] == [20, 70]
    assert advice.gain_over_baseline == pytest.approx(45)
    assert (found.is_whole, found.probes, found.is_of_one, found.learning) == (False, 2, False, ())
    assert found.margin == advice.margin > 0
    kept = best_of_policies(search, search.tables(np.arange(2))[0], 0, np.arange(2), (0, ()))
    assert [[round(each.gain) for each in row.gains] for row in kept] == [[], [20, 70]]


def test_the_best_is_that_of_all_chats_together() -> None:
    """The second setting serves the first two chats best, the third the last one, and more in all."""
    search = search_with([[0.0] * 3, [0.5, 0.5, 0.0], [0.4, 0.4, 0.9]], [[100] * 3] * 3, [0, 1, 2])
    (advice,) = _advise(search, np.arange(3)).windows
    assert advice.best.scenario.query == "2"
    assert advice.gains[2].chosen.query == "1"


def test_a_window_has_the_margin_of_its_best_and_the_price_of_it() -> None:
    """The second setting would hold more, and has prompts that differ by 60 tokens: 30 more for each chat of three."""
    totals = [[100, 100, 100], [850, 820, 880], [700, 720, 760]]
    search = search_with([[0.1] * 3, [0.9] * 3, [0.7] * 3], totals, [0, 1, 2])
    (table,), probes = search.tables(np.arange(3)), np.arange(3)
    advice = _window_advice(search, table, 0, probes, probes)
    assert advice.best.scenario.query == "2"
    assert advice.margin == pytest.approx((30 + 40 / 3**0.5) / 1_000)
    assert advice.margin_cost == pytest.approx(20)
    assert [each.gain for each in advice.over] == pytest.approx([60] * 3)
    assert [each.scenario.query for each in advice.front] == ["0", "2"]


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(1, 8)), min_size=1, max_size=8))
def test_the_front_of_a_window_holds_at_least_as_much_as_now(drawn: list[tuple[int, int]]) -> None:
    recall, totals = [[share / 8] for share, _ in drawn], [[100 * tokens] for _, tokens in drawn]
    search = search_with(recall, totals, [0])
    (table,) = search.tables(np.arange(1))
    rows = _front(search, table, 0, np.arange(1))
    sizes = [totals[row][0] for row in rows]
    assert all(recall[row][0] >= recall[0][0] for row in rows)
    assert sizes == sorted(sizes)
    for row, (share, tokens) in enumerate(drawn):
        fits = 100 * tokens + 40 <= WINDOW - REPLY
        beaten = any(recall[other][0] >= share / 8 and totals[other][0] <= 100 * tokens for other in rows)
        assert beaten or not fits or share / 8 < recall[0][0], row


def test_few_chats_and_few_questions_are_warned_of() -> None:
    setting = Setting(Scenario(), 0.5, 0.5, 1.0)
    fits = WindowAdvice(9, setting, setting, (), None)
    beyond = WindowAdvice(8, setting, replace(setting, fits=0.9), (), None)
    few = search_with([[0.5] * 4], [[1] * 4], [0, 0, 1, 1])
    assert [note.split(":")[0] for note in _notes(few, [fits])] == [
        *("2 conversations are few", "4 questions are few"),
        "The margin is 4.0 % of the window where it cannot be learned.",
    ]
    enough = search_with([[0.5] * 51], [[1] * 51], [0, 1, 2] * 17)
    assert _notes(enough, [fits]) == ()
    assert [note[:9] for note in _notes(enough, [fits, beyond])] == ["Window 8:"]
    fewer = search_with([[0.5] * 49], [[1] * 49], [*[0, 1, 2] * 16, 0])
    assert [note[:12] for note in _notes(fewer, [])] == ["49 questions"]


def test_knobs_that_cost_recall_when_put_back_are_named_the_costliest_first() -> None:
    losses = {("a",): 0.02, ("b",): 0.3, ("c",): 0.01, ("d",): 0.1, ("a", "b"): 0.9}
    assert _costly(dict.fromkeys(losses, True), losses, 0.02) == ("b", "d", "a")
    stuck = {names: names != ("a",) for names in losses}
    assert _costly(stuck, losses, 0.02) == ("a", "b", "d"), "one share alone cannot be put back, so all are"
    none = {names: len(names) == 1 and names != ("b",) for names in losses}
    assert _costly(none, losses, 0.02) == ("d", "a")
    assert _costly({}, {}, 0.0) == ()


def test_each_changed_knob_is_put_back_alone_and_shares_together_as_well() -> None:
    pipeline = Pipeline(Workspace(), policies()[0], load_presets())
    current = Scenario(similarity="lexical", parameters={"memory_candidates": 70})
    moved = {"memory_share": 0.4, "history_share": 0.3, "memory_candidates": 200}
    best = replace(current, similarity="auto", parameters=moved)
    found = _variants(pipeline, current, best)
    shares = ("memory_share", "history_share")
    alone = [("memory_share",), ("history_share",), ("memory_candidates",)]
    assert list(found) == [*alone, shares, ("similarity",)]
    assert found["similarity",] == replace(best, similarity="lexical")
    assert found["memory_candidates",].parameters == {**moved, "memory_candidates": 70}
    assert found[shares].parameters == {**moved, "memory_share": 0.3, "history_share": 0.4}
    slots = ["history_slot", "profile_slot"]
    assert _groups(pipeline, replace(best, policy="slots"), slots) == [("profile_slot", "history_slot")]
    assert _groups(pipeline, replace(best, policy="slots"), slots[:1]) == []
    other = _variants(pipeline, current, Scenario(policy="slots", similarity="lexical", parameters={"history_slot": 9}))
    assert [all_values(pipeline, each)["history_slot"] for each in other.values()] == [2_000]


def test_what_binds_is_what_costs_recall_when_it_is_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the first change one knob costs 30 points, another nothing; of the second the way of comparing costs 4."""
    chats = OpenChats(Pipeline(Workspace(), policies()[0], load_presets()))
    now = Scenario(policy="window_rag", similarity="lexical")
    first, second = replace(now, parameters={"per_source": 60, "min_tail": 4}), replace(now, similarity="fused")
    recall = {60: {4: 0.9, 8: 0.6}, 15: {4: 0.9}}

    def measured(chats: OpenChats, settings: Sequence[Scenario], probes: Sequence[Probe], *_: object) -> Cells:
        values = [all_values(chats.plain, one) for one in settings]
        held = [recall[one["per_source"]][one["min_tail"]] for one in values[:3]]
        shares = np.array([[share] for share in (*held, 0.54, 0.5)], np.float32)
        return Cells(shares, shares, np.full(shares.shape, 9))

    monkeypatch.setattr(ceiling, "gathered", measured)
    assert ceiling.bindings(chats, [(now, first), (now, second)], [], 0.03) == [("min_tail",), ("similarity",)]
    assert ceiling.bindings(chats, [(now, first), (now, second)], [], 0.05) == [("min_tail",), ()]


def test_of_a_front_of_known_costs_those_stay_that_nothing_cheaper_equals() -> None:
    priced = [(0.5, 3.0), (0.6, 2.0), (0.7, 2.0), (0.9, 4.0)]
    front = [Setting(Scenario(), 0.0, recall, 1.0, 9.0, 9.0, cost) for recall, cost in priced]
    for order in permutations(range(4)):
        kept = cheapest([front[place] for place in order])
        assert [each.recall_with_memories for each in kept] == [priced[n][0] for n in order if n in (2, 3)]
    unknown = [*front, replace(front[0], cost_cached=None)]
    assert cheapest(unknown) == tuple(unknown)
    assert cheapest([]) == ()


def test_the_first_of_several_prompts_finds_an_empty_cache_and_does_not_count() -> None:
    assert [list(range(count))[_counted(range(count))] for count in (0, 1, 2, 3)] == [[], [0], [1], [1, 2]]  # type: ignore[arg-type]


def test_questions_are_parted_by_chat_in_turn_as_many_as_take_a_while() -> None:
    probes = [Probe(str(n), ("m",), "ab"[n % 2]) for n in range(9)]
    assert [part.tolist() for part in _parts([Scenario()] * 10, probes)] == [[0, 2, 4, 6, 8], [1, 3, 5, 7]]
    assert [part.tolist() for part in _parts([Scenario()] * 4_000, probes)] == [[0, 2], [4, 6], [8], [1, 3], [5, 7]]
    assert [part.tolist() for part in _parts([Scenario()] * 9_000, probes[:3])] == [[0], [2], [1]]
    assert [part.tolist() for part in _parts([], probes)] == [[0, 2, 4, 6, 8], [1, 3, 5, 7]]


def test_cells_are_taken_and_parted_by_setting_and_probe() -> None:
    cells = no_cells(3, 4)
    values = np.arange(4.0, dtype=np.float32).reshape(2, 2)
    cells.take(np.array([2, 0]), np.array([3, 1]), Cells(values, values + 10, values.astype(np.int64) + 20))
    part = cells.part(np.array([0, 2]), np.array([1, 3]))
    assert part.recall.tolist() == [[3, 2], [1, 0]]
    assert part.with_memories.tolist() == [[13, 12], [11, 10]]
    assert part.total.tolist() == [[23, 22], [21, 20]]
    assert (np.isnan(cells.recall).sum(), np.isnan(cells.with_memories).sum(), (cells.total == 0).sum()) == (8, 8, 8)
