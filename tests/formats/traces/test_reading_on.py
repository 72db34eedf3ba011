"""Reading on in a file of recorded requests gives what reading all of it gives, however it grew."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from inspector.formats.opening import load_parts
from inspector.formats.traces import reading_on
from inspector.formats.traces.reading_on import Read, is_recorded, read_on
from inspector.model import Problem, Workspace, changed, sent_request

TOOLS = [{"type": "function", "function": {"name": name, "parameters": {"type": "object"}}} for name in ("look", "run")]


def line(system: str = "Be kind.", tools: int = 1, **more: Any) -> str:
    messages = [{"role": "system", "content": system}, {"role": "user", "content": "Hi"}]
    request: dict[str, Any] = {"model": "gpt-4o", "messages": messages if system else messages[1:]}
    if tools:
        request["tools"] = TOOLS[:tools]
    answer = {"choices": [{"message": {"role": "assistant", "content": "Ho"}}]}
    usage = {"prompt_tokens": 9, "completion_tokens": 2}
    fields = {"time": "2026-01-02T03:04:05.000+00:00", "path": "/v1/chat/completions", "request": request}
    return json.dumps({**fields, "response": answer, "usage": usage, "status": 200, "seconds": 1.5, **more})


def whole(file: Path) -> Workspace:
    return next(part for part in load_parts([file]) if part.file).workspace


def alike(one: Workspace, other: Workspace) -> bool:
    """Whether both hold the same. The text left over is told of the lines read together, with its first place."""

    def problems(workspace: Workspace) -> set[Problem]:
        return {one for one in workspace.problems if "did not read" not in one.message}

    return changed(one, problems=()) == changed(other, problems=()) and problems(one) == problems(other)


LINES = (
    line(),
    line("Other."),
    line(""),
    line(tools=2),
    line(tools=0),
    line(status=429, response={"error": {"message": "slow down"}}),
    line(note="broken off"),
    line(request="no object"),
    '{"torn": ',
    "",
)


@given(some.lists(some.lists(some.sampled_from(LINES), min_size=1, max_size=3), min_size=1, max_size=4))
def test_any_growth_reads_as_the_whole_does(growths: list[list[str]]) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        file = Path(folder) / "recorded.jsonl"
        file.write_text(line() + "\n")
        read = read_on(str(file), None)
        for growth in growths:
            with file.open("a") as opened:
                opened.write("\n".join(growth) + "\n")
            read = read_on(str(file), read)
            assert alike(read.part.workspace, whole(file))


def grown(file: Path, read: Read, text: str) -> Read:
    with file.open("a") as opened:
        opened.write(text)
    return read_on(str(file), read)


@pytest.fixture
def read(tmp_path: Path) -> tuple[Path, Read]:
    file = tmp_path / "recorded.jsonl"
    file.write_text(line() + "\n")
    return file, read_on(str(file), None)


def test_only_new_lines_are_read(read: tuple[Path, Read], monkeypatch: pytest.MonkeyPatch) -> None:
    file, first = read
    monkeypatch.setattr(reading_on, "read_file", None)
    more = grown(file, first, line("Other.") + "\n")
    assert [chat.id for chat in more.part.workspace.conversations] == ["recorded-1", "recorded-2"]
    assert read_on(str(file), more).part.workspace is more.part.workspace


def test_a_line_that_is_still_written_waits(read: tuple[Path, Read]) -> None:
    file, first = read
    begun = grown(file, first, line()[:50])
    assert begun.part.workspace is first.part.workspace
    assert begun.part.state != first.part.state, "it is not read again before it grows further"
    ended = grown(file, begun, line()[50:] + "\n")
    assert len(ended.part.workspace.conversations) == 2


def test_a_file_that_was_replaced_or_cut_is_read_anew(read: tuple[Path, Read]) -> None:
    file, first = read
    file.write_text(line("Quite another system prompt.") + "\n" + line() + "\n")
    assert alike(read_on(str(file), first).part.workspace, whole(file))
    file.write_text(line(""))
    cut = read_on(str(file), first)
    assert alike(cut.part.workspace, whole(file))
    assert alike(grown(file, cut, "\n" + line() + "\n").part.workspace, whole(file))


def test_only_recorded_requests_alone_are_read_on(read: tuple[Path, Read], tmp_path: Path) -> None:
    assert is_recorded(read[1].part)
    other = tmp_path / "chat.json"
    other.write_text(json.dumps([{"role": "user", "content": "Hi"}]))
    assert not any(map(is_recorded, load_parts([other])))


def test_a_request_knows_when_and_how_it_went(read: tuple[Path, Read]) -> None:
    file, first = read
    more = grown(file, first, line(status=500, response={"error": {"message": "no"}}) + "\n")
    asked, failed = (sent_request(chat.messages) for chat in more.part.workspace.conversations)
    assert asked is not None
    assert failed is not None
    assert (asked.status, asked.seconds, asked.path, asked.answered) == (200, 1.5, "/v1/chat/completions", 1)
    assert asked.began is not None
    assert asked.began.isoformat() == "2026-01-02T03:04:05+00:00"
    assert (failed.status, failed.answered) == (500, 0)
