"""Parquet files: their rows as values, what is left out of them, and how much memory they may take."""

import importlib.util
from datetime import UTC, datetime
from typing import Any

import pytest

from inspector.formats import load_file
from inspector.model import Problem
from inspector.reading.budget import Budget
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.values import parse_time
from tests.reading.parquet_files import parquet_of

NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)
TURNS = [{"role": "user", "content": "Hi", "score": 0.5}, {"role": "assistant", "content": None, "score": None}]


def rows_of(data: bytes, budget: Budget | None = None) -> tuple[list[Any], list[Problem]]:
    problems: list[Problem] = []
    source = FileSource("a.parquet", data, budget)
    return [record.value for record in source.records(problems)], problems


def test_rows_are_objects_with_their_numbers() -> None:
    source = FileSource("a.parquet", parquet_of([{"id": "a", "turns": TURNS}, {"id": "b", "turns": None}]))
    first, second = source.records([])
    assert (first.line, first.value) == (1, {"id": "a", "turns": TURNS})
    assert source.place_of(second) == "row 2: $"
    assert second.value == {"id": "b", "turns": None}


def test_times_are_numbers_that_are_read_as_times() -> None:
    ((row,), _) = rows_of(parquet_of([{"a": "x", "time": NOON}]))
    assert parse_time(row["time"]) == NOON


def test_bytes_and_scores_are_left_out() -> None:
    picture = {"type": "image", "bytes": b"\x89PNG"}
    row = {"a": "x", "vector": [0.1, 0.2], "picture": b"\x89PNG", "parts": [picture], "rated": [{"toxic": 0.5}]}
    assert rows_of(parquet_of([row]))[0] == [{"a": "x", "parts": [{"type": "image"}]}]


def test_what_no_text_may_hold_is_replaced() -> None:
    assert rows_of(parquet_of([{"a": "x\0y", "b": ["\0"]}]))[0] == [{"a": "x\u2400y", "b": ["\u2400"]}]


def test_many_row_groups_are_read_one_after_another() -> None:
    found, _ = rows_of(parquet_of([{"number": number, "a": "x"} for number in range(1_000)], row_group_size=100))
    assert [row["number"] for row in found] == list(range(1_000))


@pytest.mark.parametrize("limit", [1, 200, 5_000, 1_000_000])
def test_texts_in_lists_are_read_however_they_are_packed(limit: int) -> None:
    """A file may repeat texts by their numbers at first and write out the later ones."""
    rows = [{"turns": [{"role": "user", "content": f"{number % 7} {number // 90}"}] * 3} for number in range(700)]
    packed = {"row_group_size": 150, "dictionary_pagesize_limit": limit, "data_page_size": 300}
    assert rows_of(parquet_of(rows, **packed)) == (rows, [])


def test_a_text_that_is_none_costs_its_row_only() -> None:
    data = parquet_of([{"a": f"row {number}"} for number in range(4)], use_dictionary=False, compression="none")
    found, problems = rows_of(data.replace(b"row 2", b"row \xff"))
    assert [row["a"] for row in found] == ["row 0", "row 1", "row 3"]
    assert [(problem.place, problem.severity) for problem in problems] == [("row 3", "warning")]


def test_rows_end_where_the_memory_does() -> None:
    budget = Budget(1_000_000)
    found, problems = rows_of(parquet_of([{"a": "x" * 5_000} for _ in range(1_000)]), budget)
    assert 64 <= len(found) < 1_000
    assert f"the rows from {len(found) + 1:,} on" in problems[0].message
    assert budget.left >= 0


def test_the_same_text_a_thousand_times_is_counted_before_it_is_made() -> None:
    data = parquet_of([{"a": ["x" * 100_000] * 1_000}])
    assert len(data) < 10_000
    with pytest.raises(UnreadableError, match="would take about"):
        rows_of(data, Budget(5_000_000))


def test_what_unpacks_to_far_more_than_a_chat_is_refused() -> None:
    texts = [{"a": "x" * 1_000_000 + str(number)} for number in range(60)]
    with pytest.raises(UnreadableError, match="unpacks from"):
        rows_of(parquet_of(texts, compression="zstd", use_dictionary=False, write_statistics=False))


@pytest.mark.parametrize("cut", [4, 100, -1, -9, -40])
def test_a_damaged_file_is_one_problem(cut: int) -> None:
    with pytest.raises(UnreadableError, match="is a damaged Parquet file"):
        rows_of(parquet_of([{"a": "x" * 100, "turns": TURNS}] * 5)[:cut])


def test_without_the_library_one_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    there = importlib.util.find_spec
    monkeypatch.setattr("inspector.reading.parquet.find_spec", lambda name: None if name == "pyarrow" else there(name))
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PAR1" + bytes(20) + b"PAR1")
    (problem,) = load_file(path).problems
    assert "[archives]" in problem.message
    assert problem.severity == "error"
