"""The row of a parameter that is a list of numbers."""

from typing import Any

from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from inspector.assembly.parameter_text import numbers_in, value_text
from inspector.assembly.policy import Parameter
from inspector.gui.parts.parameter_row import ListRow, parameter_row

THRESHOLDS = Parameter("summary_thresholds", (0.75, 0.55), 0, 1, label="Summary thresholds")


def test_it_shows_the_numbers_and_says_which_are_wanted(qtbot: QtBot) -> None:
    row = parameter_row(THRESHOLDS)
    qtbot.addWidget(row)
    assert isinstance(row, ListRow)
    row.show_value((0.75, 0.55), (0.75, 0.55))
    assert row.field.text() == "0.75, 0.55"
    wanted = QSignalSpy(row.edited)
    row.field.editingFinished.emit()
    assert wanted.count() == 0
    row.field.setText("0.5,.25")
    row.field.editingFinished.emit()
    assert wanted.at(0)[:2] == ["summary_thresholds", [0.5, 0.25]]
    row.show_value([0.5, 0.25], (0.75, 0.55))
    assert row.reset_button.isEnabled()


def test_what_is_no_number_stays_a_text() -> None:
    mixed: list[Any] = numbers_in("0.5, x")
    assert mixed == [0.5, "x"]
    assert value_text(THRESHOLDS, mixed) == "0.5, x"
