"""Shares that sum to 1, as arithmetic."""

from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.gui.parts.shares import moved_shares, share_for_tokens

THREE = {"memory": 0.3, "history": 0.4, "reserve": 0.3}
part = st.floats(0, 1)


def test_the_others_keep_their_proportions() -> None:
    moved = moved_shares({"memory": 0.2, "history": 0.6, "reserve": 0.2}, "memory", 0.4, ())
    assert moved.values == {"memory": 0.4, "history": pytest.approx(0.45), "reserve": pytest.approx(0.15)}
    assert moved.stop is None


def test_a_locked_share_stays_and_the_last_free_one_takes_the_rest() -> None:
    moved = moved_shares(THREE, "memory", 0.45, {"history"})
    assert moved.values == {"memory": 0.45, "history": 0.4, "reserve": pytest.approx(0.15)}


def test_a_share_stops_where_the_locked_ones_leave_no_more() -> None:
    moved = moved_shares(THREE, "memory", 0.9, {"history"})
    assert moved.values == {"memory": 0.6, "history": 0.4, "reserve": 0.0}
    assert moved.stop == 0.6


def test_a_share_does_not_move_when_all_others_are_locked() -> None:
    moved = moved_shares(THREE, "memory", 0.5, {"history", "reserve"})
    assert moved.values == pytest.approx(THREE)
    assert moved.stop == pytest.approx(0.3)


def test_others_that_are_all_zero_grow_evenly() -> None:
    moved = moved_shares({"memory": 1.0, "history": 0.0, "reserve": 0.0}, "memory", 0.5, ())
    assert moved.values == {"memory": 0.5, "history": 0.25, "reserve": 0.25}


@given(st.lists(part, min_size=2, max_size=5), part, st.sets(st.integers(1, 4)))
def test_whatever_is_moved_shares_sum_to_one_and_none_is_negative(
    parts: list[float], wanted: float, locked: set[int]
) -> None:
    total = sum(parts) or 1
    shares = {f"share{number}": share / total for number, share in enumerate(parts)}
    moved = moved_shares(shares, "share0", wanted, {f"share{number}" for number in locked})
    unlocked_others = [name for name in shares if name != "share0" and int(name[5:]) not in locked]
    if unlocked_others or total != 1:
        assert sum(moved.values.values()) == pytest.approx(1, abs=1e-6)
    assert min(moved.values.values()) >= 0
    for number in locked & set(range(1, len(parts))):
        assert moved.values[f"share{number}"] == shares[f"share{number}"]


@given(st.integers(1, 3_000_000), st.data())
def test_a_share_for_tokens_floors_to_exactly_these_tokens(available: int, data: st.DataObject) -> None:
    tokens = data.draw(st.integers(0, available))
    assert floor(available * share_for_tokens(tokens, available)) == tokens


def test_a_share_for_tokens_is_as_plain_as_it_can_be() -> None:
    assert share_for_tokens(3000, 10_000) == 0.3
