"""Writing files: the old one is whole until the new one is, nothing is left beside it, and sources stay as they are."""

import os
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inspector import writing
from inspector.sources import SourceProtectedError
from inspector.writing import free_name, new_file, write_file

resource = pytest.importorskip("resource", reason="kills, pipes and links as POSIX has them")

ROOT = Path(__file__).resolve().parent.parent
LARGE = b"new" * 100_000
HAS_FILES_WITHOUT_NAME = hasattr(os, "O_TMPFILE")


@pytest.fixture(params=["without a name", "with a name"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a file is before it has its place: both ways must do the same."""
    if request.param == "with a name":
        monkeypatch.setattr(writing, "_without_name", lambda *_: None)
    return request.param


@pytest.fixture
def target(tmp_path: Path) -> Path:
    file = tmp_path / "folder" / "file.txt"
    file.parent.mkdir()
    file.write_text("old")
    return file


@pytest.fixture
def small_disk() -> Iterator[None]:
    """No file may become longer than 10,000 bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def names(target: Path) -> list[str]:
    return sorted(os.listdir(target.parent))


def test_the_new_file_takes_the_place_of_the_old_one(target: Path) -> None:
    write_file(target, "newé", opened=())
    assert target.read_text("utf-8") == "newé"
    write_file(target.with_name("other"), b"\x00", opened=[target])
    assert names(target) == ["file.txt", "other"]


def test_the_old_file_is_there_until_the_new_one_is_whole(target: Path, way: str) -> None:
    with new_file(target, opened=()) as file:
        file.write(LARGE)
        file.flush()
        assert target.read_text() == "old"
        if way == "without a name" and HAS_FILES_WITHOUT_NAME:
            assert names(target) == ["file.txt"]
    assert target.read_bytes() == LARGE


def test_a_full_disk_leaves_the_old_file_and_names_it(target: Path, small_disk: None) -> None:
    with pytest.raises(OSError, match="File too large") as raised:
        write_file(target, LARGE, opened=())
    assert raised.value.filename == str(target)
    assert target.read_text() == "old"
    assert names(target) == ["file.txt"]


@pytest.mark.parametrize("step", ["fsync", "replace", "fchmod"])
def test_whatever_fails_leaves_the_old_file(target: Path, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(OSError, match="No space left") as raised:
        write_file(target, b"new", opened=())
    assert raised.value.filename == str(target)
    assert target.read_text() == "old"
    assert names(target) == ["file.txt"]


def write_and_fail(path: Path, error: BaseException, aside: Path | None = None, flushed: bytes = b"") -> None:
    with new_file(path, [], aside) as file:
        file.write(flushed)
        file.flush()
        file.write(b"half of")
        raise error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_while_writing_leaves_nothing(target: Path, error: type[BaseException]) -> None:
    with pytest.raises(error):
        write_and_fail(target, error())
    assert target.read_text() == "old"
    assert names(target) == ["file.txt"]


def test_what_was_written_until_an_error_is_kept_aside_where_that_is_asked(target: Path) -> None:
    aside = target.with_name("file.interrupted.txt")
    with pytest.raises(KeyboardInterrupt):
        write_and_fail(target, KeyboardInterrupt(), aside)
    assert names(target) == ["file.txt"], "nothing was flushed"
    with pytest.raises(KeyboardInterrupt):
        write_and_fail(target, KeyboardInterrupt(), aside, b"so far")
    assert (target.read_text(), aside.read_text()) == ("old", "so far")
    assert names(target) == ["file.interrupted.txt", "file.txt"]


def test_what_is_kept_aside_is_no_opened_file_either(target: Path) -> None:
    with pytest.raises(SourceProtectedError), new_file(target.with_name("new"), [target], target):
        pass
    assert target.read_text() == "old"


def test_what_is_kept_aside_of_a_full_disk_is_whole(target: Path, small_disk: None) -> None:
    aside = target.with_name("aside")
    row = b"row " * 250 + b"\n"

    def write_rows(rows: list[bytes]) -> None:
        with new_file(target, [], aside) as file:
            for one in rows:
                file.write(one)
                file.flush()

    with pytest.raises(OSError, match="File too large"):
        write_rows([LARGE])
    assert names(target) == ["file.txt"]
    with pytest.raises(OSError, match="File too large"):
        write_rows([row] * 20)
    assert aside.read_bytes() == row * 9
    assert names(target) == ["aside", "file.txt"]


def test_a_name_as_long_as_they_can_be(target: Path) -> None:
    longest = target.with_name("x" * 255)
    write_file(longest, "new", opened=())
    assert longest.read_text() == "new"


@pytest.mark.parametrize("name", ["nowhere/file", "file.txt/file", "x" * 256])
def test_a_place_that_cannot_be_is_named_as_it_was_given(target: Path, name: str) -> None:
    path = target.parent / name
    with pytest.raises(OSError, match=r"No such file|Not a directory|too long") as raised:
        write_file(path, "new", opened=())
    assert raised.value.filename == str(path)


# Links, permissions and owner


def test_what_a_link_stands_for_is_written(target: Path) -> None:
    link = target.with_name("link")
    link.symlink_to(target.name)
    dangling = target.with_name("dangling")
    dangling.symlink_to("made.txt")
    for name in (link, dangling):
        write_file(name, "new", opened=())
        assert name.is_symlink()
    assert target.read_text() == target.with_name("made.txt").read_text() == "new"


def test_a_link_that_is_turned_to_a_source_after_it_was_looked_at_leads_nowhere(
    target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, link, refuse = tmp_path / "source.txt", tmp_path / "link", writing.refuse_opened
    source.write_text("mine")
    link.symlink_to(target)

    def turn(*given: Any, **named: Any) -> None:
        refuse(*given, **named)
        link.unlink()
        link.symlink_to(source)

    monkeypatch.setattr(writing, "refuse_opened", turn)
    write_file(link, "new", [source])
    assert (source.read_text(), target.read_text()) == ("mine", "new")


@pytest.mark.parametrize("step", ["refuse_opened", "_without_name", "_take_owner_and_permissions"])
def test_a_folder_that_is_exchanged_for_that_of_a_source_is_not_written_to(
    target: Path, tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs, moved, known = tmp_path / "theirs", tmp_path / "moved", getattr(writing, step)
    theirs.mkdir()
    source = theirs / target.name
    source.write_text("mine")

    def exchange(*given: Any, **named: Any) -> Any:
        found = known(*given, **named)
        if not moved.exists():
            target.parent.rename(moved)
            target.parent.symlink_to(theirs)
        return found

    monkeypatch.setattr(writing, step, exchange)
    if step == "refuse_opened":
        with pytest.raises(SourceProtectedError, match="by now"):
            write_file(target, "new", [source])
    else:
        write_file(target, "new", [source])
    assert source.read_text() == "mine"
    assert (moved / target.name).read_text() == ("old" if step == "refuse_opened" else "new")
    assert os.listdir(theirs) == os.listdir(moved) == [target.name]


def test_a_source_that_comes_to_the_place_meanwhile_stays(target: Path, tmp_path: Path) -> None:
    source = tmp_path / "source.txt"
    source.write_text("mine")

    def write_meanwhile() -> None:
        with new_file(target, [source]) as file:
            file.write(b"new")
            target.unlink()
            os.link(source, target)

    with pytest.raises(SourceProtectedError, match="by now"):
        write_meanwhile()
    assert (source.read_text(), names(target)) == ("mine", ["file.txt"])


def test_a_link_to_itself_is_an_error(target: Path) -> None:
    circle = target.with_name("circle")
    circle.symlink_to("circle")
    with pytest.raises(OSError, match="symbolic links"):
        write_file(circle, "new", opened=())


def test_permissions_stay_and_new_files_have_the_usual_ones(target: Path) -> None:
    target.chmod(0o640)
    write_file(target, "new", opened=())
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    usual, new = target.with_name("usual"), target.with_name("new")
    usual.touch()
    write_file(new, "new", opened=())
    assert new.stat().st_mode == usual.stat().st_mode


def test_what_replaces_a_private_file_is_private_from_its_first_byte(target: Path) -> None:
    target.chmod(0o600)
    with new_file(target, opened=()) as file:
        assert stat.S_IMODE(os.fstat(file.fileno()).st_mode) == 0o600


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only an administrator gives files away")
def test_the_owner_stays(target: Path) -> None:
    os.chown(target, 1234, 5678)
    write_file(target, "new", opened=())
    assert (target.stat().st_uid, target.stat().st_gid) == (1234, 5678)


def test_a_file_that_is_read_only_stays(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # whoever runs the tests may be allowed everything
    with pytest.raises(PermissionError):
        write_file(target, "new", opened=())
    assert target.read_text() == "old"


# What is no file


def test_a_folder_and_a_socket_are_refused(target: Path) -> None:
    with pytest.raises(IsADirectoryError):
        write_file(target.parent, "new", opened=())
    path = target.with_name("socket")
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))
        with pytest.raises(OSError, match="neither a file nor a stream"):
            write_file(path, "new", opened=())
    assert stat.S_ISSOCK(path.stat().st_mode)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_device_takes_the_content_as_it_comes(target: Path) -> None:
    write_file("/dev/null", LARGE, opened=())
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with pytest.raises(OSError, match="No space left") as raised:
        write_file("/dev/full", "new", opened=())
    assert raised.value.filename == "/dev/full"
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_a_pipe_that_nobody_reads_is_an_error_and_no_standstill(target: Path) -> None:
    pipe = target.with_name("pipe")
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="Is a pipe that nobody reads") as raised:
        write_file(pipe, "new", opened=())
    assert raised.value.filename == str(pipe)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_pipe_that_somebody_reads_gets_everything(target: Path) -> None:
    pipe = target.with_name("pipe")
    os.mkfifo(pipe)
    read: list[bytes] = []
    with os.fdopen(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), "rb") as reading:
        os.set_blocking(reading.fileno(), True)
        reader = threading.Thread(target=lambda: read.append(reading.read()))
        with new_file(pipe, opened=()) as file:
            reader.start()
            file.write(LARGE)
        reader.join()
    assert read == [LARGE]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_is_written_to_even_where_it_is_a_file(target: Path, name: str) -> None:
    if not os.path.exists(name):
        pytest.skip(f"there is no {name} here")
    write = f"from inspector.writing import write_file; write_file({name!r}, 'new', ())"
    with target.open("ab") as out:
        subprocess.run([sys.executable, "-c", write], stdout=out, check=True)
    assert target.read_text() == "oldnew"
    assert subprocess.run([sys.executable, "-c", write], capture_output=True, check=True).stdout == b"new"


# Killed writers


def killed(way: str, kind: str, target: Path) -> None:
    subprocess.run([sys.executable, "-m", "tests.killed_writers", way, kind, str(target)], cwd=ROOT, check=True)


@pytest.mark.parametrize("kind", ["at_every_line", "at_random_moments"])
def test_after_a_kill_the_file_is_whole_and_the_next_writing_removes_what_is_left(
    target: Path, way: str, kind: str
) -> None:
    killed(way, kind, target)
    write_file(target, "new", opened=())
    assert names(target) == ["file.txt"]


@pytest.mark.skipif(not HAS_FILES_WITHOUT_NAME, reason="only where files need no name")
def test_of_what_is_killed_in_the_middle_nothing_is_left_at_all(target: Path, way: str) -> None:
    killed(way, "in_the_middle", target)
    assert target.read_text() == "old"
    assert len(names(target)) == (2 if way == "with a name" else 1)


def test_what_another_one_is_writing_is_not_taken_for_left_over(target: Path) -> None:
    with new_file(target, opened=()) as file:
        file.write(b"first")
        file.flush()
        write_file(target.with_name("other"), "second", opened=())
    assert (target.read_text(), target.with_name("other").read_text()) == ("first", "second")
    assert names(target) == ["file.txt", "other"]


def test_only_files_are_taken_for_left_over(target: Path) -> None:
    precious = target.with_name("precious")
    precious.write_text("precious")
    target.with_name(".prompt-inspector-1.part").symlink_to(precious)
    target.with_name(".prompt-inspector-2.part").mkdir()
    os.mkfifo(target.with_name(".prompt-inspector-3.part"))
    write_file(target, "new", opened=())
    assert precious.read_text() == "precious"
    assert len(names(target)) == 5


# Free names


def test_a_free_name_is_the_first_at_which_there_is_nothing(tmp_path: Path) -> None:
    wanted = tmp_path / "a.b.png"
    assert free_name(wanted) == wanted
    wanted.symlink_to("nowhere")
    assert free_name(wanted).name == "a.b-2.png"
    (tmp_path / "a.b-2.png").mkdir()
    assert free_name(wanted).name == "a.b-3.png"
    assert free_name(wanted, lambda file: file.is_dir()).name == "a.b-2.png"
