"""Chats found by their shape: under any key and any depth, in JSON, lines, YAML and databases of no known layout."""

import json
import sqlite3
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_file
from inspector.formats.opening import load_unnamed
from inspector.formats.registry import built_in_formats, candidates, guesses
from inspector.model import Workspace
from inspector.reading.source import FileSource

ASKED, ANSWERED = "What is the capital of France?", "Paris."
SAID = [("user", ASKED), ("assistant", ANSWERED)]
SEARCHED: dict[str, Any] = {
    "state": {
        "sessions": {
            "s1": {
                "title": "Capitals",
                "model": "m-1",
                "log": [
                    {"node": {"author": "human", "text": ASKED, "ts": 1_700_000_000}},
                    {"node": {"author": "model", "text": ANSWERED, "ts": 1_700_000_005}},
                ],
            }
        }
    },
    "version": 3,
}
ROWS = [{"session": "a", "question": ASKED, "answer": ANSWERED}, {"session": "a", "question": "And?", "answer": "No."}]
RECORDS = {
    "export": [
        {"thread": "a", "turns": [[ASKED, ANSWERED], ["And Spain?", None]]},
        {"thread": "b", "request": {"messages": [{"role": "user", "text": ASKED}]}, "result": {"content": ANSWERED}},
        {"thread": "c", "transcript": f"User: {ASKED}\nBot: {ANSWERED}"},
    ]
}
ROLE_KEYS = ("role", "sender", "from", "speaker", "author", "type", "kind", "message_type")
TEXT_KEYS = ("content", "text", "message", "body", "value", "parts", "utterance")
WRAPS = ("message", "msg", "data", "payload", "item", "node")
LISTS = ("messages", "transcript", "log", "items", "entries", "events", "records", "data", "chat", "history", "input")
AROUND = ("data", "chat", "session", "conversation", "result", "export", "body", "props")


def opened(value: Any, lines: bool = False) -> Workspace:
    data = "\n".join(map(json.dumps, value)) if lines else json.dumps(value)
    return load_unnamed(data.encode(), "x.json").workspace


def said(workspace: Workspace) -> list[tuple[str, str]]:
    return [(one.role, one.content) for chat in workspace.conversations for one in chat.messages]


def turns(role: str = "role", text: str = "text", words: Sequence[str] = ("user", "assistant")) -> list[dict[str, Any]]:
    texts = ([ASKED], [ANSWERED]) if text == "parts" else (ASKED, ANSWERED)
    return [{role: word, text: one} for word, one in zip(words, texts, strict=True)]


def is_told(workspace: Workspace) -> bool:
    return any("of no format that this program knows" in one.message for one in workspace.problems)


def test_a_chat_anywhere_in_a_file_is_found_and_told() -> None:
    workspace = opened(SEARCHED)
    (chat,) = workspace.conversations
    assert said(workspace) == SAID
    assert (chat.title, chat.model, chat.messages[1].time is not None) == ("Capitals", "m-1", True)
    (problem,) = workspace.problems
    assert problem.severity == "warning"
    assert "2 messages found by their shape at $.state.sessions.s1.log.node" in problem.message


@pytest.mark.parametrize(("role", "text"), [pair for pair in product(ROLE_KEYS, TEXT_KEYS) if len({*pair}) == 2])
def test_roles_and_texts_are_found_under_any_usual_keys(role: str, text: str) -> None:
    for value in (turns(role, text), {"log": turns(role, text)}, {"a": {"b": [{"c": turns(role, text)}]}}):
        assert said(opened(value)) == SAID
    assert said(opened(turns(role, text), lines=True)) == SAID


@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize("text", ["content", "text"])
def test_turns_are_found_inside_of_records(wrap: str, text: str) -> None:
    records = [{"type": "event", "seq": n, wrap: one} for n, one in enumerate(turns(text=text))]
    assert said(opened(records, lines=True)) == said(opened({"edges": records})) == SAID
    deep = [{"event": {wrap: one}} for one in turns(text=text)]
    assert said(opened(deep, lines=True)) == said(opened({"x": deep})) == SAID


@pytest.mark.parametrize("key", LISTS)
def test_the_list_of_turns_may_have_any_key(key: str) -> None:
    for value in (turns(), turns(text="content"), turns("sender", "content", ("human", "bot"))):
        assert said(opened({key: value})) == said(opened({"id": 3, "x": {key: value}})) == SAID


@pytest.mark.parametrize("key", AROUND)
def test_chats_may_be_in_any_object(key: str) -> None:
    two = opened({key: [{"id": "a", "messages": turns()}, {"id": "b", "messages": turns()}]})
    assert [chat.id for chat in two.conversations] == ["a", "b"]
    assert said(opened({key: json.dumps({"messages": turns()})})) == SAID
    assert said(opened({key: {"1": turns()[0], "2": turns()[1]}})) == SAID


@pytest.mark.parametrize("keys", [("is_user", True), ("isUser", True), ("fromMe", True), ("is_bot", False)])
def test_a_truth_value_may_say_who_speaks(keys: tuple[str, bool]) -> None:
    key, of_user = keys
    assert said(opened({"x": turns(key, "text", (of_user, not of_user))})) == SAID  # type: ignore[arg-type]


PAIRS = [
    *(("prompt", "response"), ("question", "answer"), ("input", "output"), ("user", "assistant"), ("human", "ai")),
    *(("query", "reply"), ("userMessage", "assistant_message"), ("user_input", "bot_response"), ("Q", "A")),
    *(("prompt", "completion"), ("request", "response"), ("User", "Bot")),
]


@pytest.mark.parametrize(("asked", "answered"), PAIRS)
def test_rows_of_a_question_and_an_answer_are_chats_or_the_turns_of_one(asked: str, answered: str) -> None:
    row = {asked: ASKED, answered: ANSWERED}
    assert said(opened([row])) == said(opened([{"id": 7, **row}], lines=True)) == SAID
    assert len(opened([row, row]).conversations) == 2
    one = opened({"data": {"turns": [row, row]}})
    assert (len(one.conversations), said(one)) == (1, [*SAID, *SAID])
    named = opened([{"session_id": name, **row} for name in "aba"], lines=True)
    assert [len(chat.messages) for chat in named.conversations] == [4, 2]


@pytest.mark.parametrize(("days", "chats"), [(("01", "01", "02"), 1), (("02", "01", "03"), 3), (("01", "02", ""), 3)])
def test_rows_of_rising_times_are_one_chat(days: tuple[str, ...], chats: int) -> None:
    rows = [{"query": ASKED, "reply": ANSWERED, "timestamp": f"2024-01-{day}" if day else None} for day in days]
    assert len(opened(rows).conversations) == chats


@pytest.mark.parametrize(
    "value",
    [
        {"history": [[ASKED, ANSWERED]]},
        {"messages": [ASKED, ANSWERED]},
        {"dialog": [f"User: {ASKED}", f"Bot: {ANSWERED}"]},
        {"transcript": f"Human: {ASKED}\n\nAssistant: {ANSWERED}"},
        [{"conversation": f"**User**: {ASKED}\n**AI**: {ANSWERED}"}],
        [{"tagged": f"[USER]\r\n{ASKED}\r\n[/USER]\r\n[ASSISTANT]\r\n{ANSWERED}\r\n[/ASSISTANT]"}],
        [{"user": ASKED}, {"assistant": ANSWERED}],
        {"a": {"chat": [[ASKED, ANSWERED]]}},
        {"x": [{"role": "assistant", "text": ANSWERED, "date": "2024-01-02"}, {**turns()[0], "date": "2024-01-01"}]},
    ],
)
def test_pairs_texts_and_scripts_are_turns(value: Any) -> None:
    assert said(opened(value)) == SAID


@pytest.mark.parametrize(
    "answer",
    [
        {"result": ANSWERED},
        {"response": {"content": ANSWERED}},
        {"output": {"generations": [[{"text": ANSWERED}]]}},
        {"res": {"body": {"choices": [{"message": {"role": "assistant", "content": ANSWERED}}]}}},
        {"response_body": json.dumps({"content": [{"type": "text", "text": ANSWERED}]})},
    ],
)
@pytest.mark.parametrize("wrap", ["", "message"])
def test_an_answer_beside_its_request_is_the_last_turn(answer: dict[str, Any], wrap: str) -> None:
    asked = turns(text="content")[0]
    log = {"call": {"params": {"messages": [{wrap: asked} if wrap else asked]}, **answer}}
    assert said(opened([log], lines=True)) == SAID


def test_a_request_that_ends_with_an_answer_keeps_what_stands_beside_it_apart() -> None:
    workspace = opened({"run": {"inputs": {"x": turns()}, "outputs": {"y": turns()}}})
    assert [len(chat.messages) for chat in workspace.conversations] == [2, 2]


def test_a_tree_is_found_with_its_branches() -> None:
    nodes = {
        "a": {"id": "a", "parent": None, "message": turns()[0]},
        "b": {"id": "b", "parent": "a", "message": {"role": "assistant", "text": "Lyon."}},
        "c": {"id": "c", "parent": "a", "message": turns()[1]},
    }
    (chat,) = opened({"graph": {"nodes": nodes}}).conversations
    assert [(one.role, one.content) for one in chat.messages] == SAID
    assert chat.tree is not None
    assert len(chat.tree.messages) == 3


TABLES = {
    "roles": ("messages", ("role", "content"), [("user", ASKED), ("assistant", ANSWERED)]),
    "pairs": ("log", ("prompt", "response"), [(ASKED, ANSWERED)]),
    "json": ("store", ("session_id", "data"), [(1, json.dumps({"messages": turns()}))]),
    "langchain": (
        "message_store",
        ("session_id", "message"),
        [
            ("a", json.dumps({"type": kind, "data": {"content": text}}))
            for kind, text in (("human", ASKED), ("ai", ANSWERED))
        ],
    ),
    "agents": (
        "agent_messages",
        ("session_id", "message_data"),
        [("a", json.dumps(one)) for one in turns(text="content")],
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_databases_of_any_program_are_searched(name: str, tmp_path: Path) -> None:
    table, columns, rows = TABLES[name]
    with sqlite3.connect(tmp_path / "x.db") as database:
        database.execute("create table other(a, b)")
        database.execute(f"create table {table}(id integer primary key, {', '.join(columns)})")
        marks = ", ".join("?" * len(columns))
        database.executemany(f"insert into {table}({', '.join(columns)}) values({marks})", rows)
    database.close()
    workspace = load_file(tmp_path / "x.db")
    assert said(workspace) == SAID
    assert is_told(workspace)
    assert table in workspace.problems[0].message


def test_sessions_of_a_table_are_chats(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "x.db") as database:
        database.execute("create table message(chat_id, sender, text)")
        rows = [(chat, *pair) for pair in SAID for chat in "ab"]
        database.executemany("insert into message values(?, ?, ?)", rows)
    database.close()
    assert [(c.id, len(c.messages)) for c in load_file(tmp_path / "x.db").conversations] == [("a", 2), ("b", 2)]


@pytest.mark.parametrize(
    "value",
    [
        {"name": "x", "scripts": {"build": "tsc -p .", "input": "src/a.ts", "output": "dist"}},
        {"type": "user", "name": "Ada Lovelace"},
        [["8740", "字"], ["8767", "词"]],
        {"users": [{"role": "admin", "name": "Ada"}]},
        {"compilerOptions": {"message": "no"}},
        [{"role": "chair", "text": "Please sit."}],
        ["one two", "three four"],
    ],
)
def test_other_json_is_not_taken_for_a_chat(value: Any) -> None:
    found, _ = candidates(FileSource("x", json.dumps(value).encode()), built_in_formats())
    assert found == []


def test_a_guess_is_asked_only_where_no_other_format_answers() -> None:
    found, _ = candidates(FileSource("x", json.dumps(turns(text="content")).encode()), built_in_formats())
    assert "searched" not in [one.format.name for one in found]
    found, _ = candidates(FileSource("x", json.dumps(SEARCHED).encode()), built_in_formats())
    assert [(one.format.name, one.is_sure) for one in found] == [("searched", False)]


def test_every_guess_of_the_program_is_asked() -> None:
    known = [kind.name for kind in built_in_formats() if kind.is_guess]
    asked = guesses(FileSource("x", json.dumps(SEARCHED).encode()), built_in_formats(), [])
    assert [kind.name for kind in asked] == known == ["searched"]


def test_text_beside_the_found_messages_is_told() -> None:
    workspace = opened({**SEARCHED, "notes": "Remember to ask about Lyon, too."})
    assert said(workspace) == SAID
    assert any("Remember to ask" in one.message for one in workspace.problems)


def test_values_nested_deeper_than_any_program_writes_are_left() -> None:
    deep: Any = turns()
    for _ in range(400):
        deep = {"a": [deep]}
    assert opened({"x": turns(), "deep": deep}).conversations
    assert not opened({"deep": deep}).conversations


SHAPES: dict[str, Any] = {
    "another event": {
        "events": [{"event": "listen"}, {"event": "user", "text": ASKED}, {"event": "bot", "text": ANSWERED}]
    },
    "role of the sender": {
        "activities": [
            {"type": "message", "from": {"id": "a", "role": word}, "text": text}
            for word, text in (("user", ASKED), ("bot", ANSWERED))
        ]
    },
    "kind of the author": {
        "parts": {"parts": [{"author": {"type": word, "name": "x"}, "body": text} for word, text in SAID]}
    },
    "participants": {
        "entries": [
            {"participantRole": word, "content": text}
            for word, text in (("END_USER", ASKED), ("AUTOMATED_AGENT", ANSWERED))
        ]
    },
    "classes beside names": [
        {
            "dialog": [
                {"sender": "participant2", "text": ASKED, "sender_class": "Human"},
                {"sender": "participant1", "text": ANSWERED, "sender_class": "Bot"},
            ]
        }
    ],
    "directions": {
        "messages": [
            {"direction": word, "payload": {"type": "text", "text": text}}
            for word, text in (("incoming", ASKED), ("outgoing", ANSWERED))
        ]
    },
    "user names": {
        "messages": [{"u": {"username": word}, "msg": text} for word, text in (("user", ASKED), ("bot", ANSWERED))]
    },
    "agent and caller": {"transcript": [{"role": "caller", "message": ASKED}, {"role": "agent", "message": ANSWERED}]},
    "sources beside an answer": [{"id": 1, "prompt": ASKED, "response": json.dumps({"text": ANSWERED, "sources": []})}],
    "answers of models": [{"prompt": ASKED, "responses": [{"model": "m", "response": ANSWERED}]}],
    "a pool of messages": {
        "messages": {"U1": {"role": "user", "content": ASKED}, "A1": {"role": "assistant", "content": ANSWERED}},
        "steps": [{"input": ["U1"], "output": "A1"}],
    },
    "its own name": [{"author": "human", "text": ASKED}, {"author": "chinchilla", "text": ANSWERED}],
    "the user's name": {"x": [{"sender": "Ada", "text": ASKED}, {"sender": "assistant", "text": ANSWERED}]},
}
"""Chats as bot frameworks, call services and chat programs write them, by what is special about each."""


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_of_bots_calls_and_programs_are_read(name: str) -> None:
    assert said(opened(SHAPES[name])) == SAID


def test_who_was_taken_for_the_assistant_is_told() -> None:
    (problem,) = opened(SHAPES["its own name"]).problems
    assert (problem.severity, "chinchilla" in problem.message) == ("info", True)


def test_names_are_not_taken_for_speakers_where_both_are_known() -> None:
    turns_of_three = [*SHAPES["its own name"], {"author": "assistant", "text": "Lyon."}]
    workspace = opened(turns_of_three)
    assert said(workspace) == [("user", ASKED), ("assistant", "Lyon.")]
    assert any("chinchilla" in one.message and one.severity == "error" for one in workspace.problems)


@pytest.mark.parametrize("wrap", [lambda turns: turns, lambda turns: {"conversations": [{"id": "c", "turns": turns}]}])
def test_of_two_people_the_second_is_the_assistant(wrap: Callable[[Any], Any]) -> None:
    talk = [{"role": "patient", "content": ASKED}, {"role": "nurse", "content": ANSWERED, "time": "2024-01-01"}]
    workspace = opened(wrap(talk))
    assert said(workspace) == SAID
    assert [one.name for one in workspace.conversations[0].messages] == ["patient", "nurse"]
    assert any(
        "patient for the user and nurse for the assistant was assumed" in one.message for one in workspace.problems
    )


def test_of_more_people_all_are_users() -> None:
    workspace = opened({"chat": [{"sender": name, "text": ASKED} for name in ("Ada", "Bob", "Cem", "Ada")]})
    assert [(one.role, one.name) for one in workspace.conversations[0].messages] == [
        *(("user", "Ada"), ("user", "Bob"), ("user", "Cem"), ("user", "Ada"))
    ]


ONE_NAME = {"chat": [{"from": "a", "text": ASKED}] * 2}
OTHER_KEY = {"items": [{"sender": "a", "text": ASKED}, {"sender": "b", "text": ANSWERED}]}


@pytest.mark.parametrize("value", [ONE_NAME, OTHER_KEY])
def test_a_list_of_one_name_or_of_another_key_is_no_chat_of_people(value: Any) -> None:
    assert not opened(value).conversations
