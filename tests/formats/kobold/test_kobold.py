"""Stories of the Kobold family: one text, divided as its mode says, with memory, author's note and world info."""

import json
from typing import Any

import pytest

from inspector.formats.kobold import story as kobold
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError

STORY: dict[str, Any] = {
    "gamestarted": True,
    "prompt": "\nAna: Hi",
    "memory": "[Nova is kind.]",
    "authorsnote": "slow",
    "anotetemplate": "[Note: <|>]",
    "actions": ["\nNova: Ho\nand on", "\nAna:", " Bye"],
    "worldinfo": [{"key": "sea,shore", "keysecondary": "", "content": "Wide.", "constant": False, "probability": 50}],
    "savedsettings": {
        "opmode": 3,
        "chatname": "Ana",
        "chatopponent": "Nova||$||Bo",
        "max_context_length": 8192,
        "my_api_key": "sk-secret",
    },
}


def load(**changes: Any) -> Workspace:
    source = FileSource("story.json", json.dumps({**STORY, **changes}).encode())
    assert kobold.sniff(source) == 0.95
    return kobold.load(source)


def said(workspace: Workspace) -> list[tuple[str, str, str]]:
    return [(one.role, one.name, one.content) for one in workspace.conversations[0].messages]


def test_a_chat_is_divided_at_its_names() -> None:
    workspace = load()
    assert said(workspace) == [("user", "Ana", "Hi"), ("assistant", "Nova", "Ho\nand on"), ("user", "Ana", "Bye")]
    assert workspace.conversations[0].context_window == 8192
    assert "sk-secret" not in repr(workspace)


def test_a_chat_in_which_nobody_is_named_is_one_text() -> None:
    assert said(load(prompt="Once", actions=[" upon"])) == [("assistant", "", "Once upon")]


def test_memory_note_and_world_info() -> None:
    workspace = load()
    (character,) = workspace.characters
    assert character.system_prompt == "[Nova is kind.]"
    assert [one.content for one in character.components] == ["[Note: slow]"]
    assert character.profile is not None
    assert character.profile.name == "Ana"
    (entry,) = workspace.lorebooks[0].entries
    assert (entry.keys, entry.content, entry.activation["probability"]) == (("sea", "shore"), "Wide.", 50)
    against = {"key": "sea", "keyanti": "lake", "content": "Wide."}
    (entry,) = load(worldinfo=[against, {"key": "", "content": ""}]).lorebooks[0].entries
    assert (entry.secondary_keys, entry.activation["selectiveLogic"]) == (("lake",), 2)


def test_a_story_is_one_text() -> None:
    workspace = load(savedsettings={}, worldinfo=[], memory="", authorsnote="")
    assert said(workspace) == [("assistant", "", "\nAna: Hi\nNova: Ho\nand on\nAna: Bye")]
    assert (workspace.characters, workspace.lorebooks) == ((), ())


@pytest.mark.parametrize(
    ("tags", "text"),
    [
        ({}, "{{[SYSTEM]}}Be kind.{{[INPUT]}}Hi{{[OUTPUT]}}Ho{{[OUTPUT_END]}}"),
        (
            {"instruct_starttag": "\\n### User:\\n", "instruct_endtag": "### Bot:", "instruct_systag": "### System:"},
            "### System: Be kind.\n### User:\nHi\n### Bot:\nHo",
        ),
    ],
)
def test_instructions_are_divided_at_their_marks(tags: dict[str, str], text: str) -> None:
    workspace = load(prompt=text, actions=[], savedsettings={"opmode": 4, **tags}, memory="", authorsnote="")
    assert [one.system_prompt for one in workspace.characters] == ["Be kind."]
    assert said(workspace) == [("user", "", "Hi"), ("assistant", "", "Ho")]


def test_memory_and_a_system_mark_are_one_system_prompt() -> None:
    workspace = load(prompt="{{[SYSTEM]}}Be kind.{{[INPUT]}}Hi", actions=[], savedsettings={"opmode": 4})
    assert [one.system_prompt for one in workspace.characters] == ["[Nova is kind.]\nBe kind."]
    assert said(workspace) == [("user", "", "Hi")]


def test_in_an_adventure_the_person_writes_behind_a_mark() -> None:
    workspace = load(prompt="A cave.", actions=["\n> You look\n", "Dark."], savedsettings={"opmode": 2})
    assert said(workspace) == [("assistant", "", "A cave."), ("user", "", "You look"), ("assistant", "", "Dark.")]


def test_pictures_are_counted_and_no_text() -> None:
    pictured = f"\nNova: Look [<|p|data:image/png;base64,{'A' * 5_000}|p|>] there [<|p|cut"
    workspace = load(actions=[pictured])
    assert said(workspace)[1] == ("assistant", "Nova", "Look  there [<|p|cut")
    assert sum(one.images for one in workspace.conversations[0].messages) == 1
    assert "1 pictures" in workspace.problems[0].message


@pytest.mark.parametrize("window", [1e38, -5, 0, "x", None])
def test_a_window_that_cannot_be_one_is_none(window: Any) -> None:
    workspace = load(savedsettings={**STORY["savedsettings"], "max_context_length": window})
    assert workspace.conversations[0].context_window is None


def test_what_is_no_text_is_a_problem_and_the_rest_opens() -> None:
    workspace = load(prompt=5, actions=["\nAna: Hi", {"x": 1}])
    assert said(workspace) == [("user", "Ana", "Hi")]
    assert [problem.place for problem in workspace.problems] == ["$.prompt", "$.actions[1]"]


@pytest.mark.parametrize("value", [[], {"gamestarted": True}, {"actions": []}, {"gamestarted": True, "actions": {}}])
def test_other_json_is_not_claimed(value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert kobold.sniff(source) == 0
    with pytest.raises(UnreadableError):
        kobold.load(source)
