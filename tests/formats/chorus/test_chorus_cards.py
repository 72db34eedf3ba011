"""Characters of Chorus Engine: YAML and card."""

import struct
from base64 import b64encode
from pathlib import Path

import pytest

from inspector.formats.chorus import character as chorus
from inspector.model import Workspace
from inspector.reading.png import SIGNATURE
from inspector.reading.source import FileSource, UnreadableError

CHARACTER = """\
id: wren
name: Wren
role: Bird watcher
custom_system_prompt: true
system_prompt: |
  You watch birds.
immersion_level: full
core_memories:
- content: You keep a notebook.
  tags: [habit, birds]
  embedding_priority: high
- content: You met a heron once.
  embedding_priority: medium
- content: You dislike drones.
  embedding_priority: low
- content: You like rain.
preferred_llm:
  model: qwen2.5:14b
  temperature: 0.7
  context_window: 8192
  budget_ratios: {memory: 0.3, history: 0.4}
"""


def opened(text: str, path: str = "characters/wren.yaml") -> Workspace:
    source = FileSource(path, text.encode())
    assert chorus.sniff(source) >= 0.85
    return chorus.load(source)


def card(yaml: bytes, length: int | None = None) -> bytes:
    body = b"chorus_card\0" + b64encode(yaml)
    return SIGNATURE + struct.pack(">I", length or len(body)) + b"tEXt" + body + bytes(4)


def test_the_character() -> None:
    workspace = opened(CHARACTER)
    (character,) = workspace.characters
    assert (character.id, character.name, character.system_prompt) == ("wren", "Wren", "You watch birds.\n")
    assert character.preferred_llm == {
        "model": "qwen2.5:14b",
        "context_window": 8192,
        "budget_ratios": {"memory": 0.3, "history": 0.4},
    }
    assert not workspace.problems


def test_core_memories_are_a_memory_set() -> None:
    (memory_set,) = opened(CHARACTER).memory_sets
    assert memory_set.id == "wren-core"
    assert [(memory.id, memory.type, memory.priority) for memory in memory_set.memories] == [
        ("wren-core-0", "core", 95),
        ("wren-core-1", "core", 80),
        ("wren-core-2", "core", 60),
        ("wren-core-3", "core", None),
    ]
    assert memory_set.memories[0].content == "You keep a notebook."
    assert memory_set.memories[0].tags == ("habit", "birds")


def test_a_prompt_that_the_application_adds_to_says_so() -> None:
    (problem,) = opened(CHARACTER.replace("custom_system_prompt: true", "custom_system_prompt: false")).problems
    assert problem.severity == "info"
    assert "immersion level full" in problem.message


def test_null_means_as_the_system_has_it() -> None:
    text = "name: Wren\nsystem_prompt: x\nimmersion_level: full\ncustom_system_prompt: true\n"
    workspace = opened(text + "preferred_llm: {model: null, context_window: null}\n")
    assert workspace.characters[0].preferred_llm == {}
    assert workspace.characters[0].id == "Wren"
    assert workspace.memory_sets == ()
    assert not workspace.problems


def test_wrong_types_are_named_and_the_rest_opens() -> None:
    text = """\
name: [Wren]
system_prompt: 5
custom_system_prompt: true
immersion_level: full
core_memories: [plain text, {content: ""}, {content: x, embedding_priority: urgent}]
preferred_llm: {context_window: wide}
"""
    workspace = opened(text)
    assert [memory.content for memory in workspace.memory_sets[0].memories] == ["plain text", "x"]
    assert {problem.place for problem in workspace.problems} == {
        "$.name",
        "$.system_prompt",
        "$.core_memories[1].content",
        "$.core_memories[2].embedding_priority",
        "$.preferred_llm.context_window",
    }


def test_a_card_holds_the_yaml() -> None:
    text = "spec: chorus_card_v1\ndata:\n" + "".join(f"  {line}\n" for line in CHARACTER.splitlines())
    for path, data in (("wren.png", card(text.encode())), ("wren.yaml", text.encode())):
        source = FileSource(path, data)
        assert chorus.sniff(source) == 1.0
        workspace = chorus.load(source)
        assert workspace.characters[0].system_prompt == "You watch birds.\n"
        assert len(workspace.memory_sets[0].memories) == 4


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (card(b"name: Wren", length=500), "cut off"),
        (SIGNATURE + struct.pack(">I", 15) + b"tEXt" + b"chorus_card\0!!!" + bytes(4), "expected base64"),
        (card(b"a: b: c"), "not valid YAML"),
        (card(b"- a list"), "expected an object"),
        (SIGNATURE, "found none"),
    ],
)
def test_broken_cards_are_refused_with_a_reason(data: bytes, message: str) -> None:
    with pytest.raises(UnreadableError, match=message):
        chorus.load(FileSource("x.png", data))


@pytest.mark.parametrize("text", ["name: x\nrole: y\n", "core_memories: []\n", "- a\n", "plain text"])
def test_other_files_are_left_to_others(text: str) -> None:
    assert chorus.sniff(FileSource("x.yaml", text.encode())) == 0


@pytest.mark.parametrize(
    ("file", "name", "memories"), [("aria", "Aria", 7), ("nova", "Nova", 7), ("template", "Character Name", 2)]
)
def test_real_characters(data_folder: Path, file: str, name: str, memories: int) -> None:
    workspace = opened((data_folder / f"chorus/{file}.yaml").read_text(encoding="utf-8"))
    assert workspace.characters[0].name == name
    assert workspace.characters[0].system_prompt
    (memory_set,) = workspace.memory_sets
    assert len(memory_set.memories) == memories
    assert {memory.priority for memory in memory_set.memories} <= {60, 80, 95}
    assert [problem.severity for problem in workspace.problems] == ["info"]


def test_the_real_card(data_folder: Path) -> None:
    source = FileSource("x.png", (data_folder / "character_cards/derived/chorus_card.png").read_bytes())
    (character,) = chorus.load(source).characters
    assert (character.name, character.system_prompt) == ("Nova", "Hi — é 日本")
