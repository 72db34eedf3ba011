"""The text of two prompts in the window: now against the baseline or a snapshot, by key, with what changed marked."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cells import settle
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QFontMetricsF, QTextBlock, QTextDocument
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import set_draft, toggle_exclusions, use_window
from inspector.assembly.side_choice import SideChoice
from inspector.assembly.snapshots import keep_snapshot
from inspector.assembly.text_diff import Span, WrittenLine
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.texts.view import NO_BASELINE, TextsView
from inspector.gui.theme import apply_theme
from inspector.resources import samples_folder

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def window(opened: Callable[..., MainWindow], tmp_path: Path) -> MainWindow:
    file = tmp_path / "talk.json"
    messages = [{"role": ("user", "assistant")[n % 2], "content": f"<b>word</b> {n} " * 4} for n in range(6)]
    file.write_text(json.dumps(messages))
    return opened(file)


def do(window: MainWindow, name: str) -> None:
    found = window.findChild(QAction, f"action:{name}")
    assert isinstance(found, QAction)
    found.trigger()


def pane(window: MainWindow) -> TextsView:
    return window.screens["texts"].view


def show_texts(qtbot: QtBot, window: MainWindow) -> None:
    window.show_screen("texts")
    settled(qtbot, window)


def settled(qtbot: QtBot, window: MainWindow) -> None:
    window.session.flush()
    qtbot.waitUntil(lambda: window.session.is_ready and not (pane(window).is_in_sight and pane(window).is_waiting))


def text(window: MainWindow) -> str:
    return pane(window).text.toPlainText()


def test_without_anything_to_compare_with_it_says_how_to_get_it(qtbot: QtBot, window: MainWindow) -> None:
    show_texts(qtbot, window)
    seen = [one.text() for one in pane(window).findChildren(QLabel) if one.isVisible()]
    assert set(NO_BASELINE) <= set(seen)
    (button,) = [one for one in pane(window).findChildren(QPushButton) if one.isVisible()]
    before = pane(window).boxes.before
    assert (before.currentIndex(), before.itemText(0)) == (-1, "now")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settled(qtbot, window)
    qtbot.waitUntil(lambda: text(window).strip() == "The prompts are the same text.")


def test_the_text_of_now_is_compared_with_the_baseline(qtbot: QtBot, window: MainWindow) -> None:
    do(window, "pin_baseline")
    show_texts(qtbot, window)
    assert text(window).strip() == "The prompts are the same text."
    window.session.edit(toggle_exclusions, ["m2"])
    settled(qtbot, window)
    qtbot.waitUntil(lambda: "removed" in text(window))
    assert "- Message 3, user · place 3 in the prompt: removed" in text(window)
    assert "<b>word</b> 2" in text(window)
    assert not pane(window).text.textCursor().hasSelection(), "a text that was written anew is not selected"


def test_a_snapshot_is_chosen_by_key(qtbot: QtBot, window: MainWindow) -> None:
    do(window, "pin_baseline")
    window.session.edit(set_draft, "What next?")
    settled(qtbot, window)
    window.session.change_snapshots(keep_snapshot, "with draft", window.session.scenario)
    window.session.edit(set_draft, "What now?")
    settled(qtbot, window)
    show_texts(qtbot, window)
    assert "+ Message 7, user" in text(window)
    before = pane(window).boxes.before
    assert [before.itemText(place) for place in range(3)] == ["baseline", "now", "with draft"]
    before.setFocus()
    qtbot.keyClick(before, Qt.Key.Key_W)
    qtbot.waitUntil(lambda: "~ Message 7, user" in text(window))
    assert before.currentData() == SideChoice("snapshot", "with draft")
    assert "What next?" in text(window)
    settled(qtbot, window)


def test_another_theme_keeps_the_text(qtbot: QtBot, qapp: QApplication, window: MainWindow) -> None:
    do(window, "pin_baseline")
    window.session.edit(toggle_exclusions, ["m2"])
    settled(qtbot, window)
    show_texts(qtbot, window)
    before = text(window)
    apply_theme(qapp, "dark")
    try:
        qapp.processEvents()
        assert text(window) == before != ""
    finally:
        apply_theme(qapp, "light")


def test_what_does_not_fit_into_a_line_goes_on_below_its_text(qtbot: QtBot, window: MainWindow) -> None:
    do(window, "pin_baseline")
    window.session.edit(set_draft, "so many words that no line has room for all of them " * 9)
    settled(qtbot, window)
    show_texts(qtbot, window)
    qtbot.waitUntil(lambda: "so many words" in text(window))
    edit, size = pane(window).text, pane(window).text.font().pointSizeF()

    def starts() -> list[float]:
        """Where the lines begin of the one that says what the draft is, in characters from the left."""
        block = next(block for block in blocks(edit.document()) if "so many words" in block.text())
        width = QFontMetricsF(edit.font()).horizontalAdvance("0")
        layout = block.layout()
        return [layout.lineAt(number).x() / width for number in range(layout.lineCount())]

    assert len(starts()) > 2
    lead = len("  + │ ")
    assert starts() == pytest.approx([starts()[0], *[starts()[0] + lead] * (len(starts()) - 1)], abs=0.2)
    try:
        do(window, "zoom_in")
        do(window, "zoom_in")
        QApplication.processEvents()
        assert edit.font().pointSizeF() == size + 2, "text of another size reaches it, too"
        assert starts() == pytest.approx([starts()[0], *[starts()[0] + lead] * (len(starts()) - 1)], abs=0.2)
    finally:
        do(window, "zoom_reset")


def blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def test_a_long_text_that_is_written_again_stays_where_it_was_read(qtbot: QtBot, qapp: QApplication) -> None:
    """Qt lays out no more of a text than is in sight, and guesses from that how long the rest is."""
    view = TextsView()
    qtbot.addWidget(view)
    view.resize(400, 200)
    view.show()
    short, long = (WrittenLine("same", "   ", (Span("the same words " * many),)) for many in (1, 40))
    lines = [*[short] * 1_000, *[long] * 1_000]
    view.show_lines(lines)
    bar = view.text.verticalScrollBar()
    assert bar.value() == 0
    qtbot.waitUntil(lambda: bar.maximum() > 10_000 * view.text.fontMetrics().height())
    before = bar.maximum() * 9 // 10
    bar.setValue(before)
    first = view.text.cursorForPosition(QPoint()).blockNumber()
    assert first > 1_000
    view.show_lines(lines)
    settle(qapp)
    assert view.text.cursorForPosition(QPoint()).blockNumber() == first
    assert abs(bar.value() - before) <= 1
    assert not view.text.textCursor().hasSelection()


def test_the_keys_for_changes_go_through_the_text_and_around(qtbot: QtBot, window: MainWindow) -> None:
    do(window, "pin_baseline")
    ids = [each.id for each in window.session.workspace.conversations[0].messages]
    window.session.edit(toggle_exclusions, [ids[1], ids[3]])
    show_texts(qtbot, window)
    qtbot.waitUntil(lambda: "removed" in text(window))
    chosen = window.row
    places = []
    for keys in ("]", "]", "]", "["):
        qtbot.keyClick(pane(window).text, keys)
        places.append(pane(window).text.textCursor().block().text())
        (mark,) = pane(window).text.extraSelections()
        assert mark.cursor.selectedText() == "- ", "the sign alone: words have marks of their own"
    assert [place[:1] for place in places] == ["-"] * 4, places
    assert places[0] != places[1]
    assert places[2] == places[0], "after the last change comes the first"
    assert places[3] == places[1], "before the first comes the last"
    assert window.row == chosen, "no item of a table out of sight is selected"


def test_the_keys_for_changes_go_through_what_differs_from_a_snapshot_without_a_baseline(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.session.change_snapshots(keep_snapshot, "before", window.session.scenario)
    window.session.edit(toggle_exclusions, ["m2"])
    show_texts(qtbot, window)
    qtbot.waitUntil(lambda: "removed" in text(window))
    do(window, "next_change")
    assert pane(window).text.textCursor().block().text().startswith("- Message 3, user")


@pytest.mark.parametrize("size", [(1280, 720), (800, 500)])
def test_both_pages_fit_a_small_window(
    qtbot: QtBot, qapp: QApplication, opened: Callable[..., MainWindow], size: tuple[int, int]
) -> None:
    folder = samples_folder()
    companion = opened(folder / "companion.workspace.yaml", scenario=folder / "companion.scenario.yaml")
    companion.setMinimumSize(*size)
    companion.resize(*size)
    settle(qapp)
    do(companion, "pin_baseline")
    companion.session.edit(use_window, 8_192)
    show_texts(qtbot, companion)
    qtbot.waitUntil(lambda: "changed" in text(companion))
    for screen in ("changes", "texts"):
        companion.show_screen(screen)
        settle(qapp)
        view = companion.screens[screen].view
        room = view.parentWidget()
        assert room is not None
        assert (view.width() <= room.width(), view.height() <= room.height()) == (True, True), screen


def test_a_column_of_the_matrix_is_compared(qtbot: QtBot, window: MainWindow) -> None:
    show_texts(qtbot, window)
    window.session.compared.compare(SideChoice("now"), SideChoice("policy", "slots"))
    qtbot.waitUntil(lambda: pane(window).boxes.after.currentData() == SideChoice("policy", "slots"))
    qtbot.waitUntil(lambda: text(window) != "")
    settled(qtbot, window)
