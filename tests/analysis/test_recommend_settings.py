"""The settings tried: what a command makes of their options, how far they are from now, and how evenly they spread."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from itertools import product
from math import prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.analysis.recommend.settings import (
    CAP_FACTORS,
    NEWEST_TOKENS,
    NO_CAP,
    PARTS,
    SAMPLE,
    TRIED_WAYS,
    _option,
    _spread,
    all_values,
    as_setting,
    asked_scenario,
    changed_parameters,
    distance,
    family_name,
    in_window,
    is_taken,
    neighbours,
    planned_part,
    put_back,
    setting_options,
    settings_to_try,
    with_part,
    with_reply,
)
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import Traits, parameters_of, traits_of
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario
from inspector.cli.scenarios import scenario_from
from inspector.model import Conversation, Message, Workspace
from inspector.plugins import policies

WINDOW, REPLY = 8_000, 500
NOW = Scenario(tokenizer="estimate:words", similarity="lexical", context_window=WINDOW)
CURRENTS = {
    "as it comes": NOW,
    "tuned": replace(NOW, parameters={"memory_share": 0.25, "reserve_share": 0.35}),
    "a preset": replace(NOW, policy="ratio", preset="memory-first"),
    "a tuned preset": replace(NOW, policy="ratio", preset="memory-first", parameters={"borrow": "both"}),
    "another policy": replace(NOW, policy="window_rag", similarity="auto", parameters={"per_source": 30}),
}


@cache
def pipeline() -> Pipeline:
    return Pipeline(Workspace(), policies()[0], load_presets())


@cache
def tried(name: str, *policies: str) -> list[Scenario]:
    return settings_to_try(pipeline(), CURRENTS[name], REPLY, policies)


def _policy(setting: Scenario) -> str:
    return setting.policy or DEFAULT_POLICY


def of_options(current: Scenario, options: str) -> Scenario:
    """The scenario that a command makes of the current setting with these options."""
    words = options.split() if options.startswith("--") else []
    given, told = {"policy": current.policy, "preset": None}, list[str]()
    for option, value in zip(words[::2], words[1::2], strict=True):
        if option == "--set":
            told.append(value)
        else:
            given[option.removeprefix("--")] = value
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("inspector.cli.scenarios.read_scenario", lambda path: current)
        return scenario_from("now.yaml", told, given)


@pytest.mark.parametrize("name", CURRENTS)
def test_the_options_of_a_setting_make_it_of_the_current_one(name: str) -> None:
    current = CURRENTS[name]
    for setting in tried(name, "ratio", "slots", "window_rag", "reserve")[::5]:
        made = of_options(current, setting_options(pipeline(), current, setting))
        assert all_values(pipeline(), made) == pytest.approx(all_values(pipeline(), setting)), setting
        assert as_setting(replace(made, parameters={})) == as_setting(replace(setting, parameters={}))


def test_the_options_of_the_current_setting_are_words() -> None:
    assert setting_options(pipeline(), NOW, replace(NOW, context_window=99)) == "keep the current setting"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (True, "true"),
        (False, "false"),
        (3, "3"),
        (0.25, "0.25"),
        ("both", "both"),
        (1.0, "1"),
        (123_456_789, "123456789"),
        (0.1234567, "0.1234567"),
    ],
)
def test_a_value_is_written_as_a_command_reads_it(value: object, written: str) -> None:
    assert _option(value) == written


@pytest.mark.parametrize("name", CURRENTS)
def test_the_current_setting_comes_first_and_none_is_tried_twice_or_refused(name: str) -> None:
    settings = tried(name, "ratio", "slots", "window_rag")
    assert settings[0] == CURRENTS[name]
    assert len({repr(as_setting(setting)) for setting in settings}) == len(settings)
    assert {setting.context_window for setting in settings} == {WINDOW}
    assert all(is_taken(pipeline(), setting) for setting in settings)
    assert set(map(_policy, settings)) <= {"ratio", "slots", "window_rag"}
    asked = [setting for setting in settings if setting.similarity != CURRENTS[name].similarity]
    assert {setting.similarity for setting in asked} == set(TRIED_WAYS) - {CURRENTS[name].similarity}


def test_a_further_preset_has_a_third_of_the_settings() -> None:
    counts = Counter(setting.preset for setting in tried("a preset", "ratio") if setting.parameters)
    assert SAMPLE - 30 < counts["memory-first"] <= SAMPLE
    assert 0 < counts["long-chat"] <= SAMPLE // 3
    assert 0 < counts[None] <= SAMPLE // 3


def test_code_of_another_program_is_never_tried() -> None:
    settings = settings_to_try(pipeline(), replace(NOW, policy="slots"), REPLY, ("slots", "reserve"))
    assert {setting.preset for setting in settings} == {None}


@pytest.mark.parametrize(
    ("declared", "ways"),
    [
        ({}, {"lexical"}),
        ({"compares_messages": True}, set(TRIED_WAYS)),
        ({"signals": lambda candidates: ()}, set(TRIED_WAYS)),
    ],
    ids=["looks at nothing", "compares messages", "ranks by signals"],
)
def test_a_policy_without_limits_is_tried_by_every_way_if_it_compares(declared: dict[str, Any], ways: set[str]) -> None:
    class OfAPlugin(policies()[0]["naive"]):
        traits = Traits(title="Mine", **declared)

    mine = Pipeline(Workspace(), {**policies()[0], "mine": OfAPlugin}, load_presets())
    settings = settings_to_try(mine, NOW, REPLY, ("mine",))
    assert {setting.similarity for setting in settings if setting.policy == "mine"} == ways


def test_a_preset_is_named_even_where_it_is_that_of_now() -> None:
    current = CURRENTS["a tuned preset"]
    options = setting_options(pipeline(), current, replace(current, parameters={"borrow": "none"}))
    assert options == "--policy ratio --preset memory-first --set borrow=none"
    back = setting_options(pipeline(), current, replace(NOW, policy="ratio"))
    assert back == "--policy ratio --preset document", "without it the preset of now would stay"


def test_only_wanted_ways_and_policies_are_tried() -> None:
    settings = settings_to_try(pipeline(), NOW, REPLY, ("window_rag", "langchain_trim"), ("embedding",))
    assert {setting.similarity for setting in settings[1:] if setting.parameters} == {"embedding"}
    assert {setting.policy for setting in settings[1:]} == {"window_rag", "langchain_trim"}


def test_caps_and_weights_are_those_of_the_policy_multiples_and_none() -> None:
    settings = [setting for setting in tried("as it comes", "ratio", "window_rag") if setting.parameters]
    shipped = {name: all_values(pipeline(), replace(NOW, policy=name)) for name in ("ratio", "window_rag")}
    for policy, cap in (("ratio", "memory_candidates"), ("window_rag", "per_source")):
        values = {each.parameters[cap] for each in settings if each.preset is None and _policy(each) == policy}
        assert values <= {*(shipped[policy][cap] * factor for factor in CAP_FACTORS), NO_CAP}
        assert len(values) == 4
    names = ("similarity_weight", "priority_weight", "recency_weight", "type_weight")
    weights = {
        tuple(each.parameters[name] for name in names)
        for each in settings
        if each.preset is None and _policy(each) == "ratio"
    }
    assert weights == {tuple(shipped["ratio"][name] for name in names), (1.0, 0.0, 0.0, 0.0)}


@pytest.mark.parametrize("policy", ["ratio", "slots", "window_rag", "reserve", "langchain_trim", "adaptive"])
def test_a_setting_plans_with_a_part_of_what_the_reply_leaves(policy: str) -> None:
    """By the policy's own divisions, or by the limit of a prompt where it has none."""
    kind = policies()[0][policy]
    divisions = traits_of(kind()).divisions
    limit = next((each.name for each in parameters_of(kind) if each.sizes == "prompt"), "")
    for setting in tried("as it comes", policy):
        planned = planned_part(pipeline(), setting, REPLY)
        if planned is None:
            assert setting.similarity == NOW.similarity
            continue
        assert planned.part in PARTS
        own = setting.parameters.items()
        if divisions is None:
            assert setting.parameters[limit] == int((WINDOW - REPLY) * planned.part)
        else:
            division = list(divisions(WINDOW, int((WINDOW - REPLY) * planned.part)))[planned.place]
            assert division.items() <= own
        moved = with_part(pipeline(), setting, REPLY, PARTS[0])
        assert moved is not None
        assert planned_part(pipeline(), moved, REPLY) == replace(planned, part=PARTS[0])
        assert family_name(pipeline(), setting, REPLY) == family_name(pipeline(), moved, REPLY)


def test_the_newest_have_room_for_an_exchange_unless_no_division_has_it() -> None:
    def newest(window: int) -> Iterator[int]:
        for setting in settings_to_try(pipeline(), replace(NOW, context_window=window), 20, ("slots",)):
            if "history_slot" in setting.parameters:
                yield setting.parameters["history_slot"]

    assert min(newest(2_000)) >= NEWEST_TOKENS
    assert 0 < max(newest(150)) < NEWEST_TOKENS


def test_a_reply_as_large_as_the_window_leaves_a_limit_of_a_token() -> None:
    settings = settings_to_try(pipeline(), NOW, WINDOW + 1, ("langchain_trim",))
    assert {each.parameters["max_tokens"] for each in settings if "max_tokens" in each.parameters} == {1}


@given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.integers(1, 60))
def test_places_are_all_of_a_small_grid_and_so_many_of_a_large_one(shape: list[int], most: int) -> None:
    places = list(_spread(shape, most))
    assert len(places) == len(set(places)) <= most
    assert set(places) <= set(product(*map(range, shape)))
    assert prod(shape) > most or places == list(product(*map(range, shape)))


def test_a_grid_of_as_many_places_as_wanted_is_taken_whole() -> None:
    assert list(_spread((2, 3), 6)) == list(product(range(2), range(3)))
    assert list(_spread((2, 3), 5)) != list(product(range(2), range(3)))[:5]


def test_neighbours_leave_the_newest_room_for_an_exchange_as_the_first_settings_do() -> None:
    current = replace(NOW, policy="slots", context_window=2_000)
    tried = [each for each in settings_to_try(pipeline(), current, 20, ("slots",)) if each.parameters]
    found = [other for each in tried[::9] for other in neighbours(pipeline(), each, 20, ("lexical",))]
    assert found
    assert min(each.parameters["history_slot"] for each in found) >= NEWEST_TOKENS


def test_places_of_a_large_grid_are_even_along_each_side() -> None:
    places = list(_spread((5, 4, 8), 80))
    for side, length in enumerate((5, 4, 8)):
        counts = [sum(place[side] == step for place in places) for step in range(length)]
        assert max(abs(count - 80 / length) for count in counts) <= 3, "about as often as any other"
    assert len(places) >= 60
    assert list(_spread((5, 4, 8), 80)) == places


def test_a_distance_is_of_the_policy_the_preset_and_the_way_then_of_the_parameters() -> None:
    def far(**changes: object) -> tuple[int, int]:
        return distance(pipeline(), NOW, replace(NOW, **changes))  # type: ignore[arg-type]

    assert far() == (0, 0)
    assert far(policy=DEFAULT_POLICY, preset=DEFAULT_PRESET) == (0, 0), "the same by name"
    assert far(similarity="embedding") == (1, 0)
    assert far(policy="slots") == (4, 0)
    assert far(policy="slots", similarity="fused", parameters={"history_slot": 900}) == (5, 1)
    assert far(parameters={"memory_share": 0.2, "history_share": 0.5}) == (0, 2)
    assert far(parameters={"memory_share": 0.3}) == (0, 0), "its own value"
    preset = far(preset="memory-first")
    assert preset[0] == 2
    assert preset[1] == len(load_presets()["ratio", "memory-first"].parameters)


def test_what_changed_is_told_from_now_or_from_what_another_policy_ships() -> None:
    tuned = CURRENTS["tuned"]
    assert changed_parameters(pipeline(), tuned, NOW) == ["memory_share", "reserve_share"]
    assert changed_parameters(pipeline(), tuned, replace(NOW, policy="slots")) == []
    other = replace(NOW, policy="slots", parameters={"history_slot": 7, "profile_slot": 300})
    assert changed_parameters(pipeline(), tuned, other) == ["history_slot"]
    assert put_back(tuned, other) == replace(other, parameters={})
    assert put_back(tuned, replace(NOW, policy="ratio", preset="long-chat")) == replace(tuned, policy="ratio")


def test_a_setting_of_all_questions_has_the_marks_of_the_only_chat_alone() -> None:
    message = Message("m0", "user", "hello", time=datetime(2026, 1, 1, tzinfo=UTC))
    one, two = (Conversation(name, (message,)) for name in "ab")
    marked = replace(NOW, conversation="a", query="who?", pinned=("m0",))
    alone = asked_scenario(marked, Workspace((one,)))
    assert (alone.conversation, alone.query, alone.pinned) == (None, None, ("m0",))
    both = asked_scenario(marked, Workspace((one, two)))
    assert (both.conversation, both.query, both.pinned) == (None, None, ())
    assert in_window(NOW, 77) == replace(NOW, policy=DEFAULT_POLICY, context_window=77)
    assert in_window(replace(NOW, policy="slots"), 77).policy == "slots"
    assert as_setting(marked) == as_setting(replace(marked, policy=DEFAULT_POLICY, preset=DEFAULT_PRESET, query="?"))


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("slots", {"response_slot": 900}),
        ("langchain_trim", {}),
        ("sillytavern", {"response_length": 900}),
        ("ratio", {"memory_share": 0.3804, "history_share": 0.507, "reserve_share": 0.113}),
        ("reserve", {"response_min": 900}),
    ],
)
def test_a_reply_is_kept_free_by_the_parameters_that_declare_it(policy: str, expected: dict[str, float]) -> None:
    """The two shares beside the reply keep their proportions, 3 to 4."""
    setting = replace(NOW, policy=policy)
    kept, before = with_reply(pipeline(), setting, 900), all_values(pipeline(), setting)
    changed = {name: value for name, value in all_values(pipeline(), kept).items() if value != before[name]}
    assert {name: changed[name] for name in expected} == pytest.approx(expected, abs=2e-3)
    assert changed.keys() - expected.keys() <= {"response_ratio"}
    assert policy != "reserve" or int(changed["response_ratio"] * WINDOW) == 900


def test_shares_are_of_the_tokens_that_they_divide() -> None:
    kept = with_reply(pipeline(), replace(NOW, policy="ratio"), 900, divided=3_000)
    assert int(all_values(pipeline(), kept)["reserve_share"] * 3_000) == 900
    tiny = with_reply(pipeline(), replace(NOW, policy="slots", context_window=None), 900)
    assert all_values(pipeline(), tiny)["response_slot"] == 900
