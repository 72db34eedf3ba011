"""`prompt-inspector memories`: the ranking as text and as JSON."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

Run = Callable[..., Result]
OPTIONS = ("--tokenizer", "estimate:words", "--window", "60", "--similarity", "recorded")


def test_json_lists_every_memory_in_the_order_of_decision(run: Run, workspace_file: str) -> None:
    value = json.loads(run("memories", workspace_file, *OPTIONS, "--format", "json").stdout)
    assert value["format"] == "prompt-inspector/memories@1"
    assert value["policy"] == "ratio"
    assert value["compared"] == "Similarity: 4 recorded."
    assert value["lines"] == [{"before": 3, "caption": "budget: ≈ 16 of 17 tokens used"}]
    assert [(item["id"], item["rank"], item["in_prompt"], item["why"]) for item in value["items"]] == [
        ("k0", 1, True, "fits"),
        ("k1", 2, True, "fits"),
        ("k2", 3, True, "fits"),
        ("k3", 4, False, "over budget, ≈ 19 short"),
    ]
    first, last = value["items"][0], value["items"][-1]
    assert first["similarity"] == 0.9
    assert first["similarity_from"] == "recorded"
    assert first["signals"][0] == {"name": "similarity", "weight": 0.4, "value": 0.9, "part": 0.36000000000000004}
    assert first["nearly_the_same"] == ["k1", "k2", "k3"], "w w w is all that they say"
    assert (last["reason"], last["short_by"]) == ("over_budget", 19)


def test_the_table_shows_the_lines_between_the_memories(run: Run, workspace_file: str) -> None:
    lines = run("memories", workspace_file, *OPTIONS, "--exclude", "k1").stdout.splitlines()
    assert lines[0].startswith("Query: w w")
    assert lines[1] == "Similarity: 4 recorded."
    shown = [" ".join(line.split()[:2]) for line in lines[4:-1]]
    assert shown == ["1 in", "2 in", "── budget:", "3 ✕", "── 1", "✕ out"]
    ids = [found[0] for line in lines[4:-1] if (found := re.search(r"\bM \d\b", line))]
    assert ids == ["M 1", "M 3", "M 4", "M 2"]
    assert lines[-1] == "2 of 4 memories in the prompt, ≈ 8 tokens."


def test_csv_has_a_row_for_each_memory_and_none_for_the_lines(run: Run, workspace_file: str) -> None:
    items = json.loads(run("memories", workspace_file, *OPTIONS, "--format", "json").stdout)["items"]
    rows = list(csv.DictReader(run("memories", workspace_file, *OPTIONS, "--format", "csv").stdout.splitlines()))
    assert [(row["id"], row["why"], float(row["similarity"]), row["nearly_the_same"].split()) for row in rows] == [
        (item["id"], item["why"], item["similarity"], item["nearly_the_same"]) for item in items
    ]


def test_a_policy_without_weights_and_a_set_without_memories_say_so(
    run: Run, workspace_file: str, tmp_path: object
) -> None:
    slots = run("memories", workspace_file, *OPTIONS[:2], "--window", "9000", "--policy", "slots")
    assert "Fixed slots has no weights to set: the most similar come first." in slots.stdout
    empty = f"{tmp_path}/empty.json"
    with open(empty, "w", encoding="utf-8") as file:
        json.dump([{"role": "user", "content": "hello"}], file)
    assert run("memories", empty).stdout == "There are no memories here.\n"


def test_a_refused_policy_says_why(run: Run, workspace_file: str) -> None:
    found = run("memories", workspace_file, *OPTIONS, "--set", "memory_share=0.9")
    assert found.stdout.startswith("error shares_do_not_sum: ")
    assert "not decided" in found.stdout


def test_assemble_finds_near_duplicates_too(run: Run, workspace_file: str) -> None:
    value = json.loads(run("assemble", workspace_file, *OPTIONS, "--format", "json").stdout)
    found = next(finding for finding in value["findings"] if finding["code"] == "near_duplicate_memories")
    assert found["items"] == ["k0", "k1", "k2", "k3"]
    assert found["severity"] == "warning"


def test_the_use_of_memories_is_asked_of_questions(run: Run, workspace_file: str, tmp_path: Path) -> None:
    file = tmp_path / "needed.json"
    probes = [{"id": "one", "query": "w", "evidence": ["k0"]}, {"id": "two", "query": "w", "evidence": []}]
    file.write_text(json.dumps({"format": "prompt-inspector/probes@1", "probes": probes}), encoding="utf-8")
    asked = ("memories", workspace_file, *OPTIONS, "--use", "--probes", str(file))
    value = json.loads(run(*asked, "--format", "json").stdout)
    assert value["format"] == "prompt-inspector/memory-use@1"
    assert (value["questions"], value["never"], value["unnamed"]) == (1, 3, [])
    assert [one["id"] for one in value["skipped"]] == ["two"]
    first = value["memories"][0]
    assert (first["id"], first["kept"], first["carries"], first["useful"], first["lost"]) == ("k0", 1, 1, 1, 1.0)
    rows = list(csv.DictReader(run(*asked, "--format", "csv").stdout.splitlines()))
    assert [row["id"] for row in rows] == [one["id"] for one in value["memories"]]
    told = run(*asked).stdout
    assert "3 of 4 memories (75.0 %) never carry evidence of 1 question; 33.3 % of their 3 places" in told
    assert "two: no evidence is named" in told


def test_other_ways_to_write_memories_are_asked_the_same_questions(
    run: Run, workspace_file: str, tmp_path: Path
) -> None:
    file = tmp_path / "needed.json"
    probes = [
        {"id": "one", "query": "w", "evidence": ["m2"], "answer": "w"},
        {"id": "two", "query": "w", "evidence": ["k0"]},
    ]
    file.write_text(json.dumps({"format": "prompt-inspector/probes@1", "probes": probes}), encoding="utf-8")
    asked = ("memories", workspace_file, *OPTIONS, "--written", "--probes", str(file))
    value = json.loads(run(*asked, "--format", "json").stdout)
    assert value["format"] == "prompt-inspector/memory-writing@1"
    ways = {one["way"]: one["memories"] for one in value["ways"]}
    assert ways == {"none": 0, "filed": 4, "extracts": ways["extracts"]}
    assert ways["extracts"] > 0
    assert (value["questions"], value["told_by_messages"]) == (1, 1.0)
    assert [one["id"] for one in value["skipped"]] == ["two"]
    told = run(*asked).stdout
    assert told.startswith("No memories: the prompts hold ")
    assert "The needed messages themselves hold 100.0 % of the answers' words." in told
    assert "two: no message of the conversation is its evidence" in told
    file.write_text(json.dumps({"format": "prompt-inspector/probes@1", "probes": probes[1:]}), encoding="utf-8")
    none = run(*asked)
    assert none.exit_code == 2
    assert "none of the 1 questions can be asked: no message of the conversation is its evidence" in none.stderr


def test_what_other_places_of_memories_cost_is_replayed(run: Run, workspace_file: str, tmp_path: Path) -> None:
    file = tmp_path / "needed.json"
    probes = [{"id": "one", "query": "w", "evidence": ["m2"]}, {"id": "two", "query": "w", "evidence": ["m77"]}]
    file.write_text(json.dumps({"format": "prompt-inspector/probes@1", "probes": probes}), encoding="utf-8")
    asked = ("memories", workspace_file, *OPTIONS, "--places", "--probes", str(file))
    value = json.loads(run(*asked, "--format", "json").stdout)
    assert (value["format"], value["questions"]) == ("prompt-inspector/memory-places@1", 1)
    assert [one["place"] for one in value["places"]] == ["laid", "last", "none"]
    assert len({one["recall_with_memories"] for one in value["places"][:2]}) == 1
    told = run(*asked).stdout
    assert "without memories " in told
    assert "OpenAI keeps beginnings of 1,024 tokens" in told
    assert "two: no message of the conversation is its evidence" in told


def test_questions_are_for_use_only(run: Run, workspace_file: str, tmp_path: Path) -> None:
    file = tmp_path / "needed.json"
    file.write_text("{}", encoding="utf-8")
    result = run("memories", workspace_file, "--probes", str(file))
    assert result.exit_code == 2
    assert "--probes goes with --use, --written or --places" in result.stderr
    both = run("memories", workspace_file, "--use", "--written")
    assert both.exit_code == 2
    assert "--use, --written and --places are different answers: give one of them" in both.stderr


def test_use_without_questions_says_where_they_come_from(run: Run, workspace_file: str) -> None:
    result = run("memories", workspace_file, "--use")
    assert result.exit_code == 2
    assert "no questions: name a file of questions with --probes" in result.stderr
