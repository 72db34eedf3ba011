"""Chorus Engine's exports for reading: heads of messages, what a message quotes, the summary and the memories."""

from pathlib import Path

import pytest

from inspector.formats import load_workspace
from inspector.formats.chorus import reading_export
from inspector.model import PastSummary, Workspace
from inspector.reading.source import FileSource, UnreadableError

HEAD = """\
# First talks

**Character:** Nova
**Started:** June 01, 2023 at 11:58 PM
**Last Updated:** June 02, 2023 at 12:03 AM
**Messages:** 4

---

"""
EXTRACTS = """\
## Conversation Summary

> They met.
They talked of tea.

**Key Topics:** tea, sea
**Open Questions:** which tea
**Messages Covered:** 2

---

## Extracted Memories

### Explicit

- Likes tea,
and the sea.

### Fact

- Sails. (confidence: 0.90)

---

"""
TALK = """\
## Conversation

**User** *(11:58 PM)*

Hi

**Assistant** *(12:01 AM)*

Ho

---

**MessageRole.SCENE_CAPTURE** *(12:02 AM)*

A pier at night

**User** *(12:03 AM)*

You wrote:

## Conversation

**User** (no time)

**Bob** *(01:00 AM)*
*Exported from Chorus Engine on June 01, 2023 at 01:00 AM*

---

"""
FOOTER = """
---

*Exported from Chorus Engine on November 01, 2025 at 09:00 AM*"""
MARKDOWN = HEAD + EXTRACTS + TALK + FOOTER
RULE = "-" * 70
TEXT = f"""\
{"=" * 70}
First talks
{"=" * 70}

Character: Nova
Started: June 01, 2023 at 01:47 PM
Last Updated: June 01, 2023 at 01:48 PM
Messages: 2

{RULE}

[01:47 PM] USER:
Hi
[01:47 PM] USER: as it says

## Conversation

[01:48 PM] ASSISTANT:
Ho

{RULE}
Exported from Chorus Engine on November 01, 2025 at 09:00 AM"""
QUOTED = (
    "You wrote:\n\n## Conversation\n\n**User** (no time)\n\n**Bob** *(01:00 AM)*\n"
    "*Exported from Chorus Engine on June 01, 2023 at 01:00 AM*\n\n---"
)


def load(text: str) -> Workspace:
    source = FileSource("chats/talk.md", text.encode())
    assert reading_export.sniff(source) >= 0.9
    return reading_export.load(source)


def said(workspace: Workspace) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in workspace.conversations[0].messages]


def test_messages_of_markdown() -> None:
    workspace = load(MARKDOWN)
    assert said(workspace) == [
        ("user", "Hi"),
        ("assistant", "Ho\n\n---"),
        ("system", "A pier at night"),
        ("user", QUOTED),
    ]
    (talk,) = workspace.conversations
    assert (talk.id, talk.title) == ("talk", "First talks")
    assert [f"{message.time:%d %H:%M}" for message in talk.messages if message.time] == [
        "01 23:58",
        "02 00:01",
        "02 00:02",
        "02 00:03",
    ]
    scene = talk.messages[2]
    assert (scene.excluded, scene.metadata["recorded"]["action"]) == (True, "dropped")
    assert [problem.severity for problem in workspace.problems] == ["info"]


def test_summary_and_memories_stand_above_the_messages() -> None:
    workspace = load(MARKDOWN)
    summary = PastSummary(
        "talk",
        "They met.\nThey talked of tea.",
        "First talks",
        topics=("tea", "sea"),
        open_questions=("which tea",),
        source_messages=tuple(message.id for message in workspace.conversations[0].messages),
    )
    assert workspace.summaries == (summary,)
    (kept,) = workspace.memory_sets
    assert (kept.id, kept.conversations) == ("Nova", ("talk",))
    assert [(one.content, one.type, one.confidence) for one in kept.memories] == [
        ("Likes tea,\nand the sea.", "explicit", None),
        ("Sails.", "fact", 0.9),
    ]


def test_messages_of_text() -> None:
    workspace = load(TEXT)
    first = "Hi\n[01:47 PM] USER: as it says\n\n## Conversation"
    assert said(workspace) == [("user", first), ("assistant", "Ho")]
    assert workspace.conversations[0].title == "First talks"


@pytest.mark.parametrize(
    "text", [TALK + FOOTER, TEXT.split(f"{RULE}\n\n", 1)[1], (TALK + FOOTER).replace("\n", "\r\n")]
)
def test_an_export_without_its_head(text: str) -> None:
    workspace = load(text)
    assert said(workspace)[0][1].startswith("Hi")
    assert said(workspace)[1][1].startswith("Ho")
    assert workspace.conversations[0].title == "talk"
    assert {message.time for message in workspace.conversations[0].messages} == {None}
    assert workspace.problems == ()


def test_what_is_missing_is_named() -> None:
    workspace = load(MARKDOWN.replace("**Messages:** 4", "**Messages:** 5"))
    assert "says that there are 5 messages, found 4" in workspace.problems[-1].message
    stray = load(HEAD + TALK.replace("## Conversation\n", "## Conversation\n\nOnce more\n", 1) + FOOTER)
    assert "the text above the first" in stray.problems[0].message
    assert stray.problems[0].place == "line 11"


def test_a_file_that_was_cut_off_keeps_its_messages() -> None:
    cut = MARKDOWN[: MARKDOWN.index("You wrote:")]
    assert said(load(cut))[:2] == [("user", "Hi"), ("assistant", "Ho\n\n---")]


@pytest.mark.parametrize(
    "text", ["", "Hi", HEAD, "Exported from Chorus Engine on a day", "**User** *(11:58 PM)*\n\nHi"]
)
def test_other_text_is_not_claimed(text: str) -> None:
    source = FileSource("x.md", text.encode())
    assert reading_export.sniff(source) == 0
    if "PM)" not in text:
        with pytest.raises(UnreadableError):
            reading_export.load(source)


# Ending of the file, and how many messages, memories and summaries it has.
_REAL = (("md", 40, 2, 1), ("txt", 39, 0, 0))


@pytest.mark.parametrize(("ending", "messages", "memories", "summaries"), _REAL)
def test_real_exports(data_folder: Path, ending: str, messages: int, memories: int, summaries: int) -> None:
    workspace = load_workspace([data_folder / f"chorus/derived/First talks_20251101_090000.{ending}"])
    assert [source.format for source in workspace.sources] == ["chorus_export"]
    assert len(said(workspace)) == messages
    assert sum(len(kept.memories) for kept in workspace.memory_sets) == memories
    assert len(workspace.summaries) == summaries
    assert all(content for _, content in said(workspace))
    assert [problem.severity for problem in workspace.problems] == ["info"]
