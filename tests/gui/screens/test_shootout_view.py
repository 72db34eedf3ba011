from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import numpy as np
import pytest
from answers import pipeline_for, timed_messages
from cells import at, header_of, texts
from inspector.analysis.snapshots import shootouts
from inspector.assembly.shootout import Contender, Shootout, available_contenders
from inspector.assembly.shootout_tables import DIFFERING, ITEM_COLUMNS, MATRIX
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from inspector.analysis.basis import Basis
from inspector.assembly.columns import Action, phrase
from inspector.assembly.preset import Preset
from inspector.assembly.scenario import Scenario
from inspector.gui.palettes import contrast
from inspector.gui.screens.shootout.model import (
    ShootoutModel,
    header_lines,
    header_tooltip,
)
from inspector.gui.screens.shootout.view import ALL_AGREE, NOTHING_CHOSEN, NOTHING_OPEN, ShootoutView
from inspector.gui.table.header import HeaderEntry, HeaderLine
from inspector.gui.theme import apply_theme, theme
from inspector.plugins import policies
from inspector.tables import Face

PIPELINE = pipeline_for(timed_messages(60), ["The reef is closed in May", "Mara fears deep water", "Nova likes tea"])
SCENARIO = Scenario(policy="ratio", tokenizer="estimate:words", context_window=160)
POLICIES = {name: policies()[0][name] for name in ("naive", "ratio", "slots")}
PRESETS = {("naive", "document"): Preset(), ("ratio", "document"): Preset(), ("ratio", "long-chat"): Preset()}
ROOMY = replace(SCENARIO, context_window=9_000)
THREE = (Contender("naive"), Contender("ratio"), Contender("slots"))


def shootout_of(*contenders: Contender, scenario: Scenario = SCENARIO) -> Shootout:
    *_, last = shootouts(Basis(PIPELINE, scenario), contenders or THREE)
    return last


SHOOTOUT = shootout_of()
ITEM_KEYS = [column.key for column in ITEM_COLUMNS if column.faces & Face.WINDOW]
POLICY_KEYS = [contender.name for contender in THREE]


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> Iterator[ShootoutView]:
    apply_theme(qapp, "light")
    made = ShootoutView()
    qtbot.addWidget(made)
    made.set_policies(POLICIES, PRESETS)
    made.resize(1000, 400)
    with qtbot.waitExposed(made):
        made.show()
    made.show_shootout(SHOOTOUT)
    yield made
    apply_theme(qapp, "light")


def model_of(view: ShootoutView) -> ShootoutModel:
    model = view.table.model()
    assert isinstance(model, ShootoutModel)
    return model


def shown(view: ShootoutView) -> list[int]:
    return model_of(view).rows.tolist()


def cell_centre(view: ShootoutView, position: int, key: str) -> QPoint:
    return view.table.visualRect(at(model_of(view), position, key)).center()


def click_header(qtbot: QtBot, view: ShootoutView, key: str) -> None:
    header, left, _ = header_of(view.table, key)
    place = QPoint(left + 12, header.height() - 8)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)


def double_click(qtbot: QtBot, view: ShootoutView, key: str) -> None:
    place = cell_centre(view, 2, key)
    for click in (qtbot.mouseClick, qtbot.mouseDClick):
        click(view.table.viewport(), Qt.MouseButton.LeftButton, pos=place)


def use_button(view: ShootoutView, name: str) -> QToolButton:
    button = view.findChild(QToolButton, f"use:{name}")
    assert isinstance(button, QToolButton)
    return button


@pytest.mark.parametrize("name", ["light", "dark"])
def test_what_is_in_use_can_be_read(view: ShootoutView, qapp: QApplication, name: Literal["light", "dark"]) -> None:
    apply_theme(qapp, name)
    button = next(button for button in view.findChildren(QToolButton) if button.text() == "In use")
    image = button.grab().toImage()
    colors = {image.pixelColor(x, y).rgb() for x in range(image.width()) for y in range(image.height())}
    assert max(contrast(QColor(color), theme().window) for color in colors) >= 4


def test_every_cell_says_what_its_policy_does_with_its_item(view: ShootoutView) -> None:
    model = model_of(view)
    assert [column.key for column in model.columns] == ITEM_KEYS + POLICY_KEYS
    for position, row in enumerate(shown(view)):
        assert model.index(position, 0).data(Qt.ItemDataRole.UserRole) == SHOOTOUT.ids[row]
        for place, answer in enumerate(SHOOTOUT.answers):
            text = at(model, position, POLICY_KEYS[place]).data()
            assert text.endswith(phrase(Action(int(answer.assembly.action[row]))))
    assert view.table.objectName() == "shootout_table"


def test_what_is_kept_is_quiet_and_what_is_dropped_has_its_colour(view: ShootoutView) -> None:
    model, row = model_of(view), int(np.flatnonzero(SHOOTOUT.actions[:, 1] == Action.DROPPED)[0])
    position = shown(view).index(row)
    cells = [model.cell(position, column)[:2] for column in model.columns if column.key in POLICY_KEYS]
    assert cells[0] == ("kept", theme().muted_text)
    dropped = [cell for cell in cells if "dropped" in cell[0]]
    assert dropped
    assert all(cell == ("✕ dropped", theme().action_color(Action.DROPPED)) for cell in dropped)
    assert "ratio: Dropped." in at(model, position, POLICY_KEYS[1]).data(Qt.ItemDataRole.ToolTipRole)


def test_disagreement_comes_first_and_headers_sort(qtbot: QtBot, view: ShootoutView) -> None:
    by_dissent = np.argsort(-SHOOTOUT.dissent, kind="stable").tolist()
    assert shown(view) == by_dissent
    click_header(qtbot, view, "number")
    assert shown(view) == list(range(63))
    click_header(qtbot, view, POLICY_KEYS[0])
    assert shown(view) == list(range(63)), "a policy is no order"
    assert view.table.header.sortIndicatorSection() == model_of(view).column("number")
    click_header(qtbot, view, "number")
    assert shown(view) == list(range(63))[::-1]
    click_header(qtbot, view, "differ")
    assert shown(view) == by_dissent


def test_the_filter_leaves_only_what_they_disagree_about(qtbot: QtBot, view: ShootoutView) -> None:
    box = view.only_disputed
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    assert sorted(shown(view)) == np.flatnonzero(SHOOTOUT.dissent).tolist()
    assert 0 < len(shown(view)) == SHOOTOUT.disputed < 63
    assert view.summary.text() == f"They disagree about {SHOOTOUT.disputed} of 63 items · ≈ marks estimates"
    view.show_shootout(shootout_of(Contender("naive")))
    assert shown(view) == []
    assert view.table._empty.text() == ALL_AGREE


def test_the_header_says_name_tokens_overflow_and_findings(view: ShootoutView) -> None:
    lines = [[line.text for line in header_lines(SHOOTOUT, place)] for place in range(3)]
    naive = SHOOTOUT.outcomes[0]
    assert lines[0][:4] == ["naive", "document", f"≈ {naive.total:,} tokens", f"over by {naive.over:,}"]
    assert header_lines(SHOOTOUT, 0)[3].kind == "error"
    assert lines[0][4].startswith("1 error")
    (fitting,) = [header_lines(shootout_of(THREE[0], scenario=ROOMY), 0)]
    assert (fitting[3].text, fitting[3].kind, fitting[4].text) == ("fits", "muted", "no warnings")
    assert SHOOTOUT.answers[0].findings[0].message in header_tooltip(SHOOTOUT, 0)
    tooltip = view.table.model().headerData(
        model_of(view).column(POLICY_KEYS[0]), Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
    )
    assert SHOOTOUT.answers[0].findings[0].message.split(" ")[0] in tooltip


def test_a_policy_without_a_prompt_says_so(view: ShootoutView) -> None:
    refused = shootout_of(*THREE[:2], scenario=replace(SCENARIO, parameters={"memory_share": 0.9}))
    lines = [line.text for line in header_lines(refused, 1)]
    assert lines == ["ratio", "changed", "no prompt", "shares do not sum"]
    view.show_shootout(refused)
    assert {at(model_of(view), row, POLICY_KEYS[1]).data() for row in range(63)} == {"–"}
    assert "sum" in header_tooltip(refused, 1).splitlines()[2]


def test_a_click_tells_the_row_and_a_double_click_the_policy(qtbot: QtBot, view: ShootoutView) -> None:
    row = shown(view)[2]
    with qtbot.waitSignal(view.row_selected) as selected:
        place = cell_centre(view, 2, POLICY_KEYS[1])
        qtbot.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert selected.args == [row]
    with qtbot.waitSignal(view.policy_requested) as requested:
        double_click(qtbot, view, POLICY_KEYS[2])
    assert requested.args == ["slots", "document"]
    with qtbot.assertNotEmitted(view.policy_requested):
        double_click(qtbot, view, "number")


def test_the_button_and_the_header_request_a_policy(qtbot: QtBot, view: ShootoutView) -> None:
    view.show_shootout(shootout_of(Contender("ratio"), Contender("ratio", "long-chat")))
    with qtbot.waitSignal(view.policy_requested) as requested:
        qtbot.mouseClick(use_button(view, "ratio/long-chat"), Qt.MouseButton.LeftButton)
    assert requested.args == ["ratio", "long-chat"]
    assert use_button(view, "ratio/long-chat").accessibleName() == "Use the policy ratio/long-chat"
    assert not use_button(view, "ratio").isEnabled(), "it is in use"
    header, left, _ = header_of(view.table, POLICY_KEYS[1])
    with qtbot.waitSignal(view.policy_requested) as requested:
        place = QPoint(left + 12, header.height() - 8)
        qtbot.mouseDClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert requested.args == ["ratio", "document"]


def test_buttons_stay_with_their_columns(view: ShootoutView) -> None:
    view.resize(420, 400)
    for scrolled in (0, 90):
        view.table.horizontalScrollBar().setValue(scrolled)
        for contender in THREE:
            button, (_, left, width) = use_button(view, contender.name), header_of(view.table, contender.name)
            assert left < button.x() < button.geometry().right() < left + width
    view.show_shootout(shootout_of(Contender("naive")))
    assert len([button for button in view.table.header._buttons.values() if button.isVisible()]) == 1


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_menu_chooses_the_columns_and_stays_open(qtbot: QtBot, view: ShootoutView) -> None:
    assert [contender.name for contender in view.menu.chosen] == ["naive", "ratio", "slots"]
    view.menu.popup(view.mapToGlobal(QPoint(10, 10)))
    entry = next(action for action in view.menu.actions() if action.text() == "ratio/long-chat")
    with qtbot.waitSignal(view.requested) as requested:
        place = view.menu.actionGeometry(entry).center()
        qtbot.mouseClick(view.menu, Qt.MouseButton.LeftButton, pos=place)
        assert view.menu.isVisible()
    pairs = [("naive", "document"), ("ratio", "document"), ("ratio", "long-chat"), ("slots", "document")]
    assert requested.args == [pairs]
    view.menu.close()
    view.menu.choose([])
    qtbot.waitUntil(lambda: view.table._empty.text() == NOTHING_CHOSEN)


def test_it_asks_only_while_somebody_looks(qtbot: QtBot) -> None:
    hidden = ShootoutView()
    qtbot.addWidget(hidden)
    asked: list[object] = []
    hidden.requested.connect(asked.append)
    hidden.set_policies(POLICIES, PRESETS)
    hidden.refresh()
    assert not hidden._rest.isActive()
    with qtbot.waitExposed(hidden):
        hidden.show()
    assert len(asked) == 1
    hidden.show_shootout(SHOOTOUT)
    for _ in range(20):
        hidden.refresh()
    assert hidden.table.painter.dimmed, "what is shown is of before"
    with qtbot.assertNotEmitted(hidden.row_selected):
        hidden.select_row(3)
    qtbot.waitUntil(lambda: len(asked) == 2)
    hidden.show_shootout(SHOOTOUT)
    assert not hidden.table.painter.dimmed
    hidden.refresh()
    hidden.hide()
    assert not hidden._rest.isActive()
    hidden.show_shootout(None)
    assert hidden.table._empty.text() == NOTHING_OPEN


def test_the_selection_stays_with_its_item(qtbot: QtBot, view: ShootoutView) -> None:
    view.select_row(7)
    view.show_shootout(shootout_of(*THREE[:2]))
    view.only_disputed.setChecked(True)
    view.only_disputed.setChecked(False)
    view.show_shootout(shootout_of(scenario=replace(SCENARIO, context_window=240)))
    assert view.table.selected_rows() == [7]
    assert view.table.current_row == 7


def test_the_overflow_is_painted_in_the_colour_of_errors(view: ShootoutView, qapp: QApplication) -> None:
    for name in ("light", "dark"):
        apply_theme(qapp, name)
        view.show_shootout(SHOOTOUT)
        picture = view.table.header.grab().toImage()
        colors = {picture.pixelColor(x, y).rgb() for x in range(picture.width()) for y in range(picture.height())}
        assert QColor(theme().error).rgb() in colors


def test_the_model_keeps_the_rules_of_models(qtbot: QtBot) -> None:
    model = ShootoutModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for shootout in (SHOOTOUT, shootout_of(*THREE[:1]), None, SHOOTOUT, shootout_of()):
        rows = np.arange(len(shootout.actions)) if shootout else np.empty(0, np.intp)
        model.show_shootout(shootout, rows)
        assert model.columnCount() == len(ITEM_KEYS) + (len(shootout.contenders) if shootout else 0)
    assert tester.model() is model


def test_every_preset_is_on_offer() -> None:
    offered = available_contenders(POLICIES, PRESETS)
    assert [contender.name for contender in offered] == ["naive", "ratio", "ratio/long-chat", "slots"]


def test_the_rows_of_files_are_those_of_the_table(view: ShootoutView) -> None:
    view.table.header.sectionClicked.emit(view.table.array_model.column("number"))
    model = view.table.array_model
    rows = list(MATRIX.records(SHOOTOUT))
    assert [row["item"] for row in rows] == [SHOOTOUT.ids[row] for row in model.rows.tolist()]
    assert [row["kind"] for row in rows] == texts(model, "kind")
    assert [f"{row['differ']} of 3" if row["differ"] else "" for row in rows] == texts(model, "differ")
    for contender, key in zip(THREE, POLICY_KEYS, strict=True):
        shown = [text.split(" ", 1)[-1] for text in texts(model, key)]
        assert [row[contender.name] for row in rows] == shown
    view.only_disputed.click()
    assert [row["item"] for row in DIFFERING.records(SHOOTOUT)] == [SHOOTOUT.ids[row] for row in model.rows.tolist()]


def test_a_short_header_says_the_name_and_what_is_wrong_or_the_tokens() -> None:
    def short(lines: tuple[HeaderLine, ...]) -> list[str]:
        return [line.text for line in HeaderEntry("key", "name", "policy", False, lines).short]

    over, fitting = (header_lines(shootout_of(THREE[0], scenario=scenario), 0) for scenario in (SCENARIO, ROOMY))
    assert short(over) == ["naive", over[3].text]
    assert short(fitting) == ["naive", fitting[2].text]
    assert short(fitting[:2]) == ["naive", "document"]
