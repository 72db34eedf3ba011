"""The options --server and --server-context."""

import json
from dataclasses import replace
from typing import Any

import pytest

from inspector.cli import found_context
from inspector.tokens.servers.kinds import KINDS
from tests.servers import recorded as record


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    record.only_loopback(monkeypatch)


def test_a_server_drops_what_it_cannot_hold(run: Any, workspace_file: Any) -> None:
    asked = ("assemble", workspace_file, "--policy", "naive", "--tokenizer", "estimate:words", "--format", "json")
    plain = json.loads(run(*asked).stdout)
    behind = json.loads(run(*asked, "--server", "ollama", "--server-context", "20").stdout)
    assert "server" not in {item["reason"] for item in plain["items"]}
    assert "server" in {item["reason"] for item in behind["items"]}
    assert "server_drops" in {finding["code"] for finding in behind["findings"]}
    assert behind["ledger"]["items"] < plain["ledger"]["items"]


def test_a_server_that_is_none_is_refused_with_the_nearest(run: Any, workspace_file: Any) -> None:
    result = run("assemble", workspace_file, "--server", "olama")
    assert result.exit_code == 2
    assert "did you mean ollama" in result.stderr


def context_of(result: Any) -> int:
    return int(json.loads(result.stdout)["scenario"]["server_context"])


def test_the_context_is_that_of_the_running_model(run: Any, workspace_file: Any) -> None:
    asked = ("assemble", workspace_file, "--format", "json", "--server")
    with record.recorded(record.OLLAMA) as ollama, record.recorded(record.LLAMA_CPP) as other:
        for _ in range(2):
            assert context_of(run(*asked, "ollama", "--server-context", ollama)) == 8192
        assert context_of(run(*asked, "llamacpp", "--server-context", other)) > 0
        wrong = run(*asked, "vllm", "--server-context", ollama)
    assert wrong.exit_code == 2
    assert f"vLLM at {ollama} does not answer (ollama answers there)" in wrong.stderr


def test_the_usual_port_is_asked_for_what_is_found(
    run: Any, workspace_file: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("assemble", workspace_file, "--format", "json", "--server", "ollama", "--server-context", "found")
    with record.recorded(record.OLLAMA) as address:
        port = int(address.rpartition(":")[2])
        monkeypatch.setattr(found_context, "KINDS", {"ollama": replace(KINDS["ollama"], port=port)})
        assert context_of(run(*asked)) == 8192
    gone = run(*asked)
    assert gone.exit_code == 2
    assert f"--server-context found: Ollama at {address} does not answer" in gone.stderr


def test_models_with_several_contexts_are_told_apart_by_name(run: Any, workspace_file: Any) -> None:
    running = {"models": [{"name": name, "context_length": size} for name, size in (("a", 2048), ("b", 4096))]}
    with record.recorded({**record.OLLAMA, "/api/ps": running}) as address:
        asked = ("assemble", workspace_file, "--format", "json", "--server", "ollama", "--server-context", address)
        several = run(*asked)
        assert several.exit_code == 2
        assert "several models run there (a with 2,048 tokens, b with 4,096 tokens)" in several.stderr
        assert context_of(run(*asked, "--model", "b", "--window", "9000", "--tokenizer", "estimate:words")) == 4096
    with record.recorded({**record.OLLAMA, "/api/ps": {"models": []}}) as address:
        none = run(*asked[:-1], address)
    assert "runs no model whose context it tells" in none.stderr


def test_no_server_is_asked_without_a_name(run: Any, workspace_file: Any) -> None:
    asked: list[str] = []
    with record.recorded(record.OLLAMA, asked) as address:
        result = run("assemble", workspace_file, "--server-context", address)
        run("assemble", workspace_file, "--server", "ollama")
    assert result.exit_code == 2
    assert "name the server with --server" in result.stderr
    assert asked == []
    assert run("assemble", workspace_file, "--server", "ollama", "--server-context", "much").exit_code == 2


def test_own_rules_ask_the_server_behind_the_program(run: Any, tmp_path: Any) -> None:
    messages = {"m": {"id": "m", "parentId": None, "role": "user", "content": "Hello"}}
    chat = {"title": "A", "params": {"num_ctx": 300}, "history": {"messages": messages, "currentId": "m"}}
    file = tmp_path / "chat.json"
    file.write_text(json.dumps([{"id": "a", "chat": chat}]))
    with record.recorded(record.OLLAMA) as address:
        found = run("assemble", str(file), "--policy", "own", "--server-context", address, "--format", "json")
    assert json.loads(found.stdout)["scenario"]["server"] == "ollama"
    assert context_of(found) == 8192
