"""Sweeps that are killed: `python -m tests.killed_sweeps FOLDER OUT KILLS`, and the rows are in OUT at the end.

Run apart from the tests, whose process has threads and must not fork. So many are killed after a part or two, wherever
they are then, and as many as `AT_THE_END` when all parts are there.
"""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from tests.archives import files_in, steps, work

AT_THE_END = 3


def main(folder: Path, out: Path, kills: int) -> None:
    """Kill and begin again, then let one come to its end."""
    total, told = len(files_in(folder)), 0
    _ = work().schema  # what is imported now need not be by each of them
    for _ in range(kills):
        before, told = told, _killed_after(folder, out, lambda number, done: number == 2)
        assert before < told < total, f"{told} of {total} parts of the work are done, and were {before} before"
    for _ in range(AT_THE_END):
        _killed_after(folder, out, lambda number, done: done == total)
    assert os.waitpid(_begun(folder, out)[0], 0)[1] == 0


def _killed_after(folder: Path, out: Path, is_enough: Callable[[int, int], bool]) -> int:
    """Kill a sweep when it has said enough; how many files it said were done."""
    child, heard = _begun(folder, out)
    done = 0
    with os.fdopen(heard) as lines:
        for number, line in enumerate(lines):
            done = int(line)
            if is_enough(number, done):
                break
        os.kill(child, signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL, "it was killed before its end"
    return done


def _begun(folder: Path, out: Path) -> tuple[int, int]:
    """A process that sweeps, and what it writes to after each step."""
    heard, said = os.pipe()
    child = os.fork()
    if child:
        os.close(said)
        return child, heard
    os.close(heard)
    for step in steps(folder, out):
        os.write(said, f"{step.done}\n".encode())
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
