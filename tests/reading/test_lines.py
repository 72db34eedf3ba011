"""JSON lines: one after another, each with its number, bad ones apart."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector.model import Problem
from inspector.reading import lines
from inspector.reading.lines import Record, numbered_lines, read_lines


@pytest.fixture(autouse=True, params=[1, 7, 1 << 20])
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are taken apart in blocks of any size alike."""
    monkeypatch.setattr(lines, "_BLOCK", request.param)


def read(text: str) -> tuple[list[Record], list[Problem]]:
    problems: list[Problem] = []
    return list(read_lines(text.encode(errors="surrogatepass"), "f", problems)), problems


def test_lines_are_numbered_and_blank_ones_left_out() -> None:
    assert list(numbered_lines(b"a\n\n \t\r\nb\r\nc")) == [(1, b"a"), (4, b"b\r"), (5, b"c")]
    assert list(numbered_lines(b"a\n")) == [(1, b"a")]
    assert list(numbered_lines(b"")) == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.binary(max_size=12)))
def test_lines_of_any_length_are_those_between_line_feeds(parts: list[bytes]) -> None:
    data = b"\n".join(parts)
    expected = [(number, line) for number, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    assert list(numbered_lines(data)) == expected


def test_lines_end_at_line_feeds_only() -> None:
    found, problems = read('{"a": "x\u2028y\u2029z\u0085"}\n{"a": 2}\n')
    assert [record.value for record in found] == [{"a": "x\u2028y\u2029z\u0085"}, {"a": 2}]
    assert not problems


def test_bad_lines_are_problems_and_the_others_stay() -> None:
    found, problems = read('{"a": 1}\r\n{oops\n\n{"b": 2} {"c": 3}\n{"d": "\\ud83d"}\n{"e": ')
    assert found == [Record(1, {"a": 1}), Record(4, {"b": 2}), Record(4, {"c": 3}), Record(5, {"d": "\ufffd"})]
    assert [problem.place for problem in problems] == ["line 2, column 2", "line 5", "line 6, column 7"]


def test_a_broken_line_with_a_nul_hides_no_other() -> None:
    found, problems = read('{"a": "\\u0000"}\n{"a": "\\u0000\n{"b": 2}')
    assert found == [Record(1, {"a": "\u2400"}), Record(3, {"b": 2})]
    assert [problem.place for problem in problems] == ["line 1", "line 2, column 9"]


def test_half_characters_are_repaired_in_values_side_by_side() -> None:
    found, _ = read('{"a": "\\ud83d"} {"b": "\\u0000"}')
    assert found == [Record(1, {"a": "\ufffd"}), Record(1, {"b": "\u2400"})]


def test_a_line_of_other_spaces_is_not_json() -> None:
    (problem,) = read("\u00a0\n1")[1]
    assert (problem.place, problem.message) == ("line 1, column 1", "is not valid JSON: expecting value, found '\\xa0'")


def test_a_fault_behind_good_values_is_told_where_it_is() -> None:
    (problem,) = read('1\n{"b": 1} {"c": 2} oops\n2')[1]
    assert (problem.place, problem.message) == (
        "line 2, column 19",
        "is not valid JSON: expecting value, found 'oops'",
    )


def test_many_values_on_a_line_are_read_once_each() -> None:
    found, _ = read("1 " * 100_000)
    assert len(found) == 100_000


def test_of_very_many_broken_lines_each_is_a_problem_and_the_good_ones_are_read() -> None:
    problems: list[Problem] = []
    data = b"[\n" * 3_000 + b'{"a": NaN}\n{"b": 1} {"c": 2} [\n{"d": 1}'
    values = [record.value for record in read_lines(data, "f", problems)]
    assert values == [{"a": None}, {"b": 1}, {"c": 2}, {"d": 1}]
    assert len(problems) == 3_000 + 2
    assert "has no end" in problems[0].message
    assert problems[2_999].place == "line 3000, column 2"
    assert problems[3_000].place == "line 3001"
