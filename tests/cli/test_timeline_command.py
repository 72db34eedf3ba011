"""prompt-inspector timeline: every message with what it costs, what is spent on it, and the sum so far."""

import csv
import json

from tests.cli.conftest import Run

SMALL = ("--tokenizer", "estimate:words", "--window", "70", "--set", "min_exchanges=1")


def test_the_messages_are_those_of_the_assembly(run: Run, workspace_file: str) -> None:
    value = json.loads(run("timeline", workspace_file, *SMALL, "--format", "json").stdout)
    answer = json.loads(run("assemble", workspace_file, *SMALL, "--format", "json").stdout)
    items = {item["id"]: item for item in answer["items"]}
    assert [message["item"] for message in value["messages"]] == [f"m{n}" for n in range(10)]
    total = 0
    for message in value["messages"]:
        item = items[message["item"]]
        assert (message["tokens"], message["spent"], message["action"]) == (
            item["tokens"],
            item["spent"],
            item["action"],
        )
        total += item["spent"]
        assert message["sum"] == total
    assert value["spent"] == total > 0
    assert value["counts"]["dropped"] == sum(message["action"] == "dropped" for message in value["messages"]) > 0


def test_history_begins_where_everything_after_is_kept(run: Run, workspace_file: str) -> None:
    value = json.loads(run("timeline", workspace_file, *SMALL, "--format", "json").stdout)
    names = [message["item"] for message in value["messages"]]
    begins = names.index(value["history_begins"])
    assert value["messages"][begins - 1]["action"] == "dropped"
    assert {message["action"] for message in value["messages"][begins:]} == {"kept"}
    said = run("timeline", workspace_file, *SMALL).stdout.splitlines()
    assert f"From {value['history_begins']} on everything is kept" in said[-1]


def test_rows_of_a_file_and_of_the_plot_are_the_same(run: Run, workspace_file: str, tmp_path: object) -> None:
    rows = run("timeline", workspace_file, *SMALL, "--format", "csv").stdout
    run("timeline", workspace_file, *SMALL, "--plot", f"{tmp_path}/plot.csv")
    with open(f"{tmp_path}/plot.csv", encoding="utf-8") as file:
        assert file.read() == rows
    assert [row["number"] for row in csv.DictReader(rows.splitlines())] == [str(n) for n in range(1, 11)]


def test_a_message_that_is_not_said_yet_is_no_decision(run: Run, workspace_file: str) -> None:
    value = json.loads(run("timeline", workspace_file, *SMALL, "--at", "6", "--format", "json").stdout)
    assert [message["action"] for message in value["messages"]][6:] == ["not yet"] * 4
