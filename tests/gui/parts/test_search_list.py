"""A list to search gives its columns the room there is: names first, and no sliver of a column."""

import pytest
from PySide6.QtWidgets import QHeaderView
from pytestqt.qtbot import QtBot

from inspector.gui.parts.choice_model import ChoiceColumn
from inspector.gui.parts.search_list import SearchList

COLUMNS = (ChoiceColumn("Name"), ChoiceColumn("Size", 10, at_right=True, least=10), ChoiceColumn("About", 40))


def header_in(qtbot: QtBot, digits: int) -> tuple[SearchList, QHeaderView]:
    """A list with room for so many digits, and its header."""
    made = SearchList("list", COLUMNS)
    qtbot.addWidget(made)
    made.resize(digits * made.fontMetrics().horizontalAdvance("0"), 200)
    with qtbot.waitExposed(made):
        made.show()
    return made, made.list.header()


@pytest.mark.parametrize(("digits", "is_there"), [(120, True), (75, True), (60, False), (48, False)])
def test_a_column_without_room_for_words_leaves_it_to_the_names(qtbot: QtBot, digits: int, is_there: bool) -> None:
    made, header = header_in(qtbot, digits)
    digit, room = made.list.fontMetrics().horizontalAdvance("0"), made.list.viewport().width()
    assert header.isSectionHidden(2) != is_there
    assert header.sectionSize(1) >= 10 * digit, "what has a least width keeps it"
    assert header.length() == room, "neither a gap nor anything out of sight"
    assert header.sectionSize(0) >= 30 * digit or digits < 60
    if is_there:
        assert header.sectionSize(2) >= 14 * digit


def test_a_column_comes_back_with_its_room(qtbot: QtBot) -> None:
    made, header = header_in(qtbot, 48)
    made.resize(120 * made.fontMetrics().horizontalAdvance("0"), 200)
    assert not header.isSectionHidden(2)
