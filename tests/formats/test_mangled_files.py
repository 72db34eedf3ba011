"""Files of every format that are wrong somewhere: what is good opens, is used and saved, or there is a problem.

The first few of the inputs of `make fuzz`, which goes on with as many as there is time for, also of real files.
"""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.opening import load_unnamed
from tests.examples import rounds
from tests.fuzz.keys import document_in, written
from tests.fuzz.made import made_files
from tests.fuzz.target import Target
from tests.fuzz.targets.opening import open_file

_MUTATIONS = rounds(5, 1)
_MARK = "a deeply nested value"
_DEEP = b"[" * 1_000 + b"]" * 1_000
"""Readers of JSON accept this, and Python does not compare it."""
_OTHERS = (b"1e3", b"{}", b"[]", b'"text"', b"null")
"""Lines that are no record of any format."""


@pytest.mark.parametrize("kind", sorted(made_files()))
def test_a_mangled_file_opens_or_is_refused(kind: str, tmp_path: Path) -> None:
    files = partial(made_files().__getitem__, kind)
    target = Target(kind, files, partial(open_file, files))
    for number in range(len(files()) + _MUTATIONS):
        mangled, scratch = target.input(1, number), tmp_path / f"{number}"
        scratch.mkdir()
        file = tmp_path / f"{number} {mangled.name.replace('/', ' ')}"
        file.write_bytes(mangled.data)
        target.run(file, scratch)  # raises where a promise is broken
        assert file.read_bytes() == mangled.data


def _with_mark(document: Any) -> Iterator[Any]:
    """Yield a document with the mark in it: beside its items, in each of its lists, and under a key of its own."""
    if isinstance(document, list):
        yield [*document, _MARK]
    elif isinstance(document, dict):
        yield {**document, "other": _MARK}
        for key, value in document.items():
            yield from ({**document, key: marked} for marked in _with_mark(value) if isinstance(value, list))


@pytest.mark.parametrize("kind", sorted(made_files()))
def test_a_deeply_nested_value_beside_the_others_is_no_fault(kind: str) -> None:
    opened: list[str] = []
    for file in made_files()[kind]:
        document, is_lines = document_in(file.data) or (None, False)
        for marked in _with_mark(document):
            data = written(marked, is_lines).replace(f'"{_MARK}"'.encode(), _DEEP)
            opened += [problem.message for problem in load_unnamed(data, file.name).workspace.problems]
    assert [one for one in opened if "fault of this program" in one or " failed: " in one] == []


@pytest.mark.parametrize("kind", sorted(made_files()))
def test_lines_of_another_kind_before_and_after_are_no_fault(kind: str) -> None:
    opened: list[str] = []
    for file in made_files()[kind]:
        document, is_lines = document_in(file.data) or (None, False)
        lines = written(document, True) if is_lines else json.dumps(document).encode()
        for other in _OTHERS:
            for data in (lines + b"\n" + other, other + b"\n" + lines):
                opened += [problem.message for problem in load_unnamed(data, file.name).workspace.problems]
    assert [one for one in opened if "fault of this program" in one or " failed: " in one] == []
