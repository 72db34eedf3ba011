"""The defaults of the command line in the settings file: used, changed, ignored, broken and absent."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.assembly.scenario import Scenario
from inspector.pages.command import assemble_command
from inspector.settings import settings_file
from tests.cli.conftest import Run

WORDS = ("--tokenizer", "estimate:words", "--format", "json")
ALL = {"model": "gpt-4.1", "policy": "naive", "window": 64}


def write(defaults: object) -> Path:
    settings_file().parent.mkdir(parents=True, exist_ok=True)
    settings_file().write_text(json.dumps({"opening_bytes": 8_000_000_000, "defaults": defaults}))
    return settings_file()


def asked(run: Run, *arguments: str) -> dict[str, Any]:
    result = run(*arguments)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def named(run: Run, *arguments: str) -> tuple[str | None, str | None, int | None]:
    """Return the model, policy and window of the scenario of an answer."""
    scenario = asked(run, "assemble", *arguments, *WORDS)["scenario"]
    return scenario.get("model"), scenario.get("policy"), scenario.get("context_window")


@pytest.mark.parametrize(
    "text", [None, "opening_bytes: 8000000000\n", "defaults: {}\n"], ids=["no file", "others", "empty"]
)
def test_without_defaults_nothing_changes(run: Run, workspace_file: str, text: str | None) -> None:
    before = asked(run, "assemble", workspace_file, *WORDS)
    settings_file().parent.mkdir(parents=True, exist_ok=True)
    if text is not None:
        settings_file().write_text(text)
    assert asked(run, "assemble", workspace_file, *WORDS) == before


def test_they_are_for_options_that_are_not_given(run: Run, workspace_file: str) -> None:
    write(ALL)
    assert named(run, workspace_file) == ("gpt-4.1", "naive", 64)
    assert named(run, workspace_file, "-w", "32", "-p", "ratio", "-m", "gpt-4o") == ("gpt-4o", "ratio", 32)
    assert named(run, workspace_file, "-w", "32") == ("gpt-4.1", "naive", 32)
    plain = asked(run, "assemble", workspace_file, "--no-defaults", *WORDS)
    settings_file().unlink()
    assert asked(run, "assemble", workspace_file, *WORDS) == plain
    write({"policy": "reserve"})
    assert named(run, workspace_file)[1] == "reserve"
    write({"policy": "window_rag", "window": 48})
    assert named(run, workspace_file)[1:] == ("window_rag", 48)


@pytest.mark.parametrize("command", [("sweep", "--set", "at=4"), ("replay",), ("explain", "--item", "m3")])
def test_every_command_uses_them_as_if_they_were_given(run: Run, workspace_file: str, command: tuple[str, ...]) -> None:
    name, *rest = command
    given = run(name, workspace_file, *rest, *WORDS[:2], "-m", "gpt-4.1", "-p", "naive", "-w", "64").stdout
    plain = run(name, workspace_file, *rest, *WORDS[:2]).stdout
    write(ALL)
    assert run(name, workspace_file, *rest, *WORDS[:2]).stdout == given != plain
    assert run(name, workspace_file, *rest, *WORDS[:2], "--no-defaults").stdout == plain


def test_a_scenario_file_says_everything_itself(run: Run, workspace_file: str, tmp_path: Path) -> None:
    file = tmp_path / "own.scenario.yaml"
    file.write_text("format: prompt-inspector/scenario@1\npolicy: reserve\n")
    before = asked(run, "assemble", workspace_file, "-s", str(file), *WORDS)
    write(ALL)
    assert asked(run, "assemble", workspace_file, "-s", str(file), *WORDS) == before
    saved = str(tmp_path / "saved.yaml")
    assert run("assemble", workspace_file, *WORDS, "--save-scenario", saved).exit_code == 0
    settings_file().unlink()
    assert named(run, workspace_file, "-s", saved) == ("gpt-4.1", "naive", 64)


def test_plain_text_is_counted_by_the_default_model(run: Run) -> None:
    usual = asked(run, "count", "-", "--format", "json")["tokenizer"]
    write({"model": "qwen3-8b"})
    assert asked(run, "count", "-", "--format", "json")["tokenizer"] == "embedded:qwen3"
    assert asked(run, "count", "-", "--no-defaults", "--format", "json")["tokenizer"] == usual
    assert asked(run, "count", "-", "-m", "gpt-4", "--format", "json")["tokenizer"] == "embedded:cl100k_base"
    write({"model": "gpt-4"})
    assert asked(run, "count", "-", "--format", "json")["tokenizer"] == "embedded:cl100k_base"


def test_a_model_without_a_row_has_a_window(run: Run, workspace_file: str) -> None:
    write({"model": "nobody-7b", "window": 100})
    model, _, window = named(run, workspace_file)
    assert (model, window) == ("nobody-7b", 100)


@pytest.mark.parametrize(
    ("defaults", "place", "told"),
    [
        ({"model": "gpt-4.l"}, "$.defaults.model: ", "gpt-4.l is not in the model table; did you mean"),
        ({"policy": "naiv"}, "$.defaults.policy: ", "naiv is not a policy; did you mean naive?"),
        ({"window": 0}, "$.defaults.window: ", "expected a whole number from 1 to"),
        ({"window": "wide"}, "$.defaults.window: ", "expected `int | null`, got `str`"),
        ({"windows": 64}, "$.defaults: ", "'windows' is not one of model, policy, window; did you mean window?"),
        (["naive"], "$.defaults: ", "expected `object`, got `array`"),
    ],
)
@pytest.mark.parametrize("command", [("assemble", "CHAT"), ("count", "-")])
def test_a_wrong_default_is_said_with_its_place(
    run: Run, workspace_file: str, defaults: object, place: str, told: str, command: tuple[str, ...]
) -> None:
    arguments = [workspace_file if word == "CHAT" else word for word in command]
    file = write(defaults)
    for _ in range(2):
        result = run(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"Error: {file}: {place}")
        assert told in result.stderr
        assert result.stderr.endswith("(--no-defaults does without)\n")
    assert run(*arguments, "--no-defaults").exit_code == 0
    write({"policy": "naive"})
    assert run(*arguments).exit_code == 0


def test_a_broken_file_is_said_and_can_be_ignored(run: Run, workspace_file: str) -> None:
    write({}).write_text("defaults: {policy: naive\n")
    result = run("assemble", workspace_file)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: {settings_file()}: line ")
    assert run("assemble", workspace_file, "--no-defaults").exit_code == 0


@pytest.mark.parametrize(
    "wanted", [Scenario(), Scenario(context_window=4096), Scenario(policy="reserve", model="gpt-4o")]
)
def test_the_copied_command_gives_the_same_with_defaults(run: Run, workspace_file: str, wanted: Scenario) -> None:
    words = assemble_command([workspace_file], wanted)[1:]
    before = asked(run, *words, "--format", "json")
    write(ALL)
    assert asked(run, *words, "--format", "json") == before
