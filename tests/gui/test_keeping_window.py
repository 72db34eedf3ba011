"""What would keep these? Asked for by key for selected items and for those that must survive, applied as one step."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.keeping.dialog import AGAIN, CANCEL, KeepingDialog
from inspector.gui.main_window import MainWindow
from inspector.gui.session.marking import mark
from inspector.resources import samples_folder


@pytest.fixture
def companion(opened: Callable[..., MainWindow]) -> MainWindow:
    """A window on a chat that is searched in a part of a second."""
    folder = samples_folder()
    return opened(folder / "developer.workspace.yaml", scenario=folder / "developer.scenario.yaml")


def dropped(window: MainWindow, count: int) -> list[int]:
    """Messages that are not in the prompt, the newest of them."""
    assembly = window.session.assembly
    assert assembly is not None
    first = assembly.candidates.items.first_message
    return [row for row in range(first, len(assembly.candidates)) if not assembly.in_prompt[row]][-count:]


def asked(window: MainWindow, qtbot: QtBot) -> KeepingDialog:
    """The dialog, once it has found something."""
    window.do("keep")
    dialog = window.findChild(KeepingDialog)
    assert isinstance(dialog, KeepingDialog)
    qtbot.waitUntil(lambda: not window.session.tasks.is_running("keeping"))
    return dialog


def is_kept(window: MainWindow, rows: list[int]) -> bool:
    assembly = window.session.assembly
    return assembly is not None and bool(assembly.in_prompt[rows].all())


def test_return_on_a_way_keeps_the_selected_item_and_one_undo_takes_it_back(
    companion: MainWindow, qtbot: QtBot
) -> None:
    rows = dropped(companion, 1)
    companion.select(rows[0])
    dialog = asked(companion, qtbot)
    assert dialog.table.model().rowCount() > 1
    assert dialog.sentence.text().startswith("Each of these keeps ")
    steps = companion.session.undo_stack.count()
    QTest.keyClick(dialog.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: is_kept(companion, rows) and companion.session.is_ready)
    assert companion.session.undo_stack.count() == steps + 1
    companion.session.undo_stack.undo()
    qtbot.waitUntil(lambda: not is_kept(companion, rows) and companion.session.is_ready)


def test_all_that_must_survive_is_asked_about_where_nothing_dropped_is_selected(
    companion: MainWindow, qtbot: QtBot
) -> None:
    rows = dropped(companion, 2)
    mark(companion.session, rows)
    companion.select(None)
    dialog = asked(companion, qtbot)
    button = dialog.findChild(QPushButton, "keeping_apply")
    assert isinstance(button, QPushButton)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: is_kept(companion, rows) and companion.session.is_ready)


def test_the_table_of_ways_fits_a_narrow_dialog(companion: MainWindow, qtbot: QtBot) -> None:
    companion.select(dropped(companion, 1)[0])
    dialog = asked(companion, qtbot)
    table, header = dialog.table, dialog.table.horizontalHeader()
    for width, columns in ((928, 6), (632, 6), (480, 4), (928, 6)):
        dialog.resize(width, 320)
        qtbot.waitUntil(lambda width=width: dialog.width() == width)
        QApplication.processEvents()
        assert table.horizontalScrollBar().maximum() == 0, width
        assert header.count() - header.hiddenSectionCount() == columns, width
        assert table.shows("cost")
        assert table.columnWidth(0) >= 16 * table.fontMetrics().horizontalAdvance("0"), width


def test_the_chosen_way_is_read_whole_in_a_dialog_that_fits_the_screen(companion: MainWindow, qtbot: QtBot) -> None:
    mark(companion.session, dropped(companion, 4))
    companion.select(None)
    dialog = asked(companion, qtbot)
    assert len(dialog.ways) > 1
    for number, way in enumerate(dialog.ways):
        said = dialog.details.text()
        assert said.startswith(f"{dialog.table.model().index(number, 0).data()}: ")
        assert (" nothing leaves" in said) == (not way.leaves)
        assert (f"{way.exceeds:,} over the window." in said.replace("\xa0", " ")) == bool(way.exceeds)
        assert "…" not in said
        assert len(way.comes_in) <= 8 or f" and {len(way.comes_in) - 8:,} more." in said
        QTest.keyClick(dialog.table, Qt.Key.Key_Down)
    assert dialog.frameGeometry().width() <= dialog.screen().availableGeometry().width()
    assert dialog.details.height() >= dialog.details.heightForWidth(dialog.details.width())


def test_tokens_and_cost_of_a_way_are_marked_as_the_estimates_that_they_are(
    companion: MainWindow, qtbot: QtBot
) -> None:
    """Memories stand in one message and are counted apart; what is added is known where they stay the same."""
    companion.select(dropped(companion, 1)[0])
    dialog = asked(companion, qtbot)
    model = dialog.table.model()
    names = [model.headerData(place, Qt.Orientation.Horizontal) for place in range(model.columnCount())]
    for name, field in (("Tokens", "added_estimated"), ("Cost", "estimated")):
        cells = [model.index(row, names.index(name)).data() for row in range(model.rowCount())]
        assert cells
        assert ["≈" in cell for cell in cells] == [getattr(way, field) for way in dialog.ways], cells
    assert not any(way.added_estimated for way in dialog.ways)
    assert all(way.estimated for way in dialog.ways)


def test_without_anything_to_ask_for_it_says_so(companion: MainWindow) -> None:
    companion.select(None)
    companion.do("keep")
    assert companion.findChild(KeepingDialog) is None


def test_the_item_that_tab_comes_to_is_asked_for(companion: MainWindow, qtbot: QtBot) -> None:
    companion.filter_items("action:dropped")
    table = companion.findChild(QWidget, "decision_table")
    assert table is not None
    companion.activateWindow()
    table.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: companion.row is not None)
    dialog = asked(companion, qtbot)
    assert dialog.isVisible()
    dialog.reject()


def begun(window: MainWindow) -> KeepingDialog:
    """The dialog while it looks for something."""
    window.select(dropped(window, 1)[0])
    window.do("keep")
    dialog = window.findChild(KeepingDialog)
    assert isinstance(dialog, KeepingDialog)
    assert window.session.tasks.is_running("keeping")
    return dialog


def test_the_search_says_how_far_it_is_and_its_button_ends_it(companion: MainWindow, qtbot: QtBot) -> None:
    dialog = begun(companion)
    assert dialog.bar.isVisible()
    assert dialog.search_button.text() == CANCEL
    assert dialog.search_button.isEnabled()
    qtbot.waitUntil(lambda: dialog.bar.value() > 0)
    place = dialog.search_button.mapToGlobal(dialog.search_button.rect().center())
    qtbot.mouseClick(dialog.search_button, Qt.MouseButton.LeftButton)
    assert not companion.session.tasks.is_running("keeping")
    assert "was cancelled" in dialog.sentence.text()
    assert not dialog.bar.isVisible()
    assert dialog.search_button.text() == AGAIN
    assert dialog.search_button.mapToGlobal(dialog.search_button.rect().center()) == place
    qtbot.mouseClick(dialog.search_button, Qt.MouseButton.LeftButton)
    assert dialog.bar.isVisible()
    qtbot.waitUntil(lambda: not companion.session.tasks.is_running("keeping"))
    assert not dialog.bar.isVisible()
    assert dialog.sentence.text().startswith("Each of these keeps ")
    assert dialog.table.model().rowCount() > 1
    dialog.reject()


def test_what_was_found_can_be_applied_while_the_search_goes_on(companion: MainWindow, qtbot: QtBot) -> None:
    dialog = begun(companion)
    qtbot.waitUntil(lambda: dialog.table.model().rowCount() > 0)
    dialog.table.setFocus()
    QTest.keyClick(dialog.table, Qt.Key.Key_Return)
    assert not companion.session.tasks.is_running("keeping")
    qtbot.waitUntil(lambda: companion.session.is_ready)
    assert companion.session.undo_stack.count() == 1
