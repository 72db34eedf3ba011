"""The lorebook panel: why each entry is active or not, where its key was found, and the ways to get there."""

import pytest
from answers import answer_of, message
from cells import at, texts
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.assembly.answer import Answer
from inspector.assembly.lore_tables import ACTIVE, ALL, INACTIVE, LORE, LoreRows, summary
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.gui.screens.lore.view import NONE_CHOSEN, LoreView
from inspector.gui.theme import apply_theme
from inspector.model import Conversation, Lorebook, LoreEntry, Workspace
from inspector.plugins import policies

ENTRIES = (
    LoreEntry("harbour", "The harbour has <b>seven</b> lights.", title="The harbour", keys=("light",), order=1),
    LoreEntry("reef", "The reef is sharp.", keys=("reef",), order=2),
    LoreEntry("coral", "Corals grow.", keys=("珊瑚",), order=3, position="at_depth", activation={"depth": 2}),
    LoreEntry("rare", "Rare.", keys=("ship",), order=4, activation={"probability": 60}),
    LoreEntry("always", "Always.", constant=True, order=5),
)


def answer(entries: tuple[LoreEntry, ...] = ENTRIES, count: int = 6) -> Answer:
    talk = Conversation("c1", tuple(message(number) for number in range(count)))
    workspace = Workspace(conversations=(talk,), lorebooks=(Lorebook("book", entries),) if entries else ())
    return answer_of(Pipeline(workspace, policies()[0], load_presets()), 400, policy="naive")


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> LoreView:
    apply_theme(qapp, "light")
    made = LoreView()
    qtbot.addWidget(made)
    made.resize(1200, 300)
    with qtbot.waitExposed(made):
        made.show()
    return made


def marked(view: LoreView) -> str:
    selections = view.found.extraSelections()
    (selection,) = selections
    return selection.cursor.selectedText()


def ground(view: LoreView) -> QColor:
    selections = view.found.extraSelections()
    (selection,) = selections
    return QColor(selection.format.background().color())


def test_the_table_says_what_became_of_each_entry(view: LoreView) -> None:
    view.show_answer(answer())
    model = view.model
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert texts(model, "title") == ["The harbour", "reef", "珊瑚", "ship", "Always."]
    assert texts(model, "active") == ["✓ active", "inactive", "✓ active", "✓ active", "✓ active"]
    assert texts(model, "why") == [
        "key ‘light’ in message 5",
        "not: no key",
        "key ‘珊瑚’ in message 3",
        "key ‘ship’ in message 3",
        "constant",
    ]
    assert texts(model, "key") == ["light", "", "珊瑚", "ship", ""]
    assert texts(model, "where") == ["message 5", "", "message 3", "message 3", ""]
    assert texts(model, "order") == ["1", "2", "3", "4", "5"]
    assert texts(model, "position") == ["", "", "at depth 2 as system", "", ""]
    assert texts(model, "probability") == ["", "", "", "60 %", ""]
    assert texts(model, "prompt")[:2] == ["kept", "✕ dropped"]
    assert view.said.text() == "4 of 5 entries are active."


def test_the_files_of_the_table_have_typed_values(view: LoreView) -> None:
    made = answer()
    view.show_answer(made)
    rows = list(view.model.records())
    assert rows == list(LORE.records(LoreRows(made.assembly)))
    assert rows[0]["active"] is True
    assert [row["probability"] for row in rows] == [100, 100, 100, 60, 100]


def test_active_and_inactive_entries_can_be_shown_alone(view: LoreView) -> None:
    view.show_answer(answer())
    shown = {}
    for which in (ALL, ACTIVE, INACTIVE):
        view.switch.choose(which)
        shown[which] = texts(view.model, "title")
    assert shown[INACTIVE] == ["reef"]
    assert shown[ACTIVE] == ["The harbour", "珊瑚", "ship", "Always."]
    assert len(shown[ALL]) == 5


def test_the_chosen_entry_is_read_beside_the_place_of_its_key(view: LoreView) -> None:
    view.show_answer(answer())
    assert view.why.text() == NONE_CHOSEN
    assert not view.content.isVisible()
    view.table.select_row(0)
    assert view.why.text() == "Its key ‘light’ occurs in message 5."
    assert view.found.toPlainText() == "The Harbour light was out, and <b>nobody</b> noticed"
    assert view.content.toPlainText() == "The harbour has <b>seven</b> lights."
    assert marked(view) == "light"
    view.table.select_row(2)
    assert marked(view) == "珊瑚"
    view.table.select_row(4)
    assert view.why.text() == "It is constant, so it needs no key."
    assert not view.found.isVisible()
    assert not view.go_button.isVisible()


def test_what_is_left_to_chance_is_said(view: LoreView) -> None:
    view.show_answer(answer())
    view.table.select_row(3)
    assert view.notes.text() == "Would be rolled with 60 %."


def test_a_long_message_is_shown_around_the_key(view: LoreView) -> None:
    long = LoreEntry("far", "x", keys=("needle",))
    said = message(0, "🙂" * 2000 + "\r\nthe needle " + "b" * 2000)
    talk = Workspace(conversations=(Conversation("c1", (said,)),), lorebooks=(Lorebook("b", (long,)),))
    view.show_answer(answer_of(Pipeline(talk, policies()[0], load_presets()), 9000, policy="naive"))
    view.table.select_row(0)
    assert marked(view) == "needle"
    assert view.found.toPlainText().startswith("…")
    assert view.found.toPlainText().endswith("…")
    assert len(view.found.toPlainText()) < 700


def test_places_and_entries_can_be_gone_to(view: LoreView, qtbot: QtBot) -> None:
    view.show_answer(answer())
    asked: list[str] = []
    view.item_chosen.connect(asked.append)

    def click(row: int, key: str) -> None:
        place = view.table.visualRect(at(view.model, row, key)).center()
        qtbot.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=place)

    click(0, "where")
    click(0, "why")
    click(4, "where")
    assert asked == ["m4"]
    view.table.select_row(2)
    assert view.go_button.text() == "Show message 3"
    view.go_button.click()
    qtbot.keyClick(view.table, Qt.Key.Key_Return)
    assert asked == ["m4", "m2", "coral"]


def test_the_chosen_entry_stays_while_the_conversation_goes_on(view: LoreView) -> None:
    view.show_answer(answer())
    view.table.select_row(0)
    view.show_answer(answer(count=9))
    assert view.table.current_row == 0
    assert view.why.text() == "No key of this lorebook entry occurs in the newest four messages."
    view.show_answer(answer(ENTRIES[1:]))
    assert view.table.current_row == -1
    assert view.why.text() == NONE_CHOSEN


def test_columns_sort(view: LoreView) -> None:
    view.show_answer(answer())
    for column in view.model.columns:
        view.table.sort_by(column.key)
        assert view.model.rowCount() == 5
    view.table.sort_by("order", Qt.SortOrder.DescendingOrder)
    assert texts(view.model, "order") == ["5", "4", "3", "2", "1"]


@pytest.mark.parametrize("is_open", [False, True])
def test_an_empty_place_says_what_it_would_show(view: LoreView, is_open: bool) -> None:
    view.show_answer(answer())
    view.show_answer(answer(()) if is_open else None)
    assert not view.table.isVisible()
    assert view.model.rowCount() == 0


def test_both_themes_are_followed(view: LoreView, qapp: QApplication) -> None:
    view.show_answer(answer())
    view.table.select_row(0)
    light = ground(view)
    apply_theme(qapp, "dark")
    assert ground(view) != light
    apply_theme(qapp, "light")


def test_a_person_can_choose_one_entry_at_a_time(view: LoreView) -> None:
    view.show_answer(answer())
    flags = QItemSelectionModel.SelectionFlag
    view.table.selectionModel().select(view.model.index(1, 0), flags.ClearAndSelect | flags.Rows)
    assert view.table.selected_rows() == [1]


def test_the_summary_counts() -> None:
    assert summary(LoreRows(answer(ENTRIES[4:]).assembly)) == "1 of 1 entry is active."
