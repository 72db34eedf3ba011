"""Calibration by recorded requests: known factors and constants are found again, odd requests do not move them."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from inspector.tokens.calibration import Calibration, calibrate
from inspector.tokens.certainty import Certainty

SIZES = st.lists(st.integers(400, 60_000), min_size=4, max_size=60, unique=True)
FACTORS = st.floats(0.4, 3.0)


@given(sizes=SIZES, factor=FACTORS)
@examples(300)
def test_a_factor_is_found_again(sizes: list[int], factor: float) -> None:
    found = calibrate(sizes, [round(size * factor) for size in sizes])
    assert found is not None
    assert found.factor == pytest.approx(factor, rel=0.02)
    assert found.spread < 0.02 * factor
    assert found.remainder < 60
    assert found.requests == len(sizes)


@given(
    sizes=SIZES.filter(lambda sizes: max(sizes) >= 3 * min(sizes)),
    factor=FACTORS,
    constant=st.integers(2_000, 120_000),
)
@examples(300)
def test_a_constant_is_told_from_the_factor(sizes: list[int], factor: float, constant: int) -> None:
    found = calibrate(sizes, [round(constant + size * factor) for size in sizes])
    assert found is not None
    assert found.factor == pytest.approx(factor, rel=0.02, abs=0.01)
    assert found.remainder == pytest.approx(constant, rel=0.05)


@given(sizes=st.lists(st.integers(1_000, 60_000), min_size=20, max_size=60, unique=True), seed=st.integers(0, 99))
@examples(100)
def test_a_few_odd_requests_do_not_move_it(sizes: list[int], seed: int) -> None:
    recorded = np.array(sizes) * 1.3 + 20_000
    odd = np.random.default_rng(seed).choice(len(sizes), len(sizes) // 20 + 1, replace=False)
    plain = calibrate(sizes, recorded)
    recorded[odd] = 20_100
    found = calibrate(sizes, recorded)
    assert plain is not None
    assert found is None or found.factor == pytest.approx(plain.factor, rel=0.15)


def test_noise_is_the_spread() -> None:
    generator = np.random.default_rng(7)
    sizes = generator.integers(2_000, 40_000, 400)
    found = calibrate(sizes, sizes * generator.uniform(1.1, 1.3, 400))
    assert found is not None
    assert (found.factor, found.spread) == (pytest.approx(1.2, abs=0.01), pytest.approx(0.1, abs=0.02))
    assert found.remainder == 0
    held = found.cost(10_000)
    assert held.low <= 11_200 <= held.tokens <= 12_500 <= held.high + 700


def test_requests_of_one_size_do_not_tell_a_constant() -> None:
    found = calibrate([1000, 1010, 1020], [3000, 3030, 3060])
    assert found is not None
    assert (found.factor, found.remainder) == (3.0, 0)
    assert found.spread == pytest.approx(0.0, abs=1e-9)


def test_too_few_and_too_different_requests_measure_nothing() -> None:
    assert calibrate([], []) is None
    assert calibrate([100, 200], [110, 220]) is None
    assert calibrate([100, 200, 0, 300], [110, 220, 5, 0]) is None
    assert calibrate([100, 200, 400, 800], [10, 3000, 2, 900]) is None
    with pytest.raises(ValueError, match="3 counted requests and 2 recorded ones"):
        calibrate([1, 2, 3], [1, 2])


def test_words_and_cost() -> None:
    found = Calibration(41, 1.18, 0.04)
    assert found.words == "measured on 41 requests of this file: × 1.18 ± 0.04"
    cost = found.cost(1000)
    assert (cost.tokens, cost.low, cost.high, cost.certainty) == (1180, 1140, 1220, Certainty.ESTIMATE)
    assert cost.rule == found.words
    assert Calibration(3, 1.0, 0.0, 3120).words.endswith("± 0.00, beside 3,120 tokens of each that are not in the file")
