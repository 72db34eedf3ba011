"""JSON that is nested deep: read as far as it goes, else one clear problem."""

import pytest

from inspector.model import Problem
from inspector.reading import json
from inspector.reading.lines import Record, read_lines
from inspector.reading.values import UnreadableError

DEEP = [(900, True), (990, True), (1_000, True), (1_010, True), (1_024, True), (1_025, False), (100_000, False)]


@pytest.mark.parametrize(("levels", "is_read"), DEEP)
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_nesting_of_any_depth_is_read_or_one_problem(levels: int, is_read: bool, opening: str, closing: str) -> None:
    data = (opening * levels + "1" + closing * levels).encode()
    if is_read:
        assert json.parse(data, "f").value
    else:
        with pytest.raises(UnreadableError, match="nested deeper"):
            json.parse(data, "f")
    assert list(read_lines(data + b"\n2", "f", []))[-1] == Record(2, 2)
    items, problem = json.whole_items(b"[3," + data, "f")
    assert items[0] == 3
    assert problem is not None
    for look in (json.may_be_json, json.is_lines, json.split_array):
        look(data)
    json.unwrapped(data.decode())


@pytest.mark.parametrize("number", [str(2**64 - 1), str(2**64), str(-(2**63)), str(-(2**63) - 1), "1" + "0" * 30, "7"])
def test_a_number_is_the_same_beside_what_only_the_slow_way_reads(number: str) -> None:
    quick, slow = (json.parse(f'{{"a": {number}, "b": {other}}}'.encode(), "f").value for other in ("null", "NaN"))
    assert slow == quick
    assert type(slow["a"]) is type(quick["a"])


@pytest.mark.parametrize("number", ["1e99999", "-1E+400", "1" * 400 + ".0", "1" + "0" * 400, "7" * 5_000])
def test_a_number_that_no_type_holds_is_kept_as_text_wherever_it_is_read(number: str) -> None:
    document = f'{{"a": {number}}}'.encode()
    parsed = json.parse(document, "f")
    assert parsed.value == {"a": number}
    assert [problem.severity for problem in parsed.problems] == ["warning"]
    items, problem = json.whole_items(b"[" + document + b", {", "f")
    assert items == [{"a": number}]
    assert problem is not None
    problems: list[Problem] = []
    lines = list(read_lines(document + b"\n" + document + b" " + document, "f", problems))
    assert lines == [Record(1, {"a": number}), Record(2, {"a": number}), Record(2, {"a": number})]
    assert problems
