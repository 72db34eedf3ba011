"""Qdrant's answers as memories, and its stores, which are refused without being read."""

import io
import json
import pickle
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.formats.memories import qdrant
from inspector.model import Workspace
from inspector.reading.source import FileSource

POINTS = [
    {"id": "5f2c", "payload": {"content": "Likes tea.", "memory_type": "fact", "user_id": "Ana"}, "vector": None},
    {"id": 7, "payload": {"page_content": "Sails.", "metadata": {"category": "sport"}}, "score": 0.5, "version": 3},
]


def opened(text: str) -> Workspace:
    source = FileSource("x/elena.json", text.encode())
    assert qdrant.sniff(source) == 0.9
    return qdrant.load(source)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"result": {"points": POINTS, "next_page_offset": None}, "status": "ok", "time": 0.001}),
        json.dumps({"result": POINTS}),
        json.dumps({"points": POINTS}),
        json.dumps(POINTS),
        "\n".join(map(json.dumps, POINTS)),
        "\n".join(json.dumps({"result": {"points": [point]}}) for point in POINTS),
    ],
)
def test_every_answer_gives_the_same_memories(text: str) -> None:
    workspace = opened(text)
    (found,) = workspace.memory_sets
    assert (found.id, workspace.problems) == ("elena", ())
    tea, sails = found.memories
    assert (tea.id, tea.content, tea.type, tea.tags) == ("5f2c", "Likes tea.", "fact", ("Ana",))
    assert (sails.id, sails.content, sails.category, sails.similarity) == ("7", "Sails.", "sport", 0.5)


@pytest.mark.parametrize(
    ("point", "place", "words"),
    [
        (5, "$[1]", "expected a point with an id and a payload"),
        ({"id": 1, "payload": None}, "$[1]", "expected a point with an id and a payload"),
        ({"id": 1, "payload": {"mood": "calm"}}, "$[1].payload", "expected text under content"),
        ({"id": 1, "payload": {"content": "x"}, "score": "high"}, "$[1].payload.score", "expected a number"),
    ],
)
def test_a_bad_point_is_one_problem(point: Any, place: str, words: str) -> None:
    (problem,) = opened(json.dumps({"result": {"points": [POINTS[0], point]}})).problems
    assert problem.place == place
    assert words in problem.message


class Bomb:
    """What runs code when it is unpickled."""

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return (pytest.fail, ("the point was unpickled",))


def local_store(folder: Path) -> Path:
    """A folder as qdrant-client writes it, whose one point must never be unpickled."""
    path = folder / "collection" / "elena" / "storage.sqlite"
    path.parent.mkdir(parents=True)
    (folder / "meta.json").write_text('{"collections": {"elena": {}}, "aliases": {}}', encoding="utf-8")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE points (id TEXT PRIMARY KEY, point BLOB)")
        connection.execute("INSERT INTO points VALUES ('a', ?)", (pickle.dumps(Bomb()),))
        connection.commit()
    return path


@pytest.mark.parametrize("whole_folder", [True, False])
def test_a_local_store_is_one_problem_that_says_what_to_do(tmp_path: Path, whole_folder: bool) -> None:
    path = local_store(tmp_path)
    workspace = load_workspace([tmp_path if whole_folder else path])
    assert workspace.sources == ()  # a command that can open nothing ends with 2
    problem = next(problem for problem in workspace.problems if problem.file == str(path))
    assert problem.severity == ("warning" if whole_folder else "error")
    assert "pickles" in problem.message
    assert [one.severity for one in workspace.problems].count("error") == 1
    assert "prompt-inspector import-memories" in problem.message
    assert workspace.memory_sets == ()


def tar(*names: str) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name in names:
            archive.addfile(tarfile.TarInfo(name))
    return buffer.getvalue()


def test_a_snapshot_is_one_problem_that_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "elena.snapshot"
    path.write_bytes(tar("0/segments/a.tar", "0/wal/x", "config.json"))
    (problem,) = load_workspace([path]).problems
    assert "snapshot of a Qdrant server" in problem.message
    assert "import-memories" in problem.message


@pytest.mark.parametrize("data", [tar("config.json", "notes.txt"), tar(), tar("config.json")[:300]])
def test_other_tar_archives_are_not_claimed(data: bytes) -> None:
    assert qdrant.sniff(FileSource("x.tar", data)) == 0


@pytest.mark.parametrize("text", ["[]", '{"result": []}', '[{"id": 1}]', '{"points": 3}', '[{"id": 1, "payload": 5}]'])
def test_other_json_is_not_claimed(text: str) -> None:
    assert qdrant.sniff(FileSource("x", text.encode())) == 0
