"""What would keep some items: every way was assembled and does so, and pairs are found where one change is not."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from inspector.analysis.basis import Basis, Share, result_of
from inspector.analysis.keeping.changes import single_changes
from inspector.analysis.keeping.others import next_model, own_window
from inspector.analysis.keeping.question import Question
from inspector.analysis.keeping.search import (
    LARGER_MODELS,
    OTHER_ITEMS,
    OTHER_TEXTS,
    SINGLE_CHANGES,
    TWO_CHANGES,
    ways_to_keep,
)
from inspector.analysis.keeping.way import Keeping, Kind, Way, keeping_value
from inspector.analysis.keeping.words import price_text
from inspector.analysis.sliders import move_slider
from inspector.assembly.answer import measured, planned_answer
from inspector.assembly.columns import Action
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_file import read_scenario
from inspector.assembly.scenario_values import no_kind
from inspector.formats import load_workspace
from inspector.model import Conversation, Message, Workspace
from inspector.plugins import policies
from inspector.resources import samples_folder
from inspector.steps import AbandonedError, while_wanted


def rows_of(pipeline: Pipeline, scenario: Scenario, *items: str) -> np.ndarray:
    candidates = pipeline.candidates(make_all(pipeline, scenario))
    return np.array([candidates.rows_named([item])[0] for item in items])


def kept_by(pipeline: Pipeline, scenario: Scenario, *items: str) -> Keeping:
    return last(ways_to_keep(Basis(pipeline, scenario), rows_of(pipeline, scenario, *items)))


def last(grown: Iterator[Share | Keeping]) -> Keeping:
    return result_of(grown)


def values_of(way: Way | None) -> dict[str, Any]:
    assert way is not None
    return dict(way.changes)


def only(found: Keeping, kind: Kind) -> Way | None:
    ways = found.of(kind)
    assert len(ways) <= 1
    return next(iter(ways), None)


POLICIES = ["ratio", "slots", "reserve", "window_rag", "adaptive"]


@pytest.mark.parametrize("policy", POLICIES)
def test_every_way_keeps_the_items_and_says_what_else_it_does(
    pipeline: Pipeline, scenario: Scenario, policy: str
) -> None:
    scenario = replace(scenario, policy=policy, parameters={"max_tokens": 60} if policy == "adaptive" else {})
    rows = rows_of(pipeline, scenario, "m3", "k3")
    today = pipeline.assemble(pipeline.case(scenario))
    before = today.in_prompt & (today.error is None)
    total = planned_answer(pipeline, pipeline.case(scenario)).ledger.total
    found = last(ways_to_keep(Basis(pipeline, scenario), rows))
    assert found.is_kept == bool(before[rows].all())
    for way in found.ways:
        case = make_all(pipeline, way.scenario)
        assembly = pipeline.assemble(case)
        assert assembly.error is None
        assert way.exceeds == max(-planned_answer(pipeline, case).free, 0)
        assert (assembly.action[rows] == Action.KEPT).all()
        others = np.setdiff1d(np.arange(len(before)), rows)
        now, then = today.action[others], assembly.action[others]
        gone, whole = then == Action.DROPPED, then == Action.KEPT
        left_out = {today.candidates.ids.index(name) for name in values_of(way).get("excluded", ())}
        assert set(way.leaves) == set(others[(now != Action.DROPPED) & gone].tolist()) - left_out
        assert set(way.comes_in) == set(others[(now != Action.KEPT) & whole].tolist())
        assert set(way.shortened) == set(others[(now == Action.KEPT) & ~gone & ~whole].tolist())
        assert way.added == planned_answer(pipeline, case).ledger.total - total
    assert [way.harm for way in found.ways] == sorted(way.harm for way in found.ways)
    exceeding = [way.exceeds > 0 for way in found.ways]
    assert exceeding == sorted(exceeding)


@pytest.mark.parametrize(("tokenizer", "estimated"), [("estimate:words", True), ("embedded:o200k_base", False)])
def test_what_a_way_costs_is_an_estimate_where_its_texts_are(
    pipeline: Pipeline, scenario: Scenario, tokenizer: str, estimated: bool
) -> None:
    """Without memories, which stand in one message and are counted apart."""
    scenario = replace(scenario, tokenizer=tokenizer, memory_sets=())
    found = kept_by(pipeline, scenario, "m2")
    assert {way.estimated for way in found.ways} == {estimated}


def test_the_nearest_window_of_a_message(pipeline: Pipeline, scenario: Scenario) -> None:
    found = kept_by(pipeline, scenario, "m5")
    single = {name: value for way in found.of(Kind.SINGLE) for name, value in way.changes}
    assert single["context_window"] == 90
    assert single["min_exchanges"] == 3
    shares = [dict(way.changes) for way in found.of(Kind.SINGLE) if "history_share" in dict(way.changes)]
    assert shares
    for moved in shares:
        assert sum(moved.values()) == pytest.approx(1), "moving one share moves the others"


def test_a_way_goes_no_farther_than_it_has_to_in_a_long_conversation() -> None:
    """Where many items flip, not every value is looked at; what is offered is the flip itself all the same."""
    pipeline = Pipeline(load_workspace([samples_folder() / "companion.workspace.yaml"]), policies()[0], load_presets())
    scenario, _ = read_scenario(samples_folder() / "companion.scenario.yaml", no_kind)
    question = Question(pipeline, scenario, rows_of(pipeline, scenario, "m212"), None, frozenset())
    found: list[Way] = []

    def search() -> Iterator[Share]:
        singles, _ = yield from single_changes(question)
        found.extend(singles)

    assert list(search())
    (exchanges,) = (value for way in found for name, value in way.changes if name == "min_exchanges")
    assert question.holds({"min_exchanges": exchanges})
    assert not question.holds({"min_exchanges": exchanges - 1})


@pytest.fixture(scope="module")
def harbour() -> tuple[Pipeline, Scenario]:
    pipeline = Pipeline(load_workspace([samples_folder() / "companion.workspace.yaml"]), policies()[0], load_presets())
    scenario, _ = read_scenario(samples_folder() / "companion.scenario.yaml", no_kind)
    make_all(pipeline, scenario)
    return pipeline, scenario


def test_the_sample_offers_the_pin_first_with_its_price(harbour: tuple[Pipeline, Scenario]) -> None:
    pipeline, scenario = harbour
    found = kept_by(pipeline, scenario, "m118")
    candidates = pipeline.candidates(pipeline.case(scenario))
    told = {way.label: price_text(way, candidates) for way in found.ways}
    assert found.ways[0].label == "Pin this message"
    assert len(found.ways[0].leaves) == 12
    assert told["Pin this message"] == "\N{MINUS SIGN}197 tokens; 12 messages leave"
    assert told["Window 17,993"] == "≈ +3,685 tokens, +$0.009; nothing leaves"
    assert "draft" not in values_of(only(found, Kind.EXCLUDE))["excluded"], "the message to answer stays"
    assert {len(way.comes_in) for way in found.ways if way.label == "Window 17,993"} == {63}, (
        "summarized ones do not count"
    )
    before = measured(pipeline, planned_answer(pipeline, pipeline.case(scenario))).ledger.total
    for way in found.ways:
        if not way.added_estimated:
            case = make_all(pipeline, way.scenario)
            assert measured(pipeline, planned_answer(pipeline, case)).ledger.total - before == way.added


def test_a_pin_applied_keeps_the_items_and_is_not_offered_twice(harbour: tuple[Pipeline, Scenario]) -> None:
    pipeline, scenario = harbour
    pin = only(kept_by(pipeline, scenario, "m118"), Kind.PIN)
    assert pin is not None
    assert pin.scenario.pinned == ("m118",)
    assert kept_by(pipeline, pin.scenario, "m118") == Keeping(True)
    several = only(kept_by(pipeline, pin.scenario, "m118", "m119"), Kind.PIN)
    assert values_of(several) == {"pinned": ("m119",)}


def test_two_sliders_do_together_what_neither_does(pipeline: Pipeline, scenario: Scenario) -> None:
    """The window and a share, which moves the others as it does alone: together they need less than each alone."""
    found = kept_by(pipeline, scenario, "m5")
    values, case = values_of(only(found, Kind.PAIR)), pipeline.case(scenario)
    assert set(values) == {"context_window", "memory_share", "history_share", "reserve_share"}
    assert sum(values[name] for name in values if name != "context_window") == pytest.approx(1)
    for name in ("context_window", "history_share"):
        changed = move_slider(scenario, case, name, values[name]).scenario
        assembly = pipeline.assemble(make_all(pipeline, changed))
        assert assembly.action[rows_of(pipeline, scenario, "m5")[0]] != Action.KEPT


def test_locked_shares_stay_in_every_way(pipeline: Pipeline, scenario: Scenario) -> None:
    free = kept_by(pipeline, scenario, "m5")
    assert any("memory_share" in values_of(way) for way in free.ways)
    rows = rows_of(pipeline, scenario, "m5")
    found = last(ways_to_keep(Basis(pipeline, scenario, locked=frozenset({"memory_share"})), rows))
    moved = [values_of(way) for way in found.ways if "history_share" in values_of(way)]
    assert moved
    for values in moved:
        assert values["memory_share"] == pytest.approx(0.3)
        assert sum(values[f"{name}_share"] for name in ("memory", "history", "reserve")) == pytest.approx(1)
    every_share = frozenset({"memory_share", "history_share", "reserve_share"})
    assert not any(
        every_share & set(values_of(way))
        for way in last(ways_to_keep(Basis(pipeline, scenario, locked=every_share), rows)).ways
    )


def test_what_is_looked_for_is_told_and_what_is_found_grows(pipeline: Pipeline, scenario: Scenario) -> None:
    rows = rows_of(pipeline, scenario, "m5")
    steps = list(ways_to_keep(Basis(pipeline, scenario), rows))
    told = [step for step in steps if isinstance(step, Share)]
    grown = [step for step in steps if isinstance(step, Keeping)]
    shares = [share.part for share in told]
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] < 1
    assert list(dict.fromkeys(share.what for share in told)) == [
        SINGLE_CHANGES,
        TWO_CHANGES,
        OTHER_ITEMS,
        LARGER_MODELS,
        OTHER_TEXTS,
    ]
    assert [len(found.ways) for found in grown] == sorted(len(found.ways) for found in grown)
    assert [way.kind for way in grown[0].ways] == [Kind.PIN]
    assert grown[1].of(Kind.SINGLE)
    assert not grown[1].of(Kind.PAIR)
    assert grown[-1] == kept_by(pipeline, scenario, "m5")


def test_the_fewest_others_are_left_out(pipeline: Pipeline, scenario: Scenario) -> None:
    """History has 27 tokens: m9, m8, m7 and m6 take 23 of them, m5 needs 12, so that one of 8 has to go."""
    found = kept_by(pipeline, scenario, "m5")
    excluded = values_of(only(found, Kind.EXCLUDE))["excluded"]
    assert len(excluded) == 1
    assert excluded[0] in ("m8", "m9")


@pytest.mark.parametrize("window", [None, 3_000, 9_000])
def test_the_next_model_has_the_smallest_window_that_is_larger_than_that_of_the_model(window: int | None) -> None:
    """A window that was set by hand falls away with it, which is said."""
    messages = tuple(Message(f"m{n}", "user", "word " * 3_000) for n in range(5))
    pipeline = Pipeline(Workspace((Conversation("c", messages),)), policies()[0], load_presets())
    scenario = Scenario(model="gpt-4", tokenizer="estimate:words", context_window=window)
    question = Question(pipeline, scenario, rows_of(pipeline, scenario, "m1"), None, frozenset())
    assert own_window(question) is None, "8,192 tokens are too few, too"
    found = next_model(question)
    model = pipeline.choices.models.find(values_of(found)["model"]).row
    assert model is not None
    assert found is not None
    assert found.cost is None or found.cost > 0
    assert found.window == model.context_window > max(8_192, window or 0)
    assert ("context_window" in values_of(found)) == (window is not None)
    assert values_of(found).get("context_window") is None


def test_a_window_that_was_set_by_hand_falls_away_before_another_model_is_taken(
    pipeline: Pipeline, scenario: Scenario
) -> None:
    found = kept_by(pipeline, replace(scenario, model="gpt-4"), "m5")
    own = only(found, Kind.OWN_WINDOW)
    assert (values_of(own), only(found, Kind.MODEL)) == ({"context_window": None}, None)
    assert own is not None
    assert (own.window, own.scenario.model) == (8_192, "gpt-4")
    value = keeping_value(found, pipeline.candidates(pipeline.case(scenario)).ids)
    assert value["own_window"]["changes"] == {"context_window": None}
    assert value["own_window"]["context_window"] == 8_192


def test_a_way_that_exceeds_the_window_says_by_how_much(pipeline: Pipeline, scenario: Scenario) -> None:
    found = kept_by(pipeline, scenario, "m2")
    over = {way.exceeds for way in found.ways}
    assert 0 in over
    assert max(over) > 0
    assert (
        keeping_value(found, [str(row) for row in range(99)])["single"][0]["over"] == found.of(Kind.SINGLE)[0].exceeds
    )


def test_what_is_kept_needs_no_change(pipeline: Pipeline, scenario: Scenario) -> None:
    assert kept_by(pipeline, scenario, "m9") == Keeping(True)


def test_what_is_excluded_is_kept_by_no_slider(pipeline: Pipeline, scenario: Scenario) -> None:
    assert kept_by(pipeline, replace(scenario, excluded=("m5",)), "m5") == Keeping(False)


def test_the_value_names_items(pipeline: Pipeline, scenario: Scenario) -> None:
    found, ids = kept_by(pipeline, scenario, "m5"), pipeline.candidates(pipeline.case(scenario)).ids
    value = keeping_value(found, ids)
    assert value["single"][0]["added"] == found.of(Kind.SINGLE)[0].added
    assert set(value["exclude"]["changes"]["excluded"]) <= set(ids)


def test_a_search_that_nobody_wants_any_longer_ends(pipeline: Pipeline, scenario: Scenario) -> None:
    rows, asked = rows_of(pipeline, scenario, "m5"), list[bool]()

    def is_wanted() -> bool:
        asked.append(len(asked) < 20)
        return asked[-1]

    with pytest.raises(AbandonedError), while_wanted(is_wanted):
        last(ways_to_keep(Basis(pipeline, scenario), rows))
    assert asked.count(False) == 1


def test_a_limit_that_is_off_at_its_minimum_is_offered_where_that_is_nearer() -> None:
    words = " ".join(["w"] * 7)
    chat = Conversation("c", (Message("m0", "user", words), Message("m1", "assistant", "w")))
    pipeline = Pipeline(Workspace(conversations=(chat,)), policies()[0], load_presets())
    setting = Scenario(policy="ratio", tokenizer="estimate:words", context_window=2_000, parameters={"message_cap": 3})
    found = kept_by(pipeline, setting, "m0")
    changes = [dict(way.changes) for way in found.of(Kind.SINGLE)]
    assert {"message_cap": 0} in changes
    assert {"message_cap": 7} not in changes, "it is farther from 3"
