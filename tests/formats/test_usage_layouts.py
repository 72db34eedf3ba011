"""Usage in the layouts of all makers: one value, in which no token is counted twice."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import inspector
from inspector.formats.content.usage import read_usage
from inspector.model import Message, Usage, recorded_usage

LAYOUTS: dict[str, tuple[Any, Usage]] = {
    "OpenAI Chat": (
        {
            "prompt_tokens": 2006,
            "completion_tokens": 300,
            "total_tokens": 2306,
            "prompt_tokens_details": {"cached_tokens": 1920, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 256, "accepted_prediction_tokens": 0},
        },
        Usage(86, 1920, None, 256, 44),
    ),
    "OpenAI Chat, plain": ({"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}, Usage(9, answer=2)),
    "OpenAI Responses": (
        {
            "input_tokens": 75,
            "input_tokens_details": {"cached_tokens": 64},
            "output_tokens": 1186,
            "output_tokens_details": {"reasoning_tokens": 1024},
            "total_tokens": 1261,
        },
        Usage(11, 64, None, 1024, 162),
    ),
    "Anthropic": (
        {
            "input_tokens": 8,
            "cache_creation_input_tokens": 2000,
            "cache_read_input_tokens": 100000,
            "cache_creation": {"ephemeral_5m_input_tokens": 1500, "ephemeral_1h_input_tokens": 500},
            "output_tokens": 5,
            "service_tier": "standard",
            "server_tool_use": {"web_search_requests": 0},
        },
        Usage(8, 100000, 2000, None, 5),
    ),
    "Anthropic, lifetimes alone": (
        {
            "input_tokens": 8,
            "cache_creation": {"ephemeral_5m_input_tokens": 30, "ephemeral_1h_input_tokens": 4},
            "output_tokens": 5,
        },
        Usage(8, None, 34, None, 5),
    ),
    "Anthropic, all from the cache": (
        {
            "input_tokens": 0,
            "cache_read_input_tokens": 50,
            "cache_creation_input_tokens": 0,
            "output_tokens": 5,
        },
        Usage(0, 50, 0, None, 5),
    ),
    "Gemini": (
        {
            "promptTokenCount": 1000,
            "cachedContentTokenCount": 600,
            "toolUsePromptTokenCount": 40,
            "candidatesTokenCount": 20,
            "thoughtsTokenCount": 300,
            "totalTokenCount": 1360,
            "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 1000}],
        },
        Usage(440, 600, None, 300, 20),
    ),
    "Gemini CLI": (
        {"input": 900, "output": 20, "cached": 500, "thoughts": 60, "tool": 0, "total": 980},
        Usage(400, 500, None, 60, 20),
    ),
    "Ollama": (
        {"total_duration": 5, "prompt_eval_count": 26, "prompt_eval_duration": 130, "eval_count": 298},
        Usage(26, answer=298),
    ),
    "llama.cpp": (
        {"cache_n": 236, "prompt_n": 1, "prompt_ms": 30.9, "prompt_per_token_ms": 30.9, "predicted_n": 35},
        Usage(1, 236, None, None, 35),
    ),
    "Bedrock Converse": (
        {
            "inputTokens": 12,
            "outputTokens": 7,
            "totalTokens": 1119,
            "cacheReadInputTokens": 1000,
            "cacheWriteInputTokens": 100,
        },
        Usage(12, 1000, 100, None, 7),
    ),
    "Bedrock, metrics of an invocation": (
        {"inputTokenCount": 12, "outputTokenCount": 7, "cacheReadInputTokenCount": 1000},
        Usage(12, 1000, None, None, 7),
    ),
    "Vercel 4": ({"promptTokens": 30, "completionTokens": 4, "totalTokens": 34}, Usage(30, answer=4)),
    "Vercel 5": (
        {"inputTokens": 30, "outputTokens": 9, "totalTokens": 39, "reasoningTokens": 5, "cachedInputTokens": 20},
        Usage(10, 20, None, 5, 4),
    ),
    "Vercel 5 with Anthropic": (
        {"inputTokens": 3, "outputTokens": 9, "cachedInputTokens": 900},
        Usage(3, 900, answer=9),
    ),
    "Vercel 6": (
        {
            "inputTokens": 30,
            "inputTokenDetails": {"noCacheTokens": 3, "cacheReadTokens": 20, "cacheWriteTokens": 7},
            "outputTokens": 9,
            "outputTokenDetails": {"textTokens": 4, "reasoningTokens": 5},
        },
        Usage(3, 20, 7, 5, 4),
    ),
    "Vercel 6, of a model": (
        {
            "inputTokens": {"total": 30, "noCache": 3, "cacheRead": 20, "cacheWrite": 7},
            "outputTokens": {"total": 9, "text": 4, "reasoning": 5},
        },
        Usage(3, 20, 7, 5, 4),
    ),
    "LangChain": (
        {
            "input_tokens": 350,
            "output_tokens": 240,
            "total_tokens": 590,
            "input_token_details": {"audio": 10, "cache_creation": 200, "cache_read": 100},
            "output_token_details": {"audio": 10, "reasoning": 200},
        },
        Usage(50, 100, 200, 200, 40),
    ),
    "LangChain with Anthropic's lifetimes": (
        {
            "input_tokens": 350,
            "output_tokens": 4,
            "input_token_details": {
                "cache_read": 100,
                "cache_creation": 0,
                "ephemeral_5m_input_tokens": 150,
                "ephemeral_1h_input_tokens": 50,
            },
        },
        Usage(50, 100, 200, None, 4),
    ),
    "litellm with Anthropic": (
        {
            "prompt_tokens": 2108,
            "completion_tokens": 5,
            "prompt_tokens_details": {"cached_tokens": 2000, "cache_creation_tokens": 100},
            "cache_creation_input_tokens": 100,
            "cache_read_input_tokens": 2000,
        },
        Usage(8, 2000, 100, None, 5),
    ),
    "OpenRouter": (
        {
            "prompt_tokens": 194,
            "completion_tokens": 2,
            "prompt_tokens_details": {"cached_tokens": 90, "cache_write_tokens": 100},
            "completion_tokens_details": {"reasoning_tokens": 0},
            "cost": 0.95,
        },
        Usage(4, 90, 100, 0, 2),
    ),
    "DeepSeek": (
        {
            "prompt_tokens": 100,
            "completion_tokens": 50,
            "prompt_cache_hit_tokens": 64,
            "prompt_cache_miss_tokens": 36,
            "completion_tokens_details": {"reasoning_tokens": 30},
        },
        Usage(36, 64, None, 30, 20),
    ),
    "xAI": (
        {
            "prompt_tokens": 32,
            "completion_tokens": 9,
            "total_tokens": 135,
            "prompt_tokens_details": {"cached_tokens": 6},
            "completion_tokens_details": {"reasoning_tokens": 94},
        },
        Usage(26, 6, None, 94, 9),
    ),
    "xAI, a longer answer": (
        {
            "prompt_tokens": 32,
            "completion_tokens": 100,
            "total_tokens": 226,
            "completion_tokens_details": {"reasoning_tokens": 94},
        },
        Usage(32, None, None, 94, 100),
    ),
    "Moonshot": ({"prompt_tokens": 50, "completion_tokens": 5, "cached_tokens": 40}, Usage(10, 40, answer=5)),
    "OpenTelemetry": (
        {
            "input_tokens": 100,
            "output_tokens": 20,
            "cache_read": {"input_tokens": 70},
            "cache_creation": {"input_tokens": 10},
            "reasoning": {"output_tokens": 5},
        },
        Usage(20, 70, 10, 5, 15),
    ),
    "OpenInference": (
        {
            "prompt": 100,
            "completion": 20,
            "total": 120,
            "prompt_details": {"cache_read": 70, "cache_write": 10},
            "completion_details": {"reasoning": 5},
        },
        Usage(20, 70, 10, 5, 15),
    ),
    "Codex": (
        {
            "input_tokens": 9000,
            "cached_input_tokens": 8000,
            "output_tokens": 300,
            "reasoning_output_tokens": 200,
            "total_tokens": 9300,
        },
        Usage(1000, 8000, None, 200, 100),
    ),
    "Langfuse": (
        {"input": 10, "input_cached_tokens": 90, "output": 5, "output_reasoning_tokens": 20, "total": 125},
        Usage(10, 90, None, 20, 5),
    ),
    "Langfuse with Anthropic": (
        {"input": 10, "cache_read_input_tokens": 90, "cache_creation_input_tokens": 7, "output": 5, "total": 112},
        Usage(10, 90, 7, None, 5),
    ),
    "Langfuse, parts of the total": (
        {"input": 100, "input_cached_tokens": 90, "output": 25, "output_reasoning": 20, "total": 125},
        Usage(10, 90, None, 20, 5),
    ),
    "Langfuse, sound in the input": (
        {"input": 10, "input_audio_tokens": 40, "output": 5, "total": 55},
        Usage(50, answer=5),
    ),
    "OpenCode": (
        {"input": 10, "output": 5, "reasoning": 7, "cache": {"read": 90, "write": 3}},
        Usage(10, 90, 3, 7, 5),
    ),
    "LM Studio": (
        {"stopReason": "eosFound", "promptTokensCount": 101, "predictedTokensCount": 28, "totalTokensCount": 129},
        Usage(101, answer=28),
    ),
    "LM Studio's server": (
        {"input_tokens": 101, "total_output_tokens": 28, "reasoning_output_tokens": 20, "tokens_per_second": 51.4},
        Usage(101, None, None, 20, 8),
    ),
    "LobeChat": (
        {
            "totalInputTokens": 100,
            "inputCacheMissTokens": 20,
            "inputCachedTokens": 70,
            "inputWriteCacheTokens": 10,
            "totalOutputTokens": 25,
            "outputReasoningTokens": 20,
            "outputTextTokens": 5,
            "totalTokens": 125,
        },
        Usage(20, 70, 10, 20, 5),
    ),
    "Cohere": (
        {"billed_units": {"input_tokens": 3, "output_tokens": 4}, "tokens": {"input_tokens": 496, "output_tokens": 9}},
        Usage(496, answer=9),
    ),
    "Pydantic AI": (
        {"input_tokens": 100, "cache_write_tokens": 10, "cache_read_tokens": 70, "output_tokens": 5},
        Usage(20, 70, 10, None, 5),
    ),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_layout_is_read_into_parts_that_add_up(name: str) -> None:
    told, expected = LAYOUTS[name]
    assert read_usage(told) == expected
    assert recorded_usage(expected.metadata) == expected


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_style_of_names_does_not_matter(name: str) -> None:
    told, expected = LAYOUTS[name]
    assert read_usage(_renamed(told, _snake)) == expected
    assert read_usage(_renamed(told, _camel)) == expected


@pytest.mark.parametrize("name", LAYOUTS)
def test_without_its_parts_the_whole_is_the_same(name: str) -> None:
    """What is inside of a whole is not added to it: without OpenAI's details the prompt is as long."""
    told, expected = LAYOUTS[name]
    plain = {key: value for key, value in told.items() if not (isinstance(value, Mapping) and "etail" in key)}
    if plain == told:
        assert read_usage(dict(reversed(told.items()))) == expected
        return
    assert read_usage(plain).prompt == expected.prompt


@pytest.mark.parametrize(
    "told",
    [None, [], "9", {}, {"a": 1}, {"prompt_tokens": -4}, {"prompt_tokens": True}, {"prompt_tokens": 2**70},
     {"prompt_tokens": 0, "completion_tokens": 0}, {"usage": {"prompt_tokens": 9}}, {"cached_tokens": 9}],
)  # fmt: skip
def test_what_is_no_usage_tells_nothing(told: Any) -> None:
    assert read_usage(told) == Usage()
    assert Usage().metadata == {}


def test_spans_have_cached_tokens_inside_under_any_name() -> None:
    told = {"input_tokens": 100, "cache_read_input_tokens": 70, "cache_creation_input_tokens": 10, "output_tokens": 5}
    assert read_usage(told, is_inside=True) == Usage(20, 70, 10, None, 5)
    assert read_usage(told) == Usage(100, 70, 10, None, 5)


def test_parts_larger_than_their_whole_in_metadata_are_left_out() -> None:
    edited = {
        "recorded_prompt_tokens": 10,
        "recorded_cached_tokens": 90,
        "recorded_tokens": 2,
        "recorded_thought_tokens": 3,
    }
    assert recorded_usage(edited) == Usage(fresh=10, answer=2)
    assert recorded_usage({"recorded_cached_tokens": 90, "recorded_prompt_tokens": True}) == Usage()


_COUNTS = st.none() | st.integers(0, 10**9)


@given(st.builds(Usage, st.integers(1, 10**9), _COUNTS, _COUNTS, _COUNTS, st.integers(0, 10**9)))
def test_metadata_keep_a_usage(usage: Usage) -> None:
    kept = recorded_usage(usage.metadata)
    assert (kept.prompt, kept.output) == (usage.prompt, usage.output)
    assert kept == usage


_VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=3), lambda inner: st.dictionaries(st.text(max_size=5), inner)
)


@given(st.dictionaries(st.text(max_size=9), _VALUES))
def test_no_object_breaks_the_reader(told: dict[str, Any]) -> None:
    usage = read_usage(told, is_inside=bool(len(told) % 2))
    assert all(part is None or part >= 0 for part in (usage.fresh, usage.cached, usage.thoughts, usage.answer))


def test_the_native_format_keeps_a_usage(tmp_path: Path) -> None:
    usage = Usage(8, 100_000, 2_000, 3, 2)
    message = {"id": "a", "role": "assistant", "content": "Hi", "metadata": usage.metadata}
    file = tmp_path / "a.workspace.json"
    file.write_text(
        json.dumps({"format": "prompt-inspector/workspace@1", "conversations": [{"id": "c", "messages": [message]}]})
    )
    (chat,) = inspector.load(str(file)).conversations
    assert recorded_usage(chat.messages[0].metadata) == usage


def _renamed(told: Any, rename: Any) -> Any:
    if isinstance(told, Mapping):
        return {rename(str(key)): _renamed(value, rename) for key, value in told.items()}
    return [_renamed(one, rename) for one in told] if isinstance(told, list) else told


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)


# Real files: the sums agree with a reading of the raw JSON that knows one layout each.


def _lines(file: Path) -> Iterator[Any]:
    text = file.read_text()
    try:
        yield json.loads(text)
    except ValueError:
        for line in text.splitlines():
            yield json.loads(line) if line.strip() else None


def _claude(record: Any) -> Iterator[tuple[str, int]]:
    message = record.get("message") or {}
    usage = message.get("usage") if isinstance(message, dict) and record.get("type") == "assistant" else None
    if usage:
        parts = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        yield message.get("id") or record.get("uuid", ""), sum(usage.get(part) or 0 for part in parts)


def _messages(workspace: Any) -> Iterator[Message]:
    for chat in workspace.conversations:
        yield from chat.tree.messages if chat.tree is not None else chat.messages


@pytest.mark.parametrize("name", ["representative_messages.jsonl", "polylogue_claude-normalization-main.jsonl"])
def test_claude_code_counts_each_answer_once(data_folder: Path, name: str) -> None:
    file = data_folder / "claude_code" / name
    expected = dict(pair for record in _lines(file) if record for pair in _claude(record))
    found = [recorded_usage(message.metadata).prompt for message in _messages(inspector.load(str(file)))]
    assert sorted(filter(None, found)) == sorted(filter(None, expected.values()))
    assert any(expected.values())


@pytest.mark.parametrize("name", ["openai-agents-2025-09-30", "langgraph-python-2025-08-22", "google-gemini-2025-08-01",
                                  "claude-agent-2025-12-22"])  # fmt: skip
def test_langfuse_sums_are_those_of_the_observations(data_folder: Path, name: str) -> None:
    file = data_folder / "langfuse" / f"{name}.trace.json"
    observations = json.loads(file.read_text())["observations"]
    details = [one["usageDetails"] for one in observations if one["type"] == "GENERATION" and one.get("usageDetails")]
    told = [recorded_usage(message.metadata) for message in _messages(inspector.load(str(file)))]
    told = [one for one in told if one != Usage()]
    inputs = [sum(count for kind, count in one.items() if "input" in kind) for one in details]
    outputs = [sum(count for kind, count in one.items() if "output" in kind) for one in details]
    assert sorted(one.prompt or 0 for one in told) == sorted(inputs)
    assert sorted(one.output or 0 for one in told) == sorted(outputs)


def test_open_web_ui_sums_are_those_of_the_messages(data_folder: Path) -> None:
    files = [data_folder / "open_webui" / "owi_webui-json.json"]
    files += sorted((data_folder / "open_webui" / "derived").glob("chat-export-*.json"))[:1]
    for file in files:
        held = json.loads(file.read_text())
        chats = held if isinstance(held, list) else [{"chat": held}]
        usages = [
            usage
            for chat in chats
            for message in chat["chat"]["history"]["messages"].values()
            if (usage := message.get("usage") or (message.get("info") or {}).get("usage"))
        ]
        told = [recorded_usage(message.metadata) for message in _messages(inspector.load(str(file)))]
        assert sum(one.prompt or 0 for one in told) == sum(usage.get("prompt_tokens") or 0 for usage in usages)
        assert sum(one.output or 0 for one in told) == sum(usage.get("completion_tokens") or 0 for usage in usages)
        assert usages


def test_langchain_sums_are_those_of_the_messages(data_folder: Path) -> None:
    file = data_folder / "langchain" / "derived" / "messages_to_dict.json"
    told = [recorded_usage(message.metadata) for message in _messages(inspector.load(str(file)))]
    usages = [
        one["data"]["usage_metadata"] for one in json.loads(file.read_text()) if one["data"].get("usage_metadata")
    ]
    assert [one.prompt for one in told if one.prompt] == [usage["input_tokens"] for usage in usages]
    assert [one.output for one in told if one.prompt] == [usage["output_tokens"] for usage in usages]


def test_the_usage_of_a_logged_response_may_be_beside_it(tmp_path: Path) -> None:
    usage = {"prompt_tokens": 90, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 64}}
    request = {"model": "gpt-4o", "messages": [{"role": "user", "content": "Hi"}]}
    response: dict[str, Any] = {"choices": [{"message": {"role": "assistant", "content": "Ho"}}]}
    for number, logged in enumerate(
        ({"response": response, "usage": usage}, {"response": {**response, "usage": usage}})
    ):
        file = tmp_path / f"log{number}.jsonl"
        file.write_text(json.dumps({"request": request, **logged}))
        (chat,) = inspector.load(str(file)).conversations
        assert recorded_usage(chat.messages[-1].metadata) == Usage(26, 64, answer=2)


def test_codex_has_the_last_request_and_not_the_sum_of_the_session(tmp_path: Path) -> None:
    """Layout of openai/codex, `codex-rs/protocol`: each event has the totals so far beside the last request."""

    def line(kind: str, payload: dict[str, Any]) -> str:
        return json.dumps({"timestamp": "2026-01-01T00:00:00Z", "type": kind, "payload": payload})

    def counted(number: int) -> str:
        last = {"input_tokens": 900 + number, "cached_input_tokens": 800, "output_tokens": 30}
        last |= {"reasoning_output_tokens": 20, "total_tokens": 930 + number}
        info = {"total_token_usage": {**last, "input_tokens": 9_999}, "last_token_usage": last}
        return line("event_msg", {"type": "token_count", "info": info})

    def message(role: str, text: str) -> str:
        kind = "output_text" if role == "assistant" else "input_text"
        return line("response_item", {"type": "message", "role": role, "content": [{"type": kind, "text": text}]})

    call = {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c1"}
    result = {"type": "function_call_output", "call_id": "c1", "output": "boats"}
    lines = [
        line("session_meta", {"id": "s", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/", "originator": "codex"}),
        message("user", "List the boats."),
        *(line("response_item", call), counted(1), counted(1), line("response_item", result)),
        *(message("assistant", "Three."), counted(7)),
    ]
    file = tmp_path / "rollout-2026-01-01T00-00-00-s.jsonl"
    file.write_text("\n".join(lines))
    told = [recorded_usage(one.metadata) for one in _messages(inspector.load(str(file)))]
    assert [one for one in told if one != Usage()] == [Usage(101, 800, None, 20, 10), Usage(107, 800, None, 20, 10)]
