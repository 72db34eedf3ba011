"""Of a text that is neither JSON nor YAML only those formats are asked that look into such texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.formats.registry import asked_of, built_in_formats, rank_formats
from inspector.reading.source import FileSource
from tests.fuzz.made import made_files
from tests.fuzz.outcome import Input

_NAMES = ("standard input", "_chat.txt", "MEMORY.md", "x.csv", "messages.csv", "a.log", "x.json", "x.prompty")
_CONTENT = {"data", "utf8", "text", "sample", "json", "yaml", "records", "first_records", "raw_items", "archive"}
_PIECES = (
    "User: ",
    "12/31/23, 10:00 - A: ",
    "[10:00] <ann> ",
    "# ",
    "> ",
    "name,text\n",
    "\n",
    "\t",
    "data: ",
    "é",
    "---",
)
_TEXTS = [file for files in made_files().values() for file in files if FileSource(file.name, file.data).shape == "text"]


class _Watched(FileSource):
    """A file that knows whether its content was looked at."""

    is_read = False

    def __getattribute__(self, name: str) -> object:
        if name in _CONTENT:
            object.__setattr__(self, "is_read", True)
        return super().__getattribute__(name)


def _ranked(name: str, data: bytes) -> tuple[list[str], list[str]]:
    """The candidates among the formats that are asked, and among all."""
    asked, every = (
        [kind.name for kind in rank_formats(FileSource(name, data), among)[0]]
        for among in (built_in_formats(), tuple(built_in_formats()))
    )
    return asked, every


@pytest.mark.parametrize("file", _TEXTS, ids=[file.name for file in _TEXTS])
def test_texts_of_programs_have_the_same_candidates_as_among_all(file: Input) -> None:
    asked, every = _ranked(file.name, file.data)
    assert asked == every


@given(st.sampled_from(_NAMES), st.lists(st.sampled_from(_PIECES) | st.text(max_size=20), max_size=12).map("".join))
def test_any_text_has_the_same_first_candidate_as_among_all(name: str, text: str) -> None:
    asked, every = _ranked(name, text.encode("utf-8", "ignore"))
    assert asked[:1] == every[:1]


@pytest.mark.parametrize("name", _NAMES)
def test_no_other_format_looks_into_a_text(name: str) -> None:
    known = built_in_formats()
    asked = set(asked_of(known, FileSource(name, b"hello\n")))
    assert 0 < len(asked) < len(known) / 4
    for kind in known:
        source = _Watched(name, b"hello\n")
        assert source.shape == "text"
        source.is_read = False
        sure = kind.sniff(source)
        assert kind in asked or not (sure or source.is_read), kind.name
