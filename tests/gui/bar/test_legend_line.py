"""The legend of the bar: a line with every part, its tokens and its limit; … where there is no room for all."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot
from tips import tip_text

from inspector.assembly.columns import Section
from inspector.gui.bar.legend import LegendLine, entries_of, place_legend
from inspector.gui.parts.bar_picture import BarPart, BarPicture, Limit, Segment
from inspector.gui.theme import apply_theme, theme

MEMORY = Segment("memory", "Memories", Section.MEMORY, 40, 50, 198)
HISTORY = Segment("history", "Conversation", Section.HISTORY, 90, 260, 264, is_full=True)
PICTURE = BarPicture(
    (MEMORY, HISTORY, Segment("reserve", "Reply", None, 350, 200)),
    700,
    350,
    200,
    estimated=True,
    limits=(Limit(("memory", "lore"), 40, 198), Limit(("history",), 90, 264)),
    parts=(
        BarPart("memory", "Memories", Section.MEMORY),
        BarPart("lore", "Lore", Section.LORE),
        BarPart("history", "Conversation", Section.HISTORY),
        BarPart("reserve", "Reply"),
    ),
)


@pytest.fixture
def legend(qtbot: QtBot, qapp: QApplication) -> LegendLine:
    apply_theme(qapp, "light")
    shown = LegendLine()
    qtbot.addWidget(shown)
    shown.resize(900, shown.sizeHint().height())
    shown.show_picture(PICTURE)
    shown.show()
    return shown


def test_every_part_is_named_with_its_limit_and_the_cap_is_explained() -> None:
    assert [text for _, text in entries_of(PICTURE)] == [
        "Memories ≈ 50 of 198",
        "Lore 0",
        "Conversation ≈ 260 of 264",
        "Reply 200",
        "full",
    ]


def test_what_has_no_room_is_behind_an_ellipsis() -> None:
    parts = list(entries_of(PICTURE))
    placed = place_legend(parts, lambda text: 8 * len(text), QRect(0, 0, 400, 16), 10)
    assert [entry.text for entry in placed] == ["Memories ≈ 50 of 198", "Lore 0", "…"]
    assert all(entry.place.right() <= 400 for entry in placed)
    whole = place_legend(parts, lambda text: 8 * len(text), QRect(0, 0, 900, 16), 10)
    assert [entry.text for entry in whole] == [text for _, text in parts]


def test_pointing_and_clicking_are_those_of_the_bar(legend: LegendLine, qtbot: QtBot) -> None:
    hovered: list[str] = []
    legend.hovered.connect(hovered.append)
    with qtbot.waitSignal(legend.clicked) as clicked:
        QTest.mouseMove(legend, legend.place_of("memory").center())
        qtbot.mouseClick(legend, Qt.MouseButton.LeftButton, pos=legend.place_of("memory").center())
    assert clicked.args == ["memory"]
    with qtbot.assertNotEmitted(legend.clicked):
        qtbot.mouseClick(legend, Qt.MouseButton.LeftButton, pos=legend.place_of("full").center())
    QApplication.sendEvent(legend, QEvent(QEvent.Type.Leave))
    assert hovered == ["memory", ""]


def test_it_is_said_in_words(legend: LegendLine, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda place, text, widget: told.append(text))
    for name in ("memory", "lore", "full"):
        at = legend.place_of(name).center()
        QApplication.sendEvent(legend, QHelpEvent(QEvent.Type.ToolTip, at, legend.mapToGlobal(at)))
    assert list(map(tip_text, told)) == [
        "Memories: ≈ 50 tokens, 7.1 % of the window, limit 198.",
        "Lore: no tokens.",
        "The limit of this section is what holds something out.",
    ]
    assert "Conversation ≈ 260 of 264" in legend.accessibleDescription()
    assert legend.tool_tip_at(QPoint(890, 8)) == ""


def test_squares_have_the_fill_of_the_bar(legend: LegendLine) -> None:
    memory = legend.place_of("memory")
    color = legend.grab().toImage().pixelColor(memory.left() + 4, memory.center().y())
    assert color == theme().section_color(Section.MEMORY)
