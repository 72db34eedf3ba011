"""`recall --knob` and `recommend --categories`: each figure is what `recall` says under that setting."""

import csv
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import Result

from inspector.plugins import policies

Run = Callable[..., Result]
GIVEN = ("--tokenizer", "estimate:words", "--similarity", "recorded", "--conversation", "c1")


@pytest.fixture
def asked(tmp_path: Path) -> tuple[str, ...]:
    """Sixty messages of twenty words, some memories, and questions about some of both."""
    words = " and on it went" * 4
    messages = [
        {"id": f"m{n}", "role": ("user", "assistant")[n % 2], "content": f"a{n} b{n} c{n} d{n}{words}"}
        for n in range(60)
    ]
    stored = [
        {"id": f"k{n}", "content": f"a{n}{words}", "similarity": 0.9 - n / 30, "source_messages": [f"m{n}"]}
        for n in range(0, 24, 3)
    ]
    value = {
        "format": "prompt-inspector/workspace@1",
        "conversations": [{"id": "c1", "messages": messages}],
        "memory_sets": [{"id": "default", "memories": stored}],
    }
    chat, asked = tmp_path / "chat.workspace.json", tmp_path / "asked.jsonl"
    chat.write_text(json.dumps(value))
    probes = [
        {"id": f"q{n}", "evidence": [f"m{n}", f"m{n + 1}"], "query": "w", "category": ("early", "late")[n > 30]}
        for n in (0, 6, 21, 40, 52)
    ]
    asked.write_text("\n".join(map(json.dumps, probes)))
    return str(chat), "--probes", str(asked), *GIVEN


def recalled(run: Run, asked: Sequence[str], *more: str) -> float | None:
    result = run("recall", *asked, *more, "--format", "json")
    return json.loads(result.stdout)["recall_with_memories"] if result.exit_code == 0 else None


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def test_along_a_knob_each_value_is_a_recall_of_its_own(run: Run, asked: tuple[str, ...]) -> None:
    options = ("--window", "600", "--policies", "ratio,slots")
    value = json.loads(run("recall", *asked, *options, "--knob", "context_window", "--format", "json").stdout)
    assert {row["policy"] for row in value["rows"]} == {"ratio", "slots"}
    assert value["knobs"] == [{"name": "context_window", "now": 600}]
    assert value["probes"] == 5
    assert len({row["recall"] for row in value["rows"]}) > 1, "the values differ"
    for row in value["rows"][::5]:
        setting = ("--window", str(row["context_window"]), "--policy", row["policy"])
        assert row["recall"] == pytest.approx(recalled(run, asked, *setting))
        assert row["low"] <= row["recall"] <= row["high"]


def test_without_a_choice_every_policy_that_has_the_knob_is_tried(run: Run, asked: tuple[str, ...]) -> None:
    found = rows(run("recall", *asked, "--window", "600", "--knob", "context-window", "--format", "csv").stdout)
    assert {row["policy"] for row in found} <= set(policies()[0])
    assert len({row["policy"] for row in found}) >= 8
    shares = rows(run("recall", *asked, "--window", "600", "--knob", "history_share", "--format", "csv").stdout)
    assert {row["policy"] for row in shares} == {"ratio"}


def test_two_knobs_have_a_row_for_every_pair_that_the_shares_leave(run: Run, asked: tuple[str, ...]) -> None:
    given = ("--window", "600", "--policy", "ratio")
    knobs = ("--knob", "context_window", "--knob", "min_exchanges")
    value = json.loads(run("recall", *asked, *given, *knobs, "--format", "json").stdout)
    windows, exchanges = ({row[name] for row in value["rows"]} for name in ("context_window", "min_exchanges"))
    assert len(value["rows"]) == len(windows) * len(exchanges)
    for row in value["rows"][::40]:
        setting = ("--policy", "ratio", "--window", str(row["context_window"]))
        more = ("--set", f"min_exchanges={row['min_exchanges']}")
        assert row["recall"] == pytest.approx(recalled(run, asked, *setting, *more))
    best, near = value["best"], value["best_near_now"]
    assert best["recall"] >= max(row["recall"] for row in value["rows"]) - 0.005
    assert near["context_window"] == 1_024
    said = run("recall", *asked, *given, *knobs).stdout
    assert re.search(r"^Best: Window 3,072.*; best near now, at most 2 steps of each away: ", said, re.M), said


def test_what_cannot_be_tried_is_one_line(run: Run, asked: tuple[str, ...]) -> None:
    for options, said in (
        (("--knob", "nothing"), "--knob nothing: ratio has no such setting; there are context_window, "),
        (("--knob", "context_window", "--policies", "nobody"), "--policies: nobody is not a policy; there are "),
        (("--policies", "ratio"), "--policies goes with --knob"),
        (("--knob", "a", "--knob", "b", "--knob", "c"), "give one setting, or two"),
    ):
        result = run("recall", *asked, "--policy", "ratio", *options)
        assert result.exit_code == 2
        assert said in result.stderr
        assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("policy", ["naive", "ratio"])
def test_categories_now_and_then_are_recalls_of_those_settings(run: Run, asked: tuple[str, ...], policy: str) -> None:
    asked = (*asked, "--policy", policy)
    options = ("--windows", "600,900", "--reply", "5", "--policies", "ratio,slots", "--workers", "1")
    advised = json.loads(run("recommend", *asked, *options, "--format", "json").stdout)
    found = rows(run("recommend", *asked, *options, "--categories", "--format", "csv").stdout)
    assert [row["category"] for row in found] == ["all questions", "early", "late"] * 2
    for window, of_window in zip(advised["windows"], (found[:3], found[3:]), strict=True):
        assert {row["context_window"] for row in of_window} == {str(window["context_window"])}
        current = rows(run("recall", *asked, "--window", of_window[0]["context_window"], "--format", "csv").stdout)
        by_name = {row["category"]: row for row in current}
        for row in of_window:
            one = by_name["all" if row["category"] == "all questions" else row["category"]]
            assert (row["now"], row["now_whole"]) == (one["recall_with_memories"], one["recall"])
            assert [row[name] for name in row if name.startswith("lost")] == [
                one[name] for name in one if name.startswith("lost")
            ]
        changes = window["verdict"] == "change"
        best = window["best"]["recall_with_memories"]
        assert of_window[0]["then"] == "" if not changes else float(of_window[0]["then"]) == pytest.approx(best)
    assert any(row["then"] for row in found) == (policy == "naive"), "one that fits is recommended"
    assert any(row["now"] != row["now_whole"] for row in found) == (policy == "ratio")
    lines = run("recommend", *asked, *options, "--categories").stdout.splitlines()
    assert [line.split()[1] for line in lines[2:5]] == ["all", "early", "late"]


def test_categories_are_not_of_archives(run: Run, asked: tuple[str, ...]) -> None:
    result = run("recommend", *asked, "--categories", "--glob", "*.json")
    assert result.exit_code == 2
    assert "--categories is about files that are opened together" in result.stderr
