"""The list of slow tests: it names tests that are there, and leaves the others to `make test`."""

import ast
from pathlib import Path

import pytest

from tests import slow

ROOT = Path(slow.__file__).parent.parent


def functions(file: Path) -> set[str]:
    """The test functions of a module."""
    return {node.name for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)}


def test_every_listed_test_is_there() -> None:
    by_file: dict[str, set[str]] = {}
    for name in slow.listed():
        file, _, function = name.partition("::")
        by_file.setdefault(file, set()).add(function)
    gone = {file: names for file, names in by_file.items() if not (ROOT / file).is_file()}
    assert not gone
    missing = {file: left for file, names in by_file.items() if (left := names - functions(ROOT / file))}
    assert not missing


def test_a_listed_test_is_marked_with_all_its_cases(request: pytest.FixtureRequest) -> None:
    chosen = {slow.function_of(item.nodeid) for item in request.session.items if item.get_closest_marker("slow")}
    assert chosen <= slow.listed()
    wrong = [
        item.nodeid
        for item in request.session.items
        if (slow.function_of(item.nodeid) in slow.listed()) != (item.get_closest_marker("slow") is not None)
    ]
    assert wrong == []


def test_what_takes_long_alone_or_in_all_its_cases_is_slow() -> None:
    meter = slow.Meter()
    meter.take("a.py::test_one", 0.6)
    for number in range(3):
        meter.take(f"a.py::test_cases[{number}]", 0.3)
    for number in range(100):
        meter.take(f"a.py::test_many[{number}]", 0.11)
    assert meter.slow() == ["a.py::test_one", "a.py::test_many"]
