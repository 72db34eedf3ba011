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
from inspector.assembly.lore_tables import LORE, LoreRows, summary
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.gui.screens.memories.lore_view import NONE_CHOSEN, LoreView
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
    view.fold.click()
    model = view.model
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert texts(model, "title") == ["The harbour", "珊瑚", "ship", "Always.", "reef"], "what fired is first"
    assert texts(model, "active") == ["✓ active", "✓ active", "✓ active", "✓ active", "inactive"]
    assert texts(model, "why") == [
        "key ‘light’ in message 5",
        "key ‘珊瑚’ in message 3",
        "key ‘ship’ in message 3",
        "constant",
        "not: no key",
    ]
    assert texts(model, "key") == ["light", "珊瑚", "ship", "", ""]
    assert texts(model, "where") == ["message 5", "message 3", "message 3", "", ""]
    assert texts(model, "order") == ["1", "3", "4", "5", "2"]
    assert texts(model, "position") == ["", "at depth 2 as system", "", "", ""]
    assert texts(model, "probability") == ["", "", "60 %", "", ""]
    assert texts(model, "prompt")[::4] == ["kept", "✕ dropped"]
    assert view.said.text() == "4 of 5 entries are active."


def test_the_files_of_the_table_have_typed_values(view: LoreView) -> None:
    made = answer()
    view.show_answer(made)
    view.fold.click()
    rows = sorted(view.model.records(), key=lambda row: str(row["order"]))
    assert rows == list(LORE.records(LoreRows(made.assembly)))
    assert rows[0]["active"] is True
    assert [row["probability"] for row in rows] == [100, 100, 100, 60, 100]


def test_inactive_entries_are_folded_until_they_are_asked_for(view: LoreView, qtbot: QtBot) -> None:
    view.show_answer(answer())
    assert texts(view.model, "title") == ["The harbour", "珊瑚", "ship", "Always."]
    assert view.fold.text() == "Show 1 inactive"
    qtbot.mouseClick(view.fold, Qt.MouseButton.LeftButton)
    assert texts(view.model, "title")[4:] == ["reef"]
    assert view.fold.text() == "Hide 1 inactive"
    qtbot.mouseClick(view.fold, Qt.MouseButton.LeftButton)
    lore = LoreRows(answer().assembly)
    view.select_item(lore.first + lore.ids.index("reef"))
    assert view.fold.isChecked(), "an entry that is asked for is shown"


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
    click(3, "where")
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
    view.fold.click()
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
    view.table.selectionModel().select(view.model.index(0, 0), flags.ClearAndSelect | flags.Rows)
    assert view.table.selected_rows() == [0]


def test_the_summary_counts() -> None:
    assert summary(LoreRows(answer(ENTRIES[4:]).assembly)) == "1 of 1 entry is active."
