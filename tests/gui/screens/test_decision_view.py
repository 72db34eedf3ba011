from collections.abc import Callable

import numpy as np
import pytest
from answers import answer_of, message, pipeline_for, timed_messages
from cells import at
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QFocusEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QToolButton, QToolTip
from pytestqt.qtbot import QtBot

from inspector.assembly.columns import Fate, Section
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.gui.screens.decisions.model import DecisionModel
from inspector.gui.screens.decisions.view import LOADING, NOTHING_MATCHES, NOTHING_OPEN, DecisionView
from inspector.gui.table.model import Cell
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import apply_theme, theme
from inspector.model import changed
from inspector.plugins import policies

PIPELINE = pipeline_for(timed_messages(60), ["The reef is closed in May", "Mara fears deep water", "Nova likes tea"])
ANSWER = answer_of(PIPELINE, 160)
IDS = list(ANSWER.assembly.candidates.ids)
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(qtbot: QtBot) -> DecisionView:
    made = DecisionView()
    qtbot.addWidget(made)
    made.resize(1100, 400)
    with qtbot.waitExposed(made):
        made.show()
    made.show_answer(ANSWER)
    return made


def edit(view: DecisionView) -> QLineEdit:
    found = view.findChild(QLineEdit, "filter_edit")
    assert isinstance(found, QLineEdit)
    return found


def table(view: DecisionView) -> ArrayTableView:
    found = view.findChild(ArrayTableView, "decision_table")
    assert isinstance(found, ArrayTableView)
    return found


def shown_ids(view: DecisionView) -> list[str]:
    model = table(view).model()
    return [model.index(row, 0).data(Qt.ItemDataRole.UserRole) for row in range(model.rowCount())]


def type_filter(qtbot: QtBot, view: DecisionView, text: str) -> None:
    edit(view).clear()
    qtbot.keyClicks(edit(view), text)


def click_row(qtbot: QtBot, view: DecisionView, row: int) -> None:
    shown = table(view)
    place = shown.visualRect(shown.model().index(shown_ids(view).index(IDS[row]), 1)).center()
    qtbot.mouseClick(shown.viewport(), LEFT, pos=place)


def press(qtbot: QtBot, view: DecisionView, key: str) -> None:
    qtbot.keyClicks(table(view), key)


def test_typing_a_filter_leaves_what_matches_and_counts_it(qtbot: QtBot, view: DecisionView) -> None:
    type_filter(qtbot, view, "role:user coral")
    expected = [f"m{number}" for number in range(60) if number % 6 in (0,)]
    assert shown_ids(view) == expected
    assert view._line.count.text() == "10 of 63"


def test_an_invalid_filter_turns_red_says_why_and_keeps_the_list(qtbot: QtBot, view: DecisionView) -> None:
    type_filter(qtbot, view, "action:dropped")
    before, top = shown_ids(view), table(view).y()
    qtbot.keyClicks(edit(view), ",many")
    qtbot.waitUntil(lambda: view._line._sentence.isVisible())
    assert table(view).mapTo(view, QPoint()).y() == top
    assert shown_ids(view) == before
    assert theme().error.name() in edit(view).styleSheet()
    assert "“many” is not understood" in edit(view).toolTip()
    assert view._line._sentence.isVisible()
    qtbot.keyClick(edit(view), Qt.Key.Key_Escape)
    assert shown_ids(view) == [IDS[row] for row in ANSWER.assembly.order]
    assert edit(view).styleSheet() == ""
    assert not view._line._sentence.isVisible()


def test_another_theme_has_another_red(qtbot: QtBot, qapp: QApplication, view: DecisionView) -> None:
    type_filter(qtbot, view, "action:")
    before = theme().error.name()
    apply_theme(qapp, "dark")
    try:
        assert theme().error.name() != before
        assert theme().error.name() in edit(view).styleSheet()
    finally:
        apply_theme(qapp, "light")


def test_used_filters_become_completions(qtbot: QtBot, view: DecisionView) -> None:
    type_filter(qtbot, view, "coral")
    qtbot.keyClick(edit(view), Qt.Key.Key_Return)
    view.set_filter("action:kept")
    view.set_filter("coral")
    view.set_filter("tokens>")
    assert view._line.recent() == ["coral", "action:kept"]
    completer = edit(view).completer()
    completer.setCompletionPrefix("kept")
    assert completer.currentCompletion() == "action:kept"


def test_quick_filters_write_into_the_line_and_read_from_it(qtbot: QtBot, view: DecisionView) -> None:
    type_filter(qtbot, view, "coral")
    dropped = view.findChild(QToolButton, "filter_chip:dropped")
    everything = view.findChild(QToolButton, "filter_chip:all")
    assert isinstance(dropped, QToolButton)
    assert isinstance(everything, QToolButton)
    assert everything.isChecked()
    qtbot.mouseClick(dropped, LEFT)
    assert edit(view).text() == "action:dropped coral"
    assert dropped.isChecked()
    assert not everything.isChecked()
    qtbot.mouseClick(dropped, LEFT)
    assert dropped.isChecked()
    qtbot.mouseClick(everything, LEFT)
    assert edit(view).text() == "coral"
    type_filter(qtbot, view, "-action:dropped")
    assert not dropped.isChecked()
    assert not everything.isChecked()


def test_what_is_asked_for_elsewhere_comes_to_what_was_typed(qtbot: QtBot, view: DecisionView) -> None:
    type_filter(qtbot, view, "coral section:memory tokens>2")
    view.turn_filter("section:history")
    assert edit(view).text() == "section:history coral tokens>2"
    view.turn_filter("section:history")
    assert edit(view).text() == "coral tokens>2"
    view.add_filter("coral")
    assert edit(view).text() == "coral tokens>2"


def open_more(qtbot: QtBot, view: DecisionView) -> QMenu:
    qtbot.mouseClick(view._line.more, LEFT)
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def test_the_menu_takes_out_each_condition_and_brings_back_filters_used_before(
    qtbot: QtBot, view: DecisionView
) -> None:
    view.set_filter("the reef")
    view.set_filter('role:user -tokens<3 "the reef"')
    menu = open_more(qtbot, view)
    terms = [action for action in menu.actions() if action.objectName().startswith("term:")]
    assert [action.text() for action in terms] == [
        "Take out role:user", "Take out -tokens<3", 'Take out "the reef"'
    ]  # fmt: skip
    before = next(action.menu() for action in menu.actions() if action.text() == "Filters used before")
    assert isinstance(before, QMenu)
    assert [action.text() for action in before.actions()] == ["the reef"]
    qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(terms[1]).center())
    assert edit(view).text() == 'role:user "the reef"'
    menu.close()


def test_chips_count_what_they_would_show_of_the_filtered(qtbot: QtBot, view: DecisionView) -> None:
    type_filter(qtbot, view, "coral")
    assembly = ANSWER.assembly
    found = np.array(["coral" in text for text in assembly.candidates.texts])
    dropped = int((found & (assembly.fate == Fate.DROPPED)).sum())
    for text in ("coral", "action:kept coral"):
        view.set_filter(text)
        names = ("all", "kept", "dropped")
        chips = [view.findChild(QToolButton, f"filter_chip:{name}").text() for name in names]  # pyright: ignore
        assert chips == [
            f"All {int(found.sum())}",
            f"In the prompt {int(found.sum()) - dropped}",
            f"✕ Dropped {dropped}",
        ]
    assert view._line.count.text() == f"{int(found.sum()) - dropped} of {len(found)}"


def test_the_map_of_few_rows_is_as_high_as_they_are(view: DecisionView) -> None:
    rows, height = view._map, view.table.verticalHeader().defaultSectionSize()
    view.resize(900, 6_000)
    QApplication.processEvents()
    assert rows._room().height() == view.table.array_model.rowCount() * height < rows.height() - 100


def test_the_map_shows_where_the_prompt_has_items_and_leads_there(qtbot: QtBot, view: DecisionView) -> None:
    rows, shown = view._map, view.table
    kept = np.flatnonzero(ANSWER.assembly.fate[view._model.rows] == Fate.KEPT)
    qtbot.waitUntil(lambda: np.flatnonzero(rows._lines).tolist() == kept.tolist())
    assert rows._found is None
    qtbot.mouseClick(rows, LEFT, pos=QPoint(5, rows.height() - 2))
    assert shown.verticalScrollBar().value() == shown.verticalScrollBar().maximum()
    view.set_filter("action:dropped")
    assert rows._found is not None
    assert len(rows._found) == shown.model().rowCount()
    header = shown.horizontalHeader().height()
    qtbot.mouseClick(rows, LEFT, pos=QPoint(5, header + 1))
    assert shown.verticalScrollBar().value() == 0


def test_rows_of_a_section_stand_on_a_faint_ground_while_it_is_pointed_at(qtbot: QtBot, view: DecisionView) -> None:
    def ground() -> QColor:
        return view.table.viewport().grab().toImage().pixelColor(view.table.viewport().width() - 3, 5)

    section = Section(int(ANSWER.assembly.section[view._model.rows[0]]))
    view.light(section)
    assert ground() == theme().accent_soft
    view.light(None)
    assert ground() == theme().base


def test_clicking_a_header_sorts_turns_round_and_gives_back_the_prompt_order(qtbot: QtBot, view: DecisionView) -> None:
    header = table(view).horizontalHeader()
    place = QPoint(header.sectionViewportPosition(view._model.column("tokens")) + 20, header.height() // 2)
    tokens = ANSWER.assembly.candidates.tokens
    model = view._model
    qtbot.mouseClick(header.viewport(), LEFT, pos=place)
    assert (np.diff(tokens[model.rows]) >= 0).all()
    assert header.isSortIndicatorShown()
    qtbot.mouseClick(header.viewport(), LEFT, pos=place)
    assert (np.diff(tokens[model.rows]) <= 0).all()
    qtbot.mouseClick(header.viewport(), LEFT, pos=place)
    assert model.rows.tolist() == ANSWER.assembly.order.tolist()


def test_clicking_a_row_tells_it_and_p_and_x_ask_for_its_id(qtbot: QtBot, view: DecisionView) -> None:
    row = IDS.index("m2")
    with qtbot.waitSignal(view.row_selected) as selected:
        click_row(qtbot, view, row)
    assert selected.args == [row]
    assert view.selected_rows() == [row]
    with qtbot.waitSignal(view.pin_requested) as pinned:
        press(qtbot, view, "p")
    assert pinned.args == [["m2"]]
    qtbot.keyClick(table(view), Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    with qtbot.waitSignal(view.exclude_requested) as excluded:
        press(qtbot, view, "x")
    assert excluded.args == [["m2", "m3"]]


def test_letters_in_the_filter_line_are_only_text(qtbot: QtBot, view: DecisionView) -> None:
    view.select_row(5)
    with qtbot.assertNotEmitted(view.pin_requested), qtbot.assertNotEmitted(view.exclude_requested):
        qtbot.keyClicks(edit(view), "px")
    assert edit(view).text() == "px"


def test_j_and_k_go_down_and_up_and_enter_opens(qtbot: QtBot, view: DecisionView) -> None:
    order = ANSWER.assembly.order.tolist()
    press(qtbot, view, "jjj")
    assert view.selected_rows() == [order[2]]
    press(qtbot, view, "kkkkk")
    assert view.selected_rows() == [order[0]]
    with qtbot.waitSignal(view.row_activated) as activated:
        qtbot.keyClick(table(view), Qt.Key.Key_Return)
    assert activated.args == [order[0]]


@pytest.mark.parametrize("modifier", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier])
def test_home_and_end_select_the_first_and_the_last_item(
    qtbot: QtBot, view: DecisionView, modifier: Qt.KeyboardModifier
) -> None:
    rows, last = table(view), len(IDS) - 1
    rows.setFocus()
    qtbot.keyClick(rows, Qt.Key.Key_J)
    for key, place in ((Qt.Key.Key_End, last), (Qt.Key.Key_Home, 0)):
        qtbot.keyClick(rows, key, modifier)
        assert rows.currentIndex().row() == place
        assert view.selected_rows() == [int(rows.array_model.rows[place])], "what is explained is what P pins"
    qtbot.keyClick(rows, Qt.Key.Key_End, modifier | Qt.KeyboardModifier.ShiftModifier)
    assert len(view.selected_rows()) == len(IDS)


def test_a_double_click_opens(qtbot: QtBot, view: DecisionView) -> None:
    row = IDS.index("m1")
    click_row(qtbot, view, row)
    place = table(view).visualRect(table(view).currentIndex()).center()
    with qtbot.waitSignal(view.row_activated) as activated:
        qtbot.mouseDClick(table(view).viewport(), LEFT, pos=place)
    assert activated.args == [row]


def test_the_way_from_the_line_to_the_list_by_keys(qtbot: QtBot, view: DecisionView) -> None:
    view.activateWindow()
    view.focus_filter()
    qtbot.waitUntil(lambda: edit(view).hasFocus())
    type_filter(qtbot, view, "id:m7")
    qtbot.keyClick(edit(view), Qt.Key.Key_Return)
    assert table(view).hasFocus()
    assert view.selected_rows() == [IDS.index("m7")]


def test_a_dialog_that_closes_selects_no_item_in_place_of_one_that_is_hidden(qtbot: QtBot, view: DecisionView) -> None:
    view.activateWindow()
    table(view).setFocus()
    row = IDS.index("m30")
    view.select_row(row)
    type_filter(qtbot, view, "id:m7")
    with qtbot.assertNotEmitted(view.row_selected):
        QApplication.sendEvent(table(view), QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.ActiveWindowFocusReason))
    assert table(view).current_row == row
    assert not table(view).currentIndex().isValid()
    qtbot.keyClick(table(view), Qt.Key.Key_Down)
    assert view.selected_rows() == [IDS.index("m7")]


@pytest.mark.parametrize("reason", ["ActiveWindow", "Popup", "MenuBar"])
def test_a_keyboard_that_comes_back_to_no_row_selects_none(qtbot: QtBot, view: DecisionView, reason: str) -> None:
    with qtbot.assertNotEmitted(view.row_selected):
        QApplication.sendEvent(table(view), QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason[f"{reason}FocusReason"]))
    assert view.selected_rows() == []
    click_row(qtbot, view, IDS.index("m1"))
    assert view.selected_rows() == [IDS.index("m1")]


def test_selection_and_place_survive_other_answers(qtbot: QtBot, view: DecisionView) -> None:
    row = IDS.index("m30")
    view.select_row(row)
    place = table(view).visualRect(table(view).currentIndex()).y()
    with qtbot.assertNotEmitted(view.row_selected):
        for window in (400, 90, 160):
            view.show_answer(answer_of(PIPELINE, window))
            assert view.selected_rows() == [row]
            assert table(view).visualRect(table(view).currentIndex()).y() == place


def test_a_new_filter_and_a_new_order_begin_at_the_top(qtbot: QtBot, view: DecisionView) -> None:
    bar = table(view).verticalScrollBar()
    view.select_row(IDS.index("m50"))
    assert bar.value() > 0
    type_filter(qtbot, view, "role:user")
    assert bar.value() == 0
    view.select_row(IDS.index("m50"))
    table(view).sort_by("tokens")
    assert bar.value() == 0
    assert view.selected_rows() == [IDS.index("m50")]


def test_the_chosen_row_keeps_its_place_on_the_screen_when_the_filter_is_emptied(
    qtbot: QtBot, view: DecisionView
) -> None:
    type_filter(qtbot, view, "role:user")
    view.select_row(IDS.index("m30"))
    place = table(view).visualRect(table(view).currentIndex()).y()
    edit(view).clear()
    assert table(view).visualRect(table(view).currentIndex()).y() == place


def test_rows_in_sight_keep_their_places_when_the_first_of_them_is_decided_otherwise(
    qtbot: QtBot, view: DecisionView
) -> None:
    type_filter(qtbot, view, "action:dropped")
    table(view).verticalScrollBar().setValue(10)
    in_sight = shown_ids(view)[10:18]
    view.show_answer(answer_of(PIPELINE, 160, pinned=tuple(in_sight[:2])))
    assert in_sight[0] not in shown_ids(view)
    place = shown_ids(view).index(in_sight[2])
    assert place - table(view).verticalScrollBar().value() == 2


def test_another_conversation_begins_at_the_top_with_nothing_selected(qtbot: QtBot, view: DecisionView) -> None:
    view.select_row(IDS.index("m50"))
    workspace = pipeline_for(timed_messages(60)).workspace
    other = changed(workspace, conversations=(changed(workspace.conversations[0], origin="other.json"),))
    view.show_answer(answer_of(Pipeline(other, policies()[0], load_presets()), 160))
    assert view.selected_rows() == []
    assert table(view).current_row == -1
    assert table(view).verticalScrollBar().value() == 0


def test_selection_survives_sorting_and_a_filter_that_hides_it(qtbot: QtBot, view: DecisionView) -> None:
    rows = [IDS.index("m30"), IDS.index("m31")]
    view.select_row(rows[0])
    qtbot.keyClick(table(view), Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    table(view).sort_by("spent", Qt.SortOrder.DescendingOrder)
    assert sorted(view.selected_rows()) == rows
    type_filter(qtbot, view, "id:m31,m5")
    assert view.selected_rows() == rows[1:]
    type_filter(qtbot, view, "id:m5")
    assert view.selected_rows() == []
    edit(view).clear()
    assert sorted(view.selected_rows()) == rows


def test_selection_follows_the_id_into_other_items(qtbot: QtBot, view: DecisionView) -> None:
    view.select_row(IDS.index("m3"))
    fewer = answer_of(pipeline_for(timed_messages(8)), 100)
    with qtbot.waitSignal(view.row_selected) as selected:
        view.show_answer(fewer)
    assert selected.args == [3]
    assert view.selected_rows() == [3]
    with qtbot.waitSignal(view.row_selected) as again:
        view.show_answer(answer_of(pipeline_for(timed_messages(9)), 100))
    assert again.args == [3]
    view.show_answer(answer_of(pipeline_for(timed_messages(2)), 100))
    assert view.selected_rows() == []


def test_selecting_what_the_filter_hides_clears_it(qtbot: QtBot, view: DecisionView) -> None:
    type_filter(qtbot, view, "action:dropped")
    kept = int(np.flatnonzero(ANSWER.assembly.action == 0)[-1])
    view.select_row(kept)
    assert edit(view).text() == ""
    assert view.selected_rows() == [kept]
    current = table(view).visualRect(table(view).currentIndex())
    assert table(view).viewport().rect().contains(current.center())


def test_what_differs_from_the_baseline_can_be_filtered(qtbot: QtBot, view: DecisionView) -> None:
    type_filter(qtbot, view, "changed:yes")
    assert shown_ids(view) == []
    mask = np.zeros(len(IDS), np.bool_)
    mask[[4, 9]] = True
    view.show_changes(mask)
    assert shown_ids(view) == [IDS[4], IDS[9]]
    view.show_changes(None)
    assert shown_ids(view) == []


def test_empty_places_say_what_to_do(qtbot: QtBot, view: DecisionView) -> None:
    empty = view.table._empty
    assert not empty.isVisible()
    type_filter(qtbot, view, "nobodysaidthis")
    assert empty.isVisible()
    assert empty.text() == NOTHING_MATCHES
    view.show_answer(None)
    assert empty.isVisible()
    assert empty.text() == NOTHING_OPEN
    assert view._line.count.text() == ""


def test_while_something_is_opened_nobody_is_told_to_open_something(view: DecisionView) -> None:
    view.show_answer(None)
    view.show_loading(True)
    assert view.table._empty.text() == LOADING
    view.show_loading(False)
    assert view.table._empty.text() == NOTHING_OPEN


def test_an_error_leaves_the_last_picture_dimmed_with_the_reason(qtbot: QtBot, view: DecisionView) -> None:
    refused = answer_of(PIPELINE, 160, parameters={"memory_share": 0.9, "history_share": 0.9})
    assert refused.assembly.error is not None
    view.show_answer(refused)
    assert view._trouble.isVisible()
    assert view._trouble.text() == refused.assembly.error.message
    assert view.table.painter.dimmed
    assert view._model.subject is ANSWER.assembly
    view.show_answer(ANSWER)
    assert not view._trouble.isVisible()
    assert not view.table.painter.dimmed


def test_the_menu_names_what_it_would_do(qtbot: QtBot, view: DecisionView) -> None:
    view.show_answer(answer_of(PIPELINE, 160, pinned=("m5",), excluded=("m6",)))
    assert view.menu() is None
    assert titles(view, "m4")["menu:pin"] == "Pin"
    assert titles(view, "m5")["menu:pin"] == "Unpin"
    assert titles(view, "m6")["menu:exclude"] == "Include"
    view.select_row(IDS.index("m5"))
    with qtbot.waitSignal(view.pin_requested) as pinned:
        choose(view, "menu:pin")
    assert pinned.args == [["m5"]]
    choose(view, "menu:copy_text")
    assert QGuiApplication.clipboard().text() == "Tell me more"
    choose(view, "menu:copy_id")
    assert QGuiApplication.clipboard().text() == "m5"
    choose(view, "menu:filter_section")
    choose(view, "menu:filter_action")
    assert edit(view).text() == "action:kept section:history"


def titles(view: DecisionView, item: str) -> dict[str, str]:
    view.select_row(IDS.index(item))
    menu = view.menu()
    assert menu is not None
    return {action.objectName(): action.text() for action in menu.actions()}


def choose(view: DecisionView, name: str) -> None:
    menu = view.menu()
    assert menu is not None
    next(action for action in menu.actions() if action.objectName() == name).trigger()


def test_one_change_of_values_asks_for_what_is_in_sight(
    qtbot: QtBot, view: DecisionView, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = pipeline_for(timed_messages(3_000))
    before, after = answer_of(long, 2_000), answer_of(long, 4_000)
    view.show_answer(before)
    view.table.viewport().repaint()
    asked = counted(monkeypatch, DecisionModel, "cell") + counted(monkeypatch, DecisionModel, "data")
    view.show_answer(after)
    view.table.viewport().repaint()
    rows = view.table.viewport().height() // view.table.rowHeight(0) + 2
    columns = sum(table(view).shows(column.key) for column in view._model.columns)
    assert 0 < len(asked[0]) <= 2 * rows * columns, "each cell is compared with what is painted, and painted"
    assert len(asked[1]) <= rows


def counted(monkeypatch: pytest.MonkeyPatch, owner: type, name: str) -> list[list[object]]:
    calls: list[object] = []
    original: Callable[..., Cell] = getattr(owner, name)

    def count(self: object, *arguments: object) -> Cell:
        calls.append(arguments)
        return original(self, *arguments)

    monkeypatch.setattr(owner, name, count)
    return [calls]


def test_the_section_colour_is_painted_at_the_left_of_its_rows(qtbot: QtBot, view: DecisionView) -> None:
    picture = view.table.viewport().grab().toImage()
    row = view._model.rows[0]
    expected = theme().section_color(Section(int(ANSWER.assembly.section[row])))
    assert picture.pixelColor(1, view.table.rowHeight(0) // 2) == expected


def test_a_narrow_table_keeps_what_matters_and_a_wide_one_shows_all(qtbot: QtBot, view: DecisionView) -> None:
    view.resize(560, 400)
    titles = [column.title for column in view._model.columns if table(view).shows(column.key)]
    assert titles == ["#", "Marks", "When", "Text", "Tokens", "Outcome"], "who leaves first, after the time of day"
    assert view._model.brief(0, view._model.columns[view._model.column("outcome")]) != ("", "")
    view.resize(1600, 400)
    hidden = [column.title for column in view._model.columns if not table(view).shows(column.key)]
    waiting = ["Section", "Role", "Name", "In the prompt", "Recorded", "Why", "Class", "Score", "Order", "Id"]
    assert hidden == [*waiting, "Versions", "Marks in words"], "these wait in the menu"


def test_texts_of_any_script_and_length_are_painted(qtbot: QtBot, view: DecisionView) -> None:
    texts = ["مرحبا بالعالم", "珊瑚礁", "x" * 200_000, "\n\n", "a\tb\u2028c", "👩‍👩‍👧 <b>bold</b>"]
    view.show_answer(answer_of(pipeline_for([message(number, text) for number, text in enumerate(texts)]), 100))
    assert not view.table.viewport().grab().isNull()
    assert at(view._model, 2, "text").data() == "x" * 300


@pytest.mark.parametrize("is_by_key", [False, True])
def test_a_tip_closes_when_another_row_comes_to_lie_under_the_mouse(
    qtbot: QtBot, view: DecisionView, is_by_key: bool
) -> None:
    shown = table(view)
    index = shown.model().index(2, 0)
    for place in (QPoint(1, 1), shown.visualRect(index).center()):  # it may stand there from the test before
        QTest.mouseMove(shown.viewport(), place)
    qtbot.waitUntil(lambda: QToolTip.isVisible() and QToolTip.text() == index.data(Qt.ItemDataRole.ToolTipRole))
    view.show_answer(answer_of(PIPELINE, 150))
    assert QToolTip.isVisible(), "the row is still there"
    if is_by_key:
        qtbot.keyClick(shown, Qt.Key.Key_End)
    else:
        view.set_filter("role:user")
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
