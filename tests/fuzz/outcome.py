"""What a run is asked and what comes of it: the values that go between the campaign and its workers."""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["fine", "exception", "hang", "death", "memory"]

_NUMBER = re.compile(r"\d+")


class BrokenPromiseError(AssertionError):
    """A loader kept its word not to raise, and yet did something that it may not; `promise` is which one it broke."""

    def __init__(self, promise: str, detail: str = "") -> None:
        super().__init__(f"{promise}: {detail}" if detail else promise)
        self.promise = promise


@dataclass(frozen=True, slots=True)
class Input:
    """A file to be tried: its name, which may have folders in it, and its bytes."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Limits:
    """What one input may take: seconds of the processor, seconds by the clock, and bytes beside an idle worker's.

    `address_space` is what a worker may map in all, in bytes.
    """

    seconds: float = 5.0
    clock_seconds: float = 90.0
    growth: int = 1_000_000_000
    address_space: int = 6_000_000_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one input. `what` is the type of an exception or the name of a signal, `place` the innermost frame
    of ours, `detail` everything that a person wants to read. `seconds` are of the processor, `growth` is in bytes.
    """

    kind: Kind
    what: str = ""
    place: str = ""
    detail: str = ""
    seconds: float = 0.0
    growth: int = 0

    @property
    def key(self) -> tuple[str, str, str]:
        """What outcomes of one cause have in common."""
        return self.kind, _NUMBER.sub("0", self.what), self.place.rpartition(":")[0] or self.place
