"""SQLite files read as copies: logs beside them, damage, and schemas that would run something."""

import hashlib
import os
import sqlite3
import struct
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from inspector.reading.budget import Budget
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.sqlite import has_tables, opened


def source_of(path: Path) -> FileSource:
    return FileSource(str(path), path.read_bytes())


def written(path: Path, *statements: str) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return path


def rows(source: FileSource, table: str, *columns: str) -> list[dict[str, object]]:
    with opened(source) as database:
        return list(database.rows(table, *columns))


def test_rows_come_in_the_order_of_writing_also_through_an_index(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.db",
        "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, wide TEXT, wider TEXT, widest TEXT)",
        "INSERT INTO t (name) VALUES ('z'), ('a'), ('m')",
    )
    assert rows(source_of(path), "t", "id", "name") == [
        {"id": 1, "name": "z"},
        {"id": 2, "name": "a"},
        {"id": 3, "name": "m"},
    ]


def test_columns_and_tables_that_are_absent_are_left_out(tmp_path: Path) -> None:
    source = source_of(written(tmp_path / "a.db", "CREATE TABLE t (id TEXT)", "INSERT INTO t VALUES ('a')"))
    assert rows(source, "t", "id", "later") == [{"id": "a"}]
    assert rows(source, "t", "later") == rows(source, "other", "id") == []


def test_a_database_in_use_is_read_with_its_log_and_nothing_changes(tmp_path: Path) -> None:
    path = tmp_path / "live.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE t (id TEXT)")
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("INSERT INTO t VALUES ('late')")
        connection.commit()
        before = {file.name: hashlib.sha256(file.read_bytes()).digest() for file in tmp_path.iterdir()}
        assert b"late" not in path.read_bytes()
        assert rows(source_of(path), "t", "id") == [{"id": "late"}]
        after = {file.name: hashlib.sha256(file.read_bytes()).digest() for file in tmp_path.iterdir()}
    assert before == after


def test_a_log_that_cannot_be_copied_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = source_of(written(tmp_path / "a.db", "CREATE TABLE t (id TEXT)"))
    (tmp_path / "a.db-wal").write_bytes(b"x")

    def full() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryDirectory", full)
    assert has_tables(source, t="id")
    with pytest.raises(UnreadableError, match="with the log beside it: No space left"):
        rows(source, "t", "id")


def test_a_database_that_asks_for_a_log_opens_without_one(tmp_path: Path) -> None:
    path = written(tmp_path / "a.db", "PRAGMA journal_mode = WAL", "CREATE TABLE t (id TEXT)")
    assert path.read_bytes()[18] == 2
    assert not Path(f"{path}-wal").exists()
    assert rows(source_of(path), "t", "id") == []


def test_a_damaged_database_says_so(tmp_path: Path) -> None:
    path = written(tmp_path / "a.db", "CREATE TABLE t (id TEXT)", *["INSERT INTO t VALUES (hex(zeroblob(900)))"] * 40)
    data = path.read_bytes()
    cut = FileSource("cut.db", data[: len(data) // 2])
    broken = FileSource("broken.db", data[:4096] + b"\xff" * (len(data) - 4096))
    for source in (cut, broken):
        assert has_tables(source, t="id")
        with pytest.raises(UnreadableError, match="is a damaged SQLite database"):
            rows(source, "t", "id")


def test_views_and_virtual_tables_are_never_run(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.db",
        "CREATE TABLE t (id TEXT)",
        "CREATE VIEW v AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id FROM n",
        "CREATE VIRTUAL TABLE s USING fts5(id)",
    )
    with opened(source_of(path)) as database:
        assert {"v", "s"}.isdisjoint(database.tables)
        assert list(database.rows("v", "id")) == list(database.rows("s", "id")) == []


def test_text_is_clean(tmp_path: Path) -> None:
    path = written(tmp_path / "a.db", "CREATE TABLE t (id TEXT)", "INSERT INTO t VALUES (CAST(x'61006eff' AS TEXT))")
    assert rows(source_of(path), "t", "id") == [{"id": "a␀n\ufffd"}]


def test_other_files_have_no_tables() -> None:
    assert not has_tables(FileSource("x", b"[]"), t="id")


def hot_journal(path: Path) -> None:
    """A database as a crash in the middle of a change leaves it: written in part, with the journal that undoes it."""
    working = path.with_name("working.db")
    with closing(sqlite3.connect(working)) as connection:
        connection.execute("CREATE TABLE t (id TEXT)")
        connection.execute("INSERT INTO t VALUES ('before')")
        connection.commit()
        connection.execute("PRAGMA cache_size = 1")
        connection.executemany("INSERT INTO t VALUES (?)", [("x" * 500,)] * 200)
        path.write_bytes(working.read_bytes())
        Path(f"{path}-journal").write_bytes(Path(f"{working}-journal").read_bytes())


def test_what_a_crash_left_is_undone_in_the_copy(tmp_path: Path) -> None:
    hot_journal(tmp_path / "a.db")
    assert rows(source_of(tmp_path / "a.db"), "t", "id") == [{"id": "before"}]
    assert Path(f"{tmp_path / 'a.db'}-journal").exists()


def test_a_journal_that_names_another_file_deletes_nothing(tmp_path: Path) -> None:
    """SQLite takes a named file for the journal of all databases of a change, and deletes it when it is done."""
    hot_journal(tmp_path / "a.db")
    precious = tmp_path / "precious.txt"
    precious.write_text("all of it\0")
    name = str(precious).encode()
    check = sum(name) & 0xFFFFFFFF
    mark = bytes.fromhex("d9d505f920a163d7")
    journal = Path(f"{tmp_path / 'a.db'}-journal")
    record = struct.pack(">I", 0x40000000 // 4096 + 1) + name + struct.pack(">II", len(name), check) + mark
    journal.write_bytes(journal.read_bytes() + record)
    with pytest.raises(UnreadableError, match=r"a\.db-journal: belongs to a change of several databases"):
        rows(source_of(tmp_path / "a.db"), "t", "id")
    assert precious.exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_log_that_is_no_file_is_left_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "a.db", "CREATE TABLE t (id TEXT)", "INSERT INTO t VALUES ('a')")
    os.mkfifo(f"{path}-wal")
    assert rows(source_of(path), "t", "id") == [{"id": "a"}]


def test_a_log_does_not_make_a_database_larger_than_both(tmp_path: Path) -> None:
    hot_journal(tmp_path / "a.db")
    path = Path(f"{tmp_path / 'a.db'}-journal")
    journal = bytearray(path.read_bytes())
    struct.pack_into(">I", journal, 16, 2_000)  # how many pages the database had before the change
    path.write_bytes(journal)
    with pytest.raises(UnreadableError, match=r"grows to 8,192,000 bytes by the log beside it"):
        rows(source_of(tmp_path / "a.db"), "t", "id")


def test_pages_that_are_used_again_and_again_end_with_the_memory(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.db", "CREATE TABLE t (id TEXT)", *["INSERT INTO t VALUES (hex(zeroblob(450)))"] * 2_000
    )
    page, content = 4096, path.read_bytes()
    root = bytearray(content[page : 2 * page])
    assert root[0] == 5  # an inner page; all of its cells shall lead to the page after it
    for cell in struct.unpack_from(f">{struct.unpack_from('>H', root, 3)[0]}H", root, 12):
        struct.pack_into(">I", root, cell, 3)
    struct.pack_into(">I", root, 8, 3)
    small = bytearray(content[:page] + root + content[2 * page : 3 * page])
    struct.pack_into(">I", small, 28, 3)
    assert len(rows(FileSource("a.db", bytes(small)), "t", "id")) > 1_000
    with pytest.raises(UnreadableError, match="the next of its rows would take"):
        rows(FileSource("a.db", bytes(small), Budget(500_000)), "t", "id")


def test_copies_count_while_they_are_there(tmp_path: Path) -> None:
    data = written(tmp_path / "a.db", "CREATE TABLE t (id TEXT)").read_bytes()
    source = FileSource("a.db", data, Budget(2 * len(data) + 5_000))
    assert rows(source, "t", "id") == []
    assert source.budget.left > 2 * len(data)
    with pytest.raises(UnreadableError, match="its copies would take"):
        rows(FileSource("a.db", data, Budget(len(data))), "t", "id")
