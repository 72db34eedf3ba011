"""prompt-inspector export."""

import json
from pathlib import Path

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
    assert "'nobody' is none of the conversations" in unknown.stderr
