"""Confidence intervals of a mean by Student's t distribution, within the bounds of the mean."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from math import cos, exp, lgamma, log, pi, sin, sqrt, tanh

import numpy as np

CONFIDENCE = 0.95
POWER = 0.8
"""How often as many samples as are needed tell a mean from 0: the usual choice (Cohen 1988, 2.4)."""
MOST_NEEDED = 1_000
_STEPS = 60
_NOTHING = 1e-12


def t_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> tuple[float, float] | None:
    """Return the confidence interval of the mean from these samples; None for fewer than two."""
    if len(values) < 2:
        return None
    mean, spread = float(np.mean(values)), float(np.std(values, ddof=1))
    reach = t_quantile((1 + confidence) / 2, len(values) - 1) * spread / sqrt(len(values))
    return mean - reach, mean + reach


def bounded_interval(
    values: Sequence[float], low: float, high: float, confidence: float = CONFIDENCE
) -> tuple[float, float] | None:
    """Return the confidence interval of a mean with bounds; None for fewer than two samples.

    It is Student's on the scale of the logit, log((mean − low) / (high − mean)), which has no bounds: the spread of the
    mean is carried there by the delta method, and the ends are carried back, so that none exceeds a bound. For shares
    of clustered samples it is compared with others in Dean and Pagano, Journal of Survey Statistics and Methodology 3
    (2015), 484–503. If the mean is itself a bound there is no such scale: this end is the bound, and the other end
    Student's, as far as the other bound.
    """
    student = t_interval(values, confidence)
    if student is None:
        return None
    mean, reach = min(max(float(np.mean(values)), low), high), (student[1] - student[0]) / 2
    below, above = mean - low, high - mean
    if not reach:
        return mean, mean
    if min(below, above) <= _NOTHING * (high - low):
        return (low, min(high, low + reach)) if below < above else (max(low, high - reach), high)
    place, reach = log(below / above), reach * (high - low) / (below * above)
    first, last = (low + (high - low) * (1 + tanh(end / 2)) / 2 for end in (place - reach, place + reach))
    return first, last


def gain_interval(gains: Sequence[float], current: float) -> tuple[float, float] | None:
    """Return the interval of the mean gain on a current recall, in points: all of it can be lost, and the rest be
    gained.

    It holds 0 wherever Student's own does: where the current setting finds nothing 0 is a bound, and any gain at all
    would be sure.
    """
    student, found = t_interval(gains), bounded_interval(gains, -current, 100 - current)
    if student is None or found is None:
        return None
    return found if student[0] > 0 else (min(found[0], 0.0), found[1])


def samples_needed(values: Sequence[float]) -> int | None:
    """Return how many samples like these would tell their mean from 0, in 4 of 5 trials; None if more than 1,000.

    The smallest n with n ≥ ((t₁ + t₂) · s ⁄ mean)², where s is the standard deviation and t₁ and t₂ are the quantiles
    of Student's t for the confidence, two-sided, and for the power, both with n − 1 degrees of freedom (NIST/SEMATECH
    e-Handbook of Statistical Methods, 7.2.2.2). Raise ValueError for fewer than two samples, or a mean not above 0.
    """
    if len(values) < 2 or np.mean(values) <= 0:
        raise ValueError("expected two samples or more with a mean above 0")
    ratio = float(np.std(values, ddof=1) / np.mean(values))
    numbers = range(2, MOST_NEEDED + 1)
    place = bisect_left(numbers, True, key=lambda number: number >= (_quantiles(number - 1) * ratio) ** 2)
    return numbers[place] if place < len(numbers) else None


def _quantiles(degrees: int) -> float:
    return t_quantile((1 + CONFIDENCE) / 2, degrees) + t_quantile(POWER, degrees)


@cache
def t_quantile(share: float, degrees: int) -> float:
    """Return the quantile of Student's t with these degrees of freedom, for shares of 0.5 and more."""
    low, high = 0.0, 1.0
    while t_distribution(high, degrees) < share:
        high *= 2
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if t_distribution(middle, degrees) < share else (low, middle)
    return (low + high) / 2


def t_distribution(value: float, degrees: int) -> float:
    """Return how often Student's t with these degrees of freedom is below a value.

    The finite sums of Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
    """
    angle = float(np.arctan2(value, sqrt(degrees)))
    return (1 + _within(angle, degrees)) / 2


def _within(angle: float, degrees: int) -> float:
    if degrees == 1:
        return 2 * angle / pi
    if degrees % 2:
        sums = sum(_odd(place) * cos(angle) ** (2 * place + 1) for place in range((degrees - 1) // 2))
        return 2 / pi * (angle + sin(angle) * sums)
    return sin(angle) * sum(_even(place) * cos(angle) ** (2 * place) for place in range(degrees // 2))


def _odd(place: int) -> float:
    """2·4···(2k) / 3·5···(2k + 1)."""
    return exp(lgamma(place + 1) + lgamma(1.5) - lgamma(place + 1.5))


def _even(place: int) -> float:
    """1·3···(2k − 1) / 2·4···(2k)."""
    return exp(lgamma(place + 0.5) - lgamma(place + 1) - lgamma(0.5))
