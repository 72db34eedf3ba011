"""Search over everything, with real keys: it finds titles and texts, and Enter leads to the place."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cells import cell, on_screen, settle
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import choose_leaf, choose_memory_sets
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.reading_pane import ReadingPane, SpacedPane
from inspector.gui.search.box import NOTHING_FOUND, SearchBox
from inspector.gui.search.lines import BoxModel, Entry, Hit, found_lines
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import mark_color
from inspector.model import Conversation, Message, Workspace
from inspector.resources import samples_folder
from inspector.retrieval.search.find import Search

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
CONTROL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def window(opened: Callable[..., MainWindow], tmp_path: Path) -> MainWindow:
    """Two conversations with a memory set each, of which the first is shown."""
    talks = {
        "harbour": ("We sailed past the coral reef", "Nothing to see", "Back at the <b>reef</b>, at dawn"),
        "tandem": ("你看蓝色的珊瑚礁", "A coral garden"),
    }
    value = {
        "format": "prompt-inspector/workspace@1",
        "conversations": [
            {
                "id": name,
                "title": f"{name.capitalize()} talks",
                "messages": [{"id": f"m{n}", "role": "user", "content": text} for n, text in enumerate(texts)],
            }
            for name, texts in talks.items()
        ],
        "memory_sets": [
            {"id": f"of-{name}", "conversations": [name], "memories": [{"id": "k0", "content": f"Likes {name} lights"}]}
            for name in talks
        ],
    }
    file = tmp_path / "talks.workspace.json"
    file.write_text(json.dumps(value))
    return opened(file, size=(1280, 720))


def open_box(window: MainWindow, qtbot: QtBot) -> SearchBox:
    QApplication.processEvents()  # the offscreen screen activates a box that closed before its first event
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window, Qt.Key.Key_F, CONTROL_SHIFT)
    box = window.findChild(SearchBox, "search_box")
    assert box is not None
    qtbot.waitUntil(box.isVisible)
    return box


def look_for(window: MainWindow, qtbot: QtBot, query: str) -> SearchBox:
    """Open the box, type, and wait for the answer with an index."""
    box = open_box(window, qtbot)
    if query.isascii():
        qtbot.keyClicks(box.line, query)
    else:  # which no key of Qt's tests has
        box.line.setText(query)
    qtbot.waitUntil(lambda: not window.session.tasks.is_running() and "index" not in box.state.text())
    return box


def shown(box: SearchBox) -> list[str]:
    """The lines about texts."""
    return [line.text for line in box.lines if isinstance(line, Hit)]


def open_marked(window: MainWindow, qtbot: QtBot, box: SearchBox) -> None:
    qtbot.keyClick(box.line, Qt.Key.Key_Return)
    assert not box.isVisible()
    qtbot.waitUntil(lambda: window.session.is_ready)


def selected(window: MainWindow) -> tuple[str | None, str]:
    answer = window.session.answer
    assert answer is not None
    assert window.row is not None
    return window.session.scenario.conversation, answer.assembly.candidates.texts[window.row]


def marked(window: MainWindow) -> list[str]:
    """What is marked in the text of the selected item."""
    pane = next(one for one in window.findChildren(SpacedPane) if one.accessibleName() == "Text of the item")
    return [one.cursor.selectedText() for one in pane.extraSelections()]  # type: ignore[attr-defined]


def test_places_stand_below_their_conversations(window: MainWindow, qtbot: QtBot) -> None:
    box = look_for(window, qtbot, "coral")
    assert sorted(shown(box)) == sorted(
        ["Harbour talks", "We sailed past the coral reef", "Tandem talks", "A coral garden"]
    )
    assert box.state.text() == "2 places in texts."
    line = next(line for line in box.lines if isinstance(line, Hit) and line.place is not None)
    assert [line.text[start:end] for start, end in line.marks] == ["coral"]


def test_enter_opens_the_conversation_selects_the_item_and_marks_the_words(window: MainWindow, qtbot: QtBot) -> None:
    box = look_for(window, qtbot, "garden coral")
    open_marked(window, qtbot, box)
    assert selected(window) == ("tandem", "A coral garden")
    assert window.screens["details"].is_visible
    assert marked(window) == ["coral", "garden"]


def press_in_focus(window: MainWindow, qtbot: QtBot, key: Qt.Key) -> None:
    """Press a key where the keyboard is."""
    focused = window.focusWidget()
    assert focused is not None
    qtbot.keyClick(focused, key)


@pytest.mark.parametrize("perspective", ["inspect", "tune"])
def test_the_arrows_go_on_from_what_was_found(window: MainWindow, qtbot: QtBot, perspective: str) -> None:
    window.do(perspective)
    line = window.findChild(QLineEdit, "filter_edit")
    assert line is not None
    line.setFocus()
    open_marked(window, qtbot, look_for(window, qtbot, "sailed"))
    for text in ("Nothing to see", "Back at the <b>reef</b>, at dawn"):
        press_in_focus(window, qtbot, Qt.Key.Key_Down)
        assert selected(window)[1] == text
    open_marked(window, qtbot, look_for(window, qtbot, "garden"))
    press_in_focus(window, qtbot, Qt.Key.Key_Up)
    assert selected(window) == ("tandem", "你看蓝色的珊瑚礁"), "in another conversation, too"


def test_the_marks_go_with_the_item(window: MainWindow, qtbot: QtBot) -> None:
    open_marked(window, qtbot, look_for(window, qtbot, "reef sailed"))
    assert marked(window) == ["sailed", "reef"]
    row = window.row
    assert row is not None
    window.select(row + 1)
    assert marked(window) == []
    window.select(row)
    assert marked(window) == []


def marked_cells(window: MainWindow) -> dict[str, list[str]]:
    """What is marked in the texts of the item table, by what stands there."""
    table = window.findChild(ArrayTableView, "decision_table")
    assert table is not None
    model = table.array_model
    cells = [cell(model, place, "text") for place in range(model.rowCount())]
    return {one.text: [one.text[start:end] for start, end in one.marks] for one in cells if one.marks}


def test_what_was_found_is_marked_in_the_table_until_nothing_is_selected(window: MainWindow, qtbot: QtBot) -> None:
    open_marked(window, qtbot, look_for(window, qtbot, "reef"))
    everywhere = {"…the coral reef": ["reef"], "…at the <b>reef</b>, at dawn": ["reef"]}
    assert marked_cells(window) == everywhere
    assert window.row is not None
    window.select(window.row + 1)
    assert marked_cells(window) == everywhere
    window.do("totals")
    assert marked_cells(window) == {}
    open_marked(window, qtbot, look_for(window, qtbot, "garden"))
    assert list(marked_cells(window).values()) == [["garden"]], "another conversation, other words"


def test_the_words_of_the_filter_are_marked_in_the_table(window: MainWindow, qtbot: QtBot) -> None:
    line = window.findChild(QLineEdit, "filter_edit")
    assert line is not None
    qtbot.keyClicks(line, 'role:user "coral"')
    qtbot.waitUntil(lambda: marked_cells(window) == {"…past the coral reef": ["coral"]})
    line.clear()
    qtbot.waitUntil(lambda: marked_cells(window) == {})


def test_a_mark_is_seen_in_the_row(window: MainWindow, qtbot: QtBot, qapp: QApplication) -> None:
    table = window.findChild(ArrayTableView, "decision_table")
    assert table is not None
    line = window.findChild(QLineEdit, "filter_edit")
    assert line is not None
    qtbot.keyClicks(line, "reef")
    settle(qapp)
    picture = on_screen(table)
    colors = {picture.pixel(x, y) for x in range(picture.width()) for y in range(0, picture.height(), 3)}
    assert mark_color().rgb() in colors


def test_what_was_looked_for_stays_and_the_arrows_choose(window: MainWindow, qtbot: QtBot) -> None:
    box = look_for(window, qtbot, "reef")
    open_marked(window, qtbot, box)
    first = selected(window)
    box = open_box(window, qtbot)
    assert (box.line.text(), box.line.selectedText()) == ("reef", "reef")
    qtbot.keyClick(box.line, Qt.Key.Key_Down)
    qtbot.keyClick(box.line, Qt.Key.Key_Return)
    assert selected(window)[1] == "Back at the <b>reef</b>, at dawn" != first[1]


def test_a_title_leads_to_its_conversation(window: MainWindow, qtbot: QtBot) -> None:
    box = look_for(window, qtbot, "tandem talks")
    assert [line.text for line in box.lines] == ["Chats", "Tandem talks"]
    open_marked(window, qtbot, box)
    assert window.session.scenario.conversation == "tandem"


def test_a_memory_leads_to_the_conversation_that_it_belongs_to(window: MainWindow, qtbot: QtBot) -> None:
    box = look_for(window, qtbot, "likes tandem")
    assert shown(box) == ["Memories: of-tandem", "Likes tandem lights"]
    open_marked(window, qtbot, box)
    assert selected(window) == ("tandem", "Likes tandem lights")


def test_a_memory_of_a_set_that_takes_no_part_is_named(window: MainWindow, qtbot: QtBot) -> None:
    window.session.edit(choose_memory_sets, [])
    window.session.flush()
    qtbot.waitUntil(lambda: window.session.is_ready)
    open_marked(window, qtbot, look_for(window, qtbot, "likes harbour"))
    assert window.row is None
    assert window.statusBar().currentMessage() == "k0 is no part of the shown prompt."
    assert window.session.scenario.conversation is None


def test_scripts_without_spaces_are_found(window: MainWindow, qtbot: QtBot) -> None:
    box = look_for(window, qtbot, "珊瑚")
    assert shown(box) == ["Tandem talks", "你看蓝色的珊瑚礁"]
    box.close()


def test_nothing_found_says_so_and_an_empty_line_lists_nothing(window: MainWindow, qtbot: QtBot) -> None:
    box = look_for(window, qtbot, "zebra AND (")
    assert (shown(box), box.state.text()) == ([], NOTHING_FOUND)
    qtbot.keyClick(box.line, Qt.Key.Key_Return)
    assert box.isVisible()
    box.line.clear()
    assert NOTHING_FOUND not in box.state.text()
    qtbot.keyClick(box.line, Qt.Key.Key_Escape)
    assert not box.isVisible()


def test_while_the_index_is_being_made_it_says_how_far_it_is(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = look_for(window, qtbot, "coral")
    box._indexing.share = 0.4
    box._indexing.progressed.emit()
    assert box.state.text() == "Making the index: 40 %. 2 places in texts."
    box._indexing.share = 1.0
    box.close()


def test_another_workspace_is_searched_once_it_is_open(window: MainWindow, qtbot: QtBot) -> None:
    look_for(window, qtbot, "coral").close()
    window.open_paths([str(samples_folder() / "companion.workspace.yaml")])
    qtbot.waitUntil(lambda: window.session.is_ready and bool(window.session.workspace.lorebooks))
    box = look_for(window, qtbot, "mira zebra")
    assert shown(box) == []
    box.line.setText("harbour light")
    qtbot.waitUntil(lambda: not window.session.tasks.is_running())
    assert "Harbour talks" in shown(box)
    box.close()


def test_what_enter_opens_is_a_text_even_before_it_is_found(window: MainWindow, qtbot: QtBot) -> None:
    box = open_box(window, qtbot)
    qtbot.keyClicks(box.line, "reset coral")
    box.line.setText("coral")
    assert not box.is_current
    qtbot.keyClick(box.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not box.isVisible())
    assert "coral" in selected(window)[1]
    box = open_box(window, qtbot)
    box.line.setText("reset layout")
    qtbot.keyClick(box.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: box.is_current)
    assert box.isVisible(), "no command is run that was found by the way"
    assert [line.text for line in box.lines if isinstance(line, Entry)] == ["Reset the layout"]
    box.close()


def test_the_lines_are_a_model_that_keeps_its_rules(qtbot: QtBot) -> None:
    model = BoxModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    talk = Conversation("c", (Message("m0", "user", "a reef", name="Ann"),), "Reef")
    model.show_lines(found_lines(Search(Workspace((talk,))).find("reef")))
    texts = [model.index(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(model.rowCount())]
    assert texts == ["Texts: 1", "1: Reef", "Ann: a reef"]
    model.show_lines(())
    assert model.rowCount() == 0


def test_a_message_of_another_branch_is_named_so(
    opened: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    nodes = {"question": "", "first": "question", "second": "question"}
    mapping = {
        name: {
            "id": name,
            "parent": parent or None,
            "children": [child for child, above in nodes.items() if above == name],
            "message": {
                "id": name,
                "author": {"role": "assistant" if parent else "user"},
                "content": {"content_type": "text", "parts": [f"The {name} words"]},
            },
        }
        for name, parent in nodes.items()
    }
    file = tmp_path / "chat.json"
    file.write_text(json.dumps([{"title": "Tea", "id": "tea", "mapping": mapping, "current_node": "second"}]))
    window = opened(file, size=(1280, 720))
    window.session.edit(choose_leaf, window.session.workspace, "tea", "first", window.session.chats)
    window.session.flush()
    qtbot.waitUntil(lambda: window.session.is_ready)
    open_marked(window, qtbot, look_for(window, qtbot, "second"))
    assert window.row is None
    said = window.statusBar().currentMessage()
    assert said == "second is on another branch. Choose its branch in Sources."
    open_marked(window, qtbot, look_for(window, qtbot, "question"))
    assert window.row is not None


def test_an_entry_of_a_lorebook_is_found_by_its_key_and_enter_leads_to_it(
    opened: Callable[..., MainWindow], tmp_path: Path, qtbot: QtBot
) -> None:
    filler = " ".join(f"word{n}" for n in range(600))
    value = {
        "format": "prompt-inspector/workspace@1",
        "conversations": [{"id": "a", "messages": [{"id": "m0", "role": "user", "content": "Hello"}]}],
        "lorebooks": [
            {
                "id": "world",
                "title": "World",
                "entries": [
                    {"id": "e0", "content": "A lamp burns.", "keys": ["lamp"]},
                    {"id": "e1", "content": f"{filler} wet ropes", "title": "The old quay", "keys": ["landing"]},
                ],
            }
        ],
    }
    file = tmp_path / "talk.workspace.json"
    file.write_text(json.dumps(value))
    window = opened(file, size=(1280, 720))
    box = look_for(window, qtbot, "landing ropes")
    assert shown(box)[:1] == ["Lorebook: World"]
    open_marked(window, qtbot, box)
    assert selected(window)[1].endswith("wet ropes")
    page = window.screens["memories"]
    assert page.is_visible
    lore = page.view.lore
    qtbot.waitUntil(lambda: lore.content.toPlainText().endswith("wet ropes"))
    pane = lore.content
    assert [one.cursor.selectedText() for one in pane.extraSelections()] == ["ropes"]
    qtbot.waitUntil(lambda: pane.viewport().rect().contains(pane.cursorRect()))
    press_in_focus(window, qtbot, Qt.Key.Key_Up)
    assert lore.content.toPlainText() == "A lamp burns."


@pytest.mark.parametrize("size", [(800, 450), (1280, 720), (1600, 1000)])
def test_what_was_found_is_in_sight_in_text_and_table(
    opened: Callable[..., MainWindow], tmp_path: Path, qtbot: QtBot, size: tuple[int, int]
) -> None:
    filler = " ".join(f"word{n}" for n in range(600))
    texts = [f"{filler} number {n}" + (f" coral {filler}" if n == 150 else "") for n in range(300)]
    file = tmp_path / "long.json"
    file.write_text(json.dumps([{"role": "user", "content": text} for text in texts]))
    window = opened(file, size=size)
    window.show_screen("details")
    open_marked(window, qtbot, look_for(window, qtbot, "coral"))
    pane = next(one for one in window.findChildren(SpacedPane) if one.accessibleName() == "Text of the item")
    start = pane.whole.index("coral")
    qtbot.waitUntil(lambda: pane.viewport().rect().contains(pane.cursorRect(pane.cursor_over(start, start + 5))))
    table = window.findChild(ArrayTableView, "decision_table")
    assert table is not None
    place = table.visualRect(table.currentIndex())
    qtbot.waitUntil(lambda: table.viewport().rect().contains(place.center()))


@pytest.mark.parametrize("kind", [ReadingPane, SpacedPane])
def test_what_was_found_stays_in_sight_in_a_lower_pane_until_the_user_scrolls(
    qtbot: QtBot, kind: type[ReadingPane] | type[SpacedPane]
) -> None:
    pane = kind("Text")
    qtbot.addWidget(pane)
    pane.resize(300, 600)
    with qtbot.waitExposed(pane):
        pane.show()
    pane.show_text("\n".join(f"line {n}" for n in range(200)))
    start = pane.whole.index("line 100")
    pane.bring_into_sight([(start, start + 8)])
    for height in (60, 500, 90):
        pane.resize(300, height)
        qtbot.waitUntil(lambda: pane.viewport().rect().contains(pane.cursorRect()))
    pane.verticalScrollBar().setValue(3)
    pane.resize(300, 200)
    assert pane.verticalScrollBar().value() == 3
