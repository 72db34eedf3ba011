"""The log: nothing depends on it, and where it cannot be kept one line says so."""

import logging
import os
from collections.abc import Callable, Iterator
from io import FileIO, TextIOWrapper
from pathlib import Path

import pytest

from inspector.log import Log
from inspector.settings import log_file, start_log

Spoil = Callable[[Path], object]


@pytest.fixture
def logger(tmp_path: Path) -> Iterator[logging.Logger]:
    made = logging.Logger("inspector.test")
    made.addHandler(Log(tmp_path / "state" / "some.log"))
    yield made
    made.handlers[0].close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "some.log"


def a_file_for_a_folder(path: Path) -> None:
    path.parent.write_text("")


def a_folder(path: Path) -> None:
    path.mkdir(parents=True)


def a_pipe(path: Path) -> None:
    path.parent.mkdir()
    os.mkfifo(path)


def a_pipe_that_is_read(path: Path) -> int:
    a_pipe(path)
    return os.open(path, os.O_RDONLY | os.O_NONBLOCK)


def a_device(path: Path) -> None:
    path.parent.mkdir()
    path.symlink_to("/dev/full")


def a_folder_that_is_a_device(path: Path) -> None:
    path.parent.symlink_to("/dev/full")


def a_link_to_itself(path: Path) -> None:
    path.parent.mkdir()
    path.symlink_to(path.name)


@pytest.mark.parametrize(
    "spoil",
    [
        *(a_file_for_a_folder, a_folder, a_pipe, a_pipe_that_is_read, a_device, a_folder_that_is_a_device),
        a_link_to_itself,
    ],
)
def test_a_log_that_cannot_be_is_said_once(
    logger: logging.Logger, path: Path, spoil: Spoil, capsys: pytest.CaptureFixture[str]
) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("pipes and devices as POSIX has them")
    held = spoil(path)
    for number in range(5):
        logger.warning("record %d", number)
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.splitlines()
    assert line.startswith(f"prompt-inspector: {path}: no log is kept: ")
    if isinstance(held, int):
        os.close(held)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_full_disk_is_said_once_and_the_log_goes_on_when_there_is_room(
    logger: logging.Logger, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Log, "_open", lambda _: TextIOWrapper(FileIO("/dev/full", "a")))
        for number in range(5):
            logger.warning("record %d %s", number, "x" * 10_000)
    assert capsys.readouterr().err == f"prompt-inspector: {path}: no log is kept: No space left on device\n"
    logger.warning("after")
    assert path.read_text().endswith("after\n")


def test_a_record_that_cannot_be_written_is_one_line_too(
    logger: logging.Logger, capsys: pytest.CaptureFixture[str]
) -> None:
    logger.warning("%d", "no number")
    logger.warning("%d", "no number")
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_what_a_file_says_is_no_command_in_the_log(logger: logging.Logger, path: Path) -> None:
    logger.warning("a\x1b[2Jb\u202e")
    assert "a⟦U+001B⟧[2Jb⟦RLO⟧\n" in path.read_text("utf-8")


def test_the_program_keeps_this_log_and_begins_it_with_the_first_record(private_home: Path) -> None:
    logger = logging.getLogger("inspector")
    before = (logger.level, logger.propagate, logger.handlers[:])
    start_log()
    try:
        assert not log_file().exists()
        logging.getLogger("inspector.anything").warning("said")
        assert "WARNING inspector.anything: said" in log_file().read_text()
    finally:
        logger.handlers[-1].close()
        logger.level, logger.propagate, logger.handlers[:] = before
