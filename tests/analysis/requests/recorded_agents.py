"""Recorded requests of a made agent with a subagent, as `record` writes them, in the layouts of two makers."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

SYSTEM = "You are a careful agent who repairs programs. Use the tools. Answer in short sentences." * 3
NAMES = ("read_file", "run", "task", "browse", "draw")
TASK = "Look through the folder of tests and say which of them are slow, and why they are."
SUMMARY = (
    "The user wants the tests of the program repaired. So far the file app.py was read and its loop was found to be "
    "off by one; the next step is to run the tests again and to look at what is left."
)


def tools(names: Sequence[str] = NAMES) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "description": f"The tool {name}. " + "It takes a path and returns what is there. " * 6,
            "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}},
        }
        for name in names
    ]


def call(number: int, name: str, **arguments: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"call{number}", "name": name, "input": arguments}


def result(number: int, text: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"call{number}", "content": text}]}


def said(*blocks: dict[str, Any] | str) -> dict[str, Any]:
    listed = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    return {"role": "assistant", "content": listed}


def record(second: int, messages: Sequence[Any], answer: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A recorded request of Anthropic's kind; `more` replaces fields of the request or, by `_`, of the record."""
    of_record = {name[1:]: value for name, value in more.items() if name.startswith("_")}
    of_request = {name: value for name, value in more.items() if not name.startswith("_")}
    request = {"model": "claude-sonnet-4-5", "max_tokens": 99, "system": SYSTEM, "tools": tools(), **of_request}
    body = {"type": "message", "model": request["model"], "usage": {"input_tokens": 900, "output_tokens": 30}, **answer}
    return {
        "time": f"2026-01-02T03:{4 + second // 60:02}:{second % 60:02}.000+00:00",
        "path": "/v1/messages",
        "request": {**request, "messages": list(messages)},
        "response": body,
        "usage": body["usage"],
        "status": 200,
        "seconds": 1.5,
        **of_record,
    }


def session() -> Iterator[dict[str, Any]]:
    """An agent that reads a file, calls a subagent, goes on, compacts, and goes on from its summary."""
    asked = {"role": "user", "content": "The tests fail. Please repair the program."}
    reads = said("I read the file.", call(1, "read_file", path="app.py"))
    begun = [asked, reads, result(1, "def loop():\n    return 1\n" * 60)]
    calls = said("A subagent looks.", call(2, "task", prompt=TASK))
    told = [{"role": "user", "content": TASK}]
    runs = said(call(3, "run", path="tests"))
    yield record(0, [asked], reads)
    yield record(10, begun, calls)
    yield record(20, told, runs, system="You look for things.", tools=tools(("run",)))
    yield record(
        30,
        [*told, runs, result(3, "slow: test_app")],
        said("test_app is slow."),
        system="You look for things.",
        tools=tools(("run",)),
    )
    whole = [*begun, calls, result(2, "test_app is slow.")]
    yield record(40, whole, said("Only test_app is slow; I go on with it."))
    yield record(50, [*whole, said("Good."), {"role": "user", "content": "Summarize all of it."}], said(SUMMARY))
    after = [{"role": "user", "content": f"This goes on from a summary:\n{SUMMARY}\nGo on."}]
    yield record(60, after, said("I go on."))
    yield record(70, after, {}, _status=529, _response={"error": {"message": "overloaded"}}, _usage=None)


def written(path: Path, records: Sequence[dict[str, Any]] | None = None) -> Path:
    """The recorded file of these records, by default of the session."""
    path.write_text("".join(json.dumps(one) + "\n" for one in (records if records is not None else session())))
    return path
