from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from answers import answer_of, pipeline_for, timed_messages
from cells import at, header_of, texts
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from inspector.analysis.basis import Basis, result_of
from inspector.analysis.sides import sides_of
from inspector.assembly.columns import Action, Fate, phrase
from inspector.assembly.compare import NO_ROW
from inspector.assembly.matrix_tables import ITEM_COLUMNS
from inspector.assembly.preset import Preset
from inspector.assembly.scenario import Scenario
from inspector.assembly.side_by_side import SideBySide
from inspector.assembly.side_choice import NOW, Beside, SideChoice
from inspector.assembly.snapshots import Snapshot
from inspector.assembly.who import about
from inspector.gui.parts.room import Room
from inspector.gui.screens.side_by_side.adding import addable
from inspector.gui.screens.side_by_side.header import Head
from inspector.gui.screens.side_by_side.model import GLYPHS, NOTHING, SideBySideModel, side_tip
from inspector.gui.screens.side_by_side.outcomes import NO_ITEM
from inspector.gui.screens.side_by_side.view import ALL_AGREE, NOTHING_OPEN, SideBySideView
from inspector.gui.theme import apply_theme, theme
from inspector.plugins import policies
from inspector.tables import Face

PIPELINE = pipeline_for(timed_messages(60), ["The reef is closed in May", "Mara fears deep water", "Nova likes tea"])
SCENARIO = Scenario(policy="ratio", tokenizer="estimate:words", context_window=160)
NAIVE, SLOTS = (SideChoice("policy", name) for name in ("naive", "slots"))
KEYS = ["now", "policy:naive", "policy:slots"]
ITEM_KEYS = [column.key for column in ITEM_COLUMNS if column.faces & Face.WINDOW]


def sides_beside(*choices: SideChoice, scenario: Scenario = SCENARIO, beside: Beside | None = None) -> SideBySide:
    return result_of(sides_of(Basis(PIPELINE, scenario), (NOW, *(choices or (NAIVE, SLOTS))), beside or Beside()))


SIDES = sides_beside()


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> Iterator[SideBySideView]:
    apply_theme(qapp, "light")
    made = SideBySideView()
    qtbot.addWidget(made)
    made.resize(1200, 500)
    with qtbot.waitExposed(made):
        made.show()
    made.show_sides(SIDES)
    yield made
    apply_theme(qapp, "light")


def shown(view: SideBySideView) -> list[int]:
    return view.model.rows.tolist()


def cell_centre(view: SideBySideView, position: int, key: str) -> QPoint:
    return view.table.visualRect(at(view.model, position, key)).center()


def click_head(qtbot: QtBot, view: SideBySideView, key: str) -> None:
    header, left, _ = header_of(view.table, key)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(left + 12, header.height() - 8))


def menu_button(view: SideBySideView, key: str) -> QToolButton:
    button = view.findChild(QToolButton, f"side:{key}")
    assert isinstance(button, QToolButton)
    return button


def test_every_cell_has_the_glyph_of_the_outcome(view: SideBySideView) -> None:
    assert [column.key for column in view.model.columns] == ITEM_KEYS + KEYS
    view.all_items.click()
    for position, place in enumerate(shown(view)):
        assert view.model.index(position, 0).data(Qt.ItemDataRole.UserRole) == SIDES.ids[place]
        for number, answer in enumerate(SIDES.answers):
            column = view.model.columns[view.model.column(KEYS[number])]
            fate = Fate(int(answer.assembly.fate[place]))
            assert view.model.cell(position, column).text == GLYPHS[fate]
            assert at(view.model, position, KEYS[number]).data().endswith(phrase(fate)), "read and copied as a word"


def test_what_agrees_with_now_is_grey_and_what_differs_is_tinted(view: SideBySideView) -> None:
    look, columns = theme(), [view.model.columns[view.model.column(key)] for key in KEYS]
    view.all_items.click()
    seen = set()
    for position, place in enumerate(shown(view)):
        now, *others = (view.model.cell(position, column) for column in columns)
        assert now.ground == look.accent_soft
        for number, cell in enumerate(others, 1):
            was_in, is_in = (SIDES.actions[place, n] != Action.DROPPED for n in (0, number))
            expected = (
                (look.muted_text, None)
                if was_in == is_in
                else (look.good, look.good_soft)
                if is_in
                else (look.error, look.error_soft)
            )
            assert (cell.color, cell.ground) == expected
            seen.add((bool(was_in), bool(is_in)))
    assert len(seen) > 2


def test_now_follows_a_slider_while_the_others_wait(view: SideBySideView) -> None:
    narrow = answer_of(PIPELINE, 100)
    column = view.model.columns[view.model.column("now")]
    view.all_items.click()
    view.refresh()
    view.show_now(narrow)
    assert view.table.painter.dimmed
    shown_now = [view.model.cell(position, column).text for position in range(len(shown(view)))]
    assert shown_now == [GLYPHS[Fate(int(narrow.assembly.fate[place]))] for place in shown(view)]
    assert view.header._heads["now"].outcome.total == narrow.ledger.total
    other = answer_of(pipeline_for(timed_messages(3)), 100)
    view.show_now(other)
    assert view.header._heads["now"].outcome.total == narrow.ledger.total, "it is about other items"


def test_disagreement_comes_first_and_titles_sort(qtbot: QtBot, view: SideBySideView) -> None:
    view.all_items.click()
    by_dissent = np.argsort(-SIDES.dissent, kind="stable").tolist()
    assert shown(view) == by_dissent
    click_head(qtbot, view, "number")
    assert shown(view) == list(range(63))
    click_head(qtbot, view, "number")
    assert shown(view) == list(range(63))[::-1]
    click_head(qtbot, view, "number")
    assert shown(view) == by_dissent
    click_head(qtbot, view, "tokens")
    tokens = SIDES.answers[0].assembly.candidates.tokens[shown(view)].tolist()
    assert tokens == sorted(tokens, reverse=True)


def test_chips_choose_between_what_differs_and_all(qtbot: QtBot, view: SideBySideView) -> None:
    assert view.only_disputed.isChecked()
    assert sorted(shown(view)) == np.flatnonzero(SIDES.dissent).tolist()
    assert view.only_disputed.text() == f"Only where they differ {SIDES.disputed}"
    assert view.all_items.text() == "All 63"
    qtbot.mouseClick(view.all_items, Qt.MouseButton.LeftButton)
    assert len(shown(view)) == 63
    view.show_sides(sides_beside(SideChoice("policy", "ratio")))
    view.only_disputed.click()
    assert shown(view) == []
    assert view.table._empty.text() == ALL_AGREE
    view.show_sides(None)
    assert view.table._empty.text() == NOTHING_OPEN


def test_heads_say_what_it_is_tokens_room_and_cost() -> None:
    naive = Head.of(SIDES.sides[1])
    outcome = SIDES.sides[1].outcome
    assert [line.text for line in naive.lines][1:4] == [
        "as designed",
        f"≈ {outcome.total:,}",
        f"≈ {outcome.over:,} over",
    ]
    assert naive.lines[3].kind == "error"
    assert naive.picture is not None
    assert naive.picture.total == outcome.total
    roomy = Head.of(sides_beside(NAIVE, scenario=replace(SCENARIO, context_window=9_000)).sides[1])
    assert (roomy.lines[3].text.split()[-1], roomy.lines[3].kind) == ("free", "muted")
    assert SIDES.answers[1].findings[0].message in side_tip(SIDES, 1)
    assert "Policy Ratio → Everything" in side_tip(SIDES, 1)


def test_a_setting_without_a_prompt_says_so(view: SideBySideView) -> None:
    bad = Snapshot("bad", replace(SCENARIO, parameters={"memory_share": 0.9}))
    refused = sides_beside(SideChoice("snapshot", "bad"), SLOTS, beside=Beside((bad,)))
    view.show_sides(refused)
    view.all_items.click()
    column = view.model.columns[view.model.column("snapshot:bad")]
    assert {view.model.cell(position, column).text for position in range(63)} == {NOTHING}
    assert [line.text for line in Head.of(refused.sides[1]).lines] == ["bad", "snapshot", "no prompt"]
    assert "sum" in side_tip(refused, 1)
    view.select_row(3)
    assert "sum" in view.outcomes.list.item(1).text()


def test_what_has_no_column_is_said(view: SideBySideView) -> None:
    view.show_sides(sides_beside(SLOTS, SideChoice("model", "no such model"), SideChoice("policy", "ratio/none")))
    assert view.summary.text().startswith("Left out: ")
    assert "ratio/none" in view.summary.text()


def test_a_click_tells_the_row_and_shows_its_outcomes(qtbot: QtBot, view: SideBySideView) -> None:
    assert view.outcomes.title.text() == NO_ITEM
    place = shown(view)[2]
    with qtbot.waitSignal(view.row_selected) as selected:
        where = cell_centre(view, 2, "policy:slots")
        qtbot.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert selected.args == [place]
    pane = view.outcomes
    told = [pane.list.item(row).text().split(": ", 1) for row in range(3)]
    assert [title for title, _ in told] == list(SIDES.names)
    reasons = [answer.assembly.reason_of(place).label for answer in SIDES.answers]
    assert [reason for _, reason in told] == reasons
    inside = sum(answer.assembly.fate[place] < Fate.DROPPED for answer in SIDES.answers)
    assert pane.count.text() == f"In {inside} of 3"
    assert SIDES.text(place).startswith(pane.text.text()[:10])


def test_the_pane_goes_on_with_the_setting_that_is_current(qtbot: QtBot, view: SideBySideView) -> None:
    pane = view.outcomes
    pane.list.setCurrentRow(0)
    assert not pane.use.isEnabled(), "now is in use"
    pane.list.setFocus()
    qtbot.keyClick(pane.list, Qt.Key.Key_Down)
    qtbot.keyClick(pane.list, Qt.Key.Key_Down)
    with qtbot.waitSignal(view.use_requested) as used:
        qtbot.mouseClick(pane.use, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(view.text_requested) as read:
        qtbot.mouseClick(pane.text_of, Qt.MouseButton.LeftButton)
    assert used.args == read.args == ["policy:slots"]
    view.select_row(5)
    assert pane.current == "policy:slots", "another item keeps the setting"


def test_a_click_on_a_head_uses_the_setting_and_that_of_now_does_nothing(qtbot: QtBot, view: SideBySideView) -> None:
    with qtbot.waitSignal(view.use_requested) as used:
        click_head(qtbot, view, "policy:slots")
    assert used.args == ["policy:slots"]
    with qtbot.assertNotEmitted(view.use_requested):
        click_head(qtbot, view, "now")


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_menu_of_a_head_is_reached_by_keys(qtbot: QtBot, view: SideBySideView) -> None:
    button = menu_button(view, "policy:slots")
    assert button.accessibleName() == f"More about {SIDES.names[2]}"
    assert "over" in button.accessibleDescription() or "free" in button.accessibleDescription()
    with qtbot.waitSignal(view.header.menu_requested) as asked:
        button.setFocus()
        qtbot.keyClick(button, Qt.Key.Key_Space)
    assert asked.args is not None
    assert asked.args[0] == "policy:slots"
    menu = QApplication.activePopupWidget()
    assert menu is not None
    menu.close()
    for key, enabled in (("policy:slots", True), ("now", False)):
        menu = view.menu_of(key)
        told = {action.text(): action.isEnabled() for action in menu.actions() if action.text()}
        off = ("Use this setting", "Compare changes with it", "Compare its text", "Remove the column")
        assert all(told[text] == enabled for text in off)
        assert all(told[text] for text in told if text not in off)
        menu.deleteLater()
    menu = view.menu_of("policy:slots")
    with qtbot.waitSignal(view.remove_requested) as removed:
        next(action for action in menu.actions() if action.text() == "Remove the column").trigger()
    assert removed.args == ["policy:slots"]
    menu.deleteLater()


def buttons_seen(view: SideBySideView) -> list[str]:
    return [key for key, button in view.header._buttons.items() if button.isVisible()]


def test_buttons_stay_with_their_columns(view: SideBySideView) -> None:
    for key in KEYS:
        button, (_, left, width) = menu_button(view, key), header_of(view.table, key)
        assert left < button.x() < button.geometry().right() < left + width
    view.show_sides(sides_beside(SLOTS))
    assert buttons_seen(view) == ["now", "policy:slots"]


def test_the_items_and_now_stay_while_the_other_settings_are_passed(qtbot: QtBot, view: SideBySideView) -> None:
    names = ("naive", "adaptive", "reserve", "window_rag", "slots", "priority")
    view.show_sides(sides_beside(*(SideChoice("policy", name) for name in names)))
    view.resize(880, 400)
    QApplication.processEvents()
    before = buttons_seen(view)
    assert before[0] == "now"
    assert 2 <= len(before) < 7
    table = view.table
    assert table.horizontalScrollBar().maximum() == 0
    assert (table.past.isVisible(), table.past.maximum()) == (True, 7 - len(before))
    table.setFocus()
    for _ in range(9):
        qtbot.keyClick(table, Qt.Key.Key_Right)
    assert table.past.value() == table.past.maximum()
    assert sorted(buttons_seen(view)) == sorted(["now", *[f"policy:{name}" for name in names[-len(before) + 1 :]]])
    assert table.shows("number")
    assert table.shows("text")
    qtbot.keyClick(table, Qt.Key.Key_Left)
    assert table.past.value() == table.past.maximum() - 1
    table.select_row(shown(view)[0])
    table.copy_rows()
    copied = QApplication.clipboard().text().splitlines()[0]
    assert len(copied.split("\t")) == 4 + 7, "what is copied has every setting"
    view.resize(1900, 400)
    QApplication.processEvents()
    assert not table.past.isVisible()
    assert len(buttons_seen(view)) == 7


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_what_can_be_added_is_searched(qtbot: QtBot, view: SideBySideView) -> None:
    found = {name: policies()[0][name] for name in ("naive", "ratio")}
    presets = {("ratio", "long-chat"): Preset(description="for long chats")}
    snapshots = (Snapshot("wide", SCENARIO, "before"),)
    choices = addable(found, presets, snapshots, (), {NAIVE})
    told = {choice.key: (choice.cells[1], choice.possible) for choice in choices}
    assert told["policy:naive"] == ("Policy", False)
    assert told["policy:ratio/long-chat"] == ("Preset", True)
    assert told["snapshot:wide"] == ("Snapshot", True)
    assert told["tokenizer:estimate:words"] == ("Tokenizer", True)
    view.offer(lambda: choices)
    qtbot.mouseClick(view.add, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(view.chooser.found.line, "wide")
    with qtbot.waitSignal(view.added) as added:
        qtbot.keyClick(view.chooser.found.line, Qt.Key.Key_Return)
    assert added.args == [SideChoice("snapshot", "wide")]


def test_it_asks_only_while_it_is_seen(qtbot: QtBot) -> None:
    hidden = SideBySideView()
    qtbot.addWidget(hidden)
    asked: list[bool] = []
    hidden.requested.connect(lambda: asked.append(True))
    hidden.refresh()
    assert not hidden._rest.isActive()
    with qtbot.waitExposed(hidden):
        hidden.show()
    assert len(asked) == 1
    hidden.show_sides(SIDES)
    for _ in range(20):
        hidden.refresh()
    assert hidden.table.painter.dimmed, "what is shown is of before"
    with qtbot.assertNotEmitted(hidden.row_selected):
        hidden.select_row(3)
    qtbot.waitUntil(lambda: len(asked) == 2)
    hidden.show_sides(SIDES)
    assert not hidden.table.painter.dimmed
    hidden.refresh()
    hidden.hide()
    assert not hidden._rest.isActive()


def test_the_selection_stays_with_its_item(view: SideBySideView) -> None:
    view.all_items.click()
    view.select_row(7)
    view.show_sides(sides_beside(NAIVE))
    view.only_disputed.click()
    view.all_items.click()
    view.show_sides(sides_beside(scenario=replace(SCENARIO, context_window=240)))
    assert view.table.selected_rows() == [7]
    assert view.table.current_row == 7


def test_the_pane_keeps_an_item_whose_row_a_chip_hides(view: SideBySideView) -> None:
    agreed = int(np.flatnonzero(SIDES.dissent == 0)[0])
    view.select_row(agreed)
    assert view.outcomes.count.text()
    view.all_items.click()
    view.only_disputed.click()
    view.show_sides(sides_beside(NAIVE))
    assert view.outcomes.count.text() == "In 2 of 2"
    view.select_row(None)
    assert view.outcomes.title.text() == NO_ITEM


def test_many_settings_do_not_make_the_page_scroll(view: SideBySideView) -> None:
    room = Room(lambda _: view)
    room.resize(1200, 420)
    room.show()
    view.show_sides(sides_beside(*[SideChoice("policy", name) for name in policies()[0]]))
    view.select_row(3)
    QApplication.processEvents()
    assert view.outcomes.isVisible()
    assert not room.verticalScrollBar().isVisible()
    room.takeWidget()
    room.deleteLater()


def test_the_pane_says_who_and_when_as_all_lists_do(view: SideBySideView) -> None:
    place = len(SIDES) - 1
    candidates, row = SIDES.candidate(place)
    view.select_row(place)
    assert view.outcomes.about.text() == about(candidates, row)


def test_items_of_a_snapshot_alone_have_no_row_now(view: SideBySideView) -> None:
    early = Snapshot("early", replace(SCENARIO, at=5, as_of=False))
    sides = sides_beside(SideChoice("snapshot", "early"), beside=Beside((early,)))
    view.show_sides(sides)
    assert [place for place in range(len(sides)) if sides.rows[place, 0] == NO_ROW] == []
    assert view.model.rowCount() > 0


def test_the_overflow_is_painted_in_the_colour_of_errors(view: SideBySideView, qapp: QApplication) -> None:
    for name in ("light", "dark"):
        apply_theme(qapp, name)
        view.show_sides(SIDES)
        picture = view.table.header.grab().toImage()
        colors = {picture.pixelColor(x, y).rgb() for x in range(picture.width()) for y in range(picture.height())}
        assert QColor(theme().error).rgb() in colors
        assert QColor(theme().accent_soft).rgb() in colors


def test_the_model_keeps_the_rules_of_models(qtbot: QtBot) -> None:
    model = SideBySideModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for sides in (SIDES, sides_beside(SLOTS), None, SIDES, sides_beside()):
        rows = np.arange(len(sides)) if sides else np.empty(0, np.intp)
        model.show_sides(sides, rows)
        assert model.columnCount() == len(ITEM_KEYS) + (len(sides.sides) if sides else 0)
    assert tester.model() is model


def test_the_rows_of_files_are_those_of_the_table(view: SideBySideView) -> None:
    view.all_items.click()
    rows = list(view.model.records())
    assert [row["item"] for row in rows] == [SIDES.ids[place] for place in shown(view)]
    assert [row["differ"] for row in rows] == [int(SIDES.dissent[place]) for place in shown(view)]
    for key in KEYS:
        assert [row[key] for row in rows] == [text.split(" ", 1)[-1] for text in texts(view.model, key)]


def test_a_narrow_page_leaves_the_room_to_the_matrix(view: SideBySideView) -> None:
    assert view.outcomes.isVisible()
    view.resize(700, 400)
    assert not view.outcomes.isVisible()
    assert not view.legend.isVisible()
    tip = at(view.model, 0, "policy:slots").data(Qt.ItemDataRole.ToolTipRole)
    assert SIDES.names[2] in tip
