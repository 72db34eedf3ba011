"""prompt-inspector replay: tables, rows and documents of one or two policies."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

SMALL = ("--tokenizer", "estimate:words", "--window", "70", "--set", "min_exchanges=1", "--model", "gpt-4o")


def test_the_document_has_a_row_for_each_turn_and_says_what_fell(run: Run, workspace_file: str) -> None:
    value = json.loads(run("replay", workspace_file, *SMALL, "--format", "json").output)
    assert [row["turn"] for row in value["turns"]] == list(range(1, 11))
    fallen = {name for row in value["turns"] for name in row["fell"]}
    assert set(value["fell_at"]) <= fallen
    assert "m0" in fallen
    for row in value["turns"]:
        parts = sum(tokens for name, tokens in row.items() if name.startswith("tokens_"))
        assert row["total"] == parts + row["overhead"]


def test_a_turn_is_what_assemble_makes_of_it(run: Run, workspace_file: str) -> None:
    value = json.loads(run("replay", workspace_file, *SMALL, "--format", "json").output)
    answer = json.loads(run("assemble", workspace_file, *SMALL, "--at", "7", "--as-of", "--format", "json").output)
    kept = sum(item["spent"] for item in answer["items"])
    row = value["turns"][6]
    assert kept == sum(tokens for name, tokens in row.items() if name.startswith("tokens_"))


def test_two_policies_are_rows_of_one_file(run: Run, workspace_file: str) -> None:
    output = run(
        "replay", workspace_file, *SMALL[:4], "--policies", "naive,llamaindex_buffer", "--format", "csv"
    ).output
    rows = list(csv.DictReader(io.StringIO(output)))
    assert [row["policy"] for row in rows] == ["naive/document"] * 10 + ["llamaindex_buffer/document"] * 10


def test_a_refused_turn_has_no_figures(run: Run, workspace_file: str) -> None:
    answer = run("replay", workspace_file, *SMALL[:4], "--set", "memory_share=0.9", "--format", "json").output
    row = json.loads(answer)["turns"][0]
    assert (row["refused"], row["total"], row["tokens_history"]) == (True, None, None)


def test_the_table_ends_with_what_a_cache_of_prompts_saves(run: Run, workspace_file: str) -> None:
    lines = run("replay", workspace_file, *SMALL, "--every", "4").output.splitlines()
    assert lines[0] == "ratio/document, window 70"
    assert lines[-1].startswith("ratio/document: ")
    assert "broken prefixes" in lines[-1]
    assert "≈" in lines[-3], "memories stand in one message, and are counted apart"
    rows = [line.replace("≈ ", "").split() for line in lines if line.strip()[:1].isdigit()]
    assert [row[0] for row in rows] == ["1", "3", "7", "10"], "turns at which a prompt was sent"
    titles = lines[1].replace("Reaches back", "Reaches_back").split()
    assert titles[0] == "Turn"
    assert "Cost" not in titles
    assert "Cost" in lines[-2], "the columns without room are named"
    named = dict(zip(titles, rows[-1], strict=False))
    parts = {"system": "System", "memory": "Memories", "history": "Conversation", "overhead": "Formatting"}
    value = json.loads(run("replay", workspace_file, *SMALL, "--every", "4", "--format", "json").output)
    last = value["turns"][-1]
    shown = [int(named[title]) for title in parts.values()]
    assert shown == [last.get(f"tokens_{part}", last.get(part)) for part in parts]
    assert int(named["Tokens"]) == last["total"] == sum(shown)


def test_three_policies_are_too_many(run: Run, workspace_file: str) -> None:
    result = run("replay", workspace_file, "--policies", "ratio,naive,slots")
    assert result.exit_code != 0
    assert "one or two policies" in result.stderr


def test_an_unknown_policy_ends_it_with_one_line(run: Run, workspace_file: str) -> None:
    result = run("replay", workspace_file, "--policies", "nobody")
    assert result.exit_code != 0
    assert result.stderr.count("\n") == 1


def test_the_items_that_fall_out_have_their_turns(run: Run, workspace_file: str) -> None:
    value = json.loads(run("replay", workspace_file, *SMALL, "--format", "json").output)
    rows = list(csv.DictReader(io.StringIO(run("replay", workspace_file, *SMALL, "--items", "--format", "csv").output)))
    assert {row["item"]: int(row["falls"]) for row in rows} == value["fell_at"]
    assert [int(row["falls"]) for row in rows] == sorted(int(row["falls"]) for row in rows)
    listed = json.loads(run("replay", workspace_file, *SMALL, "--items", "--format", "json").output)
    assert [(row["item"], row["stayed"]) for row in listed] == [
        (row["item"], int(row["stayed"]) if row["stayed"] else None) for row in rows
    ]
    m0 = next(row for row in listed if row["item"] == "m0")
    assert (m0["section"], m0["stayed"]) == ("history", m0["falls"] - 1)
    said = run("replay", workspace_file, *SMALL, "--items").output.splitlines()
    assert said[-1] == f"{len(rows)} items of 15 fall out"


def test_items_have_no_plot(run: Run, workspace_file: str) -> None:
    result = run("replay", workspace_file, "--items", "--plot", "p.svg")
    assert result.exit_code == 2
    assert "--items and --falls have no plot" in result.stderr


def test_every_fall_is_told_the_latest_first(run: Run, workspace_file: str) -> None:
    value = json.loads(run("replay", workspace_file, *SMALL, "--format", "json").output)
    falls = json.loads(run("replay", workspace_file, *SMALL, "--falls", "--format", "json").output)
    by_turn = {row["turn"]: sorted(row["fell"]) for row in value["turns"] if row["fell"]}
    told: dict[int, list[str]] = {}
    for row in falls:
        told.setdefault(row["turn"], []).append(row["item"])
    assert {turn: sorted(items) for turn, items in told.items()} == by_turn
    assert list(told) == sorted(by_turn, reverse=True)
    assert run("replay", workspace_file, "--items", "--falls").exit_code == 2


def test_compactions_stand_below_the_turns_in_words_and_in_the_document(run: Run, workspace_file: str) -> None:
    compacting = ("--policy", "anthropic_compaction", "--set", "trigger=40", "--set", "summary_size=9")
    asked = ("replay", workspace_file, *SMALL[:4], "--model", "gpt-4o", *compacting)
    value = json.loads(run(*asked, "--format", "json").output)
    events = value["events"]
    assert events
    assert {event["kind"] for event in events} == {"compacted"}
    answer = json.loads(run("assemble", *asked[1:], "--format", "json").output)
    assert [(one["at"], one["before"], one["after"]) for one in events] == [
        (one["at"], one["before"], one["after"]) for one in answer["events"]
    ]
    lines = run(*asked).output.splitlines()
    said = next(line for line in lines if " became " in line)
    assert said.startswith(f"{len(events)} compaction")
    assert sum("compaction " in line and line.strip()[:1].isdigit() for line in lines if line != said) == len(events)
    rows = list(csv.DictReader(io.StringIO(run(*asked, "--format", "csv").output)))
    assert len(rows) == len(value["turns"]), "the rows of CSV are the turns alone"
    plain = run("replay", workspace_file, *SMALL).output
    assert " became " not in plain


@pytest.fixture
def compacted(tmp_path: Path) -> Path:
    """A task of Roo that was condensed once and cut once."""
    said: list[dict[str, Any]] = [
        {"role": ("user", "assistant")[n % 2], "content": f"Message {n} of some words", "ts": n + 1} for n in range(9)
    ]
    for n in (0, 1, 2):
        said[n]["condenseParent"] = "k"
    said[3] |= {"role": "user", "isSummary": True, "condenseId": "k"}
    said[4]["truncationParent"] = "t"
    said[5] |= {"role": "user", "isTruncationMarker": True, "truncationId": "t"}
    folder = tmp_path / "task"
    folder.mkdir()
    (folder / "api_conversation_history.json").write_text(json.dumps(said))
    return folder


def test_what_the_file_records_stands_beside_what_is_done_here(run: Run, compacted: Path, tmp_path: Path) -> None:
    probes = tmp_path / "q.probes.yaml"
    probes.write_text("format: prompt-inspector/probes@1\nprobes:\n- {id: q, evidence: [m1, m4, m8], query: What?}\n")
    asked = ("replay", str(compacted), "--policy", "naive", "--tokenizer", "estimate:words", "--window", "900")
    for _ in range(2):
        value = json.loads(run(*asked, "--probes", str(probes), "--format", "json").output)
        assert value["events"] == []
        rows = value["recorded_events"]
        assert [(row["kind"], row["at"], row["lost"]) for row in rows] == [
            ("compacted", "m3", ["m0", "m1", "m2"]),
            ("truncated", "m5", ["m4"]),
        ]
        assert [row["evidence"] for row in rows] == [["m1"], ["m4"]]
    shown = run(*asked, "--probes", str(probes)).output
    assert "Here the list is never shortened." in shown
    assert "The file records 1 compaction and 1 truncation, at turn" in shown
    assert "2 of 3 items that questions need among them." in shown
    assert "that questions need" not in run(*asked).output


def test_compare_names_the_compactions_of_both_sides(run: Run, compacted: Path) -> None:
    asked = ("compare", str(compacted), "--recorded", "--policy", "naive", "--tokenizer", "estimate:words")
    value = json.loads(run(*asked, "--format", "json").output)
    assert [(one["at"], one["kind"], one["told"]) for one in value["compactions"]] == [
        ("m3", "compacted", ["m0", "m1", "m2"]),
        ("m5", "truncated", ["m4"]),
    ]
    shown = " ".join(run(*asked).output.split())
    assert "shortened its list 2 times, the last with Message 6: 4 messages are not sent since." in shown
    assert "The policy here never shortens it." in shown
