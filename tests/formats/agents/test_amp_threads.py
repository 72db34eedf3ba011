"""Threads of Amp by the names of its types: commands of the user, files that it mentions, and both kinds of results."""

from pathlib import Path
from typing import Any

import pytest

from inspector.model import DocumentPart
from tests.formats.agents.agent_examples import AMP
from tests.formats.agents.test_agent_sessions import only_chat, opened


def with_message(**fields: Any) -> dict[str, Any]:
    message = {"role": "user", "messageId": 9, "content": [{"type": "text", "text": "Look"}], **fields}
    return {**AMP, "messages": [*AMP["messages"], message]}


@pytest.mark.parametrize("hidden", [True, False])
def test_a_command_of_the_user_is_sent_unless_it_is_hidden(tmp_path: Path, hidden: bool) -> None:
    run = {"status": "done", "result": {"output": "a.txt", "exitCode": 0}}
    command = {"type": "manual_bash_invocation", "args": {"cmd": "ls"}, "toolRun": run, "hidden": hidden}
    workspace = opened(tmp_path, with_message(role="info", content=[command]))
    last = only_chat(workspace).messages[-1]
    assert (last.role, last.content, last.excluded) == ("user", "$ ls\na.txt", hidden)
    assert [one.message for one in workspace.problems if one.severity != "info"] == []


def test_the_files_that_a_message_mentions_are_sent_with_it(tmp_path: Path) -> None:
    files = [
        {"uri": "file:///a.py", "content": "print()", "isImage": False},
        {"uri": "file:///a.png", "content": "", "isImage": True, "imageInfo": {"mimeType": "image/png", "size": 3}},
    ]
    guide = [
        {"uri": "file:///AGENTS.md", "lineCount": 1, "content": "Be brief."},
        {"uri": "file:///B.md", "lineCount": 0},
    ]
    mentions = {"files": files, "mentions": [{"uri": "file:///a.py"}]}
    workspace = opened(tmp_path, with_message(fileMentions=mentions, discoveredGuidanceFiles=guide))
    last = only_chat(workspace).messages[-1]
    assert [(one.name, one.text) for one in last.parts if isinstance(one, DocumentPart)] == [
        ("file:///a.py", "print()"),
        ("file:///AGENTS.md", "Be brief."),
    ]
    assert last.content.startswith("Look")


def test_a_result_beside_its_state_answers_its_call(tmp_path: Path) -> None:
    block = {"type": "tool_result", "toolUseID": "c1", "output": "Paris", "status": "done"}
    lines = [{**one, "content": [block]} if one["messageId"] == 2 else one for one in AMP["messages"]]
    (result,) = [one for one in only_chat(opened(tmp_path, {**AMP, "messages": lines})).messages if one.role == "tool"]
    assert (result.tool_call_id, result.content) == ("c1", "Paris")
