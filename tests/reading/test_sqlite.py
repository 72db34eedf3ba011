"""SQLite files read as copies: logs beside them, damage, and schemas that would run something."""

import hashlib
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

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
