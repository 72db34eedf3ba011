"""Answers as JSON text: whatever a value holds, it is written, and reads back as the same value."""

import json
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector import json_text
from inspector.json_text import json_document, json_line, json_pieces

TOKEN = f"ghp_{'A7x' * 12}"
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.text(st.characters(codec="utf-8")) | st.just(TOKEN),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    "value",
    [{"a": [1, 2.5, None, "é"]}, {"a": 2**64}, {"a": -(10**40)}, {"name of a file": "\udcff"}],
    ids=["plain", "longer than 64 bits", "negative and long", "half a surrogate"],
)
def test_what_is_written_reads_back(value: object) -> None:
    assert json.loads(json_document(value)) == value
    assert json.loads(json_line(value)) == value
    assert json_line(value).count(b"\n") == 1


@given(VALUES, st.integers(1, 3))
def test_in_pieces_it_is_what_it_is_as_a_whole(value: Any, rows: int) -> None:
    whole = json_document(value)
    with patch.object(json_text, "_ROWS", rows):
        assert json.loads(json_document(value)) == json.loads(whole)
        assert b"".join(json_pieces(_with_iterators(value))) == json_document(value)
        if b"\\u" not in whole:  # beside a number longer than 64 bits, Python's writer escapes other characters, too
            assert json_document(value) == whole


def _with_iterators(value: Any) -> Any:
    """The same with an iterator for each list that is written in pieces."""
    if isinstance(value, dict):
        return {key: iter(held) if _is_long(held) else held for key, held in value.items()}
    return iter(value) if _is_long(value) else value


def _is_long(value: Any) -> bool:
    return isinstance(value, list) and len(value) > json_text._ROWS


def test_rows_are_made_as_they_are_written_and_their_secrets_are_masked() -> None:
    made: list[int] = []

    def rows() -> Any:
        for number in range(5_000):
            made.append(number)
            yield {"row": number, "text": TOKEN}

    pieces = json_pieces({"before": 1, "rows": rows(), "none": iter(()), "after": TOKEN})
    first = [next(pieces) for _ in range(5)]
    assert len(made) < 2_000
    text = b"".join([*first, *pieces])
    assert TOKEN.encode() not in text
    assert text == json_document({"before": 1, "rows": list(rows()), "none": [], "after": TOKEN})
