"""Jumps of a slider from flip to flip: to the next value at which something else becomes of an item, or of any."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from inspector.analysis.sliders import what_is_varied
from inspector.analysis.survival import Survival
from inspector.analysis.survival_search import survival
from inspector.assembly.edits import set_value
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.assembly.thresholds import WINDOW
from inspector.gui.session import Session
from inspector.tokens.cache import CountCache

NAME = "flips"
LOOKING = "Looking for the next value at which something changes"


class Flips:
    """Finds the survival along a slider on a worker, remembers it as long as it holds, and sets the next flip.

    `say` tells a person what happens. A newer jump takes the place of one that is still being looked for.
    """

    def __init__(self, session: Session, say: Callable[[str], None]) -> None:
        self._session, self._say = session, say
        self._known: tuple[Scenario, str, Pipeline, Survival] | None = None

    def jump(self, name: str, direction: int, row: int | None) -> None:
        """Set a slider to its next flip upwards (1) or downwards (-1): of this row, of any item where it is None."""
        session = self._session
        session.flush()
        if session.answer is None or session.trouble:
            return
        scenario, pipeline = session.scenario, session.pipeline
        varied = what_is_varied(scenario, name)
        known = self._known
        if known is not None and known[:2] == (varied, name) and known[2] is pipeline:
            self._set(known[3], direction, row)
            return

        def take(found: Survival) -> None:
            self._known = varied, name, pipeline, found
            if what_is_varied(session.scenario, name) == varied and session.pipeline is pipeline:
                self._set(found, direction, row)

        self._say(LOOKING)
        request = partial(_found, pipeline.fork(), scenario, name, session.cache)
        session.tasks.run(NAME, request, take, lambda: None, session.fail_work)

    def _set(self, found: Survival, direction: int, row: int | None) -> None:
        case = self._session.pipeline.case(self._session.scenario)
        today = case.model.window.tokens if found.name == WINDOW else getattr(case.policy, found.name)
        number = min(max(round(today / found.axis.value(1)), found.first), found.last)
        flip = found.next_flip(number, direction, None if row is None else np.array([row]))
        if flip is None:
            whom = "of this item" if row is not None else "of any item"
            self._say(f"No {'larger' if direction > 0 else 'smaller'} value changes what becomes {whom}")
            return
        value = found.axis.value(flip)
        self._say(f"{found.words(row)}" if row is not None else f"Next change at {value:,}")
        self._session.edit(set_value, found.name, value)


def _found(pipeline: Pipeline, scenario: Scenario, name: str, cache: CountCache) -> Iterator[Survival]:
    yield survival(pipeline, scenario, name, cache)
