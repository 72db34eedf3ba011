"""The flips of sliders: values at which the fate of an item changes. Remembered while valid, to jump there."""

from collections.abc import Callable
from functools import partial

import numpy as np

from inspector.analysis.sliders import move_slider, value_of
from inspector.analysis.survival.ask import KnownSurvival, known_survivals
from inspector.gui.session.session import Session

NAME = "flips"
LOOKING = "Looking for the next value at which something changes"


class Flips:
    """The survival along sliders, remembered while valid, and jumps to the next flip, found on a worker.

    `say` shows messages to the user. A newer jump replaces a search under way.
    """

    def __init__(self, session: Session, say: Callable[[str], None]) -> None:
        self._session, self._say = session, say
        self._known: dict[str, KnownSurvival] = {}

    def known(self, name: str) -> KnownSurvival | None:
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

    def remember(self, found: KnownSurvival) -> None:
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

        def take(found: KnownSurvival) -> None:
            self.remember(found)
            if self.known(name) is found:
                self._set(found, direction, row)

        self._say(LOOKING)
        session.ask(NAME, partial(known_survivals, answer=session.answer, names=(name,)), take)

    def _set(self, found: KnownSurvival, direction: int, row: int | None) -> None:
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
