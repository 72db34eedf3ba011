"""Where numbers stand on a slider: at even steps, or at round numbers that grow. Knows no widget.

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
"""What the powers of ten from 10 on are multiplied by."""
_TICKS_BETWEEN = 16
"""So finely a number between two stops is shown."""


class SliderScale(Protocol):
    """The numbers of a slider. `leap` is how many steps Page Up and Page Down go."""

    leap: ClassVar[int]

    @property
    def last_tick(self) -> int:
        """The tick at the upper end."""
        ...

    def tick(self, number: float) -> int:
        """The tick nearest to a number."""
        ...

    def number(self, tick: int) -> float:
        """The number that a handle at a tick chooses."""
        ...

    def stepped(self, number: float, steps: int) -> float:
        """The number so many steps up, or down for less than 0; never beyond the end of the slider."""
        ...

    def shifted(self, number: float, direction: int) -> float:
        """The number that Shift with an arrow leads to: up for 1, down for -1."""
        ...


@dataclass(frozen=True, slots=True)
class EvenScale:
    """From `minimum` to `maximum` in steps of `step`; Shift makes ten steps of one."""

    leap: ClassVar[int] = 10

    minimum: float
    maximum: float
    step: float

    @property
    def last_tick(self) -> int:
        """The tick at the upper end, at least 1."""
        return max(1, round((self.maximum - self.minimum) / self.step))

    def tick(self, number: float) -> int:
        """The tick nearest to a number."""
        return min(max(round((number - self.minimum) / self.step), 0), self.last_tick)

    def number(self, tick: int) -> float:
        """The number at a tick."""
        return round(self.minimum + tick * self.step, _DIGITS)

    def stepped(self, number: float, steps: int) -> float:
        """The number so many steps from the one that the handle stands at."""
        tick = self.tick(number)
        wanted = min(max(tick + steps, 0), self.last_tick)
        return number if wanted == tick else self.number(wanted)

    def shifted(self, number: float, direction: int) -> float:
        """The number ten steps away."""
        return self.stepped(number, direction * self.leap)


@dataclass(frozen=True, slots=True)
class StopScale:
    """From stop to stop, of which each has as much room as the next; Shift makes a `fine` step of one.

    A number between two stops is shown between them, and stays what it is until the handle is moved.
    """

    leap: ClassVar[int] = 4

    stops: tuple[float, ...]
    fine: float

    @property
    def last_tick(self) -> int:
        """The tick of the last stop."""
        return _TICKS_BETWEEN * (len(self.stops) - 1)

    def tick(self, number: float) -> int:
        """The tick of a number, between those of its neighbours."""
        below = min(max(bisect_right(self.stops, number) - 1, 0), len(self.stops) - 2)
        start, end = self.stops[below : below + 2]
        share = (number - start) / (end - start)
        return min(max(round(_TICKS_BETWEEN * (below + share)), 0), self.last_tick)

    def number(self, tick: int) -> float:
        """The stop nearest to a tick."""
        return self.stops[(tick + _TICKS_BETWEEN // 2) // _TICKS_BETWEEN]

    def stepped(self, number: float, steps: int) -> float:
        """The stop so many stops above a number, or below it."""
        if steps > 0:
            above = min(bisect_right(self.stops, number) + steps - 1, len(self.stops) - 1)
            return max(number, self.stops[above])
        below = max(bisect_left(self.stops, number) + steps, 0)
        return min(number, self.stops[below])

    def shifted(self, number: float, direction: int) -> float:
        """The number a fine step away, no stop as a rule."""
        lowest, highest = min(number, self.stops[0]), max(number, self.stops[-1])
        return min(max(number + direction * self.fine, lowest), highest)


def scale_of(parameter: Parameter) -> SliderScale:
    """The scale that a parameter declares. Its default is a stop, so that the keys find back to it."""
    if parameter.scale == "log":
        stops = round_numbers(parameter.minimum, parameter.maximum, parameter.default)
        return StopScale(stops, parameter.step)
    return EvenScale(parameter.minimum, parameter.maximum, parameter.step)


def round_numbers(minimum: float, maximum: float, *others: float) -> tuple[float, ...]:
    """Both ends, what is round between them for people (100, 150, 200 …) and machines (128, 256 …), and `others`."""
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
    """Powers of two from one to another with seven whole numbers between each and the next, and `others`."""
    powers = [2**exponent for exponent in range(smallest.bit_length() - 1, largest.bit_length())]
    between = (low + part * (high - low) // 8 for low, high in pairwise(powers) for part in range(8))
    return tuple(sorted({*between, powers[-1], *others}))
