"""The recorded file, written beside the traffic: on one thread of its own, a line for each exchange that ended."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Lock

from inspector.recording.exchange import Exchange
from inspector.recording.record import line_of
from inspector.writing import Lines

MOST_WAITING = 512 << 20
"""The most bytes of exchanges that wait to be written: a disk that stands still is not waited for."""


class RecordedFile:
    """A file of recorded exchanges. Writing never disturbs the traffic: a line that cannot be written is left out.

    `report` is called on the writing thread, with a sentence, when a disk refuses lines and when it takes them again.
    `written` and `lost` count exchanges.
    """

    def __init__(self, path: Path, mask: bool, report: Callable[[str], None]) -> None:
        self._lines = Lines(path)
        self._path, self._mask, self._report = path, mask, report
        self._thread = ThreadPoolExecutor(1, "recorded-file")
        self._waiting, self._counting = 0, Lock()
        self._lost_in_a_row = 0
        self.written = 0
        self.lost = 0

    def keep(self, exchange: Exchange) -> None:
        """Take an exchange that ended, to be written as soon as possible. Returns at once."""
        size = exchange.size
        if self._waiting + size > MOST_WAITING:
            self._thread.submit(self._lose, "too many requests wait for the disk")
            return
        with self._counting:
            self._waiting += size
        self._thread.submit(self._write, exchange, size).add_done_callback(self._report_defect)

    def close(self) -> None:
        """Write everything that waits, and close the file."""
        self._thread.shutdown()
        self._lines.close()

    def _write(self, exchange: Exchange, size: int) -> None:
        try:
            self._lines.append(line_of(exchange, self._mask))
        except OSError as error:
            self._lose(error.strerror or str(error))
        else:
            self.written += 1
            self._found_room()
        finally:
            with self._counting:
                self._waiting -= size

    def _report_defect(self, done: Future[None]) -> None:
        """Report a line that a fault of this program lost."""
        if (defect := done.exception()) is not None:
            self.lost += 1
            self._report(f"a request was not recorded, by a fault of this program: {type(defect).__name__}: {defect}")

    def _lose(self, reason: str) -> None:
        self.lost += 1
        self._lost_in_a_row += 1
        if self._lost_in_a_row == 1:
            self._report(f"{self._path}: cannot be written: {reason}; requests pass on, and are not recorded")

    def _found_room(self) -> None:
        if self._lost_in_a_row:
            many = "1 request was" if self._lost_in_a_row == 1 else f"{self._lost_in_a_row:,} requests were"
            self._report(f"{self._path}: is written again; {many} not recorded")
            self._lost_in_a_row = 0
