"""The search about an item: after all counting, for the answer that is shown, until Cancel."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from answers import timed_messages
from pytestqt.qtbot import QtBot

from inspector.analysis.explanation.solver import SmallestChange
from inspector.analysis.keeping.way import Keeping
from inspector.assembly import edits
from inspector.assembly.scenario import Scenario
from inspector.gui.screens.details import item_search
from inspector.gui.screens.details.item_search import WORK, ItemSearch
from inspector.gui.session.session import Session
from inspector.model import Conversation, Workspace
from inspector.steps import while_wanted

FOUND = Workspace(conversations=(Conversation("c1", tuple(timed_messages(30))),))
WANTED = Scenario(tokenizer="estimate:words", context_window=200)


class Noted:
    """What a search told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, int]] = []
        self.keeping: Keeping | None = None

    def show_keeping(self, row: int, keeping: Keeping) -> None:
        self.told.append(("keeping", row))
        self.keeping = keeping

    def show_changes(self, row: int, changes: Sequence[SmallestChange]) -> None:
        self.told.append(("changes", row))

    def show_cancelled(self, row: int) -> None:
        self.told.append(("cancelled", row))


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session()
    made.show_workspace(FOUND, WANTED)
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def noted() -> Noted:
    return Noted()


@pytest.fixture
def search(session: Session, noted: Noted, monkeypatch: pytest.MonkeyPatch) -> ItemSearch:
    monkeypatch.setattr(item_search, "REST_MILLISECONDS", 0)
    return ItemSearch(session, noted, session)


def test_it_begins_when_everything_is_counted(session: Session, search: ItemSearch, noted: Noted, qtbot: QtBot) -> None:
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
    qtbot.waitUntil(lambda: len(noted.told) == 2)
    assert noted.told == [("keeping", 3), ("changes", 3)], "all ways at once, so that none is moved by another"
    assert noted.keeping is not None
    assert noted.keeping.ways
    assert begun
    assert all(begun)


def test_cancel_ends_it_between_two_assemblies(
    session: Session, search: ItemSearch, noted: Noted, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assemblies = threading.Event()
    go_on = threading.Event()
    real = item_search.smallest_changes

    def watched(*terms: Any) -> Iterator[SmallestChange]:
        def asked() -> bool:
            assemblies.set()
            go_on.wait(10)
            return True

        with while_wanted(asked):
            yield from real(*terms)

    monkeypatch.setattr(item_search, "smallest_changes", watched)
    search.begin(3)
    qtbot.waitUntil(assemblies.is_set)
    qtbot.waitUntil(lambda: noted.told == [("keeping", 3)])
    session.cancel_work()
    go_on.set()
    assert noted.told[1:] == [("cancelled", 3)]
    qtbot.waitUntil(lambda: not session.tasks.is_running())
    session.tasks.stop()
    assert noted.told[1:] == [("cancelled", 3)], "what is cancelled shows nothing more"
    assert session.is_ready


def test_cancelling_the_count_begins_no_search_that_would_count(
    session: Session, search: ItemSearch, noted: Noted, qtbot: QtBot
) -> None:
    search.begin(3)
    session.cancel_work()
    assert session.is_ready
    qtbot.wait(1)
    assert not session.tasks.is_running(WORK)
    assert noted.told == [("cancelled", 3)]


def test_it_is_about_the_answer_that_is_shown(session: Session, search: ItemSearch, noted: Noted, qtbot: QtBot) -> None:
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
    qtbot.waitUntil(lambda: bool(noted.told))
    assert problems == []
