"""Values of a grid: ranges include both ends, lists are taken as they are, words stay words."""

from typing import Any

import pytest

from inspector.analysis.sweep.grid import cells, parse_values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1:3:1", [1, 2, 3]),
        ("0.1:0.5:0.1", [0.1, 0.2, 0.3, 0.4, 0.5]),
        ("0:10:4", [0, 4, 8, 10]),
        ("3:1:-1", [3, 2, 1]),
        ("5:5:1", [5]),
        ("0:1:0.25", [0, 0.25, 0.5, 0.75, 1]),
        ("4096", [4096]),
        ("true,false", [True, False]),
        ("none, both", ["none", "both"]),
        ("1,0.5,x", [1, 0.5, "x"]),
        (".3,-.5,1.,.,1.2.3", [0.3, -0.5, 1.0, ".", "1.2.3"]),
        (".1:.3:.1", [0.1, 0.2, 0.3]),
    ],
)
def test_values(text: str, values: list[Any]) -> None:
    found = parse_values("key", text)
    assert found == values
    assert [type(value) for value in found if isinstance(value, bool)] == [
        bool for value in values if isinstance(value, bool)
    ]


def test_the_values_of_a_fine_range_are_the_decimals_themselves() -> None:
    assert parse_values("memory_share", "0:1:0.001")[300] == 0.3
    assert len(parse_values("memory_share", "0:1:0.001")) == 1001


@pytest.mark.parametrize("text", ["1:2", "1:2:3:4", "a:b:c", "1:2:0", "1:2:-1", "2:1:1", "", "a,,b", "true:false:1"])
def test_what_is_no_range_and_no_list_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="key="):
        parse_values("key", text)


def test_names_of_tokenizers_keep_their_colons() -> None:
    assert parse_values("tokenizer", "estimate:words,embedded:qwen2.5") == ["estimate:words", "embedded:qwen2.5"]


def test_the_last_key_changes_fastest() -> None:
    assert list(cells({"a": [1, 2], "b": ["x", "y"]})) == [
        *({"a": 1, "b": "x"}, {"a": 1, "b": "y"}),
        *({"a": 2, "b": "x"}, {"a": 2, "b": "y"}),
    ]
