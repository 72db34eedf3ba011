"""Every format, with each key of its examples changed: all is read as before, or a problem says that it is not.

The texts of the examples are sentences, each another one, so that none is lost in silence behind its like.
"""

from functools import cache

import pytest

from inspector.formats.coverage import strings_of
from inspector.formats.opening import load_unnamed
from inspector.model import Workspace
from tests.examples import rounds
from tests.fuzz.keys import KeyChange, document_in, key_changes, leaves, numbers_in, sentence, with_leaf, written
from tests.fuzz.made import made_files
from tests.fuzz.outcome import Input

_STEP = rounds(1, 5)
"""Of so many changes one is tried."""
_LEFT = ("drop", "null")
_ANSWERS = ("output", "result")
"""A call that has no answer yet is a sound one."""
_NAMES = [("id",), ("role",), ("type",), ("name",)]


def _opened(file: str, document: object, is_lines: bool) -> Workspace:
    return load_unnamed(written(document, is_lines), file).workspace


@cache
def _example(file: Input) -> tuple[object, bool] | None:
    """The document of a file with a sentence in place of each text that a message or another item is made of."""
    if (read := document_in(file.data)) is None:
        return None
    document, is_lines = read
    before = _opened(file.name, document, is_lines)
    for number, (path, text) in enumerate(leaves(document)):
        if path[-1:] in _NAMES or text.strip() not in _texts(before):
            continue
        tried = with_leaf(document, path, sentence(number))
        after = _opened(file.name, tried, is_lines)
        if number in _numbers(after) and _shape(after) == _shape(before):
            document = tried
    return document, is_lines


def _texts(workspace: Workspace) -> set[str]:
    """The texts of messages, memories, entries and documents."""
    messages = [one for chat in workspace.conversations for one in (chat.tree.messages if chat.tree else chat.messages)]
    parts = [
        text
        for one in messages
        for part in one.parts
        for text in (getattr(part, "text", ""), getattr(part, "content", ""))
    ]
    kept = [one.content for held in workspace.memory_sets for one in held.memories]
    entries = [one.content for book in workspace.lorebooks for one in book.entries]
    return {text.strip() for text in (*(one.content for one in messages), *parts, *kept, *entries)} - {""}


def _numbers(workspace: Workspace) -> set[int]:
    return {number for one in strings_of(workspace) for number in numbers_in(one)}


def _shape(workspace: Workspace) -> tuple[list[str], int, int]:
    spoken = sum(bool(one.whole) for chat in workspace.conversations for one in chat.messages)
    return [one.format for one in workspace.sources], spoken, len(workspace.problems)


def _faults(file: Input) -> list[str]:
    """The changes of a file by which something is lost in silence."""
    if (example := _example(file)) is None:
        return []
    document, is_lines = example
    before = _opened(file.name, document, is_lines)
    changes = list(key_changes(document))[::_STEP]
    return [fault for one in changes if (fault := _fault(one, before, _opened(file.name, one.document, is_lines)))]


def _fault(change: KeyChange, before: Workspace, after: Workspace) -> str:
    if not after.sources:
        return "" if after.problems else f"{change.name}: is refused without a reason"
    if set(_said(after)) - set(_said(before)):
        return ""
    there = {number for _, text in leaves(change.document) for number in numbers_in(text)}
    if lost := (_numbers(before) & there) - _numbers(after):
        return f"{change.name}: the texts {sorted(lost)} are lost"
    is_text = isinstance(change.value, str) and change.path[-1] not in _ANSWERS
    is_needed = change.kind == "retype" or (change.kind in _LEFT and is_text)
    if is_needed and len(numbers_in(str(change.value))) == 1 and _shape(after)[1] < _shape(before)[1]:
        return f"{change.name}: a message is lost"
    return ""


def _said(workspace: Workspace) -> list[tuple[str, str]]:
    return [(problem.place, problem.message) for problem in workspace.problems]


@pytest.mark.parametrize("kind", sorted(kind for kind in made_files() if kind != "other"))
def test_no_change_of_a_key_loses_anything_in_silence(kind: str) -> None:
    faults = [f"{file.name}: {fault}" for file in made_files()[kind] for fault in _faults(file)]
    assert not faults, "\n".join(faults)
