import pytest
from answers import answer_of, message, pipeline_for, timed_messages
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QPushButton, QTableView
from pytestqt.qtbot import QtBot

from inspector.assembly.columns import Action
from inspector.assembly.compare import compare
from inspector.assembly.numbers import numbered
from inspector.figures import signed
from inspector.gui.screens.changes.model import ComparisonModel, summary_text
from inspector.gui.screens.changes.view import NO_DIFFERENCE, ChangesView

PIPELINE = pipeline_for(timed_messages(60), ["The reef is closed in May", "Mara fears deep water", "Nova likes tea"])
WIDE, NARROW = answer_of(PIPELINE, 300), answer_of(PIPELINE, 160)
COMPARISON = compare(WIDE.assembly, NARROW.assembly)
LOST = len(COMPARISON)


@pytest.fixture
def view(qtbot: QtBot) -> ChangesView:
    made = ChangesView()
    qtbot.addWidget(made)
    made.resize(1000, 300)
    with qtbot.waitExposed(made):
        made.show()
    made.show_comparison(WIDE, NARROW)
    return made


def model_of(view: ChangesView) -> ComparisonModel:
    table = view.findChild(QTableView, "comparison_table")
    assert isinstance(table, QTableView)
    model = table.model()
    assert isinstance(model, ComparisonModel)
    return model


def texts(model: ComparisonModel, position: int) -> list[str]:
    return [model.index(position, column).data() for column in range(model.columnCount())]


def ids(model: ComparisonModel) -> list[str | None]:
    return [model.index(row, 0).data(Qt.ItemDataRole.UserRole) for row in range(model.rowCount())]


def test_changes_stand_below_the_heading_of_their_direction(view: ChangesView) -> None:
    model = model_of(view)
    lost = int(COMPARISON.spent_before.sum() - COMPARISON.spent_after.sum())
    assert model.rowCount() == LOST + 1
    assert texts(model, 0)[0] == f"Left: {LOST} items, ≈ −{lost} tokens"
    item, text, transition, before, after, change, _, why = texts(model, 1)
    candidates = WIDE.assembly.candidates
    (row,) = numbered(candidates.items, item)
    assert candidates.texts[row].startswith(text)
    assert (transition, before, after) == ("kept → ✕ dropped", f"≈ {WIDE.assembly.spent[row]}", "–")
    assert change == f"≈ −{WIDE.assembly.spent[row]}"
    assert why == NARROW.assembly.reason_of(row).label


def test_the_summary_says_what_left_and_what_it_saves(view: ChangesView) -> None:
    lost = int(COMPARISON.spent_before.sum() - COMPARISON.spent_after.sum())
    assert view.summary.text() == f"{LOST} items left; items ≈ −{lost} tokens"
    assert summary_text(compare(NARROW.assembly, WIDE.assembly)) == f"{LOST} items came in; items ≈ +{lost} tokens"


def test_items_that_one_side_does_not_have_are_named_and_counted() -> None:
    more = answer_of(pipeline_for(timed_messages(4)), 200)
    fewer = answer_of(pipeline_for(timed_messages(3)), 200)
    comparison = compare(more.assembly, fewer.assembly)
    spent = int(more.assembly.spent.sum() - fewer.assembly.spent.sum())
    assert summary_text(comparison) == f"1 item left; items ≈ −{spent} tokens"
    model = ComparisonModel()
    model.show_comparison(comparison)
    assert texts(model, 0)[0] == f"Left: 1 item, ≈ −{spent} tokens"
    assert texts(model, 1)[0] == "4"
    assert texts(model, 1)[1] == timed_messages(4)[3].content.splitlines()[0]
    assert texts(model, 1)[-1] == ""


def test_what_is_summarized_now_is_said() -> None:
    long = pipeline_for([message(number, "word " * 40, summary="short") for number in range(40)])
    plain, selective = (answer_of(long, 3_000, parameters={"selective": chosen}) for chosen in (False, True))
    comparison = compare(plain.assembly, selective.assembly)
    counts = selective.assembly.action_counts
    assert counts[Action.SUMMARIZED] > 0
    assert f"{counts[Action.SUMMARIZED]} summarized" in summary_text(comparison).replace("items ", "")


def test_steps_go_from_change_to_change_and_tell_the_item(qtbot: QtBot, view: ChangesView) -> None:
    model = model_of(view)
    rows = [name for name in ids(model) if name]
    with qtbot.waitSignal(view.item_selected) as first:
        view.step(1)
    with qtbot.waitSignal(view.item_selected) as second:
        view.step(1)
    with qtbot.waitSignal(view.item_selected) as back:
        view.step(-1)
    assert (first.args, second.args, back.args) == ([rows[0]], [rows[1]], [rows[0]])
    with qtbot.assertNotEmitted(view.item_selected):
        view.step(-1)


def test_clicking_a_heading_chooses_nothing_and_clicking_a_row_does(qtbot: QtBot, view: ChangesView) -> None:
    table = view.table
    with qtbot.assertNotEmitted(view.item_selected):
        place = table.visualRect(model_of(view).index(0, 0)).center()
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    with qtbot.waitSignal(view.item_selected):
        place = table.visualRect(model_of(view).index(2, 0)).center()
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_the_selection_stays_with_its_item_while_a_slider_moves(qtbot: QtBot, view: ChangesView) -> None:
    view.step(1)
    chosen = [ids(model_of(view))[row.row()] for row in view.table.selectionModel().selectedRows()]
    with qtbot.assertNotEmitted(view.item_selected):
        for window in (100, 130):
            view.show_comparison(answer_of(PIPELINE, 400), answer_of(PIPELINE, window))
            assert [ids(model_of(view))[row.row()] for row in view.table.selectionModel().selectedRows()] == chosen


def test_empty_places_say_what_to_do(qtbot: QtBot, view: ChangesView) -> None:
    view.show_comparison(None, NARROW)
    (button,) = [one for one in view.findChildren(QPushButton) if one.isVisible()]
    assert button.text() == "Set baseline"
    with qtbot.waitSignal(view.baseline_requested):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert view.summary.text() == ""
    view.show_comparison(NARROW, NARROW)
    assert view.table._empty.text() == NO_DIFFERENCE
    assert model_of(view).rowCount() == 0


def test_nothing_is_compared_while_nobody_looks(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    hidden = ChangesView()
    qtbot.addWidget(hidden)
    hidden.show_comparison(WIDE, WIDE)
    hidden.show_comparison(WIDE, NARROW)
    assert model_of(hidden).rowCount() == 0
    with qtbot.waitExposed(hidden):
        hidden.show()
    assert model_of(hidden).rowCount() == LOST + 1


def test_the_model_keeps_the_rules_of_models(qtbot: QtBot) -> None:
    model = ComparisonModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for comparison in (COMPARISON, compare(NARROW.assembly, WIDE.assembly), None, COMPARISON):
        model.show_comparison(comparison)
        assert model.rowCount() == (0 if comparison is None else len(comparison) + len(comparison.movements))
    assert tester.model() is model
    assert model.flags(model.index(0, 0)) == Qt.ItemFlag.NoItemFlags
    assert model.flags(QModelIndex()) == Qt.ItemFlag.NoItemFlags


def test_differences_carry_their_sign() -> None:
    assert [signed(number) for number in (1204, -85, 0)] == ["+1,204", "−85", "0"]
