"""prompt-inspector export."""

import json
from pathlib import Path

import pytest

from inspector.formats.chat_exports import CHAT_ENDINGS, CHAT_EXPORTS
from tests.cli.conftest import Run


def test_a_conversation_is_written_in_another_layout(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "chat.json"
    messages = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi", "name": "Ann"}]
    source.write_text(json.dumps(messages))
    out = tmp_path / "out.json"
    result = run("export", str(source), "--as", "anthropic", "--out", str(out))
    assert result.exit_code == 0, result.stderr
    assert "1 name of a speaker could not be written as anthropic" in result.stderr
    written = json.loads(out.read_text())
    assert written["system"] == "Be kind."
    assert written["messages"] == [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}]


def test_the_source_is_never_written_and_an_unknown_chat_is_named(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "chat.json"
    source.write_text(json.dumps([{"role": "user", "content": "Hi"}]))
    before = source.read_bytes()
    assert run("export", str(source), "--out", str(source)).exit_code == 2
    assert source.read_bytes() == before
    unknown = run("export", str(source), "--out", str(tmp_path / "x.json"), "--conversation", "nobody")
    assert unknown.exit_code == 2
    assert "--conversation: conversation 'nobody' is not there; there are chat" in unknown.stderr


@pytest.mark.parametrize("said", [["", " \n"], []], ids=["empty messages", "none but the system's"])
@pytest.mark.parametrize("command", [("export", "--as", "anthropic"), ("report",)], ids=["chat", "prompt"])
def test_what_says_nothing_is_no_request_to_anthropic(
    run: Run, tmp_path: Path, command: tuple[str, ...], said: list[str]
) -> None:
    source, out = tmp_path / "chat.json", tmp_path / "out.anthropic.json"
    messages = [{"role": "system", "content": "Be kind."}, *({"role": "user", "content": text} for text in said)]
    source.write_text(json.dumps({"messages": messages}))
    out.write_text("an older one")
    result = run(*command, str(source), "--out", str(out))
    assert result.exit_code == 2
    what = "the chat chat" if "export" in command else "the prompt"
    found = "only empty messages" if said else "no messages"
    assert f"{out}: cannot be written: {what} has {found}" in result.stderr
    assert out.read_text() == "an older one"


@pytest.mark.parametrize("kind", CHAT_EXPORTS)
def test_a_chat_that_says_nothing_opens_again_where_it_can_be_written(run: Run, tmp_path: Path, kind: str) -> None:
    source, out = tmp_path / "chat.json", tmp_path / f"out.{CHAT_ENDINGS[kind]}"
    source.write_text(json.dumps([{"role": "user", "content": ""}, {"role": "assistant", "content": ""}]))
    if run("export", str(source), "--as", kind, "--out", str(out)).exit_code == 0:
        assert len(json.loads(run("assemble", str(out), "--format", "json").stdout)["messages"]) == 2
    else:
        assert kind == "anthropic"
