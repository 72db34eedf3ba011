"""Memories as people write them: lists and sets as JSON and YAML, JSON lines, tables, and what is none of these."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from inspector.formats import load_workspace
from inspector.formats.memories import table as memory_table
from inspector.model import Memory, Workspace
from inspector.reading.source import FileSource, UnreadableError

ROWS = [
    {"id": "a", "content": "Likes tea.", "type": "fact", "priority": 80},
    {"id": "b", "content": "Sails.\nOften.", "type": "core", "tags": ["sea", "wind"]},
]
EXPECTED = (
    Memory("a", "Likes tea.", type="fact", priority=80),
    Memory("b", "Sails.\nOften.", type="core", tags=("sea", "wind")),
)


def opened(text: str, name: str = "x/likes.json") -> Workspace:
    source = FileSource(name, text.encode())
    assert memory_table.sniff(source) > 0
    return memory_table.load(source)


def as_yaml(indent: str) -> str:
    return (
        f"{indent}- id: a\n{indent}  content: Likes tea.\n{indent}  type: fact\n{indent}  priority: 80\n"
        f'{indent}- id: b\n{indent}  content: "Sails.\\nOften."\n{indent}  type: core\n{indent}  tags: [sea, wind]\n'
    )


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ROWS),
        json.dumps({"memories": ROWS}),
        "\n".join(map(json.dumps, ROWS)),
        as_yaml(""),
        f"memories:\n{as_yaml('  ')}",
        'id,content,type,priority,tags\na,Likes tea.,fact,80,\nb,"Sails.\nOften.",core,,"sea, wind"\n',
        'ID;Content;Type;Priority;Tags\r\na;Likes tea.;fact;80;\r\nb;"Sails.\nOften.";core;;sea,wind\r\n',
        'id\tcontent\ttype\tpriority\ttags\na\tLikes tea.\tfact\t80\t\nb\t"Sails.\nOften."\tcore\t\tsea,wind\n',
    ],
)
def test_every_layout_gives_the_same_memories(text: str) -> None:
    workspace = opened(text)
    (found,) = workspace.memory_sets
    assert (found.id, found.title) == ("likes", "likes")
    assert found.memories == EXPECTED
    assert workspace.problems == ()


def test_a_set_has_its_own_id_and_title() -> None:
    (found,) = opened(json.dumps({"id": "s", "title": "Likes", "memories": [*ROWS, "Bare text."]})).memory_sets
    assert (found.id, found.title, len(found.memories)) == ("s", "Likes", 3)
    assert found.memories[2] == Memory("memory2", "Bare text.")


def test_several_sets() -> None:
    text = json.dumps([{"id": "s", "memories": ROWS}, {"id": "s", "memories": ROWS[:1]}, 5])
    workspace = opened(text)
    assert [(one.id, len(one.memories)) for one in workspace.memory_sets] == [("s", 2), ("s-2", 1)]
    assert [problem.place for problem in workspace.problems] == ["$[2]"]


def test_columns_are_found_by_name() -> None:
    text = "Memory,Created at,Score,Mood\nTea,2024-05-06,0.5,calm\nSea,,,wild\n"
    workspace = opened(text)
    assert workspace.memory_sets[0].memories == (
        Memory("memory0", "Tea", similarity=0.5, time=datetime(2024, 5, 6, tzinfo=UTC)),
        Memory("memory1", "Sea"),
    )
    (problem,) = workspace.problems
    assert (problem.severity, problem.message.split(":")[0]) == ("warning", "mood")


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("id,content\na,x\nb,y,z\n", "line 3", "expected 2 columns"),
        ("id,content,priority\na,x,1\n,,\nb,y,high\n", "line 4.priority", "expected a number"),
        ('id,content\na,"x\ny"\nb,"z', "line 4", "is not a row of a table"),
        ("id,content\na,x\nb,\n", "line 3", "expected text"),
    ],
)
def test_a_bad_row_is_one_problem_and_the_others_open(text: str, place: str, words: str) -> None:
    workspace = opened(text)
    assert workspace.memory_sets[0].memories[0].content.startswith("x")
    (problem,) = workspace.problems
    assert problem.place == place
    assert words in problem.message


def test_bad_lines_and_values_of_json() -> None:
    workspace = opened('{"content": "x", "type": "fact"}\n{"content": "y", "ty\n{"type": "fact"}\n')
    assert [memory.content for memory in workspace.memory_sets[0].memories] == ["x"]
    assert sorted(problem.place for problem in workspace.problems) == ["line 2, column 18", "line 3: $"]


def test_tokens_of_our_own_files_override_counting() -> None:
    assert opened('[{"content": "x", "type": "fact", "tokens": 9}]').memory_sets[0].memories[0].tokens == 9


def test_a_file_without_any_memory_is_refused_with_what_is_wrong() -> None:
    with pytest.raises(UnreadableError, match=r"holds no memory; \$\[0\]: expected text under content"):
        memory_table.load(FileSource("x", b'[{"id": "a", "priority": 3}]'))


@pytest.mark.parametrize(
    "text",
    [
        '[{"role": "user", "content": "x", "type": "message"}]',
        '[{"type": "human", "content": "x"}]',
        '[{"ts": 1, "type": "say", "text": "x"}]',
        '[{"speaker": "Ana", "text": "x", "id": 1}]',
        '[{"keys": ["a"], "content": "x", "priority": 1}]',
        '{"content": "x", "type": "fact"}',
        "content: x\ntype: fact\n",
        '["x", "y"]',
        "In memory, a text\nof prose",
        "role,content,time\nuser,x,\n",
        "just prose about memory",
    ],
)
def test_other_files_are_not_claimed(text: str) -> None:
    assert memory_table.sniff(FileSource("x", text.encode())) == 0


def test_memories_go_beside_a_chat(tmp_path: Path) -> None:
    (tmp_path / "chat.json").write_text('[{"role": "user", "content": "hi"}]', encoding="utf-8")
    (tmp_path / "likes.csv").write_text("content,type\nTea,fact\n", encoding="utf-8")
    workspace = load_workspace([tmp_path])
    assert [source.format for source in workspace.sources] == ["openai", "memory_table"]
    assert workspace.memory_sets[0].origin == str(tmp_path / "likes.csv")


def test_a_header_that_is_cut_off_inside_quotes_is_told(tmp_path: Path) -> None:
    """Found by cutting files at random: the quotation mark in the first line is never closed."""
    file = tmp_path / "memories.csv"
    file.write_text('id,content,type,"priority\na,x,fact,3\n')
    workspace = load_workspace([str(file)])
    assert not workspace.memory_sets or not workspace.memory_sets[0].memories
    assert workspace.problems
    assert "line 1" in str(workspace.problems[0])
