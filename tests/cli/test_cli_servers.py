"""`prompt-inspector servers` against recorded answers: what it prints, what it sends, and how it fails."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from click.testing import Result

from inspector.cli import servers
from inspector.tokens.servers import server
from tests.servers import recorded as record

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    record.only_loopback(monkeypatch)
    monkeypatch.setattr(server, "LIMITS", replace(server.LIMITS, silence_seconds=0.3))


def answered(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_json_tells_each_server_and_its_models(run: Run) -> None:
    with record.recorded(record.OLLAMA) as ollama, record.recorded(record.LLAMA_CPP) as other:
        value = answered(run("servers", ollama, other, "--format", "json"))
    assert value["format"] == "prompt-inspector/servers@1"
    assert [(server["kind"], server["counts_tokens"]) for server in value["servers"]] == [
        ("ollama", False),
        ("llama_cpp", True),
    ]
    assert value["servers"][0]["models"][0] == {
        "name": "qwen2.5:7b",
        "context_length": 8192,
        "max_context_length": 32768,
        "loaded": True,
    }
    assert "measured" not in value


def test_the_table_says_loaded_and_context(run: Run) -> None:
    with record.recorded(record.OLLAMA) as address:
        lines = run("servers", address).stdout.splitlines()
    row = next(line for line in lines if "qwen2.5:7b" in line)
    assert row.split() == ["Ollama", "0.12.6", address, "qwen2.5:7b", "loaded", "8,192", "32,768"]


def test_the_usual_ports_are_asked_and_their_silence_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with record.recorded(record.OTHER) as gone:
        pass
    monkeypatch.setattr(servers, "DEFAULT_ADDRESSES", (gone,))
    result = run("servers", "--format", "json")
    assert answered(result)["servers"] == []
    assert result.stderr == f"prompt-inspector: no model server answers on this machine ({gone})\n"


def test_a_server_that_was_named_and_is_not_there_is_said(run: Run) -> None:
    with record.misbehaving(record.silent) as address:
        result = run("servers", address, "nonsense", "--format", "json")
    value = answered(result)
    assert [entry["address"] for entry in value["silent"]] == [address, "nonsense"]
    assert f"{address} says nothing" in result.stderr
    assert "'nonsense' is not the address" in result.stderr


def test_items_are_counted_there_and_here(run: Run, workspace_file: str) -> None:
    with record.recorded(record.LLAMA_CPP) as address:
        arguments = ("servers", address, "--count", workspace_file, "--tokenizer", "estimate:words")
        value = answered(run(*arguments, "--format", "json"))["measured"]
        table = run(*arguments).stdout
    assert value["model"] == "../models/Qwen2.5-7B-Instruct-Q4_K_M.gguf"
    assert {item["item"]: (item["ours"], item["theirs"]) for item in value["items"]}["m2"] == (30, 30)
    assert len(value["items"]) == 15
    assert value["different"] == 0
    assert value["total"]["ours"] == value["total"]["theirs"] == 86 + 36 + 2
    assert value["prompt"]["theirs"] > value["prompt"]["messages"]
    assert "measured by your server: 124 tokens" in table
    assert "0 of 15 items differ." in table
    assert "The whole prompt of" in table


def test_differences_are_shown_with_what_may_explain_them(run: Run) -> None:
    def count(body: Any) -> Any:
        return {"count": len(body["prompt"])}

    with record.recorded({**record.VLLM, "/tokenize": count}) as address:
        arguments = ("servers", address, "--count", "-", "--tokenizer", "estimate:words")
        table = run(*arguments, stdin="one two three").stdout
        value = answered(run(*arguments, "--format", "json", stdin="one two three"))["measured"]
    assert value["items"] == [{"item": "-", "ours": 3, "theirs": 13}]
    assert value["prompt"] is None
    assert "\N{MINUS SIGN}10" in table
    assert "1 of 1 items differ." in table
    assert "special tokens that are spelled out" in table


def test_a_prompt_with_tools_is_not_compared_as_a_whole(run: Run, tmp_path: Any) -> None:
    path = tmp_path / "tools.workspace.json"
    messages = [{"id": "m0", "role": "user", "content": "one two"}]
    value = {"conversations": [{"id": "c", "messages": messages}], "tools": [{"name": "look", "parameters": {}}]}
    path.write_text(json.dumps({"format": "prompt-inspector/workspace@1", **value}))
    asked: list[str] = []
    with record.recorded(record.LLAMA_CPP, asked) as address:
        arguments = ("servers", address, "--count", str(path), "--tokenizer", "estimate:words")
        measured = answered(run(*arguments, "--format", "json"))["measured"]
    assert [item["theirs"] for item in measured["items"]] == [2]
    assert measured["prompt"] is None
    assert "POST /apply-template" not in asked


def test_the_model_table_gives_our_tokenizer(run: Run) -> None:
    models = {"data": [{"id": "models/gpt-4o.gguf", "owned_by": "vllm", "max_model_len": 9000}]}
    with record.recorded({**record.VLLM, "/v1/models": models}) as address:
        value = answered(run("servers", address, "--count", "-", "--format", "json", stdin="Hello world"))["measured"]
    assert value["items"] == [{"item": "-", "ours": 2, "theirs": 2}]
    assert value["exact"] is True


def test_many_items_show_those_that_differ_most(run: Run, tmp_path: Any) -> None:
    path = tmp_path / "long.json"
    path.write_text(json.dumps([{"role": "user", "content": "w " * number} for number in range(1, 61)]))

    def count(body: Any) -> Any:
        text = body["content"]
        return {"tokens": [0] * (record.words(text) + (record.words(text) == 59))}

    answers = {**record.LLAMA_CPP, "/tokenize": count, "/apply-template": 500}
    with record.recorded(answers) as address:
        result = run("servers", address, "--count", str(path), "--tokenizer", "estimate:words")
    assert result.exit_code == 0
    assert "The 40 that differ most, of 60 items." in result.stdout
    assert result.stdout.splitlines()[-2:][0].endswith("tokens (../models/Qwen2.5-7B-Instruct-Q4_K_M.gguf at "
                                                       f"{address})")  # fmt: skip
    assert "1 of 60 items differ." in result.stdout
    assert "answers POST /apply-template with error 500" in result.stderr


@pytest.mark.parametrize(
    ("answers", "arguments", "said"),
    [
        (record.OLLAMA, (), "no server that counts tokens answers; found: Ollama at"),
        (record.VLLM, ("--model", "m"), "no server that counts with m answers; found: vLLM at"),
        ({**record.VLLM, "/tokenize": 500}, (), "answers POST /tokenize with error 500"),
        (record.VLLM, ("--tokenizer", "best"), "unknown tokenizer 'best'"),
    ],
    ids=("cannot count", "no such model", "refuses", "no such tokenizer"),
)
def test_counts_that_cannot_be_had_end_with_2_and_one_line(
    run: Run, answers: dict[str, Any], arguments: tuple[str, ...], said: str
) -> None:
    with record.recorded(answers) as address:
        result = run("servers", address, "--count", "-", *arguments, stdin="text")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert said in result.stderr.splitlines()[-1]


def test_nothing_of_a_file_is_sent_unless_it_is_asked_for(run: Run) -> None:
    asked: list[str] = []
    with record.recorded(record.LLAMA_CPP, asked) as address:
        run("servers", address)
    assert [line for line in asked if line.startswith("POST")] == []
