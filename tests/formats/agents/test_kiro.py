"""Journals of Kiro CLI: data in results, the shapes of older versions, and lines of other kinds."""

from pathlib import Path
from typing import Any

from tests.formats.agents.goose_and_crush_examples import ANSWERED, ASKED, KIRO, kiro_line
from tests.formats.agents.test_agent_sessions import only_chat, opened, said


def test_a_journal_tells_its_model_and_the_time_of_a_prompt(tmp_path: Path) -> None:
    chat = only_chat(opened(tmp_path, KIRO))
    assert chat.model == "claude-x"
    assert chat.messages[0].time is not None
    assert said(chat) == [("user", ASKED), ("tool", "Paris"), ("assistant", ANSWERED)]


def test_data_in_a_result_are_what_the_model_reads(tmp_path: Path) -> None:
    told: dict[str, Any] = {"toolUseId": "c1", "content": [{"kind": "json", "data": {"stdout": "Paris"}}]}
    lines = [*KIRO[:2], kiro_line("ToolResults", 3, {"kind": "toolResult", "data": told})]
    assert said(only_chat(opened(tmp_path, lines)))[-1] == ("tool", '{"stdout":"Paris"}')


def test_lines_of_older_versions_are_read(tmp_path: Path) -> None:
    lines = [
        kiro_line("UserMessage", 1, {"text": ASKED}),
        kiro_line("Response", 2, {"kind": "text", "data": {"text": ANSWERED}}),
    ]
    assert said(only_chat(opened(tmp_path, lines))) == [("user", ASKED), ("assistant", ANSWERED)]


def test_a_line_of_another_kind_and_an_unknown_part_are_named(tmp_path: Path) -> None:
    other = [kiro_line("Checkpoint", 8), kiro_line("AssistantMessage", 9, {"kind": "hologram", "data": {"x": "Lost"}})]
    said_of = [one.message for one in opened(tmp_path, [*KIRO, *other]).problems]
    assert any("Checkpoint" in one for one in said_of)
    assert any("hologram" in one for one in said_of)
