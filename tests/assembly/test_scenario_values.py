"""Values of scenarios by their declarations: refused with their place, wherever a scenario comes from."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import inspector
from inspector.assembly.choices import ScenarioError
from inspector.assembly.inspection_file import read_written
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_file import read_scenario
from inspector.formats import UnreadableError
from inspector.model import MOST_TOKENS
from inspector.plugins import kinds_known
from tests.assembly.building import answer_to, chat, workspace

BAD: list[tuple[dict[str, Any], str, str]] = [
    ({"parameters": {"context_window": [1]}}, "parameters.context_window", "expected a whole number of at least 0"),
    ({"parameters": {"context_window": -1}}, "parameters.context_window", "at least 0, found -1"),
    ({"context_window": -5}, "context_window", "expected a whole number of at least 0, found -5"),
    ({"at": -1}, "at", "at least 0, found -1"),
    ({"summary_tokens": 0}, "summary_tokens", "at least 1, found 0"),
    ({"policy": "slots", "parameters": {"scale": [[]]}}, "parameters.scale", "must be one of"),
    ({"parameters": {"memory_share": [1]}}, "parameters.memory_share", "must be a number, not [1]"),
    ({"parameters": {"min_exchanges": "three"}}, "parameters.min_exchanges", "must be a whole number, not 'three'"),
    ({"parameters": {"borrow": {"a": 1}}}, "parameters.borrow.a", "is not a parameter"),
    ({"parameters": {"memory_share": None}}, "parameters.memory_share", "must be a number, not None"),
    ({"overrides": {"m1": {"tokens": 2**31}}}, "overrides.m1.tokens", "expected 0 to 1,000,000,000, found 2147483648"),
    ({"overrides": {"messages/m1": {"priority": 1}}}, "overrides.messages/m1.priority", "is no field"),
    ({"overrides": {"k0": {"similarity": 1.5}}}, "overrides.k0.similarity", "expected 0 to 1, found 1.5"),
    ({"overrides": {"m1": {"id": "m2"}}}, "overrides.m1.id", "is no field"),
    ({"overrides": {"m1": {"content": [1]}}}, "overrides.m1.content", "expected `str`, got `array`"),
    ({"lore": {"budget_percent": 1e300}}, "lore", "budget_percent must be a number from 0 to 100"),
    ({"relevance": {"before": -1}}, "relevance", "before must be a number from 0 to 10"),
]
GOOD: dict[str, Any] = {"draft": "x", "parameters": {"memory_share": 0.2}, "overrides": {"m1": {"tokens": MOST_TOKENS}}}


def written(file: Path, value: dict[str, Any]) -> Path:
    file.write_text(json.dumps(value))
    return file


@pytest.mark.parametrize(("value", "place", "words"), BAD, ids=lambda value: value if isinstance(value, str) else "")
def test_each_value_that_cannot_be_is_refused_with_its_place(
    tmp_path: Path, value: dict[str, Any], place: str, words: str
) -> None:
    with pytest.raises(UnreadableError) as refused:
        read_scenario(written(tmp_path / "bad.scenario.json", value), kinds_known())
    problem = refused.value.problem
    assert problem.place == f"$.{place}"
    assert words in problem.message
    with pytest.raises(ScenarioError, match=re.escape(place)) as from_python:
        inspector.assemble(workspace(chat(3)), value)
    assert words in str(from_python.value)


def test_all_of_them_are_named_at_once(tmp_path: Path) -> None:
    value = {
        "at": -1,
        "parameters": {"memory_share": "much", "min_exchanges": 1.5},
        "overrides": {"m1": {"tokens": -1}},
    }
    with pytest.raises(UnreadableError) as refused:
        read_scenario(written(tmp_path / "bad.scenario.json", value), kinds_known())
    told = str(refused.value.problem)
    assert all(
        place in told for place in ("$.at", "$.parameters.memory_share", "$.parameters.min_exchanges", "m1.tokens")
    )


@pytest.mark.parametrize(("value", "place", "words"), BAD, ids=lambda value: value if isinstance(value, str) else "")
def test_an_inspection_opens_without_the_value_and_says_so(
    tmp_path: Path, value: dict[str, Any], place: str, words: str
) -> None:
    both = {**GOOD, **value, "parameters": {**GOOD["parameters"], **value.get("parameters", {})}}
    file = {"scenario": value, "baseline": GOOD, "snapshots": {"s": both}, "conversations": {"c": value}}
    found, problems = read_written(written(tmp_path / "x.inspection.json", file), kinds_known())
    assert {one.place for one in problems} == {
        f"$.{at}.{place}" for at in ("scenario", "snapshots.s", "conversations.c")
    }
    assert all(words in one.message and "left out" in one.message for one in problems)
    assert found.baseline == Scenario(**GOOD)
    assert found.snapshots["s"].draft == "x"
    answer_to(workspace(chat(3)), **{name: getattr(found.scenario, name) for name in value})


def test_a_window_among_the_parameters_is_the_scenarios(tmp_path: Path) -> None:
    value = {"parameters": {"context_window": 900, "memory_share": 0.2}}
    scenario, problems = read_scenario(written(tmp_path / "a.scenario.json", value), kinds_known())
    assert (scenario.context_window, scenario.parameters, problems) == (900, {"memory_share": 0.2}, ())
    assert inspector.assemble(workspace(chat(3)), value)["budget"]["context_window"] == 900


def test_what_some_kind_of_item_takes_is_taken(tmp_path: Path) -> None:
    """The kind of an item is known only with the chat; its own declaration is asked then."""
    fields = {"k0": {"similarity": 1, "tags": ["a"]}, "m1": {"time": "2026-01-01T00:00:00Z", "tool_calls": []}}
    value = {"overrides": {**fields, "lorebooks/e": {"order": 3}, "docs/a.txt": {"content": "w"}}}
    scenario, _ = read_scenario(written(tmp_path / "a.scenario.json", value), kinds_known())
    assert scenario.overrides == value["overrides"]
