"""A file that no reader opens says which program it is from, and what to export from that program."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.opening import load_unnamed, load_workspace
from inspector.formats.programs import PROGRAMS, program_of
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.reading.source import FileSource
from tests.formats.chat_logs.test_headed_markdown import HEADED
from tests.fuzz.made import made_files

_EDGE = {"id": "e", "source": "ChatInput-1", "sourceHandle": "{œnameœ:œmessageœ}", "target": "Prompt-1"}
_RUN = {"promptIdx": 0, "testIdx": 0, "success": True, "prompt": {"raw": "Hi", "label": "Hi"}, "vars": {}}
_ENTRY = {"startedDateTime": "2026-01-01T10:00:00.000Z", "time": 5, "request": {"method": "GET", "url": "https://x"}}
_ARTEFACT = {"artifactType": "ARTIFACT_TYPE_TASK", "summary": "A plan.", "updatedAt": "2026-01-07T04:39:32Z"}
_DIFY = (
    "app:\n  description: ''\n  icon: x\n  icon_background: '#FFEAD5'\n  mode: advanced-chat\n  name: n\n"
    "dependencies: []\nkind: app\nversion: 0.3.0\nworkflow:\n  graph:\n    edges: []\n    nodes: []\n"
)
TEXTS: tuple[tuple[str, Any], ...] = (
    ("the description of an artefact of Antigravity", _ARTEFACT),
    (
        "the description of a backup of Cherry Studio",
        {"version": 6, "timestamp": 1, "appName": "Cherry Studio", "appVersion": "1.8.0", "platform": "darwin"},
    ),
    (
        "a log of what an agent sent to an editor",
        {
            "timestamp": 1784388059,
            "method": "session/update",
            "params": {"sessionId": "s", "update": {"sessionUpdate": "agent_message_chunk", "content": {"text": "Hi"}}},
        },
    ),
    ("an export of Zulip", {"zerver_realm": [{"id": 1}], "zerver_userprofile": [], "zerver_stream": []}),
    ("a part of an archive of X", 'window.YTD.tweets.part0 = [ {\n  "tweet" : { "full_text" : "Hi" }\n} ]'),
    (
        "a workflow of n8n",
        {"name": "f", "nodes": [{"type": "n8n-nodes-base.set", "typeVersion": 1}], "connections": {}},
    ),
    ("a flow of Langflow or Flowise", {"name": "f", "data": {"nodes": [{"id": "Prompt-1"}], "edges": [_EDGE]}}),
    ("an app of Dify", _DIFY),
    ("the results of promptfoo", {"evalId": "eval-x", "results": {"version": 3, "results": [_RUN]}, "config": {}}),
    ("a record of a browser's requests", {"log": {"version": "1.2", "creator": {"name": "x"}, "entries": [_ENTRY]}}),
    (
        "a collection of Postman",
        {
            "info": {
                "_postman_id": "u",
                "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
            }
        },
    ),
)
TABLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("the threads of Zed", ("threads (id TEXT, summary TEXT, updated_at TEXT, data_type TEXT, data BLOB)",)),
    (
        "the database of Cherry Studio",
        ("message (id TEXT, topic_id TEXT, data TEXT, searchable_text TEXT, siblings_group_id INTEGER)",),
    ),
    ("a database of Antigravity", ("trajectory_meta (trajectory_id TEXT)", "steps (idx INTEGER, step_payload BLOB)")),
    ("the database of Messages (Apple)", ("message (guid TEXT)", "chat_message_join (chat_id, message_id)")),
    (
        "the database of WhatsApp",
        ("chat (_id INTEGER, jid_row_id INTEGER)", "message_media (message_row_id INTEGER, mime_type TEXT)"),
    ),
    (
        "the database of WhatsApp",
        ("ZWAMESSAGE (Z_PK INTEGER, ZTEXT VARCHAR)", "ZWACHATSESSION (Z_PK INTEGER, ZCONTACTJID VARCHAR)"),
    ),
)
"""Files as the programs themselves write them, by the words that name the program."""

_SAME_PROGRAM = {"direct-messages.js", "task.json"}
"""Files that open, of programs whose other files have the same marks and do not."""


def refusal_of(file: Path) -> str:
    workspace = load_workspace([file])
    assert not workspace.sources
    (said,) = [problem.message for problem in workspace.problems if problem.unopened]
    return said


@pytest.mark.parametrize(("program", "value"), TEXTS)
def test_a_file_names_its_program_and_how_to_export(program: str, value: Any, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text(value if isinstance(value, str) else json.dumps(value))
    said = refusal_of(file)
    assert program in said
    assert "does not read; " in said


@pytest.mark.parametrize(("program", "tables"), TABLES)
def test_a_database_names_its_program(program: str, tables: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "chat.db"
    with closing(sqlite3.connect(file)) as connection:
        for table in tables:
            connection.execute(f"CREATE TABLE IF NOT EXISTS {table}")
        connection.commit()
    assert program in refusal_of(file)


def test_every_program_is_tried() -> None:
    tried = [words for words, _ in (*TEXTS, *TABLES)]
    assert [one.file for one in PROGRAMS if not any(one.file.startswith(words) for words in tried)] == []


@pytest.mark.parametrize("program", ["zed", "goose"])
def test_the_markdown_that_a_program_exports_opens(program: str) -> None:
    assert load_unnamed(HEADED[program].encode(), "export.md").workspace.conversations


def test_no_program_is_named_for_a_file_that_opens() -> None:
    made = [file for files in made_files().values() for file in files]
    opens = [file for file in made if rank_formats(FileSource(file.name, file.data), built_in_formats())[0]]
    assert opens
    assert {file.name for file in opens if program_of(file.data[:64_000])} == _SAME_PROGRAM


def test_every_program_says_how_to_export_and_where_that_is_found() -> None:
    assert all(one.marks and one.file and one.export and one.source for one in PROGRAMS)
    assert len({one.marks for one in PROGRAMS}) == len(PROGRAMS)
