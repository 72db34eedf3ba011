"""Token counts under keys that no reader knows: a problem names them where no answer of a file has any."""

import json
from typing import Any

import pytest

from inspector.formats.opening import load_unnamed
from tests.formats.agents.agent_examples import PI, QWEN
from tests.fuzz.made import made_files

_SAYS = "no answer has all token counts"
CLAUDE: list[dict[str, Any]] = [
    {
        "type": "user",
        "uuid": "u1",
        "parentUuid": None,
        "sessionId": "s",
        "timestamp": "2026-05-01T10:00:00Z",
        "message": {"role": "user", "content": "Hi"},
    },
    {
        "type": "assistant",
        "uuid": "u2",
        "parentUuid": "u1",
        "sessionId": "s",
        "timestamp": "2026-05-01T10:00:01Z",
        "message": {
            "id": "m",
            "role": "assistant",
            "model": "claude-x",
            "content": [{"type": "text", "text": "Hello"}],
            "usage": {"input_tokens": 3, "cache_read_input_tokens": 20, "output_tokens": 5},
        },
    },
]
COMPLETION: list[dict[str, Any]] = [
    {
        "id": "c",
        "object": "chat.completion",
        "model": "gpt-x",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hello"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 5, "total_tokens": 8},
    }
]


def remarks(records: list[dict[str, Any]]) -> list[tuple[str, str]]:
    content = "\n".join(map(json.dumps, records)).encode()
    found = load_unnamed(content, "session.jsonl").workspace
    assert found.conversations
    return [(one.severity, one.message) for one in found.problems if _SAYS in one.message]


def renamed(records: list[dict[str, Any]], key: str, to: str) -> list[dict[str, Any]]:
    return json.loads(json.dumps(records).replace(f'"{key}":', f'"{to}":'))


@pytest.mark.parametrize(
    ("records", "key", "to", "named"),
    [
        (CLAUDE, "usage", "usageX", "usageX"),
        (CLAUDE, "usage", "token_numbers", "token_numbers"),
        (CLAUDE, "input_tokens", "tokens_in", "usage"),
        (COMPLETION, "usage", "used_tokens", "used_tokens"),
        (COMPLETION, "prompt_tokens", "asked_tokens", "usage"),
        (PI, "usage", "usageX", "usageX"),
        (QWEN, "usageMetadata", "tokenCounts", "tokenCounts"),
    ],
)
def test_counts_under_another_key_are_named(records: list[dict[str, Any]], key: str, to: str, named: str) -> None:
    assert remarks(records) == []
    ((severity, message),) = remarks(renamed(records, key, to))
    assert (severity, f'"{named}"' in message) == ("info", True)


def test_answers_without_counts_among_others_are_usual() -> None:
    bare = json.loads(json.dumps(CLAUDE[1]))
    del bare["message"]["usage"]
    assert remarks([*CLAUDE, {**bare, "uuid": "u3", "parentUuid": "u2"}]) == []
    assert remarks([CLAUDE[0], bare]) == []


@pytest.mark.parametrize(
    "held",
    [
        {"limits": {"input_tokens": 9, "output_tokens": 9}},
        {"total_token_usage": {"input_tokens": 9, "output_tokens": 9}},
        {"usage": {"input_tokens": 0, "output_tokens": 0}},
        {"usage": {"input": 9, "total": 9}},
        {"config": {"max_tokens": 100, "token_limit": 200}},
        {"tokenizer": {"name": "x", "kind": "bpe", "tokens": 5, "token_ids": 7, "a": "", "b": ""}},
    ],
)
def test_limits_sums_and_empty_counts_are_no_counts_of_an_answer(held: dict[str, Any]) -> None:
    answer = json.loads(json.dumps(CLAUDE[1]))
    answer["message"] = {**{key: value for key, value in answer["message"].items() if key != "usage"}, **held}
    assert remarks([CLAUDE[0], answer]) == []


def _alarms(data: bytes, name: str) -> list[str]:
    return [one.message for one in load_unnamed(data, name).workspace.problems if _SAYS in one.message]


def test_no_example_of_a_format_is_named() -> None:
    files = [file for files in made_files().values() for file in files]
    assert [file.name for file in files if _alarms(file.data, file.name)] == []
