"""The search for what would change an item's fate: after all counting, for the answer that is shown, until Cancel."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from answers import timed_messages
from pytestqt.qtbot import QtBot

from inspector.analysis.explanation.solver import SmallestChange
from inspector.assembly import edits
from inspector.assembly.scenario import Scenario
from inspector.gui.screens.explanation import change_search
from inspector.gui.screens.explanation.change_search import WORK, ChangeSearch
from inspector.gui.screens.explanation.view import CANCELLED, SEARCHING, changes_line
from inspector.gui.session import Session
from inspector.model import Conversation, Workspace
from inspector.steps import while_wanted

FOUND = Workspace(conversations=(Conversation("c1", tuple(timed_messages(30))),))
WANTED = Scenario(tokenizer="estimate:words", context_window=200)
Shown = list[tuple[int, tuple[SmallestChange, ...] | None]]


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session()
    made.show_workspace(FOUND, WANTED)
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def shown() -> Shown:
    return []


@pytest.fixture
def search(session: Session, shown: Shown, monkeypatch: pytest.MonkeyPatch) -> ChangeSearch:
    monkeypatch.setattr(change_search, "REST_MILLISECONDS", 0)
    return ChangeSearch(session, lambda row, changes: shown.append((row, changes)), session)


def test_it_begins_when_everything_is_counted(
    session: Session, search: ChangeSearch, shown: Shown, qtbot: QtBot
) -> None:
    begun: list[bool] = []
    session.tasks.changed.connect(
        lambda: (
            begun.append(bool(session.assembly and session.assembly.candidates.exact.all()))
            if session.tasks.is_running(WORK)
            else None
        )
    )
    assert not session.is_ready
    search.begin(3)
    qtbot.waitUntil(lambda: bool(shown))
    assert shown[0][0] == 3
    assert shown[0][1]
    assert begun
    assert all(begun)


def test_cancel_ends_it_between_two_assemblies(
    session: Session, search: ChangeSearch, shown: Shown, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assemblies = threading.Event()
    go_on = threading.Event()
    real = change_search.smallest_changes

    def watched(*terms: Any) -> Iterator[SmallestChange]:
        def asked() -> bool:
            assemblies.set()
            go_on.wait(10)
            return True

        with while_wanted(asked):
            yield from real(*terms)

    monkeypatch.setattr(change_search, "smallest_changes", watched)
    search.begin(3)
    qtbot.waitUntil(assemblies.is_set)
    session.cancel_work()
    go_on.set()
    assert shown == [(3, None)]
    qtbot.waitUntil(lambda: not session.tasks.is_running())
    session.tasks.stop()
    assert shown == [(3, None)], "what is cancelled shows nothing more"
    assert session.is_ready
    assert CANCELLED in changes_line(None, None, is_cancelled=True)
    assert SEARCHING in changes_line(None, None)


def test_cancelling_the_count_begins_no_search_that_would_count(
    session: Session, search: ChangeSearch, shown: Shown, qtbot: QtBot
) -> None:
    search.begin(3)
    session.cancel_work()
    assert session.is_ready
    qtbot.wait(1)
    assert not session.tasks.is_running(WORK)
    assert shown == [(3, None)]


def test_it_is_about_the_answer_that_is_shown(
    session: Session, search: ChangeSearch, shown: Shown, qtbot: QtBot
) -> None:
    """A scenario that is refused is asked for, and the last good answer stays with its rows."""
    qtbot.waitUntil(lambda: session.is_ready)
    session.edit(lambda scenario: edits.Edit("Wrong", replace(scenario, similarity="feeling")))
    session.flush()
    problems: list[object] = []
    session.problem_reported.connect(problems.append)
    search.begin(3)
    qtbot.waitUntil(lambda: session.is_ready)
    session.undo_stack.undo()
    session.flush()
    search.begin(3)
    qtbot.waitUntil(lambda: bool(shown))
    assert problems == []
