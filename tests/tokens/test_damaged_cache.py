"""A cache file that was damaged in hundreds of ways: nothing raises, and no count, vector or summary is wrong."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from inspector.retrieval.summaries.summarizer import SummaryCache
from inspector.retrieval.vectors.embedding import VectorCache
from inspector.tokens.cache import UNKNOWN, CountCache, text_hashes
from tests.examples import rounds

TEXTS = [f"text {number}" for number in range(1_500)]
HASHES = text_hashes(TEXTS)
COUNTS = {"words@1": np.arange(1_500, dtype=np.int32), "other@1": np.arange(1_500, dtype=np.int32)[::-1].copy()}
FEW = HASHES[:40]
VECTORS = np.arange(40 * 64, dtype=np.float16).reshape(40, 64)
SUMMARIES = [f"summary {number}" for number in range(40)]
PAGE = 4096
SEEDS = rounds(60, 20)

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes and limits of this kind")

Damage = Callable[[random.Random, Path], object]


def _fill(path: Path) -> CountCache:
    cache = CountCache(path)
    for fingerprint, counts in COUNTS.items():
        cache.write(fingerprint, HASHES, counts)
    VectorCache(cache).write("subjects@1", FEW, VECTORS)
    SummaryCache(cache).write("shouting@1", FEW, SUMMARIES)
    assert cache.trouble == ""
    return cache


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a cache file, and beside it one that still has its last transactions in the write-ahead log."""
    folder = tmp_path_factory.mktemp("whole")
    _fill(folder / "counts.sqlite3").close()
    waiting = _fill(folder / "waiting.sqlite3")
    for ending in ("", "-wal"):
        shutil.copy(f"{waiting.path}{ending}", f"{folder / 'logged.sqlite3'}{ending}")
    waiting.close()
    return folder


def _edit(path: Path, edit: Callable[[bytearray], object]) -> None:
    content = bytearray(path.read_bytes())
    edit(content)
    path.write_bytes(content)


def _flip(choose: random.Random, path: Path) -> None:
    def edit(content: bytearray) -> None:
        for _ in range(choose.choice((1, 1, 2, 5, 20, 200))):
            content[choose.randrange(len(content))] ^= 1 << choose.randrange(8)

    _edit(path, edit)


def _flip_in_the_head(choose: random.Random, path: Path) -> None:
    def edit(content: bytearray) -> None:
        for _ in range(choose.choice((1, 2, 5))):
            content[choose.randrange(min(600, len(content)))] = choose.randrange(256)

    _edit(path, edit)


def _cut(choose: random.Random, path: Path) -> None:
    os.truncate(path, choose.choice((0, 1, 16, 100, PAGE, PAGE + 1, choose.randrange(path.stat().st_size))))


def _pages(choose: random.Random, path: Path) -> None:
    """Pages of zeros, of noise, of another place, or a few that changed places."""

    def edit(content: bytearray) -> None:
        pages = range(len(content) // PAGE)
        for _ in range(choose.choice((1, 1, 3))):
            here, there = (PAGE * choose.choice(pages) for _ in range(2))
            kept, other = content[here : here + PAGE], content[there : there + PAGE]
            how = choose.randrange(4)
            content[here : here + PAGE] = (bytes(PAGE), choose.randbytes(PAGE), other, other)[how]
            if how == 3:
                content[there : there + PAGE] = kept

    _edit(path, edit)


_STATEMENTS = (
    "update {counts} set value = null where key in (select key from {counts} limit {some})",
    "update {counts} set value = 'seven' where key in (select key from {counts} limit {some})",
    "update {counts} set value = cast(x'ff00fe' as text) where key in (select key from {counts} limit {some})",
    "update {counts} set value = x'07' where key in (select key from {counts} limit {some})",
    "update {counts} set value = -value",
    "update {counts} set value = value + {some}",
    "update {counts} set value = value + 4294967296",
    "update {counts} set value = 9e99",
    "update {counts} set value = 1499 - value",
    "update {counts} set checksum = null",
    "update {counts} set checksum = checksum + 1 where key = (select key from {counts} limit 1 offset {some})",
    "update {counts} set key = key + 1",
    "delete from {counts}; insert into {counts} select * from {others}",
    "drop table {counts}; alter table {others} rename to {counts}",
    "drop table {counts}; create table {counts} (key integer primary key, value text)",
    "drop table {counts}; create view {counts} as select key, checksum, 7 as value from {others}",
    "drop table {counts}; create table {counts} (a, b, c)",
    "drop table {counts}",
    "create table more (key integer)",
    "create trigger t after insert on {counts} begin delete from {counts}; end",
    "create index i on {counts} (value)",
    "update {vectors} set value = null",
    "update {vectors} set value = 'text'",
    "update {vectors} set value = substr(value, 1, length(value) - {some})",
    "update {vectors} set value = value || x'0000'",
    "update {vectors} set checksum = checksum + 1",
    "update {summaries} set value = 'another'",
    "update {summaries} set value = x'ff' || value",
    "update {summaries} set value = null",
    "pragma user_version = 7",
)


def _without_constraints(path: Path, statement: str, choose: random.Random) -> None:
    """What another program may do to the file, with the constraints of its tables out of the way while it does."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("select name, sql from sqlite_master").fetchall()
        tables = {name.partition("_")[0]: name for name, _ in rows}
        tables["others"] = next(name for name, _ in rows if name.startswith("counts") and name != tables["counts"])
        connection.executescript(
            "pragma writable_schema = on; update sqlite_master set sql = replace(sql, ' not null', '')"
        )
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statement.format(**tables, some=choose.choice((1, 2, 7))))
        connection.execute("pragma writable_schema = on")
        for name, written in rows:
            connection.execute(
                "update sqlite_master set sql = ? where name = ? and sql = ?",
                (written, name, written.replace(" not null", "")),
            )
        connection.commit()


def _by_statement(choose: random.Random, path: Path) -> None:
    _without_constraints(path, choose.choice(_STATEMENTS), choose)


DAMAGES: dict[str, tuple[Damage, str]] = {
    "bytes": (_flip, ""),
    "head": (_flip_in_the_head, ""),
    "cut": (_cut, ""),
    "pages": (_pages, ""),
    "log": (_flip, "-wal"),
    "cut log": (_cut, "-wal"),
    "statements": (_by_statement, ""),
}


def _check(cache: CountCache) -> None:
    """Whatever is asked, the right answer comes or none."""
    for fingerprint, counts in COUNTS.items():
        for rows in (slice(None), slice(700, 720)):
            found = cache.read(fingerprint, HASHES[rows])
            assert ((found == counts[rows]) | (found == UNKNOWN)).all()
    known, vectors = VectorCache(cache).read("subjects@1", FEW)
    assert np.array_equal(vectors, VECTORS[known] if len(known) else vectors[:0])
    summaries = SummaryCache(cache).read("shouting@1", FEW)
    assert all(found in (None, summary) for found, summary in zip(summaries, SUMMARIES, strict=True))


@pytest.mark.parametrize("kind", DAMAGES)
def test_no_damage_raises_or_gives_another_value(kind: str, whole: Path, tmp_path: Path) -> None:
    damage, ending = DAMAGES[kind]
    path = tmp_path / "counts.sqlite3"
    for seed in range(SEEDS):
        for end in ("", "-wal"):
            source = whole / f"{'logged' if ending else 'counts'}.sqlite3{end}"
            target = Path(f"{path}{end}")
            shutil.copy(source, target) if source.exists() else target.unlink(missing_ok=True)
        damage(random.Random(seed), Path(f"{path}{ending}"))
        cache = CountCache(path)
        _check(cache)
        cache.write("words@1", HASHES, COUNTS["words@1"])
        _check(cache)
        assert cache.is_usable
        if seed % 8 == 0:
            assert cache.clear() >= len(HASHES)
            assert cache.read("words@1", HASHES[:5]).tolist() == [UNKNOWN] * 5
        cache.close()
    assert {file.name for file in tmp_path.iterdir()} <= {"counts.sqlite3", "counts.sqlite3.corrupt"}


@pytest.mark.parametrize("value", ["null", "'seven'", "value + 1"])
def test_a_changed_count_has_the_file_set_aside_and_is_told_once(value: str, whole: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(whole / "counts.sqlite3", tmp_path))
    _without_constraints(path, f"update {{counts}} set value = {value}", random.Random(1))
    cache = CountCache(path)
    _check(cache)
    for fingerprint in COUNTS:
        assert set(cache.read(fingerprint, HASHES).tolist()) == {UNKNOWN}
    assert cache.trouble.count("was corrupt") == 1
    assert path.with_name("counts.sqlite3.corrupt").exists()
    cache.write("words@1", HASHES, COUNTS["words@1"])
    cache.close()
    again = CountCache(path)
    assert again.read("words@1", HASHES).tolist() == COUNTS["words@1"].tolist()
    assert again.trouble == ""
    again.close()


def test_a_table_whose_pages_are_those_of_another_kind_by_one_maker_has_the_file_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "counts.sqlite3"
    cache = CountCache(path)
    VectorCache(cache).write("same@1", FEW, VECTORS)
    SummaryCache(cache).write("same@1", FEW, SUMMARIES)
    cache.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "pragma writable_schema = on; update sqlite_schema set rootpage ="
            "(select rootpage from sqlite_schema where name like 'vectors%') where name like 'summaries%'"
        )
    assert SummaryCache(cache).read("same@1", FEW) == [None] * len(FEW)
    assert "was corrupt" in cache.trouble
    cache.close()


def test_a_file_of_an_older_program_is_begun_anew_without_a_word(tmp_path: Path) -> None:
    path = tmp_path / "counts.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "create table tokenizers (id integer primary key, fingerprint text not null unique);"
            "insert into tokenizers values (1, 'words@1');"
            "create table counts_1 (key integer primary key, rest integer not null, tokens integer not null);"
            "insert into counts_1 values (1, 2, 3)"
        )
    cache = _fill(path)
    assert cache.read("words@1", HASHES).tolist() == COUNTS["words@1"].tolist()
    assert not path.with_name("counts.sqlite3.corrupt").exists()
    cache.close()


def test_a_file_that_another_process_has_begun_anew_is_not_set_aside_as_well(whole: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(whole / "counts.sqlite3", tmp_path))
    first, second = CountCache(path), CountCache(path)
    _check(first)
    _check(second)
    with closing(sqlite3.connect(path)) as connection:
        (name,) = connection.execute("select name from sqlite_master where name like 'counts%'").fetchone()
        connection.execute(f"update {name} set checksum = 0")
        connection.commit()
    _check(first)
    first.write("words@1", HASHES, COUNTS["words@1"])
    _check(second)
    assert "corrupt" in first.trouble
    assert second.trouble == ""
    assert second.read("words@1", HASHES).tolist() == COUNTS["words@1"].tolist()
    first.close()
    second.close()


def test_what_was_set_aside_is_one_file_and_can_be_forgotten(whole: Path, tmp_path: Path) -> None:
    aside, cache = tmp_path / "counts.sqlite3.corrupt", CountCache(tmp_path / "counts.sqlite3")
    for _ in range(3):
        shutil.copy(whole / "counts.sqlite3", tmp_path)
        _edit(cache.path, lambda content: content.__setitem__(slice(0, 16), b"something else.."))
        cache = CountCache(cache.path)
        _check(cache)
        cache.close()
    assert {file.name for file in tmp_path.iterdir()} == {"counts.sqlite3", aside.name}
    cache.forget_damaged()
    assert not aside.exists()
    assert cache.trouble == ""


@POSIX
@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal"])
@pytest.mark.parametrize("what", ["folder", "pipe", "/dev/zero", "/dev/full"])
def test_what_is_no_file_is_done_without(what: str, ending: str, tmp_path: Path) -> None:
    place = tmp_path / f"counts.sqlite3{ending}"
    if what == "folder":
        place.mkdir()
    elif what == "pipe":
        os.mkfifo(place)
    else:
        place.symlink_to(what)
    cache = CountCache(tmp_path / "counts.sqlite3")
    _check(cache)
    cache.write("words@1", HASHES, COUNTS["words@1"])
    assert cache.read("words@1", HASHES[:1]).tolist() == [UNKNOWN]
    assert not cache.is_usable
    assert cache.trouble.count("not a regular file") == 1
    assert cache.clear() == 0
    assert place.lstat()
    cache.close()


READ_ONLY = """
import sys, numpy as np
from inspector.tokens import cache_file
from inspector.tokens.cache import CountCache, text_hashes
connect = cache_file.sqlite3.connect
def read_only(path, **options):
    return connect(f"file:{path}?mode=ro", uri=True, **options)
cache_file.sqlite3.connect = read_only
cache = CountCache(sys.argv[1])
cache.read("words@1", text_hashes(["a"]))
cache.write("words@1", text_hashes(["a"]), np.ones(1, np.int32))
print(cache.trouble)
"""
FULL = """
import resource, sys, numpy as np
from inspector.tokens.cache import CountCache, text_hashes
cache = CountCache(sys.argv[1])
cache.write("words@1", text_hashes(["a"]), np.ones(1, np.int32))
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
texts = [f"text {number}" for number in range(50_000)]
cache.write("words@1", text_hashes(texts), np.ones(50_000, np.int32))
assert set(cache.read("words@1", text_hashes(["a", *texts])).tolist()) <= {-1, 1}
print(cache.trouble)
"""


READ_ONLY_FOLDER = """
import os, sys, numpy as np
from inspector.tokens.cache import CountCache, text_hashes
cache = CountCache(sys.argv[1])
cache.write("words@1", text_hashes(["a"]), np.ones(1, np.int32))
cache.close()
os.chmod(sys.argv[1], 0o666)
os.chmod(os.path.dirname(sys.argv[1]), 0o555)
if os.geteuid() == 0:
    os.setuid(65534)  # whoever may do everything is stopped by nothing
cache.write("words@1", text_hashes(["b"]), np.ones(1, np.int32))
print(cache.trouble)
"""


@POSIX
def test_a_folder_that_takes_nothing_is_not_called_damage() -> None:
    folder = Path(tempfile.mkdtemp())  # those of pytest are closed to other users
    try:
        command = [sys.executable, "-c", READ_ONLY_FOLDER, str(folder / "counts.sqlite3")]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
        assert done.returncode == 0, done.stderr
        assert done.stdout.count("cannot be used") == 1
        assert "damaged" not in done.stdout
        assert [file.name for file in folder.iterdir()] == ["counts.sqlite3"]
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


@POSIX
@pytest.mark.parametrize("program", [READ_ONLY, FULL], ids=["read-only", "full disk"])
def test_a_place_that_takes_nothing_is_told_once(program: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", program, str(tmp_path / "counts.sqlite3")]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("cannot be used") == 1
    assert not list(tmp_path.glob("*.corrupt"))
