"""File ▸ Export and Edit ▸ Copy settings as, as a person uses them: menus, names, and what is in the files."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from inspector.gui.main_window import MainWindow
from inspector.gui.plots.plot import Plot
from inspector.gui.window.actions import copy_action, menu_actions
from inspector.pages.snippets import SYSTEMS
from inspector.reading.png import SIGNATURE


@pytest.fixture
def window(opened: Callable[..., MainWindow], tmp_path: Path) -> MainWindow:
    chat = tmp_path / "chat.json"
    chat.write_text(json.dumps([{"role": "user", "content": f"harbour {number}"} for number in range(6)]))
    return opened(chat)


@pytest.fixture
def exported(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str, str], bytes]:
    """Export with an action under a name, and answer what the file then holds."""

    def export(action: str, name: str) -> bytes:
        out = tmp_path / name
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
        trigger(window, action)
        qtbot.waitUntil(out.exists)
        return out.read_bytes()

    return export


def trigger(window: MainWindow, name: str) -> None:
    action = window.findChild(QAction, f"action:{name}")
    assert action is not None
    assert action.isEnabled()
    action.trigger()


def test_all_exports_stand_in_one_menu_in_a_menu(window: MainWindow) -> None:
    names = [action.objectName() for menu, action in menu_actions(window) if menu == "File ▸ Export"]
    assert names[0] == "action:export"
    assert len(names) == 8
    copies = [action.objectName() for menu, action in menu_actions(window) if menu == "Edit ▸ Copy settings as"]
    assert copies == [f"action:{copy_action(system)}" for system in SYSTEMS]


def test_the_report_compares_with_the_baseline_and_hides_texts_on_request(
    qtbot: QtBot, window: MainWindow, exported: Callable[[str, str], bytes]
) -> None:
    window.session.pin_baseline()
    qtbot.waitUntil(lambda: window.session.baseline_answer is not None)
    plain, redacted = exported("export", "plain.html"), exported("export_redacted", "redacted.html")
    assert b"Comparison with the baseline" in plain
    assert b"harbour 3" in plain
    assert b"harbour 3" not in redacted
    assert b"hash " in redacted


@pytest.mark.parametrize(
    ("action", "name", "start"),
    [
        ("export_table", "t.csv", b"id,kind"),
        ("export_table", "t.tsv", b"id\tkind"),
        ("export_table", "t.items.json", b"["),
        ("export_bar", "b.svg", b"<svg"),
        ("export_bar", "b.png", SIGNATURE),
        ("export_prompt", "p.txt", b"<|im_start|>"),
        ("export_prompt", "p.ollama.json", b"{"),
    ],
)
def test_the_name_says_what_is_written(
    exported: Callable[[str, str], bytes], action: str, name: str, start: bytes
) -> None:
    assert exported(action, name).startswith(start)


def test_a_name_that_says_nothing_is_one_problem(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[object] = []
    window.session.problem_reported.connect(told.append)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "bar.gif"), ""))
    trigger(window, "export_bar")
    qtbot.waitUntil(lambda: bool(told))
    assert "expected a name that ends in .png or .svg" in str(told[0])
    assert not (tmp_path / "bar.gif").exists()


def test_the_plot_that_is_seen_is_exported_and_without_one_it_is_said(
    qtbot: QtBot, window: MainWindow, exported: Callable[[str, str], bytes]
) -> None:
    said: list[str] = []
    window.statusBar().messageChanged.connect(said.append)
    assert not any(plot.isVisible() for plot in window.findChildren(Plot))
    trigger(window, "export_plot")
    window.show_screen("survival")
    qtbot.waitUntil(lambda: any(not plot.viewport().visibleRegion().isEmpty() for plot in window.findChildren(Plot)))
    assert "No plot is in view" in said[0]
    assert exported("export_plot", "plot.svg").startswith(b"<svg")


def test_settings_are_copied_as_a_system_takes_them(window: MainWindow) -> None:
    trigger(window, copy_action("ollama"))
    tokens = window.session.answer.assembly.budget.context_window  # type: ignore[union-attr]
    assert json.loads(QGuiApplication.clipboard().text()) == {"options": {"num_ctx": tokens}}


def copies(window: MainWindow) -> dict[str, QAction]:
    """The entry for each system."""
    found = {system: window.findChild(QAction, f"action:{copy_action(system)}") for system in SYSTEMS}
    return {system: action for system, action in found.items() if action is not None}


def test_a_system_without_such_settings_has_no_entry_to_click_but_the_reason(window: MainWindow, qtbot: QtBot) -> None:
    assert {system for system, action in copies(window).items() if action.isEnabled()} == {"chorus", "ollama"}
    langchain = copies(window)["langchain"]
    assert "cannot do what the policy ratio does" in langchain.toolTip()
    (menu,) = (one for one in langchain.associatedObjects() if isinstance(one, QMenu))
    assert menu.toolTipsVisible()
    window.session.use_policy("langchain_trim")
    window.session.flush()
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert {system for system, action in copies(window).items() if action.isEnabled()} == {"langchain", "ollama"}
    assert "On the clipboard." in langchain.toolTip()
    trigger(window, copy_action("langchain"))
    assert QGuiApplication.clipboard().text().startswith("import tiktoken")


def test_nothing_is_copied_where_nothing_is_open(opened: Callable[..., MainWindow]) -> None:
    assert not any(action.isEnabled() for action in copies(opened()).values())


def type_name(qtbot: QtBot, window: MainWindow, action: str, name: str, kind: str) -> None:
    """Answer the dialog as a person does: choose a kind of file, type a name, press Enter."""

    def answer() -> None:
        (dialog,) = (one for one in QApplication.topLevelWidgets() if isinstance(one, QFileDialog) and one.isVisible())
        dialog.selectNameFilter(kind)
        line = dialog.findChild(QLineEdit, "fileNameEdit")
        assert line is not None
        line.selectAll()
        qtbot.keyClicks(line, name)
        qtbot.keyClick(line, Qt.Key.Key_Return)

    QTimer.singleShot(0, answer)
    trigger(window, action)


@pytest.mark.parametrize(
    ("action", "kind", "written", "start"),
    [
        ("export_bar", "Drawing (*.svg)", "mine.svg", b"<svg"),
        ("export_table", "JSON (*.items.json)", "mine.items.json", b"["),
        ("export_prompt", "Text (*.txt)", "mine.txt", b"<|im_start|>"),
        ("export", "Markdown (*.md)", "mine.md", b"#"),
    ],
)
def test_a_name_without_an_ending_gets_that_of_the_chosen_kind(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, action: str, kind: str, written: str, start: bytes
) -> None:
    type_name(qtbot, window, action, "mine", kind)
    qtbot.waitUntil((tmp_path / written).exists, timeout=5_000)
    assert (tmp_path / written).read_bytes().startswith(start)


def test_what_cannot_be_written_is_said_once_without_numbers(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[object] = []
    window.session.problem_reported.connect(told.append)
    window.show_screen("survival")
    qtbot.waitUntil(lambda: any(not plot.viewport().visibleRegion().isEmpty() for plot in window.findChildren(Plot)))
    opened, nowhere = tmp_path / "chat.json", tmp_path / "nowhere" / "plot.png"
    for action, file in (("export_plot", nowhere), ("export_table", opened)):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, file=file: (str(file), ""))
        trigger(window, action)
    qtbot.waitUntil(lambda: len(told) == 2)
    assert [str(problem) for problem in told] == [
        f"{nowhere}: cannot be written: No such file or directory",
        f"{opened}: cannot be written: it is one of the opened files; choose another name",
    ]
