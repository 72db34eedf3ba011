"""The slow tests, which `make test` leaves to `make test-slow`; CI runs both.

`slow.txt` lists them by function: those that take half a second of the processor or more, and those whose cases
together take over eight. `python -m tests.slow [FOLDER…]` runs the tests, here in one process, and writes the list
anew; with folders, only the part of the list that is of those.
"""

import os
import sys
from collections import defaultdict
from collections.abc import Generator, Sequence
from pathlib import Path

import pytest

LIST = Path(__file__).with_name("slow.txt")
_ONE, _ALL = 0.5, 8.0  # seconds of the processor


def listed() -> frozenset[str]:
    """The slow tests: `tests/folder/test_module.py::test_name`."""
    return frozenset(LIST.read_text("utf-8").split())


def function_of(node: str) -> str:
    """The test function of a test: without its parameters."""
    return node.partition("[")[0]


class Meter:
    """Measures what each test takes of the processor, with the processes that it waits for."""

    def __init__(self) -> None:
        self._seconds: dict[str, list[float]] = defaultdict(list)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        begun = _used()
        outcome = yield
        self.take(item.nodeid, _used() - begun)
        return outcome

    def take(self, node: str, seconds: float) -> None:
        """Take in that a test took so many seconds of the processor."""
        self._seconds[function_of(node)].append(seconds)

    def slow(self) -> list[str]:
        """The slow ones among the tests that were run."""
        return [
            name
            for name, seconds in self._seconds.items()
            if sum(seconds) >= _ALL or sum(seconds) / len(seconds) >= _ONE
        ]


def _used() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def main(folders: Sequence[str]) -> int:
    """Run the tests and write the list."""
    meter = Meter()
    outcome = pytest.main(["-q", *folders], plugins=[meter])
    kept = (name for name in listed() if folders and not name.startswith(tuple(folders)))
    LIST.write_text("".join(f"{name}\n" for name in sorted({*kept, *meter.slow()})), "utf-8")
    return int(outcome)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
