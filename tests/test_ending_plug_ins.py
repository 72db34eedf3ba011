"""Plug-ins that would end the program, or never come back: named as any other failure, and the rest goes on."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from click.testing import CliRunner

from inspector import plugins
from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.decisions import Assembly
from inspector.assembly.policy import param
from inspector.cli import group
from inspector.contained import EndingError, contained
from inspector.formats import FileSource, load_workspace
from inspector.plugins import FORMAT_GROUP, POLICY_GROUP, TOKENIZER_GROUP
from inspector.tokens.tokenizer import Tokenizer
from tests.test_format_plugins import HEAD, LOG
from tests.test_tokenizer_plugins import Letters

Install = Callable[..., None]


class OwnEnding(BaseException):
    """No error, and not of Python."""


@dataclass(frozen=True)
class Ending:
    """Ends the program: when it is called, or when it is made with a 2."""

    how: int = param(0, 0, 2)

    def __post_init__(self) -> None:
        if self.how == 2:
            raise OwnEnding("made")

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        sys.exit(3)


class EndingLetters(Letters):
    """Ends the program when it counts."""

    def count(self, texts: Sequence[str]) -> Any:
        sys.exit(4)


def make(rest: str) -> Tokenizer:
    """Ends the program at once, or when it counts."""
    if rest == "now":
        raise OwnEnding("no letters")
    return EndingLetters(f"ending:{rest}", f"ending:{rest}@1")


def ends(_: FileSource) -> Any:
    sys.exit(5)


NO_SNIFF = replace(LOG, name="no_sniff", sniff=lambda source: ends(source) if source.data else 0.0)
NO_LOAD = replace(LOG, name="no_load", load=ends)


def here(name: str) -> str:
    return f"{__name__}:{name}"


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps([{"role": "user", "content": "hello"}]), encoding="utf-8")
    return path


def test_only_the_interruption_of_the_user_ends_what_is_contained() -> None:
    with pytest.raises(EndingError, match=r"SystemExit\(3\)"), contained():
        sys.exit(3)
    with pytest.raises(KeyboardInterrupt), contained():
        raise KeyboardInterrupt
    with pytest.raises(ZeroDivisionError), contained():
        raise ZeroDivisionError


@pytest.mark.parametrize("ending", ["raise SystemExit(3)", "raise KeyboardInterrupt", "raise GeneratorExit"])
def test_an_import_that_ends_is_a_problem(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    (tmp_path / "plug_in_that_ends.py").write_text(ending, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "plug_in_that_ends", raising=False)
    install(POLICY_GROUP, ending="plug_in_that_ends:Policy", other="tests.test_plugins:Newest")
    found, (problem,) = plugins.policies()
    assert "other" in found
    assert "the policy ending cannot be loaded: EndingError: " in problem.message


def test_a_policy_that_ends_is_broken(install: Install, chat: Path) -> None:
    install(POLICY_GROUP, ending=here("Ending"))

    asked = ["assemble", str(chat), "--policy", "ending", "--format", "json"]
    assert json.loads(CliRunner().invoke(group, asked).stdout)["error"] == {
        "code": "policy_broken",
        "message": "The policy ending is broken: EndingError: SystemExit(3)",
    }
    refused = CliRunner().invoke(group, [*asked, "--set", "how=2"])
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "The policy Ending is broken: EndingError: OwnEnding('made')" in refused.stderr


@pytest.mark.parametrize(("rest", "said"), [("now", "OwnEnding('no letters')"), ("later", "SystemExit(4)")])
def test_a_tokenizer_that_ends_is_named(install: Install, chat: Path, rest: str, said: str) -> None:
    install(TOKENIZER_GROUP, ending=here("make"))
    result = CliRunner().invoke(group, ["assemble", str(chat), "--tokenizer", f"ending:{rest}"])
    assert result.exit_code == (0 if rest == "now" else 2), "one that cannot be made is replaced"
    assert f"the plug-in ending failed: EndingError: {said}" in " ".join(result.output.split())


@pytest.mark.parametrize("name", ["no_sniff", "no_load"])
def test_a_format_that_ends_is_named_and_the_others_read(
    install: Install, chat: Path, tmp_path: Path, name: str
) -> None:
    install(FORMAT_GROUP, **{name: here(name.upper())})
    log = tmp_path / "talk.log"
    log.write_text(f"{HEAD}Hi\n", encoding="utf-8")
    workspace = load_workspace([log, chat], formats=plugins.formats()[0])
    assert [source.format for source in workspace.sources] == ["openai"]
    said = [str(problem) for problem in workspace.problems]
    assert any(f"the format {name} failed: EndingError: SystemExit(5)" in one for one in said)


def test_an_import_that_hangs_is_left_behind_and_nobody_waits_for_it_again(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = Event()
    monkeypatch.setattr("builtins.go_on", go_on, raising=False)
    monkeypatch.setattr(plugins, "IMPORT_SECONDS", 0.2)
    monkeypatch.setattr(plugins, "_hanging", set[str]())
    (tmp_path / "plug_in_that_hangs.py").write_text("go_on.wait()", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    install(POLICY_GROUP, hanging="plug_in_that_hangs:Policy", other="tests.test_plugins:Newest")
    install(TOKENIZER_GROUP, hanging="plug_in_that_hangs:make")
    try:
        found, (problem,) = plugins.policies()
        assert "other" in found
        said = "the policy hanging cannot be loaded: TimeoutError: importing it takes more than 0.2 seconds"
        assert problem.message == said
        monkeypatch.setattr(plugins, "IMPORT_SECONDS", 1_000)
        assert "the tokenizer hanging cannot be loaded: TimeoutError" in plugins.tokenizers()[1][0].message
    finally:
        go_on.set()


def test_a_command_ends_though_a_plug_in_still_hangs(tmp_path: Path) -> None:
    program = f"""
import sys; sys.path.insert(0, {str(tmp_path)!r})
from importlib.metadata import EntryPoint, EntryPoints
from inspector import plugins
plugins.IMPORT_SECONDS = 0.2
plugins.installed = lambda: EntryPoints([EntryPoint("hanging", "plug_in_that_hangs:Policy", plugins.POLICY_GROUP)])
from inspector.cli import main
sys.argv = ["prompt-inspector", "policies"]
main()
"""
    (tmp_path / "plug_in_that_hangs.py").write_text("import threading; threading.Event().wait()", encoding="utf-8")
    begin = time.monotonic()
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert told.returncode == 0, told.stderr
    assert "the policy hanging cannot be loaded" in told.stderr
    assert "naive" in told.stdout
    assert time.monotonic() - begin < 30
