"""Formats of plug-ins: found by their entry points, asked beside the built-in ones, and harmless where they fail."""

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import inspector
from inspector import plugins
from inspector.cli import group
from inspector.formats import FileSource, Format, built_in_formats, load_workspace
from inspector.model import Conversation, Message, Workspace
from inspector.plugins import FORMAT_GROUP, TOKENIZER_GROUP
from tests.reading.zips import zipped

HEAD = "# chat log\n"
CHAT = json.dumps([{"role": "user", "content": "hello"}])


def sniff(source: FileSource) -> float:
    return 0.9 if source.shape == "text" and source.text.startswith(HEAD) else 0.0


def load(source: FileSource) -> Workspace:
    lines = source.text.splitlines()[1:]
    return Workspace((Conversation("log", tuple(Message(f"m{n}", "user", line) for n, line in enumerate(lines))),))


def raising(source: FileSource) -> Any:
    raise ZeroDivisionError("no lines at all")


def raising_at_chats(source: FileSource) -> float:
    return raising(source) if source.shape == "json" else 0.0


LOG = Format("log", "Chat log", sniff, load)
NATIVE = Format("native", "Mine", lambda source: 1.0, load)
OTHER_NAME = replace(LOG, name="diary")
NO_SNIFF = replace(LOG, name="no_sniff", sniff=raising)
UNSURE = replace(LOG, name="unsure", sniff=lambda source: "perhaps")  # type: ignore[arg-type, return-value]
NO_CHATS = replace(LOG, name="no_chats", sniff=raising_at_chats)
NO_LOAD = replace(LOG, name="no_load", sniff=lambda source: 1.0 if source.data else 0.0, load=raising)
LIST = replace(NO_LOAD, name="list", load=lambda source: [])  # type: ignore[arg-type, return-value]
EAGER = replace(LOG, name="eager", sniff=lambda source: 0.85 if source.shape == "json" else 0.0)
Install = Callable[..., None]


def here(name: str) -> str:
    return f"{__name__}:{name}"


def opened(*paths: Path) -> Workspace:
    return load_workspace(paths, formats=plugins.formats()[0])


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "talk.log"
    path.write_text(f"{HEAD}Hi\nBye\n", encoding="utf-8")
    return path


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    path = tmp_path / "chat.json"
    path.write_text(CHAT, encoding="utf-8")
    return path


def test_a_plug_in_is_asked_after_the_built_in_ones_and_opens_its_files(
    install: Install, log: Path, chat: Path
) -> None:
    install(FORMAT_GROUP, log=here("LOG"))
    known, problems = plugins.formats()
    assert (known[:-1], known[-1], problems) == (tuple(built_in_formats()), LOG, ())
    workspace = opened(log, chat)
    assert [(source.path, source.format) for source in workspace.sources] == [(str(log), "log"), (str(chat), "openai")]
    assert [message.content for message in workspace.conversations[0].messages] == ["Hi", "Bye"]
    assert workspace.problems == ()
    assert inspector.load(log) == opened(log)


def test_without_being_given_it_nobody_asks_it(install: Install, log: Path) -> None:
    install(FORMAT_GROUP, log=here("LOG"))
    assert load_workspace([log]).sources == ()


def test_members_of_archives_are_opened_by_plug_ins_too(install: Install, tmp_path: Path, log: Path) -> None:
    install(FORMAT_GROUP, log=here("LOG"))
    archive = tmp_path / "logs.zip"
    archive.write_bytes(zipped({"a/talk.log": log.read_bytes(), "chat.json": CHAT.encode()}))
    assert {source.format for source in opened(archive).sources} == {"log", "openai"}


def test_of_two_that_are_equally_sure_the_built_in_one_reads(install: Install, chat: Path) -> None:
    install(FORMAT_GROUP, eager=here("EAGER"))
    built_in = next(known for known in built_in_formats() if known.name == "openai")
    assert EAGER.sniff(FileSource("", CHAT.encode())) == built_in.sniff(FileSource("", CHAT.encode()))
    assert [source.format for source in opened(chat).sources] == ["openai"]


def test_what_cannot_be_loaded_becomes_a_problem_and_the_rest_stays(
    install: Install, log: Path, caplog: pytest.LogCaptureFixture
) -> None:
    install(
        FORMAT_GROUP,
        absent="no_such_module:FORMAT",
        function=here("sniff"),
        native=here("NATIVE"),
        log=here("LOG"),
        chatlog=here("OTHER_NAME"),
        no_sniff=here("NO_SNIFF"),
        unsure=here("UNSURE"),
    )
    install(FORMAT_GROUP, log=here("OTHER_NAME"))
    known, problems = plugins.formats()
    assert known == (*built_in_formats(), LOG)
    said = [str(problem) for problem in problems]
    for part in (
        "no_such_module:FORMAT: the format absent cannot be loaded: ModuleNotFoundError",
        f"{here('sniff')}: the format function cannot be loaded: TypeError: a format is a Format(",
        f"{here('NATIVE')}: the format name native is already taken",
        f"{here('OTHER_NAME')}: the format name log is already taken",
        "the format chatlog cannot be loaded: ValueError: it calls itself diary, expected the name of its entry point",
        "the format no_sniff cannot be loaded: ZeroDivisionError: no lines at all",
        "the format unsure cannot be loaded: ValueError: sniff answered 'perhaps'",
    ):
        assert sum(part in line for line in said) == 1, part
    assert len(said) == 7
    assert len([record for record in caplog.records if record.exc_info]) == 5
    assert [source.format for source in opened(log).sources] == ["log"]


def test_a_sniff_that_raises_is_one_problem_and_the_others_get_their_turn(
    install: Install, log: Path, chat: Path, caplog: pytest.LogCaptureFixture
) -> None:
    install(FORMAT_GROUP, no_chats=here("NO_CHATS"), log=here("LOG"))
    workspace = opened(chat, log)
    assert [source.format for source in workspace.sources] == ["openai", "log"]
    (problem,) = workspace.problems
    assert (problem.file, problem.severity) == (str(chat), "warning")
    assert problem.message.endswith("the format no_chats failed: ZeroDivisionError: no lines at all")
    (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert record.exc_info is not None


@pytest.mark.parametrize(
    ("name", "said"), [("NO_LOAD", "ZeroDivisionError: no lines at all"), ("LIST", "TypeError: load returned list")]
)
def test_a_load_that_fails_is_one_problem_and_the_others_get_their_turn(
    install: Install, chat: Path, name: str, said: str
) -> None:
    key = name.casefold()
    install(FORMAT_GROUP, **{key: here(name)})
    workspace = opened(chat)
    assert [source.format for source in workspace.sources] == ["openai"]
    (problem,) = workspace.problems
    assert (problem.file, problem.severity) == (str(chat), "warning")
    assert f"the format {key} failed: {said}" in problem.message


def test_a_file_that_nobody_else_reads_is_an_error_with_the_plug_in_in_it(install: Install, tmp_path: Path) -> None:
    install(FORMAT_GROUP, no_load=here("NO_LOAD"), no_chats=here("NO_CHATS"))
    path = tmp_path / "odd.json"
    path.write_text('{"alpha": 1}')
    severities = {problem.message.partition(" failed")[0][-8:]: problem.severity for problem in opened(path).problems}
    assert severities == {" no_load": "error", "no_chats": "warning"}
    assert {problem.severity for problem in opened(tmp_path).problems if "failed" in problem.message} == {"warning"}


def test_a_file_that_nobody_claims_says_whose_look_at_it_failed(install: Install, tmp_path: Path) -> None:
    install(FORMAT_GROUP, no_chats=here("NO_CHATS"))
    path = tmp_path / "odd.json"
    path.write_text('{"alpha": 1}')
    unknown, failed = opened(path).problems
    assert (unknown.severity, failed.severity) == ("error", "warning")
    assert "the format no_chats failed" in failed.message


def test_the_command_lists_them_with_where_they_come_from(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real distribution on the path, as pip installs one."""
    folder = tmp_path / "chat_tools-1.2.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: chat-tools\nVersion: 1.2\n")
    points = f"[{FORMAT_GROUP}]\nlog = {here('LOG')}\nabsent = no_such_module:FORMAT\n"
    (folder / "entry_points.txt").write_text(points)
    monkeypatch.syspath_prepend(tmp_path)
    plugins.installed.cache_clear()
    plugins.plug_ins.cache_clear()
    result = CliRunner().invoke(group, ["formats", "--format", "json"])
    rows = json.loads(result.stdout)["formats"]
    assert rows[-1] == {"name": "log", "title": "Chat log", "origin": "chat-tools 1.2"}
    assert {row["origin"] for row in rows[:-1]} == {"built in"}
    assert "the format absent cannot be loaded" in result.stderr
    assert "chat-tools 1.2" in CliRunner().invoke(group, ["formats"]).stdout


def test_commands_open_files_by_plug_ins_and_name_those_of_every_kind_that_are_broken(
    install: Install, log: Path
) -> None:
    install(FORMAT_GROUP, log=here("LOG"), absent="no_such_module:FORMAT")
    install(TOKENIZER_GROUP, missing="no_such_module:make")
    result = CliRunner().invoke(group, ["assemble", str(log), "--policy", "naive", "--format", "json"])
    assert [message["content"] for message in json.loads(result.stdout)["messages"]] == ["Hi", "Bye"]
    for part in ("the format absent cannot be loaded", "the tokenizer missing cannot be loaded"):
        assert result.stderr.count(part) == 1
    assert len(plugins.plugin_problems()) == 2
