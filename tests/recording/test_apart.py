"""A recorder in a process of its own: it outlives the process that started it, is found again, and ends when told."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from inspector.recording.apart import found_apart, start_apart
from inspector.recording.order import OrderError, read_order, read_place
from tests.recording.stand_in import exchanged, post, stand_in, with_length
from tests.recording.test_passing import ANSWER, BODY, CHAT, plain
from tests.servers import recorded

_STARTER = """
import sys, time
from pathlib import Path
from inspector.recording.apart import start_apart
from inspector.recording.order import read_order
server, file, folder = sys.argv[1:]
started = start_apart(read_order(server, "127.0.0.1:0", Path(file), True), Path(folder))
while not started.address:
    time.sleep(0.05)
print(started.address, flush=True)
time.sleep(600)
"""


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded.only_loopback(monkeypatch)


def until(is_so: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_it_goes_on_when_its_window_is_killed_and_loses_nothing(tmp_path: Path) -> None:
    file, folder = tmp_path / "a.jsonl", tmp_path / "notes"
    with stand_in(plain(with_length(ANSWER))) as server:
        command = [sys.executable, "-c", _STARTER, server.address, str(file), str(folder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as window:
            assert window.stdout is not None
            address = window.stdout.readline().strip()
            assert ANSWER in exchanged(address, post(CHAT, BODY))
            os.killpg(window.pid, signal.SIGKILL)
        assert ANSWER in exchanged(address, post(CHAT, BODY))
        until(lambda: len(file.read_bytes().splitlines()) == 2)
        (found,) = found_apart(folder)
        assert (found.address, found.runs, found.order.file, found.order.mask) == (address, True, file, True)
        found.end()
        assert not found.runs
        until(lambda: "2 requests recorded" in "".join(found.said))
        found.forget()
    assert list(folder.iterdir()) == []
    assert len(file.read_bytes().splitlines()) == 2


def test_the_recorder_of_another_open_window_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    with stand_in(plain(with_length(ANSWER))) as server:
        order = read_order(server.address, "127.0.0.1:0", tmp_path / "a.jsonl", False)
        other = start_apart(order, folder)
        until(lambda: other.address)
        assert list(found_apart(folder)) == []
        assert ANSWER in exchanged(other.address, post(CHAT, BODY))
        other.end()
        other.wait()
        other.forget()


def test_what_a_killed_recorder_left_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    with stand_in(plain(with_length(ANSWER))) as server:
        left = start_apart(read_order(server.address, "127.0.0.1:0", tmp_path / "a.jsonl", False), folder)
        until(lambda: left.address)
        assert left.started is not None
        left.started.kill()
        left.wait()
    left.held.close()
    assert not left.runs
    assert list(found_apart(folder)) == []
    assert left.note.exists(), "it may be one that is still starting"
    for path in folder.iterdir():
        os.utime(path, (0, 0))
    assert list(found_apart(folder)) == []
    assert list(folder.iterdir()) == []


def test_notes_that_are_none_are_removed(tmp_path: Path) -> None:
    for number, text in enumerate(("", "{", "[]", '{"upstream": 1}', '{"upstream": "http://a", "file": "b"}')):
        note = tmp_path / f"{number}.json"
        note.write_text(text)
        os.utime(note, (0, 0))
    assert list(found_apart(tmp_path)) == []
    assert list(tmp_path.iterdir()) == []


def test_errors_of_a_recorder_are_what_it_said(tmp_path: Path) -> None:
    file = tmp_path / "none" / "a.jsonl"
    started = start_apart(read_order("http://127.0.0.1:1", "127.0.0.1:0", file, False), tmp_path / "notes")
    until(lambda: not started.runs)
    assert [line for line in started.said if "cannot be written" in line]
    assert started.address == ""
    started.forget()


@pytest.mark.parametrize(
    ("listen", "place"),
    [
        ("", ("", 8765)),
        ("9000", ("127.0.0.1", 9000)),
        ("localhost", ("localhost", 8765)),
        ("0.0.0.0:0", ("0.0.0.0", 0)),
        ("[::1]:80", ("::1", 80)),
    ],
)
def test_places_to_listen_at(listen: str, place: tuple[str, int]) -> None:
    host, port = read_place(listen)
    assert (host, port) == (place[0] or "127.0.0.1", place[1])


def test_orders_that_cannot_be_name_their_field() -> None:
    with pytest.raises(OrderError) as upstream:
        read_order("localhost", "1", None, False)
    with pytest.raises(OrderError) as listen:
        read_order("http://a", "99999", None, False)
    assert (upstream.value.field, listen.value.field) == ("upstream", "listen")
    assert read_order("http://a", "0.0.0.0:1", None, False).is_open_to_others
    assert not read_order("http://a", "[::1]:1", None, False).is_open_to_others
