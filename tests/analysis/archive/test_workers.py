"""Those who work through an archive: what becomes of files whose worker is lost, and a real cluster of Dask."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.analysis.archive import workers
from inspector.analysis.archive.files import ArchiveFile, Chunk, chunks
from inspector.analysis.archive.workers import NoWorkersError, cluster, worker_processes
from inspector.analysis.archive.working import worked_through
from inspector.extras import install_command
from inspector.steps import AbandonedError, while_wanted
from tests.archives import rows_in, steps, write_chats

ROOT = Path(__file__).resolve().parents[3]
FILES = [ArchiveFile(name, 10, 0) for name in "abcdefgh"]


def names(chunk: Chunk) -> str:
    return "".join(file.path for file in chunk)


def names_unless_deadly(chunk: Chunk) -> str:
    if "c" in names(chunk):
        os._exit(1)
    return names(chunk)


def test_chunks_are_of_neighbours_and_of_limited_size() -> None:
    left = [file for file in FILES if file.path != "d"]
    assert list(map(names, chunks(FILES, left, 3, 10**6))) == ["abc", "efg", "h"]
    assert list(map(names, chunks(FILES, reversed(left), 9, 25))) == ["ab", "c", "ef", "gh"]
    assert list(map(names, chunks(FILES, FILES[:2], 9, 1))) == ["a", "b"]


def test_work_comes_back_in_any_order_and_no_file_is_lost() -> None:
    made = worked_through(worker_processes(2), names, chunks(FILES, FILES, 3, 10**6))
    assert sorted((names(one[0]), one[1]) for one in made if one) == [("abc", "abc"), ("def", "def"), ("gh", "gh")]


def test_a_file_that_ends_its_worker_is_told_and_the_others_are_worked_through() -> None:
    made = worked_through(worker_processes(2), names_unless_deadly, chunks(FILES, FILES, 2, 10**6))
    results = {names(one[0]): one[1] for one in made if one}
    assert results["c"] is None
    assert "".join(sorted("".join(filter(None, results.values())))) == "abdefgh"


def test_who_waits_for_workers_may_change_their_mind() -> None:
    with while_wanted(lambda: False), pytest.raises(AbandonedError):
        list(worked_through(worker_processes(1), names, chunks(FILES, FILES, 2, 10**6)))


@pytest.mark.parametrize("address", ["local:0", "local:two", "somewhere", "local:"])
def test_what_is_no_address_is_told(address: str) -> None:
    with pytest.raises(NoWorkersError, match="expected tcp://HOST:PORT"):
        cluster(address)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "find_spec", lambda name: None)
    with pytest.raises(NoWorkersError, match=re.escape(install_command("cluster"))):
        cluster("local:2")


def test_a_cluster_makes_the_same_rows_also_where_it_loses_a_worker(tmp_path: Path) -> None:
    """In a process of its own: whoever runs tests reaches no address, not even one of this machine."""
    chats = write_chats(tmp_path / "chats", 40)
    command = [sys.executable, "-m", "tests.clusters", str(chats), str(tmp_path / "dask.parquet")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=os.environ.copy())
    assert done.returncode == 0, done.stderr
    assert done.stdout == "a worker was killed\n"
    for _ in steps(chats, tmp_path / "processes.parquet", worker_processes(2)):
        pass
    assert rows_in(tmp_path / "dask.parquet") == rows_in(tmp_path / "processes.parquet")
    assert len(rows_in(tmp_path / "dask.parquet")) == 40 * 6
