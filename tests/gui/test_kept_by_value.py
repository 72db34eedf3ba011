"""What is kept holds values: baselines, snapshots and inspections mean the same whatever becomes of presets and models.

The window is closed and opened again in between, as on another day, or as on the machine of somebody else.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialog, QFileDialog
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import set_parameters, use_model, use_policy
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.cli import group
from inspector.gui.columns.dialog import ColumnsDialog
from inspector.gui.main_window import MainWindow
from inspector.gui.session.own_presets import save_values
from inspector.resources import samples_folder
from inspector.settings import own_models_file, own_presets_file, own_tables_file

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

Opened = Callable[..., MainWindow]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where inspections are saved."""
    file = tmp_path / "a.inspection.yaml"
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_: (str(file), ""))
    return file


@pytest.fixture
def window(opened: Opened, qtbot: QtBot, companion_alone: Path) -> MainWindow:
    """On a sample, decided by an own preset and an own model."""
    own_models_file().parent.mkdir(parents=True, exist_ok=True)
    own_models_file().write_text("- {name: nova-7b, context_window: 6000, tokenizer: 'estimate:words'}\n")
    made = opened(companion_alone)
    made.session.edit(use_model, "nova-7b")
    made.session.edit(set_parameters, {"history_share": 0.1, "memory_share": 0.6})
    assert save_values(made.session, "mine") == ""
    settle(made, qtbot)
    return made


def settle(window: MainWindow, qtbot: QtBot) -> None:
    window.session.flush()
    qtbot.waitUntil(lambda: window.session.is_ready)


def save(window: MainWindow, qtbot: QtBot) -> None:
    window.do("save")
    qtbot.waitUntil(lambda: window.session.is_ready and not window.session.tasks.is_running())


def total(window: MainWindow) -> int:
    answer = window.session.answer
    assert answer is not None
    return answer.ledger.total


def pinned(window: MainWindow) -> int:
    answer = window.session.baseline_answer
    assert answer is not None
    return answer.ledger.total


def problems(window: MainWindow) -> str:
    return " ".join(map(str, window.session.now.problems))


def redefine(**parameters: Any) -> None:
    own_presets_file().write_text(yaml.safe_dump({"ratio": {"mine": {"parameters": parameters}}}))


def on_the_command_line(*paths: str) -> int:
    result = CliRunner().invoke(group, ["assemble", *paths, "--format", "json"])
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)["ledger"]["total"]


def test_what_is_pinned_kept_and_saved_means_the_same_on_another_day(
    window: MainWindow, opened: Opened, file: Path, qtbot: QtBot
) -> None:
    before = total(window)
    window.session.pin_baseline()
    window.screens["snapshots"].slots()["keep_snapshot"]()
    dialog = next(one for one in window.findChildren(QDialog) if one.isVisible())
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    settle(window, qtbot)
    save(window, qtbot)
    written = yaml.safe_load(file.read_text())
    for kept in (written["scenario"], written["baseline"], *written["snapshots"].values()):
        assert kept["preset"] == "mine"
        assert kept["parameters"]["history_share"] == 0.1
        assert set(kept["parameters"]) > {"history_share", "memory_share", "reserve_share"}
        assert kept["model_row"]["context_window"] == 6000

    redefine(history_share=0.6, memory_share=0.1)
    again = opened(file)
    assert (total(again), pinned(again)) == (before, before)
    scenario = again.session.scenario
    assert (scenario.preset, scenario.base) == ("mine", None)
    assert scenario.parameters["history_share"] == 0.1, "what differs from the preset of now is a change of it"
    assert scenario.model_row is None
    again.session.reload()
    settle(again, qtbot)
    assert pinned(again) == before

    own_presets_file().unlink()
    own_models_file().unlink()
    name = next(iter(written["snapshots"]))
    elsewhere = opened(file)
    assert problems(elsewhere) == ""
    assert (total(elsewhere), pinned(elsewhere)) == (before, before)
    assert elsewhere.session.scenario.preset == "mine"
    assert on_the_command_line(str(file)) == on_the_command_line(f"{file}#{name}") == before
    first = file.read_text()
    save(elsewhere, qtbot)
    assert yaml.safe_load(file.read_text())["baseline"] == yaml.safe_load(first)["baseline"]
    assert not elsewhere.isWindowModified()


def test_a_preset_that_is_saved_anew_leaves_what_was_kept_and_undoing_it_brings_it_back(
    window: MainWindow, qtbot: QtBot
) -> None:
    session, before = window.session, total(window)
    session.pin_baseline()
    session.edit(set_parameters, {"history_share": 0.6, "memory_share": 0.1})
    settle(window, qtbot)
    changed = total(window)
    assert changed != before
    assert save_values(session, "mine") == ""
    settle(window, qtbot)
    session.reload()
    settle(window, qtbot)
    assert (total(window), pinned(window)) == (changed, before)
    for _ in range(2):
        session.undo_stack.undo()
    settle(window, qtbot)
    assert session.scenario == Scenario(model="nova-7b", preset="mine")
    assert total(window) == before, "a step back is what it was"
    assert yaml.safe_load(own_presets_file().read_text())["ratio"]["mine"]["parameters"]["history_share"] == 0.1
    for _ in range(2):
        session.undo_stack.redo()
    settle(window, qtbot)
    assert total(window) == changed
    assert yaml.safe_load(own_presets_file().read_text())["ratio"]["mine"]["parameters"]["history_share"] == 0.6
    session.swap_baseline()
    settle(window, qtbot)
    assert (total(window), pinned(window)) == (before, changed)
    assert dict(session.scenario.parameters) == {"history_share": 0.1, "memory_share": 0.6}
    session.undo_stack.undo()
    settle(window, qtbot)
    assert (total(window), pinned(window)) == (changed, before)


def test_a_preset_that_stands_on_other_code_decides_by_it_where_nobody_knows_the_preset(
    opened: Opened, file: Path, qtbot: QtBot
) -> None:
    policy, base = next(key for key, preset in load_presets().items() if preset.variant)
    own_presets_file().parent.mkdir(parents=True, exist_ok=True)
    own_presets_file().write_text(yaml.safe_dump({policy: {"mine": {"base": base}}}))
    window = opened(samples_folder() / "companion.workspace.yaml")
    window.session.edit(use_policy, policy, "mine")
    settle(window, qtbot)
    save(window, qtbot)
    own_presets_file().unlink()
    elsewhere = opened(file)
    assert (problems(elsewhere), total(elsewhere)) == ("", total(window))
    assert type(elsewhere.session.policy) is type(window.session.policy)
    picker = elsewhere.findChild(QComboBox, "preset_picker")
    assert picker is not None
    assert picker.placeholderText() == "mine"
    elsewhere.session.edit(use_policy, policy, base)
    settle(elsewhere, qtbot)
    assert elsewhere.session.scenario.base is None


@pytest.mark.parametrize(
    ("part", "value", "said"),
    [
        ("scenario", {"preset": "theirs"}, "theirs is not a preset of ratio"),
        ("scenario", {"policy": "theirs", "parameters": {"a": 1}}, "theirs is not a policy"),
        ("scenario", {"context_window": "wide"}, "context_window"),
        ("snapshots", {"good": {"policy": "naive"}, "bad": {"at": []}}, "$.snapshots.bad.at"),
        ("baseline", {"preset": "theirs"}, "theirs is not a preset of ratio"),
        ("notes", 7, "$.notes"),
        ("columns", [{"text": "a", "speaker": "b"}, {"text": "a"}, 7], "$.columns[2]: expected names of columns"),
        ("columns", {"text": "a"}, "$.columns: expected a list of layouts, found an object"),
    ],
)
def test_a_bad_part_of_an_inspection_is_said_and_the_rest_opens(
    part: str, value: object, said: str, opened: Opened, file: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    chat = tmp_path / "chat.json"
    chat.write_text('[{"role": "user", "content": "hello"}]')
    bad = tmp_path / "bad.inspection.yaml"
    content = {"format": "prompt-inspector/inspection@1", "sources": [{"path": str(chat)}], "filter": "role:user"}
    bad.write_text(yaml.safe_dump({**content, part: value}))
    first = bad.read_bytes()
    window = opened(bad)
    assert said in problems(window)
    assert total(window) > 0
    assert window.session.filter == "role:user"
    assert [one.name for one in window.session.snapshots] == (["good"] if part == "snapshots" else [])
    save(window, qtbot)
    assert bad.read_bytes() == first, "what is not understood is written over by nobody"
    assert file.exists(), "saving asks for another name"


def explain(*layouts: dict[str, str]) -> None:
    own_tables_file().parent.mkdir(parents=True, exist_ok=True)
    own_tables_file().write_text(yaml.safe_dump(list(layouts)))


def said(window: MainWindow) -> list[str]:
    return [one.content for talk in window.session.workspace.conversations for one in talk.messages]


def ask_for_columns(window: MainWindow, monkeypatch: pytest.MonkeyPatch, table: Path, qtbot: QtBot) -> ColumnsDialog:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(table), ""))
    window.do("columns")
    qtbot.waitUntil(lambda: any(one.isVisible() for one in window.findChildren(ColumnsDialog)))
    return window.findChildren(ColumnsDialog)[-1]


def test_a_table_is_read_by_the_columns_that_the_inspection_holds(
    opened: Opened, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    table, beside = tmp_path / "talk.csv", tmp_path / "beside.csv"
    table.write_text("Nr;Absender;Nachricht;Notiz\n1;Anna;Hallo du;a\n2;Berta;Na und, wie geht es?;b\n3;Carl;hm;c\n")
    beside.write_text("Nr;Absender;Nachricht;Notiz\n4;Anna;Tag;d\n")
    whole = {"text": "nachricht", "speaker": "absender", "id": "nr", "conversation": "notiz"}
    held = [{"text": "nachricht", "speaker": "absender", "id": "nr"}, {"text": "nachricht", "answer": "notiz"}]
    explain({"text": "elsewhere", "speaker": "who"}, held[0], held[1])
    window = opened(table, beside)
    before, texts = total(window), said(window)
    assert texts == ["Hallo du", "Na und, wie geht es?", "hm", "Tag"]
    save(window, qtbot)
    assert yaml.safe_load(file.read_text())["columns"] == held[:1], "those by which nothing was read are not in it"

    explain(whole)
    again = opened(file)
    assert (problems(again), said(again), total(again)) == ("", texts, before)
    again.session.reload()
    settle(again, qtbot)
    assert (said(again), again.isWindowModified()) == (texts, False)
    own_tables_file().unlink()
    elsewhere = opened(file)
    assert (problems(elsewhere), said(elsewhere), total(elsewhere)) == ("", texts, before)
    assert on_the_command_line(str(file)) == before
    save(elsewhere, qtbot)
    assert yaml.safe_load(file.read_text())["columns"] == held[:1]

    for column, content in (("notiz", ["a", "b", "c", "d"]), ("absender", ["Anna", "Berta", "Carl", "Anna"])):
        dialog = ask_for_columns(elsewhere, monkeypatch, table, qtbot)
        assert dialog.chosen["text"] == ("nachricht" if column == "notiz" else "notiz"), "as the file is read now"
        box = dialog.choices["speaker"]
        box.setCurrentIndex(box.findData("nr"))
        dialog.choices["id"].setCurrentIndex(0)
        dialog.choices["text"].setCurrentIndex(dialog.choices["text"].findData(column))
        qtbot.keyClick(dialog, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda content=content: said(elsewhere) == content and elsewhere.session.is_ready)
        assert elsewhere.isWindowModified()
        own_tables_file().unlink()
    save(elsewhere, qtbot)
    assert not elsewhere.isWindowModified()
    assert yaml.safe_load(file.read_text())["columns"][0] == {"text": "absender", "speaker": "nr"}
    assert said(opened(file)) == ["Anna", "Berta", "Carl", "Anna"]


def test_a_table_that_an_inspection_cannot_read_is_explained_into_it(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    table, file = tmp_path / "talk.csv", tmp_path / "b.inspection.yaml"
    table.write_text("Nr;Absender;Nachricht\n1;Anna;Hallo\n2;Berta;Na du\n3;Carl;hm\n")
    content = {"format": "prompt-inspector/inspection@1", "sources": [{"path": str(table)}], "notes": {"1": "hm"}}
    file.write_text(yaml.safe_dump({**content, "scenario": {"policy": "naive"}}))
    window = opened(file)
    assert said(window) == []
    dialog = ask_for_columns(window, monkeypatch, table, qtbot)
    for part, column in (("text", "nachricht"), ("speaker", "absender"), ("id", "nr")):
        dialog.choices[part].setCurrentIndex(dialog.choices[part].findData(column))
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: said(window) == ["Hallo", "Na du", "hm"] and window.session.is_ready)
    assert (window.session.scenario.policy, window.isWindowModified()) == ("naive", True)
    save(window, qtbot)
    own_tables_file().unlink()
    written = yaml.safe_load(file.read_text())
    assert written["columns"] == [{"text": "nachricht", "speaker": "absender", "id": "nr"}]
    assert written["notes"] == {"1": "hm"}
    assert said(opened(file)) == ["Hallo", "Na du", "hm"]


def test_with_nothing_open_saving_says_so(opened: Opened) -> None:
    window = opened()
    for name in ("save", "save_as"):
        window.statusBar().clearMessage()
        window.do(name)
        assert window.statusBar().currentMessage() == "Nothing is open that could be saved."
