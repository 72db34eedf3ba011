"""Archives: cells a second over many small chats, by who works, and the memory of a worker as the archive grows."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import orjson

from inspector.analysis.archive.files import archive_files
from inspector.analysis.archive.rows import SweepOfFiles
from inspector.analysis.archive.sweep import sweep_archive
from inspector.analysis.archive.workers import cluster, worker_processes
from inspector.assembly.scenario import Scenario
from tests.archives import opening
from tests.bench.measure import Row
from tests.bench.texts import chat_texts

CHATS, FEW_CHATS, MESSAGES = 1_000, 250, 20
WINDOWS, EXCHANGES = tuple(range(256, 256 + 10 * 128, 128)), tuple(range(10))
CELLS = len(WINDOWS) * len(EXCHANGES)
WAYS = ("1", "2", "local:2")
_NAMES = {"1": "1 process", "2": "2 processes", "local:2": "2 workers of Dask"}
_FLAT = 1.15


def rows() -> Iterator[Row]:
    """Seconds a cell with each kind of worker; megabytes at most of one process with all chats and with a quarter."""
    with tempfile.TemporaryDirectory() as folder:
        many, few = write_chats(Path(folder, "many"), CHATS), write_chats(Path(folder, "few"), FEW_CHATS)
        took = {way: _measured(many, way) for way in WAYS}
        for way, (seconds, _) in took.items():
            cells = CHATS * CELLS
            what = f"archive, {CHATS:,} chats × {CELLS} cells, {_NAMES[way]}: {cells / seconds:,.0f} cells a second"
            first = took["1"][0] / cells if way != "1" else None
            yield Row(what, seconds / cells, "1 process" if way != "1" else "", first)
        what = f"memory at most, archive of {CHATS:,} chats"
        flat = _measured(few, "1")[1]
        yield Row(what, took["1"][1], f"{FEW_CHATS} chats", flat, at_most=_FLAT, unit="MB")


def write_chats(folder: Path, number: int) -> Path:
    """So many small chats in a new folder."""
    folder.mkdir()
    texts, roles = chat_texts(number * MESSAGES, seed=7), ("user", "assistant")
    for chat in range(number):
        said = texts[chat * MESSAGES : (chat + 1) * MESSAGES]
        value = [{"role": roles[turn % 2], "content": text} for turn, text in enumerate(said)]
        (folder / f"{chat:05}.json").write_bytes(orjson.dumps(value))
    return folder


def _measured(folder: Path, way: str) -> tuple[float, float]:
    """Seconds, and megabytes at most of the process that hands out the work, in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.archives", str(folder), way]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=os.environ.copy())
    seconds, megabytes = json.loads(done.stdout)
    return seconds, megabytes


def _sweep(folder: Path, way: str) -> None:
    grid = {"context_window": WINDOWS, "min_exchanges": EXCHANGES}
    work = SweepOfFiles(opening(), Scenario(policy="ratio"), grid)
    begin = worker_processes(int(way)) if way.isdecimal() else cluster(way)
    start = time.perf_counter()
    for _ in sweep_archive(
        work,
        archive_files([str(folder)], "*.json"),
        begin,
        folder.with_name(f"{WAYS.index(way)}-{folder.name}.parquet"),
        {},
    ):
        pass
    print(json.dumps([time.perf_counter() - start, _peak() / 1e6]))


def _peak() -> int:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    _sweep(Path(sys.argv[1]), sys.argv[2])
