"""The flips of sliders: values at which the fate of an item changes. Remembered while valid, to jump there."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from inspector.analysis.sliders import is_along, move_slider, value_of
from inspector.analysis.survival import Survival
from inspector.analysis.survival_search import survival
from inspector.assembly.answer import Answer
from inspector.assembly.case import Case
from inspector.assembly.items import ItemTexts
from inspector.assembly.pipeline import Pipeline
from inspector.gui.session import Session
from inspector.tokens.cache import CountCache

NAME = "flips"
LOOKING = "Looking for the next value at which something changes"


@dataclass(frozen=True, eq=False)
class Found:
    """The survival along a slider under some locked shares, with the case at its start and the items."""

    start: Case
    items: ItemTexts
    survival: Survival
    thorough: bool
    locked: frozenset[str] = frozenset()

    def holds(self, now: Answer, locked: frozenset[str]) -> bool:
        """Return whether only this slider has moved since, and the same shares are locked."""
        if locked != self.locked or now.assembly.candidates.items is not self.items:
            return False
        return is_along(self.start, now.case, self.survival.name, locked)


class Flips:
    """The survival along sliders, remembered while valid, and jumps to the next flip, found on a worker.

    `say` shows messages to the user. A newer jump replaces a search under way.
    """

    def __init__(self, session: Session, say: Callable[[str], None]) -> None:
        self._session, self._say = session, say
        self._known: dict[str, Found] = {}

    def known(self, name: str) -> Found | None:
        """Return the valid survival along a slider, None if there is none."""
        found, now = self._known.get(name), self._session.answer
        if found is not None and now is not None and found.holds(now, self._session.locked):
            return found
        self._known.pop(name, None)
        return None

    def forget(self) -> None:
        """Forget everything, and cancel the search."""
        self._known.clear()
        self._session.tasks.cancel(NAME)

    def remember(self, found: Found) -> None:
        """Remember the survival along a slider."""
        self._known[found.survival.name] = found

    def jump(self, name: str, direction: int, row: int | None) -> None:
        """Set a slider to its next flip upwards (1) or downwards (-1): of this row, or of any item if `row` is None."""
        session = self._session
        session.flush()
        if session.answer is None or session.trouble:
            return
        known = self.known(name)
        if known is not None and known.thorough:
            self._set(known, direction, row)
            return

        def take(found: Found) -> None:
            self.remember(found)
            if self.known(name) is found:
                self._set(found, direction, row)

        self._say(LOOKING)
        request = partial(
            found_along, session.pipeline.fork(), session.answer, (name,), session.cache, locked=session.locked
        )
        session.tasks.run(NAME, request, take, lambda: None, session.fail_work)

    def _set(self, found: Found, direction: int, row: int | None) -> None:
        case, kept = self._session.pipeline.case(self._session.scenario), found.survival
        number = kept.axis.number(value_of(case, kept.name))
        flip = kept.next_flip(number, direction, None if row is None else np.array([row]))
        if flip is None:
            whom = "of this item" if row is not None else "of any item"
            self._say(f"No {'larger' if direction > 0 else 'smaller'} value changes what becomes {whom}")
            return
        value = kept.axis.value(flip)
        self._say(f"{kept.words(row)}" if row is not None else f"Next change at {value:,}")
        self._session.edit(move_slider, found.start, kept.name, value, found.locked)


def found_along(
    pipeline: Pipeline,
    answer: Answer,
    names: tuple[str, ...],
    cache: CountCache,
    looks: int | None = None,
    locked: frozenset[str] = frozenset(),
) -> Iterator[Found]:
    """Yield the survival along each of these sliders; a policy without thresholds is run at most `looks` times for
    each.
    """
    for name in names:
        found = survival(pipeline, answer.scenario, name, cache, looks, locked)
        thorough = looks is None or found.is_exact
        yield Found(answer.case, answer.assembly.candidates.items, found, thorough, locked)
