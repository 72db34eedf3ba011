"""Asking for an analysis: results and shares arrive on the GUI thread, failures are told, and the newest one wins."""

from collections.abc import Iterator
from threading import Event

import pytest
from pytestqt.qtbot import QtBot

from inspector.analysis.basis import Basis, Share
from inspector.assembly.edits import choose_memory_sets
from inspector.assembly.scenario import Scenario
from inspector.gui.session.session import Session
from inspector.model import Conversation, Message, Problem, Workspace


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session()
    said = Message("m1", "user", "hello"), Message("m2", "assistant", "hello there")
    made.show_workspace(Workspace(conversations=(Conversation("c", said),)), Scenario(context_window=500))
    qtbot.waitUntil(lambda: made.is_ready)
    yield made
    made.close()
    made.deleteLater()


def counted(basis: Basis) -> Iterator[Share | int]:
    yield Share(1, 2, "Counting")
    yield len(basis.pipeline.candidates(basis.pipeline.case(basis.scenario)))


def failing(basis: Basis) -> Iterator[int]:
    yield 1
    raise RuntimeError("no second one")


def test_results_shares_and_the_end_are_told(session: Session, qtbot: QtBot) -> None:
    shown, shares, ended = list[int](), list[Share](), list[str]()
    assert session.ask("count", counted, shown.append, ended.append, shares.append)
    qtbot.waitUntil(lambda: bool(ended))
    assert (shown, shares, ended) == ([2], [Share(1, 2, "Counting")], [""])


def test_a_failure_is_a_sentence_at_the_end(session: Session, qtbot: QtBot) -> None:
    shown, ended = list[int](), list[str]()
    session.ask("fail", failing, shown.append, ended.append)
    qtbot.waitUntil(lambda: bool(ended))
    assert (shown, ended) == ([1], ["no second one"])


def test_a_failure_is_reported_where_nobody_waits_for_the_end(session: Session, qtbot: QtBot) -> None:
    reported: list[Problem] = []
    session.problem_reported.connect(reported.append)
    session.ask("fail", failing, lambda found: None, awaited=True)
    assert not session.is_ready
    qtbot.waitUntil(lambda: session.is_ready)
    assert [problem.message for problem in reported] == ["RuntimeError: no second one"]


def test_an_awaited_one_shows_its_shares_as_progress(session: Session, qtbot: QtBot) -> None:
    told: list[Share] = []
    session.progress_changed.connect(told.append)
    session.ask("count", counted, lambda found: None, awaited=True)
    qtbot.waitUntil(lambda: session.is_ready)
    assert told == [Share(1, 2, "Counting"), Share()]


def test_a_newer_one_of_the_name_replaces_the_older(session: Session, qtbot: QtBot) -> None:
    go_on, shown, ended = Event(), list[str](), list[str]()

    def slow(basis: Basis) -> Iterator[str]:
        go_on.wait(10)
        yield "older"

    session.ask("same", slow, shown.append, ended.append)
    session.ask("same", lambda basis: iter(["newer"]), shown.append, ended.append)
    go_on.set()
    qtbot.waitUntil(lambda: bool(ended) and not session.tasks.is_running())
    session.tasks.stop()
    assert (shown, ended) == (["newer"], [""])


def test_nothing_is_asked_of_a_scenario_that_is_refused(session: Session, qtbot: QtBot) -> None:
    go_on, shown = Event(), list[int]()

    def slow(basis: Basis) -> Iterator[int]:
        go_on.wait(10)
        yield 1

    assert session.ask("count", slow, shown.append)
    session.edit(choose_memory_sets, ["nowhere"])
    session.flush()
    assert session.trouble
    assert not session.ask("count", counted, shown.append)
    assert not session.tasks.is_running("count")
    go_on.set()
    session.tasks.stop()
    assert shown == []


def test_nothing_is_asked_where_nothing_is_open(qtbot: QtBot) -> None:
    made = Session()
    assert made.basis is None
    assert not made.ask("count", counted, lambda found: None)
    made.close()
    made.deleteLater()
