"""Small sound files of every kind, made here: what is mutated where no real files are, and beside them."""

import base64
import gzip
import io
import json
import sqlite3
from contextlib import closing
from functools import cache
from importlib.util import find_spec
from pathlib import PurePath
from typing import Any

import yaml

from tests.formats.agents.agent_examples import (
    cursor_store,
    grok_tables,
    hermes_tables,
    openclaw_tables,
    opencode_tables,
)
from tests.formats.agents.goose_and_crush_examples import crush_tables, goose_tables
from tests.formats.agents.test_agent_databases import CURSOR, LLM, database_of
from tests.formats.backyard.test_backyard import archive as backyard
from tests.formats.chatwise.test_chatwise import CHAT
from tests.formats.chatwise.test_chatwise import archive as chatwise
from tests.formats.codex.test_codex import ROLLOUT
from tests.formats.open_webui.test_open_webui import DATABASE
from tests.formats.traces.checkpoint_examples import checkpoints
from tests.formats.traces.test_langfuse_tables import OBSERVATION, table
from tests.fuzz.applications import APPLICATIONS
from tests.fuzz.archives import archive_of
from tests.fuzz.documents import CARD, CHORUS, DOCUMENTS, KEPT, SPOKEN, TALK
from tests.fuzz.frameworks import FRAMEWORKS
from tests.fuzz.outcome import Input
from tests.fuzz.pictures import picture_of, text_chunk
from tests.fuzz.spoken_documents import SLACK_DAY, SLACK_PEOPLE


def as_json(value: Any) -> bytes:
    """A document as JSON."""
    return json.dumps(value).encode()


def as_yaml(value: Any) -> bytes:
    """A document as YAML."""
    return yaml.dump(value, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False).encode()


def as_lines(values: list[Any]) -> bytes:
    """Values as JSON lines."""
    return b"\n".join(map(as_json, values)) + b"\n"


def _database(*tables: tuple[str, list[dict[str, Any]]]) -> bytes:
    """A SQLite file of these tables, each with the columns of its first row."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for name, rows in tables:
            connection.execute(f"CREATE TABLE {name} ({', '.join(rows[0])})")
            for row in rows:
                connection.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", tuple(row.values()))
        connection.commit()
        return connection.serialize()


def _chorus_database() -> bytes:
    return _database(
        ("conversations", [TALK]),
        ("threads", [{"id": "t1", "conversation_id": "c1", "title": "Main"}]),
        (
            "messages",
            [
                {**SPOKEN, "thread_id": "t1"},
                {**SPOKEN, "id": "m2", "thread_id": "t1", "role": "ASSISTANT"},
            ],
        ),
        ("memories", [KEPT]),
        ("moment_pins", [{"id": "p", "character_id": "nova", "what_happened": "x", "tags": "[]", "archived": 0}]),
        ("conversation_summaries", [{"id": "s", "conversation_id": "c1", "summary": "x", "key_topics": '["a"]'}]),
    )


def _chroma() -> bytes:
    values = {"string_value": "Likes tea.", "int_value": None, "float_value": None, "bool_value": None}
    queued = {
        "seq_id": 1,
        "operation": 0,
        "topic": "persistent://default/default/c",
        "id": "r2",
        "metadata": '{"a": 1}',
    }
    return _database(
        ("collections", [{"id": "c", "name": "tea", "topic": "persistent://default/default/c"}]),
        ("segments", [{"id": "m", "type": "x", "scope": "METADATA", "topic": "t", "collection": "c"}]),
        ("embeddings", [{"id": 1, "segment_id": "m", "embedding_id": "r", "seq_id": 1, "created_at": "2024-01-01"}]),
        ("embedding_metadata", [{"id": 1, "key": "chroma:document", **values}, {"id": 1, "key": "kind", **values}]),
        ("embeddings_queue", [queued]),
        ("max_seq_id", [{"segment_id": "m", "seq_id": 0}]),
    )


def _chorus_backup() -> bytes:
    talk = {
        **TALK,
        "threads": [{"id": "t1", "messages": [{**SPOKEN, "role": "user"}]}],
        "summary": {"summary": "x"},
    }
    files = {"conversations": "database/conversations.json", "memories": "database/memories.json"}
    return archive_of(
        [
            ("manifest.json", as_json({"backup_format_version": 1, "files": files})),
            (files["conversations"], as_json([talk])),
            (files["memories"], as_json([KEPT])),
            ("character.yaml", as_yaml(CHORUS)),
        ]
    )


def _parquet() -> bytes:
    """Rows of chats with a column of each type; nothing where pyarrow is not installed."""
    if find_spec("pyarrow") is None:
        return b"PAR1"
    import pyarrow as arrow
    from pyarrow import parquet

    turns = [{"role": "user", "content": "Hi", "turn_identifier": 1}, {"role": "assistant", "content": None}]
    row = {"conversation_hash": "c", "model": "m", "conversation": turns, "scores": [[0.5]], "toxic": False, "turn": 1}
    file = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist([row, {**row, "conversation": None}] * 3), file, row_group_size=4)
    return file.getvalue()


def _slack() -> bytes:
    return archive_of([("users.json", as_json(SLACK_PEOPLE)), ("sea/2016-01-17.json", as_json(SLACK_DAY))])


def _card_picture() -> bytes:
    packed = base64.b64encode(as_json(CARD))
    header = b"\0\0\0\1\0\0\0\1\x08\0\0\0\0"
    texts = [text_chunk(b"chara", packed), text_chunk(b"ccv3", packed, b"iTXt"), text_chunk(b"chara", packed, b"zTXt")]
    return picture_of([(b"IHDR", header), *texts, (b"IEND", b"")])


@cache
def made_files() -> dict[str, tuple[Input, ...]]:
    """The made files of each format by its name, and of `other` kinds."""
    binary = {
        "card": {"card.png": _card_picture(), "card.charx": archive_of([("card.json", as_json(CARD))])},
        "chorus_database": {"chorus.db": _chorus_database()},
        "chorus_backup": {"nova_backup.zip": _chorus_backup()},
        "chroma": {"chroma.sqlite3": _chroma()},
        "backyard": {"mara.byaf": backyard()},
        "chatwise": {"chatwise.zip": chatwise(CHAT, {**CHAT, "id": "d"})},
        "codex": {"rollout.jsonl.gz": gzip.compress(as_lines(ROLLOUT))},
        "cursor": {"state.vscdb": database_of(CURSOR)},
        "cursor_cli": {"store.db": database_of(cursor_store())},
        "grok_cli": {"grok.db": database_of(grok_tables())},
        "langfuse": {"export.csv": table([OBSERVATION])},
        "langgraph": {"checkpoints.sqlite": database_of(checkpoints())},
        "hermes": {"state.db": database_of(hermes_tables())},
        "pi": {"agent.sqlite": database_of(openclaw_tables())},
        "goose": {"sessions.db": database_of(goose_tables())},
        "crush": {"crush.db": database_of(crush_tables())},
        "opencode": {"opencode.db": database_of(opencode_tables())},
        "llm_log": {"logs.db": database_of(LLM)},
        "open_webui": {"webui.db": database_of(DATABASE)},
        "rows": {"train-00000-of-00001.parquet": _parquet()},
        "slack": {"slack.zip": _slack()},
    }
    written = {
        kind: {name: _written(name, value) for name, value in of.items()}
        for kind, of in {**DOCUMENTS, **APPLICATIONS, **FRAMEWORKS}.items()
    }
    kinds = dict.fromkeys((*written, *binary))
    return {
        kind: tuple(Input(*file) for file in {**written.get(kind, {}), **binary.get(kind, {})}.items())
        for kind in kinds
    }


def _written(name: str, value: Any) -> bytes:
    """A document as the ending of its name asks for it."""
    if isinstance(value, str):
        return value.encode()
    write = {".yaml": as_yaml, ".jsonl": as_lines}.get(PurePath(name).suffix, as_json)
    return write(value)
