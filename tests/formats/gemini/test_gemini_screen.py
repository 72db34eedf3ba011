"""What Gemini CLI shows on its screen is no text that was lost; anything else that is left is named."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.model import Workspace

_AT = "2026-05-01T10:00:00.000Z"
_CALL = {
    "id": "t",
    "name": "read_file",
    "args": {"path": "capitals.txt"},
    "result": [{"functionResponse": {"id": "t", "name": "read_file", "response": {"output": "It is Paris."}}}],
    "resultDisplay": "Read all of the lines.",
    "description": "Reads the file of capitals.",
}


def opened(folder: Path, *messages: dict[str, Any]) -> Workspace:
    session = {"sessionId": "s", "projectHash": "p", "startTime": _AT, "messages": list(messages)}
    (folder / "session.json").write_text(json.dumps(session))
    return load_workspace([folder / "session.json"])


def message(kind: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"id": f"{kind}-{content}"[:20], "timestamp": _AT, "type": kind, "content": content, **more}


def test_what_the_screen_shows_gives_no_warning(tmp_path: Path) -> None:
    shown = [{"text": "Tell me the capital, please."}]
    workspace = opened(
        tmp_path,
        message("user", "What is the capital of France?", displayContent=shown),
        message("info", "Press Esc to cancel the request."),
        message("error", "The request failed, and is sent again."),
        message("gemini", "Paris.", toolCalls=[_CALL]),
    )
    assert [problem.severity for problem in workspace.problems] == ["info"]
    assert "2 messages of the program" in workspace.problems[0].message
    assert workspace == load_workspace([tmp_path / "session.json"])


@pytest.mark.parametrize("key", ["aside", "remark_text"])
def test_other_texts_that_are_left_are_still_named(tmp_path: Path, key: str) -> None:
    said = message("gemini", "Paris.", **{key: "It is on the river Seine."})
    workspace = opened(tmp_path, message("user", "What is the capital of France?"), said)
    assert [problem.place for problem in workspace.problems] == [f"$.messages[1].{key}"]
