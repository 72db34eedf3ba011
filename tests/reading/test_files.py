"""Reading what a path stands for: only regular files, up to a size, without waiting, each refusal in words."""

import os
import socket
from pathlib import Path

import pytest

from inspector.reading import files
from inspector.reading.files import open_file, read_file, read_head, read_text, status
from inspector.reading.values import UnreadableError

_ZERO = Path("/dev/zero")
needs_devices = pytest.mark.skipif(not _ZERO.exists(), reason="this system has no /dev/zero")
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")


def refusal(path: str | Path, most_bytes: int = 100) -> str:
    with pytest.raises(UnreadableError) as caught:
        read_file(path, most_bytes)
    assert caught.value.problem.file == str(path)
    with pytest.raises(UnreadableError) as again:
        open_file(path)
    assert again.value.problem == caught.value.problem
    return caught.value.problem.message


def test_a_file_is_read_whole_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"0123456789")
    assert read_file(path) == read_file(str(path), 10) == b"0123456789"
    assert read_head(path, 4) == b"0123"
    with pytest.raises(UnreadableError, match="is 10 bytes long; at most 9 are read"):
        read_file(path, 9)


def test_text_has_line_feeds_and_a_bad_byte_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes("é\r\nb\rc\n".encode())
    assert read_text(path) == "é\nb\nc\n"
    path.write_bytes(b"abc\xff")
    with pytest.raises(UnreadableError, match="byte 3: expected UTF-8 text"):
        read_text(path)


def test_a_folder_and_nothing_at_all(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert refusal(tmp_path) == "is a folder; expected a file"
    assert refusal(tmp_path / "gone") == "cannot be read: there is no such file or folder"
    assert refusal(tmp_path / "file" / "below") == "cannot be read: there is no such file or folder"


@pytest.mark.parametrize(
    ("name", "said"),
    [("x" * 300, "its name is too long"), ("a\0b", "a character that no name"), ("\ud83d", "a character that no name")],
)
def test_names_that_no_file_can_have(tmp_path: Path, name: str, said: str) -> None:
    assert said in refusal(tmp_path / name)
    with pytest.raises(UnreadableError, match=said):
        status(tmp_path / name)


@needs_pipes
def test_a_pipe_is_refused_without_waiting_for_its_writer(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert refusal(pipe) == "is a pipe; expected a file"


@needs_pipes
def test_what_was_opened_counts_and_not_what_was_there_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    innocent = os.stat(tmp_path / "file")
    monkeypatch.setattr(files.os, "stat", lambda path: innocent)
    assert refusal(tmp_path / "pipe") == "is a pipe; expected a file"


@needs_devices
def test_devices_and_links_to_them(tmp_path: Path) -> None:
    link = tmp_path / "card.png"
    link.symlink_to(_ZERO)
    assert refusal(_ZERO) == refusal(link) == "is a device; expected a file"


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="this system has no sockets among its files")
def test_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket has to be short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("s")
        assert refusal("s") == "is a socket; expected a file"


def test_links_that_lead_back_to_themselves(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert "a link that leads back to itself" in refusal(tmp_path / "a")


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").touch()

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Keine Berechtigung")

    monkeypatch.setattr(files.os, "open", refuse)
    assert refusal(tmp_path / "a") == "cannot be read: permission denied"


def test_a_file_that_grows_is_read_no_further_than_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x" * 5_000_000)
    before = os.stat_result((0o100644, 1, 1, 1, 0, 0, 10, 0, 0, 0))  # as it was when it held ten bytes
    monkeypatch.setattr(files.os, "fstat", lambda handle: before)
    assert len(read_file(path)) == 5_000_000
    with pytest.raises(UnreadableError, match="holds more than the 2,000,000 bytes that are read at most"):
        read_file(path, 2_000_000)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system has no /proc")
def test_files_of_the_kernel_that_say_they_hold_nothing() -> None:
    assert b"Name:" in read_file("/proc/self/status")
    with pytest.raises(UnreadableError, match="holds more than"):
        read_file("/proc/self/status", 10)
