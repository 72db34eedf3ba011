"""Texts that a reader left: they are said with their place, and another candidate that reads more of a file wins."""

import json
from typing import Any

from inspector.formats.coverage import coverage_of, strings_of
from inspector.formats.format import Format
from inspector.formats.opening import load_unnamed
from inspector.formats.registry import built_in_formats
from inspector.model import Conversation, Message, Problem, Workspace
from inspector.reading.source import FileSource

ASKED, ANSWERED = "What is the capital of France?", "It is Paris, of course."


def opened(value: Any, *formats: Format) -> Workspace:
    return load_unnamed(json.dumps(value).encode(), "chat.json", (*formats, *built_in_formats())).workspace


def said(workspace: Workspace) -> list[tuple[str, str, str]]:
    return [(problem.severity, problem.place, problem.message) for problem in workspace.problems]


def source_of(value: Any) -> FileSource:
    return FileSource("a.json", json.dumps(value).encode())


def chat_of(*texts: str) -> Workspace:
    messages = tuple(Message(f"m{number}", "user", text) for number, text in enumerate(texts))
    return Workspace(conversations=(Conversation("c", messages),))


def test_text_under_an_unknown_key_is_said_with_its_place() -> None:
    workspace = opened([{"role": "user", "content": ASKED}, {"role": "assistant", "content": "", "text_2": ANSWERED}])
    said_of = [one for one in said(workspace) if one[1] == "$[1].text_2"]
    assert said_of == [("warning", "$[1].text_2", f"holds text that this program did not read: {ANSWERED!r}")]


def test_texts_that_a_reader_cuts_joins_or_unpacks_are_read() -> None:
    packed = json.dumps({"answer": {"text": ANSWERED}})
    value = {"a": f"<b>{ASKED}</b>", "b": packed, "c": f"Mara: {ANSWERED}", "d": "The sea &amp; the sky."}
    assert coverage_of(source_of(value), chat_of(f"{ASKED}\n{ANSWERED} The sea & the sky.")).left == ()


def test_texts_that_python_printed_are_read_and_no_code_is_run() -> None:
    value = {"output": str({"text": ANSWERED, "more": [ASKED]}), "input": json.dumps(str({"text": ASKED}))}
    assert coverage_of(source_of(value), chat_of(ASKED, ANSWERED)).left == ()
    (left,) = coverage_of(source_of({"output": f"{{'text': exit({ANSWERED!r})}}"}), chat_of(ASKED)).left
    assert left.place == "$.output"


def test_names_times_and_texts_beside_the_prompt_are_no_loss() -> None:
    value = {
        "title": "A day at sea",
        "time": "April 26, 2024 6:06am",
        "model": "GPT 4 (new)",
        "note": "Be kind to all.",
    }
    assert [one.place for one in coverage_of(source_of(value), chat_of("Hi")).left] == ["$.note"]
    assert coverage_of(source_of(value), chat_of("Hi"), ("note",)).left == ()


def test_a_reader_that_leaves_more_than_it_reads_gives_way() -> None:
    blind = Format("blind", "Blind", lambda source: 1.0, lambda source: chat_of("Another text."))
    workspace = opened([{"role": "user", "content": ASKED}, {"role": "assistant", "content": ANSWERED}], blind)
    assert [source.format for source in workspace.sources] == ["openai"]
    assert [one.content for one in workspace.conversations[0].messages] == [ASKED, ANSWERED]


def test_a_reader_stays_where_no_other_reads_more() -> None:
    blind = Format("blind", "Blind", lambda source: 1.0, lambda source: chat_of("Another text."))
    workspace = opened({"notes": [{"text": ASKED}, {"text": ANSWERED}]}, blind)
    assert [source.format for source in workspace.sources] == ["blind"]
    assert ("warning", "$.notes[0].text") in [(one[0], one[1]) for one in said(workspace)]


def test_a_chat_of_empty_messages_opens_with_a_warning() -> None:
    workspace = opened([{"role": "user", "content": ""}, {"role": "assistant", "content": ""}])
    (problem,) = workspace.problems
    assert (problem.severity, problem.place) == ("warning", "message m0")
    assert "2 messages in 1 chat without any content" in problem.message


def test_a_few_empty_messages_among_many_are_no_warning() -> None:
    turns = [{"role": "user", "content": f"Question {number}?"} for number in range(20)]
    (problem,) = opened([*turns, {"role": "assistant", "content": ""}]).problems
    assert (problem.severity, problem.place) == ("info", "message m20")


def test_a_number_in_the_place_of_turns_is_said() -> None:
    row = {"input": {"messages": [{"role": "user", "content": ASKED}]}, "preferred_output": 7}
    found = [Problem("", one[1], one[2]) for one in said(opened({**row, "non_preferred_output": []}))]
    assert [problem.message for problem in found if problem.place == "$.preferred_output"] == [
        "expected text, a list or an object, found 7; it was left out"
    ]


def test_a_file_of_which_every_message_was_left_out_is_refused() -> None:
    node = {"parent": None, "children": [], "message": {"author": {"role": 5}, "content": {"parts": [ASKED]}}}
    workspace = opened([{"title": "T", "mapping": {"a": node}, "current_node": "a"}])
    assert (workspace.sources, workspace.conversations) == ((), ())
    assert workspace.problems[0].severity == "error"
    assert workspace.problems[0].place.startswith("$[0].mapping.a.message")


def test_a_chat_in_which_nothing_was_said_yet_opens() -> None:
    workspace = opened([{"title": "T", "mapping": {}, "current_node": None}])
    assert [chat.title for chat in workspace.conversations] == ["T"]


def test_texts_are_found_in_values_of_any_depth_in_their_order() -> None:
    deep: Any = "inner words"
    for _ in range(3_000):
        deep = [deep]
    metadata = {"first": "one", "second": {"third": deep}, "last": "two"}
    workspace = Workspace(conversations=(Conversation("c", (Message("m", "user", "said", metadata=metadata),)),))
    assert list(strings_of(workspace)) == [
        *("c", "m", "user", "said", "first", "one", "second", "third", "inner words", "last", "two", "tools")
    ]
