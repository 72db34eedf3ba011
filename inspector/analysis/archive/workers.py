"""The workers of an archive: this process, processes of this machine, or a Dask cluster. Each is an executor of
concurrent.futures, so that the rest of the code does not distinguish them.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from inspector.analysis.processes import processes
from inspector.extras import install_command

_EACH_HAS = 2
"""The number of chunks handed out for each worker, so that none waits for the next chunk."""
_LOCAL = "local:"
_ANSWER_SECONDS = 30
_WITHOUT_GUARD = (
    "worker processes end as they begin. Each of them imports the script that runs, which therefore has to keep all "
    'that it does under: if __name__ == "__main__":'
)


class NoWorkersError(Exception):
    """A cluster is unavailable; the message is the reason."""


class NoProcessesError(NoWorkersError):
    """Worker processes end at their start; the message is advice."""


@dataclass(frozen=True, slots=True)
class Team:
    """Started workers: their executor, the number of chunks they take at once, and the errors of a lost worker."""

    executor: Executor
    at_once: int
    lost: tuple[type[BaseException], ...] = ()


Begin = Callable[[], AbstractContextManager[Team]]
"""Starts the workers, again after a loss; they end with the block."""


class _Here(Executor):
    """This process, which runs every task immediately."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as problem:  # noqa: BLE001 - raised where the result is asked for
            future.set_exception(problem)
        return future


def worker_processes(number: int) -> Begin:
    """Return processes of this machine; for 1, this process itself."""
    return _here if number < 2 else partial(_processes, number)


@contextmanager
def _here() -> Iterator[Team]:
    yield Team(_Here(), 1)


def _begin() -> None:
    """Do nothing, as a test that a process can work at all."""


@contextmanager
def _processes(number: int) -> Iterator[Team]:
    from concurrent.futures.process import BrokenProcessPool

    with processes(number) as executor:
        try:
            executor.submit(_begin).result()
        except BrokenProcessPool:
            raise NoProcessesError(_WITHOUT_GUARD) from None
        yield Team(executor, _EACH_HAS * number, (BrokenProcessPool,))


def cluster(address: str) -> Begin:
    """Return the workers of a Dask scheduler (`tcp://…`), or Dask processes of this machine (`local:N`).

    Raise NoWorkersError for an invalid address, and if the package distributed is not installed; starting them raises
    it if the scheduler does not answer.
    """
    if find_spec("distributed") is None:
        raise NoWorkersError(f"a cluster needs the package distributed: {install_command('cluster')}")
    number = address.removeprefix(_LOCAL)
    if address.startswith(_LOCAL) and number.isdecimal() and int(number):
        return partial(_local_cluster, int(number))
    if "://" not in address:
        raise NoWorkersError(f"{address}: expected tcp://HOST:PORT of a Dask scheduler, or local:N")
    return partial(_cluster, address)


@contextmanager
def _local_cluster(number: int) -> Iterator[Team]:
    make: Any = import_module("distributed").LocalCluster
    # The page that Dask would show needs another package and a port of its own.
    local = make(n_workers=number, threads_per_worker=1, processes=True, dashboard_address=None)
    with local, _cluster(local.scheduler_address) as team:
        yield team


@contextmanager
def _cluster(address: str) -> Iterator[Team]:
    distributed: Any = import_module("distributed")
    try:
        client = distributed.Client(address, timeout=_ANSWER_SECONDS)
    except (OSError, ValueError, TimeoutError) as problem:
        raise NoWorkersError(f"{address}: no Dask scheduler answers: {problem}") from None
    with client:
        threads = sum(client.nthreads().values())
        yield Team(client.get_executor(), _EACH_HAS * max(1, threads), (_killed_worker(),))


def _killed_worker() -> type[BaseException]:
    return import_module("distributed.scheduler").KilledWorker
