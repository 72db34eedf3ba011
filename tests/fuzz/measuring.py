"""Limits and figures of this process: memory at its highest, seconds of the processor. Where a system lacks them: 0."""

import faulthandler
import os
import signal
import sys
import time
from pathlib import Path
from typing import TextIO

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")
_FORGET_PEAK = "5"
_FILE_BYTES = 2_000_000_000


def limit_memory(address_space: int) -> None:
    """Let this process map no more than so many bytes, and write no larger files."""
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_FILE_BYTES, _FILE_BYTES))


def watch_signals(log: TextIO) -> None:
    """Have every thread's frames written to a log where this process ends by a signal, or works too long."""
    faulthandler.enable(log)
    if sys.platform == "win32":
        return
    faulthandler.register(signal.SIGXCPU, log, all_threads=True, chain=True)
    faulthandler.register(signal.SIGPROF, log, all_threads=True)
    os.setpgid(0, 0)


def allow_seconds(seconds: float) -> None:
    """Write down where this process is once it has used so many more seconds of the processor, and end it at twice
    as many."""
    if sys.platform == "win32":
        return
    import resource

    signal.setitimer(signal.ITIMER_PROF, seconds)
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + 2 * seconds) + 1, most))


def forget_peak() -> int:
    """Begin to look for the highest memory from now on; the bytes that are in use now."""
    if not _CLEAR.exists():
        return 0
    _CLEAR.write_text(_FORGET_PEAK)
    return _kilobytes("VmRSS:") * 1024


def peak() -> int:
    """The most bytes that were in use since `forget_peak`."""
    return _kilobytes("VmHWM:") * 1024 if _CLEAR.exists() else 0


def _kilobytes(name: str) -> int:
    for line in _STATUS.read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1])
    return 0
