"""prompt-inspector presets: the person's own are listed, saved, used by every command and removed."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import Result

from inspector.settings import own_presets_file

Run = Callable[..., Result]


def value_of(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def own(run: Run) -> dict[tuple[str, str], Any]:
    rows = value_of(run("presets", "--format", "json"))["presets"]
    return {(row["policy"], row["preset"]): row for row in rows if row["origin"] == "your own"}


def test_a_preset_is_saved_listed_used_and_removed(run: Run, workspace_file: str) -> None:
    saved = run("presets", "--save", "for evenings", "--set", "min_exchanges=1", "--preset", "long-chat")
    assert saved.stdout.splitlines() == ["saved ratio/for evenings"]
    assert saved.stderr == f"prompt-inspector: wrote your presets to {own_presets_file()}\n"
    ((key, row),) = own(run).items()
    assert key == ("ratio", "for evenings")
    assert row["parameters"]["min_exchanges"] == 1
    assert row["parameters"]["borrow"] == "history"
    assert "your own" in run("presets", "--policy", "ratio").stdout
    assert "your own" not in run("presets", "--policy", "naive").stdout
    options = (workspace_file, "--tokenizer", "estimate:words", "--window", "200", "--format", "json")
    by_name = value_of(run("assemble", *options, "--preset", "for evenings"))
    by_values = value_of(run("assemble", *options, "--preset", "long-chat", "--set", "min_exchanges=1"))
    assert by_name["items"] == by_values["items"]
    assert "for evenings" in run("policies", "ratio", "--preset", "for evenings").stdout
    contenders = run("compare", workspace_file, "--policies", "naive,ratio/for evenings")
    assert contenders.exit_code == 0, contenders.stderr
    assert run("presets", "--remove", "for evenings", "--policy", "ratio").stdout.startswith(
        "removed ratio/for evenings"
    )
    assert own(run) == {}


def test_the_values_of_a_scenario_file_are_saved(run: Run, scenario_file: Callable[..., str]) -> None:
    file = scenario_file("tuned", policy="ratio", parameters={"min_exchanges": 8}, conversation="c1", context_window=99)
    value = value_of(run("presets", "--save", "mine", "--scenario", file, "--format", "json"))
    assert value == {"policy": "ratio", "preset": "mine", "file": str(own_presets_file()), "replaced": False}
    assert own(run)["ratio", "mine"]["parameters"] == {"min_exchanges": 8}
    again = run("presets", "--save", "mine", "--set", "min_exchanges=2")
    assert "saved ratio/mine in place of the one before" in again.stdout
    assert "min_exchanges: 8" in own_presets_file().with_name("presets.yaml.before").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--save", ""), "A preset needs a name."),
        (("--save", "long-chat"), "long-chat is a preset that comes with the program."),
        (("--save", "x", "--policy", "nobody"), "nobody is not a policy; there are naive,"),
        (("--save", "x", "--preset", "nobody"), "nobody is not a preset of ratio; there are"),
        (("--save", "x", "--set", "colour=1"), "colour is not a parameter of this policy"),
        (("--save", "x", "--set", "min_exchanges=-1"), "min_exchanges must be 0 or more, not -1"),
        (("--save", "x", "--set", "memory_share=0.9"), "they sum to 1.6"),
        (("--save", "x", "--set", "context-window=900"), "context_window is not a parameter of a policy"),
        (("--save", "x", "--set", "nothing"), "expected KEY=VALUE"),
        (("--remove", "x", "--policy", "ratio"), "--remove: 'x' is not among your presets of ratio; there are none"),
        (("--remove", "x"), "goes with --policy"),
        (("--remove", "x", "--policy", "ratio", "--save", "y"), "either --save or --remove"),
        (("--set", "min_exchanges=1"), "go with --save NAME"),
        (("--policy", "nobody"), "'nobody' is not one of"),
    ],
)
def test_what_cannot_be_is_one_line(run: Run, arguments: tuple[str, ...], said: str) -> None:
    result = run("presets", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not own_presets_file().exists()


def test_a_damaged_file_is_told_and_never_written_over(run: Run, workspace_file: str) -> None:
    file = own_presets_file()
    file.parent.mkdir(parents=True)
    file.write_text("ratio: [}\n")
    for arguments in (("presets",), ("assemble", workspace_file), ("policies", "ratio", "--preset", "long-chat")):
        result = run(*arguments)
        assert result.exit_code == 0
    assert f"{file}: line 1" in run("assemble", workspace_file).stderr
    for change in (("--save", "x"), ("--remove", "x", "--policy", "ratio")):
        refused = run("presets", *change)
        assert refused.exit_code == 2
        assert "is not valid YAML" in refused.stderr
        assert "fix this first" in refused.stderr
        assert len(refused.stderr.splitlines()) == 1
    assert file.read_text() == "ratio: [}\n"


def test_a_preset_that_is_not_on_this_machine_is_named_with_those_that_are(run: Run, workspace_file: str) -> None:
    run("presets", "--save", "mine")
    result = run("assemble", workspace_file, "--preset", "theirs")
    assert result.exit_code == 2
    assert "theirs is not a preset of ratio; there are" in result.stderr
    assert "mine" in result.stderr
