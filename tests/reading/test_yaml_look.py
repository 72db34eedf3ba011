"""Which texts are looked at as YAML: what a look costs does not grow with logs that YAML would take for documents."""

import pytest

from inspector.formats.registry import built_in_formats, rank_formats
from inspector.reading.source import FileSource
from inspector.reading.yaml import reads_as_lines

LOG = "Ann: Did you see the storm?\nBob: I did: it was loud.\n" * 40_000
LINES = "".join(f"- item {number} of a long list\n" for number in range(60_000))
CHAPTERS = "".join(f"Chapter {number}: of the sea and of nothing else\n" for number in range(20_000))
NESTED = "items:\n" + "".join(f"  - content: storm {number}\n" for number in range(40_000))
MEMORIES = "".join(f"- content: The lamp is old, and so is storm {number}.\n" for number in range(12_000))
DOCUMENT = "name: Mara\nrole: keeper\nlore:\n  - sea\n"


@pytest.mark.parametrize("text", [LOG, LINES, CHAPTERS], ids=["log", "list", "chapters"])
def test_lines_that_stand_for_themselves_are_never_read_as_yaml(text: str) -> None:
    source = FileSource("a.log", text.encode())
    ranked, _ = rank_formats(source, built_in_formats())
    assert source.shape == "text"
    assert "yaml" not in vars(source)
    assert [kind.name for kind in ranked] == (["plain_log"] if text is LOG else [])


@pytest.mark.parametrize("text", [NESTED, MEMORIES, DOCUMENT, DOCUMENT + "---\n" + DOCUMENT * 5], ids=len)
def test_documents_are_documents_however_long(text: str) -> None:
    assert not reads_as_lines(text)
    assert FileSource("a", text.encode()).shape == "yaml"


def test_a_short_log_is_text_once_a_name_comes_again_and_again() -> None:
    assert FileSource("a", b"Ann: Hi\nBob: Ho\nAnn: So\nBob: Well\nAnn: x\n").shape == "text"
    assert FileSource("a", b"Ann: Hi\nBob: Ho\n").shape == "yaml"
