"""Columns are a person's: chosen by the menu of the header, ordered and sized by mouse and keys, and remembered."""

from collections.abc import Callable

import pytest
from answers import answer_of, pipeline_for, timed_messages
from cells import header_of, settle
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.gui.main_window import MainWindow
from inspector.gui.remembered.window_state import WindowState
from inspector.gui.screens.decisions.view import DecisionView
from inspector.gui.table.column_arrangement import ColumnChoice, ColumnMenu, choice_value, read_choice
from inspector.gui.table.header import TableHeader
from inspector.gui.table.view import ArrayTableView
from inspector.resources import samples_folder

PIPELINE = pipeline_for(timed_messages(60))
LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
Open = Callable[..., MainWindow]


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> DecisionView:
    made = DecisionView()
    qtbot.addWidget(made)
    made.resize(620, 400)
    with qtbot.waitExposed(made):
        made.show()
    made.show_answer(answer_of(PIPELINE, 160))
    settle(qapp)
    return made


@pytest.fixture
def table(view: DecisionView) -> ArrayTableView:
    return view.table


def shown(table: ArrayTableView) -> list[str]:
    """The keys of the columns that are shown, from left to right."""
    return [table.array_model.columns[section].key for section in table.columns.sections_shown()]


def drag(table: ArrayTableView, start: QPoint, end: QPoint) -> None:
    rows = table.horizontalHeader().viewport()
    QTest.mousePress(rows, LEFT, NO_KEY, start)
    for part in range(1, 5):
        QTest.mouseMove(rows, start + (end - start) * part / 4)
    QTest.mouseRelease(rows, LEFT, NO_KEY, end)


def drag_edge(table: ArrayTableView, key: str, by: int) -> None:
    """Drag the right edge of a column."""
    header, left, width = header_of(table, key)
    start = QPoint(left + width - 1, header.height() // 2)
    drag(table, start, start + QPoint(by, 0))


def width(table: ArrayTableView, key: str) -> int:
    return header_of(table, key)[2]


def open_menu(qtbot: QtBot, table: ArrayTableView) -> ColumnMenu:
    header = table.horizontalHeader()
    header.customContextMenuRequested.emit(QPoint(10, 5))
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), ColumnMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, ColumnMenu)
    return menu


def entry(menu: ColumnMenu, name: str) -> QAction:
    return next(action for action in menu.actions() if action.objectName() == name)


def click(qtbot: QtBot, menu: ColumnMenu, name: str) -> None:
    qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(entry(menu, name)).center())


def test_the_menu_shows_and_hides_columns_and_stays_open(qtbot: QtBot, table: ArrayTableView) -> None:
    before = shown(table)
    assert "section" not in before, "it waits there"
    menu = open_menu(qtbot, table)
    click(qtbot, menu, "column:section")
    assert "section" in shown(table)
    assert set(before) <= set(shown(table)), "what a person chooses costs no other column"
    click(qtbot, menu, "column:who")
    assert "who" not in shown(table)
    assert menu.isVisible()
    assert not entry(menu, "column:number").isEnabled(), "rows carry their marks there"
    assert not entry(menu, "column:class").isEnabled(), "nothing is classified here"
    click(qtbot, menu, "column_menu:reset")
    assert shown(table) == before
    menu.close()


def test_the_menu_does_with_keys_what_the_mouse_does(qtbot: QtBot, table: ArrayTableView) -> None:
    menu = open_menu(qtbot, table)
    menu.setActiveAction(entry(menu, "column:tokens"))
    before = width(table, "tokens")
    qtbot.keyClick(menu, Qt.Key.Key_Plus)
    assert width(table, "tokens") > before
    qtbot.keyClick(menu, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert shown(table)[-3:] == ["tokens", "text", "outcome"]
    assert menu.activeAction().objectName() == "column:tokens"
    qtbot.keyClick(menu, Qt.Key.Key_Space)
    assert "tokens" not in shown(table)
    menu.close()


def test_an_edge_that_is_dragged_sizes_its_column_and_the_text_takes_the_rest(
    view: DecisionView, table: ArrayTableView
) -> None:
    view.resize(1000, 400)
    number, text = width(table, "number"), width(table, "text")
    drag_edge(table, "number", 30)
    assert width(table, "number") == number + 30
    assert width(table, "text") == text - 30
    drag_edge(table, "text", 50)
    assert width(table, "text") == text + 20
    view.resize(1100, 400)
    assert width(table, "text") == text + 20, "a person sized it"


def test_a_column_that_is_dragged_stands_elsewhere_and_rows_keep_their_edge(
    qapp: QApplication, table: ArrayTableView
) -> None:
    header, left, size = header_of(table, "outcome")
    drag(table, QPoint(left + size // 2, header.height() // 2), QPoint(5, header.height() // 2))
    assert shown(table)[:2] == ["outcome", "number"]
    settle(qapp)
    picture = table.viewport().grab().toImage()
    assert picture.pixelColor(1, 10) == table.array_model.marking(0).edge  # type: ignore[union-attr]


def test_no_column_changes_when_there_is_more_than_the_screen_holds(view: DecisionView, table: ArrayTableView) -> None:
    def geometry() -> list[tuple[str, int]]:
        return [(key, width(table, key)) for key in shown(table)]

    before = geometry()
    view.set_filter("id:m1")
    assert geometry() == before
    view.set_filter("")
    assert geometry() == before


def test_the_arrow_lies_over_no_title(table: ArrayTableView) -> None:
    for key in ("tokens", "outcome", "number"):
        table.sort_by(key)
        header, left, size = header_of(table, key)
        assert isinstance(header, TableHeader)
        section = table.array_model.column(key)
        place = header.arrow_place(header.rect().adjusted(left, 0, left + size - header.width(), 0), section)
        title = header.fontMetrics().horizontalAdvance(table.array_model.columns[section].title)
        if table.array_model.columns[section].is_figure:
            assert place.right() < left + size - 8 - title
        else:
            assert place.left() > left + 8 + title


def decisions(window: MainWindow) -> ArrayTableView:
    found = window.findChild(ArrayTableView, "decision_table")
    assert isinstance(found, ArrayTableView)
    return found


def test_columns_come_back_in_the_next_window(qtbot: QtBot, opened: Open) -> None:
    file = samples_folder() / "companion.workspace.yaml"
    first = opened(file, size=(1280, 720), state=WindowState())
    table = decisions(first)
    at_first = width(table, "number")
    menu = open_menu(qtbot, table)
    click(qtbot, menu, "column:rank")
    click(qtbot, menu, "column:reason")
    menu.close()
    drag_edge(table, "number", 24)
    wanted, number = shown(table), width(table, "number")
    second = decisions(opened(file, size=(1280, 720), state=WindowState()))
    assert shown(second) == wanted
    assert width(second, "number") == number
    menu = open_menu(qtbot, second)
    click(qtbot, menu, "column_menu:reset")
    menu.close()
    third = decisions(opened(file, size=(1280, 720), state=WindowState()))
    assert "reason" not in shown(third)
    assert width(third, "number") == at_first < number


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "order",
        {"order": 3, "widths": [1], "shown": "no"},
        {"order": [None, "", "x" * 999], "widths": {"a": "wide", 3: 4}, "shown": {"a": "yes"}},
        {"widths": {"a": 10**30, "b": -5, "c": float("inf")}},
    ],
)
def test_whatever_a_file_says_of_columns_can_be_shown(table: ArrayTableView, value: object) -> None:
    choice = read_choice(value)
    assert all(isinstance(size, int) and size < 10_000 for size in choice.widths.values())
    table.take_choice(choice)
    assert "number" in shown(table)


def test_a_choice_is_read_as_it_was_written() -> None:
    choice = ColumnChoice(("b", "a"), {"a": 40}, {"b": False})
    assert read_choice(choice_value(choice)) == choice
    assert choice_value(ColumnChoice()) == {}
