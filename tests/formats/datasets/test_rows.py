"""Data sets with a chat in each row: Parquet, and JSON lines with the columns of known sets."""

import json
from typing import Any

import pytest

from inspector.formats.datasets import oasst, preferences, rows
from inspector.formats.format import Format
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError
from inspector.testing import check_format
from tests.reading.parquet_files import parquet_of

ASKED, ANSWERED = {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}
WILDCHAT = {
    "conversation_hash": "c1",
    "model": "gpt-4",
    "timestamp": 1_709_251_200_000_000,
    "conversation": [{**ASKED, "language": "English"}, {**ANSWERED, "language": "English"}],
    "turn": 1,
    "openai_moderation": [{"flagged": False}],
}
LMSYS = {
    "conversation_id": "c2",
    "model": "vicuna-13b",
    "conversation": [ASKED, ANSWERED],
    "turn": 1,
    "language": "English",
    "redacted": False,
}
ULTRACHAT = {"prompt": "Hi", "prompt_id": "c3", "messages": [ASKED, ANSWERED]}
OLD_ULTRACHAT = {"id": "4", "data": ["Hi", "Ho", "Why?", "So."]}
KNOWN = [(WILDCHAT, "c1", "gpt-4"), (LMSYS, "c2", "vicuna-13b"), (ULTRACHAT, "c3", "")]
SAID = [("user", "Hi"), ("assistant", "Ho")]


def loaded(source: FileSource, kind: Format = rows.FORMAT) -> Workspace:
    assert rank_formats(source, built_in_formats())[0][0] is kind
    return kind.load(source)


def said(workspace: Workspace, number: int = 0) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in workspace.conversations[number].messages]


def lines(*values: Any) -> FileSource:
    return FileSource("train.jsonl", b"\n".join(json.dumps(value).encode() for value in values))


def table(*values: dict[str, Any]) -> FileSource:
    return FileSource("train.parquet", parquet_of(list(values)))


@pytest.mark.parametrize("file", [lines, table])
@pytest.mark.parametrize(("row", "id_", "model"), KNOWN)
def test_each_row_is_a_conversation(file: Any, row: dict[str, Any], id_: str, model: str) -> None:
    workspace = loaded(file(row, row))
    assert [chat.id for chat in workspace.conversations] == [id_, f"{id_}-2"]
    assert said(workspace) == SAID
    assert (workspace.conversations[0].model, workspace.conversations[0].title) == (model, "Hi")
    assert workspace.problems == ()


def test_the_time_of_a_row_is_that_of_its_last_turn() -> None:
    first, last = loaded(table(WILDCHAT)).conversations[0].messages
    assert first.time is None
    assert last.time is not None
    assert last.time.isoformat() == "2024-03-01T00:00:00+00:00"


@pytest.mark.parametrize("file", [lines, table])
def test_texts_are_said_by_turns(file: Any) -> None:
    workspace = loaded(file(OLD_ULTRACHAT, OLD_ULTRACHAT))
    assert said(workspace) == [*SAID, ("user", "Why?"), ("assistant", "So.")]
    assert workspace.conversations[0].id == "4"


def test_sharegpt_may_be_a_table() -> None:
    turns = [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Ho"}]
    assert said(loaded(table({"id": "a", "conversations": turns}))) == SAID


def test_a_table_may_have_other_formats() -> None:
    tree = {"message_id": "a", "parent_id": None, "message_tree_id": "a", "text": "Hi", "role": "prompter"}
    reply = {**tree, "message_id": "b", "parent_id": "a", "text": "Ho", "role": "assistant"}
    assert said(loaded(table(tree, reply), oasst.FORMAT)) == SAID
    assert said(loaded(table({"prompt": "Hi", "chosen": "Ho", "rejected": "No"}), preferences.FORMAT)) == SAID


def test_a_row_without_a_chat_is_a_problem_and_the_others_open() -> None:
    workspace = loaded(table(ULTRACHAT, {"prompt": "x", "prompt_id": "y", "messages": None}))
    assert [chat.id for chat in workspace.conversations] == ["c3"]
    assert [(problem.place, problem.severity) for problem in workspace.problems] == [("row 2: $", "error")]


@pytest.mark.parametrize("row", [{"id": "a", "tags": ["x", "y"]}, {"messages": "none"}, {"data": ["x"]}])
def test_other_tables_are_not_claimed(row: dict[str, Any]) -> None:
    source = table(row)
    assert rank_formats(source, built_in_formats())[0] == []
    with pytest.raises(UnreadableError):
        rows.load(source)


def test_it_keeps_what_formats_promise(tmp_path: Any) -> None:
    for name, data in {"a.parquet": table(WILDCHAT, WILDCHAT).data, "b.jsonl": lines(LMSYS).data}.items():
        (tmp_path / name).write_bytes(data)
    check_format(rows.FORMAT, tmp_path / "a.parquet", tmp_path / "b.jsonl")
