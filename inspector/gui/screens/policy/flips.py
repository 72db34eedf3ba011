"""Jumps of a slider from flip to flip: to the next value at which something else becomes of an item, or of any."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from inspector.analysis.sliders import is_along, move_slider, value_of
from inspector.analysis.survival import Survival
from inspector.analysis.survival_search import survival
from inspector.assembly.case import Case
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
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
        self._known: tuple[Case, Pipeline, Survival] | None = None

    def jump(self, name: str, direction: int, row: int | None) -> None:
        """Set a slider to its next flip upwards (1) or downwards (-1): of this row, of any item where it is None."""
        session = self._session
        session.flush()
        if session.answer is None or session.trouble:
            return
        case, pipeline = session.answer.case, session.pipeline
        if self._known is not None and self._known[2].name == name and self._holds(*self._known):
            self._set(self._known[0], self._known[2], direction, row)
            return

        def take(found: Survival) -> None:
            self._known = case, pipeline, found
            if self._holds(*self._known):
                self._set(case, found, direction, row)

        self._say(LOOKING)
        request = partial(_found, pipeline.fork(), case.scenario, name, session.cache)
        session.tasks.run(NAME, request, take, lambda: None, session.fail_work)

    def _holds(self, start: Case, pipeline: Pipeline, found: Survival) -> bool:
        """Whether what was found from a case is true of what is open now."""
        now = self._session.answer
        return now is not None and self._session.pipeline is pipeline and is_along(start, now.case, found.name)

    def _set(self, start: Case, found: Survival, direction: int, row: int | None) -> None:
        case = self._session.pipeline.case(self._session.scenario)
        number = found.axis.number(value_of(case, found.name))
        flip = found.next_flip(number, direction, None if row is None else np.array([row]))
        if flip is None:
            whom = "of this item" if row is not None else "of any item"
            self._say(f"No {'larger' if direction > 0 else 'smaller'} value changes what becomes {whom}")
            return
        value = found.axis.value(flip)
        self._say(f"{found.words(row)}" if row is not None else f"Next change at {value:,}")
        self._session.edit(move_slider, start, found.name, value)


def _found(pipeline: Pipeline, scenario: Scenario, name: str, cache: CountCache) -> Iterator[Survival]:
    yield survival(pipeline, scenario, name, cache)
