"""Markdown with a heading for each turn, as several programs write it, and Markdown that is no chat."""

import pytest

from inspector.formats.opening import load_unnamed
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Workspace
from inspector.reading.source import FileSource

HEADED = {
    "zed": "## User\n\nShall we meet?\n\n## Assistant\n\nSure, at six.\n",
    "goose": "# Session Export: Dinner\n\n*Total messages: 2*\n\n---\n\n"
    "### User:\nShall we meet?\n\n---\n\n### Assistant:\nSure, at six.\n\n---\n",
    "continue": "### [Continue](https://continue.dev) session transcript\n Exported: 1/2/2026, 10:00:00 AM\n\n"
    "#### _User_\n\n> Shall we meet?\n\n#### _Assistant_\n\n> Sure, at six.",
    "cherry_studio": "# Dinner\n\n## 🧑\u200d💻 User\n\nShall we meet?\n\n---\n"
    "## 🤖 gpt-4o | OpenAI\n\nSure, at six.\n",
    "exporter": "# Dinner\n\n### 👤 User (2026-05-14T12:51:36Z)\n\nShall we meet?\n\n---\n\n"
    "### 🤖 AI (2026-05-14T12:54:06Z)\n\nSure, at six.\n",
}


def opened(text: str) -> Workspace:
    return load_unnamed(text.encode(), "chat.md").workspace


@pytest.mark.parametrize("kind", HEADED)
def test_each_heading_of_a_role_begins_a_turn(kind: str) -> None:
    workspace = opened(HEADED[kind])
    assert [source.format for source in workspace.sources] == ["headed_markdown"]
    (chat,) = workspace.conversations
    assert [(one.role, one.content) for one in chat.messages] == [
        ("user", "Shall we meet?"),
        ("assistant", "Sure, at six."),
    ]
    assert opened(HEADED[kind].replace("\n", "\r\n")) == workspace


def test_titles_and_times_are_read_and_other_text_above_is_named() -> None:
    (chat,) = opened(HEADED["exporter"]).conversations
    assert chat.title == "Dinner"
    assert [str(one.time)[:16] for one in chat.messages] == ["2026-05-14 12:51", "2026-05-14 12:54"]
    assert "*Total messages: 2*" in opened(HEADED["goose"]).problems[0].message


def test_headings_in_a_text_and_in_code_begin_no_turn() -> None:
    text = HEADED["zed"].replace("Sure, at six.", "### User\n\n```\n## User\n\nNo.\n```\n\n## Plan\n\nSure.")
    (chat,) = opened(text).conversations
    assert len(chat.messages) == 2
    assert chat.messages[1].content == "### User\n\n```\n## User\n\nNo.\n```\n\n## Plan\n\nSure."


def test_a_turn_without_text_is_named() -> None:
    workspace = opened(HEADED["zed"] + "\n## User\n\n---\n")
    assert [(one.place, one.severity) for one in workspace.problems] == [("line 9", "warning")]


@pytest.mark.parametrize(
    "text",
    [
        "# Manual\n\n## User guide\n\nPress it.\n\n## Assistant settings\n\nNone.\n",
        "# Roles\n\n## User\n\nSees all.\n\n## Admin\n\nSees more.\n",
        "## User\n\n## Assistant\n",
        "```\n## User\n\nHi\n\n## Assistant\n\nHo\n```\n",
    ],
)
def test_other_markdown_is_not_claimed(text: str) -> None:
    found = rank_formats(FileSource("x.md", text.encode()), built_in_formats())[0]
    assert "headed_markdown" not in [one.name for one in found]
