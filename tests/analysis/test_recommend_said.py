"""What a recommendation says: the best shipped setting beside it, how much could be found, and one sentence first."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from inspector.analysis.recall.probes import scenario_of
from inspector.analysis.recommend.advice import Recommendation, _excess_notes, recommend
from inspector.analysis.recommend.answer import recommendation_value
from inspector.analysis.recommend.ceiling import CEILING_WAYS, Ceiling, ceilings
from inspector.analysis.recommend.chats import OpenChats
from inspector.analysis.recommend.folds import Kin, RecallTable, best_fitting
from inspector.analysis.recommend.measured import BlockGain
from inspector.analysis.recommend.policy_rows import PolicyRow, policy_rows
from inspector.analysis.recommend.rendered import Rendered, _rendered, rendered
from inspector.analysis.recommend.search import Terms
from inspector.analysis.recommend.searched import Searched
from inspector.analysis.recommend.sentences import RETRIEVES_NOTHING, advice_sentences, headline
from inspector.analysis.recommend.settings import (
    NEWEST_TOKENS,
    all_values,
    auto_is_own_way,
    settings_to_try,
)
from inspector.assembly.answer import complete_answer
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.cli.loading import progress_lines
from inspector.model import Conversation, Memory, MemorySet, Message, Probe, Workspace
from inspector.plugins import policies

MESSAGES, OLD = 40, (3, 6, 9, 12)
CURRENT = Scenario(tokenizer="estimate:words", similarity="lexical", context_window=200)
TERMS = Terms((200,), 20, ("ratio", "window_rag"))
KIND_FOR = Pipeline(Workspace(), policies()[0], load_presets()).choices.kind


def chat(name: str, reply: str = "") -> Conversation:
    """A chat in which every message has a word of its own among others that all have."""
    said = (
        Message(f"m{n}", "assistant" if n % 2 else "user", f"word{name}{n} and so we spoke on of this{reply * (n % 2)}")
        for n in range(MESSAGES)
    )
    return Conversation(name, tuple(said), origin="chats.json")


def pipeline_of(*chats: Conversation, memories: Sequence[Memory] = ()) -> Pipeline:
    workspace = Workspace(chats, memory_sets=(MemorySet("default", tuple(memories)),))
    return Pipeline(workspace, policies()[0], load_presets())


def about(name: str, *numbers: int) -> list[Probe]:
    return [Probe(f"{name}-{n}", (f"m{n}",), name, query=f"word{name}{n}?") for n in numbers]


@cache
def usual() -> tuple[Pipeline, Recommendation]:
    pipeline = pipeline_of(*map(chat, "abc"))
    *_, last = recommend(pipeline, CURRENT, [probe for name in "abc" for probe in about(name, *OLD)], TERMS)
    assert last.found is not None
    return pipeline, last.found


def searched(pipeline: Pipeline, found: Recommendation) -> Searched:
    return Searched.of(pipeline, CURRENT, found)


def test_beside_the_best_is_the_best_shipped_setting_that_fits() -> None:
    _, found = usual()
    (advice,) = found.windows
    assert advice.baseline is not None
    assert advice.baseline.scenario.parameters == {}
    assert advice.baseline.fits == 1
    expected = 100 * (advice.best.recall_with_memories - advice.baseline.recall_with_memories)
    assert advice.gain_over_baseline == pytest.approx(expected)
    assert [each.name for each in advice.over] == ["a", "b", "c"]
    assert [each.chosen for each in advice.over] == [each.chosen for each in advice.gains]


def test_of_shipped_settings_only_those_that_fit_are_taken_the_best_first() -> None:
    sums, largest = np.array([[0.2], [0.9], [0.5], [1.0]]), np.array([[50], [100], [100], [101]])
    table = RecallTable(100, 100, sums, largest, np.array([1]), [Kin((0, 0), place) for place in range(4)])
    assert best_fitting(table, np.arange(4), np.array([0]), 2).tolist() == [1, 2]
    assert best_fitting(table, np.array([3]), np.array([0]), 2).tolist() == []


def test_the_value_names_what_the_contract_names() -> None:
    _, found = usual()
    (window,) = recommendation_value(found, KIND_FOR)["windows"]
    assert window["baseline"]["scenario"]["format"] == "prompt-inspector/scenario@1"
    assert window["gain_over_baseline"] == pytest.approx(found.windows[0].gain_over_baseline, abs=1e-3)
    low, high = window["gain_over_baseline_interval"]
    assert low <= window["gain_over_baseline"] <= high
    assert window["ceiling"] == 1.0
    assert {"fits", "chosen"} <= window["per_conversation"][0].keys()
    assert window["margin_cost"] >= 0
    alone = replace(found, windows=(replace(found.windows[0], baseline=None, over=(), over_interval=None),))
    (window,) = recommendation_value(alone, KIND_FOR)["windows"]
    assert (window["baseline"], window["gain_over_baseline"], window["gain_over_baseline_interval"]) == (None,) * 3


def test_the_front_holds_nothing_below_the_current_setting() -> None:
    pipeline = pipeline_of(*map(chat, "abc"))
    newest = [probe for name in "abc" for probe in about(name, 35, 36, 37, 38)]
    *_, last = recommend(pipeline, CURRENT, newest, TERMS)
    assert last.found is not None
    (advice,) = last.found.windows
    now = advice.current.recall_with_memories
    assert now > 0
    assert all(point.recall_with_memories >= now for point in advice.front)


def test_what_could_be_found_is_the_best_way_and_what_the_newest_hold_looks_at_no_question() -> None:
    pipeline = pipeline_of(chat("a"), memories=[Memory("k", "of worda5", source_messages=("m5",), type="fact")])
    asked = [*about("a", 3, 38), Probe("told", ("m5",), "a", query="worda5")]
    small, large = ceilings(OpenChats(pipeline), CURRENT, asked, [60, 100_000])
    assert small.found == large.found == large.newest == 1.0
    assert small.newest == pytest.approx(1 / 3), "only the newest message is near the end"
    assert small.way in CEILING_WAYS
    (nothing,) = ceilings(OpenChats(pipeline), CURRENT, asked, [0])
    assert (nothing.found, nothing.newest) == (0.0, 0.0)


def test_a_sentence_says_first_what_to_ship_beside_what_and_why() -> None:
    pipeline, found = usual()
    first, *others = advice_sentences(searched(pipeline, found), 0)
    assert first == headline(searched(pipeline, found), 0)
    assert first.startswith("Ship this: the prompts hold 100.0 % of the needed items instead of ")
    assert "(the best shipped setting that fits)" in first
    assert "; mostly because “" in first
    assert "” is " in first
    assert any(one.startswith("The newest messages alone") for one in others)
    assert not any("points of which are lost" in one for one in others)


def test_a_setting_that_is_shipped_because_it_fits_says_so_though_it_holds_less() -> None:
    pipeline, found = usual()
    (advice,) = found.windows
    everything = replace(advice.current, recall_with_memories=1.0, fits=0.0)
    less = replace(advice.best, recall_with_memories=0.25, fits=1.0)
    window = replace(advice, current=everything, best=less, interval=(-90.0, -10.0))
    said = headline(searched(pipeline, replace(found, windows=(window,))), 0)
    assert said == (
        "Ship this, which fits: 100.0 % of its prompts leave room for the reply, 0.0 % do now. "
        "They hold 25.0 % of the needed items instead of 100.0 %."
    )
    more = replace(window, current=replace(everything, recall_with_memories=0.2))
    assert headline(searched(pipeline, replace(found, windows=(more,))), 0).startswith("Ship this: the prompts hold")


def test_where_no_shipped_setting_fits_the_current_one_stands_in_its_place() -> None:
    pipeline, found = usual()
    alone = replace(found, windows=(replace(found.windows[0], baseline=None),))
    said = headline(searched(pipeline, alone), 0)
    assert "instead of 0.0 %, a gain of" in said
    assert "shipped" not in said


def test_what_is_lost_by_the_division_of_the_room_is_said() -> None:
    pipeline, found = usual()
    (advice,) = found.windows
    less = replace(advice.best, recall_with_memories=0.75)
    parted = replace(found, windows=(replace(advice, best=less, ceiling=Ceiling(0.95, "auto", 0.1)),))
    said = list(advice_sentences(searched(pipeline, parted), 0))
    assert "The best way of comparing (auto) brings 95.0 % into this window, 20.0 points of which are lost by how" in (
        " ".join(said)
    )


def test_recommended_prompts_are_counted_on_their_texts() -> None:
    """The oracle is the ledger of each prompt, answered alone."""
    pipeline, found = usual()
    (advice,) = found.windows
    asked = [scenario_of(advice.best.scenario, probe) for name in "abc" for probe in about(name, *OLD)]
    totals = [complete_answer(pipeline, one).ledger.total for one in asked]
    assert advice.rendered is not None
    assert (advice.rendered.prompts, advice.rendered.largest) == (len(totals), max(totals))
    assert advice.rendered.tokens == pytest.approx(np.mean(totals))
    assert advice.rendered.planned == pytest.approx(advice.best.tokens)
    assert advice.rendered.over == 0
    (window,) = recommendation_value(found, KIND_FOR)["windows"]
    assert window["rendered"]["largest"] == max(totals)
    assert any(one.startswith("Counted on their texts, 12 prompts") for one in advice_sentences(searched(*usual()), 0))


def test_a_current_setting_that_retrieves_nothing_says_so() -> None:
    pipeline, found = usual()
    (advice,) = found.windows
    assert advice.rendered_now is not None
    assert advice.rendered is not None
    assert (advice.rendered_now.retrieved, advice.rendered.retrieved > 0) == (0.0, True)
    assert RETRIEVES_NOTHING in list(advice_sentences(searched(pipeline, found), 0))
    some = replace(advice, rendered_now=advice.rendered)
    told = list(advice_sentences(searched(pipeline, replace(found, windows=(some,))), 0))
    assert RETRIEVES_NOTHING not in told
    assert advice.rendered_now.planned == pytest.approx(advice.current.tokens)


def test_prompts_over_their_room_are_counted_and_a_policy_without_prompts_has_none() -> None:
    pipeline, probes = pipeline_of(*map(chat, "ab")), [*about("a", *OLD), *about("b", *OLD)]
    whole = replace(CURRENT, policy="naive")
    sizes = rendered(OpenChats(pipeline), [whole, whole], [1, 100_000], probes)
    assert [each and each.over for each in sizes] == [8, 0]
    assert _rendered([], 10) is None


def test_a_plan_that_fits_and_texts_that_do_not_are_warned_of() -> None:
    _, found = usual()
    (advice,) = found.windows
    beyond = replace(advice, rendered=Rendered(12, 190.0, 199, 150.0, 0.0, 3))
    (said,) = _excess_notes([beyond], 20)
    assert said == "Window 200: counted on their texts, 3 of 12 prompts leave less than 20 tokens for the reply."
    assert list(_excess_notes([replace(beyond, best=replace(advice.best, fits=0.9)), advice], 20)) == []


@pytest.mark.parametrize(
    ("newest", "filled"), [(0.0, "0.0"), (0.25, "25.0"), (1.0, "75.0")], ids=["nothing", "some", "as much as the best"]
)
def test_a_gain_from_filling_the_window_is_told_from_one_from_comparing(newest: float, filled: str) -> None:
    pipeline, found = usual()
    (advice,) = found.windows
    less = replace(advice.best, recall_with_memories=0.75)
    told = replace(found, windows=(replace(advice, best=less, ceiling=Ceiling(0.95, "auto", newest)),))
    (said,) = (one for one in advice_sentences(searched(pipeline, told), 0) if one.startswith("The newest messages"))
    assert f": about {filled} of the 75.0 points gained come from filling the window, the rest from comparing." in said
    kept = replace(found, windows=(replace(advice, best=advice.current, ceiling=Ceiling(0.95, "auto", newest)),))
    assert not any("filling" in one for one in advice_sentences(searched(pipeline, kept), 0))


def unsure(gains: Sequence[float], probes: int = 4) -> tuple[Pipeline, Recommendation]:
    """The usual recommendation with other gains, which may be chance."""
    pipeline, found = usual()
    (advice,) = found.windows
    others = tuple(BlockGain(f"c{n}", probes, gain, 1.0, CURRENT) for n, gain in enumerate(gains))
    changed = replace(advice, gains=others, interval=(-15.0, 19.0), current=replace(advice.current, fits=1.0))
    return pipeline, replace(found, windows=(changed,))


def test_a_gain_that_may_be_chance_says_how_many_more_conversations_would_decide() -> None:
    pipeline, found = unsure((9, -5, 2))
    said = headline(searched(pipeline, found), 0)
    # by the normal distribution (1.96 + 0.84)² · (7 / 2)² = 96: the standard deviation of these gains is 7, the mean 2
    assert found.windows[0].needed == 99
    assert "which may be chance: about 96 more conversations like these 3 would decide. It can be applied" in said
    assert recommendation_value(found, KIND_FOR)["windows"][0]["needed_to_decide"] == 99


def test_of_one_conversation_more_questions_would_decide() -> None:
    pipeline, found = unsure((9, -5, 2))
    said = headline(searched(pipeline, replace(found, is_of_one=True)), 0)
    assert "which may be chance: about 384 more questions like these would decide" in said, "4 questions a part"


@pytest.mark.parametrize(
    ("gains", "said"),
    [
        ((0.1, 9, -9), ": a gain so small takes more than 1,000 conversations to tell. It can"),
        ((-2, 1), "may be chance. It can"),
        ((3,), ": questions about another conversation would tell. It can"),
        ((), ": questions about another conversation would tell. It can"),
    ],
    ids=["too small", "a loss", "one", "none"],
)
def test_what_would_decide_is_said_wherever_it_is_known(gains: tuple[float, ...], said: str) -> None:
    pipeline, found = unsure(gains)
    assert said in headline(searched(pipeline, found), 0)
    assert found.windows[0].needed is None


def test_nothing_more_is_needed_where_the_advice_is_sure() -> None:
    _, found = usual()
    assert found.windows[0].changes
    assert recommendation_value(found, KIND_FOR)["windows"][0]["needed_to_decide"] is None


def test_keeping_a_setting_names_the_best_shipped_one() -> None:
    pipeline, found = usual()
    (advice,) = found.windows
    kept = replace(advice, best=advice.current)
    said = headline(searched(pipeline, replace(found, windows=(kept,))), 0)
    assert said.startswith("Keep the current setting, which holds 0.0 %")
    assert said.endswith("nothing better was found.")


def row_of(found: Recommendation, *, is_current: bool = False) -> PolicyRow:
    """The first row of the best of each policy, or that of the current setting."""
    pipeline, _ = usual()
    rows = policy_rows(searched(pipeline, found), 0)
    return next(row for row in rows if row.advice.is_current == is_current)


def test_the_answer_stands_beside_now_and_the_best_shipped_setting() -> None:
    _, found = usual()
    (advice,) = found.windows
    assert advice.baseline is not None
    other = replace(advice.baseline.scenario, policy="slots")
    less = replace(advice.baseline, scenario=other, recall_with_memories=0.625)
    shipped = replace(found, windows=(replace(advice, baseline=less),))
    said = "against 0.0 % now and 62.5 % with the best shipped setting that fits"
    assert said in row_of(shipped).price
    assert row_of(shipped).price.endswith(" Now nothing is retrieved.")
    kept = row_of(shipped, is_current=True).price
    assert "0.0 % of what the questions need, and 62.5 % with the best shipped setting that fits, for " in kept
    assert "retrieved" not in kept


@pytest.mark.parametrize("which", ["none", "itself", "the current one"])
def test_no_shipped_setting_stands_beside_itself(which: str) -> None:
    _, found = usual()
    (advice,) = found.windows
    own = row_of(found).advice.setting
    baseline = {"none": None, "itself": own, "the current one": advice.current}[which]
    changed = replace(found, windows=(replace(advice, baseline=baseline, rendered_now=advice.rendered),))
    assert "shipped" not in row_of(changed).price
    assert "retrieved" not in row_of(changed).price


def test_fused_is_tried_only_where_auto_may_be_another_way() -> None:
    plain = pipeline_of(chat("a")).workspace
    assert not auto_is_own_way(plain, {"a"})
    long = pipeline_of(chat("a", " of this and that" * 200)).workspace
    assert auto_is_own_way(long, {"a"})
    assert not auto_is_own_way(long, {"b"}), "only the chats that are asked"
    recorded = pipeline_of(chat("a"), memories=[Memory("k", "tea", similarity=0.4)]).workspace
    assert auto_is_own_way(recorded, {"a"})


def test_the_newest_exchange_has_room_wherever_a_policy_limits_it_in_tokens() -> None:
    pipeline = pipeline_of(chat("a"))
    for window in (2_048, 8_192):
        tried = settings_to_try(pipeline, replace(CURRENT, context_window=window), 400, ("window_rag", "slots"))[1:]
        limits = [each.parameters.get("history_budget", each.parameters.get("history_slot")) for each in tried]
        known = [limit for limit in limits if limit is not None]
        assert len(known) > 50
        assert min(known) >= NEWEST_TOKENS
    small = settings_to_try(pipeline, replace(CURRENT, context_window=200), 20, ("window_rag",))
    budgets = [all_values(pipeline, each)["history_budget"] for each in small if each.parameters]
    assert max(budgets) < NEWEST_TOKENS, "a window too small for it is divided all the same"


def test_progress_is_written_in_lines_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    advance = progress_lines("Trying settings", seconds=0.0)
    advance(1_000, 20_000)
    assert capsys.readouterr().err == "prompt-inspector: Trying settings: 1,000 of 20,000\n"
    quiet = progress_lines("Trying settings", seconds=3_600.0)
    quiet(1, 2)
    assert capsys.readouterr().err == ""
