"""A worker's side: runs one target on one input after another, and says what came of each."""

import io
import logging
import os
import shutil
import socket
import sys
import tempfile
import time
import traceback
import warnings
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from tests.fuzz import measuring
from tests.fuzz.frames import innermost, innermost_dumped, shortened
from tests.fuzz.outcome import BrokenPromiseError, Input, Limits, Outcome
from tests.fuzz.target import Target

STDERR = "stderr.txt"
_Raised = tuple[type[BaseException], BaseException, TracebackType | None]


def serve(connection: Connection, folder: str, limits: Limits) -> None:
    """Answer each (name of a target, input) with an outcome until None comes. `folder` is this worker's alone."""
    home = Path(folder)
    _make_private(home)
    log = (home / STDERR).open("w", encoding="utf-8")
    os.dup2(log.fileno(), 2)
    measuring.limit_memory(limits.address_space)
    measuring.watch_signals(log)
    from tests.fuzz.registry import target_named

    runner = Runner(home, limits, log)
    while (asked := connection.recv()) is not None:
        name, tried = asked
        connection.send(runner.outcome(target_named(name), tried))


def _make_private(home: Path) -> None:
    """A home, a cache and a temporary folder of its own, no display, no network, and warnings that are errors."""
    for name in ("HOME", "USERPROFILE", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        folder = home / name.lower()
        folder.mkdir(parents=True, exist_ok=True)
        os.environ[name] = str(folder)
    os.environ.update(QT_QPA_PLATFORM="offscreen", HF_HUB_OFFLINE="1", COLUMNS="100", NO_COLOR="1")
    os.environ.pop("TIKTOKEN_CACHE_DIR", None)
    temporary = home / "temporary"
    temporary.mkdir(exist_ok=True)
    os.environ["TMPDIR"] = tempfile.tempdir = str(temporary)
    socket.socket.connect = _refuse_network  # type: ignore[method-assign]
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    warnings.filterwarnings("ignore", category=ResourceWarning)


def _refuse_network(self: socket.socket, address: Any) -> None:
    raise BrokenPromiseError("a network was asked", str(address))


class _Logged(logging.Handler):
    """Keeps the exceptions that the program caught and wrote into its log: those are defects, too."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.raised: list[_Raised] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[0] is not None:
            self.raised.append(record.exc_info)


class Runner:
    """Runs targets in this process, in folders below `home`. `log` is the file that standard error goes to."""

    def __init__(self, home: Path, limits: Limits, log: TextIO | None = None) -> None:
        self._log = log
        self._sources, self._scratch = home / "sources", home / "scratch"
        self._temporary = home / "temporary"
        self._limits = limits
        self._logged = _Logged()
        self._warm: set[str] = set()
        logger = logging.getLogger("inspector")
        logger.propagate = False
        logger.addHandler(self._logged)

    def outcome(self, target: Target, tried: Input) -> Outcome:
        """What comes of an input; a target that was never run before is run on a sound one first."""
        if target.name not in self._warm:
            self._warm.add(target.name)
            if target.seeds():
                self._measured(target, target.seeds()[0])
        return self._measured(target, tried)

    def _measured(self, target: Target, tried: Input) -> Outcome:
        seconds = self._limits.seconds * target.patience
        file = self._place(tried)
        before = _contents(self._sources)
        self._forget_written()
        measuring.allow_seconds(seconds)
        idle, begun = measuring.forget_peak(), time.process_time()
        raised = self._run(target, file)
        used, growth = time.process_time() - begun, max(0, measuring.peak() - idle)
        measuring.allow_seconds(600)
        raised = raised or self._broken(before)
        if raised is not None:
            return _exception(raised, used, growth)
        if used > seconds:
            dump = Path(self._log.name).read_text("utf-8", "replace") if self._log else ""
            return Outcome(
                "hang", "slow", innermost_dumped(dump), f"{used:.1f} s of the processor\n{dump}", used, growth
            )
        if growth > self._limits.growth:
            return Outcome("memory", "memory", target.name, f"{growth / 1e6:,.0f} MB", used, growth)
        return Outcome("fine", seconds=used, growth=growth)

    def _place(self, tried: Input) -> Path:
        """The file of an input, alone in its folder."""
        for folder in (self._sources, self._scratch):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        file = self._sources / tried.name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(tried.data)
        return file

    def _run(self, target: Target, file: Path) -> _Raised | None:
        self._logged.raised.clear()
        told, sys.stdout = sys.stdout, io.StringIO()
        try:
            target.run(file, self._scratch)
        except KeyboardInterrupt:
            raise
        except BaseException as problem:  # noqa: BLE001 - whatever it is, it is what is looked for here
            self._logged.raised.append((type(problem), problem, problem.__traceback__))
        finally:
            sys.stdout = told
        return self._logged.raised[0] if self._logged.raised else None

    def _forget_written(self) -> None:
        """Empty the log, so that what stands in it is of one input."""
        if self._log is not None:
            self._log.flush()
            os.lseek(2, 0, os.SEEK_SET)
            os.ftruncate(2, 0)

    def _broken(self, before: dict[str, bytes]) -> _Raised | None:
        """What was written or left where nothing may be."""
        problem = None
        if _contents(self._sources) != before:
            problem = BrokenPromiseError("a source was changed", str(sorted(_contents(self._sources))))
        if left := sorted(path.name for path in self._temporary.iterdir()):
            problem = BrokenPromiseError("temporary files were left", str(left))
            shutil.rmtree(self._temporary, ignore_errors=True)
            self._temporary.mkdir()
        return None if problem is None else (type(problem), problem, None)


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _exception(raised: _Raised, used: float, growth: int) -> Outcome:
    kind, problem, trace = raised
    what = problem.promise if isinstance(problem, BrokenPromiseError) else kind.__name__
    detail = shortened("".join(traceback.format_exception(kind, problem, trace, chain=False)))
    return Outcome("exception", what, innermost(trace), detail, used, growth)
