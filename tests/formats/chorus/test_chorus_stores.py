"""Chorus Engine's database and its backups: messages with their marks, memories with theirs, summaries, damage."""

import io
import json
import sqlite3
import zipfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.formats.chorus import backup as chorus_backup
from inspector.formats.chorus import database as chorus_database
from inspector.model import Memory, Message, PastSummary, Workspace
from inspector.reading.source import FileSource, UnreadableError

TIME = "2023-05-18 13:47:00.000000"
AT = datetime(2023, 5, 18, 13, 47, tzinfo=UTC)
TALK = {"id": "c1", "character_id": "nova", "title": "Talks", "source": "web"}
MESSAGES: list[dict[str, Any]] = [
    {
        "id": "m1",
        "role": "USER",
        "content": "Hi",
        "emotional_weight": 0.5,
        "summary": None,
        "preserve_full_text": "true",
    },
    {
        "id": "m2",
        "role": "ASSISTANT",
        "content": "Hello there",
        "summary": "A greeting.",
        "preserve_full_text": "false",
        "metadata": '{"model": "x"}',
    },
    {"id": "m3", "role": "SCENE_CAPTURE", "content": "[image]", "preserve_full_text": "true"},
    {"id": "m4", "role": "USER", "content": "Never mind", "preserve_full_text": "false", "deleted_at": TIME},
]
MEMORY: dict[str, Any] = {
    "id": "k1",
    "conversation_id": "c1",
    "thread_id": "t1",
    "character_id": "nova",
    "memory_type": "implicit",
    "content": "Likes tea.",
    "priority": 80,
    "tags": '["drinks"]',
    "confidence": 0.75,
    "category": "taste",
    "status": "pending",
    "source_messages": '["m1", "m2"]',
    "durability": "long_term",
    "source": "discord",
    "created_at": TIME,
}
SUMMARY: dict[str, Any] = {
    "id": "s1",
    "conversation_id": "c1",
    "thread_id": "t1",
    "summary": "They greet.",
    "summary_type": "progressive",
    "message_range_start": 0,
    "message_range_end": 1,
    "key_topics": '["greeting"]',
    "tone": "warm",
    "open_questions": '["Tea?"]',
}
EXPECTED_MESSAGES = (
    Message("m1", "user", "Hi", time=AT, emotional_weight=0.5, key_moment=True),
    Message(
        "m2", "assistant", "Hello there", time=AT, summary="A greeting.", key_moment=False, metadata={"model": "x"}
    ),
    Message(
        "m3",
        "system",
        "[image]",
        time=AT,
        key_moment=True,
        excluded=True,
        metadata={"recorded": {"action": "dropped", "reason": "a picture of the scene"}},
    ),
    Message(
        "m4",
        "user",
        "Never mind",
        time=AT,
        key_moment=False,
        excluded=True,
        metadata={"recorded": {"action": "dropped", "reason": "deleted"}},
    ),
)
EXPECTED_MEMORY = Memory(
    id="k1",
    content="Likes tea.",
    type="fact",
    priority=80,
    confidence=0.75,
    category="taste",
    time=AT,
    status="pending",
    durability="long_term",
    source="discord",
    thread_id="t1",
    source_messages=("m1", "m2"),
    tags=("drinks",),
)
EXPECTED_SUMMARY = PastSummary("s1", "They greet.", "Talks, messages 0–1", None, "warm", ("greeting",), ("Tea?",))


def database(path: Path, **tables: list[dict[str, Any]]) -> Path:
    """A database with these rows; a table has the columns that its rows have."""
    messages = [{"thread_id": "t1", "created_at": TIME, "metadata": None, "deleted_at": None, **m} for m in MESSAGES]
    rows = {
        "conversations": [TALK],
        "threads": [{"id": "t1", "conversation_id": "c1", "title": "New Thread"}],
        "messages": messages,
        "memories": [MEMORY],
        "conversation_summaries": [SUMMARY],
        **tables,
    }
    with closing(sqlite3.connect(path)) as connection:
        for table, items in rows.items():
            columns = list(dict.fromkeys(name for item in items for name in item))
            connection.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
            for item in items:
                names = ", ".join(item)
                marks = ", ".join("?" * len(item))
                connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(item.values()))
        connection.commit()
    return path


PIN: dict[str, Any] = {
    "id": "p1",
    "character_id": "nova",
    "selected_message_ids": '["m1"]',
    "transcript_snapshot": "A copy of the messages",
    "what_happened": "They met.",
    "why_model": "A beginning.",
    "why_user": None,
    "quote_snippet": "Hi",
    "tags": '["first"]',
    "archived": 0,
    "created_at": TIME,
}
EXPECTED_PIN = Memory(
    id="p1",
    content="what_happened: They met.\nwhy: A beginning.\nquote_snippet: Hi",
    type="moment_pin",
    time=AT,
    source_messages=("m1",),
    tags=("first",),
)


def test_pinned_moments_are_memories_without_their_copy_of_the_messages(tmp_path: Path) -> None:
    archived = {**PIN, "id": "p2", "archived": 1, "why_user": "Mine."}
    workspace = load_workspace([database(tmp_path / "chorus.db", moment_pins=[PIN, archived])])
    assert [one.id for one in workspace.memory_sets] == ["nova", "nova-pins"]
    first, second = workspace.memory_sets[1].memories
    assert first == EXPECTED_PIN
    assert (second.excluded, "why: Mine." in second.content) == (True, True)
    assert workspace.problems == ()


def test_pinned_moments_of_a_backup() -> None:
    manifest = {"backup_format_version": 1, "files": {"moment_pins": "database/moment_pins.json"}}
    source = backup(**{"manifest.json": manifest, "database/moment_pins.json": [PIN]})
    assert chorus_backup.load(source).memory_sets[-1].memories == (EXPECTED_PIN,)


def test_a_database(tmp_path: Path) -> None:
    workspace = load_workspace([database(tmp_path / "chorus.db")])
    assert [source.format for source in workspace.sources] == ["chorus_database"]
    (talk,) = workspace.conversations
    assert (talk.id, talk.title, talk.thread_id, talk.source) == ("c1", "Talks", "t1", "web")
    assert talk.messages == EXPECTED_MESSAGES
    (found,) = workspace.memory_sets
    assert (found.id, found.memories) == ("nova", (EXPECTED_MEMORY,))
    assert [(one.id, one.summary, one.title, one.tone, one.topics) for one in workspace.summaries] == [
        ("s1", "They greet.", "Talks, messages 0–1", "warm", ("greeting",))
    ]
    assert workspace.problems == ()


def test_threads_are_conversations_of_their_own(tmp_path: Path) -> None:
    threads = [{"id": f"t{n}", "conversation_id": "c1", "title": f"Part {n}"} for n in (1, 2)]
    message = {"id": "x", "role": "USER", "content": "x", "preserve_full_text": "true"}
    messages = [{**message, "id": f"m{n}", "thread_id": f"t{n}"} for n in (2, 1, 3)]
    workspace = load_workspace([database(tmp_path / "chorus.db", threads=threads, messages=messages)])
    assert [(talk.id, talk.title, [one.id for one in talk.messages]) for talk in workspace.conversations] == [
        ("c1:t1", "Talks: Part 1", ["m1"]),
        ("c1:t2", "Talks: Part 2", ["m2"]),
        ("t3", "Conversation", ["m3"]),  # its thread is gone
    ]


@pytest.mark.parametrize(
    ("tables", "place", "words"),
    [
        ({"memories": [MEMORY, {**MEMORY, "id": "k2", "content": None}]}, "memories: k2", "expected text"),
        ({"memories": [{**MEMORY, "priority": 900}]}, "memories: k1.priority", "expected 0 to 100"),
        (
            {"messages": [{"id": "m", "thread_id": "t1", "role": "GHOST", "content": "x", "preserve_full_text": ""}]},
            "messages: m",
            "expected a message with content and a role",
        ),
        (
            {"conversation_summaries": [{**SUMMARY, "summary": None}]},
            "conversation_summaries: s1",
            "expected a summary",
        ),
    ],
)
def test_a_bad_row_is_one_problem(tmp_path: Path, tables: Any, place: str, words: str) -> None:
    (problem,) = load_workspace([database(tmp_path / "chorus.db", **tables)]).problems
    assert problem.place == place
    assert words in problem.message


@pytest.mark.parametrize(
    ("table", "column"),
    [("conversations", "id"), ("conversation_summaries", "id"), ("memories", "id"), ("threads", "title")],
)
def test_a_column_that_is_not_there_is_a_value_that_is_not_known(tmp_path: Path, table: str, column: str) -> None:
    path = database(tmp_path / "chorus.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        connection.commit()
    workspace = load_workspace([path])
    assert [one.id for one in workspace.conversations] == ["c1"]
    assert [message.id for message in workspace.conversations[0].messages] == ["m1", "m2", "m3", "m4"]
    assert [one.summary for one in workspace.summaries] == ["They greet."]
    assert all(one.id for one in workspace.summaries)


def test_two_threads_of_one_id_are_two_conversations(tmp_path: Path) -> None:
    threads = [{"id": "", "conversation_id": id_, "title": "x"} for id_ in ("", "", "c9")]
    file = FileSource("chorus.db", database(tmp_path / "chorus.db", threads=threads).read_bytes())
    ids = [talk.id for talk in chorus_database.load(file).conversations]
    assert len(set(ids)) == len(ids)
    assert all(ids)


def test_a_damaged_database_is_refused(tmp_path: Path) -> None:
    path = database(tmp_path / "chorus.db")
    path.write_bytes(path.read_bytes()[:-6_000])
    (problem,) = load_workspace([path]).problems
    assert (problem.severity, problem.message.split(":")[0]) == ("error", "is a damaged SQLite database")


def test_other_databases_are_not_claimed(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection:
        connection.execute("CREATE TABLE messages (id, thread_id, role, content)")
        connection.commit()
    assert chorus_database.sniff(FileSource("x.db", (tmp_path / "x.db").read_bytes())) == 0


def backup(**members: Any) -> FileSource:
    """A backup; a member that is None is left out, text is written as it is."""
    messages = [
        {
            **{key: value for key, value in message.items() if key not in ("deleted_at", "metadata")},
            "role": message["role"].lower(),
            "created_at": "2023-05-18T13:47:00",
            "meta_data": json.loads(message.get("metadata") or "null"),
        }
        for message in MESSAGES
    ]
    memory = {**MEMORY, "tags": ["drinks"], "source_messages": ["m1", "m2"]}
    summary = {**SUMMARY, "key_topics": ["greeting"], "open_questions": ["Tea?"]}
    written = {
        "manifest.json": {"backup_format_version": 1, "files": {"conversations": "database/conversations.json"}},
        "character.yaml": "id: nova\nname: Nova\nsystem_prompt: Be kind.\nimmersion_level: full\n"
        "custom_system_prompt: true\ncore_memories: [{content: By the sea., embedding_priority: high}]\n",
        "database/conversations.json": [{**TALK, "threads": [{"id": "t1", "messages": messages}], "summary": summary}],
        "database/memories.json": [memory],
        **members,
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, value in written.items():
            if value is not None:
                archive.writestr(name, value if isinstance(value, str) else json.dumps(value))
    return FileSource("nova.zip", buffer.getvalue())


def opened(source: FileSource) -> Workspace:
    assert chorus_backup.sniff(source) == 1.0
    return chorus_backup.load(source)


def test_a_backup() -> None:
    workspace = opened(backup())
    (talk,) = workspace.conversations
    returned = Message(
        "m4", "user", "Never mind", time=AT, key_moment=False
    )  # a backup does not say that it was deleted
    assert talk.messages == (*EXPECTED_MESSAGES[:3], returned)
    assert (talk.id, talk.thread_id, talk.source) == ("c1", "t1", "web")
    assert [(one.id, len(one.memories)) for one in workspace.memory_sets] == [("nova-core", 1), ("nova", 1)]
    assert workspace.memory_sets[1].memories == (EXPECTED_MEMORY,)
    assert workspace.summaries == (EXPECTED_SUMMARY,)
    assert workspace.characters[0].system_prompt == "Be kind."
    assert workspace.problems == ()


@pytest.mark.parametrize(
    ("members", "file", "words"),
    [
        ({"character.yaml": None}, "nova.zip", "is missing from the backup"),
        ({"character.yaml": "- x"}, "nova.zip/character.yaml", "expected an object"),
        ({"database/memories.json": None}, "nova.zip", "is missing from the backup"),
        ({"database/memories.json": "[{"}, "nova.zip/database/memories.json", "cut off"),
        ({"database/memories.json": {}}, "nova.zip/database/memories.json", "expected a list of memories"),
        ({"database/memories.json": [5]}, "nova.zip/database/memories.json", "expected an object"),
        ({"database/conversations.json": [TALK]}, "nova.zip/database/conversations.json", "with threads"),
        ({"manifest.json": {"backup_format_version": 9}}, "nova.zip/manifest.json", "expected 1, found 9"),
    ],
)
def test_a_bad_member_is_one_problem_and_the_others_open(members: Any, file: str, words: str) -> None:
    workspace = opened(backup(**members))
    (problem,) = workspace.problems
    assert problem.file == file
    assert words in problem.message
    assert workspace.memory_sets


def test_what_has_no_id_gets_one() -> None:
    talk = {"title": "Talks", "threads": [{"messages": []}, {"messages": []}], "summary": {"summary": "They greet."}}
    workspace = opened(backup(**{"database/conversations.json": [talk, talk]}))
    for ids in ([talk.id for talk in workspace.conversations], [one.id for one in workspace.summaries]):
        assert len(set(ids)) == len(ids) > 1
        assert all(ids)


def test_a_manifest_that_is_no_json_is_refused() -> None:
    with pytest.raises(UnreadableError, match="cut off"):
        opened(backup(**{"manifest.json": '{"backup_format_version": 1'}))


def test_other_archives_are_not_claimed() -> None:
    assert chorus_backup.sniff(backup(**{"manifest.json": {"version": 1}})) == 0
    assert chorus_backup.sniff(backup(**{"manifest.json": None})) == 0
    assert chorus_backup.sniff(FileSource("x.zip", b"PK\x03\x04broken")) == 0


def test_of_several_characters_each_has_memories_and_summaries_in_its_own_conversations(tmp_path: Path) -> None:
    talks = [TALK, {**TALK, "id": "c2", "character_id": "aria"}]
    threads = [{"id": f"t{n}", "conversation_id": f"c{n}", "title": "x"} for n in (1, 2)]
    memories = [MEMORY, *({**MEMORY, "id": name, "character_id": name} for name in ("aria", "silent"))]
    summaries = [{**SUMMARY, "created_at": TIME}, {**SUMMARY, "id": "s2", "conversation_id": "c2", "created_at": TIME}]
    lists = {"conversations": talks, "threads": threads, "memories": memories, "conversation_summaries": summaries}
    file = database(tmp_path / "chorus.db", **lists)
    found = chorus_database.load(FileSource(str(file), file.read_bytes()))
    assert [one.conversations for one in found.memory_sets] == [("c1",), ("c2",), ()]
    assert [(one.conversations, one.time) for one in found.summaries] == [(("c1",), AT), (("c2",), AT)]
