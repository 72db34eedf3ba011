"""Alternatives in the window: the menu of a message has its other versions; one is shown by mouse or keys."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import toggle_exclusions
from inspector.gui.main_window import MainWindow


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    """A chat of SillyTavern whose third message of five has three versions, the last one shown."""
    lines = [{"user_name": "Ann", "character_name": "Bob", "chat_metadata": {}}]
    for number in range(5):
        line = {"name": ("Ann", "Bob")[number % 2], "is_user": number % 2 == 0, "mes": f"Message {number}"}
        lines.append({**line, "send_date": f"2024-05-0{number + 1}T10:00:00Z"})
    lines[4] |= {"swipes": ["First & <b>try</b>", "Second try " + "word " * 30 + "\nmore", "Message 3"], "swipe_id": 2}
    path = tmp_path / "chat.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def ids(window: MainWindow) -> list[str]:
    answer = window.session.answer
    assert answer is not None
    return list(answer.assembly.candidates.ids)


def select(window: MainWindow, name: str) -> None:
    window.screens["decisions"].view.select_row(ids(window).index(name))


def alternatives(window: MainWindow) -> QMenu | None:
    menu = window.screens["decisions"].view.menu()
    assert menu is not None
    found = menu.findChild(QMenu, "menu:alternatives")
    assert found is None or isinstance(found, QMenu)
    return found


def entries(menu: QMenu | None) -> list[tuple[str, bool]]:
    assert menu is not None
    return [(action.text(), action.isChecked()) for action in menu.actions()]


def choose(menu: QMenu | None, number: int) -> None:
    assert menu is not None
    found = menu.findChild(QAction, f"menu:alternative:{number}")
    assert isinstance(found, QAction)
    found.trigger()


def settled(qtbot: QtBot, window: MainWindow) -> None:
    window.session.flush()
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_a_message_lists_its_versions_and_the_others_have_none(
    opened: Callable[..., MainWindow], chat: Path, qtbot: QtBot
) -> None:
    window = opened(chat)
    select(window, "m3")
    assert entries(alternatives(window)) == [
        ("1 of 3: First && <b>try</b> (the last message)", False),
        ("2 of 3: Second try " + "word " * 9 + "word… (the last message)", False),
        ("3 of 3: Message 3 (1 message after it)", True),
    ]
    select(window, "m0")
    assert alternatives(window) is None


def test_a_version_is_shown_in_one_step_and_selected(
    opened: Callable[..., MainWindow], chat: Path, qtbot: QtBot
) -> None:
    window = opened(chat)
    window.session.edit(toggle_exclusions, ["m1"])
    steps = window.session.undo_stack.count()
    whole = ids(window)
    select(window, "m3")
    choose(alternatives(window), 2)
    settled(qtbot, window)
    assert ids(window) == [*whole[: whole.index("m3")], "m3.swipe1"]
    assert window.session.scenario.excluded == ("m1",)
    row = window.screens["decisions"].host.row
    assert row == ids(window).index("m3.swipe1")
    assert window.screens["decisions"].view.selected_rows() == [row]
    assert window.session.undo_stack.count() == steps + 1
    assert [checked for _, checked in entries(alternatives(window))] == [False, True, False]
    choose(alternatives(window), 3)
    settled(qtbot, window)
    assert ids(window) == whole
    window.session.undo_stack.undo()
    window.session.undo_stack.undo()
    settled(qtbot, window)
    assert ids(window) == whole
    assert window.session.scenario.leaf is None


def test_undone_the_version_of_before_is_selected_again(
    opened: Callable[..., MainWindow], chat: Path, qtbot: QtBot
) -> None:
    window = opened(chat)
    select(window, "m3")
    choose(alternatives(window), 1)
    settled(qtbot, window)
    for action, name in (("undo", "m3"), ("redo", "m3.swipe0"), ("undo", "m3")):
        window.do(action)
        settled(qtbot, window)
        assert window.row is not None
        assert ids(window)[window.row] == name
        assert window.screens["decisions"].view.selected_rows() == [window.row]
    select(window, "m4")
    window.do("redo")
    settled(qtbot, window)
    assert window.row is None, "nothing is in the place of what came after"


def test_keys_choose_a_version(opened: Callable[..., MainWindow], chat: Path, qtbot: QtBot) -> None:
    window = opened(chat)
    select(window, "m3")
    table = window.screens["decisions"].view.table
    table.setFocus()
    center = table.viewport().rect().center()
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, center, table.viewport().mapToGlobal(center))
    QApplication.sendEvent(table.viewport(), asked)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    found = menu.findChild(QMenu, "menu:alternatives")
    assert isinstance(found, QMenu)
    menu.setActiveAction(found.menuAction())
    qtbot.keyClick(menu, Qt.Key.Key_Right)
    qtbot.waitUntil(found.isVisible)
    qtbot.keyClick(found, Qt.Key.Key_Down)
    qtbot.keyClick(found, Qt.Key.Key_Return)
    settled(qtbot, window)
    assert ids(window)[-1] == "m3.swipe1"
    window.session.undo_stack.undo()
    settled(qtbot, window)
    assert ids(window)[-1] == "m4"


@pytest.mark.parametrize("size", [(1600, 1000), (1272, 690)])
def test_the_table_marks_what_has_other_versions(
    opened: Callable[..., MainWindow], chat: Path, size: tuple[int, int]
) -> None:
    window = opened(chat, size=size)
    table = window.screens["decisions"].view.table
    assert not table.shows("versions"), "it waits in the menu of the header"
    table.columns.choose("versions", True)
    assert table.shows("versions")
    column = table.array_model.column("versions")
    cells = {
        name: table.array_model.index(table.array_model.position(ids(window).index(name)), column)
        for name in ids(window)
    }
    assert [name for name, cell in cells.items() if cell.data()] == ["m3"]
    assert cells["m3"].data() == "3 of 3"
    tip = cells["m3"].data(Qt.ItemDataRole.ToolTipRole)
    assert "Version 3 of 3" in tip
    assert "V, or Alternatives in its menu" in tip


def test_a_chat_without_versions_has_no_column_of_them(companion: MainWindow) -> None:
    assert not companion.screens["decisions"].view.table.shows("versions")


def test_a_letter_opens_the_versions(opened: Callable[..., MainWindow], chat: Path, qtbot: QtBot) -> None:
    window = opened(chat)
    table = window.screens["decisions"].view.table
    select(window, "m0")
    qtbot.keyClick(table, Qt.Key.Key_V)
    assert QApplication.activePopupWidget() is None, "it has no other version"
    select(window, "m3")
    qtbot.keyClick(table, Qt.Key.Key_V)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert menu.objectName() == "menu:alternatives"
    qtbot.keyClick(menu, Qt.Key.Key_Down)
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    settled(qtbot, window)
    assert ids(window)[-1] == "m3.swipe0"


def test_several_messages_have_no_menu_of_versions(opened: Callable[..., MainWindow], chat: Path, qtbot: QtBot) -> None:
    window = opened(chat)
    window.screens["decisions"].view.table.selectAll()
    assert alternatives(window) is None


def test_the_versions_of_a_real_chat_are_shown_and_left_again(
    opened: Callable[..., MainWindow], data_folder: Path, qtbot: QtBot
) -> None:
    window = opened(data_folder / "sillytavern/derived/Melanie - 2023-05-08@13h56m00s.jsonl")
    whole = ids(window)
    swiped = next(name.partition(".swipe")[0] for name in tree_ids(window) if ".swipe" in name)
    select(window, swiped)
    number = next(place for place, (_, checked) in enumerate(entries(alternatives(window)), 1) if not checked)
    choose(alternatives(window), number)
    settled(qtbot, window)
    assert len(ids(window)) == whole.index(swiped) + 1
    assert ids(window)[-1].startswith(f"{swiped}.swipe")
    spent = window.session.answer.ledger.total if window.session.answer else 0
    window.session.undo_stack.undo()
    settled(qtbot, window)
    assert ids(window) == whole
    assert window.session.answer is not None
    assert window.session.answer.ledger.total > spent


def tree_ids(window: MainWindow) -> list[str]:
    answer = window.session.answer
    conversation = answer.assembly.candidates.items.conversation if answer else None
    assert conversation is not None
    assert conversation.tree is not None
    return [message.id for message in conversation.tree.messages]
