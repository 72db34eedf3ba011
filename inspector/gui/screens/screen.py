"""What a screen is: a part of the window that is told the current values, and what it may ask of its host.

Screens know their host by the protocol that stands here: no window, and no other screen but by its name. One that
fails takes no other with it.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, Literal, ParamSpec, Protocol, TypeVar

from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.case import Case
from inspector.assembly.choices import ScenarioError
from inspector.assembly.policy import Policy
from inspector.assembly.scenario import Scenario
from inspector.gui.layout import PERSPECTIVES
from inspector.gui.remembered_columns import RememberedColumns
from inspector.gui.session import Session
from inspector.gui.used import LatelyUsed
from inspector.tokens.choice import UnknownTokenizerError

if TYPE_CHECKING:
    from inspector.gui.parts.failure_pane import FailurePane

Area = Literal["centre", "left", "right", "below", "top bar", "bottom bar"]
View = TypeVar("View", bound=QWidget)
Told = ParamSpec("Told")


class Host(Protocol):
    """What a screen sees of the window: the session, the selected item, and a few wishes."""

    @property
    def session(self) -> Session:
        """The current values; `assembly_changed` and the like reach a screen by its methods."""
        ...

    @property
    def used(self) -> LatelyUsed:
        """What was chosen lately, for pickers that show that first."""
        ...

    @property
    def columns(self) -> RememberedColumns:
        """The columns of tables, as a person left them."""
        ...

    @property
    def row(self) -> int | None:
        """The selected row of the answer's candidates, None where the prompt as a whole is looked at."""
        ...

    def select(self, row: int | None) -> None:
        """Select a row of the candidates everywhere, or with None no item."""
        ...

    def show_screen(self, name: str) -> None:
        """Bring a screen to the front, in the perspective that is seen."""
        ...

    def enter_screen(self, name: str) -> None:
        """Bring a screen to the front, in the perspective that is seen, and the keyboard into it."""
        ...

    def go_to_screen(self, name: str) -> None:
        """Bring a screen to the front where it is at hand: in this perspective, else in the first that has it."""
        ...

    def open_paths(self, paths: Sequence[str], scenario_file: str | None = None) -> None:
        """Open files and folders in place of what is open."""
        ...

    def give_tour(self, path: str) -> None:
        """Open what the tour of a file is about, and give it."""
        ...

    def filter_items(self, text: str) -> None:
        """Show only items that match this line of the filter, too."""
        ...

    def turn_filter(self, text: str) -> None:
        """Add a line to the filter, or take it out where it is in there."""
        ...

    def give_keyboard(self, name: str) -> None:
        """Let the keys go on from the selected item in the table of a screen, where that is seen."""
        ...

    def mark_words(self, words: tuple[str, ...]) -> None:
        """Mark these words in the text of the selected item."""
        ...

    def do(self, action: str) -> None:
        """Carry out a declared action of the menus, by its name."""
        ...

    def say(self, message: str) -> None:
        """Say something in the status line."""
        ...


@dataclass(frozen=True, eq=False)
class Controls:
    """A scenario with the case that it is, for the controls that show it. `policy` is None where it is refused."""

    scenario: Scenario
    policy: Policy | None
    case: Case

    @classmethod
    def of(cls, session: Session) -> "Controls | None":
        """Those of the current scenario, None for one that is refused, also before the answer says so."""
        try:
            return cls(session.scenario, session.policy, session.pipeline.case(session.scenario))
        except (ScenarioError, UnknownTokenizerError):
            return None


class Screen(Generic[View]):
    """Makes its view, with all connections, when it is first seen; until then it is told nothing and costs nothing.

    `area` is where it lies in a new window, and `perspectives` are those in which it is at hand there; in the others a
    dock has only its entry in the menu View, which shows it where one is. `at_once` makes the view with the window. A
    screen overrides what it wants to be told, and `_make`.

    The window calls all of that through `tell`, `heading_of` and `shown_in`. Where it raises, the screen is covered by
    a pane that says so, and is told nothing more until it is reloaded or something else is opened.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    area: ClassVar[Area] = "below"
    perspectives: ClassVar[tuple[str, ...]] = (PERSPECTIVES[0],)
    at_once: ClassVar[bool] = False

    def __init__(self, host: Host, parent: QWidget) -> None:
        self.host = host
        self._parent = parent
        self._view: View | None = None
        self._place: QWidget | None = None
        self._failure: Exception | None = None
        self._pane: FailurePane | None = None

    @property
    def is_made(self) -> bool:
        """Whether anybody has asked for the view."""
        return self._view is not None

    @property
    def is_visible(self) -> bool:
        """Whether the view is there and not hidden."""
        return self._view is not None and self._view.isVisible()

    @property
    def view(self) -> View:
        """The widget, made now if it was not there."""
        return self.made_in(self._parent)

    def made_in(self, place: QWidget) -> View:
        """The widget; if it was not there it is made now, in its place: Qt styles all of it anew for another parent."""
        if self._view is None:
            self._view = self._make(place)
            self.host.columns.join(self._view)
            self._show_all()
        return self._view

    def shown_in(self, place: QWidget) -> QWidget:
        """What to show in a place: the widget, or an empty one that says why there is none, and takes it up later."""
        self._parent = place
        self.tell(self.made_in, place)
        if self._view is not None:
            return self._view
        if self._place is None:
            self._place = QWidget(place)
            self._cover()
        return self._place

    @property
    def has_failed(self) -> bool:
        """Whether it is covered, and told nothing."""
        return self._failure is not None

    def tell(self, call: Callable[Told, object], *told: Told.args, **named: Told.kwargs) -> None:
        """Call a method of this screen, unless it has failed. Where that raises it fails, and the caller goes on.

        What was raised goes the way of every exception that nothing else takes.
        """
        if self._failure is not None:
            return
        try:
            call(*told, **named)
        except Exception as error:  # noqa: BLE001 - said on the panel, and handed to the hook that logs it
            self._fail(error)
            sys.excepthook(type(error), error, error.__traceback__)

    def heading_of(self, answer: Answer | None) -> str:
        """What its tab says of an answer; its title where that fails."""
        said: list[str] = []
        self.tell(lambda: said.append(self.heading(answer)))
        return said[0] if said else self.title

    def reload(self) -> None:
        """Show everything anew after a failure, or make what could not be made."""
        pane, self._pane, self._failure = self._pane, None, None
        if pane is not None:
            pane.hide()
            pane.deleteLater()
        if self._view is not None:
            self.tell(self._show_all)
        elif self._place is not None:
            self.tell(self._fill, self._place)
        if self.is_visible:
            self.tell(self.show_details)

    def _show_all(self) -> None:
        """Show what there is now, whatever was shown before."""
        session = self.host.session
        self.show_workspace()
        if (controls := Controls.of(session)) is not None:
            self.show_controls(controls)
        self.show_answer(None, session.answer)

    def _fill(self, place: QWidget) -> None:
        """Make the view after all, in the empty place that is shown instead of it."""
        layout = place.layout() or QVBoxLayout(place)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.made_in(place))

    def _fail(self, error: Exception) -> None:
        self._failure = error
        self._cover()

    def _cover(self) -> None:
        """Lay the pane over what is shown, if anything is."""
        covered = self._view if self._view is not None else self._place
        if covered is not None and self._failure is not None:
            from inspector.gui.parts.failure_pane import FailurePane

            self._pane = FailurePane(covered, self.title, self._failure, self.reload)

    def slots(self) -> Mapping[str, Callable[[], object]]:
        """What those declared actions call, by their names, that are this screen's own."""
        return {}

    def show_perspective(self, name: str) -> None:
        """Another perspective is seen, and this screen is at hand in it."""

    def heading(self, answer: Answer | None) -> str:
        """What its tab says; asked for every answer, also before the view is made."""
        return self.title

    def show_workspace(self) -> None:
        """Another workspace is open."""

    def show_controls(self, controls: Controls) -> None:
        """The scenario has changed."""

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """There is another answer; told for every step of a slider."""

    def show_row(self) -> None:
        """Another item is selected. Told only while the view is visible, or lies in the centre."""

    def show_details(self) -> None:
        """The answer has rested for a moment, or the view has come into sight: show what takes longer to make."""
        self.show_row()

    def filter_items(self, text: str) -> None:
        """Somebody wants to see only items that match this line, too."""

    def turn_filter(self, text: str) -> None:
        """Somebody wants to see only items that match this line, or no longer so."""

    def mark_words(self, words: tuple[str, ...]) -> None:
        """Somebody looked for these words, and found the selected item."""

    def take_keyboard(self) -> None:
        """Somebody wants to go on from the selected item by keys; told only while the view is visible."""

    def _make(self, parent: QWidget) -> View:
        raise AssertionError("every screen makes its view")
