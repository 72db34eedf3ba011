"""Compactions of a replay: those of an assembly of each turn by itself, with what they lost and the broken prefix."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.analysis.replay.ask import Replay, replay
from inspector.analysis.replay.drawing import replay_drawings
from inspector.analysis.replay.events import event_sentences
from inspector.analysis.replay.moments import moments_of
from inspector.analysis.replay.shortening import new_events
from inspector.analysis.replay.tables import replay_value
from inspector.assembly.answer import planned_answer
from inspector.assembly.compaction import END, Event
from inspector.assembly.decisions import Assembly
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.drawings.drawing import MarkLook
from inspector.model import Call, Conversation, Message, Result, Text, Workspace
from inspector.plugins import policies

MESSAGES = 32
LIVED: dict[str, dict[str, Any]] = {
    "codex_compact": {"user_message_tokens": 8, "summary_size": 12},
    "cline_compact": {"preserve_recent_tokens": 12, "summary_size": 12},
    "anthropic_compaction": {"trigger": 60, "summary_size": 12},
    "roo_context": {"max_tokens": 3, "condense_percent": 80.0, "summary_size": 12},
    "openhands_condenser": {"max_size": 9, "summary_size": 12},
    "llamaindex_summary_buffer": {"token_limit": 30, "summary_text": "a summary of it"},
}
"""Policies whose sessions are lived through, at settings that compact a few times; a later turn keeps each event."""


def message(number: int) -> Message:
    text, name = " ".join(f"w{number}x{word}" for word in range(6 + number % 5)), f"m{number}"
    if number % 4 == 1:
        return Message(role="assistant", parts=(Text(text), Call(f"c{number}", "look", '{"at": "sea"}')), id=name)
    if number % 4 == 2:
        return Message(role="tool", parts=(Result(f"c{number - 1}", content=text),), id=name)
    return Message(role="assistant" if number % 4 else "user", content=text, id=name)


def pipeline() -> Pipeline:
    conversation = Conversation("c1", tuple(map(message, range(MESSAGES))))
    return Pipeline(Workspace(conversations=(conversation,)), policies()[0], load_presets())


def scenario_of(policy: str, parameters: dict[str, Any], model: str | None = None) -> Scenario:
    return Scenario(
        policy=policy, parameters=parameters, tokenizer="estimate:words", context_window=120, model=model or "gpt-4o"
    )


def alone(scenario: Scenario, turn: int) -> Assembly:
    """The assembly of a turn, made by a pipeline that knows nothing else."""
    made = pipeline()
    return planned_answer(made, make_all(made, replace(scenario, at=turn, as_of=True))).assembly


def told(assembly: Assembly) -> set[str]:
    """The ids of the messages that a summary tells."""
    into = assembly.into if assembly.into is not None else []
    return {name for name, number in zip(assembly.candidates.ids, into, strict=False) if number}


@pytest.mark.parametrize("policy", LIVED)
def test_the_events_of_a_replay_are_those_of_the_whole_session_each_at_its_first_sent_prompt(policy: str) -> None:
    scenario = scenario_of(policy, LIVED[policy])
    found = replay(pipeline(), scenario)
    assert tuple(one.event for one in found.events) == alone(scenario, MESSAGES).events
    assert len(found.events) > 1
    sent = found.turns[found.is_sent].tolist()
    for one in found.events:
        turn = int(found.turns[one.place])
        before = max((each for each in sent if each < turn), default=0)
        now, earlier = alone(scenario, turn), alone(scenario, before) if before else None
        assert one.event in now.events
        assert earlier is None or one.event not in earlier.events
        names = {found.candidates.ids[row] for row in one.folded.tolist()}
        assert names == told(now) - (told(earlier) if earlier else set())
        lost = {found.candidates.ids[row] for row in one.lost.tolist()}
        was = earlier.action.tolist() if earlier else []
        less = [row for row, action in enumerate(was) if now.action[row] > action and not earlier_absent(earlier, row)]
        assert lost == {found.candidates.ids[row] for row in less}


def earlier_absent(earlier: Assembly | None, row: int) -> bool:
    """Whether a message was not said yet at the earlier turn."""
    return earlier is not None and not earlier.in_prompt[row]


@pytest.mark.parametrize("policy", LIVED)
def test_a_compaction_breaks_the_prefix_by_the_rest_of_the_prompt_before(policy: str) -> None:
    found = replay(pipeline(), scenario_of(policy, LIVED[policy]))
    sent = np.flatnonzero(found.is_sent)
    reply = int(found.totals[sent[0]] - found.shared[sent[0] + 1] - found.unshared[sent[0] + 1])
    for place in moments_of(found).places.tolist():
        before = int(sent[np.searchsorted(sent, place) - 1])
        assert found.shared[place] + found.unshared[place] == found.totals[before] - reply
        assert found.is_broken[place] == (found.unshared[place] > 0)


def test_a_summary_that_takes_the_place_of_a_summary_breaks_the_prefix() -> None:
    found = replay(pipeline(), scenario_of("anthropic_compaction", {"trigger": 1, "summary_size": 12}))
    places = moments_of(found).places[1:]
    assert len(places) > 5
    assert found.is_broken[places].all(), "no item stands in either prompt, and still nothing goes on"


def test_a_policy_that_never_compacts_has_no_events() -> None:
    found = replay(pipeline(), scenario_of("naive", {}))
    assert (found.events, event_sentences(moments_of(found)), replay_value(moments_of(found))["events"]) == ((), [], [])


def test_results_cleared_anew_for_each_request_are_an_event_only_when_more_are_cleared() -> None:
    parameters = {"trigger": {"input_tokens": 20}, "keep": 1, "placeholder": "gone"}
    found = replay(pipeline(), scenario_of("anthropic_context_editing", parameters))
    cleared = [one.event.rows for one in found.events]
    assert len(cleared) > 2
    assert all(set(before) < set(after) for before, after in pairwise(cleared))
    assert len(alone(found.case.scenario, MESSAGES).events) == 1, "each answer tells its own clearing alone"


def test_of_some_turns_each_event_is_of_the_first_replayed_prompt_after_it() -> None:
    scenario = scenario_of("codex_compact", LIVED["codex_compact"])
    every, some = replay(pipeline(), scenario), replay(pipeline(), scenario, every=7)
    assert [one.event for one in some.events] == [one.event for one in every.events]
    for one, other in zip(some.events, every.events, strict=True):
        assert int(some.turns[one.place]) == min(
            turn for turn in some.turns.tolist() if turn >= int(every.turns[other.place])
        )


def test_the_sentences_add_up_to_the_rows() -> None:
    found = replay(pipeline(), scenario_of("cline_compact", LIVED["cline_compact"]))
    rows = replay_value(moments_of(found))["events"]
    said, cache = event_sentences(moments_of(found))
    before, after = (sum(row[key] for row in rows) for key in ("before", "after"))
    assert said.startswith(f"{len(rows)} compactions, at turns ")
    assert f" {before:,} tokens became {after:,}; " in said
    by_turn = {row["turn"]: row for row in rows}
    assert f"; {sum(len(row['folded']) for row in by_turn.values())} messages told by summaries" in said
    assert f"{sum(row['unshared'] for row in by_turn.values()):,} tokens of the prompts before" in cache
    assert "with the cache" in cache
    assert sentences_of("openhands_condenser")[0].count(" entries became ") == 1, "it counts entries, no tokens"


def sentences_of(policy: str) -> list[str]:
    found: Replay = replay(pipeline(), scenario_of(policy, LIVED[policy]))
    return event_sentences(moments_of(found))


EVENT = st.builds(
    Event,
    row=st.integers(END, 3),
    kind=st.sampled_from(["compacted", "pruned", "cleared"]),
    before=st.integers(0, 2),
    after=st.integers(0, 2),
    rows=st.sampled_from([(), (1,), (1, 2)]),
)


@given(st.lists(EVENT), st.lists(EVENT))
def test_what_goes_on_is_new_and_what_was_told_is_not(before: list[Event], more: list[Event]) -> None:
    assert list(new_events(tuple(before), (*before, *more))) == more
    assert not list(new_events((*more, *before), tuple(before)))
    new = list(new_events(tuple(before), tuple(more)))
    assert not Counter(new) - Counter(more)
    assert len(new) >= len(more) - len(before)


def test_an_event_at_the_end_is_the_same_once_a_message_follows() -> None:
    at_the_end, later = Event(END, "pruned", 9, 4), Event(5, "pruned", 9, 4)
    assert not list(new_events((at_the_end,), (later,)))
    assert list(new_events((at_the_end,), (later, later))) == [later]


def test_each_turn_with_an_event_has_a_mark_and_the_first_has_words() -> None:
    for policy in ("anthropic_compaction", "codex_compact", "anthropic_compaction"):
        found = replay(pipeline(), scenario_of(policy, LIVED[policy]))
        (drawing,) = replay_drawings([found])
        marks = [mark for mark in drawing.marks if mark.look is MarkLook.EVENT]
        turns = [mark.place for mark in marks]
        assert turns == sorted(
            {*found.turns[moments_of(found).places].tolist(), int(found.turns[found.fallen.nonzero()[0][0]])}
        )
        worded = [mark.place for mark in marks if mark.words]
        assert worded == turns[:1]
        assert marks[0].words == f"Compaction, turn {turns[0]}"
