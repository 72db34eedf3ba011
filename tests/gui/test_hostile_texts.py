"""Texts of files are shown as they stand there: no HTML, no keys, no picture that is loaded, nothing without end."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hostile import file_name, mark, scenario, write_workspace
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QComboBox, QMessageBox, QPushButton, QTableView, QToolTip, QWidget
from pytestqt.qtbot import QtBot
from walking import Shown, as_shown, everything

from inspector.assembly.edits import use_policy, use_tokenizer
from inspector.assembly.scenario_file import write_scenario
from inspector.assembly.scenario_values import no_kind
from inspector.gui.main_window import MainWindow
from inspector.gui.parts import page
from inspector.gui.parts.asking_view import AskingView
from inspector.gui.remembered.window_state import WindowState
from inspector.gui.screens.details.controls import Switch
from inspector.gui.search.box import SearchBox
from inspector.model import Problem
from inspector.plugins import POLICY_GROUP, TOKENIZER_GROUP
from tests.gui.all_files import files_tree

Opened = Callable[..., MainWindow]
OF_AN_ITEM = ("details", "prompt")
"""The panels that show the item which is selected in the table in the middle."""
LONGEST = 2_100
"""More code points than a label, a tooltip or a cell has."""
MOST_LINES = 60
WIDEST = 1_366
"""The width in pixels of small screens."""
FIELDS = """
    key chat source model maker alias speaker said0 said7 short call call-id arguments meta meta-key action why m0 m7
    k0 memory0 set category type character character-id system person preference fact part part-id
    book entry0 entry0-id entry0-title lore-key secondary position passage-id passage origin summary-id past past-title
    page page-id page-title pages attached attachment skipped reason tool branch branch-id other-id policy recent
"""
"""Fields that can be seen somewhere in the window."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of all resources that a page asked for."""
    names: list[str] = []
    monkeypatch.setattr(page.BareDocument, "loadResource", lambda _, kind, name: names.append(str(name)))
    return names


@pytest.fixture
def window(opened: Opened, install: Callable[..., None], tmp_path: Path) -> MainWindow:
    """A window on the hostile workspace, with a hostile policy, tokenizer and list of recent files."""
    install(POLICY_GROUP, **{mark("policy"): "hostile:Bazaar"})
    install(TOKENIZER_GROUP, letters="tests.test_tokenizer_plugins:make")
    state = WindowState()
    state.add_recent([f"/nowhere/{mark('recent')}"])
    chosen = tmp_path / "chosen.scenario.yaml"
    write_scenario(scenario(mark), chosen, (), no_kind)
    return opened(write_workspace(tmp_path / file_name("file"), mark), scenario=chosen, state=state)


def settle(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until everything is counted, made and drawn."""
    qtbot.waitUntil(lambda: window.session.is_ready)
    views = [screen.view for screen in window.screens.values() if screen.is_made]
    asking = [view for view in views if isinstance(view, AskingView)]
    qtbot.waitUntil(lambda: not any(view.is_in_sight and view._stale for view in asking))


def visit(window: MainWindow, qtbot: QtBot) -> set[Shown]:
    """Bring every panel to the front, walk through its tables, and collect all that is seen on the way."""
    found: set[Shown] = set()
    for name, screen in window.screens.items():
        if screen.area in ("page", "right"):
            window.show_screen(name)
            settle(window, qtbot)
        for fold in screen.view.findChildren(QPushButton, "lore_fold"):
            fold.setChecked(True)
        tables = window.screens["decisions"] if name in OF_AN_ITEM else screen
        for table in tables.view.findChildren(QTableView):
            found.update(step_through(table, screen.view))
            for switch in screen.view.findChildren(Switch):
                switch.setChecked(switch.text() == "Fields")
                found.update(step_through(table, screen.view) if switch.isChecked() else ())
    files_tree(window).expandAll()
    return found | set(everything()) | look_into_popups(window, qtbot)


def look_into_popups(window: MainWindow, qtbot: QtBot) -> set[Shown]:
    """Open the pickers of the policy panel, the box at its sections, and at texts, where it stays filled."""
    for name in ("model_picker", "policy_picker", "preset_picker"):
        picker = window.findChild(QComboBox, name)
        assert picker is not None
        picker.showPopup()
        picker.hidePopup()
    window.do("palette")
    box = window.findChild(SearchBox, "search_box")
    assert box is not None
    found = set(everything(box))
    qtbot.keyClicks(box.line, "@")
    found |= set(everything(box))
    box.close()
    window.do("search")
    box.line.setText("nowhere")
    qtbot.waitUntil(lambda: bool(box.lines) and not window.session.tasks.is_running())
    box.close()
    return found | set(everything())


def step_through(table: QTableView, shown: QWidget) -> Iterable[Shown]:
    """Select one row of a table after the other, and collect what is shown of it."""
    for row in range(table.model().rowCount()):
        table.setCurrentIndex(table.model().index(row, 0))
        QApplication.processEvents()
        yield from everything(shown)


def wrong(shown: Iterable[Shown]) -> list[str]:
    """What is seen otherwise than it stands in the file."""
    found = []
    for where, text, is_line in shown:
        if "§" in re.sub(r"(<|…)b>[\w-]+§", "", text):  # names that begin alike are shortened within
            found.append(f"{where} reads HTML: {text[:200]!r}")
        if re.search(r"§</?b> (?!&)[^…]", text):
            found.append(f"{where} swallows &: {text[:200]!r}")
        if "\u202e" in text:
            found.append(f"{where} turns round: {text[:200]!r}")
        if is_line and "\n" in text:
            found.append(f"{where} has lines: {text[:200]!r}")
    return sorted(set(found))


def fields(shown: Iterable[Shown]) -> set[str]:
    """The fields whose marks are seen, letter by letter."""
    literal = re.compile(r'<img src=\\?"file:///nowhere/x.png\\?"><b>([\w-]+)§')
    return {field for _, text, _ in shown for field in literal.findall(text)}


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_every_panel_shows_texts_as_they_stand(window: MainWindow, qtbot: QtBot, asked: list[str]) -> None:
    shown = visit(window, qtbot)
    assert not wrong(shown)
    assert set(FIELDS.split()) - fields(shown) == set()
    assert asked == []


def test_a_policy_and_a_tokenizer_are_named_as_they_are(window: MainWindow, qtbot: QtBot) -> None:
    window.session.edit(use_policy, mark("policy"), "document")
    window.session.edit(use_tokenizer, f"letters:{mark('letters')}")
    for name in ("settings", "tokenizers", "side_by_side"):
        window.show_screen(name)
        settle(window, qtbot)
    shown = set(everything())
    said = "policy doc weight weight-help switch switch-help choice choice-help one letters"
    assert not wrong(shown)
    assert not set(said.split()) - fields(shown)


def test_menus_and_messages_show_every_sign(window: MainWindow, qtbot: QtBot) -> None:
    table = window.screens["decisions"].view.table
    assert window.session.assembly is not None
    assert table.select_row(window.session.assembly.candidates.ids.index(mark("m3")))
    menu = window.screens["decisions"].view.menu()
    window.session.edit(use_tokenizer, f"letters:{mark('letters')}")
    window.do("about")
    window.do("show_log")
    shown = set(everything())
    undo = next(text for where, text, _ in shown if "action" in where and text.startswith("Undo"))
    assert undo.startswith(f"Undo “Count with letters:{mark('letters')[:40]}")
    name = Path(mark("recent")).name[:-3]  # an entry begins with the name of the file, without its folder
    assert any(text.startswith(name) for where, text, _ in shown if where.endswith(": action"))
    assert not wrong(shown)
    for box in window.findChildren(QMessageBox):
        assert box.textFormat() == Qt.TextFormat.PlainText
        box.close()
    menu.close()


def test_tips_and_the_status_line_show_what_is_said(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda place, text, widget: told.append(text))
    bar = window.screens["budget"].view.bar
    bar._reason = mark("refused")
    at = bar.rect().center()
    QApplication.sendEvent(bar, QHelpEvent(QEvent.Type.ToolTip, at, bar.mapToGlobal(at)))
    window.session.problem_reported.emit(Problem(mark("file"), mark("place"), mark("problem")))
    shown = {Shown("status", window.statusBar().currentMessage(), True), Shown("tip", as_shown(told[0]))}
    assert fields(shown) == {"refused", "file", "place", "problem"}
    assert not wrong(shown)


def test_the_title_of_the_window_names_the_file_as_it_is_called(window: MainWindow) -> None:
    name = file_name("file").replace("\u202e", "⟦RLO⟧")
    assert name.count("[*]") == 1
    assert window.windowTitle() == f"{name.replace('[*]', '[*][*]')}[*]"


def test_nothing_grows_with_the_length_of_a_text(opened: Opened, tmp_path: Path, qtbot: QtBot) -> None:
    def endless(field: str) -> str:
        return f"{field}{'x' * 20_000}" if field not in ("said1", "embedder") else "\n" * 20_000

    chosen = tmp_path / "chosen.scenario.yaml"
    write_scenario(scenario(endless), chosen, (), no_kind)
    window = opened(write_workspace(tmp_path / "long.json", endless), scenario=chosen)
    for name, screen in window.screens.items():
        if screen.area in ("page", "right"):
            window.show_screen(name)
            settle(window, qtbot)
        window.screens["decisions"].view.table.step(1)
        QApplication.processEvents()
    read = {Shown(where, text, is_line) for where, text, is_line in everything() if not where.endswith(": document")}
    assert not [(where, len(text)) for where, text, _ in read if len(text) > LONGEST]
    assert not [where for where, text, _ in read if text.count("\n") > MOST_LINES]
    assert window.minimumSizeHint().width() <= WIDEST
