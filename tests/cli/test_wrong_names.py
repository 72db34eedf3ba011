"""What names nothing ends every command with 2 and one line that says the option and the nearest right name."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from inspector.resources import samples_folder

Run = Callable[..., Result]

_COMMANDS: dict[str, tuple[str, ...]] = {
    "assemble": ("assemble", "FILE"),
    "explain": ("explain", "FILE", "--item", "m1"),
    "explain --keep": ("explain", "FILE", "--keep", "m1"),
    "survival": ("survival", "FILE", "--parameter", "memory_share"),
    "timeline": ("timeline", "FILE"),
    "compare": ("compare", "FILE", "--a", "SCENARIO", "--b", "SCENARIO"),
    "compare --policies": ("compare", "FILE", "--policies", "naive,ratio"),
    "compare --recorded": ("compare", "FILE", "--recorded"),
    "count": ("count", "FILE"),
    "tokens": ("tokens", "FILE", "--item", "m1"),
    "tokenizers": ("tokenizers", "FILE", "--with", "estimate:words,estimate:ibex"),
    "fidelity": ("fidelity", "FILE"),
    "memories": ("memories", "FILE"),
    "recall": ("recall", "FILE", "--probes", "PROBES"),
    "conversations": ("conversations", "FILE"),
    "recommend": ("recommend", "FILE", "--probes", "PROBES"),
    "sweep": ("sweep", "FILE", "--set", "at=1,2"),
    "check": ("check", "SCENARIO", "FILE", "--max-overflow", "0"),
    "snippet": ("snippet", "FILE", "--for", "langchain"),
    "report": ("report", "FILE", "--out", "OUT.html"),
    "report --prompt": ("report", "FILE", "--prompt", "--out", "OUT.html"),
    "replay": ("replay", "FILE"),
}
_WRONG = (
    ("--policy", "naiv", "naive"),
    ("--preset", "documnt", "document"),
    ("--set", "memroy_share=0.3", "memory_share"),
    ("--set", "memory_share=abc", "memory_share must be a number"),
    ("--set", "context_window=wide", "a whole number"),
    ("--model", "gpt-4oo", "gpt-4o"),
    ("--tokenizer", "estimate:wrds", "estimate:words"),
    ("--tokenizer", "estimat:words", "estimate:words"),
    ("--window", "-5", "1<=x"),
)
_NOT_THERE = (
    ("--conversation", "c11", "c1"),
    ("--character", "nov", "nova"),
    ("--memories", "defalt", "default"),
    ("--pin", "m33", "m3"),
    ("--exclude", "m33", "m3"),
    ("--override", "m33:pinned=true", "m3"),
    ("--leaf", "m33", "m3"),
)


@pytest.fixture
def named(workspace_file: str, scenario_file: Callable[..., str], tmp_path: Path) -> dict[str, str]:
    probes = tmp_path / "asked.jsonl"
    probes.write_text(json.dumps({"id": "q", "evidence": ["m0"]}))
    page = str(tmp_path / "page.html")
    return {"FILE": workspace_file, "SCENARIO": scenario_file("plain"), "PROBES": str(probes), "OUT.html": page}


def refusal(run: Run, *arguments: str) -> str:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, ""), arguments
    (line,) = result.stderr.splitlines()
    return line


@pytest.mark.parametrize("command", _COMMANDS)
def test_every_command_names_the_option_and_the_nearest(run: Run, named: dict[str, str], command: str) -> None:
    words: list[str] = [named.get(word, word) for word in _COMMANDS[command]]
    for option, value, nearest in (*_WRONG, *(_NOT_THERE if command != "report" else ())):
        line = refusal(run, *words, option, value)
        assert option in line, line
        assert nearest in line.replace(f"{value} ", ""), line
    assert not Path(named["OUT.html"]).exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("asemble", "FILE"), "asemble: there is no such command or file; did you mean assemble?"),
        (("explain", "FILE", "--item", "m33"), "--item: no item is called m33; did you mean m3"),
        (("explain", "FILE", "--keep", "m33"), "--keep: no item is called m33; did you mean m3"),
        (("tokens", "FILE", "--item", "m33"), "--item: no item is called m33; did you mean m3"),
        (("compare", "FILE", "--policies", "naiv,ratio"), "--policies: naiv is not a policy; did you mean naive?"),
        (("compare", "FILE", "--policies", "ratio/long-chta"), "did you mean long-chat?"),
        (("replay", "FILE", "--policies", "naiv"), "--policies: naiv is not a policy; did you mean naive?"),
        (("recommend", "FILE", "--probes", "PROBES", "--policies", "naiv"), "did you mean naive?"),
        (("recall", "FILE", "--probes", "PROBES", "--knob", "memory_shar"), "did you mean memory_share"),
        (("recall", "FILE", "--probes", "PROBES", "--knob", "memory_share", "--policies", "naiv"), "mean naive?"),
        (("survival", "FILE", "--parameter", "memory_shar"), "did you mean memory_share"),
        (("explain", "FILE", "--keep", "m1", "--locked", "memory_shar"), "did you mean memory_share"),
        (("sweep", "FILE", "--set", "memroy_share=0.1,0.2"), "did you mean memory_share"),
        (("sweep", "FILE", "--set", "memory_share=0.1,much"), "memory_share must be a number, not 'much'"),
        (("sweep", "FILE", "--set", "policy=naive,ratoi"), "did you mean ratio?"),
        (("sweep", "FILE", "--set", "model=gpt-4oo"), "did you mean gpt-4o"),
        (("sweep", "FILE", "--set", "tokenizer=estimate:wrds"), "did you mean estimate:words"),
        (("sweep", "FILE", "--set", "context_window=-5:5:5"), "from 1 to"),
        (("tokenizers", "FILE", "--with", "estimate:wrds"), "did you mean estimate:words"),
        (("export", "FILE", "--conversation", "c11", "--out", "OUT.html"), "--conversation: conversation 'c11' is not"),
        (("policies", "naiv"), "did you mean naive?"),
        (("policies", "ratio", "--preset", "long-chta"), "--preset: long-chta is not a preset of ratio; did you mean"),
        (("presets", "--policy", "raito"), "did you mean ratio?"),
        (("presets", "--remove", "mine", "--policy", "raito"), "--policy: raito is not a policy; did you mean ratio?"),
        (("assemble", "FILE", "--lore", "dept=3"), "did you mean depth?"),
        (("assemble", "FILE", "--embedding", "minlm"), "did you mean minilm?"),
        (("presets", "--save", "mine", "--policy", "ratio", "--set", "memroy_share=0.3"), "did you mean memory_share"),
        (("assemble", "FILE", "--similarity", "lexcal"), "--similarity: 'lexcal' is not one of auto"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_other_names(run: Run, named: dict[str, str], arguments: tuple[str, ...], said: str) -> None:
    assert said in refusal(run, *(named.get(word, word) for word in arguments))


def test_a_value_of_a_scenario_file_is_named_with_its_place_and_an_unknown_parameter_is_left_out(
    run: Run, workspace_file: str, scenario_file: Callable[..., str]
) -> None:
    wrong = scenario_file("wrong", parameters={"memory_share": "abc"})
    assert f"{wrong}: $.parameters" in refusal(run, "assemble", workspace_file, "--scenario", wrong)
    model = scenario_file("model", model="gpt-4oo")
    assert f"{model}: $.model: gpt-4oo is not" in refusal(run, "assemble", workspace_file, "--scenario", model)
    odd = scenario_file("odd", polcy="naive", parameters={"memroy_share": 0.3})
    result = run("assemble", workspace_file, "--scenario", odd, "--format", "json")
    assert (result.exit_code, json.loads(result.stdout)["status"]) == (0, "ok")
    keys, parameters = result.stderr.splitlines()
    assert "$.polcy: is not a known key; it was skipped (did you mean policy?)" in keys
    assert "$.parameters.memroy_share" in parameters
    assert "did you mean memory_share" in parameters


def assembled(run: Run, *arguments: str) -> dict[str, Any]:
    result = run("assemble", *arguments, "--format", "json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_items_are_named_by_id_in_any_case_then_by_the_numbers_of_the_window(run: Run, tmp_path: Path) -> None:
    words = [f"word{number}" for number in range(12)]
    chats = [
        {
            "id": f"c{chat}",
            "title": title,
            "messages": [{"id": f"m{n}", "role": "user", "content": words[n]} for n in range(6)],
        }
        for chat, title in enumerate(("Holidays", "Work", "Work"))
    ]
    memories = [{"id": f"k{n}", "content": words[6 + n]} for n in range(3)]
    file = tmp_path / "named.workspace.json"
    file.write_text(json.dumps({"conversations": chats, "memory_sets": [{"id": "d", "memories": memories}]}))

    def pinned(name: str) -> list[str]:
        chosen = assembled(run, str(file), "--conversation", "holidays", "--pin", name, "--tokenizer", "estimate:words")
        assert chosen["scenario"]["conversation"] == "c0"
        return chosen["scenario"]["pinned"]

    assert [pinned(name) for name in ("m4", "M4", "5", "#5", "M 2", "m 3")] == [["m4"]] * 4 + [["k1"], ["k2"]]
    assert "no item is called 9" in refusal(run, "assemble", str(file), "--conversation", "c0", "--pin", "9")
    assert "several are called 'work'; name one of c1, c2" in refusal(
        run, "assemble", str(file), "--conversation", "work"
    )
    explained = run("explain", str(file), "--conversation", "c0", "--item", "M 2", "--format", "json")
    assert json.loads(explained.stdout)["item"] == "k1"
    swept = run("sweep", str(file), "--set", "at=1,2", "--pin", "M4", "--tokenizer", "estimate:words")
    assert (swept.exit_code, len(swept.stdout.splitlines())) == (0, 6)
    assert "no item of any conversation is called 5" in refusal(run, "sweep", str(file), "--set", "at=1", "--pin", "5")


def test_a_model_that_no_row_means_needs_a_window(run: Run, workspace_file: str) -> None:
    unknown = (workspace_file, "--model", "gpt-4oo", "--window", "5000")
    given = assembled(run, *unknown, "--tokenizer", "embedded:o200k_base")
    assert "model_unknown" in {finding["code"] for finding in given["findings"]}
    assert given["ledger"]["exact"] is False
    assert "cost" not in run("assemble", *unknown).stdout
    lines = [json.dumps({"name": "a", "workspace": {}, "scenario": {"model": "gpt-4oo"}})]
    answer = json.loads(run("assemble", "--jsonl", "-", stdin="\n".join(lines)).stdout)
    assert (answer["name"], answer["error"]["code"]) == ("a", "unknown_model")
    assert "did you mean gpt-4o" in answer["error"]["message"]


def test_a_model_that_only_the_chat_names_has_the_window_of_its_nearest_relative(run: Run, tmp_path: Path) -> None:
    def named(model: str) -> tuple[int, str]:
        chat = {"id": "c", "messages": [{"id": "a", "role": "user", "content": "hello"}]}
        file = tmp_path / "chat.workspace.json"
        character = {"id": "x", "preferred_llm": {"model": model}}
        file.write_text(json.dumps({"conversations": [chat], "characters": [character]}))
        answer = assembled(run, str(file))
        (finding,) = (one for one in answer["findings"] if one["code"] == "model_unknown")
        assert (finding["severity"], answer["ledger"]["exact"]) == ("warning", False)
        return answer["scenario"]["context_window"], finding["message"]

    window, said = named("claude-sonnet-9")
    assert window == 1_000_000
    assert "a window of 1,000,000 tokens is assumed, that of its nearest known relative, claude-sonnet-5-5." in said
    assert named("nobodys-model")[0] == 8192


def test_no_table_where_no_prompt_was_made(run: Run, workspace_file: str) -> None:
    result = run("assemble", workspace_file, "--set", "memory_share=0.9", "--set", "history_share=0.9")
    assert result.exit_code == 0
    assert "error shares_do_not_sum" in result.stdout
    assert "not decided" not in result.stdout


@pytest.mark.parametrize(
    "arguments", [("assemble", "samples/a.json"), ("assemble", "x.json", "-s", "samples/a.yaml"), ("samples",)]
)
def test_samples_that_are_not_in_this_folder_are_elsewhere(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.endswith(f"; the samples of this program are in {samples_folder()}\n")
    assert "samples of" not in run("assemble", "sample/a.json").stderr
