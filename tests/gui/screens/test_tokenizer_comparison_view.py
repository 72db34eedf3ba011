from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from answers import message, pipeline_for, timed_messages
from cells import at, cell, header_of
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from inspector.analysis.basis import Basis
from inspector.analysis.tokenizers.ask import DEFAULT_CONTENDERS, TokenizerComparison, tokenizer_comparisons
from inspector.analysis.tokenizers.errors import ERRORS, KIND_WORDS, ErrorTable, full_label, signed_share
from inspector.analysis.tokenizers.tables import ITEM_COLUMNS, ITEMS
from inspector.assembly.columns import Action
from inspector.assembly.numbers import number_of
from inspector.assembly.scenario import Scenario
from inspector.gui.palettes import contrast
from inspector.gui.screens.tokenizers.model import TokenizerComparisonModel, header_entries
from inspector.gui.screens.tokenizers.view import (
    BY_ITEM,
    BY_KIND,
    NOTHING_FLIPS,
    NOTHING_OPEN,
    KindErrorsModel,
    TokenizerComparisonView,
)
from inspector.gui.theme import apply_theme, theme, tint_color
from inspector.model import changed
from inspector.tables import Face
from inspector.tokens.content_kinds import ContentKind

SAID = [
    changed(said, content="今天我們去台北，吃小籠包，喝珍珠奶茶。") if number % 6 == 2 else said
    for number, said in enumerate(timed_messages(60))
]
PIPELINE = pipeline_for(SAID, ["The reef is closed in May", "Mara fears deep water", "Nova likes tea"])
SCENARIO = Scenario(policy="ratio", model="gpt-4o", context_window=320)
NAMES = ("embedded:cl100k_base", "estimate:chorus", "estimate:brain-0.1")
STEPS = [
    step for step in tokenizer_comparisons(Basis(PIPELINE, SCENARIO), NAMES) if isinstance(step, TokenizerComparison)
]
COMPARISON = STEPS[-1]


def comparison_of(scenario: Scenario, *names: str) -> TokenizerComparison:
    *_, last = tokenizer_comparisons(Basis(PIPELINE, scenario), names)
    assert isinstance(last, TokenizerComparison)
    return last


SHOWN = [column.key for column in ITEM_COLUMNS if column.faces & Face.WINDOW]
KEYS = [column.name for column in COMPARISON.columns]
WITHOUT_EXACT = comparison_of(replace(SCENARIO, tokenizer="estimate:words"), "estimate:chorus")


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> Iterator[TokenizerComparisonView]:
    apply_theme(qapp, "light")
    made = TokenizerComparisonView()
    qtbot.addWidget(made)
    made.resize(1000, 400)
    with qtbot.waitExposed(made):
        made.show()
    made.show_comparison(COMPARISON)
    made.pages.choose(BY_ITEM)
    yield made
    apply_theme(qapp, "light")


def model_of(view: TokenizerComparisonView) -> TokenizerComparisonModel:
    model = view.table.model()
    assert isinstance(model, TokenizerComparisonModel)
    return model


def shown(view: TokenizerComparisonView) -> list[int]:
    return model_of(view).rows.tolist()


def click_header(qtbot: QtBot, view: TokenizerComparisonView, key: str) -> None:
    header, left, _ = header_of(view.table, key)
    place = QPoint(left + 12, header.height() - 8)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)


def double_click(qtbot: QtBot, view: TokenizerComparisonView, key: str) -> None:
    place = view.table.visualRect(at(model_of(view), 2, key)).center()
    for click in (qtbot.mouseClick, qtbot.mouseDClick):
        click(view.table.viewport(), Qt.MouseButton.LeftButton, pos=place)


def use_button(view: TokenizerComparisonView, name: str) -> QToolButton:
    button = view.findChild(QToolButton, f"use:{name}")
    assert isinstance(button, QToolButton)
    return button


def test_every_cell_says_tokens_difference_and_flip(view: TokenizerComparisonView) -> None:
    model = model_of(view)
    assert [column.key for column in model.columns] == SHOWN + KEYS
    own, rough = (COMPARISON.columns[place].tokens for place in (0, 2))
    flipped = COMPARISON.flipped(2)
    assert own is not None
    assert rough is not None
    assert flipped is not None
    for position, row in enumerate(shown(view)):
        assert model.index(position, 0).data(Qt.ItemDataRole.UserRole) == COMPARISON.ids[row]
        assert at(model, position, "kind").data() == KIND_WORDS[ContentKind(int(COMPARISON.kinds[row]))]
        assert at(model, position, KEYS[0]).data() == f"{own[row]:,}", "the reference has no difference"
        text = at(model, position, KEYS[2]).data()
        assert f"{rough[row]:,}  {signed_share((rough[row] - own[row]) / own[row])}" in text
        assert text.startswith("⇄") == flipped[row]
    assert flipped.any()
    assert not flipped.all()


def test_a_flip_shows_what_becomes_of_the_item(view: TokenizerComparisonView) -> None:
    tight = comparison_of(replace(SCENARIO, tokenizer="estimate:chorus"), "embedded:o200k_base")
    view.show_comparison(tight)
    flips = tight.flips(0)
    assert flips is not None
    row = int(flips[0])
    assert tight.base == 1
    actions = [column.actions for column in tight.columns]
    assert [Action(int(found[row])) for found in actions if found is not None] == [Action.KEPT, Action.DROPPED]
    key = tight.columns[0].name
    tooltip = at(model_of(view), shown(view).index(row), key).data(Qt.ItemDataRole.ToolTipRole)
    assert "The policy would have it kept instead of dropped." in tooltip
    costly = comparison_of(SCENARIO, "embedded:llama2")
    view.show_comparison(costly)
    lost, actions = costly.flips(1), costly.columns[1].actions
    assert lost is not None
    assert actions is not None
    row = int(lost[np.flatnonzero(actions[lost] == Action.DROPPED)[0]])
    assert at(model_of(view), shown(view).index(row), "embedded:llama2").data().startswith("⇄✕ ")


def test_agreement_is_quiet_and_text_can_be_read_on_every_tint(
    qapp: QApplication, view: TokenizerComparisonView
) -> None:
    model, shares = model_of(view), COMPARISON.shares(1)
    flipped = COMPARISON.flipped(1)
    assert shares is not None
    assert flipped is not None
    row = int(np.flatnonzero((shares == 0) & ~flipped)[0])
    position = shown(view).index(row)
    assert cell(model, position, KEYS[1]).color == theme().muted_text
    assert cell(model, position, KEYS[1]).ground is None
    assert cell(model, position, KEYS[0]).ground is None
    for name in ("light", "dark"):
        apply_theme(qapp, name)
        for share in (-9.0, -1.0, -0.1, 0.02, 0.5, 1.0, 30.0):
            tint = tint_color(share)
            assert tint is not None
            assert contrast(theme().text, tint) >= 4.5
    assert tint_color(0.5) != tint_color(-0.5)
    assert tint_color(0.5) != tint_color(0.1)
    assert tint_color(float("nan")) is None


def test_tints_are_painted(view: TokenizerComparisonView) -> None:
    model, shares = model_of(view), COMPARISON.shares(2)
    assert shares is not None
    position = next(position for position, row in enumerate(shown(view)[:6]) if abs(shares[row]) > 0.2)
    tint = cell(model, position, KEYS[2]).ground
    assert tint is not None
    rect = view.table.visualRect(at(model, position, KEYS[2]))
    picture = view.table.viewport().grab().toImage()
    ratio = picture.devicePixelRatio()
    assert picture.pixelColor(int((rect.x() + 4) * ratio), int((rect.y() + 4) * ratio)).rgb() == tint.rgb()


def test_shares_line_up() -> None:
    texts = [signed_share(share) for share in (0.05, -0.123, 1.3, 0.0, -0.0001)]
    assert texts == ["\u2007\u2007+5.0 %", "\u2007−12.3 %", "+130.0 %", "\u2007\u2007±0.0 %", "\u2007\u2007±0.0 %"]
    assert signed_share(float("nan")) == ""
    assert signed_share(12.5) == "+1,250.0 %"


def test_flips_come_first_and_headers_sort(qtbot: QtBot, view: TokenizerComparisonView) -> None:
    by_flips = np.argsort(-COMPARISON.dissent, kind="stable").tolist()
    assert shown(view) == by_flips
    click_header(qtbot, view, "number")
    assert shown(view) == list(range(63))
    click_header(qtbot, view, "text")
    assert shown(view) == list(range(63)), "a text is no order"
    assert view.table.header.sortIndicatorSection() == model_of(view).column("number")
    click_header(qtbot, view, KEYS[2])
    shares, flipped = COMPARISON.shares(2), COMPARISON.flipped(2)
    assert shares is not None
    assert flipped is not None
    order = shown(view)
    assert flipped[order].tolist() == sorted(flipped.tolist(), reverse=True)
    sizes = np.abs(shares[order])[int(flipped.sum()) :]
    assert (np.diff(sizes) <= 0).all()
    click_header(qtbot, view, KEYS[2])
    assert not flipped[shown(view)[0]]
    click_header(qtbot, view, "kind")
    assert COMPARISON.kinds[shown(view)].tolist() == sorted(COMPARISON.kinds.tolist())
    click_header(qtbot, view, "flips")
    assert shown(view) == by_flips


def test_the_filter_leaves_only_what_flips(qtbot: QtBot, view: TokenizerComparisonView) -> None:
    box = view.only_flipped
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    assert sorted(shown(view)) == np.flatnonzero(COMPARISON.dissent).tolist()
    assert 0 < len(shown(view)) < 63
    expected = f"Reference: o200k, exact · {COMPARISON.disputed} of 63 decisions flip"
    assert view.summary.text() == expected
    view.show_comparison(comparison_of(replace(SCENARIO, context_window=90_000), "estimate:chorus"))
    assert shown(view) == []
    assert view.table._empty.text() == NOTHING_FLIPS
    assert view.summary.text().endswith("no decision flips")


def test_the_header_says_name_total_bias_and_flips() -> None:
    entries = header_entries(COMPARISON)
    lines = [[line.text for line in entry.lines] for entry in entries]
    own, rough = COMPARISON.errors(0), COMPARISON.errors(2)
    assert own is not None
    assert rough is not None
    assert rough.bias is not None
    assert lines[0] == ["o200k", "exact", f"{own.total:,} tokens", "the reference"]
    assert lines[2][:2] == ["characters / 4", "estimate"]
    assert lines[2][2] == f"≈ {rough.total:,}  −{-100 * rough.bias:.1f} %"
    flips = COMPARISON.flips(2)
    assert flips is not None
    assert lines[2][3] == f"flips {len(flips)} decisions"
    assert [entry.in_use for entry in entries] == [True, False, False, False]
    assert full_label("estimate:chorus") == "characters / 4 · estimate:chorus"


def test_columns_that_are_not_counted_yet_say_so(view: TokenizerComparisonView) -> None:
    for step in STEPS:
        view.show_comparison(step)
        model = model_of(view)
        assert model.columnCount() == len(SHOWN) + 4
        for place, column in enumerate(step.columns):
            waiting = column.tokens is None
            assert (at(model, 0, KEYS[place]).data() == "") == waiting
            assert (header_entries(step)[place].lines[2].text == "not counted yet") == waiting
        scrolled = [table.verticalScrollBar().value() for table in (view.table, view.errors)]
        assert scrolled == [0, 0], "what flips most stays in sight"
    assert shown(view) == np.argsort(-COMPARISON.dissent, kind="stable").tolist()


def test_errors_by_kind_stand_under_headings(view: TokenizerComparisonView) -> None:
    model = view.errors.model()
    assert isinstance(model, KindErrorsModel)
    assert model.heading(-1) == "All content · 63 texts"
    cjk = list(COMPARISON.kinds_present).index(ContentKind.CJK) + 1
    assert model.heading(-1 - cjk) == f"CJK · {int((COMPARISON.kinds == ContentKind.CJK).sum())} texts"
    headings = np.flatnonzero(model.rows < 0).tolist()
    assert headings == [group * 5 for group in range(len(COMPARISON.kinds_present) + 1)]
    position = headings[cjk] + 3
    errors = COMPARISON.errors(2, ContentKind.CJK)
    assert errors is not None
    assert errors.bias is not None
    assert errors.worst is not None
    cells = [model.index(position, column).data() for column in range(model.columnCount())]
    assert cells[:2] == ["characters / 4", f"≈ {errors.total:,}"]
    assert cells[2] == signed_share(errors.bias)
    assert cells[3] == f"{errors.mean_absolute_error:,.1f}"
    assert cells[5] == number_of(COMPARISON.candidates, errors.worst)
    flipped = COMPARISON.flipped(2)
    assert flipped is not None
    assert cells[4] == str(int(flipped[COMPARISON.kinds == ContentKind.CJK].sum()))
    assert cell(model, position, "bias").ground == tint_color(errors.bias)
    assert [model.index(1, column).data() for column in (2, 3, 4)] == ["", "", ""], "the reference is not off"


def test_the_tables_write_the_files_of_the_command(view: TokenizerComparisonView) -> None:
    model, errors = model_of(view), view.errors.model()
    model.sort_by("")
    assert isinstance(errors, KindErrorsModel)
    assert list(model.records()) == list(ITEMS.records(COMPARISON))
    assert list(errors.records()) == list(ERRORS.records(ErrorTable(COMPARISON)))


def test_without_an_exact_one_nothing_is_called_an_error(view: TokenizerComparisonView) -> None:
    view.show_comparison(WITHOUT_EXACT)
    assert view.summary.text().startswith("None of these is exact: differences to words, no errors")
    titles = [view.errors.model().headerData(column, Qt.Orientation.Horizontal) for column in range(6)]
    assert titles[2:4] == ["Difference", "Mean difference"]
    assert header_entries(WITHOUT_EXACT)[0].lines[3].text == "compared with it"


def test_a_click_tells_the_row_and_a_worst_item_tells_it_too(qtbot: QtBot, view: TokenizerComparisonView) -> None:
    row = shown(view)[2]
    with qtbot.waitSignal(view.row_selected) as selected:
        place = view.table.visualRect(at(model_of(view), 2, KEYS[1])).center()
        qtbot.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert selected.args == [row]
    view.pages.choose(BY_KIND)
    assert view.tables.currentWidget() is view.errors
    assert view.only_flipped.isHidden()
    errors = COMPARISON.errors(2)
    assert errors is not None
    with qtbot.waitSignal(view.row_selected) as selected:
        place = view.errors.visualRect(view.errors.model().index(3, 1)).center()
        qtbot.mouseClick(view.errors.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert selected.args == [errors.worst]


def test_button_header_and_cell_request_a_tokenizer(qtbot: QtBot, view: TokenizerComparisonView) -> None:
    with qtbot.waitSignal(view.tokenizer_requested) as requested:
        qtbot.mouseClick(use_button(view, "estimate:chorus"), Qt.MouseButton.LeftButton)
    assert requested.args == ["estimate:chorus"]
    assert use_button(view, "estimate:chorus").accessibleName() == "Use the tokenizer estimate:chorus"
    assert not use_button(view, "embedded:o200k_base").isEnabled(), "it is in use"
    with qtbot.waitSignal(view.tokenizer_requested) as requested:
        double_click(qtbot, view, KEYS[1])
    assert requested.args == ["embedded:cl100k_base"]
    for key in ("number", KEYS[0]):
        with qtbot.assertNotEmitted(view.tokenizer_requested):
            double_click(qtbot, view, key)


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_menu_chooses_the_columns_and_stays_open(qtbot: QtBot, view: TokenizerComparisonView) -> None:
    assert view.menu.chosen == ("embedded:cl100k_base", "embedded:o200k_base", "estimate:chorus", "estimate:brain-0.1")
    view.menu.popup(view.mapToGlobal(QPoint(10, 10)))
    entry = next(action for action in view.menu.actions() if action.text() == "words")
    with qtbot.waitSignal(view.requested) as requested:
        qtbot.mouseClick(view.menu, Qt.MouseButton.LeftButton, pos=view.menu.actionGeometry(entry).center())
        assert view.menu.isVisible()
    assert requested.args == [list(view.menu.chosen)]
    assert "estimate:words" in view.menu.chosen
    view.menu.close()
    with qtbot.waitSignal(view.requested) as requested:
        view.menu.actions()[0].trigger()
    assert requested.args == [None], "the usual ones follow the model"


def test_a_late_column_does_not_take_a_fresh_choice_back(view: TokenizerComparisonView) -> None:
    view.menu.choose(["estimate:words"])
    view.show_comparison(STEPS[-2])
    assert view.menu.chosen == ("estimate:words",)
    assert view.table.painter.dimmed


def test_it_asks_only_while_somebody_looks(qtbot: QtBot) -> None:
    hidden = TokenizerComparisonView()
    qtbot.addWidget(hidden)
    asked: list[object] = []
    hidden.requested.connect(asked.append)
    assert set(hidden.menu.chosen) == set(DEFAULT_CONTENDERS)
    hidden.refresh()
    assert not hidden._rest.isActive()
    with qtbot.waitExposed(hidden):
        hidden.show()
    assert asked == [None]
    hidden.show_comparison(COMPARISON)
    for _ in range(20):
        hidden.refresh()
    assert hidden.table.painter.dimmed, "what is shown is of before"
    assert hidden.errors.painter.dimmed
    with qtbot.assertNotEmitted(hidden.row_selected):
        hidden.select_row(3)
    qtbot.waitUntil(lambda: len(asked) == 2)
    hidden.show_comparison(COMPARISON)
    assert not hidden.table.painter.dimmed
    hidden.refresh()
    hidden.hide()
    assert not hidden._rest.isActive()
    hidden.show_comparison(None)
    assert hidden.table._empty.text() == NOTHING_OPEN


def test_the_selection_stays_with_its_item(view: TokenizerComparisonView) -> None:
    view.select_row(7)
    view.show_comparison(WITHOUT_EXACT)
    view.only_flipped.setChecked(True)
    view.only_flipped.setChecked(False)
    view.show_comparison(COMPARISON)
    assert view.table.selected_rows() == [7]


def test_the_models_keep_the_rules_of_models(qtbot: QtBot) -> None:
    items, errors = TokenizerComparisonModel(), KindErrorsModel()
    mode = QAbstractItemModelTester.FailureReportingMode.Fatal
    testers = [QAbstractItemModelTester(model, mode) for model in (items, errors)]
    for comparison in (*STEPS, WITHOUT_EXACT, None, COMPARISON):
        rows = np.arange(len(comparison.kinds)) if comparison else np.empty(0, np.intp)
        items.show_comparison(comparison, rows)
        errors.show_comparison(comparison)
        assert items.columnCount() == len(SHOWN) + (len(comparison.columns) if comparison else 0)
    assert [tester.model() for tester in testers] == [items, errors]


def test_a_hostile_text_is_shown_as_it_is(view: TokenizerComparisonView) -> None:
    pipeline = pipeline_for([message(0, "<b>bold</b>\nsecond"), message(1, "")])
    *_, last = tokenizer_comparisons(Basis(pipeline, SCENARIO), NAMES)
    assert isinstance(last, TokenizerComparison)
    view.show_comparison(last)
    position = shown(view).index(0)
    assert at(model_of(view), position, "text").data() == "<b>bold</b>"
    assert "&lt;b&gt;" in at(model_of(view), position, "text").data(Qt.ItemDataRole.ToolTipRole)
