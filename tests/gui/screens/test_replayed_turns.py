"""Replay in the window: the slider shows the conversation as it was, and what came later is no drop."""

import numpy as np
from cells import cell, texts
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QSlider, QToolButton
from pytestqt.qtbot import QtBot

from inspector.assembly.columns import Fate
from inspector.gui.main_window import MainWindow
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import theme


def click_slider(qtbot: QtBot, window: MainWindow, share: float) -> None:
    slider: QSlider = window.findChildren(QSlider, "turn_slider")[0]
    before = window._arrangement.perspective
    window.do("replay")
    qtbot.waitUntil(lambda: slider.width() > 100)
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(int(slider.width() * share), slider.height() // 2))
    window.do(before)
    qtbot.waitUntil(lambda: window.session.is_ready)


def chip(window: MainWindow, name: str) -> QToolButton:
    return window.findChildren(QToolButton, f"filter_chip:{name}")[0]


def table(window: MainWindow) -> ArrayTableView:
    return window.findChildren(ArrayTableView, "decision_table")[0]


def test_a_click_on_the_slider_shows_the_conversation_as_it_was(companion: MainWindow, qtbot: QtBot) -> None:
    assert companion.session.scenario.draft
    click_slider(qtbot, companion, 0.5)
    scenario, assembly = companion.session.scenario, companion.session.assembly
    assert assembly is not None
    assert scenario.at is not None
    assert scenario.as_of
    candidates = assembly.candidates
    later = {candidates.ids[row] for row in range(len(candidates)) if assembly.fate[row] == Fate.NOT_YET}
    assert "draft" in later
    newest = candidates.existing_messages[-1]
    memories = [row for row, thing in enumerate(candidates.things) if getattr(thing, "source_messages", ())]
    for row in memories:
        assert (candidates.ids[row] in later) == (candidates.time[row] > candidates.time[newest])
    assert candidates.query == candidates.newest_user_text != scenario.draft


def test_the_draft_cannot_be_seen_or_written_where_it_does_not_exist_and_is_kept(
    companion: MainWindow, qtbot: QtBot
) -> None:
    box: QPlainTextEdit = companion.findChildren(QPlainTextEdit, "draft_edit")[0]
    qtbot.mouseClick(box.viewport(), Qt.MouseButton.LeftButton)
    qtbot.keyClicks(box, "Well: ")
    written = box.toPlainText()
    click_slider(qtbot, companion, 0.5)
    assert (box.toPlainText(), box.isEnabled()) == ("", False)
    assert "kept for the last turn" in box.placeholderText()
    assert companion.session.scenario.draft == written
    companion.session.undo_stack.undo()
    qtbot.waitUntil(lambda: companion.session.is_ready)
    assert (box.toPlainText(), box.isEnabled()) == (written, True)
    assert "would write next" in box.placeholderText()


def test_what_is_later_is_not_yet_in_table_chips_and_totals(companion: MainWindow, qtbot: QtBot) -> None:
    dropped = chip(companion, "dropped").text().split()[-1]
    assert not chip(companion, "not_yet").isVisible()
    click_slider(qtbot, companion, 0.1)
    assembly = companion.session.assembly
    assert assembly is not None
    later = int(assembly.fate_counts[Fate.NOT_YET])
    assert later > 100
    assert chip(companion, "not_yet").text() == f"Not yet {later:,}"
    assert chip(companion, "dropped").text().split()[-1] == f"{int(assembly.fate_counts[Fate.DROPPED]):,}" != dropped
    chip(companion, "not_yet").click()
    assert companion.findChildren(QLineEdit, "filter_edit")[0].text() == "action:not_yet"
    model = table(companion).array_model
    assert texts(model, "outcome") == ["Not yet"] * later
    assert [cell(model, 0, key).color for key in ("text", "outcome", "reason")] == [theme().muted_text] * 3
    chip(companion, "dropped").click()
    assert table(companion).model().rowCount() == int(assembly.fate_counts[Fate.DROPPED])
    page = companion.screens["details"].view.said()
    assert f"{later:,} not yet" in page


def test_what_is_later_is_not_yet_in_changes_and_side_by_side(companion: MainWindow, qtbot: QtBot) -> None:
    companion.do("pin_baseline")
    click_slider(qtbot, companion, 0.5)
    assembly = companion.session.assembly
    assert assembly is not None
    later = {assembly.candidates.ids[row] for row in np.flatnonzero(assembly.fate == Fate.NOT_YET)}
    for screen, name, key in (
        ("changes", "comparison_table", "transition"),
        ("side_by_side", "side_by_side_table", "policy:naive"),
    ):
        companion.show_screen(screen)
        model = companion.findChildren(ArrayTableView, name)[0].array_model
        qtbot.waitUntil(lambda model=model, key=key: key in model.sections and model.rowCount() > 0)
        said = {model.ids[row]: cell(model, place, key) for place, row in enumerate(model.rows) if row >= 0}
        assert len({*said} & later) > 10, screen
        for row, one in said.items():
            assert (one.text == "·" or one.text.endswith("not yet")) == (row in later), (screen, row)
            assert row not in later or one.color == theme().muted_text
    qtbot.waitUntil(lambda: companion.session.is_ready)


def test_the_end_of_the_slider_is_now_again(companion: MainWindow, qtbot: QtBot) -> None:
    before = companion.session.scenario
    click_slider(qtbot, companion, 0.4)
    slider = companion.findChildren(QSlider, "turn_slider")[0]
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: companion.session.is_ready)
    assert companion.session.scenario == before
    assert not chip(companion, "not_yet").isVisible()
