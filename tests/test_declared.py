"""Every distribution that the program imports is declared, and every declared one is imported."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import inspector

PACKAGE = Path(inspector.__file__).parent
PYPROJECT = PACKAGE.parent / "pyproject.toml"
OTHERWISE_NAMED = {
    "yaml": "pyyaml",
    "splintr": "splintr-rs",
    "pil": "pillow",
    "pyside6": "pyside6-essentials",
    "shiboken6": "pyside6-essentials",  # one project and one version: each release of the window's library pins it
}
OF_THE_USER = {"pandas", "polars"}  # `to_frame` takes which of them the user has
OF_THE_CHECKER = {"_typeshed"}  # only for types
LOOKING_UP = {"find_spec", "import_module", "Package"}
TAKEN_BY_OTHERS = {"pystemmer"}  # snowballstemmer imports it


def normal(name: str) -> str:
    """The name of a distribution as an index compares it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def modules(source: str) -> Iterator[str]:
    """The top-level modules that a source imports by statements."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def looked_up(source: str) -> Iterator[str]:
    """The names that a source looks up: the first argument of `LOOKING_UP`, and constants kept for it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in LOOKING_UP:
            yield from _texts(*node.args[:1])
        elif isinstance(node, ast.Assign):
            yield from _texts(node.value)


def _texts(*nodes: ast.expr) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value.partition(".")[0]


def distributions(names: set[str]) -> set[str]:
    return {OTHERWISE_NAMED.get(normal(name), normal(name)) for name in names}


@pytest.fixture(scope="module")
def sources() -> list[str]:
    return [file.read_text("utf-8") for file in PACKAGE.rglob("*.py")]


@pytest.fixture(scope="module")
def requirements() -> list[str]:
    if not PYPROJECT.is_file():
        pytest.skip("no source checkout")
    project = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]
    return [*project["dependencies"], *(row for extra in project["optional-dependencies"].values() for row in extra)]


@pytest.fixture(scope="module")
def declared(requirements: list[str]) -> set[str]:
    return {normal(re.split(r"[^\w.-]", row.strip())[0]) for row in requirements}


def test_every_imported_distribution_is_declared(sources: list[str], declared: set[str]) -> None:
    imported = {name for source in sources for name in modules(source)} - sys.stdlib_module_names
    assert distributions(imported - {"inspector"} - OF_THE_USER - OF_THE_CHECKER) - declared == set()


def test_every_declared_distribution_is_imported(sources: list[str], declared: set[str]) -> None:
    named = {name for source in sources for name in (*modules(source), *looked_up(source))}
    assert declared - distributions(named) - TAKEN_BY_OTHERS == set()


def test_every_requirement_has_a_lowest_version(requirements: list[str]) -> None:
    assert [row for row in requirements if not re.search(r">=\d|==\d", row.partition(";")[0])] == []
