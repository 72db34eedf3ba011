"""Tabs have room for their titles in the weight of the page in front, so that none is cut or moves."""

from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from inspector.gui.theme import named_font, scaled
from inspector.gui.window.pages import _PADDING, PageTabs

TITLES = {"survival": "Which items flip", "timeline": "Along the conversation", "recommend": "Recommend"}


def test_the_title_in_front_is_whole_and_moves_no_other(qtbot: QtBot) -> None:
    tabs = PageTabs()
    qtbot.addWidget(tabs)
    tabs.show_pages(TITLES, [])
    tabs.resize(900, 40)
    places = [tabs.tabRect(index) for index in range(tabs.count())]
    for index, title in enumerate(TITLES.values()):
        tabs.setCurrentIndex(index)
        room = tabs.tabRect(index).width() - 2 * scaled(_PADDING)
        assert room >= QFontMetrics(named_font("title")).horizontalAdvance(title)
        assert [tabs.tabRect(place) for place in range(tabs.count())] == places
