"""Bars on a screen: one for each pixel and look at most, as tall as the tallest, and the one that is seen is found."""

from dataclasses import replace

import numpy as np
import pytest

from inspector.drawings.colors import Role, Shade
from inspector.drawings.drawing import NO_BARS, Bars
from inspector.drawings.pixels import Across, bar_at, pixel_bars

TONES = tuple(Shade(role) for role in (Role.ACCENT, Role.TRUNCATED, Role.DROPPED, Role.HISTORY, Role.CURRENT))


def bars(heights: list[float], solids: list[float] | None = None, looks: list[int] | None = None) -> Bars:
    """Bars one beside the other, from 0 on."""
    left = np.arange(len(heights), dtype=np.float64)
    solid = np.array(heights if solids is None else solids, np.float64)
    numbers = np.array(looks or [0] * len(left), np.uint8)
    return Bars(left, left + 1, np.array(heights, np.float64), solid, numbers, TONES)


def test_wide_bars_stand_apart_and_narrow_ones_touch() -> None:
    wide = pixel_bars(bars([5, 6]), Across(10, 100, 100, 120), 1)
    assert list(zip(wide.left.tolist(), wide.right.tolist(), strict=True)) == [(100, 109), (110, 119)]
    narrow = pixel_bars(bars([5, 6]), Across(2, 100, 100, 104), 1)
    assert list(zip(narrow.left.tolist(), narrow.right.tolist(), strict=True)) == [(100, 102), (102, 104)]


def test_sums_have_no_gaps() -> None:
    sums = replace(bars([5, 6]), apart=False)
    drawn = pixel_bars(sums, Across(10, 100, 100, 120), 1)
    assert list(zip(drawn.left.tolist(), drawn.right.tolist(), strict=True)) == [(100, 110), (110, 120)]


def test_bars_of_one_look_in_one_pixel_are_as_tall_as_the_tallest() -> None:
    drawn = pixel_bars(bars([5, 9, 2, 7], solids=[5, 0, 2, 7]), Across(0.5, 0, 0, 2), 1)
    assert drawn.height.tolist() == [9, 7]
    assert drawn.solid.tolist() == [5, 7]


def test_looks_that_share_a_pixel_are_all_seen_the_shortest_in_front() -> None:
    drawn = pixel_bars(bars([5, 9, 2], looks=[2, 0, 1]), Across(1 / 3, 0, 0, 1), 3)
    by_look = dict(zip(drawn.look.tolist(), zip(drawn.height.tolist(), drawn.rank.tolist(), strict=True), strict=True))
    assert by_look == {0: (9, 0), 2: (5, 1), 1: (2, 2)}


def test_only_what_is_in_sight_is_drawn() -> None:
    drawn = pixel_bars(bars([1, 2, 3, 4]), Across(10, -15, 0, 20), 1)
    assert drawn.height.tolist() == [2, 3, 4]
    assert (drawn.left.min(), drawn.right.max()) == (0, 20)


@pytest.mark.parametrize("looks", [1, 5])
def test_a_hundred_thousand_bars_are_no_more_than_there_are_pixels(looks: int) -> None:
    random = np.random.default_rng(1)
    heights = random.integers(1, 500, 100_000).astype(np.float64)
    left = np.arange(100_000, dtype=np.float64)
    many = Bars(left, left + 1, heights, heights, random.integers(0, looks, 100_000).astype(np.uint8), TONES)
    drawn = pixel_bars(many, Across(1000 / 100_000, 40, 40, 1040), looks)
    assert 1000 <= len(drawn) <= 1000 * looks
    assert drawn.height.max() == heights.max()
    assert drawn.rank.max() == looks - 1


def test_a_moment_is_wide_enough_to_be_seen() -> None:
    at = np.array([3.0, 3.0])
    drawn = pixel_bars(Bars(at, at, at, at, np.zeros(2, np.uint8), TONES), Across(10, 0, 0, 100), 1)
    assert (drawn.left.tolist(), drawn.right.tolist()) == ([30], [32])


def test_the_bar_that_is_seen_is_the_one_that_is_found() -> None:
    shared = bars([5, 9, 2, 7])
    assert bar_at(shared, Across(0.5, 0, 0, 2), 0.5) == 1
    assert bar_at(shared, Across(0.5, 0, 0, 2), 1.5) == 3
    assert bar_at(shared, Across(20, 0, 0, 80), 45) == 2
    assert bar_at(shared, Across(20, 0, 0, 80), 200) is None


def test_of_two_moments_the_nearer_one_is_found() -> None:
    at, flat = np.array([10.0, 14.0]), np.zeros(2, np.uint8)
    moments = Bars(at, at, np.array([90.0, 1.0]), np.zeros(2), flat, TONES)
    assert [bar_at(moments, Across(1, 0, 0, 50), pixel) for pixel in (8, 11, 14, 17)] == [0, 0, 1, 1]


def test_nothing_is_nothing() -> None:
    assert len(pixel_bars(NO_BARS, Across(1, 0, 0, 100), 2)) == 0
    assert bar_at(NO_BARS, Across(1, 0, 0, 100), 5) is None
    assert NO_BARS.tallest == 0
