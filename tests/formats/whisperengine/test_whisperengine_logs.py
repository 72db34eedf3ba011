"""WhisperEngine's logs: prompts as they were sent, and runs of experiments. No answer is lost in silence."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.formats.format import Format
from inspector.formats.whisperengine import prompt_log, runs
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError

LOG: dict[str, Any] = {
    "timestamp": "2026-01-02T03:04:05",
    "bot_name": "mara",
    "user_id": "ana",
    "message_count": 3,
    "total_chars": 20,
    "messages": [
        {"role": "system", "content": "You are Mara."},
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Ho"},
        {"role": "user", "content": "And?"},
    ],
    "ai_components": {"emotion": "joy"},
    "llm_response": {"content": "More.", "char_count": 5, "response_timestamp": "2026-01-02T03:04:07"},
}
RUN: dict[str, Any] = {
    "model": "llama",
    "model_id": "meta/llama",
    "condition": "calm",
    "replication": 2,
    "num_turns": 2,
    "induction_prompt": "Begin.",
    "turns": [
        {"turn": 1, "user_message": "Begin.", "assistant_response": "Hm.", "timestamp": "2026-01-02T03:04:05"},
        {"turn": 2, "user_message": "On.", "assistant_response": "Ho."},
    ],
}


def load(kind: Format, value: Any) -> Workspace:
    source = FileSource("log.json", json.dumps(value).encode())
    assert kind.sniff(source) >= 0.95
    return kind.load(source)


def said(workspace: Workspace) -> list[tuple[str, str]]:
    return [(message.role, message.content) for talk in workspace.conversations for message in talk.messages]


def test_a_prompt_log_holds_the_prompt_and_its_answer() -> None:
    workspace = load(prompt_log.FORMAT, LOG)
    assert [one.system_prompt for one in workspace.characters] == ["You are Mara."]
    assert said(workspace) == [("user", "Hi"), ("assistant", "Ho"), ("user", "And?"), ("assistant", "More.")]
    *prompt, answer = workspace.conversations[0].messages
    assert [message.metadata["recorded"] for message in prompt] == [{"action": "kept"}] * 3
    assert answer.metadata == {"ai_components": '{"emotion":"joy"}'}
    assert answer.time is not None
    assert workspace.conversations[0].title == "mara 2026-01-02T03:04:05"
    assert workspace.problems == ()


@pytest.mark.parametrize("response", [None, {}, {"content": None}, {"content": 5}, [], 5])
def test_a_prompt_without_its_answer_says_so(response: Any) -> None:
    workspace = load(prompt_log.FORMAT, {**LOG, "llm_response": response})
    assert len(said(workspace)) == 3
    assert [problem.place for problem in workspace.problems] == ["$.llm_response.content"]


def test_an_answer_as_plain_text_is_one() -> None:
    assert said(load(prompt_log.FORMAT, {**LOG, "llm_response": "More."}))[-1] == ("assistant", "More.")


def test_a_run_holds_both_sides_of_every_turn() -> None:
    workspace = load(runs.FORMAT, RUN)
    assert said(workspace) == [("user", "Begin."), ("assistant", "Hm."), ("user", "On."), ("assistant", "Ho.")]
    (talk,) = workspace.conversations
    assert (talk.title, talk.model) == ("llama calm 2", "meta/llama")
    assert [message.time is not None for message in talk.messages] == [False, True, False, False]
    assert workspace.problems == ()


def test_a_turn_with_one_side_keeps_it_and_names_the_other() -> None:
    turns = [*RUN["turns"], {"turn": 3, "user_message": "So?"}, {"turn": 4, "assistant_response": "Ha."}, 5]
    workspace = load(runs.FORMAT, {**RUN, "turns": turns})
    assert said(workspace)[4:] == [("user", "So?"), ("assistant", "Ha.")]
    assert [problem.place for problem in workspace.problems] == [
        "$.turns[2].assistant_response",
        "$.turns[3].user_message",
        "$.turns[4].user_message",
        "$.turns[4].assistant_response",
    ]


@pytest.mark.parametrize("value", [{}, [], {"messages": []}, {"bot_name": "x", "messages": 5}, {"turns": [["a"]]}])
@pytest.mark.parametrize("kind", [prompt_log.FORMAT, runs.FORMAT])
def test_other_json_is_not_claimed(kind: Format, value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert kind.sniff(source) == 0
    with pytest.raises(UnreadableError):
        kind.load(source)


def test_real_logs_lose_no_answer(data_folder: Path) -> None:
    folder = data_folder / "whisperengine_runs"
    run = load_workspace([folder / "llama-3.3-70b_emotion_rep2.json"])
    assert [role for role, _ in said(run)] == ["user", "assistant"] * 20
    log = load_workspace([folder / "derived/elena_20251016_142233_user1.json"])
    system, answer = 1, 1
    assert len(said(log)) == 29 - system + answer
    assert said(log)[-1] == ("assistant", "Tell me more.")
    assert run.problems == log.problems == ()
