"""`check`: 0 where a scenario holds, 1 with a table of what falls short, 2 for bad input."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]


@pytest.fixture
def probes_file(tmp_path: Path) -> str:
    probes = [{"id": "old", "evidence": ["m0"]}, {"id": "new", "evidence": ["m9"]}, {"id": "lost", "evidence": ["m77"]}]
    file = tmp_path / "asked.jsonl"
    file.write_text("\n".join(map(json.dumps, probes)))
    return str(file)


@pytest.fixture
def narrow(scenario_file: Callable[..., str]) -> str:
    return scenario_file("narrow", context_window=60, parameters={"min_exchanges": 1})


@pytest.fixture
def wide(scenario_file: Callable[..., str]) -> str:
    return scenario_file("wide", context_window=1000)


def table_of(done: Result) -> list[list[str]]:
    return [line.split() for line in done.stdout.splitlines()[2:]]


def test_what_holds_is_one_line(run: Run, workspace_file: str, wide: str, probes_file: str) -> None:
    limits = ("--min-recall", ".9", "--max-overflow", "0")
    done = run("check", wide, workspace_file, "--probes", probes_file, *limits)
    assert done.exit_code == 0
    assert done.stdout == "all is well: 1 conversation, at most 0 tokens over, recall 1.000, with memories 1.000\n"
    assert "probe lost: no item is called m77" in done.stderr


def test_low_recall_is_told(run: Run, workspace_file: str, narrow: str, probes_file: str) -> None:
    done = run("check", narrow, workspace_file, "--probes", probes_file, "--min-recall", ".9")
    assert done.exit_code == 1
    assert table_of(done) == [[name, "recall", "0.500", "at", "least", "0.9"] for name in ("all", "c1")]
    assert run("check", narrow, workspace_file, "--probes", probes_file, "--min-recall", ".5").exit_code == 0
    with_memories = run("check", narrow, workspace_file, "--probes", probes_file, "--min-recall-with-memories", ".9")
    assert table_of(with_memories)[0][:5] == ["all", "recall", "with", "memories", "0.500"]


def test_prompts_that_are_too_large_are_told(run: Run, workspace_file: str, scenario_file: Callable[..., str]) -> None:
    naive = scenario_file("naive", policy="naive", context_window=60)
    assembled = json.loads(run("assemble", workspace_file, "--scenario", naive, "--format", "json").stdout)
    budget = assembled["budget"]
    over = assembled["ledger"]["total"] + budget["response_reserve"] + budget["safety_margin"] - 60
    done = run("check", naive, workspace_file, "--max-overflow", "0")
    assert done.exit_code == 1
    assert table_of(done) == [["c1", "overflow", str(over), "at", "most", "0"]]
    assert run("check", naive, workspace_file, "--max-overflow", str(over)).exit_code == 0


def test_a_prompt_that_cannot_be_made_falls_short(
    run: Run, workspace_file: str, scenario_file: Callable[..., str]
) -> None:
    wrong = scenario_file("wrong", parameters={"memory_share": 7})
    done = run("check", wrong, workspace_file, "--max-overflow", "0")
    assert done.exit_code == 1
    assert table_of(done)[0][:3] == ["c1", "error", "shares_do_not_sum"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "say what to hold to"),
        (("--min-recall", "2"), "--min-recall"),
        (("--min-recall", ".5"), "no probes"),
        (("--min-recall", ".5", "--probes", "none.yaml"), "none.yaml"),
    ],
)
def test_bad_input_is_one_line(run: Run, workspace_file: str, wide: str, options: tuple[str, ...], said: str) -> None:
    done = run("check", wide, workspace_file, *options)
    assert done.exit_code == 2
    assert said in done.stderr


def test_probes_of_which_none_can_be_asked_are_bad_input(
    run: Run, workspace_file: str, wide: str, tmp_path: Path
) -> None:
    file, elsewhere = tmp_path / "elsewhere.json", {"id": "q", "conversation": "other", "evidence": ["m0"]}
    file.write_text(json.dumps({"format": "prompt-inspector/probes@1", "probes": [elsewhere]}))
    done = run("check", wide, workspace_file, "--probes", str(file), "--min-recall", "0")
    assert done.exit_code == 2
    assert "none of the 1 probes can be asked" in done.stderr
