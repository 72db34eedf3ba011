"""Names of new files, as people give them: with an ending, without one, and with another filter."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.parts.new_file import ask_new_file, reason_of, with_ending
from inspector.sources import SourceProtectedError

PICTURES = ("Picture (*.png)", "Drawing (*.svg)")
TABLES = ("CSV table (*.csv)", "Table with tabs (*.tsv)", "JSON (*.items.json)")
PROMPTS = ("Text (*.txt)", "Request to OpenAI (*.openai.json)", "Request to Ollama (*.ollama.json)")
SAVED = ("Workspace (*.workspace.yaml *.workspace.json)",)


@pytest.mark.parametrize(
    ("name", "kinds", "place", "expected"),
    [
        ("bar", PICTURES, 0, "bar.png"),
        ("bar", PICTURES, 1, "bar.svg"),
        ("bar.png", PICTURES, 0, "bar.png"),
        ("bar.png", PICTURES, 1, "bar.svg"),
        ("bar.svg", PICTURES, 0, "bar.svg"),
        ("BAR.PNG", PICTURES, 0, "BAR.PNG"),
        ("bar.gif", PICTURES, 0, "bar.gif"),
        ("items", TABLES, 2, "items.items.json"),
        ("chat.items.csv", TABLES, 2, "chat.items.json"),
        ("chat.tsv", TABLES, 2, "chat.tsv"),
        ("chat.json", TABLES, 0, "chat.items.json"),
        ("chat.JSON", TABLES, 2, "chat.items.json"),
        ("chat.json", PROMPTS, 0, "chat.openai.json"),
        ("chat.json", PROMPTS, 2, "chat.ollama.json"),
        ("all", SAVED, 0, "all.workspace.yaml"),
        ("all.workspace.json", SAVED, 0, "all.workspace.json"),
        ("all.yaml", SAVED, 0, "all.yaml"),
    ],
)
def test_a_name_gets_the_ending_of_its_kind(name: str, kinds: tuple[str, ...], place: int, expected: str) -> None:
    assert with_ending(name, kinds[place], ";;".join(kinds)) == expected


def test_a_name_without_a_chosen_kind_stays() -> None:
    assert with_ending("bar", "", ";;".join(PICTURES)) == "bar"


def test_a_file_that_the_ending_leads_to_is_asked_about(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parent, there, asked = QWidget(), tmp_path / "bar.png", list[str]()
    qtbot.addWidget(parent)
    there.write_bytes(b"mine")

    def ask(_parent: QWidget, _title: str, start: str, _filters: str) -> tuple[str, str]:
        asked.append(start)
        return (str(tmp_path / "bar"), PICTURES[0]) if len(asked) == 1 else ("", "")

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    assert ask_new_file(parent, "Export", tmp_path / "chat.png", ";;".join(PICTURES)) is None
    assert asked == [str(tmp_path / "chat.png"), str(there)]


def test_a_reason_names_no_file_and_no_number() -> None:
    assert reason_of(PermissionError(13, "Permission denied", "/a/b")) == "Permission denied"
    protected = SourceProtectedError("/a/b is one of the opened files; choose another name")
    assert reason_of(protected) == "it is one of the opened files; choose another name"
    assert reason_of(ValueError("expected a name")) == "expected a name"
