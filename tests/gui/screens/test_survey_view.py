"""The survey of all chats: figures from the first one on, plots, findings that list their chats, and more figures."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QToolButton
from pytestqt.qtbot import QtBot

from inspector.analysis.archive.survey import survey
from inspector.assembly.edits import use_window
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.conversations.view import ConversationsView
from inspector.gui.screens.survey.pictures import short
from inspector.gui.screens.survey.view import (
    MOST_FINDINGS,
    NO_FINDINGS,
    NOTHING_YET,
    FindingRow,
    SurveyView,
    told,
)
from inspector.resources import samples_folder


@pytest.fixture
def archive(opened: Callable[..., MainWindow], qtbot: QtBot) -> MainWindow:
    """A window on all samples in Archive, every chat looked at."""
    window = opened(samples_folder())
    window.session.edit(use_window, 4_096)
    window.do("archive")
    qtbot.waitUntil(lambda: listed(window).is_current and view(window).survey is window.looking.survey)
    return window


def view(window: MainWindow) -> SurveyView:
    found = window.screens["survey"].view
    assert isinstance(found, SurveyView)
    return found


def listed(window: MainWindow) -> ConversationsView:
    found = window.screens["conversations"].view
    assert isinstance(found, ConversationsView)
    return found


def test_the_figures_are_those_of_the_survey(archive: MainWindow) -> None:
    made, shown = archive.looking.survey, view(archive)
    assert made.is_complete
    assert [figure.figure for figure in shown.figures] == [figure for figure, _, _ in told(made)]
    assert (shown.figures[0].figure, shown.figures[0].meaning) == (f"{made.whole}", f"of {made.looked} fit whole")
    assert "≈" not in shown.figures[0].more


def test_until_all_are_known_figures_have_intervals(archive: MainWindow) -> None:
    some = list(archive.looking.archive.looked.values())[:3]
    fits, dropped, *_ = told(survey(some, 400))
    assert fits[2].startswith("≈ ")
    assert " to " in fits[2]
    assert " to " in dropped[2]


def test_the_first_figures_come_before_the_last(archive: MainWindow, qtbot: QtBot) -> None:
    seen: list[int] = []
    archive.looking.surveyed.connect(lambda: seen.append(archive.looking.survey.looked))
    archive.session.edit(use_window, 3_000)
    qtbot.waitUntil(lambda: listed(archive).is_current and view(archive).survey is archive.looking.survey)
    assert seen[-1] == len(archive.session.workspace.conversations)
    assert view(archive).survey is archive.looking.survey
    assert archive.looking.survey.window == 3_000


def test_a_survey_without_findings_says_so(archive: MainWindow) -> None:
    shown, made = view(archive), archive.looking.survey
    for findings, said in ((made.findings, ""), ((), NO_FINDINGS), (made.findings, "")):
        shown.show_survey(replace(made, findings=findings), ())
        assert shown._no_findings.text() == said
        assert len(shown.findings) == min(len(findings), MOST_FINDINGS)
    fresh = SurveyView()
    fresh.show_survey(replace(made, findings=()), ())
    assert fresh._no_findings.text() == NO_FINDINGS
    fresh.deleteLater()


def test_a_press_reaches_its_finding_while_more_chats_are_looked_at(archive: MainWindow, qtbot: QtBot) -> None:
    shown, made = view(archive), archive.looking.survey
    row, codes = shown.findings[0], [one.kind.code for one in shown.findings]
    chosen: list[str] = []
    shown.finding_chosen.connect(lambda code, _: chosen.append(code))
    row.setFocus()
    qtbot.mousePress(row, Qt.MouseButton.LeftButton)
    later = tuple(replace(one, chats=one.chats + 1) for one in reversed(made.findings))
    shown.show_survey(replace(made, findings=later), ())
    assert [one.kind.code for one in shown.findings] == codes, "a row in the hand stays where it is"
    assert row.accessibleName().endswith(f"{made.findings[0].chats + 1} chats")
    qtbot.mouseRelease(row, Qt.MouseButton.LeftButton)
    assert chosen == codes[:1]
    row.clearFocus()
    shown.show_survey(replace(made, findings=later), ())
    assert [one.kind.code for one in shown.findings] == [one.kind.code for one in later[:MOST_FINDINGS]]


def test_a_click_on_a_finding_lists_its_chats(archive: MainWindow, qtbot: QtBot) -> None:
    row = view(archive).findings[0]
    qtbot.mouseClick(row, Qt.MouseButton.LeftButton)
    number = archive.looking.survey.findings[0].chats
    assert len(listed(archive).table.array_model.rows) == number
    chips = listed(archive).chips
    assert chips[row.kind.code].isChecked()
    qtbot.mouseClick(chips[""], Qt.MouseButton.LeftButton)
    assert row.kind.code not in listed(archive).chips
    assert len(listed(archive).table.array_model.rows) == len(archive.session.workspace.conversations)


def test_a_finding_is_chosen_by_key(archive: MainWindow, qtbot: QtBot) -> None:
    row = view(archive).findings[-1]
    row.setFocus()
    qtbot.keyClick(row, Qt.Key.Key_Return)
    assert (
        len(listed(archive).table.array_model.rows)
        == archive.looking.survey.findings[len(view(archive).findings) - 1].chats
    )


def test_pictures_tell_their_contents(archive: MainWindow) -> None:
    shown, made = view(archive), archive.looking.survey
    assert f"{made.lengths[0].chats} chat" in shown.lengths.accessibleDescription()
    assert "4,096 (now)" in shown.fits.accessibleDescription()
    assert "reply" in shown.parts.accessibleDescription().lower()
    for picture in (shown.lengths, shown.fits, shown.parts):
        assert not picture.grab().isNull()


def test_more_figures_are_told_by_topic_and_chosen_by_key(archive: MainWindow, qtbot: QtBot) -> None:
    shown = view(archive)
    assert not shown.page.isVisible()
    qtbot.mouseClick(shown.more, Qt.MouseButton.LeftButton)
    assert "573 messages" in shown.page.toPlainText()
    for name, words in (("lengths", "Tokens by role"), ("left out", "Tokens left out"), ("scripts", "Latin")):
        buttons = shown.switch.findChildren(QToolButton)
        button = next(one for one in buttons if one.accessibleName().endswith(f": {name}"))
        button.setFocus()
        qtbot.keyClick(button, Qt.Key.Key_Space)
        assert words in shown.page.toPlainText()


def test_before_the_first_chat_it_says_what_will_be_there(archive: MainWindow) -> None:
    archive.looking.show_workspace(archive.session.workspace)
    shown = view(archive)
    assert shown._nothing.text() == NOTHING_YET
    assert not shown.figures[0].isVisible()
    assert not shown.report.isEnabled()


def test_a_report_of_all_chats_is_written(
    archive: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "chats.html"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(file), ""))
    qtbot.mouseClick(view(archive).report, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(file.exists)
    qtbot.waitUntil(lambda: archive.session.is_ready)
    text = file.read_text()
    assert f"Report of {archive.looking.survey.looked} chats" in text
    assert "4,096 tokens" in text


@pytest.mark.parametrize("size", [(1280, 720), (800, 500)])
def test_it_scrolls_where_room_is_short(archive: MainWindow, size: tuple[int, int]) -> None:
    archive.resize(*size)
    QApplication.processEvents()
    shown = view(archive)
    inside = shown.widget()
    assert inside is not None
    assert inside.width() <= shown.viewport().width()
    assert shown.verticalScrollBar().maximum() > 0
    assert all(isinstance(row, FindingRow) and row.height() >= 24 for row in shown.findings)


@pytest.mark.parametrize(
    ("tokens", "words"), [(64, "64"), (512, "512"), (1_024, "1k"), (12_288, "12k"), (1 << 20, "1M"), (100_000, "100k")]
)
def test_windows_are_short_below_plots(tokens: int, words: str) -> None:
    assert short(tokens) == words
