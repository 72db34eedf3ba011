"""The cost of recommended settings with the provider's prompt cache."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.analysis.recommend.advice import WindowAdvice, recommend
from inspector.analysis.recommend.answer import recommendation_value
from inspector.analysis.recommend.blocks import asked_of, find_probes
from inspector.analysis.recommend.cached import cheapest, with_cached_costs
from inspector.analysis.recommend.chats import OpenChats
from inspector.analysis.recommend.measured import Setting
from inspector.analysis.recommend.search import Terms
from inspector.analysis.replay.ask import replay
from inspector.assembly.cost import prompt_cost
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Conversation, Message, Probe, Workspace
from inspector.plugins import policies
from inspector.tokens.models.loading import load_models

_START = datetime.fromisoformat("2026-01-01T08:00:00+00:00")
_GROWS = Scenario(policy="naive", model="claude-sonnet-4-5", tokenizer="estimate:words", context_window=200_000)
_SLIDES = replace(_GROWS, policy="langchain_trim", parameters={"max_tokens": 4_000})
KIND_FOR = Pipeline(Workspace(), policies()[0], load_presets()).choices.kind


def _chat(name: str, messages: int = 40, minutes: float = 1) -> Conversation:
    said = (
        Message(
            f"m{number}",
            ("user", "assistant")[number % 2],
            f"word{name}{number} " + " ".join(f"w{number}x{place}" for place in range(300)),
            time=_START + timedelta(minutes=minutes * number),
        )
        for number in range(messages)
    )
    return Conversation(name, tuple(said))


def _pipeline(*names: str, minutes: float = 1) -> Pipeline:
    chats = tuple(_chat(name, minutes=minutes) for name in names)
    return Pipeline(Workspace(chats), policies()[0], load_presets())


def _probes(*names: str) -> list[Probe]:
    return [Probe(f"{name}{at}", (f"m{at}",), name, query=f"word{name}{at}?") for name in names for at in (30, 34, 38)]


def _priced(pipeline: Pipeline, scenarios: Sequence[Scenario], *names: str, cost: float | None = 1.0) -> list[Setting]:
    settings = [Setting(scenario, 1.0, 1.0, 1.0, 1_000, cost) for scenario in scenarios]
    return with_cached_costs(OpenChats(pipeline), settings, _probes(*names))


def test_a_growing_prompt_costs_less_with_the_cache_and_a_sliding_one_more() -> None:
    grows, slides = _priced(_pipeline("a"), [_GROWS, _SLIDES], "a")
    assert grows.cost_cached is not None
    assert slides.cost_cached is not None
    assert grows.cost_cached < 0.4
    assert slides.cost_cached == pytest.approx(1.25, abs=0.01)
    assert (grows.paid, grows.cost) == (grows.cost_cached, 1.0)


def test_the_share_is_that_of_the_last_prompts_of_a_whole_replay() -> None:
    pipeline = _pipeline("a")
    (found,) = _priced(pipeline, [_GROWS], "a")
    whole = replay(pipeline, _GROWS)
    last = np.flatnonzero(whole.is_sent)[-11:]
    assert found.cost_cached == pytest.approx(whole.cached_costs[last].sum() / whole.costs[last].sum())


def test_with_hours_between_messages_nothing_is_read() -> None:
    (found,) = _priced(_pipeline("a", minutes=60), [_GROWS], "a")
    assert found.cost_cached == pytest.approx(1.25, abs=0.01)


def test_without_a_rule_or_a_price_no_cost_with_a_cache_is_said() -> None:
    other = replace(_GROWS, model="mistral-large-2411")
    assert _priced(_pipeline("a"), [other], "a")[0].cost_cached is None
    (found,) = _priced(_pipeline("a"), [_GROWS], "a", cost=None)
    assert (found.cost_cached, found.paid) == (None, None)
    (same,) = _priced(_pipeline("a"), [other], "a")
    assert same.paid == same.cost


def test_equal_settings_cost_the_same() -> None:
    first, other, second = _priced(_pipeline("a", "b"), [_SLIDES, _GROWS, replace(_SLIDES)], "a", "b")
    assert first == second
    assert other != first


def test_a_recommendation_has_the_costs_of_all_its_settings() -> None:
    pipeline = _pipeline("a", "b")
    *_, last = recommend(pipeline, _SLIDES, _probes("a", "b"), Terms((6_000,), 200, ("langchain_trim", "slots")))
    assert last.found is not None
    (advice,) = last.found.windows
    assert all(setting.cost_cached is not None for setting in advice.settings)
    assert _money_rises(advice)
    value = recommendation_value(last.found, KIND_FOR)
    assert value["windows"][0]["front"][-1]["cost_cached"] > 0


def _money_rises(advice: WindowAdvice) -> bool:
    paid = [setting.paid or 0.0 for setting in advice.front]
    return paid == sorted(paid)


def test_a_prompt_costs_the_price_of_its_own_model() -> None:
    pipeline = _pipeline("a")
    asked = asked_of([find_probes(pipeline, _GROWS, _probes("a"))])
    nobody = replace(asked, prices=(asked.prices[0], None, asked.prices[2]))
    totals = np.array([[1_000, 2_000, 3_000], [10, 20, 30]])
    found = nobody.costs(np.arange(3), totals)
    assert np.isnan(found[:, 1]).all()
    row = load_models().find("claude-sonnet-4-5").row
    assert found[:, [0, 2]].ravel().tolist() == pytest.approx([prompt_cost(row, n) for n in (1_000, 3_000, 10, 30)])


_FRONTS = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=8)


@given(_FRONTS)
def test_of_a_front_those_stay_that_nothing_beats_for_less_money(points: list[tuple[float, float]]) -> None:
    front = [
        Setting(_GROWS, recall, recall, 1.0, place, 1.0, paid) for place, (recall, paid) in enumerate(sorted(points))
    ]
    kept = cheapest(front)
    assert bool(kept) == bool(front)
    assert [setting for setting in front if setting in kept] == list(kept), "in the same order"
    for setting in front:
        assert any(
            each.recall_with_memories >= setting.recall_with_memories and (each.paid or 0) <= (setting.paid or 0)
            for each in kept
        )


def test_a_front_with_an_unknown_cost_stays_whole() -> None:
    front = [Setting(_GROWS, 0.5, 0.5, 1.0, 10, 1.0, 2.0), Setting(_SLIDES, 0.9, 0.9, 1.0, 20, 1.0, None)]
    assert cheapest(front) == tuple(front)
