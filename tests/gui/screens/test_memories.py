"""The memory panel: what the table says of each memory, its lines and bars, and what a person can ask for here."""

from itertools import pairwise
from typing import Any

import pytest
from answers import answer_of, message, pipeline_for
from cells import at, on_screen, settle, texts
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from inspector.assembly import edits
from inspector.assembly.answer import Answer
from inspector.assembly.lacking import duplicate_work, make_here
from inspector.assembly.memory_ranking import MemoryRanking, rank_memories
from inspector.assembly.memory_tables import MEMORIES
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.relevance import DuplicateSearches
from inspector.gui.palettes import DARK, LIGHT
from inspector.gui.screens.memories.model import MemoryModel
from inspector.gui.screens.memories.painting import bar_parts, signal_color
from inspector.gui.screens.memories.view import MemoryView
from inspector.gui.theme import PIN_SIGN, apply_theme
from inspector.model import Conversation, Memory, MemorySet, Workspace
from inspector.plugins import policies

STORED = (
    "The harbour light is green",
    "Corals grow on the reef",
    "The reef is sharp and the harbour is shallow there",
    "Nobody likes the eel",
    "Corals grow on the reef!",
)
SHARES = {"memory_share": 0.3, "history_share": 0.4, "reserve_share": 0.3}


def pipeline() -> Pipeline:
    return pipeline_for([message(number) for number in range(3)], STORED)


def answer(made: Pipeline | None = None, **fields: Any) -> Answer:
    settings = {"similarity": "lexical", "query": "corals that grow", "parameters": {**SHARES, "memory_candidates": 4}}
    return answer_of(made or pipeline(), **{"window": 60, **settings, **fields})


def ranking(made: Pipeline, **fields: Any) -> MemoryRanking:
    found = answer(made, **fields)
    known = made.known.duplicates.known(found.assembly.candidates)
    return rank_memories(found.assembly, found.case.policy, known)


def find_duplicates(made: Pipeline) -> None:
    work = duplicate_work(made, answer(made).assembly.candidates)
    assert work is not None
    make_here(work)


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> MemoryView:
    apply_theme(qapp, "light")
    made = MemoryView()
    qtbot.addWidget(made)
    made.resize(1300, 320)
    with qtbot.waitExposed(made):
        made.show()
    return made


def show(view: MemoryView, made: Pipeline, **fields: Any) -> Answer:
    found = answer(made, **fields)
    policy = None if found.assembly.error else found.case.policy
    view.show_answer(found, policy, made.known.duplicates)
    return found


def test_the_table_says_of_each_memory_where_it_stands_and_why(qtbot: QtBot) -> None:
    model = MemoryModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    made = pipeline()
    find_duplicates(made)
    model.show_ranking(ranking(made))
    assert texts(model, "id") == ["M 2", "M 5", "M 1", "", "M 3", "", "M 4"]
    assert list(model.records()) == list(MEMORIES.records(ranking(made))), "the window writes the file of the command"
    assert texts(model, "rank") == ["1", "2", "3", "budget: ≈ 15 of 18 tokens used", "4", "1 not retrieved", "5"]
    assert texts(model, "outcome") == [
        *["Kept, fits"] * 3,
        "",
        "✕ Dropped, over budget, ≈ 7 short",
        "",
        "✕ Dropped, not retrieved",
    ]
    assert texts(model, "tokens")[4] == "≈ 10"
    assert texts(model, "nearly_the_same") == ["≈ M 5", "≈ M 2", "", "", "", "", ""]
    assert texts(model, "text")[0] == STORED[1]
    assert texts(model, "similarity")[0].endswith("BM25")
    assert texts(model, "signals")[0].startswith("similarity ")
    assert texts(model, "signals")[0].endswith(f"score {texts(model, 'score')[0]}")


def test_tooltips_tell_the_numbers_and_the_sentence(qtbot: QtBot) -> None:
    model, made = MemoryModel(), pipeline()
    find_duplicates(made)
    model.show_ranking(ranking(made))
    tip = Qt.ItemDataRole.ToolTipRole
    assert "This memory needs ≈ 10" in at(model, 4, "outcome").data(tip)
    assert "nearly the same as M 5" in at(model, 0, "outcome").data(tip)
    assert "priority 0.890 × 0.3 = 0.267" in at(model, 0, "signals").data(tip)
    assert "recency 0.000 × 0.2 = 0.000 (not known)" in at(model, 0, "signals").data(tip)
    assert "lexical BM25" in at(model, 0, "similarity").data(tip)
    assert at(model, 3, "outcome").data(tip) is None, "a line has none"


def test_lines_are_there_in_the_order_of_decision_only(qtbot: QtBot) -> None:
    model = MemoryModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show_ranking(ranking(pipeline()))
    assert model.flags(model.index(3, 0)) == Qt.ItemFlag.NoItemFlags
    marked = model.marking(3)
    assert marked is not None
    assert marked.heading == "budget: ≈ 15 of 18 tokens used"
    model.sort_by("tokens", Qt.SortOrder.DescendingOrder)
    assert texts(model, "tokens") == ["≈ 10", "≈ 5", "≈ 5", "≈ 5", "≈ 4"]
    model.show_ranking(ranking(pipeline(), query="harbour"))
    assert texts(model, "tokens") == ["≈ 10", "≈ 5", "≈ 5", "≈ 5", "≈ 4"], "a new answer stays sorted"
    model.sort_by("")
    assert model.rowCount() > 5


def test_another_order_of_as_many_rows_is_no_reset(qtbot: QtBot) -> None:
    model = MemoryModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    made = pipeline()
    model.show_ranking(ranking(made))
    with qtbot.assertNotEmitted(model.modelReset), qtbot.waitSignal(model.dataChanged):
        model.show_ranking(ranking(made, query="eel"))
    assert texts(model, "id")[0] == "M 4"
    with qtbot.waitSignal(model.modelReset):
        model.show_ranking(ranking(made, parameters=SHARES))
    assert texts(model, "rank")[-1] == "5", "all are ranked, so there is one line less"
    assert model.rowCount() == 6


def test_what_is_pinned_has_its_mark(qtbot: QtBot) -> None:
    model = MemoryModel()
    model.show_ranking(ranking(pipeline(), pinned=("k3",)))
    first = model.marking(0)
    assert texts(model, "id")[0] == "M 4"
    assert first is not None
    assert first.signs == ((PIN_SIGN, LIGHT.pinned_color),)


def test_a_bar_is_as_long_as_its_share_of_the_highest_score() -> None:
    found = ranking(pipeline())
    signals = found.signals(int(found.rows[0]))
    parts = bar_parts(signals, 100)
    assert len(parts) == 4
    assert all(right == left for (_, right), (left, _) in pairwise(parts))
    assert parts[-1][1] == pytest.approx(100 * (found.score(int(found.rows[0])) or 0.0))  # the weights sum to 1
    assert bar_parts((), 100) == []


def test_the_colours_of_signals_are_told_apart_in_both_themes(qapp: QApplication) -> None:
    for name, look in (("light", LIGHT), ("dark", DARK)):
        apply_theme(qapp, name)  # type: ignore[arg-type]
        lights = [signal_color(number).lightness() for number in range(4)] + [look.base.lightness()]
        steps = [abs(one - other) for one, other in pairwise(lights)]
        assert min(steps) >= 18, (name, lights)
    apply_theme(qapp, "light")


def test_bars_and_rules_are_painted(view: MemoryView) -> None:
    show(view, pipeline())
    picture = view.table.viewport().grab().toImage()
    colours = {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}
    assert signal_color(0).name() in colours
    assert signal_color(1).name() in colours
    assert LIGHT.warning.name() in colours


def test_the_head_says_what_is_compared_and_how_many_are_in(view: MemoryView) -> None:
    made = pipeline()
    show(view, made)
    assert view.query_box.edit.text() == "corals that grow"
    assert view.query_box.reset_button.isEnabled()
    assert view.compared.text() == "Similarity: 5 lexical BM25."
    assert view.total.text() == "3 of 5 memories in the prompt, ≈ 15 tokens"
    assert view.picker.way_list.currentData() == "lexical"
    assert not view.picker.model_list.isEnabled()
    show(view, made, query=None)
    assert view.query_box.edit.text() == ""
    assert view.query_box.edit.placeholderText() == "蓝色的珊瑚 and a ship with a second line"
    assert not view.query_box.reset_button.isEnabled()


def test_a_policy_without_weights_says_how_it_ranks(view: MemoryView) -> None:
    made = pipeline()
    show(view, made)
    assert view.said.text() == ""
    show(view, made, policy="slots", parameters={}, window=9000)
    assert view.said.text() == "Fixed slots has no weights to set: the most similar come first."


def test_without_memories_it_says_what_would_be_here(view: MemoryView) -> None:
    view.show_answer(None, None, DuplicateSearches())
    assert view._layout.currentWidget() is view._nothing
    show(view, pipeline())
    assert view._layout.currentWidget() is view._filled
    show(view, pipeline_for([message(0)]))
    assert view._layout.currentWidget() is view._nothing


def test_an_error_leaves_the_rows_dimmed_and_says_why(view: MemoryView) -> None:
    made = pipeline()
    show(view, made)
    found = show(view, made, parameters={**SHARES, "memory_share": 0.9})
    assert found.assembly.error is not None
    assert view.table.painter.dimmed
    assert view.compared.text() == found.assembly.error.message
    show(view, made)
    assert not view.table.painter.dimmed


def test_ways_are_asked_for_and_nothing_is_kept(qtbot: QtBot, view: MemoryView) -> None:
    made = pipeline()
    show(view, made)
    asked: list[tuple[Any, ...]] = []
    view.changed.connect(lambda *wanted: asked.append(wanted))
    view.picker.way_list.setFocus()
    qtbot.keyClick(view.picker.way_list, Qt.Key.Key_Down)
    assert asked.pop()[:2] == (edits.compare_by, ("hybrid",))
    view.picker.choose_folder("/models/tiny")
    assert asked.pop()[:2] == (edits.use_embedding, ("hf:/models/tiny",))
    show(view, made, similarity="recorded", embedding="hf:/models/tiny")
    assert view.picker.way_list.currentData() == "recorded"
    assert view.picker.model_list.currentText() == "tiny"
    view.picker.choose_folder("")
    assert not asked
    assert view.picker.model_list.currentData() == "hf:/models/tiny"


def test_typing_asks_once_after_a_pause_with_one_gesture(qtbot: QtBot, view: MemoryView) -> None:
    show(view, pipeline(), query=None)
    asked: list[tuple[Any, ...]] = []
    view.changed.connect(lambda *wanted: asked.append(wanted))
    edit = view.query_box.edit
    edit.setFocus()
    qtbot.keyClicks(edit, "eel")
    qtbot.waitUntil(lambda: bool(asked))
    qtbot.keyClicks(edit, "s")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert [wanted[:2] for wanted in asked] == [(edits.set_query, ("eel",)), (edits.set_query, ("eels",))]
    assert asked[0][2] == asked[1][2] != ""
    edit.clear()
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert asked[-1][1] == (None,), "an empty line is the default"


def test_what_is_typed_is_not_overwritten_by_an_answer(qtbot: QtBot, view: MemoryView) -> None:
    made = pipeline()
    show(view, made, query=None)
    view.query_box.edit.setFocus()
    qtbot.keyClicks(view.query_box.edit, "ee")
    show(view, made, query="reef")
    assert view.query_box.edit.text() == "ee"


def test_letters_and_the_menu_pin_and_exclude_what_is_selected(qtbot: QtBot, view: MemoryView) -> None:
    show(view, pipeline())
    told: list[tuple[str, list]] = []
    view.pin_requested.connect(lambda ids: told.append(("pin", ids)))
    view.exclude_requested.connect(lambda ids: told.append(("exclude", ids)))
    model, table = view.table.memories, view.table
    assert view.menu() is None
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place(view, 2))
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, pos=place(view, 4))
    assert [model.ids[row] for row in table.selected_rows()] == ["k0", "k2"], "the line between is no item"
    qtbot.keyClick(table, Qt.Key.Key_P)
    menu = view.menu()
    assert isinstance(menu, QMenu)
    actions = {action.objectName(): action for action in menu.actions()}
    actions["menu:exclude"].trigger()
    assert told == [("pin", ["k0", "k2"]), ("exclude", ["k0", "k2"])]
    menu.close()


def test_arrow_keys_step_over_lines(qtbot: QtBot, view: MemoryView) -> None:
    show(view, pipeline())
    rows: list[int] = []
    view.row_selected.connect(rows.append)
    view.table.setFocus()
    qtbot.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=place(view, 2))
    qtbot.keyClick(view.table, Qt.Key.Key_Down)
    qtbot.keyClick(view.table, Qt.Key.Key_J)
    assert [view.table.memories.ids[row] for row in rows[-3:]] == ["k0", "k2", "k3"]


def test_the_chosen_memory_stays_chosen_when_the_ranking_moves(qapp: QApplication, view: MemoryView) -> None:
    made = pipeline()
    show(view, made)
    row = made.candidates(made.case(answer(made).scenario)).rows_named(["k3"])[0]
    view.select_row(int(row))
    settle(qapp)
    show(view, made, query="eel")
    assert texts(view.table.memories, "id")[0] == "M 4"
    assert view.table.selected_rows() == [row]
    assert view.table.currentIndex().row() == 0
    settle(qapp)
    seen = on_screen(view.table)
    view.table.viewport().update()
    settle(qapp)
    assert seen == on_screen(view.table), "the selection is painted where it is"


def test_without_a_chosen_memory_the_table_stays_at_the_same_ranks(view: MemoryView) -> None:
    made = pipeline_for([message(0)], [f"text{number} word" for number in range(60)])
    show(view, made, query="text40")
    assert texts(view.table.memories, "id")[0] == "M 41"
    show(view, made, query="text50")
    assert view.table.verticalScrollBar().value() == 0
    view.table.verticalScrollBar().setValue(7)
    show(view, made, query="text40")
    assert view.table.verticalScrollBar().value() == 7


def test_a_workspace_of_other_memories_replaces_them(view: MemoryView) -> None:
    show(view, pipeline())
    view.select_row(4)
    talk = Conversation("c1", (message(0),))
    other = Workspace(conversations=(talk,), memory_sets=(MemorySet("default", (Memory("only", "word"),)),))
    show(view, Pipeline(other, policies()[0], load_presets()))
    assert texts(view.table.memories, "id") == ["M 1"]
    assert view.table.selected_rows() == []


def test_nothing_is_made_while_nobody_can_see_it(qtbot: QtBot, view: MemoryView) -> None:
    view.hide()
    show(view, pipeline())
    assert view.table.memories.rowCount() == 0
    view.show()
    qtbot.waitUntil(lambda: view.table.memories.rowCount() == 7)


def test_letters_and_the_menu_are_about_the_answer_of_now_also_where_nobody_has_seen_it_yet(
    qtbot: QtBot, view: MemoryView
) -> None:
    show(view, pipeline())
    qtbot.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=place(view, 2))
    assert view.table.selected_rows()
    view.hide()
    show(view, pipeline_for([message(0)], ()))
    pinned: list[list[str]] = []
    view.pin_requested.connect(pinned.append)
    assert view.menu() is None
    view._press_letter("p")
    assert pinned == []


def place(view: MemoryView, position: int) -> QPoint:
    """The middle of the first cell of a row, in the viewport."""
    return view.table.visualRect(at(view.table.memories, position, "outcome")).center()
