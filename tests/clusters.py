"""A sweep on a Dask cluster of this machine that loses a worker: `python -m tests.clusters FOLDER OUT`."""

import os
import signal
import sys
from pathlib import Path
from typing import Any

from distributed import get_client

from inspector.analysis.archive.workers import cluster
from tests.archives import steps


def main(folder: Path, out: Path) -> None:
    """Sweep, and kill the process of a worker when the first files are done."""
    is_killed = False
    for step in steps(folder, out, cluster("local:2")):
        if 0 < step.done < step.total and not is_killed:
            os.kill(_a_worker(), signal.SIGKILL)
            is_killed = True
            print("a worker was killed")


def _a_worker() -> int:
    """The process of a worker that has something to do."""
    client: Any = get_client()
    busy = {name for name, tasks in client.processing().items() if tasks}
    processes = client.run(os.getpid)
    return next(process for name, process in processes.items() if name in busy or not busy)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
