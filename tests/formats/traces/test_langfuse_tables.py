"""Tables (CSV) of Langfuse's exports: observations and traces, with cells of JSON as each version wrote them."""

import csv
import io
import json
from typing import Any

import pytest

from inspector.formats.registry import built_in_formats, rank_formats
from inspector.formats.traces import langfuse
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError

GIVEN = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": 'Say "hi",\nplease'}]
OBSERVATION = {
    "id": "g",
    "traceId": "t",
    "projectId": "p",
    "type": "GENERATION",
    "name": "Call",
    "level": "DEFAULT",
    "startTime": "2025-08-22T09:38:56.232Z",
    "endTime": None,
    "parentObservationId": "",
    "model": "gpt-4o",
    "input": json.dumps(GIVEN),
    "output": "Ho",
    "metadata": {},
    "usageDetails": {"input": 9, "output": 2},
    "latency": 1.5,
    "comments": [],
    "helpfulness": None,
}
TRACE = {
    "id": "t",
    "timestamp": "2025-08-22T09:38:56.232Z",
    "name": "Talk",
    "userId": None,
    "sessionId": "s",
    "tags": ["a"],
    "bookmarked": False,
    "public": False,
    "input": json.dumps({"messages": GIVEN}),
    "output": "Ho",
}


def table(rows: list[dict[str, Any]], all_are_json: bool = False) -> bytes:
    """The rows as Langfuse writes them: every cell in quotes, texts as they are or as JSON."""
    written = io.StringIO()
    writer = csv.writer(written, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(rows[0])
    for row in rows:
        writer.writerow([_cell(value, all_are_json) for value in row.values()])
    return written.getvalue().encode()


def _cell(value: Any, is_json: bool) -> str:
    value = "" if value is None else value
    return value if isinstance(value, str) and not is_json else json.dumps(value)


def load(data: bytes) -> Workspace:
    source = FileSource("export.csv", data)
    assert rank_formats(source, built_in_formats())[0][0] is langfuse.FORMAT
    return langfuse.load(source)


def said(workspace: Workspace, number: int = 0) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in workspace.conversations[number].messages]


@pytest.mark.parametrize("all_are_json", [False, True])
def test_a_row_of_a_call_is_a_conversation(all_are_json: bool) -> None:
    workspace = load(table([OBSERVATION], all_are_json))
    (chat,) = workspace.conversations
    assert said(workspace) == [("user", GIVEN[1]["content"]), ("assistant", "Ho")]
    assert workspace.characters[0].system_prompt == "Be kind."
    assert (chat.id, chat.title, chat.model) == ("g", "Call", "gpt-4o")
    assert chat.messages[-1].metadata["recorded_tokens"] == 2
    assert not workspace.problems


@pytest.mark.parametrize("all_are_json", [False, True])
def test_rows_of_traces_are_conversations(all_are_json: bool) -> None:
    other = {**TRACE, "id": "u", "name": "Second", "input": "Where?", "output": json.dumps({"answer": "Here."})}
    workspace = load(table([TRACE, other], all_are_json))
    assert [chat.title for chat in workspace.conversations] == ["Talk", "Second"]
    assert said(workspace, 1)[-2:] == [("user", "Where?"), ("assistant", "Here.")]


def test_other_observations_of_a_table_are_left_out_where_it_has_calls() -> None:
    outer = {**OBSERVATION, "id": "s", "type": "SPAN", "name": "Run"}
    assert [chat.id for chat in load(table([outer, OBSERVATION])).conversations] == ["g"]
    assert [chat.id for chat in load(table([outer])).conversations] == ["s"]


def test_a_row_of_another_length_is_a_problem() -> None:
    data = table([OBSERVATION, OBSERVATION]).rstrip(b"\n") + b',"more"\n'
    (problem, *_) = load(data).problems
    assert (problem.place, problem.message) == ("line 3", "expected 17 columns, found 18")


def test_a_table_without_texts_is_refused() -> None:
    with pytest.raises(UnreadableError):
        langfuse.load(FileSource("export.csv", table([{**OBSERVATION, "input": None, "output": None}])))


@pytest.mark.parametrize("dropped", ["traceId", "startTime", "projectId"])
def test_another_table_is_none_of_langfuse(dropped: str) -> None:
    row = {
        key: value for key, value in OBSERVATION.items() if key not in (dropped, "parentObservationId", "usageDetails")
    }
    assert langfuse.sniff(FileSource("export.csv", table([row]))) == 0
