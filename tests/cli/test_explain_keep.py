"""`prompt-inspector explain --keep`: the table, the JSON value, and what ends the command with one line."""

import json
from collections.abc import Callable

import pytest
from click.testing import Result

Run = Callable[..., Result]
OPTIONS = ("--tokenizer", "estimate:words", "--window", "70", "--similarity", "recorded", "--set", "min_exchanges=1")


def test_every_kind_of_way_is_told(run: Run, workspace_file: str) -> None:
    value = json.loads(run("explain", workspace_file, "--keep", "m5", *OPTIONS, "--format", "json").stdout)
    assert {"context_window": 90} in [way["changes"] for way in value["single"]]
    assert value["pair"]["changes"]["context_window"] < 90
    assert value["exclude"]["changes"]["excluded"]
    shown = run("explain", workspace_file, "--keep", "m5", *OPTIONS).stdout
    assert "context_window=90" in shown
    assert "leave out" in shown
    assert all(way["estimated"] for way in value["single"]), "words are no tokens"
    assert f"≈ {value['single'][0]['total']}" in shown


def test_an_item_that_is_explained_has_the_same_ways(run: Run, workspace_file: str) -> None:
    asked = json.loads(run("explain", workspace_file, "--keep", "m5", *OPTIONS, "--format", "json").stdout)
    explained = json.loads(run("explain", workspace_file, "--item", "m5", *OPTIONS, "--format", "json").stdout)
    assert explained["ways"] == asked
    assert asked["pin"]["label"] == "Pin this message"
    assert asked["pin"]["changes"] == {"pinned": ["m5"]}
    shown = run("explain", workspace_file, "--item", "m5", *OPTIONS).stdout
    assert "pinned=m5" in shown
    kept = json.loads(run("explain", workspace_file, "--item", "m9", *OPTIONS, "--format", "json").stdout)
    assert kept["ways"]["is_kept"]


def test_a_locked_share_stays(run: Run, workspace_file: str) -> None:
    options = ("--locked", "memory-share", "--format", "json")
    value = json.loads(run("explain", workspace_file, "--keep", "m5", *OPTIONS, *options).stdout)
    ways = [way["changes"] for way in (*value["single"], value["pair"]) if way]
    moved = [changes["memory_share"] for changes in ways if "history_share" in changes]
    assert moved
    assert set(moved) == {0.3}


def test_what_is_kept_is_said(run: Run, workspace_file: str) -> None:
    assert run("explain", workspace_file, "--keep", "m9", *OPTIONS).stdout == "They are kept.\n"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "name one --item to explain, or the items to keep with --keep"),
        (("--item", "m1", "--keep", "m2"), "name one --item to explain"),
        (("--item", "m1", "--locked", "memory_share"), "--locked goes with --keep"),
        (("--keep", "m1", "--locked", "cap"), "--locked cap: no share of ratio; those are memory_share"),
        (("--keep", "m77"), "--keep: no item is called m77; did you mean m7?"),
    ],
)
def test_what_is_not_there_ends_the_command(run: Run, workspace_file: str, options: tuple[str, ...], said: str) -> None:
    result = run("explain", workspace_file, *options, *OPTIONS)
    assert result.exit_code != 0
    assert said in result.stderr
