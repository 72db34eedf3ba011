"""The screen for an audience: captions of falling items, and tours step by step."""

from collections.abc import Callable, Mapping
from functools import partial
from textwrap import shorten
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.decisions import Assembly
from inspector.assembly.edits import take_over
from inspector.assembly.policy import policy_title
from inspector.figures import counted
from inspector.gui.parts.texts import one_line
from inspector.gui.screens.screen import Controls, Screen
from inspector.resources import samples_folder

if TYPE_CHECKING:
    from inspector.analysis.tour import Tour
    from inspector.assembly.scenario import Scenario
    from inspector.gui.files.opening import Opening
    from inspector.gui.screens.present.falling import Falling
    from inspector.gui.screens.present.view import PresentView


NOTHING_FELL = (
    "Press the space bar: the conversation plays turn by turn, and what falls out of the prompt is told here."
)
_NAMED, _LETTERS = 2, 40
TOURS = "Tour (*.tour.yaml *.yaml *.yml *.json)"


class PresentScreen(Screen["PresentView"]):
    """The events in large type, with the bar and what just fell out; during a tour, the caption of its step."""

    name, title, perspectives = "present", "Present", ("present",)

    def __init__(self, host: object, parent: QWidget) -> None:
        self._tour: Tour | None = None
        self._number = 0
        self._start: Scenario | None = None
        self._pinned: Scenario | None = None
        self._shown: Answer | None = None
        self._before: Assembly | None = None
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

    def show_workspace(self) -> None:
        """End the tour when other files are opened or added."""
        self._shown = self._before = None
        self.view.falling.show_falling(None)
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
        """Follow every step while visible, as far as the eye does."""
        if self.is_visible:
            self._show_step()

    def show_controls(self, controls: Controls) -> None:
        """Show the turn of the scenario."""
        from inspector.tables import short_time

        turn, messages = controls.turn, controls.messages
        time = messages[turn - 1].time if turn else None
        self.view.show_turn(turn, len(messages), short_time(time) if time else "")

    def show_row(self) -> None:
        """Show the selected item in the spotlight, else why the last item fell."""
        assembly, row = self.host.session.assembly, self.host.row
        self.view.falling.show_row(row)
        if assembly is not None and row is not None:
            self.view.show_item(_item_words(assembly, row))
        else:
            why = "" if assembly is None or self._tour is not None else _why(self._before, assembly)
            self.view.show_item("" if why == self.view.caption.text() else why)

    def show_details(self) -> None:
        """Catch up with changes made while hidden, and mark the turns at which much falls."""
        self._show_step()
        self._name_sides()
        self.show_row()
        if self.is_visible:
            self.host.turns.ask(self.host.turns.contender)

    def _show_step(self) -> None:
        """Show the step from the last shown answer to the current one.

        A new answer for the same settings, after measuring or with more counts, is not a step.
        """
        session, shown = self.host.session, self._shown
        answer = session.answer
        self.view.show_answer(answer, session.baseline_answer)
        if answer is None or answer.assembly.error is not None:
            self._say(None if answer is None else answer.assembly)
            return
        if shown is None or answer.scenario != shown.scenario:
            self._before = None if shown is None else shown.assembly
        if shown is None or answer.assembly is not shown.assembly:
            self.view.falling.show_falling(_falling(self._before, answer.assembly))
            self._say(answer.assembly)
        self._shown = answer

    def _say(self, assembly: Assembly | None) -> None:
        """Say what happens, unless a tour does."""
        if self._tour is None:
            self.view.say(NOTHING_FELL if assembly is None else _sentence(self._before, assembly))

    def _mark_turns(self) -> None:
        """Mark the turns at which much falls."""
        from inspector.analysis.replay.words import heavy_turns

        found = self.host.turns.found
        if found:
            self.view.slider.show_marks(heavy_turns(found[0]))

    def _make(self, parent: QWidget) -> "PresentView":
        from inspector.gui.screens.present.view import PresentView

        host, turns, view = self.host, self.host.turns, PresentView(parent)
        view.say(NOTHING_FELL)
        view.stepped.connect(self._step)
        view.step_chosen.connect(lambda number: self._step(number - self._number))
        view.ended.connect(self._end)
        view.full_screen_requested.connect(lambda: host.do("full_screen"))
        view.left.connect(host.leave_present)
        view.turned.connect(turns.go_to)
        view.play_requested.connect(lambda: host.do("play"))
        view.drop_requested.connect(lambda: host.do("next_drop"))
        view.falling.row_selected.connect(host.select)
        turns.player.playing_changed.connect(view.show_playing)
        turns.changed.connect(lambda: self.tell(self._mark_turns))
        if turns.found:
            QTimer.singleShot(0, view, self._mark_turns)
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
        if not number:  # a tour begins with nothing fallen, whatever was shown before
            self._shown = self._before = None
            self._show_step()
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
        self.show_row()

    def _name_sides(self) -> None:
        before, after = self.host.session.baseline_answer, self.host.session.answer
        if before is None or after is None:
            self.view.show_sides("", "")
        else:
            self.view.show_sides(*_told_apart(before, after))


def _falling(before: Assembly | None, after: Assembly) -> "Falling":
    from inspector.gui.screens.present.falling import Falling

    return Falling.between(before, after)


def _sentence(before: Assembly | None, after: Assembly) -> str:
    """Return what falls between two assemblies in a few words, otherwise how far back the prompt reaches."""
    from inspector.analysis.replay.falling import are_of_one_conversation, fall_between
    from inspector.analysis.replay.words import fall_headline

    if after.error is not None:
        return "This policy refuses to make a prompt here."
    if before is None or not are_of_one_conversation(before, after):
        return NOTHING_FELL
    fall = fall_between(before, after)
    if len(fall.rows):
        return fall_headline(after.candidates, fall)
    first = after.candidates.items.first_message
    messages = int(after.in_prompt[first:].sum())
    return f"Nothing falls. {counted(messages, 'message')} of the conversation in the prompt."


def _why(before: Assembly | None, after: Assembly) -> str:
    """Return why the newest of the items that just fell did; "" if nothing fell."""
    from inspector.analysis.replay.falling import are_of_one_conversation, fall_between
    from inspector.analysis.replay.words import fall_caption

    if before is None or after.error is not None or not are_of_one_conversation(before, after):
        return ""
    fall = fall_between(before, after)
    return fall_caption(after.candidates, fall) if len(fall.rows) else ""


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
    policy = policy_title(answer.case.policy_name, type(answer.case.policy))
    return policy, window, "now" if turn is None else f"turn {turn:,}"


def _told_apart(before: Answer, after: Answer) -> tuple[str, str]:
    """Return the names of both sides: their differences, in other settings if policy, window and turn agree."""
    from inspector.assembly.side_by_side import settings_that_differ

    pairs = [pair for pair in zip(_setting_words(before), _setting_words(after), strict=True) if len({*pair}) > 1]
    if not pairs:
        rows = settings_that_differ((before, after))[:_NAMED]
        pairs = [tuple(f"{row.title[0].lower()}{row.title[1:]} {_short(text)}" for text in row.texts) for row in rows]
    first, second = map(", ".join, zip(*pairs, strict=True)) if pairs else ("the baseline", "the same")
    return first, second


def _short(text: str) -> str:
    return shorten(one_line(text), _LETTERS, placeholder=" …")
