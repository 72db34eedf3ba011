"""--save-scenario writes the scenario as the options make it, whatever the command, and the short names of options."""

import json
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import Result

from inspector.cli import COMMAND_GROUPS, group
from inspector.settings import settings_file

Run = Callable[..., Result]
OPTIONS = ("-p", "naive", "-m", "gpt-4.1", "-w", "64", "--tokenizer", "estimate:words")
PROBES = '{"probes": [{"id": "q0", "question": "Which boat?", "evidence": ["m0"]}]}'
PLAIN = "Plain words"

REST: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("assemble", "timeline", "count", "fidelity", "memories", "replay", "requests", "waste"), ("CHAT",)
    ),
    **dict.fromkeys(("conversations",), ("CHAT",)),
    "explain": ("CHAT", "--item", "m0"),
    "survival": ("CHAT", "--parameter", "context_window"),
    "tokens": ("-",),
    "tokenizers": ("CHAT", "--with", "estimate:chorus"),
    "compare": ("CHAT", "--policies", "naive,ratio"),
    "recall": ("CHAT", "--probes", "PROBES"),
    "recommend": ("CHAT", "--probes", "PROBES", "--policies", "naive"),
    "check": ("SCENARIO", "CHAT", "--max-overflow", "9000"),
    "sweep": ("CHAT", "--set", "at=1,2"),
    "report": ("CHAT", "-o", "report.html"),
    "snippet": ("--for", "langchain"),
}
"""The other arguments of each command with the option."""


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.chdir(tmp_path)
    lines = [{"id": "m0", "role": "user", "content": "a boat"}, {"id": "m1", "role": "assistant", "content": "red"}]
    Path("chat.json").write_text(json.dumps(lines))
    Path("probes.json").write_text(PROBES)
    Path("from.yaml").write_text("format: prompt-inspector/scenario@1\ndraft: And now?\n")
    return {"CHAT": "chat.json", "PROBES": "probes.json", "SCENARIO": "from.yaml"}


def commands_with_it() -> list[str]:
    listed = [name for commands in COMMAND_GROUPS.values() for name in commands]
    found = {name: group.get_command(click.Context(group), name) for name in listed}
    return [name for name, one in found.items() if one and any("--save-scenario" in each.opts for each in one.params)]


def test_every_command_with_a_scenario_is_tried() -> None:
    assert set(commands_with_it()) == set(REST)


@pytest.mark.parametrize("command", REST)
def test_what_is_saved_is_what_was_asked(run: Run, places: dict[str, str], command: str) -> None:
    rest = [places.get(each, each) for each in REST[command]]
    saved = Path("saved.scenario.yaml")
    result = run(command, *rest, *OPTIONS, "--save-scenario", str(saved), stdin=PLAIN)
    assert f"wrote the scenario to {saved}" in result.stderr, result.output
    first = saved.read_text()
    assert "model: gpt-4.1" in first
    assert "context_window: 64" in first
    assert "policy: naive" in first
    assert ("draft: And now?" in first) == (command == "check")
    again = ("check", str(saved), *rest[1:]) if command == "check" else (command, *rest, "--scenario", str(saved))
    repeated = run(*again, "--save-scenario", "again.yaml", stdin=PLAIN)
    assert repeated.exit_code == result.exit_code
    assert repeated.stdout == result.stdout
    assert Path("again.yaml").read_text() == first


@pytest.mark.parametrize("glob", [("sweep", "--set", "at=1"), ("report", "-o", "r.html"), ("recommend",)])
def test_an_archive_is_never_written_over(run: Run, places: dict[str, str], glob: tuple[str, ...]) -> None:
    before = Path("chat.json").read_bytes()
    told = run(glob[0], ".", *glob[1:], "--glob", "chat.json", *OPTIONS, "--save-scenario", places["CHAT"])
    assert told.exit_code == 2
    assert "is one of the opened files" in told.stderr
    assert Path("chat.json").read_bytes() == before


@pytest.mark.parametrize("command", ["assemble", "check", "snippet"])
def test_no_file_that_was_read_is_written_over(run: Run, places: dict[str, str], command: str) -> None:
    own = settings_file()
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text("opening_bytes: 8000000000\n")
    rest = {"assemble": ("chat.json", "-s", "from.yaml"), "check": ("from.yaml", "chat.json", "--max-overflow", "9000")}
    arguments = rest.get(command, ("-s", "from.yaml", "--for", "langchain"))
    for file in (Path(places["SCENARIO"]), own):
        before = file.read_bytes()
        told = run(command, *arguments, *OPTIONS, "--save-scenario", str(file))
        assert told.exit_code == 2
        assert told.stderr.startswith(f"Error: --save-scenario {file}")
        assert file.read_bytes() == before


def test_several_scenarios_have_no_single_file(run: Run, places: dict[str, str]) -> None:
    pair = run("compare", places["CHAT"], "--a", "from.yaml", "--b", "from.yaml", "--save-scenario", "s.yaml")
    lines = run("assemble", "--jsonl", "-", "--save-scenario", "s.yaml", stdin="{}")
    assert (pair.exit_code, lines.exit_code) == (2, 2)
    assert "several scenarios" in pair.stderr
    assert "every line has a scenario of its own" in lines.stderr
    assert not Path("s.yaml").exists()


def test_a_folder_that_is_not_there_is_said(run: Run, places: dict[str, str]) -> None:
    told = run("assemble", places["CHAT"], *OPTIONS, "--save-scenario", "none/s.yaml")
    assert told.exit_code == 2
    assert "--save-scenario none/s.yaml: cannot be written" in told.stderr


def test_short_options_are_the_long_ones(run: Run, places: dict[str, str]) -> None:
    short = ("-s", "from.yaml", "-p", "naive", "-m", "gpt-4.1", "-w", "64", "-f", "json")
    long = ("--scenario", "from.yaml", "--policy", "naive", "--model", "gpt-4.1", "--window", "64", "--format", "json")
    found = [run("assemble", places["CHAT"], *options) for options in (short, long)]
    assert found[0].exit_code == 0
    assert found[0].stdout == found[1].stdout
    assert json.loads(found[0].stdout)["scenario"]["context_window"] == 64
