"""Answers as JSON text: whatever a value holds, it is written, and reads back as the same value."""

import json

import pytest

from inspector.json_text import json_document, json_line


@pytest.mark.parametrize(
    "value",
    [{"a": [1, 2.5, None, "é"]}, {"a": 2**64}, {"a": -(10**40)}, {"name of a file": "\udcff"}],
    ids=["plain", "longer than 64 bits", "negative and long", "half a surrogate"],
)
def test_what_is_written_reads_back(value: object) -> None:
    assert json.loads(json_document(value)) == value
    assert json.loads(json_line(value)) == value
    assert json_line(value).count(b"\n") == 1
