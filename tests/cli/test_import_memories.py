"""`prompt-inspector import-memories` against a recorded Qdrant server."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from inspector.formats import load_workspace
from tests.servers import recorded as record

Run = Callable[..., Result]
SCROLL = "/collections/elena/points/scroll"
ANSWER = {
    "result": {
        "points": [
            {"id": "a", "payload": {"content": "Likes tea.", "memory_type": "fact"}},
            {"id": "b", "payload": {"mood": "calm"}},
        ]
    }
}


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    record.only_loopback(monkeypatch)


def test_the_file_opens_as_a_memory_set(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "elena.workspace.yaml"
    with record.recorded({SCROLL: ANSWER}) as address:
        result = run("import-memories", address, "elena", str(path))
    assert result.exit_code == 0, result.stderr
    assert result.stderr.endswith(f"prompt-inspector: wrote 1 memory of elena to {path}\n")
    assert "point b.payload: expected text" in result.stderr
    workspace = load_workspace([path])
    assert [source.format for source in workspace.sources] == ["native"]
    assert [(one.id, one.content, one.type) for one in workspace.memory_sets[0].memories] == [
        ("a", "Likes tea.", "fact")
    ]
    assert workspace.problems == ()


def test_a_file_that_is_there_is_kept_unless_asked(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "elena.workspace.json"
    path.write_text("precious", encoding="utf-8")
    asked: list[str] = []
    with record.recorded({SCROLL: ANSWER}, asked) as address:
        result = run("import-memories", address, "elena", str(path))
        assert (result.exit_code, asked, path.read_text(encoding="utf-8")) == (2, [], "precious")
        assert "--replace" in result.stderr
        assert run("import-memories", address, "elena", str(path), "--replace").exit_code == 0
    assert len(load_workspace([path]).memory_sets[0].memories) == 1


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({}, "has no collection elena"),
        ({SCROLL: {"result": {"points": []}}}, "the collection elena holds no memory; nothing was written"),
    ],
)
def test_a_failure_is_one_line_and_no_file(run: Run, tmp_path: Path, answers: dict[str, object], words: str) -> None:
    path = tmp_path / "x.json"
    with record.recorded(answers) as address:
        result = run("import-memories", address, "elena", str(path))
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert words in result.stderr
    assert not path.exists()


def test_a_folder_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    with record.recorded({SCROLL: ANSWER}) as address:
        result = run("import-memories", address, "elena", str(tmp_path / "missing" / "x.json"))
    assert result.exit_code == 2
    assert "cannot be written: No such file or directory" in result.stderr
