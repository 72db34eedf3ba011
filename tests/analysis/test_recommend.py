"""Recommended settings: chats with a known best setting, what a search may see, and cells against single answers."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import inspector
from inspector.analysis.basis import Basis
from inspector.analysis.recall.ask import found_in
from inspector.analysis.recall.probes import evidence_of, scenario_of
from inspector.analysis.recommend import measure
from inspector.analysis.recommend.advice import Recommendation, Step, recommend
from inspector.analysis.recommend.answer import recommendation_value
from inspector.analysis.recommend.blocks import Asked, asked_of, find_probes
from inspector.analysis.recommend.chats import OpenChats
from inspector.analysis.recommend.climbing import Measuring, climb
from inspector.analysis.recommend.effect import Effect, effect_of
from inspector.analysis.recommend.folds import Kin, RecallTable, choose
from inspector.analysis.recommend.front import pareto, thinned
from inspector.analysis.recommend.interval import (
    bounded_interval,
    gain_interval,
    samples_needed,
    t_interval,
    t_quantile,
)
from inspector.analysis.recommend.learning import LearningPoint, enough
from inspector.analysis.recommend.measure import NO_PROMPT, gathered
from inspector.analysis.recommend.measured import Setting
from inspector.analysis.recommend.policy_rows import policy_rows
from inspector.analysis.recommend.search import Search, Terms, begin
from inspector.analysis.recommend.searched import Searched
from inspector.analysis.recommend.settings import (
    PARTS,
    Difference,
    all_values,
    differences,
    settings_to_try,
    with_reply,
)
from inspector.assembly.answer import planned_answer
from inspector.assembly.columns import Section
from inspector.assembly.cost import prompt_cost
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Conversation, Memory, MemorySet, Message, Probe, Workspace, changed
from inspector.plugins import policies
from inspector.tokens.models.loading import load_models

MESSAGES, OLD = 40, (3, 6, 9, 12)
CURRENT = Scenario(tokenizer="estimate:words", similarity="lexical", context_window=200)
TERMS = Terms((200,), 20, ("ratio", "window_rag"))
START = datetime(2026, 1, 1, tzinfo=UTC)
KIND_FOR = Pipeline(Workspace(), policies()[0], load_presets()).choices.kind


def chat(name: str, times: Sequence[datetime] = ()) -> Conversation:
    """A chat in which every message has a word of its own among nine that all have."""
    spread = times or [None] * MESSAGES
    messages = tuple(
        Message(f"m{n}", "assistant" if n % 2 else "user", f"word{name}{n} and so we spoke on of this", time=spread[n])
        for n in range(MESSAGES)
    )
    return Conversation(name, messages, origin="chats.json")


def about(chat: str, *numbers: int, asks: bool = True) -> list[Probe]:
    """A question to a chat for each of these messages, by its own word, or by a word that no message has."""
    return [Probe(f"{chat}-{n}", (f"m{n}",), chat, query=f"word{chat}{n}?" if asks else "hush") for n in numbers]


def pipeline_of(*names: str, memories: Sequence[Memory] = ()) -> Pipeline:
    workspace = Workspace(tuple(map(chat, names)), memory_sets=(MemorySet("default", tuple(memories)),))
    return Pipeline(workspace, policies()[0], load_presets())


def old_ones(*names: str) -> list[Probe]:
    return [probe for name in names for probe in about(name, *OLD)]


def advice_of(pipeline: Pipeline, probes: Sequence[Probe], terms: Terms = TERMS) -> Recommendation:
    *_, last = recommend(pipeline, CURRENT, probes, terms)
    assert last.found is not None
    assert last.found.is_whole
    return last.found


@cache
def usual() -> tuple[Pipeline, list[Probe], list[Step]]:
    """Three chats, what is asked of them, and the steps of a search for what is best."""
    pipeline, probes = pipeline_of(*"abc"), old_ones(*"abc")
    return pipeline, probes, list(recommend(pipeline, CURRENT, probes, TERMS))


def asked_probes(pipeline: Pipeline, probes: Sequence[Probe]) -> Asked:
    return asked_of([find_probes(pipeline, CURRENT, probes)])


def climbed(pipeline: Pipeline, probes: Sequence[Probe], terms: Terms = TERMS) -> Search:
    search = begin(pipeline, CURRENT, asked_probes(pipeline, probes), terms)
    list(climb(search, Measuring(OpenChats(pipeline))))
    return search


def test_what_only_retrieval_brings_back_is_found() -> None:
    found = advice_of(pipeline_of("a", "b", "c", "d"), old_ones("a", "b", "c", "d"))
    (advice,) = found.windows
    assert advice.best.scenario.policy == "window_rag"
    assert (advice.current.recall, advice.best.recall, advice.gain) == (0.0, 1.0, 100.0)
    assert advice.interval == (100.0, 100.0)
    assert advice.changes
    assert (advice.best.fits, advice.held_out_fits) == (1.0, 1.0)
    assert advice.ceiling is not None
    assert (advice.ceiling.found, advice.ceiling.newest) == (1.0, 0.0)


def test_where_nothing_is_better_the_current_setting_is_kept() -> None:
    newest = [probe for name in "abcd" for probe in about(name, 36, 37, 38, 39)]
    (advice,) = advice_of(pipeline_of(*"abcd"), newest).windows
    assert advice.best.scenario == advice.current.scenario == replace(CURRENT, context_window=200)
    assert (advice.gain, advice.changes, advice.binds) == (0.0, False, ())


def test_a_setting_that_leaves_the_reply_no_room_is_not_kept() -> None:
    pipeline, probes = pipeline_of(*"abc"), [probe for name in "abc" for probe in about(name, 38, 39)]
    *_, last = recommend(pipeline, replace(CURRENT, policy="naive"), probes, TERMS)
    assert last.found is not None
    (advice,) = last.found.windows
    assert (advice.current.fits, advice.best.fits, advice.changes) == (0.0, 1.0, True)


def test_a_conversation_that_is_left_out_has_no_part_in_what_is_chosen_for_it() -> None:
    """The one left out has most of the probes, so that whoever looks at it follows it."""
    pipeline, others = pipeline_of(*"abc"), old_ones("b", "c")
    recent = about("a", *range(24, 40), asks=False)
    found = [advice_of(pipeline, [*own, *others]).windows[0] for own in (recent, about("a", *range(24)))]
    chosen = [advice.gains[0].chosen for advice in found]
    assert chosen[0] == chosen[1]
    assert found[0].best.scenario != found[1].best.scenario  # with it, something else is best


def test_the_front_is_what_nothing_cheaper_holds_as_much_as() -> None:
    recall, tokens = np.array([0.5, 0.5, 0.4, 0.9, 0.7, 0.9]), np.array([10.0, 10.0, 20.0, 50.0, 40.0, 60.0])
    assert pareto(recall, tokens).tolist() == [0, 4, 3]
    assert pareto(np.empty(0), np.empty(0)).tolist() == []
    assert [thinned(count, 3).tolist() for count in (0, 1, 2, 7)] == [[], [0], [0, 1], [0, 3, 6]]


def test_a_window_has_the_front_of_what_recall_costs() -> None:
    pipeline, probes, steps = usual()
    assert steps[-1].found is not None
    (advice,) = steps[-1].found.windows
    tokens = [point.tokens or 0.0 for point in advice.front]
    recalls = [point.recall_with_memories for point in advice.front]
    assert len(advice.front) > 1
    assert tokens == sorted(tokens)
    assert recalls == sorted(set(recalls))
    assert advice.front[-1].recall_with_memories == advice.best.recall_with_memories
    point = advice.front[0]
    answers = [inspector.assemble(pipeline.workspace, scenario_of(point.scenario, probe)) for probe in probes]
    totals = [planned_answer(pipeline, make_all(pipeline, scenario_of(point.scenario, probe))) for probe in probes]
    assert point.tokens == pytest.approx(np.mean([answer.ledger.total for answer in totals]))
    assert not any(answer["error"] for answer in answers)
    assert point.fits == 1.0


def test_every_policy_has_its_best_setting_with_figures_of_its_own() -> None:
    pipeline, probes, _ = usual()
    terms = Terms((200,), 20, ("ratio", "window_rag", "slots", "langchain_trim"))
    found = advice_of(pipeline, probes, terms)
    (advice,) = found.windows
    assert advice.policies[0].policy == "window_rag"
    assert advice.policies[0].setting == advice.best
    assert (advice.policies[0].gains, advice.policies[0].interval) == (advice.gains, advice.interval)
    assert {each.policy for each in advice.policies} == {"ratio", "window_rag", "slots", "langchain_trim"}
    (now,) = (each for each in advice.policies if each.is_current)
    assert (now.setting, now.gains, now.interval) == (advice.current, (), None)
    for each in advice.policies:
        asked = inspector.recall(pipeline.workspace, each.setting.scenario, probes)
        assert each.setting.recall_with_memories == pytest.approx(asked["recall_with_memories"], abs=1e-6)
        assert each.recall is not None
        assert each.recall[0] <= each.setting.recall_with_memories + 1e-9
        assert each.setting.recall_with_memories <= each.recall[1] + 1e-9
        assert each.better <= len(each.gains) <= 3
    fitting = [each.setting.fits == 1 for each in advice.policies[1:]]
    assert fitting == sorted(fitting, reverse=True), "those that leave the reply no room come last"
    value = recommendation_value(found, KIND_FOR)["windows"][0]["policies"]
    assert [one["policy"] for one in value] == [each.policy for each in advice.policies]
    assert value[0]["held_on"] == value[0]["left_out"] == 3
    searched = Searched.of(pipeline, CURRENT, found)
    rows = policy_rows(searched, 0)
    assert rows[0].options.startswith("--policy window_rag")
    assert next(row for row in rows if row.advice.is_current).options == "keep the current setting"
    assert rows[0].values
    assert all(value.split()[0] in rows[0].words for value in rows[0].values)


def test_the_best_of_a_policy_is_chosen_for_a_block_without_that_block() -> None:
    """The one left out has most of the probes, so that whoever looks at it follows it."""
    pipeline, others = pipeline_of(*"abc"), old_ones("b", "c")
    chosen = []
    for own in (about("a", *range(24, 40), asks=False), about("a", *range(24))):
        (advice,) = advice_of(pipeline, [*own, *others], Terms((200,), 20, ("ratio", "slots", "window_rag"))).windows
        (slots,) = (each for each in advice.policies if each.policy == "slots")
        chosen.append(slots.gains[0].chosen)
    assert chosen[0] == chosen[1]


def test_a_policy_that_declares_only_the_limit_of_a_prompt_is_tried_within_the_room() -> None:
    settings = settings_to_try(pipeline_of("a"), CURRENT, 20, ("adaptive", "langchain_trim"))
    limits = {each.parameters["max_tokens"] for each in settings if "max_tokens" in each.parameters}
    assert limits == {int(180 * part) for part in PARTS}
    replies = {each.parameters.get("response_reserve") for each in settings if each.policy == "adaptive"}
    assert 20 in replies


@pytest.mark.parametrize("policy", ["ratio", "slots", "adaptive", "reserve", "window_rag"])
def test_a_setting_keeps_a_reply_where_its_policy_says_how(policy: str) -> None:
    pipeline = pipeline_of("a")
    setting = replace(CURRENT, policy=policy, context_window=2_000)
    divided = pipeline.assemble(make_all(pipeline, setting)).budget.available
    kept = with_reply(pipeline, setting, 300, divided)
    budget = pipeline.assemble(make_all(pipeline, kept)).budget
    assert budget.response_reserve == (0 if policy == "window_rag" else 300)
    assert (kept.policy, kept.context_window) == (policy, 2_000)
    if policy == "ratio":
        shares = [all_values(pipeline, kept)[name] for name in ("memory_share", "history_share", "reserve_share")]
        assert sum(shares) == pytest.approx(1)


def test_what_a_setting_does_to_the_open_prompt_is_said_in_a_sentence() -> None:
    pipeline = pipeline_of("a")
    wide, narrow = (replace(CURRENT, policy="slots", parameters={"history_slot": room}) for room in (160, 30))
    basis = Basis(pipeline, CURRENT)
    (effect,) = effect_of(basis, wide, narrow)
    assert isinstance(effect, Effect)
    before, after = effect.before.assembly.used, effect.after.assembly.used
    assert before[Section.HISTORY] > 2 * after[Section.HISTORY]
    assert f"{after[Section.HISTORY]:,} of {before[Section.HISTORY]:,} tokens of it stay" in effect.sentence
    assert "0 items come in and" in effect.sentence
    (same,) = effect_of(basis, wide, wide)
    assert isinstance(same, Effect)
    assert same.sentence == "In the open prompt it changes nothing."


def best_of(model: str) -> Setting:
    *_, last = recommend(pipeline_of(*"abc"), replace(CURRENT, model=model), old_ones(*"abc"), TERMS)
    assert last.found is not None
    return last.found.windows[0].best


def test_what_a_prompt_costs_is_the_mean_at_the_price_of_its_model() -> None:
    best = best_of("gpt-4o")
    assert best.tokens is not None
    assert best.cost == pytest.approx((prompt_cost(load_models().find("gpt-4o").row, 1_000) or 0) * best.tokens / 1_000)
    assert best_of("a-model-of-nobody").cost is None


def test_of_equal_settings_the_nearest_is_chosen() -> None:
    sums, largest = np.array([[7.0], [9.99], [10.0], [10.0]]), np.array([[9], [9], [9], [99]])
    table = RecallTable(
        50, 50, sums, largest, np.array([10]), [Kin(at, n) for n, at in enumerate([(0, 0), (0, 1), (4, 1), (0, 0)])]
    )
    assert choose(table, np.arange(4), np.array([0])) == 1
    assert choose(table, np.array([3]), np.array([0])) == 3  # none fits: the least over


def test_cells_are_what_single_assemblies_say() -> None:
    memories = [Memory(f"k{n}", f"of worda{n}", source_messages=(f"m{n}",), type="fact") for n in (3, 5, 20)]
    pipeline = pipeline_of("a", "b", memories=memories)
    probes = [*about("a", 3, 5, 39), Probe("two", ("m20", "k3"), "b", query="worda20")]
    settings = settings_to_try(pipeline, CURRENT, 20)
    random = np.random.default_rng(3)
    settings = [settings[0], *(settings[place] for place in random.permutation(len(settings))[:9])]
    cells = gathered(OpenChats(pipeline), settings, probes)
    sources = {memory.id: memory.source_messages for memory in memories}
    for row, setting in enumerate(settings):
        for column, probe in enumerate(probes):
            asked = scenario_of(setting, probe)
            answer = inspector.assemble(pipeline.workspace, asked)
            kept = (
                {item["id"] for item in answer["items"] if item["action"] == "kept"} if not answer["error"] else set()
            )
            cited = {name for memory in kept & sources.keys() for name in sources[memory]}
            need = set(probe.evidence)
            assert cells.recall[row, column] == pytest.approx(len(need & kept) / len(need))
            assert cells.with_memories[row, column] == pytest.approx(len(need & (kept | cited)) / len(need))
            planned = planned_answer(pipeline, make_all(pipeline, asked)).ledger.total
            assert cells.total[row, column] == (NO_PROMPT if answer["error"] else planned)


@pytest.mark.parametrize("at_once", [1, 100, 10_000])
def test_cells_are_the_same_however_many_probes_are_measured_together(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline, probes = pipeline_of("a", "b"), [*old_ones("a", "b"), Probe("early", ("m3",), "a", at=9)]
    settings = settings_to_try(pipeline, CURRENT, 20, ("window_rag", "codex_compact", "gemini_compress", "ratio"))[::9]
    apart = [gathered(OpenChats(pipeline), settings, [probe]) for probe in probes]
    monkeypatch.setattr(measure, "_ITEMS_AT_ONCE", at_once)
    together = gathered(OpenChats(pipeline_of("a", "b")), settings, probes)
    assert together.total.tolist() == np.concatenate([cells.total for cells in apart], axis=1).tolist()
    alone = np.concatenate([cells.with_memories for cells in apart], axis=1)
    assert together.with_memories.tolist() == alone.tolist()
    assert np.unique(alone).size > 1


WINDOWS = (2_048, 4_096, 8_192, 16_384)


@pytest.mark.parametrize(
    ("settings", "chats", "asked"), [(4, 2, 2), pytest.param(6, 5, 4, marks=pytest.mark.long)], ids=["64", "480"]
)
def test_cells_of_real_chats_are_what_assemblies_say(data_folder: Path, settings: int, chats: int, asked: int) -> None:
    """Settings drawn for each of four windows, each with questions drawn for each chat."""
    workspace = inspector.load(data_folder / "locomo" / "locomo5.json")
    pipeline, single = (Pipeline(workspace, policies()[0], load_presets()) for _ in range(2))
    random = np.random.default_rng(5)
    drawn = [one for window in WINDOWS for one in sampled(pipeline, window, settings, random)]
    names = [chat.id for chat in workspace.conversations[:chats]]
    probes = [probe for name in names for probe in asked_of_chat(workspace, name, asked, random)]
    cells = gathered(OpenChats(pipeline), drawn, probes)
    assert cells.total.shape == (len(WINDOWS) * settings, chats * asked)
    for column, probe in enumerate(probes):  # probe by probe: the other way around each chat is indexed again and again
        for row, setting in enumerate(drawn):
            case = make_all(single, scenario_of(setting, probe))
            answer = planned_answer(single, case)
            found = found_in(answer.assembly, evidence_of(single.plain_items(case), probe))
            assert cells.recall[row, column] == pytest.approx(found.recall)
            assert cells.with_memories[row, column] == pytest.approx(found.recall_with_memories)
            assert cells.total[row, column] == (NO_PROMPT if answer.assembly.error else answer.ledger.total)


def sampled(pipeline: Pipeline, window: int, count: int, random: np.random.Generator) -> list[Scenario]:
    settings = settings_to_try(pipeline, Scenario(context_window=window), 400)
    return [settings[place] for place in random.permutation(len(settings))[:count]]


def asked_of_chat(workspace: Workspace, name: str, count: int, random: np.random.Generator) -> list[Probe]:
    asked = [probe for probe in workspace.probes if probe.conversation == name and probe.evidence]
    return [asked[place] for place in random.permutation(len(asked))[:count]]


def test_workers_measure_what_is_measured_here() -> None:
    _, probes, steps = usual()
    with ThreadPoolExecutor(2) as executor:
        *_, apart = recommend(pipeline_of(*"abc"), CURRENT, probes, TERMS, executor=executor)
    assert apart.found == steps[-1].found


def test_what_nobody_waits_for_is_not_begun() -> None:
    pipeline, begun = pipeline_of(*"abc"), []

    class AtOnce(Executor):
        """Does the first part at once, and leaves the others waiting."""

        def submit(self, call: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
            future: Future[Any] = Future()
            if not begun:
                future.set_result(call(*given, **named))
            begun.append(future)
            return future

    steps = recommend(pipeline, CURRENT, old_ones(*"abc"), TERMS, executor=AtOnce())
    first = next(steps)
    steps.close()
    assert first.found is None
    assert 0 < first.done < first.total
    assert len(begun) == 3
    assert all(future.cancelled() for future in begun[1:])


def test_progress_never_goes_back_and_ends_at_its_total() -> None:
    *_, steps = usual()
    done = [step.done for step in steps]
    assert done == sorted(done)
    assert steps[-1].done == steps[-1].total


def test_one_conversation_is_cut_between_sittings_and_it_says_so() -> None:
    sittings = [START + timedelta(days=n // 10, minutes=n) for n in range(MESSAGES)]
    workspace = Workspace((chat("a", sittings),))
    pipeline = Pipeline(workspace, policies()[0], load_presets())
    asked = asked_probes(pipeline, about("a", *range(0, MESSAGES, 2)))
    assert asked.of_one
    assert asked.blocks.tolist() == [n // 5 for n in range(20)]
    notes = advice_of(pipeline, about("a", *OLD, 35)).notes
    assert notes[0].startswith("One conversation: its 3 parts are left out in turn")
    assert any(note.startswith("5 questions are few") for note in notes)


def test_a_single_probe_has_nothing_to_be_left_out() -> None:
    found = advice_of(pipeline_of("a"), about("a", 3))
    (advice,) = found.windows
    assert (advice.gains, advice.gain, advice.interval, advice.changes) == ((), None, None, False)
    assert recommendation_value(found, KIND_FOR)["windows"][0]["interval"] is None


def test_many_probes_of_a_single_sitting_have_nothing_to_be_left_out_either() -> None:
    """So many that the worse settings are given up after the first few."""
    sitting = [START + timedelta(minutes=n) for n in range(MESSAGES)]
    pipeline = Pipeline(Workspace((chat("a", sitting),)), policies()[0], load_presets())
    found = advice_of(pipeline, about("a", *range(0, MESSAGES, 2)))
    assert found.windows[0].gains == ()
    assert [each.gains for each in found.windows[0].policies] == [()] * len(found.windows[0].policies)
    assert found.notes[0].startswith("One conversation that cannot be divided")


def test_probes_that_cannot_be_asked_are_named() -> None:
    pipeline = pipeline_of("a", "b")
    lost = Probe("lost", ("m99",), "a")
    found = advice_of(pipeline, [*old_ones("a", "b"), lost])
    assert (found.probes, [one.id for one in found.skipped]) == (8, ["lost"])
    with pytest.raises(ValueError, match="no item is called m99"):
        list(recommend(pipeline, CURRENT, [lost], TERMS))


def test_the_knob_that_binds_is_named() -> None:
    """Four messages answer a question, and one may come back."""
    pipeline = pipeline_of(*"abc")
    probes = [
        changed(probe, evidence=("m3", "m6", "m9", "m12"), query=" ".join(f"word{probe.conversation}{n}" for n in OLD))
        for name in "abc"
        for probe in about(name, 3)
    ]
    current = replace(CURRENT, policy="window_rag", parameters={"per_source": 1, "history_budget": 40})
    *_, last = recommend(pipeline, current, probes, TERMS)
    assert last.found is not None
    assert "per_source" in last.found.windows[0].binds


def test_the_settings_are_the_same_every_time_and_none_is_refused() -> None:
    pipeline = pipeline_of("a")
    first, second = (settings_to_try(pipeline, CURRENT, 20) for _ in range(2))
    assert first == second
    assert first[0] == CURRENT
    assert len({repr(setting) for setting in first}) == len(first) > 100
    assert all(all_values(pipeline, setting) is not None for setting in first)


@pytest.mark.parametrize(
    ("degrees", "value"), [(1, 12.706), (2, 4.303), (4, 2.776), (9, 2.262), (30, 2.042), (999, 1.962)]
)
def test_quantiles_are_those_of_the_tables(degrees: int, value: float) -> None:
    assert t_quantile(0.975, degrees) == pytest.approx(value, abs=5e-4)


@given(st.lists(st.floats(0, 100), min_size=2, max_size=30), st.floats(0, 100))
def test_an_interval_keeps_to_its_bounds_and_holds_the_mean(recalls: list[float], current: float) -> None:
    gains = [recall - current for recall in recalls]
    low, high = bounded_interval(gains, -current, 100 - current) or (0.0, 0.0)
    assert -current - 1e-9 <= low <= np.mean(gains) + 1e-9
    assert np.mean(gains) - 1e-9 <= high <= 100 - current + 1e-9


def test_an_interval_near_a_bound_is_narrower_towards_it_and_far_from_any_it_is_students() -> None:
    low, high = bounded_interval([100.0, 100.0, 97.0, 90.0, 98.0], -1.0, 99.0) or (0.0, 0.0)
    student = t_interval([100.0, 100.0, 97.0, 90.0, 98.0])
    assert student is not None
    assert student[1] > 99 > high
    assert 97 - low > high - 97 > 0
    values = [50.0, 49.0, 51.0, 50.5, 49.5] * 4
    assert bounded_interval(values, 0.0, 100.0) == pytest.approx(t_interval(values), abs=1e-3)
    assert bounded_interval([0.0, 0.0, 0.0], 0.0, 100.0) == (0.0, 0.0)
    assert bounded_interval([1.0], 0.0, 100.0) is None


def test_a_gain_that_may_be_chance_holds_0_though_nothing_can_be_lost() -> None:
    assert (gain_interval([0.0, 0.0, 30.0], 0.0) or (1.0, 0.0))[0] == 0
    low, high = gain_interval([96.0, 100.0, 99.0], 0.0) or (0.0, 0.0)
    assert 0 < low < 98 < high <= 100
    assert gain_interval([], 0.0) is None


def test_an_interval_needs_two_values() -> None:
    assert t_interval([1.0]) is None
    assert t_interval([1.0, 3.0]) == pytest.approx((2 - 12.7062, 2 + 12.7062), abs=1e-3)


@pytest.mark.parametrize(("effect", "number"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_samples_needed_are_those_of_the_tables(effect: float, number: int) -> None:
    """A t test of one mean, two-sided, at 5 % with a power of 80 %, for Cohen's small, medium and large effects."""
    assert samples_needed([1 - 1 / effect, 1, 1 + 1 / effect]) == number


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=12), st.floats(0.01, 1000))
def test_samples_needed_do_not_depend_on_the_unit(values: list[float], unit: float) -> None:
    if np.mean(values) < 0.1:
        with pytest.raises(ValueError, match="above 0"):
            samples_needed([-abs(value) for value in values])
        return
    number, again = (samples_needed(some) for some in (values, [unit * value for value in values]))
    assert number is None or again is None or abs(number - again) <= 1, "but for the rounding of a sum"
    assert number is None or number >= 2


def test_enough_probes_are_the_fewest_that_come_as_far() -> None:
    curve = tuple(LearningPoint(n, recall) for n, recall in ((10, 0.5), (25, 0.797), (50, 0.79), (100, 0.8)))
    assert (enough(curve), enough(())) == (25, None)


def test_the_package_answers_what_the_contract_names() -> None:
    workspace = pipeline_of(*"abc").workspace
    told: list[tuple[int, int]] = []
    value = inspector.recommend(
        workspace,
        old_ones(*"abc"),
        CURRENT,
        windows=[200],
        reply=20,
        policies=["ratio", "window_rag"],
        on_progress=lambda done, total: told.append((done, total)),
    )
    assert value["format"] == "prompt-inspector/recommendation@1"
    assert told
    assert value.keys() >= {"reply", "margin", "probes", "windows"}
    (window,) = value["windows"]
    assert window.keys() >= {
        *("context_window", "verdict", "current", "best", "gain", "interval", "per_conversation"),
        *("binds", "baseline", "gain_over_baseline", "ceiling", "margin", "margin_cost"),
    }
    recalled = inspector.recall(workspace, window["best"]["scenario"], old_ones(*"abc"))
    assert recalled["recall_with_memories"] == window["best"]["recall_with_memories"]


def test_what_a_setting_does_otherwise_is_named_with_what_is_now() -> None:
    pipeline = pipeline_of("a")
    tuned = replace(CURRENT, parameters={"memory_share": 0.2}, similarity="hybrid")
    assert differences(pipeline, CURRENT, CURRENT) == ()
    usual = all_values(pipeline, CURRENT)["memory_share"]
    found = differences(pipeline, CURRENT, tuned)
    assert found == (Difference("similarity", "lexical", "hybrid"), Difference("memory_share", usual, 0.2))
    other = differences(pipeline, CURRENT, replace(CURRENT, policy="naive"))
    assert other == (Difference("policy", "ratio", "naive"),)
