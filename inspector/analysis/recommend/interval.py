"""Intervals of a mean by Student's t distribution."""

from collections.abc import Sequence
from math import cos, exp, lgamma, pi, sin, sqrt

import numpy as np

CONFIDENCE = 0.95
_STEPS = 60


def t_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> tuple[float, float] | None:
    """The interval of the mean that these values are a sample of; None for fewer than two."""
    if len(values) < 2:
        return None
    mean, spread = float(np.mean(values)), float(np.std(values, ddof=1))
    reach = t_quantile((1 + confidence) / 2, len(values) - 1) * spread / sqrt(len(values))
    return mean - reach, mean + reach


def t_quantile(share: float, degrees: int) -> float:
    """The value that Student's t with these degrees of freedom stays below so often, for shares of 0.5 and more."""
    low, high = 0.0, 1.0
    while t_distribution(high, degrees) < share:
        high *= 2
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if t_distribution(middle, degrees) < share else (low, middle)
    return (low + high) / 2


def t_distribution(value: float, degrees: int) -> float:
    """How often Student's t with these degrees of freedom is below a value.

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
