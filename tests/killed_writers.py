"""Writers that are killed, each in a process of its own: `python -m tests.killed_writers WAY KIND FILE`.

Run apart from the tests, whose process has threads and must not fork. Ends with an error where a file was torn.
"""

import os
import random
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from inspector import writing
from inspector.writing import new_file, write_file

LARGE = b"new" * 100_000
_LETTERS = (b"a" * 1_000_000, b"b" * 1_000_000)


def at_every_line(file: Path) -> None:
    """Kill the writer at its first line, at its second, … until it comes to its end."""
    number = left = 0
    while _ending_of(lambda number=number: _write_until_line(file, number)):
        assert file.read_bytes() in (b"old", LARGE), f"torn at line {number}"
        left += len(list(file.parent.iterdir())) > 1
        number += 1
        if number % 10 == 0:
            write_file(file, "old", opened=())
            assert list(file.parent.iterdir()) == [file], f"something was left at line {number}"
    assert number > 40, "it was killed at all of its lines"
    assert left, "there was something to remove"


def at_random_moments(file: Path) -> None:
    """Kill forty writers who write again and again."""
    for _ in range(40):
        heard, said = os.pipe()
        child = os.fork()
        if child == 0:
            _write_again_and_again(file, said)
        for _ in range(random.randrange(1, 5)):
            os.read(heard, 1)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(heard)
        os.close(said)
        assert file.read_bytes() in _LETTERS, "torn"


def in_the_middle(file: Path) -> None:
    """Kill a writer before all is written."""

    def write() -> None:
        with new_file(file, opened=()) as content:
            content.write(LARGE)
            content.flush()
            os.kill(os.getpid(), signal.SIGKILL)

    assert _ending_of(write) == signal.SIGKILL


def _ending_of(work: Callable[[], None]) -> int:
    """What ended a process that does this; 0 where it came to its end."""
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    return os.waitpid(child, 0)[1]


def _write_until_line(file: Path, number: int) -> None:
    """Write, and be killed at that line of the module that writes, counted as they are run."""
    left = number

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        if frame.f_code.co_filename != writing.__file__:
            return None
        if event == "line":
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace

    sys.settrace(trace)
    write_file(file, LARGE, opened=())
    sys.settrace(None)


def _write_again_and_again(file: Path, said: int) -> None:
    while True:
        for content in _LETTERS:
            write_file(file, content, opened=())
            os.write(said, b".")


if __name__ == "__main__":
    way, kind, place = sys.argv[1:]
    if way == "with a name":
        writing._without_name = lambda *_: None  # type: ignore[assignment]
    {kind.__name__: kind for kind in (at_every_line, at_random_moments, in_the_middle)}[kind](Path(place))
