"""No test may pass without having looked: its assertions do not all stand behind a condition."""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
ALWAYS = """
def test_it():
    for one in (1, 2):
        assert one
"""
BOTH = """
def test_it():
    if one:
        assert one
    else:
        with pytest.raises(ValueError):
            two()
"""
SOMETIMES = """
def test_it():
    for one in ones:
        if one:
            assert one
"""
RETURNING = """
def test_it():
    if one:
        return
    assert one
"""


def _is_check(statement: ast.stmt) -> bool:
    """Whether a statement fails by itself where something is wrong."""
    if isinstance(statement, ast.With):
        return any("raises" in ast.unparse(item.context_expr) for item in statement.items)
    calls = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
    return isinstance(statement, ast.Assert) or (calls and ast.unparse(statement).startswith("assert_"))


def _looks(statements: Iterable[ast.stmt]) -> bool:
    """Whether these statements reach a check on every way through them; loops are taken to be entered."""
    for statement in statements:
        if _is_check(statement):
            return True
        if isinstance(statement, ast.If):
            if statement.orelse and _looks(statement.body) and _looks(statement.orelse):
                return True
            if isinstance(statement.body[-1], ast.Return) and not _looks(statement.body):
                return False
        elif isinstance(statement, ast.For | ast.While | ast.With | ast.Try | ast.FunctionDef) and _looks(
            statement.body
        ):
            return True
    return False


def _unsure(text: str) -> Iterator[str]:
    """The tests of a module that assert something, but only under a condition."""
    for test in ast.walk(ast.parse(text)):
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_"):
            asserts = any(isinstance(part, ast.Assert) for part in ast.walk(test))
            if asserts and not _looks(test.body):
                yield test.name


@pytest.mark.parametrize(("text", "found"), [(ALWAYS, 0), (BOTH, 0), (SOMETIMES, 1), (RETURNING, 1)])
def test_the_rule_sees_conditions(text: str, found: int) -> None:
    assert len(list(_unsure(text))) == found


def test_no_test_asserts_only_under_a_condition() -> None:
    found = [
        f"{file.relative_to(TESTS)} {name}"
        for file in TESTS.rglob("test_*.py")
        for name in _unsure(file.read_text("utf-8"))
    ]
    assert found == []


def test_no_two_test_modules_have_the_same_name() -> None:
    names = Counter(file.name for file in TESTS.rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []
