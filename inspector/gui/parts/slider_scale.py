"""The places of numbers on a slider: at even steps, or at growing round numbers. Independent of widgets.

A tick is a position of the handle, a whole number from 0; Qt knows no other.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Protocol

from inspector.assembly.policy import Parameter

_DIGITS = 9
_SMALL = (0, 1, 2, 4, 8, 16, 32, 64)
_ROUND = (10, 15, 20, 30, 40, 50, 60, 80)
"""The factors for the powers of ten from 10 on."""
_TICKS_BETWEEN = 16
"""The resolution for numbers between two stops."""


class SliderScale(Protocol):
    """The numbers of a slider. `leap` is the number of steps for Page Up and Page Down."""

    leap: ClassVar[int]

    @property
    def last_tick(self) -> int:
        """The tick at the upper end."""
        ...

    def tick(self, number: float) -> int:
        """Return the tick nearest to a number."""
        ...

    def number(self, tick: int) -> float:
        """Return the number chosen by a handle at a tick."""
        ...

    def stepped(self, number: float, steps: int) -> float:
        """Return the number this many steps up, or down for less than 0, but never beyond the end of the slider."""
        ...

    def shifted(self, number: float, direction: int) -> float:
        """Return the number for Shift with an arrow: up for 1, down for -1."""
        ...


@dataclass(frozen=True, slots=True)
class EvenScale:
    """From `minimum` to `maximum` in steps of `step`; Shift takes ten steps at once."""

    leap: ClassVar[int] = 10

    minimum: float
    maximum: float
    step: float

    @property
    def last_tick(self) -> int:
        """The tick at the upper end, at least 1."""
        return max(1, round((self.maximum - self.minimum) / self.step))

    def tick(self, number: float) -> int:
        """Return the tick nearest to a number."""
        return min(max(round((number - self.minimum) / self.step), 0), self.last_tick)

    def number(self, tick: int) -> float:
        """Return the number at a tick."""
        return round(self.minimum + tick * self.step, _DIGITS)

    def stepped(self, number: float, steps: int) -> float:
        """Return the number this many steps from the handle's."""
        tick = self.tick(number)
        wanted = min(max(tick + steps, 0), self.last_tick)
        return number if wanted == tick else self.number(wanted)

    def shifted(self, number: float, direction: int) -> float:
        """Return the number ten steps away."""
        return self.stepped(number, direction * self.leap)


@dataclass(frozen=True, slots=True)
class StopScale:
    """From stop to stop, all equally far apart; Shift takes a `fine` step instead.

    A number between two stops is shown between them, and is kept until the handle is moved.
    """

    leap: ClassVar[int] = 4

    stops: tuple[float, ...]
    fine: float

    @property
    def last_tick(self) -> int:
        """The tick of the last stop."""
        return _TICKS_BETWEEN * (len(self.stops) - 1)

    def tick(self, number: float) -> int:
        """Return the tick of a number, between those of its neighbours."""
        below = min(max(bisect_right(self.stops, number) - 1, 0), len(self.stops) - 2)
        start, end = self.stops[below : below + 2]
        share = (number - start) / (end - start)
        return min(max(round(_TICKS_BETWEEN * (below + share)), 0), self.last_tick)

    def number(self, tick: int) -> float:
        """Return the stop nearest to a tick."""
        return self.stops[(tick + _TICKS_BETWEEN // 2) // _TICKS_BETWEEN]

    def stepped(self, number: float, steps: int) -> float:
        """Return the stop this many stops above a number, or below it."""
        if steps > 0:
            above = min(bisect_right(self.stops, number) + steps - 1, len(self.stops) - 1)
            return max(number, self.stops[above])
        below = max(bisect_left(self.stops, number) + steps, 0)
        return min(number, self.stops[below])

    def shifted(self, number: float, direction: int) -> float:
        """Return the number a fine step away, usually between stops."""
        lowest, highest = min(number, self.stops[0]), max(number, self.stops[-1])
        return min(max(number + direction * self.fine, lowest), highest)


def scale_of(parameter: Parameter) -> SliderScale:
    """Return the declared scale of a parameter. Its default is a stop, so that the keys lead back to it."""
    if parameter.scale == "log":
        stops = round_numbers(parameter.minimum, parameter.maximum, parameter.default)
        return StopScale(stops, parameter.step)
    return EvenScale(parameter.minimum, parameter.maximum, parameter.step)


def round_numbers(minimum: float, maximum: float, *others: float) -> tuple[float, ...]:
    """Return both ends, numbers round for people (100, 150, 200 …) or machines (128, 256 …) between, and `others`."""
    numbers: set[float] = {minimum, maximum, *others, *_SMALL}
    power = 10
    while power <= maximum:
        numbers |= {power * factor for factor in _ROUND}
        power *= 10
    power = 128
    while power <= maximum:
        numbers.add(power)
        power *= 2
    return tuple(sorted(number for number in numbers if minimum <= number <= maximum))


def eighths(smallest: int, largest: int, *others: float) -> tuple[float, ...]:
    """Return the powers of two in a range with seven whole numbers between each and the next, and `others`."""
    powers = [2**exponent for exponent in range(smallest.bit_length() - 1, largest.bit_length())]
    between = (low + part * (high - low) // 8 for low, high in pairwise(powers) for part in range(8))
    return tuple(sorted({*between, powers[-1], *others}))
