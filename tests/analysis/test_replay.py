"""Replays: each turn is what a fresh assembly makes of it, under every policy; and what follows from two turns."""

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.analysis.basis import Basis, Share
from inspector.analysis.replay.ask import LONGEST, NOTHING, Replay, replay, replayed_turns, replays, steps_of
from inspector.analysis.replay.falling import fell
from inspector.analysis.replay.moments import moments_of
from inspector.analysis.replay.prefix import UnitReader, shared_prefix
from inspector.analysis.replay.tables import replay_value
from inspector.analysis.replay.words import broken, first_break_sentence, prefix_sentence, summary_sentence
from inspector.assembly.answer import Answer, complete_answer, planned_answer
from inspector.assembly.columns import Action, Kind, State
from inspector.assembly.decisions import Assembly
from inspector.assembly.lacking import make_all
from inspector.assembly.numbers import called
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import (
    Call,
    Character,
    Conversation,
    Lorebook,
    LoreEntry,
    Memory,
    MemorySet,
    Message,
    Result,
    Text,
    Workspace,
)
from inspector.plugins import policies
from inspector.steps import AbandonedError, while_wanted
from inspector.tokens.chat.frames import frames_of

WORDS = ["coral", "river", "boat", "morning", "dream", "garden", "piano", "birthday", "letter", "mountain"]
START = datetime.fromisoformat("2026-01-01T08:00:00+00:00")
MESSAGES = 60


def words(choose: random.Random, most: int) -> str:
    return " ".join(choose.choices(WORDS, k=choose.randint(2, most)))


def message(choose: random.Random, number: int) -> Message:
    text, said = words(choose, 30), {"id": f"m{number}", "time": START + timedelta(hours=number)}
    if number % 12 == 5:
        return Message(role="assistant", parts=(Text(text), Call(f"call{number}", "look", '{"at": "sea"}')), **said)
    if number % 12 == 6:
        return Message(role="tool", parts=(Result(f"call{number - 1}", content=text),), **said)
    return Message(role="assistant" if number % 2 else "user", content=text, **said)


def talk() -> Workspace:
    """A dated talk with memories of all its days, lore, and tools; the draft and later memories are not there then."""
    choose = random.Random(7)
    remembered = tuple(
        Memory(f"k{n}", words(choose, 12), type="fact", priority=n * 5 % 100, time=START + timedelta(hours=5 * n))
        for n in range(12)
    )
    lore = tuple(LoreEntry(f"l{n}", words(choose, 12), keys=(WORDS[n],)) for n in range(3))
    return Workspace(
        conversations=(Conversation("talk", tuple(message(choose, n) for n in range(MESSAGES))),),
        memory_sets=(MemorySet("own", remembered),),
        lorebooks=(Lorebook("book", lore),),
        characters=(Character("nova", "Nova", "be kind and remember"),),
    )


def plain_talk() -> Workspace:
    """The messages alone."""
    return Workspace(conversations=talk().conversations)


PRESETS = load_presets()


def pipeline_of(workspace: Workspace) -> Pipeline:
    return Pipeline(workspace, policies()[0], PRESETS)


def scenario_of(policy: str, preset: str, window: int = 240) -> Scenario:
    window += 1_000 * (policy == "continue_prune")  # as much of its reply is kept free
    return Scenario(policy=policy, preset=preset, model="gpt-4o", tokenizer="estimate:words", context_window=window)


def fresh(scenario: Scenario, turn: int, workspace: Workspace | None = None) -> Answer:
    """The answer of a turn, made by a pipeline that knows nothing else."""
    pipeline, at_turn = pipeline_of(workspace or talk()), replace(scenario, at=turn, as_of=True, draft=None)
    return planned_answer(pipeline, make_all(pipeline, at_turn))


def warnings(answer: Answer) -> list[str]:
    return list(dict.fromkeys(finding.code for finding in answer.findings if finding.severity != "info"))


@pytest.mark.parametrize(("policy", "preset"), sorted(PRESETS))
def test_each_turn_is_what_a_fresh_assembly_makes_of_it(policy: str, preset: str) -> None:
    scenario = replace(scenario_of(policy, preset), draft="what of the piano?", at=3)
    found = replay(pipeline_of(talk()), scenario)
    assert found.turns.tolist() == list(range(1, MESSAGES + 1))
    for turn in random.Random(policy + preset).sample(range(2, MESSAGES + 1), 3):
        before, answer = fresh(scenario, turn - 1), fresh(scenario, turn)
        place = found.place(turn)
        assert found.refused[place] == (answer.assembly.error is not None)
        assert list(found.findings[place]) == warnings(answer)
        if answer.assembly.error is not None or before.assembly.error is not None:
            continue
        assert found.tokens[place].tolist() == answer.assembly.used.tolist()
        assert found.totals[place] == answer.ledger.total
        assembly, fall = answer.assembly, found.falls[place]
        assert found.reserve[place] == assembly.budget.response_reserve
        messages = assembly.in_prompt[assembly.candidates.items.first_message :]
        assert found.oldest[place] == (int(np.flatnonzero(messages)[0]) if messages.any() else NOTHING)
        gone = [row for row in range(len(assembly.action)) if is_fall(before.assembly, assembly, row)]
        assert fall.rows.tolist() == fell(before.assembly, assembly).tolist() == gone
        for column, of in (
            (fall.actions, assembly.action),
            (fall.left, assembly.left),
            (fall.needed, assembly.charges),
        ):
            assert column.tolist() == of[gone].tolist()


def is_fall(before: Assembly, after: Assembly, row: int) -> bool:
    """Whether an item that exists at both turns was whole and no longer is, or was in the prompt and is not."""
    if State.NOT_YET in (before.candidates.state[row], after.candidates.state[row]):
        return False
    was, became = Action(before.action[row]), Action(after.action[row])
    return (was == Action.KEPT and became != Action.KEPT) or (was != Action.DROPPED and became == Action.DROPPED)


def test_items_that_fall_from_one_policy_to_another_are_found_again_by_their_ids() -> None:
    mara = Character("mara", "Mara", "be kind", directive="speak plainly", greeting="Hello there")
    workspace = Workspace(conversations=talk().conversations, memory_sets=talk().memory_sets, characters=(mara,))
    fallen_of_others = 0
    naive, ratio, reserve = (("naive", "document"), ("ratio", "document"), ("reserve", "document"))
    greets = ("window_rag", "scribe-2025.08")
    for pair in ((naive, ratio), (naive, reserve), (naive, greets), (greets, ratio), (ratio, greets)):
        pipeline = pipeline_of(workspace)
        before, after = (pipeline.assemble(make_all(pipeline, scenario_of(*one))) for one in pair)
        was = dict(zip(before.candidates.ids, before.action.tolist(), strict=True))
        is_now = dict(zip(after.candidates.ids, after.action.tolist(), strict=True))
        fallen = {
            name
            for name in was.keys() & is_now.keys()
            if (was[name] == Action.KEPT < is_now[name]) or (was[name] < Action.DROPPED == is_now[name])
        }
        assert {after.candidates.ids[row] for row in fell(before, after)} == fallen, pair
        fallen_of_others += len(fallen) * (before.candidates.items is not after.candidates.items)
    assert fallen_of_others


CLEARED = {"clear_tool_inputs": True, "keep": 1}


@pytest.mark.parametrize(
    ("policy", "preset", "parameters"),
    [
        *((*key, {}) for key in sorted(PRESETS)),
        ("anthropic_context_editing", "document", {**CLEARED, "trigger_input_tokens": 1}),
        ("langchain_clear_tools", "document", {**CLEARED, "trigger": 1}),
    ],
)
def test_the_units_of_a_prompt_come_to_its_planned_total(policy: str, preset: str, parameters: dict[str, Any]) -> None:
    answer = fresh(replace(scenario_of(policy, preset), parameters=parameters), MESSAGES)
    assert answer.assembly.error is None
    units = UnitReader(answer.model.chat_format, ()).units(answer.assembly)
    reply = frames_of(answer.model.chat_format, answer.assembly.candidates.counts.tokenizer).reply()
    assert units.tokens + reply * bool(len(units)) == answer.ledger.total
    assert shared_prefix(units, units).tokens == units.tokens


def all_turns(policy: str = "ratio", window: int = 400, workspace: Workspace | None = None) -> Replay:
    return replay(pipeline_of(workspace or plain_talk()), scenario_of(policy, "document", window))


def test_the_horizon_reaches_back_to_the_oldest_message_of_the_prompt() -> None:
    found = all_turns()
    assembly = fresh(found.case.scenario, 40, plain_talk()).assembly
    assert found.horizon[found.place(40)] == 40 - int(np.flatnonzero(assembly.in_prompt)[0])


def test_the_turn_at_which_an_item_first_falls_out_is_the_first_that_drops_it() -> None:
    found = all_turns()
    turn = int(found.fell_at[0])
    actions = [fresh(found.case.scenario, at, plain_talk()).assembly.action[0] for at in (turn - 1, turn)]
    assert actions == [Action.KEPT, Action.DROPPED]
    assert found.next_drop(turn - 1) == turn
    assert found.fell_at[MESSAGES - 1] == NOTHING, "the last message is answered, and stays"
    assert found.next_drop(MESSAGES) is None


def test_what_is_made_later_did_not_fall() -> None:
    found = all_turns(workspace=talk())
    turn = 30
    later = fresh(found.case.scenario, turn).assembly.candidates.state == State.NOT_YET
    assert later.any()
    for fall in found.falls[:turn]:
        assert not later[fall.rows].any()


def test_a_prompt_that_only_grows_shares_all_of_the_one_before() -> None:
    found = all_turns("naive", 100_000)
    sent = np.flatnonzero(found.is_sent)
    assert not found.is_broken.any()
    reply = int(found.totals[sent[0]] - found.shared[sent[0] + 1])
    for before, after in pairwise(sent.tolist()):
        assert found.shared[after] == found.totals[before] - reply


def test_a_cut_of_the_oldest_message_breaks_the_prefix_where_the_history_begins() -> None:
    found = all_turns()
    place = int(np.flatnonzero(found.is_broken & found.is_sent)[0])
    assert (found.was[place], found.breaks[place] > 0) == (0, True)
    assert found.shared[place] < found.totals[place] / 10


NONE = -1


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        (0, 4, "{later} stands where {first} stood"),
        (0, NONE, "the prompt ends where {first} stood"),
        (NONE, 4, "{later} stands where the last prompt ended"),
        (4, 4, "the text at {later} differs"),
        (NONE, NONE, "a text that is no item differs, such as a summary"),
    ],
)
def test_a_broken_prefix_is_said_plainly(was: int, now: int, said: str) -> None:
    found = all_turns()
    place = int(np.flatnonzero(found.is_broken & found.is_sent)[0])
    rows, breaks, unshared = np.full((3, len(found)), NONE)
    rows[place], breaks[place], unshared[place] = was, now, 1
    words = said.format(first=called(found.candidates, 0), later=called(found.candidates, 4))
    told_now = replace(found, was=rows, breaks=breaks, unshared=unshared)
    assert f"; then {words}." in prefix_sentence(told_now, place)
    turn = int(found.turns[place])
    assert first_break_sentence(told_now) == f"The prefix first breaks at turn {turn}: {words}."


def test_memories_before_the_history_break_the_prefix_in_front_of_it() -> None:
    found = all_turns(window=4_000, workspace=talk())
    rows = found.breaks[found.is_broken & found.is_sent]
    assert Kind.MEMORY in {Kind(int(found.candidates.kind[row])) for row in rows}


def test_only_prompts_that_were_sent_are_paid_for() -> None:
    found = all_turns("naive", 100_000)
    assert found.is_sent[0]
    assert found.is_sent[-1]
    assert not found.is_sent[1], "after a reply nothing is sent before the next message of the user"
    spending = found.spending()
    assert spending is not None
    assert spending.without == pytest.approx(found.costs[found.is_sent].sum())
    assert spending.cached == pytest.approx(found.cached_costs[found.is_sent].sum())


def test_without_a_price_no_money_is_said() -> None:
    scenario = replace(
        scenario_of("naive", sorted(p for of, p in load_presets() if of == "naive")[0]), model="nobody's"
    )
    assert replay(pipeline_of(talk()), scenario).spending() is None


def test_one_of_so_many_turns_ends_with_the_last() -> None:
    pipeline, scenario = pipeline_of(talk()), scenario_of("ratio", "document")
    few, all_of_them = replay(pipeline, scenario, every=7), replay(pipeline, scenario)
    assert few.turns[-1] == MESSAGES
    assert few.is_sent.all()
    assert len(few) == pytest.approx(MESSAGES / 7, abs=2)
    assert few.totals.tolist() == all_of_them.totals[few.turns - 1].tolist()
    assert few.place(few.turns[2] + 1) == 2


@given(st.lists(st.booleans(), max_size=40), st.integers(1, 50))
def test_some_turns_are_spread_over_those_with_a_prompt(sent: list[bool], every: int) -> None:
    is_sent = np.array([*sent, True], np.bool_)
    turns = replayed_turns(is_sent, every)
    assert turns[-1] == len(is_sent)
    assert (np.diff(turns) > 0).all()
    if every == 1:
        assert turns.tolist() == list(range(1, len(is_sent) + 1))
        return
    assert is_sent[turns - 1].all()
    for turn in (np.flatnonzero(is_sent) + 1).tolist():
        assert np.abs(turns - turn).min() < every, "a stretch is passed over"


@pytest.mark.parametrize(("tokenizer", "mark"), [("embedded:o200k_base", ""), ("estimate:chorus", "≈ ")])
def test_what_follows_from_estimated_tokens_is_marked(tokenizer: str, mark: str) -> None:
    said = (Message(f"m{n}", ("user", "assistant")[n % 2], "a long morning by the river " * 30) for n in range(10))
    pipeline = pipeline_of(Workspace((Conversation("c", tuple(said)),)))
    found = replay(pipeline, replace(scenario_of("naive", "document", 9_000), tokenizer=tokenizer))
    assert f" of {mark}{int(found.totals[9]):,} tokens begin " in prefix_sentence(found, 9)
    assert f"prefix, {mark}$" in summary_sentence(found)
    assert f"of prompts, {mark}$" in summary_sentence(found)


def test_one_of_two_turns_tells_what_all_prompts_cost() -> None:
    said = (Message(f"m{n}", ("user", "assistant")[n % 2], words(random.Random(n), 9)) for n in range(40))
    pipeline = pipeline_of(Workspace((Conversation("c", tuple(said)),)))
    scenario = scenario_of("naive", "document", 90)
    whole, half, few = (replay(pipeline, scenario, every=every) for every in (1, 2, 9))
    assert (half.has_all_sent, half.spending(), broken(half)) == (True, whole.spending(), broken(whole))
    assert summary_sentence(half) == summary_sentence(whole)
    assert not few.has_all_sent
    assert "$" not in summary_sentence(few)
    assert f"{int(few.is_sent.sum())} of 21 sent prompts" in summary_sentence(few)
    assert [replay_value(moments_of(few))[key] for key in ("broken", "cost", "cost_cached")] == [None] * 3


def test_a_conversation_without_messages_has_no_turns() -> None:
    pipeline = pipeline_of(Workspace(conversations=(Conversation("none", ()),)))
    found = replay(pipeline, scenario_of("ratio", "document"))
    assert len(found) == 0
    assert found.next_drop(0) is None


def test_a_refused_turn_is_no_step() -> None:
    scenario = replace(scenario_of("ratio", "document"), parameters={"memory_share": 0.9})
    found = replay(pipeline_of(talk()), scenario)
    assert found.refused.all()
    assert found.totals.sum() == 0
    assert not any(len(fall.rows) for fall in found.falls)


def test_a_replay_that_nobody_wants_stops() -> None:
    answers: Iterator[bool] = iter([True] * 20)
    with pytest.raises(AbandonedError), while_wanted(lambda: next(answers, False)):
        replay(pipeline_of(talk()), scenario_of("ratio", "document"))


def test_progress_is_told_for_each_turn() -> None:
    steps = list(replays(Basis(pipeline_of(talk()), scenario_of("ratio", "document")), every=20))
    assert [(step.done, step.of) for step in steps[:-1] if isinstance(step, Share)] == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_a_long_conversation_is_replayed_roughly_first_and_never_in_too_many_turns() -> None:
    assert steps_of(150) == (1,)
    assert steps_of(5_000) == (25, 1)
    first, finest = steps_of(100_000)
    assert first > finest
    assert 100_000 / finest <= LONGEST


ANY_ASSEMBLY = fresh(scenario_of("ratio", "document"), 5, plain_talk()).assembly


@pytest.mark.parametrize("seed", range(20))
def test_what_falls_is_what_is_said_of_each_item(seed: int) -> None:
    size, choose = len(ANY_ASSEMBLY.action), np.random.default_rng(seed)

    def other() -> Assembly:
        """The assembly with other actions; what does not take part is dropped."""
        state = choose.integers(0, len(State), size).astype(np.uint8)
        action = choose.integers(0, len(Action), size).astype(np.uint8)
        action[state != State.OPEN] = Action.DROPPED
        return replace(ANY_ASSEMBLY, action=action, candidates=replace(ANY_ASSEMBLY.candidates, state=state))

    before, after = other(), other()
    assert fell(before, after).tolist() == [row for row in range(size) if is_fall(before, after, row)]


@pytest.mark.parametrize("policy", ["naive", "adaptive", "ratio"])
@pytest.mark.parametrize("remembered", [0, 4])
def test_totals_that_are_not_marked_as_planned_are_what_the_whole_prompt_counts(policy: str, remembered: int) -> None:
    messages = tuple(Message(f"m{n}", ("user", "assistant")[n % 2], f"The boat {n} is late.") for n in range(8))
    memories = MemorySet("s", tuple(Memory(f"k{n}", f"Ines sails boat {n}.") for n in range(remembered)))
    workspace = Workspace((Conversation("c", messages),), memory_sets=(memories,))
    scenario = Scenario(policy=policy, model="gpt-4o", context_window=2_000)
    found = replay(Pipeline(workspace, policies()[0], load_presets()), scenario)
    for place, turn in enumerate(found.turns.tolist()):
        pipeline = Pipeline(workspace, policies()[0], load_presets())
        whole = complete_answer(pipeline, replace(scenario, at=turn, as_of=True)).ledger.total
        assert found.estimated[place] or found.totals[place] == whole
    assert found.estimated.any() == bool(remembered), "memories stand in one message, and are counted apart"
