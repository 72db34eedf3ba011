"""Completion in shells: commands, options, files, and the names that options take; help in groups."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from inspector.cli import group
from inspector.cli.options import paths_argument, scenario_options
from inspector.cli.sections import SECTIONS
from tests.cli.conftest import Run


def completed(*words: str) -> list[str]:
    """The values that a shell is offered for the last of these words."""
    *before, last = words
    complete = ShellComplete(group, {}, "prompt-inspector", "_PROMPT_INSPECTOR_COMPLETE")
    return [item.value for item in complete.get_completions(before, last) if item.type == "plain"]


def offers_files(*words: str) -> bool:
    *before, last = words
    complete = ShellComplete(group, {}, "prompt-inspector", "_PROMPT_INSPECTOR_COMPLETE")
    return "file" in {item.type for item in complete.get_completions(before, last)}


def commands() -> Iterator[click.Command]:
    context = click.Context(group)
    for name in (*group.list_commands(context), "window"):
        command = group.get_command(context, name)
        assert command is not None
        yield command


def test_the_first_word_is_a_command_or_a_file() -> None:
    assert {"assemble", "sweep", "cache"} <= set(completed(""))
    assert completed("ass") == ["assemble"]
    assert offers_files("sam")


def test_options_are_those_of_the_command_and_without_one_those_of_the_window() -> None:
    assert completed("assemble", "--stri") == ["--strict"]
    assert completed("--scr") == ["--screenshot"]
    assert completed("chat.json", "--scr") == ["--screenshot"]
    assert completed("--vers") == ["--version"]
    assert offers_files("chat.json", "ot")


def test_names_are_those_that_there_are() -> None:
    assert completed("assemble", "--policy", "na") == ["naive"]
    assert completed("compare", "--policies", "naive,rat") == ["naive,ratio"]
    assert completed("policies", "win") == ["window_rag"]
    assert "long-chat" in completed("assemble", "--policy", "ratio", "--preset", "")
    assert "long-chat" not in completed("assemble", "--policy", "slots", "--preset", "")
    assert "gpt-4.1" in completed("assemble", "--model", "gpt-4.")


def test_ids_are_those_of_the_files_on_the_line(workspace_file: str) -> None:
    assert completed("explain", workspace_file, "--item", "m1") == ["m1"]
    assert "m9" in completed("assemble", "--pin", "m0", workspace_file, "--exclude", "m")
    assert completed("explain", "--item", "m") == []
    assert completed("explain", "no-such-file", "--item", "m") == []


def test_files_that_would_take_long_are_not_opened_for_a_completion(
    workspace_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspector.cli.completion.QUICK_BYTES", 10)
    assert completed("explain", workspace_file, "--item", "m") == []


def test_every_option_of_a_known_kind_completes() -> None:
    offered = {"--policy", "--preset", "--model", "--item", "--keep", "--pin", "--exclude", "--policies", "paths"}
    lacking = [
        (command.name, parameter.opts[0])
        for command in commands()
        for parameter in command.params
        if (parameter.opts[0] in offered or "FILE" in re.split(r"\W", parameter.metavar or ""))
        and parameter._custom_shell_complete is None  # pyright: ignore[reportPrivateUsage]
    ]
    assert lacking == [("servers", "--model")], "of a server, whose models only the server knows"


@pytest.mark.skipif(shutil.which("bash") is None or sys.platform == "win32", reason="needs bash")
def test_bash_completes_by_the_real_program(tmp_path: Path) -> None:
    program = Path(sys.executable).with_name("prompt-inspector")
    source = subprocess.run(
        [program], capture_output=True, text=True, env={**os.environ, "_PROMPT_INSPECTOR_COMPLETE": "bash_source"}
    )
    script = f"""
        {source.stdout}
        COMP_WORDS=(prompt-inspector assemble --policy na); COMP_CWORD=3
        compopt() {{ :; }}
        _prompt_inspector_completion {program}
        echo "${{COMPREPLY[@]}}"
        COMP_WORDS=(prompt-inspector tim); COMP_CWORD=1
        _prompt_inspector_completion {program}
        echo "${{COMPREPLY[@]}}"
    """
    told = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=tmp_path)
    assert told.stdout.split() == ["naive", "timeline"], told.stderr


def test_every_shared_option_has_its_section() -> None:
    command = click.command()(scenario_options(paths_argument(lambda: None)))
    assert {parameter.opts[0] for parameter in command.params} - {"paths"} == {
        name for names in SECTIONS.values() for name in names
    }


def test_help_is_in_groups(run: Run) -> None:
    said = run("--help").stdout
    heads = ["Look at one prompt:", "Compare:", "Many chats:", "Write:", "About:"]
    places = [said.index(head) for head in heads]
    assert places == sorted(places)
    assert "prompt-inspector window --help" in " ".join(said.split())
    assert all(f"\n  {name} " in said for name in group.list_commands(click.Context(group)))


def test_many_options_are_in_sections(run: Run) -> None:
    said = run("assemble", "--help").stdout
    heads = ["Options:", "Policy and model:", "Conversation:", "Memories, lore and summaries:", "Items:", "Files:"]
    places = [said.index(f"\n{head}\n") for head in heads]
    assert places == sorted(places)
    assert said.index("--strict") < said.index("--policy") < said.index("--leaf") < said.index("--verbose")
    assert run("cache", "--help").stdout.count(":\n") == 1
