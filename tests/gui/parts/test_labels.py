"""Labels: whatever a text holds is seen as it is, and no text makes the window wide."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot
from tips import tip_text

from inspector.gui.parts.labels import WIDEST_MINIMUM, ElidedLabel, Hint, PlainLabel
from inspector.gui.parts.page import paragraph

HOSTILE = '<img src="file:///nowhere/x.png"><b>x</b> &amp; &x \u202e'
SHOWN = '<img src="file:///nowhere/x.png"><b>x</b> &amp; &x ⟦RLO⟧'


@pytest.fixture
def label(qtbot: QtBot) -> PlainLabel:
    made = PlainLabel(HOSTILE)
    qtbot.addWidget(made)
    return made


def test_a_label_shows_plain_text(label: PlainLabel) -> None:
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert label.text() == SHOWN


def test_a_label_to_copy_from_shows_plain_text(label: PlainLabel) -> None:
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.show()
    assert [document.toPlainText() for document in label.findChildren(QTextDocument)] == [SHOWN]


@pytest.mark.parametrize("wraps", [False, True])
def test_a_long_text_is_cut_off_and_needs_no_more_width(label: PlainLabel, wraps: bool) -> None:
    label.setWordWrap(wraps)
    for text in ("x" * 1_000_000, "\n" * 1_000_000):
        label.setText(text)
        assert len(label.text()) < 2_100
        assert label.minimumSizeHint().width() <= WIDEST_MINIMUM
        assert label.sizeHint().height() < 60 * label.fontMetrics().height()


@pytest.mark.parametrize("figure", ["≈ 1,240", "≈ −1,240", "≈ +1,240", "45.9 %"])
def test_no_line_ends_inside_a_figure(qtbot: QtBot, figure: str) -> None:
    page, label = QTextDocument(), PlainLabel(f"Needed: {figure}")
    qtbot.addWidget(label)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setFixedSize(label.fontMetrics().horizontalAdvance(f"Needed: {figure}") - 2, 200)
    label.grab()  # lays it out
    page.setDefaultFont(label.font())
    page.setDocumentMargin(0)
    page.setHtml(paragraph(f"Needed: {figure}"))
    page.setTextWidth(label.width())
    for document in (page, *label.findChildren(QTextDocument)):
        assert document.size().height() > label.fontMetrics().height()
        layout = document.lastBlock().layout()
        assert [layout.lineAt(line).textStart() for line in range(layout.lineCount())] == [0, len("Needed: ")]
        assert document.toPlainText() == f"Needed: {figure}"
    assert label.text() == f"Needed: {figure}"


def test_a_line_that_gives_way_has_the_text_in_its_tooltip(qtbot: QtBot) -> None:
    line = ElidedLabel()
    qtbot.addWidget(line)
    line.say(f"{HOSTILE}\nsecond")
    assert line.text() == f"{SHOWN} second"
    assert tip_text(line.toolTip()) == f"{SHOWN}\nsecond"


def test_a_line_is_said_in_fewer_words_where_it_has_no_room(qtbot: QtBot) -> None:
    line = ElidedLabel()
    qtbot.addWidget(line)
    for texts in (("57 % of the questions, 2 min left", "57 %, 2 min left", "57 %"), ("100 questions", "100")):
        line.say(*texts)
        for text in texts:
            line.resize(line.fontMetrics().horizontalAdvance(text) + 2, 20)
            assert line.shown == text
        line.resize(line.fontMetrics().horizontalAdvance(texts[-1]) - 2, 20)
        assert line.shown.endswith("…")
        assert (line.text(), tip_text(line.toolTip())) == (texts[0], texts[0])
    line.say("another line")
    line.resize(line.fontMetrics().horizontalAdvance("100"), 20)
    assert line.shown.endswith("…"), "the shorter words of the line before are gone"


def test_a_hint_shows_and_names_the_same(qtbot: QtBot) -> None:
    hint = Hint()
    qtbot.addWidget(hint)
    hint.say(HOSTILE)
    assert hint.text() == hint.accessibleName() == SHOWN
    hint.say("")
    assert hint.isHidden()
