"""How many tokens a model takes for one counted here, measured on the requests whose size a file records.

Each request holds what an application adds and no file has: its system prompt, its tools. Where requests differ enough
in size, that constant is told apart from the factor as the intercept of a line; its slope is the median of the slopes
between all pairs (Theil and Sen: H. Theil, "A rank-invariant method of linear and polynomial regression analysis",
1950; P. K. Sen, 1968), which up to a quarter of odd requests do not move. Elsewhere the factor is a plain quotient of
sums.
"""

from dataclasses import dataclass
from math import ceil, floor

import numpy as np
from numpy.typing import ArrayLike, NDArray

from inspector.tokens.certainty import Cost, estimated

_LEAST_REQUESTS = 3
_MOST_PAIRED = 300  # of more requests, as many are taken, evenly
_LEAST_RANGE = 1.5  # the largest request over the smallest, for a constant to be told apart
_CLOSER = 0.5  # a line has to halve the distances of a quotient
_SMALL = 0.25  # of the median: the factors of smaller requests say little
_MOST_SCATTER = 0.5  # of the factor: figures further apart are not those of the same way of counting
_MIDDLE = (5, 95)  # percentiles: the spread is that of 90 % of the requests


@dataclass(frozen=True, slots=True)
class Calibration:
    """A factor measured on `requests`: recorded tokens for one counted, ± `spread` for nine requests in ten.

    `remainder` is the constant part of each request that is not in the file, in tokens of the model; 0 if none was
    found, and where the requests are too much alike to tell it from the factor.
    """

    requests: int
    factor: float
    spread: float
    remainder: int = 0

    @property
    def factor_words(self) -> str:
        """The factor and its spread: `× 1.18 ± 0.04`."""
        return f"× {self.factor:.2f} ± {self.spread:.2f}"

    @property
    def words(self) -> str:
        """What was measured: `measured on 41 requests of this file: × 1.18 ± 0.04`."""
        beside = f", beside {self.remainder:,} tokens of each that are not in the file" if self.remainder else ""
        return f"measured on {self.requests:,} requests of this file: {self.factor_words}{beside}"

    def cost(self, counted: int) -> Cost:
        """Return the tokens of the model for tokens counted here, without the remainder."""
        low, high = max(0.0, self.factor - self.spread), self.factor + self.spread
        return estimated(round(counted * self.factor), self.words, floor(counted * low), ceil(counted * high))


def calibrate(counted: ArrayLike, recorded: ArrayLike) -> Calibration | None:
    """Return the calibration by requests with these tokens counted and recorded.

    None for fewer than three, and where their factors have too little in common. Requests without tokens on either side
    are left out. Raises ValueError if the numbers of both differ.
    """
    here, there = np.asarray(counted, np.float64), np.asarray(recorded, np.float64)
    if here.shape != there.shape:
        raise ValueError(f"{here.size} counted requests and {there.size} recorded ones")
    usable = (here > 0) & (there > 0)
    here, there = here[usable], there[usable]
    if len(here) < _LEAST_REQUESTS:
        return None
    factor, remainder = _fitted(here, there)
    telling = here >= _SMALL * np.median(here)
    low, high = np.percentile((there[telling] - remainder) / here[telling], _MIDDLE)
    spread = max(high - factor, factor - low, 0.0)
    if spread > _MOST_SCATTER * factor:
        return None
    return Calibration(len(here), factor, float(spread), round(remainder))


def _fitted(counted: NDArray[np.float64], recorded: NDArray[np.float64]) -> tuple[float, float]:
    """Return factor and constant: those of a line if it is clearly closer than a quotient, else 0 for the constant."""
    quotient = float(recorded.sum() / counted.sum())
    if counted.max() < _LEAST_RANGE * counted.min():
        return quotient, 0.0
    slope = _median_slope(counted, recorded)
    constant = float(np.median(recorded - slope * counted))
    distance = float(np.median(np.abs(recorded - slope * counted - constant)))
    if slope <= 0 or constant <= 0 or distance > _CLOSER * np.median(np.abs(recorded - quotient * counted)):
        return quotient, 0.0
    return slope, constant


def _median_slope(counted: NDArray[np.float64], recorded: NDArray[np.float64]) -> float:
    """Return the median of the slopes between all pairs of requests of different sizes."""
    taken = np.linspace(0, len(counted) - 1, min(len(counted), _MOST_PAIRED)).astype(np.int64)
    here, there = counted[taken], recorded[taken]
    first, second = np.triu_indices(len(taken), 1)
    width = here[second] - here[first]
    apart = width != 0
    return float(np.median((there[second] - there[first])[apart] / width[apart]))
