"""Fields for numbers: what stands behind the figure."""

from pytestqt.qtbot import QtBot

from inspector.gui.parts.number_field import WholeField


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
