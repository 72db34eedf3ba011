"""Fields for numbers: what stands behind the figure, and which figures are refused."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inspector.gui.parts.number_field import RealField, WholeField


def test_the_noun_is_in_the_number_of_the_figure(qtbot: QtBot) -> None:
    field = WholeField()
    qtbot.addWidget(field)
    field.setRange(0, 5_000)
    field.count("token")
    for value, text in ((0, "0 tokens"), (1, "1 token"), (2, "2 tokens"), (1_204, "1,204 tokens")):
        field.show_value(value)
        assert field.text() == text
    field.setValue(1)
    assert field.text() == "1 token"
    field.count("")
    assert field.text() == "1"


@pytest.mark.parametrize(
    ("kind", "typed", "reason"),
    [
        (RealField, "120", "120 is not within 0.0 to 100.0 %."),
        (RealField, "-5", "-5 is not within 0.0 to 100.0 %."),
        (RealField, "12,5", "“12,5” is no number such as 1,000.0."),
        (RealField, "12.34", "12.34 has more than 1 decimal."),
        (WholeField, "2.5", "2.5 is no whole number."),
        (WholeField, "1,5", "“1,5” is no number such as 1,000."),
        (WholeField, "99999999999", "99999999999 is not within 0 to 5,000 %."),
    ],
)
def test_a_figure_that_is_not_taken_is_refused_and_becomes_no_other_number(
    qtbot: QtBot, kind: type[RealField | WholeField], typed: str, reason: str
) -> None:
    field, said, values = kind(), list[str](), list[float]()
    qtbot.addWidget(field)
    field.setRange(0, 100 if kind is RealField else 5_000)
    field.setSuffix(" %")
    if isinstance(field, RealField):
        field.setDecimals(1)
    field.show_value(30)
    field.refused.connect(said.append)
    field.valueChanged.connect(values.append)
    shown = field.text()
    for _ in range(2):
        field.selectAll()
        qtbot.keyClicks(field, typed)
        assert field.text() == f"{typed} %", "as it was typed, until the typing ends"
        qtbot.keyClick(field, Qt.Key.Key_Return)
        assert field.text() == shown
    assert (said, values) == ([f"{reason} It stays {shown}."] * 2, [])
    field.selectAll()
    qtbot.keyClicks(field, "40")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert (said[2:], values) == ([""], [40])
