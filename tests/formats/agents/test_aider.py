"""Aider's histories: sessions, whose lines are whose, code that looks like turns, and what was typed."""

from pathlib import Path

import pytest

from inspector.formats import load_workspace
from inspector.formats.agents import aider
from inspector.model import Conversation, Workspace
from inspector.reading.source import FileSource, UnreadableError

HISTORY = """
# aider chat started at 2026-01-02 03:04:05

> Aider v0.70.0  

#### add a tide table  
#### with times  

Sure:

# Tides

```python
# a comment
#### looks like a turn
def tides(): ...
```

> Tokens: 2.1k sent, 120 received.  

# aider chat started at 2026-01-03 03:04:05

> Aider v0.70.0  

#### thanks  

You are welcome.

"""  # noqa: W291 - aider ends its lines so
INPUT = """
# 2026-01-02 03:04:05.123456
+add a tide table
+with times

# 2026-01-02 03:05:05.123456
+/undo
"""


def load(text: str) -> Workspace:
    source = FileSource("x/.aider.chat.history.md", text.encode())
    assert aider.sniff(source) >= 0.9
    return aider.load(source)


def said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(one.role, one.content) for one in conversation.messages]


def test_each_session_is_a_conversation() -> None:
    first, second = load(HISTORY).conversations
    assert said(first) == [
        ("tool", "Aider v0.70.0"),
        ("user", "add a tide table\nwith times"),
        ("assistant", "Sure:\n\n# Tides\n\n```python\n# a comment"),
        ("user", "looks like a turn"),
        ("assistant", "def tides(): ...\n```"),
        ("tool", "Tokens: 2.1k sent, 120 received."),
    ]
    assert said(second)[1:] == [("user", "thanks"), ("assistant", "You are welcome.")]
    assert [(one.id, one.title) for one in (first, second)] == [
        ("aider.chat.history-1", "add a tide table"),
        ("aider.chat.history-2", "thanks"),
    ]
    assert first.messages[0].time is not None


def test_what_aider_printed_was_not_sent() -> None:
    for talk in load(HISTORY).conversations:
        for one in talk.messages:
            assert one.excluded == (one.role == "tool") == (one.metadata.get("recorded", {}).get("action") == "dropped")


def test_a_turn_inside_of_code_is_named_once() -> None:
    (problem,) = load(HISTORY).problems
    assert (problem.place, problem.severity) == ("line 15", "warning")


def test_lines_that_were_typed() -> None:
    (talk,) = load(INPUT).conversations
    assert said(talk) == [("user", "add a tide table\nwith times"), ("user", "/undo")]
    assert [one.time.minute for one in talk.messages if one.time] == [4, 5]


@pytest.mark.parametrize("text", ["# Notes\n\n> quoted\n", "#### heading\n", "# 2026-01-02 03:04:05.1\nx", "a: 1\n"])
def test_other_text_is_not_claimed(text: str) -> None:
    source = FileSource("x.md", text.encode())
    assert aider.sniff(source) == 0
    with pytest.raises(UnreadableError):
        aider.load(source)


def test_the_real_history(data_folder: Path) -> None:
    workspace = load_workspace([data_folder / "aider/derived/aider.chat.history.md"])
    (talk,) = workspace.conversations
    assert [one.role for one in talk.messages] == ["tool", "user", "assistant", "user", "assistant", "tool", "user"]
    assert [problem.place for problem in workspace.problems] == ["line 14"]


def test_a_session_in_which_nothing_was_said_is_none(tmp_path: Path) -> None:
    file = tmp_path / ".aider.chat.history.md"
    file.write_text(
        "\n# aider chat started at 2026-01-02 10:00:00\n\n> Aider v0.80.0  \n"
        "\n# aider chat started at 2026-01-02 11:00:00\n\n> Aider v0.80.0  \n\n#### Tides?\n\nHigh.\n"
    )
    workspace = load_workspace([file])
    (chat,) = workspace.conversations
    assert [one.content for one in chat.messages if one.role != "tool"] == ["Tides?", "High."]
    assert [problem.severity for problem in workspace.problems] == ["info"]
