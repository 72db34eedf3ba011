"""Rows of parameters under mouse and keys: sliders over round numbers, words for numbers, and what is told to whom."""

from collections import Counter
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLabel
from pytestqt.qtbot import QtBot
from tips import tip_text

from inspector.assembly.policies.ratio import Ratio
from inspector.assembly.policy import Parameter, parameter_values, parameters_of
from inspector.assembly.presets import load_presets
from inspector.gui.parts.labels import Hint
from inspector.gui.parts.number_field import WholeField
from inspector.gui.parts.parameter_row import ChoiceRow, NumberRow, ParameterRow, SwitchRow, parameter_row
from inspector.gui.screens.settings.parameter_list import ParameterList
from inspector.gui.screens.settings.share_rows import ShareRow
from inspector.gui.screens.settings.view import NARROWEST
from inspector.plugins import policies

CAP = Parameter("cap", 0, 0, 2000, 10, "Cap", "How long.", "tokens", scale="log", at_minimum="off")
BORROW = next(parameter for parameter in parameters_of(Ratio) if parameter.name == "borrow")
VALUES = parameter_values(Ratio())
EACH_PRESET = pytest.mark.parametrize(
    ("policy", "preset"), [pytest.param(*key, id="-".join(key)) for key in load_presets()]
)


@pytest.fixture
def cap(qtbot: QtBot) -> NumberRow:
    row = parameter_row(CAP)
    assert isinstance(row, NumberRow)
    qtbot.addWidget(row)
    row.resize(320, 60)
    row.show()
    row.show_value(0, 0)
    row.edited.connect(lambda _, value, gesture: row.show_value(value, 0))
    return row


def numbers(spy: QSignalSpy) -> list[Any]:
    return [spy.at(index)[1] for index in range(spy.count())]


def test_arrows_go_from_stop_to_stop_pages_further_and_shift_finely(cap: NumberRow, qtbot: QtBot) -> None:
    wanted = QSignalSpy(cap.edited)
    cap.show_value(700, 0)
    shift = Qt.KeyboardModifier.ShiftModifier
    for key, modifier in (
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Up, shift),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_PageDown, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Down, shift),
        (Qt.Key.Key_End, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Home, Qt.KeyboardModifier.NoModifier),
    ):
        qtbot.keyClick(cap.slider, key, modifier)
    assert numbers(wanted) == [800, 810, 800, 400, 390, 2000, 0]
    assert all(type(value) is int for value in numbers(wanted))


def test_a_drag_stops_at_round_numbers_only_and_tells_each_once(cap: NumberRow, qtbot: QtBot) -> None:
    wanted = QSignalSpy(cap.edited)
    middle = cap.slider.height() // 2
    qtbot.mousePress(cap.slider, Qt.MouseButton.LeftButton, pos=QPoint(4, middle))
    for place in range(4, cap.slider.width(), 1):
        qtbot.mouseMove(cap.slider, QPoint(place, middle))
    qtbot.mouseRelease(cap.slider, Qt.MouseButton.LeftButton, pos=QPoint(cap.slider.width() - 1, middle))
    told = numbers(wanted)
    assert told == sorted(set(told))
    assert {100, 128, 500, 512, 1000, 1024, 2000} <= set(told)
    assert len({wanted.at(index)[2] for index in range(wanted.count())}) == 1


def test_a_value_between_two_stops_is_shown_exactly(cap: NumberRow) -> None:
    cap.show_value(600, 0)
    at_stop = cap.slider.value()
    cap.show_value(700, 0)
    assert cap.field.text() == "700"
    assert cap.slider.number == 700
    assert cap.slider.value() > at_stop


def test_a_minimum_that_means_off_says_so_everywhere(cap: NumberRow, qtbot: QtBot) -> None:
    assert cap.field.text() == "off"
    assert cap.slider.accessibleDescription().startswith("off\n")
    cap.show_value(100, 0)
    assert cap.field.text() == "100"
    assert cap.slider.accessibleDescription().startswith("100 tokens\n")
    assert tip_text(cap.reset_button.toolTip()) == "Reset cap to off"
    cap.field.selectAll()
    qtbot.keyClicks(cap.field, "0")
    qtbot.keyClick(cap.field, Qt.Key.Key_Return)
    assert cap.field.text() == "off"


def test_every_choice_says_what_it_does(qtbot: QtBot) -> None:
    row = parameter_row(BORROW)
    assert isinstance(row, ChoiceRow)
    qtbot.addWidget(row)
    box = row.list
    assert isinstance(box, QComboBox)
    tip, description = Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole
    places = range(box.count())
    assert {box.itemText(place): tip_text(box.itemData(place, tip)) for place in places} == dict(BORROW.choices)
    assert {box.itemText(place): box.itemData(place, description) for place in places} == dict(BORROW.choices)
    assert "history: the conversation may use the tokens left by memories" in box.toolTip()


@EACH_PRESET
def test_no_value_or_word_is_clipped(policy: str, preset: str, qtbot: QtBot) -> None:
    parameters = parameters_of(load_presets()[policy, preset].kind(policies()[0][policy]))
    rows = [parameter_row(parameter) for parameter in parameters]
    clipped: list[tuple[str, Any]] = []
    for parameter, row in zip(parameters, rows, strict=True):
        qtbot.addWidget(row)
        if isinstance(row, ChoiceRow):
            row.resize(NARROWEST, row.sizeHint().height())
            row.column.activate()
            widest = max(map(row.list.fontMetrics().horizontalAdvance, parameter.choices))
            clipped += [(parameter.name, "")] if widest >= row.list.width() - 24 else []
        if isinstance(row, NumberRow):
            for value in (parameter.minimum, parameter.maximum, parameter.default):
                row.show_value(value, value)
                width = row.field.fontMetrics().horizontalAdvance(row.field.text())
                clipped += [(parameter.name, value)] if width >= row.field.width() - 6 else []
    assert clipped == []


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the controls of each parameter are given something to show."""
    found: Counter[str] = Counter()
    kinds = {kind for parameter in parameters_of(Ratio) for kind in type(parameter_row(parameter)).__mro__[:1]}
    for kind in {*kinds, ShareRow}:
        show = kind._show

        def count(row: ParameterRow, value: Any, show: Any = show) -> None:
            found[row.parameter.name] += 1
            show(row, value)

        if "_show" in vars(kind):
            monkeypatch.setattr(kind, "_show", count)
    return found


@pytest.fixture
def rows(qtbot: QtBot, told: Counter[str]) -> ParameterList:
    made = ParameterList(Ratio)
    qtbot.addWidget(made)
    made.show_values(VALUES, VALUES, 1000)
    assert set(told) == set(VALUES)
    told.clear()
    return made


def test_a_tick_tells_only_the_rows_whose_value_changed(rows: ParameterList, told: Counter[str]) -> None:
    rows.show_values(VALUES, VALUES, 1000)
    assert told == {}
    rows.show_values(VALUES | {"min_exchanges": 4}, VALUES, 1000)
    assert set(told) == {"min_exchanges"}
    told.clear()
    moved = {"min_exchanges": 4, "memory_share": 0.2, "history_share": 0.5}
    rows.show_values(VALUES | moved, VALUES, 1000)
    assert set(told) == {"memory_share", "history_share"}


def test_another_preset_value_is_told_for_the_reset_button(rows: ParameterList, told: Counter[str]) -> None:
    rows.show_values(VALUES, VALUES | {"min_exchanges": 5}, 1000)
    assert set(told) == {"min_exchanges"}


def test_shares_follow_the_tokens_that_are_shared_out(rows: ParameterList, told: Counter[str]) -> None:
    tokens = rows.findChild(WholeField, "parameter:memory_share:tokens")
    assert tokens is not None
    assert tokens.value() == 300
    rows.show_values(VALUES, VALUES, 2000)
    assert tokens.value() == 600
    rows.show_values(VALUES, VALUES, 2000, {"memory_share": 0.2})
    effect = rows.findChild(QLabel, "parameter:memory_share:effect")
    assert effect is not None
    assert effect.text() == "30.0 % → 20.0 %, 400 tokens"
    rows.show_values(VALUES, VALUES, 4000, {"memory_share": 0.2})
    assert effect.text() == "30.0 % → 20.0 %, 800 tokens"
    assert told == {}


def test_a_value_that_nobody_took_goes_back_to_what_it_was(rows: ParameterList, qtbot: QtBot) -> None:
    field = rows.findChild(WholeField, "parameter:min_exchanges:value")
    assert field is not None
    rows.show()
    field.selectAll()
    qtbot.keyClicks(field, "9")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.value() == 9
    rows.show_values(VALUES, VALUES, 1000)
    assert field.value() == 3


def test_a_figure_out_of_range_is_refused_beside_its_control(
    rows: ParameterList, told: Counter[str], qtbot: QtBot
) -> None:
    rows.show_values(VALUES, VALUES, 2000)
    for name in ("memory_share:value", "memory_share:tokens", "min_exchanges:value"):
        field = rows.findChild(QAbstractSpinBox, f"parameter:{name}")
        assert field is not None
        before, row = field.text(), field.parentWidget()
        assert row is not None
        line = rows.findChild(Hint, "shares_hint") if isinstance(row, ShareRow) else row.findChild(Hint)
        for typed, said in (("-120", "-120 is not within 0"), (before.split()[0], "")):
            field.selectAll()
            qtbot.keyClicks(field, typed)
            qtbot.keyClick(field, Qt.Key.Key_Return)
            assert field.text() == before
            assert line is not None
            assert line.text().startswith(said), name
            assert bool(line.text()) == bool(said), name
    assert not told


def test_what_changed_while_somebody_typed_is_shown_when_they_leave_without_a_value(
    rows: ParameterList, qtbot: QtBot
) -> None:
    field = rows.findChild(WholeField, "parameter:min_exchanges:value")
    assert field is not None
    rows.show()
    field.selectAll()
    qtbot.keyClicks(field, "3")
    rows.show_values(VALUES | {"min_exchanges": 7}, VALUES, 1000)
    assert field.text() == "3"
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.value() == 7


def test_a_switch_is_turned_by_its_name_too(qtbot: QtBot) -> None:
    row = parameter_row(next(one for one in parameters_of(Ratio) if one.name == "selective"))
    assert isinstance(row, SwitchRow)
    qtbot.addWidget(row)
    row.resize(300, 30)
    row.show()
    row.show_value(False, False)
    wanted = QSignalSpy(row.edited)
    off = row.box.grab().toImage()
    qtbot.mouseClick(row.label, Qt.MouseButton.LeftButton)
    assert row.box.grab().toImage() != off
    qtbot.mouseClick(row.box, Qt.MouseButton.LeftButton, pos=QPoint(row.box.width() - 3, 3))
    qtbot.keyClick(row.box, Qt.Key.Key_Space)
    assert numbers(wanted) == [True, False, True]


def test_tokens_look_like_plain_text_until_they_are_used(rows: ParameterList, qtbot: QtBot) -> None:
    rows.show_values(VALUES, VALUES, 1000)
    tokens = rows.findChild(WholeField, "parameter:memory_share:tokens")
    assert tokens is not None
    rows.show()
    rows.activateWindow()
    quiet = tokens.grab().toImage()
    assert tokens.lineEdit().isHidden()
    tokens.setFocus()
    qtbot.waitUntil(lambda: not tokens.lineEdit().isHidden())
    assert tokens.grab().toImage() != quiet
    tokens.clearFocus()
    qtbot.waitUntil(tokens.lineEdit().isHidden)
