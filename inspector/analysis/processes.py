"""Worker processes that end with their owner."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Thread


@contextmanager
def processes(number: int) -> Iterator[Executor]:
    """Yield an executor of processes. They end with the block, and if this process is killed, whatever they are
    doing.
    """
    context = get_context("spawn")
    listens, held = context.Pipe(duplex=False)
    executor = ProcessPoolExecutor(number, context, initializer=_begin, initargs=(listens,))
    try:
        yield executor
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        held.close()


def _begin(listens: Connection) -> None:
    """Leave Ctrl+C, which reaches every process of a terminal, to the owner of this process, and listen."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with, args=(listens,), daemon=True).start()


def _end_with(listens: Connection) -> None:
    """End this process once the other end of the pipe is closed: nothing is ever sent through it."""
    with suppress(EOFError, OSError):
        listens.recv_bytes()
    os._exit(0)
