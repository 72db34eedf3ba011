"""The cache on disk: what it keeps, and that nothing which happens to its file stops the counting."""

import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.tokens import cache_file
from inspector.tokens.cache import UNKNOWN, CountCache, text_hashes

TEXTS = [f"text {number}" for number in range(50)]
COUNTS = np.arange(50, dtype=np.int32)


@pytest.fixture
def cache(tmp_path: Path):
    opened = CountCache(tmp_path / "cache" / "counts.sqlite")
    yield opened
    opened.close()


def test_what_was_written_is_read(cache: CountCache) -> None:
    cache.write("words@1", text_hashes(TEXTS[:30]), COUNTS[:30])
    wanted = [TEXTS[40], TEXTS[3], TEXTS[29], TEXTS[3]]
    assert cache.read("words@1", text_hashes(wanted)).tolist() == [UNKNOWN, 3, 29, 3]
    assert cache.read("words@2", text_hashes(TEXTS)).tolist() == [UNKNOWN] * 50
    assert cache.read("words@1", text_hashes([])).tolist() == []
    assert cache.trouble == ""


@given(kept=st.sets(st.integers(0, 49)), wanted=st.lists(st.integers(0, 49), max_size=60))
@settings(max_examples=30)
def test_a_few_of_many_and_many_of_few(
    kept: set[int], wanted: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    cache = CountCache(tmp_path_factory.mktemp("cache") / "counts.sqlite")
    rows = sorted(kept)
    cache.write("x@1", text_hashes([TEXTS[row] for row in rows]), COUNTS[rows])
    found = cache.read("x@1", text_hashes([TEXTS[row] for row in wanted])).tolist()
    cache.close()
    assert found == [row if row in kept else UNKNOWN for row in wanted]


def test_both_halves_of_the_hash_must_agree(cache: CountCache) -> None:
    hashes = text_hashes(["one"])
    cache.write("x@1", hashes, np.array([5], np.int32))
    assert cache.read("x@1", hashes + np.array([0, 1])).tolist() == [UNKNOWN]
    assert "corrupt" in cache.trouble  # no other text has this key, as far as anybody can tell


def test_a_hash_is_that_of_the_text_in_utf8() -> None:
    hashes = text_hashes(["a", "", "\ud83d"])
    assert hashes.shape == (3, 2)
    # BLAKE2b-128 of "a", from the b2sum program.
    assert hashes[0].astype("<i8").tobytes().hex() == "27c35e6e9373877f29e562464e46497e"
    assert len({row.tobytes() for row in hashes}) == 3


def test_another_opening_finds_it(cache: CountCache) -> None:
    cache.write("x@1", text_hashes(TEXTS), COUNTS)
    cache.close()
    again = CountCache(cache.path)
    assert again.read("x@1", text_hashes(TEXTS)).tolist() == COUNTS.tolist()
    again.close()


def test_clear_forgets_and_says_how_many(cache: CountCache) -> None:
    cache.write("x@1", text_hashes(TEXTS), COUNTS)
    cache.write("y@1", text_hashes(TEXTS[:5]), COUNTS[:5])
    assert cache.size > 0
    assert cache.clear() == 55
    assert cache.read("x@1", text_hashes(TEXTS)).tolist() == [UNKNOWN] * 50
    cache.write("x@1", text_hashes(TEXTS[:1]), COUNTS[:1])
    assert cache.clear() == 1


def test_any_thread_may_use_it(cache: CountCache) -> None:
    cache.write("x@1", text_hashes(TEXTS[:10]), COUNTS[:10])
    found: list[int] = []

    def work(start: int) -> None:
        rows = slice(start, start + 5)
        cache.write("x@1", text_hashes(TEXTS[rows]), COUNTS[rows])
        found.extend(cache.read("x@1", text_hashes(TEXTS[rows])).tolist())

    threads = [threading.Thread(target=work, args=(start,)) for start in range(0, 50, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == list(range(50))
    assert cache.trouble == ""


WRITER = """
import sys, numpy as np
from inspector.tokens.cache import CountCache, text_hashes
cache = CountCache(sys.argv[1])
for start in range(int(sys.argv[2]), 400, 2):
    cache.write("x@1", text_hashes([f"text {start}"]), np.array([start], np.int32))
assert cache.trouble == "", cache.trouble
"""


def test_two_processes_at_once(cache: CountCache) -> None:
    commands = [[sys.executable, "-c", WRITER, str(cache.path), str(start)] for start in (0, 1)]
    writers = [subprocess.Popen(command) for command in commands]
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0]
    assert cache.read("x@1", text_hashes([f"text {number}" for number in range(400)])).tolist() == list(range(400))


@pytest.mark.parametrize(
    "content", [b"this is not a database, it is a text" * 100, b"SQLite format 3\0" + b"\xff" * 5000]
)
def test_a_corrupt_file_is_set_aside_and_begun_anew(cache: CountCache, content: bytes) -> None:
    cache.path.parent.mkdir()
    cache.path.write_bytes(content)
    assert cache.read("x@1", text_hashes(TEXTS)).tolist() == [UNKNOWN] * 50
    assert "corrupt" in cache.trouble
    assert cache.path.with_name("counts.sqlite.corrupt").read_bytes() == content
    cache.write("x@1", text_hashes(TEXTS), COUNTS)
    assert cache.read("x@1", text_hashes(TEXTS)).tolist() == COUNTS.tolist()


def test_a_page_that_breaks_while_it_is_in_use(cache: CountCache) -> None:
    many = [f"text {number}" for number in range(5_000)]
    cache.write("x@1", text_hashes(many), np.ones(5_000, np.int32))
    cache.close()
    content = bytearray(cache.path.read_bytes())
    content[4096 * 3 : 4096 * 6] = b"\xa5" * (4096 * 3)
    cache.path.write_bytes(content)
    assert set(cache.read("x@1", text_hashes(many)).tolist()) <= {UNKNOWN, 1}
    assert "corrupt" in cache.trouble
    cache.write("x@1", text_hashes(many[:5]), COUNTS[:5])
    assert cache.read("x@1", text_hashes(many[:5])).tolist() == [0, 1, 2, 3, 4]


def test_a_locked_file_is_left_alone(cache: CountCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_file, "_BUSY_SECONDS", 0.05)
    cache.write("x@1", text_hashes(TEXTS), COUNTS)
    cache.close()
    other = sqlite3.connect(cache.path)
    other.execute("begin exclusive")
    cache.write("x@1", text_hashes(["new"]), COUNTS[:1])
    assert "cannot be used" in cache.trouble
    assert "locked" in cache.trouble
    other.close()
    assert cache.read("x@1", text_hashes(TEXTS)).tolist() == [UNKNOWN] * 50  # not tried again
    assert not cache.path.with_name("counts.sqlite.corrupt").exists()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    cache = CountCache(tmp_path / "file" / "counts.sqlite")
    cache.write("x@1", text_hashes(TEXTS), COUNTS)
    assert cache.read("x@1", text_hashes(TEXTS)).tolist() == [UNKNOWN] * 50
    assert "cannot be used" in cache.trouble
    assert cache.clear() == 0
    assert cache.size == 0
