"""The plots of one replay over its turns: tokens by section, the shared prefix, and how far back prompts reach."""

from collections.abc import Sequence
from functools import partial
from itertools import zip_longest

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QFontMetricsF
from PySide6.QtWidgets import QWidget

from inspector.analysis.replay import Replay
from inspector.analysis.replay_words import axis_dates, policy_name
from inspector.assembly.columns import Action, Section, section_title
from inspector.gui.plots.axes import NumberAxis
from inspector.gui.plots.bars import Bars
from inspector.gui.plots.legend import Entry
from inspector.gui.plots.looks import Look
from inspector.gui.plots.marks import Mark, MarkKind
from inspector.gui.plots.pixels import BarArrays
from inspector.gui.plots.plot import Plot
from inspector.gui.screens.replay.model import horizon_bars, prefix_bars, token_bars
from inspector.gui.theme import UNIT, small_font, theme

TITLES = (
    "tokens by section, turn by turn",
    "of these, filled: begins as the last prompt did; orange where that broke; hatched: paid again",
    "how many messages back the prompt reaches; coloured: a warning or an error",
)


class TurnAxis(NumberAxis):
    """Turns, with the day on which the newest message of each was said below it, or the hour within one day."""

    found: Replay | None = None

    def make_room(self) -> None:
        """Be as high as its lines are: by itself an axis leaves room for one."""
        has_dates = self.found is not None and any(message.time for message in self.found.case.chosen.parts.messages)
        line = QFontMetricsF(small_font()).lineSpacing()
        self.setHeight(round((2 if has_dates else 1) * line) + 2 * UNIT)

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        """Each turn with its date, where the conversation says one."""
        numbers = super().tickStrings(values, scale, spacing)
        dates = axis_dates(self.found, [round(value) for value in values]) if self.found else []
        return [f"{number}\n{date}" if date else number for number, date in zip_longest(numbers, dates)]


class ReplayPlot(Plot):
    """Three rows over the turns. `turn_chosen` tells a click, `turn_pointed` what the mouse is at (None: nothing)."""

    turn_chosen = Signal(int)
    turn_pointed = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._found: Replay | None = None
        self._tokens, self._prefix, self._horizon = (
            self.add_row(stretch, title) for stretch, title in zip((4, 3, 2), TITLES, strict=True)
        )
        self._axis = TurnAxis("bottom")
        self.set_bottom_axis(self._axis)
        self.bars = tuple(Bars() for _ in TITLES)
        self._marks: list[Mark] = []
        for row, bars in zip(self.rows, self.bars, strict=True):
            row.addItem(bars)
            self._marks.append(Mark(MarkKind.SELECTED))
            row.addItem(self._marks[-1], ignoreBounds=True)
        self.pointed.connect(self._point)
        self.chosen.connect(lambda pixel: self.turn_chosen.emit(self._turn_at(pixel)))
        self.restyled.connect(self._recolour)
        self._recolour()

    def show_replay(self, found: Replay | None) -> None:
        """Show a replay; None shows nothing."""
        self._found = self._axis.found = found
        self.heading = "" if found is None else policy_name(found)
        self._axis.make_room()
        if found is None or not len(found):
            return
        for row, bars, arrays in zip(self.rows, self.bars, _arrays(found), strict=True):
            bars.show_bars(arrays)
            self.set_height(row, arrays.tallest)
        self.set_whole((0.5, float(found.turns[-1]) + 0.5))

    def show_turn(self, turn: int | None) -> None:
        """Mark the turn that the window shows."""
        place = None if turn is None or self._found is None else (turn - 0.5, turn + 0.5)
        for mark in self._marks:
            mark.put(place)
        if place is not None:
            self.bring_into_sight(*place)

    def entries(self, sections: Sequence[Section]) -> list[Entry]:
        """The legend of these sections and the overhead."""
        named = [(section_title(section), partial(self._color, section), False) for section in sections]
        return [*named, ("Overhead", partial(self._color, -1), False)]

    def _color(self, bar: int) -> QColor:
        return self._looks[bar].color

    def _turn_at(self, pixel: float) -> int:
        last = 1 if self._found is None or not len(self._found) else int(self._found.turns[-1])
        return min(max(round(self.place_of(pixel)), 1), last)

    def _point(self, pixel: float | None) -> None:
        self.turn_pointed.emit(None if pixel is None else self._turn_at(pixel))

    def _recolour(self) -> None:
        look = theme()
        self._axis.make_room()
        self._looks = [*(Look(look.section_color(section)) for section in Section), Look(look.muted_text)]
        quiet, broken, warned = (
            Look(color)
            for color in (look.accent, look.action_color(Action.TRUNCATED), look.action_color(Action.DROPPED))
        )
        for bars, looks in zip(self.bars, (self._looks, [quiet, broken], [quiet, warned]), strict=True):
            bars.set_looks(looks)


def _arrays(found: Replay) -> tuple[BarArrays, ...]:
    return token_bars(found), prefix_bars(found), horizon_bars(found)
