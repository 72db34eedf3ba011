"""The page of the recorded requests: opened, growing while it is looked at, with other settings, and with nothing."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inspector.analysis.requests.words import NO_REQUESTS
from inspector.assembly.edits import use_policy, use_window
from inspector.formats.traces import reading_on
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.requests.view import NO_SETTING, RequestsView
from tests.analysis.requests.recorded_agents import session as recorded_session
from tests.analysis.requests.recorded_agents import written

Open = Callable[..., MainWindow]
RECORDS = list(recorded_session())


def page(window: MainWindow) -> RequestsView:
    window.show_screen("requests")
    view = window.screens["requests"].view
    assert isinstance(view, RequestsView)
    return view


def until_counted(view: RequestsView, requests: int, qtbot: QtBot, has_other: bool = False) -> None:
    """Wait until all requests have their prompts."""

    def is_counted() -> bool:
        found = view.found
        if found is None or len(found) != requests or found.sent is None or view.is_waiting:
            return False
        return len(found.sent) == requests and (found.other is not None) == has_other

    qtbot.waitUntil(is_counted)


def shown(window: MainWindow) -> tuple[str, int | None]:
    scenario = window.session.scenario
    return scenario.conversation or "", scenario.at


def add(file: Path, *records: object) -> None:
    with file.open("a") as opened:
        opened.write("".join(json.dumps(one) + "\n" for one in records))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(tmp_path / "recorded.jsonl", RECORDS[:3])


def test_an_opened_recording_shows_its_newest_request(opened: Open, file: Path, qtbot: QtBot) -> None:
    window = opened(file)
    view = page(window)
    until_counted(view, 3, qtbot)
    qtbot.waitUntil(lambda: shown(window) == ("recorded-3", 2))
    assert view.table.current_row == 2
    assert view.sentence.text() == "3 requests of 1 agent and 1 subagent."
    assert view.saving.text() == NO_SETTING
    assert view.found is not None
    assert view.found.sent is not None
    session = window.session
    qtbot.waitUntil(
        lambda: session.is_ready and session.answer is not None and session.answer.ledger.rendered is not None
    )
    assert session.answer is not None
    assert session.answer.ledger.total == view.found.sent.tokens[2], "the bar and the table say the same"


def test_requests_come_in_and_the_bar_moves_with_the_newest(opened: Open, file: Path, qtbot: QtBot) -> None:
    window = opened(file)
    view = page(window)
    until_counted(view, 3, qtbot)
    for many in (4, 6):  # twice: the second time only the new lines are read
        add(file, *RECORDS[len(view.found or ()) : many])
        until_counted(view, many, qtbot)
        qtbot.waitUntil(lambda many=many: shown(window)[0] == f"recorded-{many}")
        assert view.table.current_row == many - 1
    assert view.follows


def test_requests_between_reading_a_new_recording_and_watching_it_come_in(
    opened: Open, file: Path, qtbot: QtBot
) -> None:
    window = opened()
    grow = lambda: add(file, *RECORDS[3:5])  # noqa: E731 - a slot that is called once
    window.session.workspace_changed.connect(grow, Qt.ConnectionType.SingleShotConnection)
    window.open_paths([str(file)])
    qtbot.waitUntil(lambda: window.session.is_ready and window.session.paths == (str(file),))
    view = page(window)
    until_counted(view, 5, qtbot)
    qtbot.waitUntil(lambda: shown(window)[0] == "recorded-5")


def test_only_what_was_added_is_read(opened: Open, file: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    window = opened(file)
    view = page(window)
    until_counted(view, 3, qtbot)
    add(file, RECORDS[3])
    until_counted(view, 4, qtbot)
    monkeypatch.setattr(reading_on, "read_file", None)
    add(file, RECORDS[4])
    until_counted(view, 5, qtbot)
    assert view.found is not None
    assert [one.conversation for one in view.found.requests] == [f"recorded-{number}" for number in range(1, 6)]


def test_an_older_request_stays_in_sight_while_others_come_in(opened: Open, file: Path, qtbot: QtBot) -> None:
    window = opened(file)
    view = page(window)
    until_counted(view, 3, qtbot)
    view.table.select_row(0)
    qtbot.waitUntil(lambda: shown(window) == ("recorded-1", 2))
    assert not view.follows
    add(file, RECORDS[3])
    until_counted(view, 4, qtbot)
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert shown(window) == ("recorded-1", 2)
    view.follow.setChecked(True)
    add(file, RECORDS[4])
    until_counted(view, 5, qtbot)
    qtbot.waitUntil(lambda: shown(window)[0] == "recorded-5")


def test_other_settings_say_what_they_save_and_the_sent_ones_do_not(opened: Open, file: Path, qtbot: QtBot) -> None:
    window = opened(file)
    view = page(window)
    until_counted(view, 3, qtbot)
    for policy in ("reserve", "window_rag"):
        window.session.edit(use_policy, policy)
        window.session.edit(use_window, 1_400)
        until_counted(view, 3, qtbot, has_other=True)
        qtbot.waitUntil(lambda: ", window 1,400: " in view.saving.text())
        assert " in place of " in view.saving.text()
    window.session.undo_stack.undo()
    window.session.edit(use_policy, "naive")
    window.session.edit(use_window, None)
    until_counted(view, 3, qtbot)
    assert view.saving.text() == NO_SETTING


def test_another_file_and_a_chat_that_was_not_recorded(
    opened: Open, file: Path, tmp_path: Path, qtbot: QtBot, companion_alone: Path
) -> None:
    window = opened(file)
    view = page(window)
    until_counted(view, 3, qtbot)
    other = written(tmp_path / "other.jsonl", RECORDS[:2])
    window.open_paths([str(other)])
    qtbot.waitUntil(lambda: window.session.is_ready and window.session.paths == (str(other),))
    page(window)
    until_counted(view, 2, qtbot)
    window.open_paths([str(companion_alone)])
    qtbot.waitUntil(lambda: window.session.is_ready and window.session.paths == (str(companion_alone),))
    page(window)
    qtbot.waitUntil(lambda: view.found is None and not view.is_waiting)
    assert view._nothing._sentence.text() == NO_REQUESTS
    window.open_paths([str(file)])
    qtbot.waitUntil(lambda: window.session.is_ready and window.session.paths == (str(file),))
    page(window)
    until_counted(view, 3, qtbot)


def test_with_nothing_open_there_is_a_way_in(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    view = page(window)
    qtbot.waitUntil(lambda: not view.is_waiting)
    assert view.found is None
    assert view._nothing._sentence.text() == NO_REQUESTS
    view.record_requested.emit()
    dialog = window._recording._dialog
    assert dialog.isVisible()
    dialog.close()


def columns_in_sight(view: RequestsView) -> list[str]:
    header = view.table.horizontalHeader()
    there = enumerate(view.table.array_model.columns)
    return [column.key for section, column in there if not header.isSectionHidden(section)]


def test_a_small_window_still_shows_the_changes_the_unused_tools_and_the_status(
    opened: Open, tmp_path: Path, qtbot: QtBot
) -> None:
    window = opened(written(tmp_path / "all.jsonl", RECORDS), size=(1280, 720))
    view = page(window)
    until_counted(view, len(RECORDS), qtbot)
    qtbot.waitUntil(lambda: "model" not in columns_in_sight(view))
    assert {"agent", "changed", "provider", "prefix", "unused_tools", "cost", "status"} <= {*columns_in_sight(view)}
    window.resize(1600, 1000)
    qtbot.waitUntil(lambda: {"model", "time"} <= {*columns_in_sight(view)})


def test_without_tools_there_is_no_column_for_them(opened: Open, tmp_path: Path, qtbot: QtBot) -> None:
    plain = [{**one, "request": {k: v for k, v in one["request"].items() if k != "tools"}} for one in RECORDS[:2]]
    window = opened(written(tmp_path / "plain.jsonl", plain))
    view = page(window)
    until_counted(view, 2, qtbot)
    assert "unused_tools" not in columns_in_sight(view)
    assert "changed" in columns_in_sight(view)
