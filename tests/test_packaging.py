"""The program as one folder: what the specification leaves out is nothing that the program cannot do without."""

import ast
from pathlib import Path

import inspector
from inspector.resources import resource

SPECIFICATION = resource("packaging/prompt-inspector.spec")
OPTIONAL = {
    "PIL",
    "pandas",
    "polars",
    "transformers",
    "sentence_transformers",
}  # without them what needs them is not usable, which it says


def left_out() -> set[str]:
    for node in ast.parse(SPECIFICATION.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "LEFT_OUT":
            return _words(node.value)
    raise AssertionError("the specification leaves nothing out")


def _words(value: ast.expr) -> set[str]:
    return {node.value for node in ast.walk(value) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def imported() -> set[str]:
    """Every module that the program imports by a statement, with the packages around it."""
    names: set[str] = set()
    for file in Path(inspector.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {".".join(name.split(".")[:depth]) for name in names for depth in range(1, name.count(".") + 2)}


def test_nothing_that_is_imported_is_left_out() -> None:
    assert left_out() & imported() <= OPTIONAL


def test_the_specification_can_be_read_and_its_start_is_there() -> None:
    compile(SPECIFICATION.read_text("utf-8"), str(SPECIFICATION), "exec")
    assert (SPECIFICATION.parent / "start.py").is_file()
