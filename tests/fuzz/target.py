"""What a target is: a loader with sound files to begin with, and what is done with a file of its kind."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.fuzz.mutations import mutated
from tests.fuzz.outcome import Input

Run = Callable[[Path, Path], None]
"""Opens a file as the program does; it may write into the folder that comes second. Whatever it raises is a defect."""


@dataclass(frozen=True)
class Target:
    """A loader to be tried. `patience` is how many times the usual limit of seconds an input may take.

    Those that are `favoured` get a part of the time together, before all others share the rest.
    """

    name: str
    seeds: Callable[[], Sequence[Input]]
    run: Run
    patience: float = 1.0
    favoured: bool = False

    def input(self, seed: int, number: int) -> Input:
        """The input of a number, the same for the same seed: first each sound file as it is, then mutations."""
        seeds = self.seeds()
        if number < len(seeds):
            return seeds[number]
        rng = random.Random(f"{seed} {self.name} {number}")
        base = rng.choice(seeds)
        return replace(base, data=mutated(base.data, rng, [other.data for other in seeds]))
