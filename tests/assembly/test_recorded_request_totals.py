"""The recorded total of a request beside the prompt: a named remainder, or the two told apart in words."""

from typing import Any

import pytest
from building import workspace

from inspector.assembly.answer import Answer, answer_value
from inspector.assembly.bar_drawing import bar_words
from inspector.assembly.budget_table import budget_lines
from inspector.assembly.recorded_requests import recorded_requests
from inspector.assembly.scenario import Scenario
from inspector.cli.loading import answer_for, pipeline_of
from inspector.model import (
    Call,
    Character,
    Conversation,
    Memory,
    MemorySet,
    Message,
    Result,
    Text,
    Tool,
    Usage,
    Workspace,
    changed,
)

WORDS: dict[str, Any] = {"policy": "naive", "tokenizer": "estimate:words", "context_window": 10_000}


def answered(found: Workspace, **scenario: Any) -> Answer:
    return answer_for(pipeline_of(found), Scenario(**(WORDS | scenario)), cached=False)


def asked(id_: str, text: str = "one two three") -> Message:
    return Message(id_, "user", text)


def said(id_: str, prompt: int = 0, text: str = "four five", **usage: Any) -> Message:
    told = Usage(fresh=prompt or None, answer=2, **usage).metadata
    return Message(id_, "assistant", text, metadata=told)


def talk(*prompts: int) -> list[Message]:
    pairs = [(asked(f"u{n}"), said(f"a{n}", prompt)) for n, prompt in enumerate(prompts)]
    return [message for pair in pairs for message in pair]


def test_parts_overhead_and_remainder_are_the_recorded_total_at_its_turn() -> None:
    answer = answered(workspace([asked("u"), said("a", 500)]), at=1)
    ledger, found = answer.ledger, answer.recorded
    assert found is not None
    assert found.later == 0
    assert ledger.items + ledger.overhead + answer.remainder == 500
    assert answer.room == answer.free - answer.remainder


def test_without_a_turn_it_is_the_last_answered_request_and_what_came_later_is_beside_it() -> None:
    """The same request has the same remainder, whether the turn is at its end or the chat went on."""
    messages = talk(500, 640)
    at_turn, whole = answered(workspace(messages), at=3), answered(workspace([*messages, asked("u9")]))
    assert at_turn.recorded is not None
    assert whole.recorded is not None
    assert whole.recorded.request.usage.prompt == 640
    assert whole.recorded.later > 0
    assert whole.ledger.total + whole.remainder == 640 + whole.recorded.later
    assert whole.remainder == at_turn.remainder
    earlier = answered(workspace(messages), at=2).recorded
    assert earlier is not None
    assert earlier.usage.prompt == 500


def test_cached_written_and_fresh_tokens_are_told_apart() -> None:
    usage = Usage(8, 400, 92, 3, 2)
    found = workspace([asked("u"), Message("a", "assistant", "four", metadata=usage.metadata)])
    value = answer_value(answered(found, at=1))["recorded"]
    keys = ("prompt", "fresh", "cached", "written", "thoughts", "answer")
    assert tuple(value[key] for key in keys) == (500, 8, 400, 92, 3, 2)
    assert "400 read from a cache, 92 written to it, 8 neither" in value["words"]
    assert value["remainder"] == 500 - value["counted"]


def test_files_without_usage_have_no_key_and_no_remainder() -> None:
    answer = answered(workspace([asked("u"), said("a")]))
    assert answer.recorded is None
    assert "recorded" not in answer_value(answer)
    assert (answer.remainder, answer.room) == (0, answer.free)


@pytest.mark.parametrize(
    ("scenario", "why"),
    [
        ({"policy": "ratio", "context_window": 16, "parameters": {"min_exchanges": 0}}, "not whole in this one"),
        ({"excluded": ("u0",)}, "not whole in this one"),
        ({"model": "gpt-4o"}, "it was sent to"),
    ],
)
def test_another_prompt_is_told_in_words_and_never_subtracted(scenario: dict[str, Any], why: str) -> None:
    messages = talk(500, 640)
    messages[-1] = Message("a1", "assistant", "four", metadata={**messages[-1].metadata, "model": "claude-opus-4-7"})
    answer = answered(workspace(messages), **{"model": "claude-opus-4-7", **scenario})
    assert answer.recorded is not None
    assert answer.recorded.counted is None
    assert (answer.remainder, answer_value(answer)["recorded"]["remainder"]) == (0, None)
    (finding,) = (one for one in answer.findings if one.code == "recorded_remainder")
    assert why in finding.message
    assert finding.severity == "info"
    assert "Not in the file" not in {line.part for line in budget_lines(answer)}


def test_items_chosen_here_make_another_prompt() -> None:
    remembered = MemorySet("default", (Memory("k", "one two", similarity=1.0),))
    found = workspace(talk(500), remembered)
    answer = answered(found, policy="ratio")
    assert answer.recorded is not None
    assert "1 item besides its messages" in answer.recorded.otherwise


def test_fewer_recorded_than_counted_tokens_are_a_warning() -> None:
    answer = answered(workspace([asked("u", "word " * 50), said("a", 20)]))
    (finding,) = (one for one in answer.findings if one.code == "recorded_remainder")
    assert finding.severity == "warning"
    assert "fewer than" in finding.message
    assert answer.remainder == 0
    assert answer_value(answer)["recorded"]["remainder"] < 0


def test_a_message_that_the_file_left_out_was_not_in_the_request() -> None:
    plain = [asked("u"), said("a", 500)]
    hidden = [Message("h", "user", "hidden words", excluded=True), *plain]
    assert answered(workspace(hidden)).remainder == answered(workspace(plain)).remainder > 0


def test_a_summary_stands_for_all_before_it() -> None:
    summary = Message("s", "user", "short", metadata={"compact_summary": True})
    found = workspace([*talk(500), summary, asked("u9"), said("a9", 700)])
    recorded = answered(found).recorded
    assert recorded is not None
    assert "that a summary stood for" in recorded.otherwise


def test_an_answer_in_several_messages_begins_at_its_first() -> None:
    """Text and call of an answer, of which only the last has the usage: neither was in the prompt."""
    messages = [
        asked("u"),
        Message("a", "assistant", "four"),
        Message("b", "assistant", parts=(Text("x"), Call("c", "look", "{}")), metadata=Usage(100).metadata),
        Message("r", "tool", parts=(Result("c", content="seen"),)),
        said("d", 200),
        said("e", 300),
    ]
    items = answered(workspace(messages)).assembly.candidates.items
    starts = [one.start - items.first_message for one in recorded_requests(items)]
    assert starts == [1, 4, 5]


@pytest.mark.parametrize("model", ["gpt-4o", "claude-sonnet-4-5", "qwen3-8b"])
def test_calls_that_a_template_rewrites_are_counted_as_written(model: str) -> None:
    """What is later than the request is taken off as the template wrote it: the request costs what it does alone."""
    call = Call("c", "look_for_boats", '{"harbour": "north", "most": 40, "kinds": ["sail", "row"]}')
    messages = [
        asked("u"),
        Message("a", "assistant", parts=(Text("x"), call), metadata=Usage(5_000).metadata),
        Message("r", "tool", parts=(Result("c", content="seen three boats"),)),
        Message("b", "assistant", parts=(Text("y"), changed(call, id="d")), metadata=Usage(5_100).metadata),
        Message("s", "tool", parts=(Result("d", content="seen none"),)),
    ]
    terms = {"model": model, "tokenizer": "auto"}
    for at in (1, 3):
        alone = answered(workspace(messages), at=at, **terms)
        whole = answered(workspace(messages[: at + 2]), **terms)
        assert alone.recorded is not None
        assert whole.recorded is not None
        assert alone.recorded.counted == alone.ledger.total > 0
        assert whole.recorded.counted == pytest.approx(alone.recorded.counted, abs=6)


@pytest.mark.parametrize(
    ("system", "tools", "likely"),
    [
        ("", False, "system prompt and tools of the application"),
        ("Be kind.", False, "tools of the application"),
        ("", True, "system prompt of the application"),
        ("Be kind.", True, "additions of the application"),
    ],
)
def test_the_remainder_is_named_by_what_the_file_lacks(system: str, tools: bool, likely: str) -> None:
    schema = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
    found = Workspace(
        conversations=(Conversation("c", tuple(talk(5_000))),),
        characters=(Character("system", system_prompt=system),) if system else (),
        tools=(Tool(schema),) if tools else (),
    )
    recorded = answered(found).recorded
    assert recorded is not None
    assert recorded.likely == likely


def test_bar_and_table_name_the_remainder() -> None:
    answer = answered(workspace([asked("u"), said("a", 500)]), at=1)
    lines = {line.part: line.used for line in budget_lines(answer)}
    assert lines["Not in the file"] == answer.remainder
    assert lines["Total"] + lines["Not in the file"] == 500
    assert lines["Free"] == answer.room
    assert f"{answer.remainder:,} not in the file" in bar_words(answer)


def test_the_range_of_an_estimate_is_measured_on_the_requests_of_the_file() -> None:
    """Each word is two tokens of the model, and 500 tokens of each request are not in the file."""
    messages: list[Message] = []
    counted = 0
    for turn in range(12):
        words = 200 + 70 * turn
        counted += words
        messages += [asked(f"u{turn}", "word " * words), said(f"a{turn}", 500 + 2 * counted, "")]
    recorded = answered(workspace(messages), context_window=1_000_000).recorded
    assert recorded is not None
    calibration = recorded.calibration
    assert calibration is not None
    assert calibration.requests == 12
    assert calibration.factor == pytest.approx(2, abs=0.1)
    assert calibration.remainder == pytest.approx(500, abs=100)
    assert recorded.counted is not None
    assert recorded.low <= recorded.prompt - calibration.remainder <= recorded.high


def test_many_turns_agree_with_a_fresh_sum() -> None:
    """Independent of the columns: each request is counted as a chat of its own."""
    messages = talk(*(300 + 50 * n for n in range(6)))
    for n in range(6):
        fresh = answered(workspace(messages[: 2 * n + 1])).ledger.total
        recorded = answered(workspace(messages), at=2 * n + 1).recorded
        assert recorded is not None
        assert (recorded.prompt, recorded.counted) == (300 + 50 * n, fresh)
