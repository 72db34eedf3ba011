"""A file that no reader opens says which program it is from, and what to export from that program."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from inspector.formats.opening import load_workspace
from inspector.formats.programs import PROGRAMS, program_of
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.reading.source import FileSource
from tests.fuzz.made import made_files


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ('{"sessionId":"s","title":"t","workspaceDirectory":"/w","history":[{"contextItems":[]}]}', "Continue"),
        ('{"name":"flow","nodes":[{"type":"n8n-nodes-base.set"}],"connections":{}}', "n8n"),
        ('{"time":1,"version":5,"localStorage":{},"indexedDB":{}}', "Cherry Studio"),
        ('{"zerver_realm":[],"zerver_userprofile":[]}', "Zulip"),
        ('{"log":{"creator":{"name":"x"},"entries":[{"startedDateTime":"2026-01-01"}]}}', "HAR"),
        ("app:\n  mode: chat\nkind: app\nmodel_config:\n  x: 1\nversion: 0.1\ndsl: 1\n", "Dify"),
    ],
)
def test_a_file_names_its_program_and_how_to_export(text: str, program: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text(text)
    workspace = load_workspace([file])
    said = [problem.message for problem in workspace.problems if problem.unopened]
    assert not workspace.sources
    assert len(said) == 1
    assert program in said[0]
    assert "does not read; " in said[0]


def test_a_database_names_its_program(tmp_path: Path) -> None:
    file = tmp_path / "chat.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE message (guid)")
        connection.execute("CREATE TABLE chat_message_join (chat_id, message_id)")
        connection.commit()
    (problem,) = load_workspace([file]).problems
    assert "Messages (Apple)" in problem.message


def test_no_program_is_named_for_a_file_that_opens() -> None:
    made = [file for files in made_files().values() for file in files]
    opens = [file for file in made if rank_formats(FileSource(file.name, file.data), built_in_formats())[0]]
    assert opens
    assert [file.name for file in opens if program_of(file.data[:64_000])] == []


def test_every_program_says_how_to_export() -> None:
    assert all(one.marks and one.file and one.export for one in PROGRAMS)
    assert len({one.marks for one in PROGRAMS}) == len(PROGRAMS)
