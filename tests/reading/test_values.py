"""Small conversions: none of them raises, whatever a file holds."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.reading import values

_NOON = datetime(2024, 4, 26, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "written",
    [
        1_714_132_800,
        1_714_132_800.0,
        1_714_132_800_000,
        "1714132800",
        "1714132800000",
        "2024-04-26T12:00:00Z",
        "2024-04-26 12:00",
        "2024-04-26T14:00:00+02:00",
        "April 26, 2024 12:00pm",
        "2024-4-26 @12h 00m 00s 0ms",
        "2024-4-26@12h00m00s",
        "12:00 pm on 26 April, 2024",
        "April 26, 2024 at 12:00 PM",
        "Fri, 26 Apr 2024 12:00:00 GMT",
        "2024/04/26 (Fri) 12:00",
        {"$date": "2024-04-26T12:00:00Z"},
        {"$date": {"$numberLong": "1714132800000"}},
        datetime(2024, 4, 26, 12, 0),
        datetime(2024, 4, 26, 14, 0, tzinfo=timezone(timedelta(hours=2))),
    ],
)
def test_times_of_all_shapes(written: Any) -> None:
    assert values.parse_time(written) == _NOON


@pytest.mark.parametrize("hour", [("12:05 am", 0), ("1:05 am", 1), ("12:05 pm", 12), ("11:05 pm", 23)])
def test_halves_of_the_day(hour: tuple[str, int]) -> None:
    time = values.parse_time(f"{hour[0]} on 8 May, 2023")
    assert time == datetime(2023, 5, 8, hour[1], 5, tzinfo=UTC)


def test_a_plain_date_is_midnight() -> None:
    assert values.parse_time("2024-01-02") == values.parse_time("20240102") == datetime(2024, 1, 2, tzinfo=UTC)


@pytest.mark.parametrize("odd", ["", "soon", "30 Foo 2020", "99:99 on 8 May, 2023", True, [], {}, 0, 10**400, "9" * 50])
def test_what_is_no_time_is_none(odd: Any) -> None:
    assert values.parse_time(odd) is None


_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()) | st.binary(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3) | st.just("$date"), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(_ANYTHING)
def test_nothing_raises(value: Any) -> None:
    time = values.parse_time(value)
    assert time is None or time.tzinfo is not None
    values.as_text(value).encode()
    assert all(text.strip() for text in values.strings(value))
    share = values.as_share(value)
    assert share is None or 0 <= share <= 1
    whole = values.as_whole(value)
    assert whole is None or type(whole) is int
    assert isinstance(values.as_truth(value), bool)
    assert all(isinstance(item, dict) for item in values.objects(value))


def test_texts() -> None:
    assert values.clean("a\ud83d\0b") == "a\ufffd\u2400b"
    assert values.as_text(None) == ""
    assert values.as_text(True) == "true"
    assert values.as_text({"a": [1.5, "é"]}) == '{"a":[1.5,"é"]}'
    assert values.strings(["a", "", None, 3]) == ("a", "3")
    assert values.comma_strings("a, b,,c") == ("a", "b", "c")


@pytest.mark.parametrize("text", ["2024-01-01T00:00:00+23:59:59.9", "2024-01-01T00+23.9"])
def test_zones_are_of_whole_minutes(text: str) -> None:
    time = values.parse_time(text)
    assert time is not None
    assert values.parse_time(time.isoformat()) == time
    assert (time.utcoffset() or timedelta()) % timedelta(minutes=1) == timedelta()
