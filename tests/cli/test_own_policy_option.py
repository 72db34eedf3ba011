"""The option --policy own."""

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def open_webui(tmp_path: Path) -> Path:
    """A chat of Open WebUI whose settings name the context of Ollama."""
    messages = {
        f"m{n}": {"id": f"m{n}", "parentId": f"m{n - 1}" if n else None, "role": ("user", "assistant")[n % 2]}
        | {"content": f"{n} " + "word " * 40}
        for n in range(20)
    }
    chat = {"title": "A", "params": {"num_ctx": 300}, "history": {"messages": messages, "currentId": "m19"}}
    file = tmp_path / "chat.json"
    file.write_text(json.dumps([{"id": "a", "chat": chat}]))
    return file


def test_own_is_the_program_of_the_file_with_its_server(run: Any, open_webui: Path) -> None:
    found = json.loads(run("assemble", str(open_webui), "--policy", "own", "--format", "json").stdout)
    scenario = found["scenario"]
    assert (scenario["policy"], scenario["server"], scenario["server_context"]) == ("open_webui", "ollama", 300)
    assert "server" in {item["reason"] for item in found["items"]}


def test_options_win_over_what_the_file_says(run: Any, open_webui: Path) -> None:
    asked = ("assemble", str(open_webui), "--policy", "own", "--set", "message_overhead=9", "--format", "json")
    for given, said in (
        (("--server-context", "700"), ("ollama", 700)),
        (("--server", "vllm"), ("vllm", None)),
        (("--server", "none"), ("none", None)),
    ):
        scenario = json.loads(run(*asked, *given).stdout)["scenario"]
        assert (scenario.get("server", "none"), scenario.get("server_context")) == said
        assert scenario["parameters"]["message_overhead"] == 9


def test_a_file_of_no_known_program_is_refused(run: Any, workspace_file: Any) -> None:
    result = run("assemble", workspace_file, "--policy", "own")
    assert result.exit_code == 2
    assert "--policy own: the rules of the program of this file are not known" in result.stderr


def test_a_command_without_a_file_asks_for_a_name(run: Any) -> None:
    result = run("snippet", "--for", "ollama", "--policy", "own")
    assert result.exit_code == 2
    assert "name a policy here" in result.stderr


def test_every_command_that_opens_files_takes_it(run: Any, open_webui: Path, tmp_path: Path) -> None:
    chat, own = str(open_webui), ("--policy", "own")
    rows = run("sweep", chat, *own, "--set", "message_overhead=0,9").stdout.splitlines()
    assert [json.loads(row)["policy"] for row in rows] == ["open_webui", "open_webui"]
    probes = tmp_path / "probes.json"
    probe = {"id": "p", "query": "15?", "conversation": "a", "evidence": ["m15"]}
    probes.write_text(json.dumps({"format": "prompt-inspector/probes@1", "probes": [probe]}))
    asked = ("recommend", chat, "--probes", str(probes), "--windows", "400", "--reply", "50", "--workers", "1")
    found = json.loads(run(*asked, *own, "--policies", "naive", "--format", "json").stdout)
    named = ("--policy", "open_webui", "--server", "ollama", "--server-context", "300")
    assert found == json.loads(run(*asked, *named, "--policies", "naive", "--format", "json").stdout)
    page = tmp_path / "page.md"
    assert run("report", chat, *own, "--prompt", "--out", str(page)).exit_code == 0
    assert "| policy | open\\_webui |" in page.read_text()
    assert run("snippet", chat, *own, "--for", "ollama").exit_code == 0


def test_each_side_of_compare_has_the_own_rules_of_its_files(run: Any, open_webui: Path, tmp_path: Path) -> None:
    for name, at in (("a", 3), ("b", 8)):
        (tmp_path / f"{name}.scenario.yaml").write_text(f"format: prompt-inspector/scenario@1\nat: {at}\n")
    sides = ("--a", str(tmp_path / "a.scenario.yaml"), "--b", str(tmp_path / "b.scenario.yaml"))
    found = run("compare", str(open_webui), *sides, "--policy", "own", "--format", "json")
    named = ("--policy", "open_webui", "--server", "ollama", "--server-context", "300")
    assert found.exit_code == 0
    assert found.stdout == run("compare", str(open_webui), *sides, *named, "--format", "json").stdout


@pytest.mark.parametrize("command", [("sweep", "--set", "at=1,2"), ("recommend", "--windows", "900")])
def test_an_archive_asks_for_a_name(run: Any, open_webui: Path, command: tuple[str, ...]) -> None:
    result = run(*command, str(open_webui.parent), "--glob", "*", "--workers", "1", "--policy", "own")
    assert result.exit_code == 2
    assert "name a policy here" in result.stderr


def test_a_report_of_an_archive_decides_each_file_by_its_own_rules(run: Any, open_webui: Path, tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.json").write_text(open_webui.read_text())
    lines = [{"user_name": "Bo", "chat_metadata": {}}, *({"name": "Bo", "is_user": True, "mes": "w " * 99},) * 99]
    (folder / "silly.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (folder / "plain.json").write_text('[{"role": "user", "content": "hello"}]')
    asked = ("report", str(folder), "--workers", "1", "--tokenizer", "estimate:words")
    page = tmp_path / "page.html"
    for _ in range(2):
        done = run(*asked, "--policy", "own", "--out", str(page))
        assert done.exit_code == 0
        assert "plain.json: own: the rules of the program of this file are not known" in done.stderr
        assert "the rules of the program that wrote each chat" in page.read_text()
    other = tmp_path / "other.html"
    run(*asked, "--policy", "naive", "--out", str(other))
    assert other.read_text() != page.read_text()
    refused = run(*asked, "--policy", "own", "--set", "a=1", "--out", str(page))
    assert refused.exit_code == 2
    assert "--set and --preset are about one" in refused.stderr


def test_an_approximation_says_so(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    about = {"sessionId": "s", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/", "version": "2.0"}
    file.write_text(
        "\n".join(
            json.dumps({"type": kind, "uuid": kind, "parentUuid": above, **about, "message": message})
            for kind, above, message in (
                ("user", None, {"role": "user", "content": "Hello"}),
                ("assistant", "user", {"role": "assistant", "content": [{"type": "text", "text": "Hi"}]}),
            )
        )
    )
    for command in ("assemble", "replay"):
        assert "Claude Code does not publish its rules" in run(command, str(file), "--policy", "own").stderr
