"""Screens: one is added by a line and nothing else, is told what it should be, and costs nothing before it is seen."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any
from weakref import ref

import pytest
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QTableView, QWidget
from pytestqt.qtbot import QtBot

from inspector.assembly.answer import Answer
from inspector.assembly.edits import use_window
from inspector.gui import screens
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.screen import Controls, Screen
from inspector.gui.servers.dialog import ServersDialog
from inspector.gui.window.pages import PageTabs
from inspector.model import Workspace
from inspector.resources import samples_folder
from tests.told import blocks, page


class Notes(QWidget):
    row_selected = Signal(int)
    filter_wanted = Signal(str)
    styled = 0

    def changeEvent(self, event: QEvent) -> None:
        self.styled += event.type() == QEvent.Type.StyleChange
        super().changeEvent(event)


class NotesScreen(Screen[Notes]):
    """A screen as anybody might write it; it remembers what it was told."""

    name, title = "notes", "Notes"

    def count(self, answer: Answer | None) -> str:
        return f"{len(answer.assembly.candidates)}" if answer else ""

    def is_offered(self, answer: Answer | None) -> bool:
        return answer is not None

    def show_workspace(self) -> None:
        self.conversations = len(self.host.session.workspace.conversations)

    def show_controls(self, controls: Controls) -> None:
        self.scenario = controls.scenario

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        self.answers = (before, after)

    def show_row(self) -> None:
        self.row = self.host.row

    def filter_items(self, text: str) -> None:
        self.filter = text

    def _make(self, parent: QWidget) -> Notes:
        view = Notes(parent)
        view.row_selected.connect(self.host.select)
        view.filter_wanted.connect(self.host.filter_items)
        return view


@pytest.fixture
def notes(opened: Callable[..., MainWindow], monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """A window with one more screen."""
    monkeypatch.setattr(screens, "SCREENS", (*screens.SCREENS, f"{__name__}:NotesScreen"))
    folder = samples_folder()
    return opened(folder / "companion.workspace.yaml", scenario=folder / "companion.scenario.yaml")


def brought_up(window: MainWindow, qtbot: QtBot) -> NotesScreen:
    screen = window.screens["notes"]
    assert isinstance(screen, NotesScreen)
    window.show_screen("notes")
    qtbot.waitUntil(lambda: screen.is_visible)
    return screen


def test_it_has_a_tab_and_is_made_when_it_is_first_seen(notes: MainWindow, qtbot: QtBot) -> None:
    screen, tabs = notes.screens["notes"], notes.findChild(PageTabs)
    assert isinstance(tabs, PageTabs)
    index = tabs.index_of("notes")
    assert tabs.isTabVisible(index)
    assert tabs.tabText(index) == "Notes"
    assert not screen.is_made
    brought_up(notes, qtbot)
    assert tabs.currentIndex() == index
    assert notes.session.assembly is not None
    assert tabs.accessibleTabName(index) == f"Notes, {len(notes.session.assembly.candidates)}"


def test_a_page_with_nothing_to_show_is_not_offered(notes: MainWindow, qtbot: QtBot) -> None:
    tabs = notes.findChild(PageTabs)
    assert isinstance(tabs, PageTabs)
    notes.session.show_workspace(Workspace())
    notes.session.flush()
    notes._arrangement.show_answer(None)
    assert not tabs.isTabVisible(tabs.index_of("notes"))
    notes.show_screen("notes")
    assert tabs.isTabVisible(tabs.index_of("notes")), "unless it is asked for"


def test_it_is_made_in_the_place_where_it_stays(notes: MainWindow) -> None:
    notes.show_screen("notes")
    assert notes.screens["notes"].view.styled == 0, "Qt styles all of a view anew for every parent that it gets"


def test_it_is_told_what_changes(notes: MainWindow, qtbot: QtBot) -> None:
    screen, session = brought_up(notes, qtbot), notes.session
    assert screen.answers == (None, session.answer)
    assert screen.scenario is session.scenario
    assert screen.conversations == 2
    first = session.answer
    session.edit(use_window, 6000)
    session.flush()
    assert screen.answers[0] is first
    assert screen.answers[1] is session.answer
    assert screen.scenario.context_window == 6000
    notes.open_paths([str(samples_folder() / "developer.workspace.yaml")])
    qtbot.waitUntil(lambda: session.is_ready and len(session.workspace.conversations) == 1)
    assert screen.conversations == 1
    assert screen.row is None


def test_what_is_selected_there_is_selected_everywhere(notes: MainWindow, qtbot: QtBot) -> None:
    screen = brought_up(notes, qtbot)
    table = notes.screens["decisions"].view
    table.select_row(4)
    assert screen.row == notes.row == 4
    screen.view.row_selected.emit(9)
    assert table.selected_rows() == [9]
    assert screen.row == notes.row == 9


def test_it_may_ask_for_a_filter(notes: MainWindow, qtbot: QtBot) -> None:
    screen = brought_up(notes, qtbot)
    screen.view.filter_wanted.emit("id:m118")
    assert screen.filter == "id:m118"
    table = notes.findChild(QTableView, "decision_table")
    assert isinstance(table, QTableView)
    assert table.model().rowCount() == 1


def test_the_told_screen_shows_the_longest_item(
    opened: Callable[..., MainWindow], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ((_, source),) = blocks("python", page("about/inside.md"))
    made: dict[str, Any] = {}
    exec(compile(source, "inside.md", "exec", dont_inherit=True), made)
    monkeypatch.setattr(sys.modules[__name__], "LongestScreen", made["LongestScreen"], raising=False)
    monkeypatch.setattr(screens, "SCREENS", (*screens.SCREENS, f"{__name__}:LongestScreen"))
    window = opened(samples_folder() / "companion.workspace.yaml")
    window.show_screen("longest")
    button = window.screens["longest"].view
    qtbot.waitUntil(button.isVisible)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assembly = window.session.assembly
    assert assembly is not None
    assert window.row is not None
    candidates = assembly.candidates
    assert candidates.tokens[window.row] == candidates.tokens.max()
    assert button.text() == candidates.ids[window.row]


def test_several_selected_items_stay_selected(companion: MainWindow, qtbot: QtBot) -> None:
    """Telling everybody which one is current does not come back to the table as a wish."""
    table = companion.findChild(QTableView, "decision_table")
    assert isinstance(table, QTableView)
    for place, keys in ((2, Qt.KeyboardModifier.NoModifier), (5, Qt.KeyboardModifier.ControlModifier)):
        where = table.visualRect(table.model().index(place, 0)).center()
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, keys, where)
    assert len(companion.screens["decisions"].view.selected_rows()) == 2
    pin = companion.findChild(QAction, "action:pin")
    assert isinstance(pin, QAction)
    assert pin.isEnabled()
    pin.trigger()
    assert len(companion.session.scenario.pinned) >= 2


def test_counts_of_a_server_are_of_before_when_the_prompt_changes(
    companion: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    companion.do("servers")
    dialog = companion.findChild(ServersDialog)
    assert dialog is not None
    view = dialog.view
    told: list[None] = []
    monkeypatch.setattr(view, "show_outdated", lambda: told.append(None))
    companion.session.edit(use_window, 6000)
    companion.session.flush()
    assert told == [None]
    qtbot.waitUntil(lambda: companion.session.is_ready)
    assert told == [None], "measuring changes nothing"
    dialog.close()


def test_nothing_is_imported_that_is_not_seen(qapp: object) -> None:
    script = """
import sys
from inspector.gui.app import make_application, open_window
application = make_application()
window = open_window([])
window.show()
application.processEvents()
print(*(name for name in sys.modules if name.startswith("inspector.")))
window.close()
"""
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    loaded = set(done.stdout.split())
    unseen = ("memories", "summaries", "side_by_side", "tokenizers", "recommend")
    assert {f"inspector.gui.screens.{name}" for name in unseen} <= loaded
    behind = {f"inspector.gui.screens.{name}.{part}" for name in unseen for part in ("view", "model", "work")}
    assert not {*behind, "inspector.gui.servers.dialog"} & loaded
    assert (
        not {"inspector.analysis.tokenizers.ask", "inspector.analysis.fidelity.ask", "inspector.tokens.servers"}
        & loaded
    )


def test_no_screen_keeps_what_was_open(companion: MainWindow, qtbot: QtBot) -> None:
    """Not even until the next collection: what was loaded is frozen, and never looked at by one."""
    session = companion.session
    for name in companion._arrangement.names:
        companion.show_screen(name)
        qtbot.waitUntil(lambda: session.is_ready)
    companion.select(3)
    companion.do("pin_baseline")
    assert session.answer is not None
    held = {"pipeline": ref(session.pipeline), "items": ref(session.answer.assembly.candidates.items)}
    with qtbot.waitSignal(session.workspace_changed):
        companion.do("reload")
    qtbot.waitUntil(lambda: session.is_ready)
    assert [name for name, thing in held.items() if thing() is not None] == []
