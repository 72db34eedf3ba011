"""Distributing the files of an archive to workers, and collecting the results. Independent of the work itself."""

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import lru_cache
from typing import Any, TypeVar

from inspector.analysis.archive.files import Chunk
from inspector.analysis.archive.workers import Begin, Team
from inspector.steps import check_wanted

Made = TypeVar("Made")
Work = Callable[[Chunk], Made]
"""The work on a chunk in any process: a value that can be pickled. It raises nothing because of a file."""

_LOOKING_UP_SECONDS = 0.1
"""The interval at which waiting for workers checks whether the result is still wanted."""


def worked_through(
    begin: Begin, work: Work[Made], chunks: Iterable[Chunk]
) -> Iterator[tuple[Chunk, Made | None] | None]:
    """Yield the result of each chunk as it is done, and None from time to time in between.

    If a worker is lost, others take its chunks, file by file; a file that ends a worker again gives None as its result.
    No more is handed out than the workers can take, so that memory does not grow with the archive. Closing the iterator
    ends the workers. Raise AbandonedError once the result is no longer wanted, and NoWorkersError.
    """
    packed = pickle.dumps(work)
    waiting, suspects = deque(chunks), deque[Chunk]()
    while waiting or suspects:
        with begin() as team:
            queue, most = (suspects, 1) if suspects else (waiting, team.at_once)
            handed: dict[Future[Made], Chunk] = {}
            try:
                yield from _through(team, packed, queue, most, handed)
            except team.lost:
                if most == 1 and all(len(chunk) == 1 for chunk in handed.values()):
                    yield from ((chunk, None) for chunk in handed.values())
                else:
                    suspects.extend((file,) for chunk in handed.values() for file in chunk)


def _through(
    team: Team, packed: bytes, queue: deque[Chunk], most: int, handed: dict[Future[Any], Chunk]
) -> Iterator[tuple[Chunk, Any] | None]:
    """Work through the queue; `handed` are the chunks handed out but not finished. Raise the error of a lost worker."""
    while queue or handed:
        while queue and len(handed) < most:
            future = team.executor.submit(_work, packed, queue[0])
            handed[future] = queue.popleft()
        done, _ = wait(handed, _LOOKING_UP_SECONDS, FIRST_COMPLETED)
        check_wanted()
        if not done:
            yield None
        for future in done:
            made = future.result()
            yield handed.pop(future), made


def _work(packed: bytes, chunk: Chunk) -> Any:
    return _unpacked(packed)(chunk)


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> Work[Any]:
    """Return the work, unpacked once in each process: it is the same for all chunks."""
    return pickle.loads(packed)
