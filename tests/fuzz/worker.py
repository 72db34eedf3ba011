"""The campaign's side of a worker: a process that is sent inputs, watched, and begun anew where it ends or hangs."""

import contextlib
import multiprocessing
import os
import signal
import sys
import time
from pathlib import Path

from tests.fuzz.child import STDERR, serve
from tests.fuzz.frames import innermost_dumped, shortened
from tests.fuzz.outcome import Input, Limits, Outcome

_SPAWN = multiprocessing.get_context("spawn")
_TURNS = 3_000
_LAST_WORDS_SECONDS = 5


class Worker:
    """One process at a time. `folder` is its own; `turns` inputs are tried before it is begun anew."""

    def __init__(self, folder: Path, limits: Limits, turns: int = _TURNS) -> None:
        self.folder, self.limits, self._most = folder, limits, turns
        folder.mkdir(parents=True, exist_ok=True)
        self._turns = 0
        self._start()

    def _start(self) -> None:
        self.connection, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=serve, args=(theirs, str(self.folder), self.limits), daemon=True)
        self._process.start()
        theirs.close()
        self._turns = 0

    def send(self, target: str, tried: Input) -> None:
        """Begin to try an input; `connection` can be read once there is an outcome, or the process has ended."""
        if self._turns >= self._most:
            self.stop()
            self._start()
        self._turns += 1
        self._sent = time.monotonic()
        self.connection.send((target, tried))

    @property
    def seconds_left(self) -> float:
        """How long the input at hand may still take by the clock."""
        return max(0.0, self._sent + self.limits.clock_seconds - time.monotonic())

    def outcome(self) -> Outcome:
        """What came of the input that was sent, waiting for it as long as it may take."""
        try:
            if self.connection.poll(self.seconds_left):
                return self.connection.recv()
            ended = self._end_hanging()
        except (EOFError, OSError):
            ended = self._ended()
        self._start()
        return ended

    def _end_hanging(self) -> Outcome:
        self._signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGXCPU)
        self._process.join(_LAST_WORDS_SECONDS)
        self.stop()
        dump = self._last_words()
        detail = f"no answer within {self.limits.clock_seconds:g} s by the clock\n{dump}"
        return Outcome("hang", "waits", innermost_dumped(dump), detail, self.limits.clock_seconds)

    def _ended(self) -> Outcome:
        self._process.join()
        code = self._process.exitcode or 0
        self._end_group()
        dump = self._last_words()
        name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        if name == "SIGXCPU":
            return Outcome("hang", "works on", innermost_dumped(dump), dump, self.limits.seconds)
        return Outcome("death", name, innermost_dumped(dump), dump)

    def _last_words(self) -> str:
        with contextlib.suppress(OSError):
            return shortened((self.folder / STDERR).read_text("utf-8", "replace"))
        return ""

    def _signal(self, number: signal.Signals) -> None:
        if self._process.pid is not None and self._process.is_alive():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, number)

    def stop(self) -> None:
        """End the process, and with it all that it has begun."""
        self._end_group()
        self._process.kill()
        self._process.join()
        self.connection.close()

    def _end_group(self) -> None:
        """End what the process has begun, such as those that render templates; it leads a group of its own."""
        if self._process.pid is not None and sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
