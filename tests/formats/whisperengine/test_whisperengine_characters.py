"""WhisperEngine's characters: sections of the definition language, and files of a second version's folder."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from inspector.formats import load_workspace
from inspector.formats.whisperengine import cdl, characters
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError

SECTIONS: dict[str, Any] = {
    "metadata": {"name": "mara", "version": 1},
    "identity": {"name": "Mara", "occupation": "Keeper", "nickname": ""},
    "personality": {"traits": ["kind", {"name": "curious", "strength": 0.9}], "values": []},
    "communication_style": {},
    "background": {"summary": "Born at sea.\nLives ashore."},
}
CDL: dict[str, Any] = {"cdl_version": "1.0", "format": "cdl", "character": SECTIONS}
PROMPT = "You are Mara Sand, a keeper.\n\nYou are talking to {user_name}. It is {current_datetime}.\n"
FACTS: dict[str, Any] = {"facts": [{"predicate": "LIVES_IN", "object": "A lighthouse"}], "posting": {"base": 1}}
STAGES: dict[str, Any] = {
    "character_name": "Mara",
    "evolution_stages": [
        {"name": "Cold", "trust_range": [-50, -1], "behavior": "Be brief."},
        {"name": "Stranger", "trust_range": [0, 20], "behavior": "Be polite."},
    ],
    "traits": [{"name": "teasing", "unlock_at": 40, "description": "Teases."}],
    "moods": [{"name": "happy"}],
}
CORE: dict[str, Any] = {"purpose": "To keep.", "timezone": "UTC", "drives": {"care": 0.8}, "constitution": ["No lies"]}
GOALS: dict[str, Any] = {"goals": [{"slug": "name", "description": "Learn the name", "priority": 1}]}


def as_yaml(value: Any) -> bytes:
    return yaml.safe_dump(value, sort_keys=False).encode()


FILES = [PROMPT.encode(), *map(as_yaml, (FACTS, STAGES, CORE, GOALS))]


def in_sections(content: bytes) -> Workspace:
    source = FileSource("mara.json", content)
    assert cdl.sniff(source) >= 0.9
    return cdl.load(source)


def of_folder(content: bytes, name: str = "mara/core.yaml") -> Workspace:
    source = FileSource(name, content)
    assert characters.sniff(source) > 0.9
    return characters.load(source)


@pytest.mark.parametrize("content", [json.dumps(CDL).encode(), json.dumps(SECTIONS).encode(), as_yaml(CDL)])
def test_sections_are_components(content: bytes) -> None:
    workspace = in_sections(content)
    (character,) = workspace.characters
    assert (character.id, character.name, character.system_prompt) == ("Mara", "Mara", "")
    assert [(one.id, one.content, one.required) for one in character.components] == [
        ("identity", "identity:\n  name: Mara\n  occupation: Keeper", True),
        ("personality", "personality:\n  traits:\n    - kind\n    - name: curious\n      strength: 0.9", False),
        ("background", "background:\n  summary:\n    Born at sea.\n    Lives ashore.", False),
    ]
    assert [problem.severity for problem in workspace.problems] == ["info"]


def test_the_text_of_a_folder_is_the_prompt() -> None:
    (character,) = of_folder(PROMPT.encode(), "mara/character.md").characters
    assert (character.name, character.system_prompt) == ("Mara Sand", PROMPT.strip())


def test_background_facts_are_memories() -> None:
    workspace = of_folder(as_yaml({**FACTS, "facts": [*FACTS["facts"], {"predicate": "HAS", "object": ""}]}))
    (memory,) = workspace.memory_sets[0].memories
    assert (memory.content, memory.type) == ("lives in: A lighthouse", "fact")
    assert [problem.place for problem in workspace.problems] == ["$.facts[1]", "$"]


def test_only_the_stage_of_a_stranger_is_switched_on() -> None:
    (character,) = of_folder(as_yaml(STAGES)).characters
    assert [(one.id, one.content, one.condition) for one in character.components] == [
        ("stage Cold", "Be brief.", False),
        ("stage Stranger", "Be polite.", True),
        ("trait teasing", "Teases.", False),
    ]


def test_purpose_limits_and_goals_are_components() -> None:
    (core,) = of_folder(as_yaml(CORE)).characters
    assert [one.content for one in core.components] == [
        "purpose: To keep.",
        "drives:\n  care: 0.8",
        "constitution:\n  - No lies",
    ]
    (goals,) = of_folder(as_yaml(GOALS)).characters
    assert [one.content for one in goals.components] == ["goals:\n- Learn the name"]


@pytest.mark.parametrize(
    "value", [{}, {"facts": ["x"]}, {"goals": ["x"]}, {"character": {"name": "x"}}, {"identity": 1}]
)
def test_other_yaml_is_not_claimed(value: Any) -> None:
    source = FileSource("x.yaml", as_yaml({"x": 1, **value}))
    for kind in (cdl.FORMAT, characters.FORMAT):
        assert kind.sniff(source) == 0
    with pytest.raises(UnreadableError):
        characters.load(source)


# File, its character's name, and how many sections say anything.
_CDL = (
    ("default_assistant", "WhisperEngine Assistant", 9),
    ("elena", "Elena Rodriguez", 4),
    ("jake", "Jake Sterling", 8),
    ("ryan", "Ryan Chen", 7),
)


@pytest.mark.parametrize(("name", "called", "sections"), _CDL)
def test_real_characters_in_sections(data_folder: Path, name: str, called: str, sections: int) -> None:
    workspace = load_workspace([data_folder / f"whisperengine_cdl/{name}.json"])
    (character,) = workspace.characters
    assert character.name == called
    assert len(character.components) == sections
    assert [source.format for source in workspace.sources] == ["whisperengine_cdl"]


def test_the_real_folder_of_a_character(data_folder: Path) -> None:
    workspace = load_workspace([data_folder / "whisperengine_v2_characters"])
    assert {source.format for source in workspace.sources} == {"whisperengine_character"}
    assert [one.name for one in workspace.characters] == ["Elena Rodriguez", "Elena"]
    assert len(workspace.characters[1].components) == 17
    assert len(workspace.memory_sets[0].memories) == 32
