"""Targets that misbehave, each in its way: what the fuzzer itself is tried on."""

import ctypes
import logging
import os
import sys
import tempfile
import threading
import warnings
from pathlib import Path

from tests.fuzz.outcome import Input
from tests.fuzz.target import Run, Target

TROUBLE = "trouble/"
"""What their names begin with."""
MEMORY_BYTES = 200_000_000


def fail(file: Path, scratch: Path) -> None:
    """Raise for a file that holds an x."""
    if b"x" in file.read_bytes():
        raise ValueError("there is an x")


def log_failure(file: Path, scratch: Path) -> None:
    """Catch what was raised, and write it into the log of the program."""
    try:
        fail(file, scratch)
    except ValueError:
        logging.getLogger("inspector.trouble").exception("caught")


def warn(file: Path, scratch: Path) -> None:
    """Warn."""
    warnings.warn("take care", RuntimeWarning, stacklevel=1)


def work_on(file: Path, scratch: Path) -> None:
    """Use the processor without end."""
    while True:
        sum(range(1_000))


def wait(file: Path, scratch: Path) -> None:
    """Wait without end."""
    threading.Event().wait()


def take_memory(file: Path, scratch: Path) -> None:
    """Take much memory and let go of it."""
    sys.stdout.write(str(len(bytes(1) * MEMORY_BYTES)))


def crash(file: Path, scratch: Path) -> None:
    """End the process as a library written in C does."""
    ctypes.string_at(0)


def change_source(file: Path, scratch: Path) -> None:
    """Write into the file that was opened."""
    file.write_bytes(b"changed")


def leave_log(file: Path, scratch: Path) -> None:
    """Leave a file beside the one that was opened."""
    file.with_name(f"{file.name}-journal").write_bytes(b"")


def leave_temporary(file: Path, scratch: Path) -> None:
    """Leave a temporary file."""
    os.close(tempfile.mkstemp()[0])


_RUNS: tuple[Run, ...] = (
    *(fail, log_failure, warn, work_on, wait, take_memory, crash, change_source, leave_log, leave_temporary),
)
TROUBLES = tuple(Target(f"{TROUBLE}{run.__name__}", lambda: (Input("a.txt", b"a\nx\n"),), run) for run in _RUNS)
