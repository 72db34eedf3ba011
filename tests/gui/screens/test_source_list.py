"""The sources: what the prompt draws from, ticked and unticked, and the ways to chats, files and problems."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QMenu, QPushButton, QTreeView
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import set_parameters, use_policy
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.fold import FoldLine
from inspector.gui.screens.sources.chats import ChatChooser
from inspector.gui.screens.sources.files_dialog import FilesDialog
from inspector.gui.screens.sources.rows import Source
from inspector.gui.screens.sources.source_list import SourceList, SourcesModel, icon_box, more_box
from inspector.gui.screens.sources.view import LOADING, NOTHING, SourcesView
from inspector.model import Problem, Workspace
from inspector.resources import samples_folder
from tests.test_secrets import KEY

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
LEFT = Qt.MouseButton.LeftButton
Open = Callable[..., MainWindow]


def view_of(window: MainWindow) -> SourcesView:
    return cast(SourcesView, window.screens["sources"].view)


def list_of(window: MainWindow) -> SourceList:
    return view_of(window).list


def rows(window: MainWindow) -> dict[str, str]:
    """The names of the rows with the figures beside them."""
    model = view_of(window).model
    return {source.name: model.detail(row) for row, source in enumerate(model.sources)}


def source(window: MainWindow, name: str) -> Source:
    return next(one for one in view_of(window).model.sources if one.name == name)


def index_of(window: MainWindow, name: str) -> QModelIndex:
    model = view_of(window).model
    return model.index(next(row for row, one in enumerate(model.sources) if one.name == name))


def click(qtbot: QtBot, window: MainWindow, name: str, place: Callable[..., QPoint] | None = None) -> None:
    listed = list_of(window)
    row = listed.visualRect(index_of(window, name))
    qtbot.mouseClick(listed.viewport(), LEFT, pos=place(row) if place else row.center())


def on_box(row: object) -> QPoint:
    return icon_box(row).center()  # type: ignore[arg-type]


def press(qtbot: QtBot, window: MainWindow, name: str, key: Qt.Key) -> None:
    listed = list_of(window)
    window.activateWindow()
    listed.setFocus()
    listed.setCurrentIndex(index_of(window, name))
    qtbot.keyClick(listed, key)


def settle(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.session.is_ready)


def kept(window: MainWindow, kind: int) -> tuple[int, int]:
    answer = window.session.answer
    assert answer is not None
    found = answer.assembly.candidates.rows(kind)  # type: ignore[arg-type]
    return int(answer.assembly.in_prompt[found].sum()), len(found)


def test_each_source_says_how_much_of_it_is_in_the_prompt(companion: MainWindow) -> None:
    assert rows(companion) == {
        "Harbour talks": "1 of 2 chats",
        "Mara": "630 tokens",
        "What Mara remembers": "46 of 91",
        "Port Ellery": "0 of 8",
    }
    assert companion.findChild(QTreeView, "workspace_tree") is list_of(companion)


def test_the_figures_follow_a_slider_and_no_row_is_listed_anew(companion: MainWindow, qtbot: QtBot) -> None:
    model, resets = view_of(companion).model, list[int]()
    model.modelReset.connect(lambda: resets.append(1))
    companion.session.edit(set_parameters, {"memory_share": 0.02, "history_share": 0.58})
    settle(qtbot, companion)
    inside, of_all = kept(companion, 3)
    assert inside < 46
    assert rows(companion)["What Mara remembers"] == f"{inside} of {of_all}"
    assert resets == []


def test_what_the_policy_has_no_place_for_is_no_source(companion: MainWindow, qtbot: QtBot) -> None:
    assert "Past summaries" not in rows(companion)
    companion.session.edit(use_policy, "naive")
    settle(qtbot, companion)
    assert rows(companion)["Past summaries"] == "3 of 3"


def test_space_and_a_click_on_the_box_take_memories_out_and_in_again(companion: MainWindow, qtbot: QtBot) -> None:
    session = companion.session
    press(qtbot, companion, "What Mara remembers", Qt.Key.Key_Space)
    settle(qtbot, companion)
    assert session.scenario.memory_sets == ()
    assert source(companion, "What Mara remembers").is_used is False
    assert rows(companion)["What Mara remembers"] == "91"
    assert kept(companion, 3) == (0, 0)
    click(qtbot, companion, "What Mara remembers", on_box)
    settle(qtbot, companion)
    assert source(companion, "What Mara remembers").is_used is True
    assert rows(companion)["What Mara remembers"] == "46 of 91"
    assert session.undo_stack.count() == 2


def test_a_lorebook_is_left_out_as_one_step_and_comes_back(companion: MainWindow, qtbot: QtBot) -> None:
    session = companion.session
    before = session.scenario.excluded
    click(qtbot, companion, "Port Ellery", on_box)
    settle(qtbot, companion)
    assert source(companion, "Port Ellery").is_used is False
    assert len(session.scenario.excluded) == len(before) + 8
    click(qtbot, companion, "Port Ellery")
    settle(qtbot, companion)
    assert source(companion, "Port Ellery").is_used is True
    assert session.scenario.excluded == before
    session.undo_stack.undo()
    session.undo_stack.undo()
    settle(qtbot, companion)
    assert source(companion, "Port Ellery").is_used is True


def test_a_click_leads_to_what_a_source_brings(companion: MainWindow, qtbot: QtBot) -> None:
    click(qtbot, companion, "What Mara remembers")
    assert companion.screens["memories"].is_visible
    click(qtbot, companion, "Mara")
    assert companion.session.filter == "kind:system,component,profile"
    press(qtbot, companion, "Mara", Qt.Key.Key_Return)
    assert companion.session.filter == "", "again turns it off"


def test_the_chat_opens_the_list_of_all_chats_and_one_is_taken(companion: MainWindow, qtbot: QtBot) -> None:
    click(qtbot, companion, "Harbour talks")
    chooser = companion.findChild(ChatChooser)
    assert isinstance(chooser, ChatChooser)
    assert chooser.isVisible()
    assert [choice.title for choice in chooser.found.choices()] == ["Harbour talks", "Old thread"]
    assert chooser.found.list.currentIndex().row() == 0
    qtbot.keyClicks(chooser.found.line, "thread")
    qtbot.keyClick(chooser.found.line, Qt.Key.Key_Return)
    settle(qtbot, companion)
    assert next(iter(rows(companion))) == "Old thread"


def test_the_key_for_chats_opens_the_list_wherever_the_focus_is(companion: MainWindow, qtbot: QtBot) -> None:
    companion.activateWindow()
    qtbot.keyClick(companion, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    chooser = companion.findChild(ChatChooser)
    assert isinstance(chooser, ChatChooser)
    qtbot.waitUntil(chooser.isVisible)
    qtbot.keyClick(chooser.found.line, Qt.Key.Key_Escape)


def test_another_memory_set_is_listed_and_not_ticked(opened: Open, qtbot: QtBot) -> None:
    window = opened(samples_folder())
    settle(qtbot, window)
    used = [one.name for one in view_of(window).model.sources if one.kind == "memory_set" and one.is_used]
    others = [one.name for one in view_of(window).model.sources if one.kind == "memory_set" and not one.is_used]
    assert used == ["What Mara remembers"]
    assert others
    press(qtbot, window, others[0], Qt.Key.Key_Space)
    settle(qtbot, window)
    assert source(window, others[0]).is_used is True
    assert source(window, "What Mara remembers").is_used is True


def test_another_character_is_taken_by_its_tick(opened: Open, qtbot: QtBot) -> None:
    window = opened(samples_folder())
    settle(qtbot, window)
    other = next(one for one in view_of(window).model.sources if one.kind == "character" and one.is_used is False)
    click(qtbot, window, other.name, on_box)
    settle(qtbot, window)
    assert window.session.scenario.character == other.thing


def menu_of(qtbot: QtBot, window: MainWindow, name: str) -> QMenu:
    click(qtbot, window, name, lambda row: more_box(row).center())
    found = [menu for menu in window.findChildren(QMenu, "workspace_menu") if menu.isVisible()]
    assert len(found) == 1
    return found[0]


def entries(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def test_the_menu_of_a_row_has_what_can_be_done_with_it(companion: MainWindow, qtbot: QtBot) -> None:
    menu = menu_of(qtbot, companion, "What Mara remembers")
    files = ["Reload the file", "Show the file in its folder", "All files…"]
    assert entries(menu) == ["Leave out of the prompt", "Show", "Rename", "Remove from what is open", *files]
    menu.close()
    menu = menu_of(qtbot, companion, "Harbour talks")
    assert entries(menu) == ["Choose another chat…", "Show", "Rename", "Remove from what is open", *files]
    menu.close()
    menu = menu_of(qtbot, companion, "Mara")
    assert entries(menu) == ["Remove from what is open", *files]
    menu.close()


def test_a_source_is_renamed_in_its_row_and_removed_by_delete(companion: MainWindow, qtbot: QtBot) -> None:
    press(qtbot, companion, "What Mara remembers", Qt.Key.Key_F2)
    editor = list_of(companion).findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    editor.selectAll()
    qtbot.keyClicks(editor, "Facts")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "Facts" in rows(companion))
    settle(qtbot, companion)
    press(qtbot, companion, "Facts", Qt.Key.Key_Delete)
    settle(qtbot, companion)
    assert "Facts" not in rows(companion)
    companion.session.undo_stack.undo()
    settle(qtbot, companion)
    assert rows(companion)["Facts"] == "46 of 91"


def test_all_files_open_in_a_dialog_that_follows_what_is_open(companion: MainWindow, qtbot: QtBot) -> None:
    companion.do("all_files")
    dialog = companion.findChild(FilesDialog)
    assert isinstance(dialog, FilesDialog)
    assert dialog.isVisible()
    tree = dialog.findChild(QTreeView, "files_tree")
    assert isinstance(tree, QTreeView)
    assert tree.model().rowCount() == 1
    companion.do("all_files")
    assert len(companion.findChildren(FilesDialog)) == 1
    companion.session.show_workspace(Workspace())
    assert tree.model().rowCount() == 0
    dialog.close()


def test_problems_are_counted_in_the_title_and_lead_to_their_list(companion: MainWindow, qtbot: QtBot) -> None:
    button = companion.findChild(QAbstractButton, "problems_button")
    assert isinstance(button, QAbstractButton)
    assert not button.isVisible()
    view_of(companion).show_problems((Problem("/x/a.json", "$[3]", "has no role", "warning"),))
    assert (button.text(), button.accessibleName()) == ("1", "1 finding met while loading")
    qtbot.mouseClick(button, LEFT)
    assert companion.screens["findings"].is_visible


def test_in_a_low_window_the_sources_are_one_line_that_unfolds(companion: MainWindow, qtbot: QtBot) -> None:
    line = companion.findChild(FoldLine, "sources_fold")
    assert isinstance(line, FoldLine)
    assert not line.isVisible()
    companion.resize(1280, 720)
    qtbot.waitUntil(line.isVisible)
    assert line.words == "Harbour talks and 3 more"
    assert not list_of(companion).isVisible()
    qtbot.mouseClick(line, LEFT)
    assert list_of(companion).isVisible()
    qtbot.keyClick(line, Qt.Key.Key_Left)
    assert not list_of(companion).isVisible()
    companion.resize(1600, 1000)
    qtbot.waitUntil(list_of(companion).isVisible)


def test_nothing_open_says_what_to_do_but_not_while_something_is_being_opened(qtbot: QtBot) -> None:
    view = SourcesView()
    qtbot.addWidget(view)
    view.resize(320, 300)
    view.show()

    def seen() -> list[str]:
        return [label.text() for label in view.findChildren(QLabel) if label.isVisible()]

    assert NOTHING in seen()
    buttons = {button.text(): button for button in view.findChildren(QPushButton)}
    for words, wish in (("Open…", view.open_requested), ("Try a sample", view.sample_requested)):
        with qtbot.waitSignal(wish):
            qtbot.mouseClick(buttons[words], LEFT)
    view.show_loading(True)
    assert LOADING in seen()
    assert NOTHING not in seen()


def test_the_model_keeps_qts_rules_and_shows_no_secret() -> None:
    model = SourcesModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    sources = [Source("conversation", "Talk", "message-square", said="3 messages"), Source("thing", "Tools", "wrench")]
    model.show_sources(sources, None)
    model.show_sources(sources[:1], None)
    assert model.index(0).data(Qt.ItemDataRole.AccessibleTextRole) == "Talk, 3 messages"
    assert tester.model() is model


def test_names_of_sources_show_how_they_differ_and_no_secret(opened: Open, tmp_path: Path, qtbot: QtBot) -> None:
    long = "A very long evening at the harbour of the town, part "
    sets = [{"id": name, "title": f"{long}{name}", "memories": []} for name in ("one", "two")]
    sets.append({"id": "key", "title": f"With {KEY}", "memories": []})
    talk = {"id": "c", "title": "Talk", "messages": [{"id": "m", "role": "user", "content": "hello"}]}
    file = tmp_path / "a.workspace.json"
    value = {"format": "prompt-inspector/workspace@1", "conversations": [talk], "memory_sets": sets}
    file.write_text(json.dumps(value))
    window = opened(file)
    settle(qtbot, window)
    names = list(rows(window))
    assert "A very lon…one" in names
    assert "A very lon…two" in names
    assert all(KEY not in name for name in names)


def test_a_chat_that_was_used_lately_is_listed_first(companion: MainWindow, qtbot: QtBot) -> None:
    for wanted in ("Old thread", "Harbour talks"):
        companion.do("choose_chat")
        chooser = companion.findChild(ChatChooser)
        assert isinstance(chooser, ChatChooser)
        qtbot.keyClicks(chooser.found.line, wanted)
        qtbot.keyClick(chooser.found.line, Qt.Key.Key_Return)
        settle(qtbot, companion)
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    companion.do("choose_chat")
    chooser = companion.findChild(ChatChooser)
    assert isinstance(chooser, ChatChooser)
    assert [choice.title for choice in chooser.found.choices()] == ["Harbour talks", "Old thread"]
    chooser.close()


def test_the_list_is_as_high_as_its_rows_also_with_larger_text(companion: MainWindow, qtbot: QtBot) -> None:
    for _ in range(3):
        companion.do("zoom_in")
    QApplication.processEvents()
    listed = list_of(companion)
    assert listed.height() == 4 * listed.row_height()
    assert listed.verticalScrollBar().maximum() == 0
    companion.do("zoom_reset")
