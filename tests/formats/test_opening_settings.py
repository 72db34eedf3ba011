"""How much memory an opening may take: from the settings file to what is not opened."""

import json
from pathlib import Path

import pytest

import inspector
from inspector.formats.settings import read_opening_bytes
from inspector.reading.budget import OPENING_BYTES
from inspector.settings import settings_file


def set_to(text: str) -> None:
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text(text)


def test_a_file_that_names_nothing_leaves_the_default(tmp_path: Path) -> None:
    assert read_opening_bytes(tmp_path / "none.yaml") == (OPENING_BYTES, ())
    (tmp_path / "s.yaml").write_text("summaries: {url: http://127.0.0.1, model: m}\n")
    assert read_opening_bytes(tmp_path / "s.yaml") == (OPENING_BYTES, ())


def test_what_the_person_allows_is_what_an_opening_may_take(tmp_path: Path) -> None:
    chat = tmp_path / "chat.json"
    chat.write_text(json.dumps([{"role": "user", "content": "hello"}]))
    assert inspector.load(chat).problems == ()
    set_to("opening_bytes: 200\n")
    (problem,) = inspector.load(chat).problems
    assert (problem.file, problem.severity) == (str(chat), "error")
    assert "an opening may take 200 bytes in all, of which" in problem.message
    assert "opening_bytes in settings.yaml allows more" in problem.message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("opening_bytes: much\n", "expected `int`"),
        ("opening_bytes: 0\n", "expected more than 0 bytes"),
        ("opening_bytes: [\n", "not valid YAML"),
    ],
)
def test_settings_that_cannot_be_used_are_a_problem_and_files_open_all_the_same(
    tmp_path: Path, text: str, said: str
) -> None:
    chat = tmp_path / "chat.json"
    chat.write_text(json.dumps([{"role": "user", "content": "hello"}]))
    set_to(text)
    workspace = inspector.load(chat)
    assert len(workspace.conversations) == 1
    (problem,) = workspace.problems
    assert problem.file == str(settings_file())
    assert said in problem.message
