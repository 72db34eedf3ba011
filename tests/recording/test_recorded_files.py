"""The recorded file: whole lines only, whatever the disk and the process do, and nobody waits for it."""

import json
import os
import signal
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from inspector.formats import load_workspace
from inspector.recording import recorded_file
from inspector.recording.exchange import Exchange, Kept
from inspector.recording.recorded_file import RecordedFile
from inspector.writing import Lines
from tests.recording.stand_in import exchanged, post, recording, stand_in, with_length
from tests.recording.test_passing import ANSWER, BODY, CHAT, plain
from tests.servers import recorded


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded.only_loopback(monkeypatch)


def exchange() -> Exchange:
    body = Kept()
    body.add(BODY)
    return Exchange("chat", CHAT, request=body, status=200)


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines()


def test_lines_are_added_to_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    for text in (b"1\n", b"2\n"):
        file = Lines(path)
        file.append(text)
        file.close()
    assert path.read_bytes() == b"1\n2\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 or sys.platform == "win32"


def test_after_a_torn_line_a_new_one_begins(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'1\n{"torn')
    file = Lines(path)
    file.append(b"2\n")
    file.append(b"3\n")
    file.close()
    assert path.read_bytes() == b'1\n{"torn\n2\n3\n'


def test_only_one_program_adds_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    file = Lines(path)
    with pytest.raises(OSError, match="Another program"):
        Lines(path)
    file.close()
    Lines(path).close()


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"."):
        Lines(tmp_path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(OSError, match="no file"):
            Lines(tmp_path / "pipe")


@contextmanager
def full_after(many: int, path: Path) -> Iterator[None]:
    """A file that takes so many bytes more, some of a line perhaps, and then none."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + many, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("room", [0, 1, 5])
def test_a_full_disk_leaves_no_piece_of_a_line(room: int, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    file = Lines(path)
    file.append(b"first\n")
    with full_after(room, path), pytest.raises(OSError, match="too large"):
        file.append(b"second\n")
    assert path.read_bytes() == b"first\n"
    file.append(b"third\n")
    file.close()
    assert path.read_bytes() == b"first\nthird\n"


def test_a_piece_that_cannot_be_taken_off_is_a_line_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    file = Lines(path)
    monkeypatch.setattr(Lines, "_cut", lambda _self, _size: False)
    with full_after(3, path), pytest.raises(OSError, match="too large"):
        file.append(b"second\n")
    file.append(b"third\n")
    file.close()
    assert path.read_bytes() == b"sec\nthird\n"


def test_requests_beside_a_full_disk_are_counted_and_said_once(tmp_path: Path) -> None:
    said: list[str] = []
    path = tmp_path / "a.jsonl"
    file = RecordedFile(path, False, said.append)
    with full_after(9, path):
        for _ in range(3):
            file.keep(exchange())
        until(lambda: file.lost == 3)
    file.keep(exchange())
    file.close()
    assert (file.written, file.lost, len(lines(path))) == (1, 3, 1)
    assert said == [
        f"{path}: cannot be written: File too large; requests pass on, and are not recorded",
        f"{path}: is written again; 3 requests were not recorded",
    ]


def test_a_disk_that_stands_still_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded_file, "MOST_WAITING", 2 * len(BODY))
    said: list[str] = []
    moves = threading.Event()
    append = Lines.append

    def append_later(self: Lines, line: bytes) -> None:
        moves.wait()
        append(self, line)

    monkeypatch.setattr(Lines, "append", append_later)
    file = RecordedFile(tmp_path / "a.jsonl", False, said.append)
    for _ in range(5):
        file.keep(exchange())
    moves.set()
    file.close()
    assert (file.written, file.lost) == (2, 3)
    assert said[0].endswith("too many requests wait for the disk; requests pass on, and are not recorded")


def test_a_fault_of_the_program_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> bytes:
        raise ValueError("odd")

    said: list[str] = []
    monkeypatch.setattr(recorded_file, "line_of", fail)
    file = RecordedFile(tmp_path / "a.jsonl", False, said.append)
    file.keep(exchange())
    file.close()
    assert (file.written, file.lost) == (0, 1)
    assert said == ["a request was not recorded, by a fault of this program: ValueError: odd"]


# The command


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_records_until_it_is_ended(number: int, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    with stand_in(plain(with_length(ANSWER))) as server, recording(server.address, file) as (process, address):
        for _ in range(2):
            assert ANSWER in exchanged(address, post(CHAT, BODY))
        process.send_signal(number)
        _, told = process.communicate()
    assert (process.returncode, told) == (0, f"prompt-inspector: 2 requests recorded in {file}\n")
    workspace = load_workspace([file])
    assert [source.format for source in workspace.sources] == ["recorded"]
    assert [len(chat.messages) for chat in workspace.conversations] == [2, 2]


def test_a_killed_recorder_loses_no_request_that_had_ended(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    for number in range(2):
        with stand_in(plain(with_length(ANSWER))) as server, recording(server.address, file) as (process, address):
            with ThreadPoolExecutor(8) as threads:
                list(threads.map(lambda _, to=address: exchanged(to, post(CHAT, BODY)), range(20)))
            until(lambda wanted=20 * (number + 1): len(lines(file)) == wanted)
            process.kill()
            process.wait()
    assert [json.loads(line)["status"] for line in lines(file)] == [200] * 40


def test_the_command_says_that_others_can_reach_it(tmp_path: Path) -> None:
    with recording("http://127.0.0.1:1", tmp_path / "a.jsonl", "--listen", "0.0.0.0:0") as (process, _):
        process.kill()
        _, told = process.communicate()
    assert "0.0.0.0:0: other machines can reach this address" in told


def until(is_so: Callable[[], object]) -> None:
    """Wait until something is so; what takes a minute has failed."""
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.005)
