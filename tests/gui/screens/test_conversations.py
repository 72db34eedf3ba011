"""The list of all conversations: found by words, sorted by when they were, opened item by item."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QAbstractButton, QApplication, QTableView
from pytestqt.qtbot import QtBot

from inspector.assembly.columns import Fate
from inspector.assembly.edits import choose_conversation, set_draft, use_window
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.conversations import ConversationsScreen
from inspector.gui.screens.conversations.model import WAITING, ConversationsModel, Dropped, KeptBar, is_of
from inspector.gui.screens.conversations.setting_row import SettingRow
from inspector.gui.screens.conversations.view import ConversationsView
from inspector.resources import samples_folder


@pytest.fixture
def archive(opened: Callable[..., MainWindow]) -> MainWindow:
    """A window on all samples, in the perspective that lists them."""
    window = opened(samples_folder())
    window.do("archive")
    QApplication.processEvents()
    return window


def view(window: MainWindow) -> ConversationsView:
    found = window.screens["conversations"].view
    assert isinstance(found, ConversationsView)
    return found


def cells(table: QTableView, *keys: str) -> list[list[str]]:
    model = table.model()
    assert isinstance(model, ConversationsModel)
    places = [model.column(key) for key in keys or ("title", "file", "messages", "first", "last")]
    return [[model.index(row, place).data() for place in places] for row in range(model.rowCount())]


def test_every_conversation_has_its_file_its_length_and_its_days(archive: MainWindow) -> None:
    table = view(archive).table
    QAbstractItemModelTester(table.model(), QAbstractItemModelTester.FailureReportingMode.Fatal, table)
    assert len(cells(table)) == len(archive.session.workspace.conversations)
    assert cells(table)[0] == ["● Harbour talks", "companion.workspace.yaml", "337", "2026-02-10", "2026-06-14"]


def test_words_leave_what_has_them_in_title_or_file(archive: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClicks(view(archive).search, "thread companion")
    assert [cell[0] for cell in cells(view(archive).table)] == ["Old thread"]
    qtbot.keyClicks(view(archive).search, " nothing")
    assert cells(view(archive).table) == []


def test_a_click_on_a_heading_sorts(archive: MainWindow, qtbot: QtBot) -> None:
    table = view(archive).table
    header = table.horizontalHeader()
    place = header.sectionViewportPosition(2) + header.sectionSize(2) // 2
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place, 5))
    counts = [int(cell[2]) for cell in cells(table)]
    assert counts == sorted(counts)
    table.sort_by("first")
    days = [cell[3] for cell in cells(table)]
    assert days == sorted(days)


@pytest.mark.parametrize("by_key", [True, False])
def test_a_double_click_or_enter_opens_one(archive: MainWindow, qtbot: QtBot, by_key: bool) -> None:
    table = view(archive).table
    where = table.visualRect(table.model().index(3, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    if by_key:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    else:
        qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert archive.session.scenario.conversation == "tandem-taipei"
    assert archive.screens["decisions"].is_visible
    qtbot.waitUntil(lambda: archive.session.is_ready)
    archive.do("archive")
    assert [cell[0][0] for cell in cells(table)].index("●") == 3


def test_what_is_opened_later_is_listed(archive: MainWindow, qtbot: QtBot) -> None:
    archive.open_paths([str(samples_folder() / "developer.workspace.yaml")])
    qtbot.waitUntil(lambda: archive.session.is_ready and len(cells(view(archive).table)) == 1)


def test_an_empty_list_says_what_to_do(opened: Callable[..., MainWindow]) -> None:
    window = opened()
    window.do("archive")
    QApplication.processEvents()
    assert not view(window).table.isVisible()


def looked_at(window: MainWindow, qtbot: QtBot) -> list[list[str]]:
    """The cells of the table once every conversation has its figures."""
    qtbot.waitUntil(lambda: view(window).is_current, timeout=30_000)
    return cells(view(window).table, "tokens", "prompt", "dropped", "findings", "recall")


def test_every_conversation_has_the_figures_that_the_window_shows_of_it(archive: MainWindow, qtbot: QtBot) -> None:
    found = looked_at(archive, qtbot)
    session = archive.session
    for row, conversation in enumerate(session.workspace.conversations):
        session.edit(choose_conversation, session.workspace, conversation.id)
        qtbot.waitUntil(lambda: session.is_ready, timeout=30_000)
        answer = session.answer
        assert answer is not None
        dropped = int(answer.assembly.fate_counts[Fate.DROPPED])
        assert found[row][1:4] == [f"{answer.ledger.total:,}", f"{dropped:,}", f"{len(answer.findings)}"]


def test_only_a_conversation_with_questions_has_a_recall(archive: MainWindow, qtbot: QtBot) -> None:
    recalls = [row[4] for row in looked_at(archive, qtbot)]
    assert recalls[0].endswith("%")
    assert set(recalls[1:]) == {""}


def test_another_setting_is_looked_at_again(archive: MainWindow, qtbot: QtBot) -> None:
    before = looked_at(archive, qtbot)
    archive.session.edit(use_window, 3_000)
    qtbot.waitUntil(lambda: not view(archive).is_current)
    qtbot.waitUntil(lambda: view(archive).is_current, timeout=30_000)
    after = looked_at(archive, qtbot)
    assert [row[0] for row in after] == [row[0] for row in before]
    assert [row[1] for row in after] != [row[1] for row in before]


def test_what_was_looked_at_goes_with_what_was_open(archive: MainWindow, qtbot: QtBot) -> None:
    looked_at(archive, qtbot)
    archive.open_paths([str(samples_folder() / "developer.workspace.yaml")])
    qtbot.waitUntil(lambda: archive.session.is_ready and len(cells(view(archive).table)) == 1)
    archive.do("archive")
    assert len(looked_at(archive, qtbot)) == 1


def test_opening_a_chat_makes_no_figure_wrong(archive: MainWindow, qtbot: QtBot) -> None:
    looked_at(archive, qtbot)
    known = dict(archive.looking.archive.looked)
    view(archive).opened.emit(2)
    qtbot.waitUntil(lambda: archive.session.is_ready)
    archive.do("archive")
    assert view(archive).is_current
    assert archive.looking.archive.looked == known


def test_an_edit_of_one_chat_is_looked_at_alone(archive: MainWindow, qtbot: QtBot) -> None:
    before = looked_at(archive, qtbot)
    known = dict(archive.looking.archive.looked)
    archive.session.edit(set_draft, "another message")
    qtbot.waitUntil(lambda: archive.session.is_ready)
    after = looked_at(archive, qtbot)
    assert [row for row, (one, other) in enumerate(zip(before, after, strict=True)) if one != other] == [0]
    assert all(archive.looking.archive.looked[row] is known[row] for row in known if row)


def test_what_was_not_looked_at_waits_and_a_pause_keeps_what_is_known(archive: MainWindow, qtbot: QtBot) -> None:
    looked_at(archive, qtbot)
    looking, shown = archive.looking, view(archive)
    looking.show_workspace(archive.session.workspace)
    model = shown.table.array_model
    assert model.cell(0, model.columns[model.column("prompt")]).text == WAITING
    looking.begin()
    qtbot.mouseClick(shown.progress.button, Qt.MouseButton.LeftButton)
    number = len(looking.archive.looked)
    assert looking.is_paused
    assert shown.progress.button.text() == "Go on"
    assert f"{number} of" in shown.progress.sentence.text() or looking.is_complete
    assert not archive.session.tasks.is_running("overview")
    qtbot.mouseClick(shown.progress.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: looking.is_complete, timeout=30_000)
    assert shown.progress.button.isHidden()
    assert shown.progress.sentence.text().startswith("All ")


def test_chips_leave_those_over_the_window_or_with_warnings(archive: MainWindow, qtbot: QtBot) -> None:
    archive.session.use_policy("naive", None)
    archive.session.edit(use_window, 3_000)
    qtbot.waitUntil(lambda: archive.session.is_ready)
    looked_at(archive, qtbot)
    shown, known = view(archive), archive.looking.archive.looked
    for kind in ("over", "warnings"):
        chip = shown.chips[kind]
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
        rows = [row for row in known if is_of(archive.looking.archive, row, kind)]
        assert sorted(shown.table.array_model.rows.tolist()) == sorted(rows)
        assert chip.text().endswith(f" {len(rows)}")
        assert chip.isChecked()
        assert not shown.chips[""].isChecked()
        assert rows
    qtbot.mouseClick(shown.chips[""], Qt.MouseButton.LeftButton)
    assert len(shown.table.array_model.rows) == len(archive.session.workspace.conversations)


def test_a_kind_of_finding_with_a_long_name_has_a_chip_that_fits(archive: MainWindow) -> None:
    archive.resize(1_280, 720)
    shown, words = view(archive), "The model is not in the model table, so its window and its tokenizer are guesses"
    shown.show_only("unknown_model", words)
    QApplication.processEvents()
    chip = shown.chips["unknown_model"]
    assert chip.text().endswith("…")
    assert words in chip.toolTip()
    assert shown.rect().contains(chip.rect().translated(chip.mapTo(shown, QPoint())))


def test_the_column_of_recall_is_there_before_the_first_recall(archive: MainWindow, qtbot: QtBot) -> None:
    looked_at(archive, qtbot)
    archive.looking.show_workspace(archive.session.workspace)
    assert not archive.looking.archive.looked
    assert view(archive).table.shows("recall"), "no column comes while chats are looked at"


def test_what_was_found_for_other_words_is_not_listed(archive: MainWindow, qtbot: QtBot) -> None:
    shown = view(archive)
    qtbot.keyClicks(shown.search, "appointments hour")
    qtbot.waitUntil(lambda: bool(shown.hits))
    found = archive.searching.find_first("appointments hour")
    shown.search.clear()
    screen = archive.screens["conversations"]
    assert isinstance(screen, ConversationsScreen)
    screen._show_found("appointments hour", found)
    assert not shown.hits, "a chat opened now is opened at no words"


def test_in_the_archive_no_turn_is_played(archive: MainWindow, qtbot: QtBot) -> None:
    archive.do("replay")
    archive.do("play")
    assert archive.turns.player.is_playing
    archive.do("archive")
    assert not archive.turns.player.is_playing
    looked_at(archive, qtbot)


def test_words_of_the_messages_find_a_chat_and_enter_leads_to_the_row(archive: MainWindow, qtbot: QtBot) -> None:
    shown, chats = view(archive), archive.session.workspace.conversations
    qtbot.keyClicks(shown.search, "appointments hour")
    qtbot.waitUntil(lambda: bool(shown.hits))
    assert shown.table.array_model.rows.tolist() == sorted(shown.hits)
    row = next(iter(shown.hits))
    shown.opened.emit(row)
    qtbot.waitUntil(lambda: archive.session.is_ready)
    answer = archive.session.answer
    assert answer is not None
    assert archive.session.scenario.conversation == chats[row].id
    assert not archive.screens["conversations"].is_visible
    assert archive.row is not None
    text = answer.assembly.candidates.texts[archive.row].casefold()
    assert "appointments" in text
    assert "hour" in text


def test_files_that_could_not_be_read_are_counted_and_lead_to_the_problems(
    opened: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "broken.json").write_text('[{"role": "user"')
    (tmp_path / "whole.json").write_text('[{"role": "user", "content": "hello"}]')
    window = opened(tmp_path)
    window.do("archive")
    button = view(window).unread
    assert button.text() == "1 file could not be read"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert any(problem.file.endswith("broken.json") for problem in window.session.unread)


def test_kept_items_are_a_bar_and_dropped_ones_have_their_share(archive: MainWindow, qtbot: QtBot) -> None:
    archive.session.edit(use_window, 3_000)
    looked_at(archive, qtbot)
    model = view(archive).table.array_model
    kept, dropped = (model.cell(0, model.columns[model.column(key)]).figure for key in ("kept", "dropped"))
    found = archive.looking.archive.looked[0].figures
    assert found is not None
    assert isinstance(kept, KeptBar)
    assert kept.share == found.kept / (found.kept + found.left_out)
    assert isinstance(dropped, Dropped)
    assert dropped.count == f"{found.left_out:,}"


def setting(window: MainWindow) -> SettingRow:
    return view(window).setting


def test_the_row_shows_the_setting_of_the_window_and_changes_it(archive: MainWindow, qtbot: QtBot) -> None:
    row, session = setting(archive), archive.session
    assert row.model.currentText() == "gpt-4o"
    assert row.policy.policy_picker.currentData() == "ratio"
    assert row.window_field.value() == 12_288
    row.window_field.setFocus()
    row.window_field.selectAll()
    qtbot.keyClicks(row.window_field, "5000")
    qtbot.keyClick(row.window_field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.is_ready and session.scenario.context_window == 5_000)
    row.policy.policy_picker.setCurrentIndex(row.policy.policy_picker.findData("naive"))
    qtbot.waitUntil(lambda: session.is_ready and session.scenario.policy == "naive")
    row.model.chosen.emit("gpt-4o-mini")
    qtbot.waitUntil(lambda: session.is_ready and session.scenario.model == "gpt-4o-mini")
    assert row.model.currentText() == "gpt-4o-mini"
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: row.model.currentText() == "gpt-4o")


def test_a_window_that_is_no_figure_is_refused_with_a_reason(archive: MainWindow, qtbot: QtBot) -> None:
    field = setting(archive).window_field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "0")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(archive.statusBar().currentMessage()))
    assert archive.session.scenario.context_window == 12_288


def test_more_opens_all_settings_over_the_list(archive: MainWindow, qtbot: QtBot) -> None:
    qtbot.mouseClick(setting(archive).more, Qt.MouseButton.LeftButton)
    settings = archive.screens["settings"].view
    assert settings.isVisible()
    assert settings.mapTo(archive, QPoint()).x() < 10
    assert view(archive).isVisible()


@pytest.mark.parametrize("size", [(1280, 720), (800, 500)])
def test_nothing_of_the_row_is_cut_off(archive: MainWindow, size: tuple[int, int]) -> None:
    archive.resize(*size)
    QApplication.processEvents()
    shown = view(archive)
    for part in (*setting(archive).findChildren(QAbstractButton), setting(archive).window_field, *shown.chips.values()):
        place = part.rect().translated(part.mapTo(shown, QPoint()))
        assert part.isHidden() or shown.rect().contains(place), part.objectName()
