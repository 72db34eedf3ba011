"""The input and the progress of an analysis: the same values for the window and the command line.

An analysis is a generator of results, rough results first, with shares of the work in between.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.tokens.cache import CountCache

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class Basis:
    """A scenario of a pipeline, and the cache of counts. The `locked` shares of the policy are not moved."""

    pipeline: Pipeline
    scenario: Scenario
    cache: CountCache | None = None
    locked: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Share:
    """The progress of some work: `done` of so many steps, and the name of the work; without a name nothing runs."""

    done: float = 0.0
    of: float = 1.0
    what: str = ""

    @property
    def part(self) -> float:
        """The share done, 0–1."""
        return self.done / self.of if self.of else 0.0


def result_of(steps: Iterable[Share | Result], on_share: Callable[[Share], None] = lambda share: None) -> Result:
    """Return the last result of an analysis; `on_share` is called with each share of the work."""
    found: list[Result] = []
    for step in steps:
        if isinstance(step, Share):
            on_share(step)
        else:
            found[:] = [step]
    return found[0]
