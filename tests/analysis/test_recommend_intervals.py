"""Intervals and numbers of samples: against densities added up, ends found by halving, and trials drawn at random."""

from collections.abc import Sequence
from math import gamma, log, pi, sqrt
from statistics import fmean, stdev

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from inspector.analysis.recommend.interval import (
    MOST_NEEDED,
    bounded_interval,
    gain_interval,
    samples_needed,
    t_distribution,
    t_interval,
    t_quantile,
)
from inspector.assembly.columns import F64

shares = st.lists(st.integers(0, 1_000).map(lambda part: part / 1_000), min_size=2, max_size=8)


def density(values: F64, degrees: int) -> F64:
    """Student's t by the definition of its density."""
    factor = gamma((degrees + 1) / 2) / (sqrt(degrees * pi) * gamma(degrees / 2))
    return factor * (1 + values**2 / degrees) ** (-(degrees + 1) / 2)


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 6, 7, 12, 31, 50])
@pytest.mark.parametrize("value", [-1.5, 0.25, 1.0, 3.5])
def test_the_distribution_is_the_area_below_the_density(degrees: int, value: float) -> None:
    steps = np.linspace(0, value, 20_001)
    heights = density(steps, degrees)
    area = ((heights[1:] + heights[:-1]) / 2 * np.diff(steps)).sum()
    assert t_distribution(value, degrees) == pytest.approx(0.5 + area, abs=1e-8)


@given(st.floats(0.5, 0.999), st.integers(1, 300))
def test_below_a_quantile_lies_the_share_asked_for(share: float, degrees: int) -> None:
    assert t_distribution(t_quantile(share, degrees), degrees) == pytest.approx(share, abs=1e-9)


def student(values: Sequence[float]) -> float:
    """How far Student's interval reaches from the mean."""
    return t_quantile(0.975, len(values) - 1) * stdev(values) / sqrt(len(values))


@given(shares)
def test_students_interval_is_around_the_mean(values: list[float]) -> None:
    low, high = t_interval(values) or (1.0, 0.0)
    assert (low, high) == pytest.approx((fmean(values) - student(values), fmean(values) + student(values)))
    narrow = t_interval(values, 0.5) or (1.0, 0.0)
    assert high - low >= narrow[1] - narrow[0]


@given(shares, st.floats(-50, 50), st.floats(0.5, 200))
def test_a_bounded_interval_is_even_on_the_scale_of_the_logit(values: list[float], low: float, width: float) -> None:
    """The logit of an end is that of the mean less or more the reach by the slope of the logit at the mean."""
    share = fmean(values)
    assume(0.001 < share < 0.999 and stdev(values) > 0)
    ends = bounded_interval([low + width * value for value in values], low, low + width)
    assert ends is not None
    parts = [(end - low) / width for end in ends]
    assume(all(1e-6 < part < 1 - 1e-6 for part in parts))
    reach = student(values) / (share * (1 - share))
    logits = [log(part / (1 - part)) for part in (*parts, share)]
    assert logits[2] - logits[0] == pytest.approx(reach, rel=1e-4)
    assert logits[1] - logits[2] == pytest.approx(reach, rel=1e-4)


@given(shares)
def test_what_is_lost_mirrors_what_is_kept(values: list[float]) -> None:
    kept, lost = (bounded_interval(some, 0.0, 1.0) for some in (values, [1 - value for value in values]))
    assert kept is not None
    assert lost == pytest.approx((1 - kept[1], 1 - kept[0]), abs=1e-9)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.0, 0.0], (0.0, 0.0)),
        ([1.0, 1.0, 1.0], (1.0, 1.0)),
        ([0.25, 0.25], (0.25, 0.25)),
        ([1.1, 0.9], (1 - 12.7062 * 0.1, 1.0)),
        ([-0.01, 0.01], (0.0, 12.7062 * 0.01)),
        ([-0.1, 0.1], (0.0, 1.0)),
    ],
    ids=["nothing", "everything", "without spread", "mean at the top", "mean at the bottom", "as far as the other"],
)
def test_at_a_bound_the_other_end_is_students(values: list[float], expected: tuple[float, float]) -> None:
    found = bounded_interval(values, 0.0, 1.0)
    assert found == pytest.approx((max(expected[0], 0.0), expected[1]), abs=1e-5)


@given(shares, st.integers(0, 100))
def test_a_gain_is_sure_only_where_students_interval_is_and_within_what_can_be_lost(
    values: list[float], current: int
) -> None:
    gains = [100 * value - current for value in values]
    found, bounded, plain = (
        gain_interval(gains, current),
        bounded_interval(gains, -current, 100 - current),
        t_interval(gains),
    )
    assert found is not None
    assert bounded is not None
    assert plain is not None
    assert found[1] == bounded[1]
    assert found[0] == (bounded[0] if plain[0] > 0 else min(bounded[0], 0.0))
    assert -current - 1e-9 <= found[0] <= found[1] <= 100 - current + 1e-9


def holds(number: int, ratio: float) -> bool:
    """The definition: with so many samples the quantiles of both errors are within the mean."""
    degrees = number - 1
    return number >= ((t_quantile(0.975, degrees) + t_quantile(0.8, degrees)) * ratio) ** 2


@pytest.mark.parametrize("ratio", [0.0, 0.01, 0.1, 0.2, 0.4, 0.7, 1.0, 1.9, 3.7, 11.2, 11.28, 11.3, 40.0])
def test_fewer_samples_than_needed_do_not_tell_a_mean_from_nothing(ratio: float) -> None:
    number = samples_needed([1 - ratio, 1.0, 1 + ratio])
    assert (number is None) == (not holds(MOST_NEEDED, ratio))
    assert number is None or (holds(number, ratio) and (number == 2 or not holds(number - 1, ratio)))


def test_a_thousand_samples_are_the_most() -> None:
    degrees = MOST_NEEDED - 1
    edge = sqrt(MOST_NEEDED) / (t_quantile(0.975, degrees) + t_quantile(0.8, degrees))
    assert samples_needed([1 - 0.9999 * edge, 1.0, 1 + 0.9999 * edge]) == MOST_NEEDED == 1_000
    assert samples_needed([1 - 1.0001 * edge, 1.0, 1 + 1.0001 * edge]) is None


def test_so_many_samples_as_needed_tell_in_four_of_five_trials() -> None:
    number = samples_needed([0.0, 1.0, 2.0])  # as far from 0 as they spread
    assert number is not None
    trials = np.random.default_rng(1).normal(1.0, 1.0, (20_000, number))
    reach = t_quantile(0.975, number - 1) * trials.std(axis=1, ddof=1) / sqrt(number)
    assert (trials.mean(axis=1) > reach).mean() == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize("values", [(), (1.0,), (1.0, -1.0), (-2.0, 1.0)])
def test_nothing_would_decide_where_there_is_no_gain(values: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="two samples or more"):
        samples_needed(values)
