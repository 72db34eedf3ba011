"""Recorded requests: agents apart, what changed, prefixes, unused tools, and what other settings save."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from inspector.analysis.basis import Basis, result_of
from inspector.analysis.requests import measured
from inspector.analysis.requests.agents import NOTHING, change_words, places_of
from inspector.analysis.requests.measured import common_beginning, sent_scenario
from inspector.analysis.requests.recording import Known, Recording, recordings, setting_in_question
from inspector.analysis.requests.sent import has_requests, requests_of
from inspector.analysis.requests.tables import REQUESTS, recording_value
from inspector.analysis.requests.words import NO_REQUESTS, recording_sentences, saving_sentence
from inspector.assembly.answer import complete_answer
from inspector.assembly.scenario import Scenario
from inspector.formats import load_workspace
from inspector.model import Conversation, Message, Workspace
from tests.analysis.requests.recorded_agents import NAMES, record, said, session, tools, written
from tests.assembly.building import pipeline_for

ASKED = {"role": "user", "content": "Repair the tests of this program, please."}
OTHER = {"role": "user", "content": "Write a poem about the sea and its colours."}


def recorded(folder: Path, records: Sequence[dict[str, Any]] | None = None) -> Workspace:
    return load_workspace([written(folder / "recorded.jsonl", records)])


def agents(folder: Path, records: Sequence[dict[str, Any]] | None = None) -> list[str]:
    return [place.agent for place in places_of(requests_of(recorded(folder, records)))]


def whole(workspace: Workspace, setting: Scenario | None = None, known: Known | None = None) -> Recording:
    return result_of(recordings(Basis(pipeline_for(workspace), Scenario()), setting, known))


def test_agents_subagents_and_compactions_are_told_apart(tmp_path: Path) -> None:
    requests = requests_of(recorded(tmp_path))
    places = places_of(requests)
    assert [place.agent for place in places] == ["1", "1", "1.1", "1.1", "1", "1", "1", "1"]
    assert [place.before for place in places] == [NOTHING, 0, NOTHING, 2, 1, 4, 5, 6]
    assert [place.is_compacted for place in places] == [False] * 6 + [True, False]
    assert [place.words for place in places[1:3]] == ["Agent 1", "Subagent 1.1"]


def test_two_conversations_of_an_application_are_two_agents(tmp_path: Path) -> None:
    first, second = said("Yes."), said("The sea is blue.")
    records = [
        record(0, [ASKED], first),
        record(1, [OTHER], second),
        record(2, [ASKED, first, {"role": "user", "content": "Go on."}], first),
        record(3, [OTHER, second, {"role": "user", "content": "More."}], second),
    ]
    assert agents(tmp_path, records) == ["1", "2", "1", "2"]


def test_a_title_asked_for_the_same_message_is_another_agent(tmp_path: Path) -> None:
    records = [record(0, [ASKED], said("Yes.")), record(1, [ASKED], said("Tests"), system="Give a title.", tools=[])]
    assert agents(tmp_path, records) == ["1", "2"]


def test_a_time_in_the_system_prompt_makes_no_other_agent(tmp_path: Path) -> None:
    records = [record(n, [ASKED], said("Yes."), system=f"It is 12:0{n}. Be brief.", tools=[]) for n in range(3)]
    assert agents(tmp_path, records) == ["1", "1", "1"]


def test_messages_that_left_at_the_beginning_make_no_other_agent(tmp_path: Path) -> None:
    spoken = [said("One.") if number % 2 else {"role": "user", "content": f"Say {number}."} for number in range(9)]
    records = [record(n, spoken[2 * n : 2 * n + 3], said("One.")) for n in range(3)]
    assert agents(tmp_path, records) == ["1", "1", "1"]


def test_requests_that_ended_in_another_order_are_taken_as_they_were_sent(tmp_path: Path) -> None:
    records = list(session())
    places = places_of(requests_of(recorded(tmp_path, [records[1], records[0], *records[2:]])))
    assert [place.before for place in places[:2]] == [1, NOTHING]


def test_what_changed_is_said(tmp_path: Path) -> None:
    requests = requests_of(recorded(tmp_path))
    places = places_of(requests)
    befores = [None if place.before == NOTHING else requests[place.before] for place in places]
    words = list(map(change_words, befores, requests, places))
    assert words[:2] == ["", "2 messages added"]
    assert words[6].startswith("compacted; from message 1 on otherwise")
    assert words[7] == "sent again"
    records = [
        record(0, [ASKED], said("Yes.")),
        record(1, [ASKED], said("Yes."), tools=tools(NAMES[:-1]), model="claude-opus-4-5"),
        record(2, [ASKED], said("Yes."), tools=tools(NAMES[:-1]), model="claude-opus-4-5", system="Other words. " * 40),
    ]
    requests = requests_of(recorded(tmp_path, records))
    places = places_of(requests)
    assert change_words(requests[0], requests[1], places[1]) == "model claude-opus-4-5; tools −draw; sent again"
    assert change_words(requests[1], requests[2], places[2]) == "system prompt changed; sent again"


def test_the_count_is_that_of_the_prompt_in_the_window(tmp_path: Path) -> None:
    workspace = recorded(tmp_path)
    found = whole(workspace)
    assert found.sent is not None
    for request, tokens in zip(found.requests, found.sent.tokens.tolist(), strict=True):
        scenario = Scenario(conversation=request.conversation, policy="naive", at=request.turn, as_of=True)
        is_whole = request.turn == len(request.messages)
        scenario = replace(scenario, at=None, as_of=False) if is_whole else scenario
        assert complete_answer(pipeline_for(workspace), scenario).ledger.total == tokens


def test_a_prompt_that_goes_on_has_the_whole_one_before_as_its_prefix(tmp_path: Path) -> None:
    found = whole(recorded(tmp_path))
    assert found.sent is not None
    shared, prompts = found.sent.shared.tolist(), found.sent.prompts
    for at in (1, 3, 4, 5, 7):
        assert shared[at] == prompts[found.places[at].before].kept
        assert found.sent.read[at] + found.sent.written[at] <= found.sent.tokens[at]
    assert (found.sent.shared <= found.sent.tokens).all()
    assert shared[0] == shared[2] == 0
    assert 0 < shared[6] < prompts[5].kept


def test_a_time_at_the_head_leaves_little_of_the_prefix(tmp_path: Path) -> None:
    long = "Be careful with all of the files. " * 60
    late = [record(n, [ASKED], said("Yes."), system=f"{long} It is 12:0{n}.", tools=[]) for n in range(2)]
    early = [record(n, [ASKED], said("Yes."), system=f"It is 12:0{n}. {long}", tools=[]) for n in range(2)]
    kept = [whole(recorded(tmp_path, records)).sent for records in (late, early)]
    assert kept[0] is not None
    assert kept[1] is not None
    assert kept[0].shared[1] > 0.8 * kept[0].tokens[1]
    assert kept[1].shared[1] < 0.1 * kept[1].tokens[1]


def test_other_tools_share_nothing(tmp_path: Path) -> None:
    records = [record(0, [ASKED], said("Yes.")), record(1, [ASKED], said("Yes."), tools=tools(NAMES[:-1]))]
    sent = whole(recorded(tmp_path, records)).sent
    assert sent is not None
    assert sent.shared.tolist() == [0, 0]


def test_tools_that_no_request_of_the_agent_called_are_named_and_counted(tmp_path: Path) -> None:
    found = whole(recorded(tmp_path))
    assert found.sent is not None
    assert found.unused_tools[0] == ("run", "browse", "draw")
    assert found.unused_tools[2] == ()
    assert found.sent.prompts[0].unused > 0 == found.sent.prompts[2].unused


def test_failed_requests_are_not_paid_for(tmp_path: Path) -> None:
    found = whole(recorded(tmp_path))
    rows = list(REQUESTS.records(found))
    assert [row["status"] for row in rows][-1] == "529"
    assert rows[-1]["cost"] is None
    assert all(row["cost"] for row in rows[:-1])
    assert next(recording_sentences(found)) == "8 requests of 1 agent and 1 subagent, 1 failed."


def test_what_if_adds_up(tmp_path: Path) -> None:
    workspace = recorded(tmp_path)
    setting = Scenario(policy="reserve", context_window=2_000)
    found = whole(workspace, setting)
    assert found.sent is not None
    assert found.other is not None
    answers = [complete_answer(pipeline_for(workspace), sent_scenario(one, setting)) for one in found.requests]
    assert found.other.tokens.tolist() == [answer.ledger.total for answer in answers]
    answered = found.is_answered
    was, now = int(found.sent.tokens[answered].sum()), int(found.other.tokens[answered].sum())
    assert f"≈ {now:,} tokens in place of {was:,}" in saving_sentence(found)
    assert recording_value(found)["what_if"]["words"] == saving_sentence(found)


def test_another_model_is_another_price(tmp_path: Path) -> None:
    found = whole(recorded(tmp_path), Scenario(policy="naive", model="gpt-4o-mini"))
    assert found.other is not None
    assert {prompt.model for prompt in found.other.prompts} == {"gpt-4o-mini"}
    assert np.nansum(found.other.costs) < np.nansum(found.sent.costs if found.sent else 0)
    assert "model gpt-4o-mini" in saving_sentence(found)
    assert " saved (" in saving_sentence(found)


def test_everything_as_it_was_sent_is_no_setting_in_question() -> None:
    as_sent = Scenario(policy="naive", conversation="a", at=3, as_of=True, pinned=("m1",))
    assert setting_in_question(as_sent) is None
    assert setting_in_question(replace(as_sent, context_window=9)) == Scenario(policy="naive", context_window=9)
    assert setting_in_question(Scenario()) == Scenario()


def test_only_new_requests_are_counted_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    count = measured.complete_answer

    def counted(pipeline: Any, scenario: Scenario, *more: Any, **named: Any) -> Any:
        made.append(scenario.conversation or "")
        return count(pipeline, scenario, *more, **named)

    monkeypatch.setattr(measured, "complete_answer", counted)
    workspace, known = recorded(tmp_path), Known()
    first = whole(workspace, None, known)
    assert len(made) == len(first)
    again = whole(workspace, None, known)
    assert len(made) == len(first)
    assert again.sent is not None
    assert first.sent is not None
    assert again.sent.tokens.tolist() == first.sent.tokens.tolist()
    setting = Scenario(policy="reserve", context_window=2_000)
    assert whole(workspace, setting, known).other is not None
    assert len(made) == 2 * len(first)


def test_other_files_of_the_same_name_are_counted_anew(tmp_path: Path) -> None:
    known = Known()
    for number in range(12):
        asked = {"role": "user", "content": "Repair the tests of this program, please. " * (number + 1)}
        workspace = recorded(tmp_path, [record(0, [asked], said("Yes."))])
        again, anew = whole(workspace, None, known), whole(workspace)
        assert again.sent is not None
        assert anew.sent is not None
        assert again.sent.tokens.tolist() == anew.sent.tokens.tolist()
        assert len(known.sent) == 1


def test_calls_that_context_lens_kept_are_requests(tmp_path: Path) -> None:
    lines: list[dict[str, Any]] = [
        {"type": "session", "trace_id": "t", "started_at": "2026-02-10T12:00:00Z", "tool": "a"}
    ]
    for number in range(2):
        messages = [ASKED, said("Yes."), ASKED][: 2 * number + 1]
        request = {"model": "claude-sonnet-4-5", "system": "Be kind.", "messages": messages}
        answer = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Yes."}]}
        about = {"request": {"model": "claude-sonnet-4-5"}, "usage": {"input_tokens": 9, "output_tokens": 2}}
        http = {"url": "https://api.anthropic.com/v1/messages?key=x", "status_code": 200}
        entry = {"type": "entry", "id": f"e{number}", "trace_id": "t", "gen_ai": about, "http": http}
        entry |= {"timestamp": f"2026-02-10T12:00:0{number}.000Z", "timings": {"total_ms": 1_500}}
        lines.append({**entry, "raw": {"request_body": request, "response_body": answer}})
    file = tmp_path / "session.lhar"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    requests = requests_of(load_workspace([file]))
    assert [(one.made.path, one.made.status, one.made.seconds) for one in requests] == [("/v1/messages", 200, 1.5)] * 2
    assert [len(one.asked) - len(one.answer) for one in requests] == [1 - 1, 3 - 1]
    assert [place.before for place in places_of(requests)] == [NOTHING, 0]


def test_what_was_not_recorded_has_no_requests() -> None:
    workspace = Workspace(conversations=(Conversation("a", (Message("m1", "user", "Hi"),)),))
    found = whole(workspace)
    assert not len(found)
    assert not has_requests(workspace)
    assert list(recording_sentences(found)) == [NO_REQUESTS]


@given(some.text(max_size=30), some.text(max_size=10), some.text(max_size=10))
def test_the_common_beginning_is_the_longest(head: str, one: str, other: str) -> None:
    found = common_beginning(head + one, head + other)
    assert (head + one).startswith(found)
    assert (head + other).startswith(found)
    at = len(found)
    longer = (head + one)[: at + 1], (head + other)[: at + 1]
    assert longer[0] != longer[1] or len(longer[0]) == at


ANSWER = said("Yes.")


@given(some.lists(some.tuples(some.integers(0, 2), some.integers(0, 3)), min_size=1, max_size=8))
def test_every_request_has_a_place_after_one_of_its_agent(steps: list[tuple[int, int]]) -> None:
    from tempfile import TemporaryDirectory

    talks: dict[int, list[Any]] = {}
    records: list[dict[str, Any]] = []
    for number, (talk, words) in enumerate(steps):
        begun = talks.setdefault(talk, [{"role": "user", "content": f"Talk {'abc'[talk]} begins with these words."}])
        begun.extend([ANSWER, {"role": "user", "content": f"Word {words}."}])
        records.append(record(number, begun, ANSWER))
    with TemporaryDirectory() as folder:
        places = places_of(requests_of(recorded(Path(folder), records)))
    assert len(places) == len(records)
    assert all(place.before == NOTHING or places[place.before].agent == place.agent for place in places)
    assert len({place.agent for place in places}) == len(talks)
