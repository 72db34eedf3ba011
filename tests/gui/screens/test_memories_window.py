"""The memory panel in the window, with mouse and keys: a query, a weight, another way of comparing; near-duplicates."""

from collections.abc import Callable

from cells import at
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from inspector.assembly.columns import Kind
from inspector.assembly.edits import set_query, use_window
from inspector.assembly.scenario import Scenario
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.slider import ParameterSlider
from inspector.gui.screens.memories.view import LOADING
from inspector.model import Conversation, Memory, MemorySet, Message, Workspace

TEXTS = (
    "The harbour master keeps the green light burning",
    "Corals grow slowly on the outer reef",
    "Nobody in the village likes to cook the eel",
    "The ferry to the mainland leaves at nine",
    "Corals grow slowly on the outer reef!",
)


def workspace(texts: tuple[str, ...] = TEXTS) -> Workspace:
    stored = tuple(Memory(f"k{number}", text, priority=90.0 - 20 * number) for number, text in enumerate(texts))
    talk = (Message("m0", "user", "Tell me of the harbour"), Message("m1", "assistant", "It is old."))
    return Workspace(conversations=(Conversation("c1", talk),), memory_sets=(MemorySet("default", stored),))


def shown(qtbot: QtBot, opened: Callable[..., MainWindow], **fields: object) -> MainWindow:
    window = opened()
    window.show_screen("memories")
    scenario = Scenario(**{"tokenizer": "estimate:words", "context_window": 400, "similarity": "lexical", **fields})
    window.session.show_workspace(workspace(), scenario)
    qtbot.waitUntil(lambda: window.session.is_ready and order(window) != [])
    return window


def order(window: MainWindow) -> list[str]:
    model = window.screens["memories"].view.memories.table.memories
    return [name for row in range(model.rowCount()) if (name := at(model, row, "id").data())]


def child(window: MainWindow, kind: type, name: str) -> QLineEdit:
    found = window.screens["memories"].view.memories.findChild(kind, name)
    assert found is not None
    return found  # type: ignore[no-any-return]


def test_a_query_moves_the_ranking_and_undo_takes_it_back_in_one_step(
    qtbot: QtBot, opened: Callable[..., MainWindow]
) -> None:
    window = shown(qtbot, opened)
    assert order(window)[0] == "M 1"
    edit = child(window, QLineEdit, "memory_query")
    assert edit.placeholderText() == "Tell me of the harbour"
    qtbot.mouseClick(edit, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(edit, "eel")
    qtbot.waitUntil(lambda: window.session.scenario.query == "eel")
    qtbot.keyClicks(edit, " cook")
    qtbot.waitUntil(lambda: window.session.scenario.query == "eel cook")
    qtbot.waitUntil(lambda: order(window)[0] == "M 3" and window.session.is_ready)
    assert window.session.undo_stack.count() == 1, "one visit is one step"
    window.session.undo_stack.undo()
    qtbot.waitUntil(lambda: order(window)[0] == "M 1" and window.session.is_ready)
    assert edit.text() == ""


def test_a_query_is_that_of_whoever_leaves_the_box_also_without_a_pause(
    qtbot: QtBot, opened: Callable[..., MainWindow]
) -> None:
    window = shown(qtbot, opened)
    edit = child(window, QLineEdit, "memory_query")
    qtbot.mouseClick(edit, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(edit, "eel")
    qtbot.mouseClick(window.screens["memories"].view.memories.table.viewport(), Qt.MouseButton.LeftButton)
    assert window.session.scenario.query == "eel"


def test_the_button_goes_back_to_the_newest_message(qtbot: QtBot, opened: Callable[..., MainWindow]) -> None:
    window = shown(qtbot, opened, query="ferry mainland")
    assert order(window)[0] != "M 1"
    qtbot.mouseClick(window.screens["memories"].view.memories.query_box.reset_button, Qt.MouseButton.LeftButton)
    assert window.session.scenario.query is None
    qtbot.waitUntil(lambda: order(window)[0] == "M 1")


def test_a_weight_moves_the_ranking(qtbot: QtBot, opened: Callable[..., MainWindow]) -> None:
    window = shown(qtbot, opened, query="ferry mainland")
    assert order(window)[0] == "M 4"
    name = "parameter:similarity_weight"
    slider = window.findChild(ParameterSlider, name)
    assert isinstance(slider, ParameterSlider)
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: order(window)[0] == "M 1")
    assert window.session.scenario.parameters["similarity_weight"] == 0.0


def test_another_way_of_comparing_is_picked_and_said(qtbot: QtBot, opened: Callable[..., MainWindow]) -> None:
    window = shown(qtbot, opened, similarity="recorded")
    assert window.screens["memories"].view.memories.compared.text() == "No similarity is known: nothing is recorded."
    picker = child(window, QComboBox, "memory_similarity")
    assert isinstance(picker, QComboBox)
    picker.setFocus()
    for _ in range(2):
        qtbot.keyClick(picker, Qt.Key.Key_Down)
    assert window.session.scenario.similarity == "lexical"
    qtbot.waitUntil(lambda: window.screens["memories"].view.memories.compared.text() == "Similarity: 5 lexical BM25.")


def test_a_click_selects_everywhere_and_a_double_click_shows_the_text(
    qtbot: QtBot, opened: Callable[..., MainWindow]
) -> None:
    window = shown(qtbot, opened)
    table = window.screens["memories"].view.memories.table
    middle = table.visualRect(table.memories.index(0, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    row = int(table.memories.rows[0])
    assert window.row == row
    assert window.screens["decisions"].view.selected_rows() == [row]
    qtbot.keyClick(table, Qt.Key.Key_P)
    assert window.session.scenario.pinned == ("k0",)
    qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert window.screens["details"].view.isVisible()
    assert window.screens["memories"].view.memories.is_in_sight, "the text is beside it"


def test_a_row_chosen_elsewhere_is_chosen_here(qtbot: QtBot, opened: Callable[..., MainWindow]) -> None:
    window = shown(qtbot, opened)
    assert window.session.assembly is not None
    row = int(window.session.assembly.candidates.rows_named(["k3"])[0])
    window.screens["decisions"].view.select_row(row)
    assert window.screens["memories"].view.memories.table.selected_rows() == [row]


def test_near_duplicates_are_found_at_rest_marked_and_reported(qtbot: QtBot, opened: Callable[..., MainWindow]) -> None:
    window = shown(qtbot, opened)
    answer = window.session.answer
    assert answer is not None
    assert answer.ledger.rendered is not None, "what was measured stays"
    found = [finding for finding in answer.findings if finding.code == "near_duplicate_memories"]
    assert [finding.message for finding in found] == [
        "2 memories say nearly the same: M 2, M 5. The prompt holds 1 of them beside the ones they repeat."
    ]
    model = window.screens["memories"].view.memories.table.memories
    marks = {at(model, row, "id").data(): at(model, row, "nearly_the_same").data() for row in range(model.rowCount())}
    assert marks["M 2"] == "≈ M 5"
    assert marks["M 5"] == "≈ M 2"
    window.screens["findings"].view.finding_requested.emit(found[0])
    assert window.row == found[0].rows[0]
    window.session.show_workspace(workspace(TEXTS[:4]), window.session.scenario)
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert window.session.answer is not None
    assert all(finding.code != "near_duplicate_memories" for finding in window.session.answer.findings)


def test_the_panel_shows_the_newest_ranking_when_it_comes_to_the_front(
    qtbot: QtBot, opened: Callable[..., MainWindow]
) -> None:
    window = shown(qtbot, opened)
    window.show_screen("decisions")
    qtbot.waitUntil(lambda: not window.screens["memories"].view.memories.is_in_sight)
    window.session.edit(set_query, "ferry mainland")
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert order(window)[0] == "M 1", "nobody looks"
    window.show_screen("memories")
    qtbot.waitUntil(lambda: order(window)[0] == "M 4")


def test_an_empty_place_says_what_is_open_and_not_in_use(qtbot: QtBot, opened: Callable[..., MainWindow]) -> None:
    window = opened()
    window.show_screen("memories")
    scenario = Scenario(tokenizer="estimate:words", context_window=400, memory_sets=())
    window.session.show_workspace(workspace(), scenario)
    qtbot.waitUntil(lambda: window.session.is_ready)
    sentences = [label.text() for label in window.screens["memories"].view.memories.findChildren(QLabel)]
    assert any(text.startswith(f"Open, and not in use here: {len(TEXTS)} memories.") for text in sentences)


def test_an_empty_place_says_that_something_is_loading(qtbot: QtBot, opened: Callable[..., MainWindow]) -> None:
    window = shown(qtbot, opened)
    view = window.screens["memories"].view.memories
    view.show_answer(None, None, window.session.pipeline.known.duplicates)
    view.show_open(0, is_loading=True)
    assert LOADING in [label.text() for label in view.findChildren(QLabel)]


def test_the_lore_can_be_read_while_a_memory_is_selected_and_slides(qtbot: QtBot, companion: MainWindow) -> None:
    companion.show_screen("memories")
    page = companion.screens["memories"].view
    answer = companion.session.answer
    assert answer is not None
    companion.select(int(answer.assembly.candidates.rows(Kind.MEMORY)[3]))
    assert not page.shows_lore
    lore = next(button for button in page.switch.findChildren(QToolButton) if button.text() == "Lore")
    qtbot.mouseClick(lore, Qt.MouseButton.LeftButton)
    assert page.shows_lore
    companion.session.edit(use_window, 10_000)
    qtbot.waitUntil(lambda: companion.session.is_ready)
    assert page.shows_lore, "another answer leads to no other part"
    companion.select(int(answer.assembly.candidates.rows(Kind.MEMORY)[5]))
    assert not page.shows_lore, "another memory that is selected does"
