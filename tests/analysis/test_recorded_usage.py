"""Recorded usage against our counts: the measured error per model."""

from typing import Any

import pytest

from inspector.analysis.recorded.usage import UsageError, usage_errors
from inspector.assembly.scenario import Scenario
from inspector.cli.loading import answer_for, pipeline_of
from inspector.model import Character, Conversation, Message, Text, Thought, Usage, Workspace


def errors_of(*messages: Message, system: str = "") -> tuple[UsageError, ...]:
    """One word a token, and nothing around the messages that is not counted as its own."""
    characters = (Character("system", system_prompt=system),) if system else ()
    workspace = Workspace(conversations=(Conversation("c", messages, model="usual"),), characters=characters)
    scenario = Scenario(policy="naive", tokenizer="estimate:words", context_window=1_000)
    found = answer_for(pipeline_of(workspace), scenario, cached=False)
    return usage_errors(found.assembly, found.ledger.total)


def answer(id_: str, text: str, **metadata: Any) -> Message:
    return Message(id_, "assistant", text, metadata=metadata)


def test_answers_are_compared_with_their_texts_per_model() -> None:
    ask = Message("m0", "user", "one two three")
    found = errors_of(
        ask,
        answer("m1", "one two three four", recorded_tokens=5),
        answer("m2", "one two", recorded_tokens=2),
        answer("m3", "one", recorded_tokens=4, model="other"),
    )
    assert [(one.model, one.side, one.messages, one.recorded, one.counted) for one in found] == [
        ("other", "answer", 1, 4, 1),
        ("usual", "answer", 2, 7, 6),
    ]
    usual = found[1]
    assert (usual.mean_error, usual.worst) == (0.5, "m1")
    assert usual.bias == -1 / 7


def test_a_prompt_is_all_that_stood_before_the_answer() -> None:
    ask = Message("m0", "user", "one two three")
    (alone,) = errors_of(ask, answer("m1", "yes", recorded_prompt_tokens=10))
    (behind,) = errors_of(ask, answer("m1", "yes", recorded_prompt_tokens=10), system="be very kind")
    assert alone.side == "prompt"
    assert 3 <= alone.counted < behind.counted
    left_out = Message("h", "user", "hidden " * 50, excluded=True)
    (hidden,) = errors_of(ask, left_out, answer("m1", "yes", recorded_prompt_tokens=10))
    assert hidden.counted == alone.counted


def test_a_summary_of_all_before_it_stands_for_that() -> None:
    long = Message("m0", "user", "word " * 200)
    summary = Message("s", "user", "short words", metadata={"compact_summary": True})
    last = Message("m2", "user", "go on")
    (found,) = errors_of(long, summary, last, answer("m3", "yes", recorded_prompt_tokens=10))
    assert found.counted < 50


def test_figures_that_are_none_are_left() -> None:
    odd = (True, -1, 0, 2**80, "12", None, [1], 1.5)
    assert not errors_of(*(answer(f"m{number}", "x", recorded_tokens=value) for number, value in enumerate(odd)))
    assert errors_of() == ()


def test_prompts_calibrate_the_count_and_answers_do_not() -> None:
    """Each word is two tokens of the model, and 500 tokens of each request are not in the file."""
    messages: list[Message] = []
    words = 0
    for turn in range(12):
        text = "word " * (200 + 70 * turn)
        messages.append(Message(f"u{turn}", "user", text))
        words += len(text.split())
        messages.append(answer(f"a{turn}", "", recorded_prompt_tokens=500 + 2 * words, recorded_tokens=3))
    found = {one.side: one.calibration for one in errors_of(*messages)}
    assert found["answer"] is None
    calibration = found["prompt"]
    assert calibration is not None
    assert abs(calibration.factor - 2) < 0.1
    assert calibration.remainder == pytest.approx(500, abs=50)


def test_a_constant_that_no_file_has_is_no_error_of_the_count() -> None:
    """One request: what is missing is named, and no share is told; thoughts are no part of an answer."""
    usage = Usage(900, 100, None, 40, 2)
    ask = Message("m0", "user", "one two three")
    said, prompt = errors_of(ask, Message("m1", "assistant", "one two", metadata=usage.metadata))
    assert (said.recorded, said.counted, said.thoughts, said.bias) == (2, 2, 40, 0.0)
    assert (prompt.recorded, prompt.cached, prompt.written) == (1_000, 100, None)
    assert prompt.bias is None
    assert prompt.remainder == 1_000 - prompt.counted
    assert prompt.mean_error == 0


def test_a_measured_constant_leaves_the_proportional_error() -> None:
    """Each word is two tokens, so the counts are half too low, whatever else was sent."""
    messages: list[Message] = []
    words = 0
    for turn in range(12):
        words += 200 + 70 * turn
        messages.append(Message(f"u{turn}", "user", "word " * (200 + 70 * turn)))
        messages.append(answer(f"a{turn}", "", recorded_prompt_tokens=50_000 + 2 * words))
    (found,) = errors_of(*messages)
    assert found.bias == pytest.approx(-0.5, abs=0.02)
    assert found.remainder == pytest.approx(50_000, rel=0.01)


def test_thoughts_that_a_figure_may_contain_are_not_compared_with_the_answer() -> None:
    thought = Message("m1", "assistant", parts=(Thought("hm " * 50), Text("yes")), metadata={"recorded_tokens": 80})
    told = Message("m2", "assistant", parts=thought.parts, metadata=Usage(thoughts=50, answer=1).metadata)
    assert errors_of(Message("m0", "user", "so"), thought) == ()
    (found,) = errors_of(Message("m0", "user", "so"), thought, told)
    assert (found.messages, found.recorded, found.thoughts) == (1, 1, 50)
