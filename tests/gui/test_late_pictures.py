"""A picture that is still being made when something changes is of before: it never takes the place of what is asked."""

from collections.abc import Iterator
from threading import Event

from pytestqt.qtbot import QtBot

from inspector.gui.main_window import MainWindow
from inspector.gui.parts.asking_view import AskingView
from inspector.gui.session.turns import REPLAY

TASKS = {
    "side_by_side": "side_by_side",
    "texts": "text_diff",
    "snapshots": "snapshots",
    "tokenizers": "tokenizers",
    "summaries": "summaries",
    "survival": "survival",
}
"""The name of the work behind each screen that asks for its picture."""


def asking_views(window: MainWindow) -> dict[str, AskingView]:
    views = {name: window.screens[name].view for name in TASKS}
    tried = [window.screens[name].view.page for name in ("one_setting", "two_settings")]
    pages = {page.name: page for page in (*tried, window.screens["recommend"].view.categories)}
    return {**{TASKS[name]: view for name, view in views.items()}, **pages}


def test_what_is_being_made_is_dropped_when_another_is_asked_for(companion: MainWindow, qtbot: QtBot) -> None:
    companion.do("replay")  # its lanes are made when they are first seen
    qtbot.waitUntil(lambda: companion.turns.is_fresh)
    views = {**asking_views(companion), REPLAY: companion.screens["replay"].view.lanes}
    assert len(views) == len(TASKS) + 4
    for task, view in views.items():
        check_drop(companion, qtbot, task, view)


def check_drop(window: MainWindow, qtbot: QtBot, task: str, view: AskingView) -> None:
    tasks, goes_on, came = window.session.tasks, Event(), list[str]()

    def late() -> Iterator[str]:
        goes_on.wait(20)
        yield "a picture of before"

    tasks.run(task, late, came.append, lambda: None, lambda _: None)
    view.refresh()
    goes_on.set()
    qtbot.waitUntil(lambda: not tasks.is_running())
    assert came == [], task
