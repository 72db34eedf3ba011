"""Work off the GUI thread: chunks in order, cancel, errors, and a late result that never overwrites a newer one."""

import gc
import threading
from collections.abc import Iterator
from typing import Any
from weakref import ref

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from inspector.gui.tasks import THREADS, FrameTimer, Tasks, tell
from inspector.steps import check_wanted


@pytest.fixture
def owner(qtbot: QtBot) -> Iterator[QObject]:
    parent = QObject()
    yield parent
    parent.deleteLater()


@pytest.fixture
def tasks(owner: QObject) -> Iterator[Tasks]:
    made = Tasks(owner)
    yield made
    made.stop()


class Heard:
    """What a task delivered."""

    def __init__(self) -> None:
        self.chunks: list[Any] = []
        self.ends = 0
        self.errors: list[Exception] = []

    def end(self) -> None:
        self.ends += 1

    def run(self, tasks: Tasks, name: str, request: Any) -> None:
        tasks.run(name, request, self.chunks.append, self.end, self.errors.append)


def test_chunks_arrive_in_order_on_the_gui_thread(tasks: Tasks, qtbot: QtBot) -> None:
    heard = Heard()
    threads: set[int] = set()

    def take(chunk: int) -> None:
        heard.chunks.append(chunk)
        threads.add(threading.get_ident())

    tasks.run("a", lambda: iter(range(5)), take, heard.end, heard.errors.append)
    assert tasks.is_running("a")
    qtbot.waitUntil(lambda: heard.ends == 1)
    assert heard.chunks == [0, 1, 2, 3, 4]
    assert threads == {threading.get_ident()}
    assert not tasks.is_running()


def test_a_late_result_never_overwrites_a_newer_one(tasks: Tasks, qtbot: QtBot) -> None:
    go_on = threading.Event()

    def slow() -> Iterator[str]:
        go_on.wait(10)
        yield "old"

    old, new = Heard(), Heard()
    old.run(tasks, "count", slow)
    new.run(tasks, "count", lambda: iter(["new"]))
    qtbot.waitUntil(lambda: new.ends == 1)
    go_on.set()
    tasks.stop()
    qtbot.wait(0)
    assert new.chunks == ["new"]
    assert old.chunks == []
    assert old.ends == 0


def test_cancel_stops_between_chunks(tasks: Tasks, qtbot: QtBot) -> None:
    heard, made = Heard(), []
    go_on = threading.Event()

    def request() -> Iterator[int]:
        for number in range(1000):
            made.append(number)
            yield number
            go_on.wait(10)

    heard.run(tasks, "count", request)
    qtbot.waitUntil(lambda: heard.chunks == [0])
    tasks.cancel("count")
    go_on.set()
    tasks.stop()
    assert len(made) <= 2
    assert heard.ends == 0


def test_what_is_awaited_is_told_apart_and_cancelled_together(tasks: Tasks, qtbot: QtBot) -> None:
    go_on = threading.Event()

    def request() -> Iterator[str]:
        go_on.wait(10)
        yield "done"

    shown, aside = Heard(), Heard()
    aside.run(tasks, "servers", request)
    assert not tasks.is_awaited
    tasks.run("count", request, shown.chunks.append, shown.end, shown.errors.append, awaited=True)
    assert tasks.is_awaited
    tasks.cancel_awaited()
    assert not tasks.is_awaited
    go_on.set()
    qtbot.waitUntil(lambda: aside.chunks == ["done"])
    assert shown.chunks == []


def test_an_error_is_delivered_and_others_go_on(tasks: Tasks, qtbot: QtBot) -> None:
    broken, fine = Heard(), Heard()

    def request() -> Iterator[int]:
        yield 1
        raise ValueError("no such vocabulary")

    broken.run(tasks, "a", request)
    fine.run(tasks, "b", lambda: iter([2]))
    qtbot.waitUntil(lambda: len(broken.errors) == 1 and fine.ends == 1)
    assert str(broken.errors[0]) == "no such vocabulary"
    assert broken.chunks == [1]
    assert broken.ends == 0


def test_frame_timer_calls_first_at_once_and_joins_the_rest(owner: QObject, qtbot: QtBot) -> None:
    calls: list[int] = []
    timer = FrameTimer(lambda: calls.append(len(calls)), owner, milliseconds=30)
    for _ in range(10):
        timer.request()
    assert len(calls) == 1
    assert timer.is_waiting
    qtbot.waitUntil(lambda: not timer.is_waiting)
    assert len(calls) == 2
    timer.request()
    timer.flush()
    assert len(calls) >= 3


def test_what_a_cancelled_task_makes_is_abandoned(tasks: Tasks, qtbot: QtBot) -> None:
    heard, begun = Heard(), threading.Event()

    def request() -> Iterator[int]:
        begun.set()
        while True:
            check_wanted()
        yield 1

    heard.run(tasks, "a", request)
    qtbot.waitUntil(begun.is_set)
    tasks.stop()
    assert (heard.chunks, heard.ends, heard.errors) == ([], 0, [])


class Chunk:
    """Something that can be referred to weakly."""


def test_nothing_of_a_task_is_kept_when_it_has_ended(tasks: Tasks, qtbot: QtBot) -> None:
    held: list[ref[Chunk]] = []
    heard = Heard()

    def run(name: str) -> None:
        chunk = Chunk()
        held.append(ref(chunk))
        tasks.run(name, lambda: iter([chunk]), lambda _: None, heard.end, heard.errors.append)

    for number in range(200):
        run(f"task {number}")
        qtbot.waitUntil(lambda number=number: heard.ends == number + 1)
    gc.collect()
    assert [chunk() for chunk in held if chunk() is not None] == []


def test_what_is_cancelled_before_a_thread_is_free_is_never_begun(tasks: Tasks, qtbot: QtBot) -> None:
    go_on, begun = threading.Event(), []
    busy = [Heard() for _ in range(THREADS)]
    for number, heard in enumerate(busy):
        heard.run(tasks, f"busy {number}", lambda: iter([go_on.wait(10)]))

    def request() -> Iterator[int]:
        begun.append(1)
        yield 1

    Heard().run(tasks, "waiting", request)
    tasks.cancel("waiting")
    go_on.set()
    tasks.stop()
    assert begun == []


def test_a_request_tells_from_deep_inside_until_nobody_wants_it(tasks: Tasks, qtbot: QtBot) -> None:
    heard, told = Heard(), threading.Event()
    go_on, ended = threading.Event(), threading.Event()

    def long_call() -> None:
        tell("half")
        told.set()
        assert go_on.wait(10)
        try:
            tell(None)
        finally:
            ended.set()

    def request() -> Iterator[str]:
        long_call()
        yield "whole"

    heard.run(tasks, "load", request)
    assert told.wait(10)
    qtbot.waitUntil(lambda: heard.chunks == ["half"])
    tasks.cancel("load")
    go_on.set()
    assert ended.wait(10)
    tasks.stop()
    qtbot.wait(0)
    assert (heard.chunks, heard.ends, heard.errors) == (["half"], 0, [])


def test_what_is_written_comes_one_after_the_other_and_is_never_cancelled(tasks: Tasks, qtbot: QtBot) -> None:
    written: list[int] = []
    told: list[str] = []
    may_go = threading.Event()

    def write(number: int) -> None:
        assert may_go.wait(10)
        written.append(number)
        if number == 3:
            raise OSError("disk full")

    for number in range(5):
        tasks.write(
            lambda number=number: write(number), lambda: told.append("done"), lambda error: told.append(str(error))
        )
    assert tasks.is_writing
    tasks.cancel_awaited()
    may_go.set()
    assert not tasks.finish_writing()
    assert written == [0, 1, 2, 3, 4]
    assert told == ["done", "done", "done", "disk full", "done"]
    assert not tasks.is_writing
    qtbot.wait(0)
    assert len(told) == 5, "each end is told once"


def test_stopping_waits_for_what_is_being_written(tasks: Tasks) -> None:
    written: list[int] = []
    began = threading.Event()

    def write() -> None:
        began.set()
        written.append(1)

    tasks.write(write, lambda: None, lambda _: None)
    tasks.stop()
    assert written == [1]
