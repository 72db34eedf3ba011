"""Sureness is earned by records: no format is sure of a file of which it reads nothing."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from inspector.formats.format import Format
from inspector.formats.registry import SURE, built_in_formats, candidates, sureness
from inspector.model import Workspace
from inspector.reading.source import FileSource
from tests.fuzz.keys import document_in, written
from tests.fuzz.made import made_files
from tests.fuzz.outcome import Input

_OWN = ("native", "probes")
_FOREIGN = {"tongue": "Maltese", "said_words": "The tide was high.", "at_hour": 7}
_KINDS = sorted(kind for kind in made_files() if kind != "other")


def _hollow(value: Any) -> Any:
    """The keys alone."""
    if isinstance(value, dict):
        return {key: _hollow(inner) for key, inner in value.items()}
    return [*map(_hollow, value)] if isinstance(value, list) else None


def _emptied(value: Any) -> Any:
    """Every list empty."""
    if isinstance(value, dict):
        return {key: _emptied(inner) for key, inner in value.items()}
    return [] if isinstance(value, list) else value


def _foreign(value: Any) -> Any:
    """Records of another program in every list."""
    if isinstance(value, dict):
        return {key: _foreign(inner) for key, inner in value.items()}
    return [_FOREIGN if isinstance(item, dict) else item for item in value] if isinstance(value, list) else value


def _renamed(value: Any) -> Any:
    """Other keys in every innermost object."""
    if isinstance(value, list):
        return [*map(_renamed, value)]
    if not isinstance(value, dict):
        return value
    is_inner = not any(isinstance(inner, dict | list) and inner for inner in value.values())
    return {f"{key}_2" if is_inner else key: _renamed(inner) for key, inner in value.items()}


_CHANGES: tuple[Callable[[Any], Any], ...] = (_hollow, _emptied, _foreign, _renamed)


def _changed(file: Input) -> Iterator[tuple[str, bytes]]:
    if (read := document_in(file.data)) is None:
        return
    document, is_lines = read
    for change in _CHANGES:
        whole = [*map(change, document)] if isinstance(document, list) else change(document)
        yield change.__name__, written(whole, is_lines)
    if isinstance(document, list) and document:
        yield "first", written([document[0], *[_FOREIGN] * 3], is_lines)


def _sure(name: str, data: bytes) -> list[Format]:
    found, problems = candidates(FileSource(name, data), built_in_formats())
    assert not problems
    return [one.format for one in found if one.sureness >= SURE]


def _holds_any(found: Workspace) -> bool:
    chats = [chat.tree.messages if chat.tree else chat.messages for chat in found.conversations]
    beside = (found.characters, found.documents, found.summaries, found.tools, found.probes, found.attachments)
    kept = [*(one.memories for one in found.memory_sets), *(one.entries for one in found.lorebooks)]
    return any(one.content or one.parts for chat in chats for one in chat) or any(beside) or any(kept)


@pytest.mark.parametrize("kind", _KINDS)
def test_a_format_is_sure_only_of_a_file_of_which_it_reads_something(kind: str) -> None:
    tried = [(file.name, change, data) for file in made_files()[kind] for change, data in _changed(file)]
    sure = [(name, change, data, one) for name, change, data in tried for one in _sure(name, data)]
    unread = [
        (name, change, one.name)
        for name, change, data, one in sure
        if one.name not in _OWN and not _holds_any(one.load(FileSource(name, data)))
    ]
    assert not unread


@pytest.mark.parametrize("kind", _KINDS)
def test_the_records_of_an_example_prove_its_format(kind: str) -> None:
    """The sample that is tried of a file is enough to read: a format that is sure by itself stays so."""
    own = [one for one in built_in_formats() if one.name == kind]
    answers = [(one, FileSource(file.name, file.data)) for one in own for file in made_files()[kind]]
    sure = [(one, source) for one, source in answers if one.sniff(source) >= SURE]
    unproven = [source.path for one, source in sure if sureness(one, source) < SURE]
    assert not unproven
