"""Flips on the sliders: ticks where the selected item flips, marks at the next flip of any item.

A worker finds them for the visible sliders once nothing has changed for a moment; any further change stops it. Outdated
marks are removed at once; the slider being moved keeps its own.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, QTimer

from inspector.analysis.sliders import sliders, value_of
from inspector.analysis.survival.ask import KnownSurvival, known_survivals
from inspector.assembly.answer import Answer
from inspector.assembly.numbers import title_in
from inspector.assembly.parameter_text import value_text
from inspector.assembly.thresholds import WINDOW
from inspector.gui.parts.slider import SliderFlips
from inspector.gui.screens.settings.flips import Flips
from inspector.gui.screens.settings.view import SettingsView
from inspector.gui.session.session import Session

NAME = "flip marks"
REST_MILLISECONDS = 500
_LOOKS = (16, 100)
_WORK = 1_000_000
_MOST_NAMED = 6


class FlipMarks(QObject):
    """Marks on the sliders of a panel: the values that change the selected row or any item.

    `flips` remembers the known ones.
    """

    def __init__(self, session: Session, panel: SettingsView, flips: Flips) -> None:
        super().__init__(panel)
        self._session, self._panel, self.flips = session, panel, flips
        self._row: int | None = None
        self._rest = QTimer(self, singleShot=True, interval=REST_MILLISECONDS)
        self._rest.timeout.connect(self._look)
        panel.touched.connect(self.stop)
        panel.scrolled.connect(self.stop)

    def stop(self) -> None:
        """Stop the search for the user's actions; resume after a rest."""
        self._session.tasks.cancel(NAME)
        self._rest.start()

    def forget(self) -> None:
        """Forget all flips: another workspace is open."""
        self.flips.forget()
        self.show_answer(None, None)

    def show_answer(self, answer: Answer | None, row: int | None) -> None:
        """Show the flips still known for an answer and an item, and search for the rest after a moment."""
        self._row = row
        for name in self._panel.slider_names:
            found = None if answer is None else self.flips.known(name)
            self._panel.show_flips(name, None if found is None or answer is None else self._shown(answer, found))
        self.stop()

    def show_row(self, row: int | None) -> None:
        """Show the known flips of another item."""
        if row != self._row:
            self.show_answer(self._session.answer, row)

    def _look(self) -> None:
        answer, session = self._session.answer, self._session
        if answer is None or session.trouble or not self._panel.isVisible():
            return
        if not session.is_ready or self._panel.is_held:
            self._rest.start()
            return
        there = {WINDOW, *(slider.name for slider in sliders(answer.case))}
        seen = self._panel.sliders_in_sight
        lacking = tuple(name for name in seen if name in there and self.flips.known(name) is None)
        if lacking:
            looks = min(max(_WORK // (len(answer.assembly.action) + 1), _LOOKS[0]), _LOOKS[1])
            session.ask(NAME, partial(known_survivals, answer=answer, names=lacking, looks=looks), self._take)

    def _take(self, found: KnownSurvival) -> None:
        name, answer = found.survival.name, self._session.answer
        self.flips.remember(found)
        if answer is not None and self.flips.known(name) is found:
            self._panel.show_flips(name, self._shown(answer, found))

    def _shown(self, answer: Answer, found: KnownSurvival) -> SliderFlips:
        """Return the marks of a slider: the flips of the selected row, and the nearest flips of any item on both
        sides.
        """
        kept = found.survival
        number = kept.axis.number(value_of(answer.case, kept.name))
        value, written = kept.axis.value, _written(answer, kept.name)
        nearest = (kept.next_flip(number, -1), kept.next_flip(number, 1))
        next_ones = [value(flip) for flip in nearest if flip is not None]
        lines = [_next_words([written(each) for each in next_ones])]
        of_item: list[float] = []
        if self._row is not None and self._row < len(kept):
            of_item = [value(flip) for flip in kept.numbers_of(np.array([self._row])).tolist()]
            words = kept.words(self._row, written) if len(of_item) <= _MOST_NAMED else f"{len(of_item):,} changes"
            lines.append(f"{title_in(answer.assembly.candidates.items, self._row)}: {words}")
        lines += [] if kept.is_exact else ["Not every value was looked at."]
        return SliderFlips(tuple(of_item), tuple(next_ones), "\n".join(lines))


def _next_words(values: list[str]) -> str:
    """Return a sentence on the nearest values at which the fate of any item changes."""
    if not values:
        return "No value changes what becomes of any item."
    return f"The next change of any item is at {' and at '.join(values)}."


def _written(answer: Answer, name: str) -> Callable[[float], str]:
    parameter = next((each for each in sliders(answer.case) if each.name == name), None)
    return "{:,}".format if parameter is None else partial(value_text, parameter)
