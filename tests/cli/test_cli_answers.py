"""Each command answers in the form that the contract fixes, as JSON and as a table."""

import csv
import io
import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from inspector.assembly.answer import Answer
from inspector.assembly.decisions import Assembly
from inspector.assembly.item_tables import FILE_KEYS, SHOWN_COLUMNS
from inspector.assembly.scenario import Scenario, scenario_value
from inspector.cli import assemble
from inspector.pages.command import assemble_command
from inspector.retrieval.lore.settings import LoreSettings
from inspector.retrieval.relevance.settings import RelevanceSettings
from inspector.tables import columns_of_part

Run = Callable[..., Result]
COUNTED = ("--tokenizer", "estimate:words", "--window", "70", "--set", "min_exchanges=1")


def value_of(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_assemble(run: Run, workspace_file: str) -> None:
    value = value_of(run("assemble", workspace_file, *COUNTED, "--format", "json"))
    assert value["format"] == "prompt-inspector/assembly@1"
    assert len({item["id"] for item in value["items"]}) == len(value["items"]) == 15
    assert value["scenario"]["parameters"]["min_exchanges"] == 1
    assert value["ledger"]["items"] == sum(item["spent"] for item in value["items"])


def assembly_of(found: Answer) -> Assembly:
    return found.assembly


def test_a_table_makes_only_the_items_that_it_shows(
    run: Run, workspace_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    reason = next(column for column in SHOWN_COLUMNS if column.key == "reason")
    told = replace(reason, words=lambda assembly, row: made.append(row) or reason.text(assembly, row))
    items = replace(assemble.ASSEMBLY.tables[1], columns=columns_of_part([told], assembly_of))
    monkeypatch.setattr(assemble, "ASSEMBLY", replace(assemble.ASSEMBLY, tables=[items], most=4))
    shown = run("assemble", workspace_file, *COUNTED).stdout
    assert "15 items" in shown
    assert "… and 11 more" in shown
    assert len(made) == 4


def test_the_items_of_a_prompt_are_rows_of_a_file(run: Run, workspace_file: str) -> None:
    rows = list(csv.DictReader(io.StringIO(run("assemble", workspace_file, *COUNTED, "--format", "csv").stdout)))
    items = value_of(run("assemble", workspace_file, *COUNTED, "--format", "json"))["items"]
    assert tuple(rows[0]) == FILE_KEYS
    assert [(row["id"], row["action"], row["spent"]) for row in rows] == [
        (item["id"], item["action"], str(item["spent"])) for item in items
    ]


def test_options_go_over_the_scenario_file(run: Run, workspace_file: str, scenario_file: Callable[..., str]) -> None:
    file = scenario_file("a", context_window=70, policy="ratio", preset="long-chat", pinned=["m0"])
    arguments = ("assemble", workspace_file, "--scenario", file, "--format", "json")
    scenario = value_of(run(*arguments, "--window", "90", "--pin", "m1", "--set", "borrow=both"))["scenario"]
    assert (scenario["context_window"], scenario["pinned"], scenario["preset"]) == (90, ["m0", "m1"], "long-chat")
    assert (scenario["parameters"]["borrow"], scenario["parameters"]["selective"]) == ("both", True)
    scenario = value_of(run(*arguments, "--policy", "naive"))["scenario"]
    assert (scenario["policy"], scenario["preset"], scenario["parameters"]) == ("naive", "document", {})


def test_explain_and_what_it_promises(run: Run, workspace_file: str) -> None:
    value = value_of(run("explain", workspace_file, *COUNTED, "--item", "m5", "--format", "json"))
    contract = ["item", "section", "action", "reason", "sentence", "changes"]
    assert [key for key in value if key in contract] == contract
    assert (value["item"], value["section"], value["action"]) == ("m5", "history", "dropped")
    by_name = {change["parameter"]: change for change in value["changes"]}
    assert by_name["context_window"]["value"] == 90
    assert list(by_name["context_window"]["also"]) == ["kept", "dropped"]
    for name, change in by_name.items():
        given = (
            ("--window", str(change["value"])) if name == "context_window" else ("--set", f"{name}={change['value']}")
        )
        after = value_of(run("assemble", workspace_file, *COUNTED, *given, "--format", "json"))
        actions = {item["id"]: item["action"] for item in after["items"]}
        assert actions["m5"] == change["action"]
        assert {actions[other] for other in change["also"]["kept"]} <= {"kept"}
        assert {actions[other] for other in change["also"]["dropped"]} <= {"dropped"}


def test_compare_two_scenarios(run: Run, workspace_file: str, scenario_file: Callable[..., str]) -> None:
    files = ("--a", scenario_file("a", policy="naive"), "--b", scenario_file("b", context_window=70))
    value = value_of(run("compare", workspace_file, *files, "--format", "json"))
    assert list(value) == ["transitions", "totals", "settings"]
    assert list(value["transitions"][0]) == [
        *("id", "section", "before", "after", "spent_before", "spent_after", "reason_before", "reason_after"),
    ]
    assert all((t["before"], t["after"]) == ("kept", "dropped") for t in value["transitions"])
    lost = sum(change["spent_before"] for change in value["transitions"])
    assert value["totals"]["before"]["items"] - value["totals"]["after"]["items"] == lost > 0
    assert value["totals"]["changed"] == len(value["transitions"])


def test_compare_policies(run: Run, workspace_file: str) -> None:
    given = ("--tokenizer", "estimate:words", "--window", "70")
    value = value_of(run("compare", workspace_file, "--policies", "naive, ratio", *given, "--format", "json"))
    assert value["columns"] == ["naive", "ratio"]
    assert len(value["rows"]) == 15
    assert {row["id"]: row["actions"] for row in value["rows"]}["m0"] == ["kept", "dropped"]


def test_count_items(run: Run, workspace_file: str) -> None:
    value = value_of(run("count", workspace_file, "--tokenizer", "estimate:words", "--format", "json"))
    assert (value["format"], value["tokenizer"], value["exact"]) == (
        "prompt-inspector/count@1",
        "estimate:words",
        False,
    )
    assert value["items"][0] == {"id": "nova", "section": "system", "tokens": 2}
    assert value["total"] == sum(item["tokens"] for item in value["items"]) == 2 + 36 + 86


def test_count_text_from_standard_input(run: Run) -> None:
    value = value_of(run("count", "-", "--format", "json", stdin="hello world"))
    assert (value["total"], len(value["items"]), value["exact"]) == (2, 1, True)
    assert value_of(run("count", "-", "--format", "json", stdin=""))["total"] == 0


def test_sweep_as_json_lines_and_csv(run: Run, workspace_file: str, tmp_path: Path) -> None:
    arguments = (
        "sweep",
        workspace_file,
        "--tokenizer",
        "estimate:words",
        "--set",
        "window=50:150:50",
        "--set",
        "borrow=none,both",
    )
    lines = [json.loads(line) for line in run(*arguments).stdout.splitlines()]
    assert [(row["context_window"], row["borrow"]) for row in lines] == [
        *((50, "none"), (50, "both"), (100, "none"), (100, "both"), (150, "none"), (150, "both")),
    ]
    table = list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv").stdout)))
    assert [int(row["total"]) for row in table] == [row["total"] for row in lines]
    for ending in ("jsonl", "csv"):
        out = tmp_path / f"rows.{ending}"
        assert run(*arguments, "--out", str(out)).stdout == ""
        assert len(out.read_text().splitlines()) == (6 if ending == "jsonl" else 7)


@pytest.mark.parametrize("command", ["models", "policies", "formats", "presets"])
def test_lists(run: Run, command: str) -> None:
    value = value_of(run(command, "--format", "json"))
    assert list(value) == [command]
    assert len(value[command]) > 1
    first = value[command][0]
    assert run(command).stdout.count(first.get("name", first.get("policy"))) >= 1
    rows = list(csv.DictReader(run(command, "--format", "csv").stdout.splitlines()))
    assert len(rows) >= len(value[command]) - (command == "policies"), "naive has no parameters"


def test_policies_name_every_parameter_with_range_and_default(run: Run) -> None:
    (ratio,) = [p for p in value_of(run("policies", "--format", "json"))["policies"] if p["name"] == "ratio"]
    by_name = {parameter["name"]: parameter for parameter in ratio["parameters"]}
    assert by_name["memory_share"]["default"] == 0.3
    assert list(by_name["borrow"]["choices"]) == ["none", "history", "memories", "both"]
    assert by_name["message_cap"]["at_minimum"] == "off"
    assert ratio["presets"] == ["document", "long-chat", "memory-first", "chorus-2026.02", "chorus-2026.01"]


def test_a_policy_is_described_with_what_its_words_mean(run: Run) -> None:
    said = run("policies", "ratio").stdout
    assert "presets: document, long-chat" in said
    assert "none: each keeps to its own share" in said
    assert re.search(
        r"message_cap +0 \(off\) +0 \(off\) to 2,000 tokens +Longer messages of the conversation are cut", said
    )
    assert "adaptive:" not in said


def test_a_preset_is_described_with_the_parameters_of_what_decides_under_it(run: Run) -> None:
    wanted = ("policies", "ratio", "--preset", "chorus-2026.02")
    (ratio,) = value_of(run(*wanted, "--format", "json"))["policies"]
    values = {parameter["name"]: parameter["value"] for parameter in ratio["parameters"]}
    assert (values["memory_share"], values["summary_cap"], values["selective_above"]) == (0.2, 2, -1)
    assert "discard_after" not in values
    assert re.search(r"In preset.+selective_above +-1 \(by the window\)", run(*wanted).stdout, re.DOTALL)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("ration",), "policies: 'ration' is not one of naive, ratio,"),
        (("ratio", "--preset", "x"), "--preset: x is not a preset of ratio; there are document, long-chat,"),
        (("--preset", "document"), "--preset: expected the name of a policy before it"),
    ],
)
def test_what_is_no_policy_or_preset_is_named(run: Run, arguments: tuple[str, ...], complaint: str) -> None:
    refused = run("policies", *arguments)
    assert refused.exit_code == 2
    assert complaint in refused.stderr


def test_the_cache_is_filled_told_and_cleared(run: Run, workspace_file: str, private_home: Path) -> None:
    value_of(run("count", workspace_file, "--format", "json"))
    value = value_of(run("cache", "--format", "json"))
    assert value["cache"].startswith(str(private_home))
    assert value["cache_bytes"] > 0
    assert value_of(run("cache", "--clear", "--format", "json"))["removed_counts"] > 0
    assert value_of(run("cache", "--clear", "--format", "json"))["removed_counts"] == 0
    assert "token counts" in run("cache").stdout


def test_nothing_is_compared_with_a_prompt_that_could_not_be_made(
    run: Run, workspace_file: str, scenario_file: Callable[..., str]
) -> None:
    refused = ("--a", scenario_file("a", parameters={"memory_share": 0.9}), "--b", scenario_file("b", policy="naive"))
    said = run("compare", workspace_file, *refused).stdout
    assert "No prompt was made of a: " in said
    assert "policy" in said
    assert "Before" not in said
    assert "Free" not in said
    text = run("compare", workspace_file, *refused, "--text")
    assert text.exit_code != 0
    assert "No prompt was made of a: " in text.output


def test_tables_say_the_numbers(run: Run, workspace_file: str, scenario_file: Callable[..., str]) -> None:
    assembled = run("assemble", workspace_file, *COUNTED).stdout
    assert "✕ dropped" in assembled
    assert "budget short by" in assembled
    assert "Reply" in assembled
    explained = run("explain", workspace_file, *COUNTED, "--item", "m5").stdout
    assert explained.startswith("Message 6 (id m5, conversation): Dropped. This message needs ")
    assert "context_window" in explained
    files = ("--a", scenario_file("a", policy="naive"), "--b", scenario_file("b", context_window=70))
    assert "kept → ✕ dropped" in run("compare", workspace_file, *files).stdout
    assert "No item changes." in run("compare", workspace_file, *files[:2], "--b", files[1]).stdout
    matrix = run("compare", workspace_file, "--policies", "naive,ratio", *COUNTED[:4]).stdout
    assert "✕ dropped" in matrix
    assert "They agree about every item." in run("compare", workspace_file, "--policies", "naive,naive").stdout
    assert "124 tokens in 15 items" in run("count", workspace_file, "--tokenizer", "estimate:words").stdout


def test_tables_have_no_colour_where_there_is_no_terminal(run: Run, workspace_file: str) -> None:
    assert "\x1b" not in run("assemble", workspace_file, *COUNTED).stdout


def test_ids_that_look_like_markup_are_printed_as_they_are(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    said = {"id": "[red]m[/red]", "role": "user", "content": "w"}
    path.write_text(json.dumps({"conversations": [{"id": "c", "messages": [said]}], "memory_sets": []}))
    assert "[red]m[/red]" in run("explain", str(path), "--item", "[red]m[/red]").stdout


def test_long_tables_say_how_much_is_left_out(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    path.write_text(json.dumps([{"role": "user", "content": "w"}] * 2000))
    assert (
        "… and 1,960 more (--format json lists all)"
        in run("assemble", str(path), "--tokenizer", "estimate:words").stdout
    )


def test_a_scenario_is_whole_in_the_command_that_stands_for_it(run: Run, workspace_file: str) -> None:
    """Every field that changes a result comes back from the words of its command."""
    wanted = Scenario(
        model="gpt-4o",
        tokenizer="estimate:words",
        context_window=70,
        similarity="lexical",
        embedding="minilm",
        classify="rules",
        summaries="extractive",
        summary_tokens=12,
        query="what: now?",
        at=2,
        as_of=True,
        pinned=("m0",),
        overrides={"m1": {"key_moment": True, "summary": 'a "b": c'}, "m2": {"emotional_weight": None}},
        policy="ratio",
        parameters={"memory_share": 0.25, "selective": True},
        lore=LoreSettings(depth=9, recursive=True, budget_percent=12.5),
        relevance=RelevanceSettings(stems=False, sitting=0.0, vectors=1.5),
    )
    words = assemble_command([workspace_file], wanted)
    scenario = value_of(run(*words[1:], "--format", "json"))["scenario"]
    expected = scenario_value(wanted, None)
    parameters = expected.pop("parameters")
    assert {key: scenario[key] for key in expected} == expected
    assert {key: scenario["parameters"][key] for key in parameters} == parameters


def test_a_command_names_its_files_for_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "vocab.gguf").touch()
    words = assemble_command(
        ["a.json", "/b/c.json"], Scenario(tokenizer="gguf:vocab.gguf", embedding="hf:nobody/model")
    )
    assert words[2:4] == [str(tmp_path / "a.json"), os.path.abspath("/b/c.json")]
    assert words[4:] == ["--no-defaults", f"--tokenizer=gguf:{tmp_path / 'vocab.gguf'}", "--embedding=hf:nobody/model"]


def test_no_memories_is_said_alone(run: Run, workspace_file: str) -> None:
    result = run("assemble", workspace_file, "--no-memories", "--memories=default")
    assert (result.exit_code, "--memories" in result.output) == (2, True)


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--lore=dept=9", "expected KEY=VALUE with one of depth"),
        ("--lore=depth=x", "Expected `int`"),
        ("--relevance=sittings=0", "expected KEY=VALUE with one of stems"),
        ("--relevance=stems=1", "Expected `bool`"),
        ("--override=m1=3", "expected ITEM:FIELD=VALUE"),
        ("--override=m1:nothing=3", "no field"),
    ],
)
def test_a_wrong_option_is_told_in_one_line(run: Run, workspace_file: str, option: str, words: str) -> None:
    result = run("assemble", workspace_file, option)
    assert result.exit_code == 2
    assert words in result.output


@pytest.mark.parametrize("options", [("--policy", "ratio"), ("--preset", "long-chat")])
def test_naming_what_a_scenario_uses_keeps_what_it_says_of_it(
    run: Run, workspace_file: str, tmp_path: Path, options: tuple[str, ...]
) -> None:
    """A scenario that names no policy has ratio, so that naming it changes nothing."""
    file = tmp_path / "tuned.scenario.yaml"
    file.write_text("format: prompt-inspector/scenario@1\npreset: long-chat\nparameters: {memory_share: 0.2}\n")
    value = value_of(run("assemble", workspace_file, "--scenario", str(file), *options, "--format", "json"))
    assert (value["scenario"]["preset"], value["scenario"]["parameters"]["memory_share"]) == ("long-chat", 0.2)


def test_a_sweep_plans_its_totals_and_measures_them_when_asked(run: Run, workspace_file: str) -> None:
    grid = ("sweep", workspace_file, *COUNTED[:2], "--set", "context_window=60:90:30")
    planned, exact = (
        [json.loads(line) for line in run(*grid, *more).stdout.splitlines()] for more in ((), ("--measured",))
    )
    assert [row["measured"] for row in (*planned, *exact)] == [False, False, True, True]
    for row in exact:
        window = ("--window", str(row["context_window"]))
        value = value_of(run("assemble", workspace_file, *COUNTED[:2], *window, "--format", "json"))
        assert row["total"] == value["ledger"]["total"]
    decided = ("kept", "dropped", "tokens_history", "tokens_memory")
    assert [[row[key] for key in decided] for row in planned] == [[row[key] for key in decided] for row in exact]


def test_a_sweep_leaves_the_reply_that_is_asked(run: Run, workspace_file: str) -> None:
    grid = ("sweep", workspace_file, *COUNTED[:2], "--set", "context_window=60:120:60", "--policy", "naive")
    for reply in (0, 9, 50):
        rows = [json.loads(line) for line in run(*grid, "--reply", str(reply)).stdout.splitlines()]
        assert [row["overflow"] for row in rows] == [
            max(0, row["total"] + reply - row["context_window"]) for row in rows
        ]
        assert [row["status"] for row in rows] == ["over_window" if row["overflow"] else "ok" for row in rows]
