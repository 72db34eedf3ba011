"""The golden cases, one by one through the function behind `assemble --jsonl`, and all together through the command."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from inspector.cli.assemble import answer_line

_FILES = sorted((Path(__file__).parent / "golden").glob("*.jsonl"))
_CASES = [json.loads(line) for file in _FILES for line in file.read_bytes().splitlines()]
_BUDGET_KEYS = ("available", "response_reserve", "safety_margin")


def _question(case: Mapping[str, Any]) -> bytes:
    return json.dumps({key: case[key] for key in ("name", "workspace", "scenario")}).encode()


def _different(what: str, wanted: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
    for key, value in wanted.items():
        if key not in found:
            yield f"{what} {key}: missing, expected {value}"
        elif found[key] != value:
            yield f"{what} {key}: {found[key]}, expected {value}"


def _error_mismatch(wanted: str | None, answer: Mapping[str, Any]) -> str | None:
    code = answer["error"]["code"] if answer["error"] else None
    if code == wanted and (answer["status"] == "error") == (wanted is not None):
        return None
    return f"error {code} and status {answer['status']}, expected {wanted}"


def mismatches(expect: Mapping[str, Any], answer: Mapping[str, Any]) -> Iterator[str]:
    """Every difference between an answer and what its case expects."""
    if (wrong := _error_mismatch(expect.get("error"), answer)) or expect.get("error"):
        yield from [wrong] if wrong else []
        return
    if answer["status"] != expect.get("status", answer["status"]):
        yield f"status {answer['status']}, expected {expect['status']}"
    limits = {name: section["limit"] for name, section in answer["budget"]["sections"].items()}
    yield from _different("limit of", expect.get("limits", {}), limits)
    yield from _different("budget", expect.get("budget", {}), {key: answer["budget"][key] for key in _BUDGET_KEYS})
    yield from _item_mismatches(expect, answer["items"])
    codes = {finding["code"] for finding in answer["findings"]}
    yield from (f"finding {code}: missing" for code in expect.get("findings", []) if code not in codes)
    yield from (f"finding {code}: not expected" for code in expect.get("absent", []) if code in codes)


def _item_mismatches(expect: Mapping[str, Any], items: list[dict[str, Any]]) -> Iterator[str]:
    found = {item["id"]: item for item in items}
    if len(found) < len(items):
        yield "an item is listed twice"
    decided = {name: [item["action"], item["spent"]] for name, item in found.items()}
    yield from _different("item", expect.get("items", {}), decided)
    for table, key in (("reasons", "reason"), ("sections", "section")):
        wanted = {name: value for name, value in expect.get(table, {}).items() if name in found}
        yield from _different(key, wanted, {name: item[key] for name, item in found.items()})
    wanted = expect.get("order", [])
    order = [name for name, item in found.items() if item["action"] != "dropped" and name in wanted]
    if sorted(order) == sorted(wanted) and order != wanted:
        yield f"order {order}, expected {wanted}"


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["name"])
def test_golden_case(case: dict[str, Any]) -> None:
    answer = answer_line(_question(case), "golden")
    assert answer["name"] == case["name"]
    assert list(mismatches(case["expect"], answer)) == []


def test_a_wrong_answer_is_noticed() -> None:
    case = next(case for case in _CASES if case["expect"].get("items") and not case["expect"].get("error"))
    answer = answer_line(_question(case), "golden")
    answer["items"][0]["spent"] += 1
    answer["items"].append(answer["items"][0])
    assert len(list(mismatches(case["expect"], answer))) >= 2


def test_the_command_answers_every_golden_case_in_order() -> None:
    question = b"".join(_question(case) + b"\n" for case in _CASES)
    command = [sys.executable, "-m", "inspector", "assemble", "--jsonl", "-"]
    done = subprocess.run(command, input=question, capture_output=True, env=os.environ.copy(), check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["name"] for answer in answers] == [case["name"] for case in _CASES]
    wrong = [
        f"{case['name']}: {mismatch}"
        for case, answer in zip(_CASES, answers, strict=True)
        for mismatch in mismatches(case["expect"], answer)
    ]
    assert wrong == []
