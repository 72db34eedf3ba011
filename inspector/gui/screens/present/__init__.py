"""The screen for an audience: captions of falling items, and tours step by step."""

from collections.abc import Callable, Mapping
from functools import partial
from textwrap import shorten
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.decisions import Assembly
from inspector.assembly.edits import take_over
from inspector.figures import counted
from inspector.gui.fitting import is_flat
from inspector.gui.parts.texts import one_line
from inspector.gui.screens.screen import Screen
from inspector.resources import samples_folder

if TYPE_CHECKING:
    from inspector.analysis.tour import Tour
    from inspector.assembly.scenario import Scenario
    from inspector.gui.opening import Opening
    from inspector.gui.screens.present.view import StageView


NOTHING_FELL = (
    "Press the space bar: the conversation plays turn by turn, and what falls out of the prompt is told here."
)
_NAMED, _LETTERS = 2, 40
TOURS = "Tour (*.tour.yaml *.yaml *.yml *.json)"


class PresentScreen(Screen["StageView"]):
    """The events in large type; during a tour, the caption of its step."""

    name, title, area, perspectives = "stage", "Stage", "header", ("present",)
    at_once = True

    def __init__(self, host: object, parent: QWidget) -> None:
        self._tour: Tour | None = None
        self._number = 0
        self._start: Scenario | None = None
        self._pinned: Scenario | None = None
        self._before: Answer | None = None
        self._untold: tuple[Assembly | None, Assembly] | None = None
        super().__init__(host, parent)  # type: ignore[arg-type]
        self.host.session.opened.connect(self._take_opened)

    def slots(self) -> Mapping[str, Callable[[], object]]:
        samples = samples_folder()
        return {
            "open_tour": self._ask_for_tour,
            "tour_birthday": partial(self.host.give_tour, str(samples / "birthday.tour.yaml")),
            "tour_policies": partial(self.host.give_tour, str(samples / "policies.tour.yaml")),
            "tour_next": partial(self._step, 1),
            "tour_back": partial(self._step, -1),
        }

    def show_perspective(self, name: str) -> None:
        """Use large type if the window has room for it and for rows below."""
        window = self.view.window()
        self.view.set_flat(is_flat(window.height(), window.fontMetrics().lineSpacing()))

    def show_workspace(self) -> None:
        """End the tour when other files are opened or added."""
        self._before = self._untold = None
        if self._tour is not None and self.host.session.paths != self._tour.open:
            self._end()

    def _take_opened(self, opening: "Opening") -> None:
        """Start the opened tour at its first step; opening anything ends the tour before."""
        if self._tour is not None:
            self._end()
        if opening.tour is not None:
            self._tour, self._start = opening.tour, opening.scenario
            self.host.do("present")
            self._go_to(0)

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Show the items that fell by this step, unless a tour is running."""
        said = self._before
        if after is None or after.assembly.error is not None or (said and after.assembly is said.assembly):
            return
        # A new answer for the same settings, with more counts, is not a step at which items fall.
        if self._tour is None and (said is None or after.scenario != said.scenario):
            self._untold = said.assembly if said else None, after.assembly
        self._before = after
        if self.is_visible:
            self._say_what_fell()
            self._name_sides()

    def _say_what_fell(self) -> None:
        """Show the fallen items, once, if visible."""
        if self._untold is not None and self._tour is None:
            self.view.say(_caption(*self._untold))
        self._untold = None

    def show_row(self) -> None:
        """Show the selected item in the spotlight."""
        assembly, row = self.host.session.assembly, self.host.row
        self.view.show_item("" if assembly is None or row is None else _item_words(assembly, row))

    def show_details(self) -> None:
        """Show everything again after a step, as the fate of the item may have changed."""
        self._say_what_fell()
        self._name_sides()
        self.show_row()

    def _make(self, parent: QWidget) -> "StageView":
        from inspector.gui.screens.present.view import StageView

        view = StageView(parent)
        view.say(NOTHING_FELL)
        view.stepped.connect(self._step)
        view.ended.connect(self._end)
        view.full_screen_requested.connect(lambda: self.host.do("full_screen"))
        return view

    def _ask_for_tour(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self.view.window(), "Open tour", str(samples_folder()), TOURS)
        if path:
            self.host.give_tour(path)

    def _step(self, by: int) -> None:
        if self._tour is not None and 0 <= self._number + by < len(self._tour.steps):
            self._go_to(self._number + by)

    def _go_to(self, number: int) -> None:
        """Show a step of the tour: pin its baseline, then show its setting and caption."""
        from inspector.analysis.tour import baseline_at, scenario_at, spotlight_at

        session, tour, start = self.host.session, self._tour, self._start
        if tour is None or start is None:
            return
        self._number = number
        self._pin(baseline_at(tour, start, number))
        session.edit(take_over, scenario_at(tour, start, number), f"Step {number + 1} of the tour")
        session.flush()
        self._look_at(spotlight_at(tour, number))
        self.view.show_tour(tour.title, number, len(tour.steps))
        self.view.say(tour.steps[number].caption)
        self._name_sides()

    def _pin(self, scenario: "Scenario | None") -> None:
        session = self.host.session
        if scenario is None:
            session.clear_baseline()
        elif scenario != self._pinned:
            session.edit(take_over, scenario, "Before, in the tour")
            session.flush()
            session.pin_baseline()
        self._pinned = scenario

    def _look_at(self, item: str) -> None:
        assembly = self.host.session.assembly
        rows = [] if assembly is None or not item else assembly.candidates.rows_named([item]).tolist()
        self.host.select(rows[0] if rows else None)
        self.show_row()

    def _end(self) -> None:
        """End the tour; the shown setting stays."""
        self._tour = self._start = self._pinned = None
        self._number = 0
        self.view.show_tour("", 0, 0)
        self.view.say(NOTHING_FELL)

    def _name_sides(self) -> None:
        before, after = self.host.session.baseline_answer, self.host.session.answer
        if before is None or after is None:
            self.view.show_sides("", "")
        else:
            self.view.show_sides(*_told_apart(before, after))


def _caption(before: Assembly | None, after: Assembly) -> str:
    """Return the items that fell between two assemblies, otherwise how far back the prompt reaches."""
    from inspector.analysis.replay.ask import are_of_one_conversation, fall_between
    from inspector.analysis.replay.words import fall_caption

    if before is None or not are_of_one_conversation(before, after):
        return NOTHING_FELL
    fall = fall_between(before, after)
    if len(fall.rows):
        return fall_caption(after.candidates, fall)
    first = after.candidates.items.first_message
    messages = int(after.in_prompt[first:].sum())
    return f"Nothing falls. {counted(messages, 'message')} of the conversation in the prompt."


def _item_words(assembly: Assembly, row: int) -> str:
    """Return the item in the spotlight in words: its name, its fate, and the reason."""
    from inspector.analysis.replay.words import item_name
    from inspector.assembly.explain import explain

    tokens = counted(int(assembly.candidates.tokens[row]), "token", estimated=bool(assembly.candidates.estimated[row]))
    return f"Spotlight: {item_name(assembly.candidates, row)}, {tokens}. {explain(assembly, row)}"


def _setting_words(answer: Answer) -> tuple[str, ...]:
    """Return policy, window and turn in words."""
    turn = answer.scenario.at
    window = f"window {answer.assembly.budget.context_window:,}"
    return answer.case.policy_name, window, "now" if turn is None else f"turn {turn:,}"


def _told_apart(before: Answer, after: Answer) -> tuple[str, str]:
    """Return the names of both sides: their differences, in other settings if policy, window and turn agree."""
    from inspector.assembly.side_by_side import settings_that_differ

    pairs = [pair for pair in zip(_setting_words(before), _setting_words(after), strict=True) if len({*pair}) > 1]
    if not pairs:
        rows = settings_that_differ((before, after))[:_NAMED]
        pairs = [tuple(f"{row.name.replace('_', ' ')} {_short(text)}" for text in row.texts) for row in rows]
    first, second = map(", ".join, zip(*pairs, strict=True)) if pairs else ("the baseline", "the same")
    return first, second


def _short(text: str) -> str:
    return shorten(one_line(text), _LETTERS, placeholder=" …")
