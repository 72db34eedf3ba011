"""The parts of a similarity beside the memories: what is shown is what is set, and each change is told as a whole."""

from collections.abc import Callable
from dataclasses import fields, replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QCheckBox
from pytestqt.qtbot import QtBot

from inspector.assembly.scenario import Scenario
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.parameter_row import NumberRow, ParameterRow
from inspector.gui.screens.memories.relevance_rows import RelevanceRows
from inspector.gui.screens.memories.view import NARROWEST
from inspector.gui.theme import apply_theme
from inspector.model import Conversation, Memory, MemorySet, Message, Workspace
from inspector.retrieval.relevance.settings import AS_MEASURED, RelevanceSettings

CHOSEN = RelevanceSettings(False, False, False, False, 0.1, 0.3, 0.4, 0.6, 1.5, 0.7, False)


@pytest.fixture
def rows(qtbot: QtBot, qapp: QApplication) -> RelevanceRows:
    apply_theme(qapp, "light")
    made = RelevanceRows()
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    return made


def box_of(row: ParameterRow) -> QCheckBox:
    box = row.findChild(QCheckBox)
    assert box is not None
    return box


def first_similarity(window: MainWindow) -> float:
    assembly = window.session.assembly
    assert assembly is not None
    return float(assembly.candidates.similarity[0])


def test_every_setting_has_a_row_that_shows_it(rows: RelevanceRows) -> None:
    assert set(rows.rows) == {field.name for field in fields(RelevanceSettings)}
    rows.show_settings(CHOSEN, "auto")
    for name, row in rows.rows.items():
        if isinstance(row, NumberRow):
            assert row.field.value() == getattr(CHOSEN, name)
        else:
            assert not box_of(row).isChecked()
        assert row.reset_button.isEnabled()


def test_a_change_is_told_with_all_settings(qtbot: QtBot, rows: RelevanceRows) -> None:
    asked: list[tuple[str, RelevanceSettings, str]] = []
    rows.edited.connect(lambda *wanted: asked.append(wanted))
    rows.show_settings(CHOSEN, "fused")
    assert asked == []
    sitting = rows.rows["sitting"]
    assert isinstance(sitting, NumberRow)
    sitting.slider.setFocus()
    qtbot.keyClick(sitting.slider, Qt.Key.Key_Home)
    assert asked.pop()[:2] == ("Best of the sitting off", replace(CHOSEN, sitting=0))
    qtbot.keyClick(box_of(rows.rows["stems"]), Qt.Key.Key_Space)
    assert asked.pop()[1] == replace(CHOSEN, stems=True)
    qtbot.mouseClick(rows.rows["vectors"].reset_button, Qt.MouseButton.LeftButton)
    assert asked.pop()[1] == replace(CHOSEN, vectors=AS_MEASURED.vectors)


@pytest.mark.parametrize(
    ("way", "movable"), [("recorded", 0), ("embedding", 0), ("lexical", 3), ("hybrid", 3), ("auto", 11), ("fused", 10)]
)
def test_what_a_way_does_not_look_at_cannot_be_moved(rows: RelevanceRows, way: str, movable: int) -> None:
    rows.show_settings(AS_MEASURED, way)
    assert sum(row.isEnabled() for row in rows.rows.values()) == movable
    assert bool(rows.said.text()) == (movable < 9)


def test_the_rows_fit_beside_the_memories(rows: RelevanceRows) -> None:
    assert rows.minimumSizeHint().width() <= NARROWEST


def test_a_part_is_left_out_in_the_window_and_comes_back(qtbot: QtBot, opened: Callable[..., MainWindow]) -> None:
    window = opened()
    said = tuple(
        Message(f"m{n}", ("user", "assistant")[n % 2], text) for n, text in enumerate(("the boat", "oh", "tea"))
    )
    stored = MemorySet("s", (Memory("k0", "It was long", source_messages=("m0",)), Memory("k1", "A cup")))
    wanted = Scenario(tokenizer="estimate:words", query="boat", relevance=replace(AS_MEASURED, vectors=0))
    window.session.show_workspace(Workspace(conversations=(Conversation("c", said),), memory_sets=(stored,)), wanted)
    window.show_screen("memories")
    qtbot.waitUntil(lambda: window.session.is_ready)
    view = window.screens["memories"].view.memories
    qtbot.waitUntil(lambda: view.table.memories.subject is not None)
    before = first_similarity(window)
    assert before > 0
    view.parts.click()
    row = view.relevance.rows["sources"]
    row.slider.setFocus()
    qtbot.keyClick(row.slider, Qt.Key.Key_Home)
    window.session.flush()
    assert window.session.scenario.relevance.sources == 0
    assert first_similarity(window) == 0
    window.session.undo_stack.undo()
    window.session.flush()
    assert first_similarity(window) == before
