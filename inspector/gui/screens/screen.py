"""The screens: parts of the window that receive the current values, and send their requests to the host.

Screens know the host only by the protocol below: no window, and other screens only by name. A failing screen does not
affect the others.
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
from inspector.gui.remembered.layout import PERSPECTIVES
from inspector.gui.remembered.remembered_columns import LatelyUsed, RememberedColumns
from inspector.gui.remembered.window_state import WindowState
from inspector.gui.session.session import Session
from inspector.gui.session.turns import Turns
from inspector.model import Message, Severity
from inspector.tokens.choice import UnknownTokenizerError

if TYPE_CHECKING:
    from inspector.gui.parts.asking_view import FailurePane
    from inspector.gui.session.looking import Looking
    from inspector.retrieval.search.find import Group, Search

Area = Literal["page", "left", "right", "header", "start"]
View = TypeVar("View", bound=QWidget)
Told = ParamSpec("Told")


class Host(Protocol):
    """The window as seen by a screen: the session, the selected item, and a few requests."""

    @property
    def session(self) -> Session:
        """The current values; the window passes signals such as `assembly_changed` on to the methods of screens."""
        ...

    @property
    def used(self) -> LatelyUsed:
        """The latest choices, listed first by pickers."""
        ...

    @property
    def columns(self) -> RememberedColumns:
        """The columns of tables as the user left them."""
        ...

    @property
    def turns(self) -> Turns:
        """The turns of the conversation: the current one, the player, and the replay of all."""
        ...

    @property
    def state(self) -> WindowState | None:
        """The values remembered between runs; None in a window that remembers nothing."""
        ...

    @property
    def unsaved(self) -> Sequence[tuple[str, float]]:
        """The titles of unsaved work not open in any window, with the times in seconds, newest first."""
        ...

    def recover(self) -> None:
        """Open the newest unsaved work in place of the open files."""
        ...

    @property
    def looking(self) -> "Looking":
        """The figures of all open chats, as far as they are known."""
        ...

    @property
    def searching(self) -> "Search":
        """The search over everything open; the first use starts its index."""
        ...

    @property
    def row(self) -> int | None:
        """The selected row of the answer's candidates, None for the prompt as a whole."""
        ...

    @property
    def summary(self) -> int:
        """The number of the selected summary of the program, 0 for none; then `row` is None."""
        ...

    def select(self, row: int | None) -> None:
        """Select a row of the candidates, or of a summary of the program after them, everywhere; None for no item."""
        ...

    def show_screen(self, name: str) -> None:
        """Bring a screen to the front, in this perspective if it has the screen, else in the first that has."""
        ...

    def enter_screen(self, name: str) -> None:
        """Bring a screen to the front and move the focus into it."""
        ...

    def open_paths(self, paths: Sequence[str], scenario_file: str | None = None) -> None:
        """Open files and folders in place of the open ones."""
        ...

    def give_tour(self, path: str) -> None:
        """Open the files of a tour and start it."""
        ...

    def go_to(self, group: "Group", words: tuple[str, ...]) -> None:
        """Open the conversation of a match, select the item of its first place, and mark the words in its text."""
        ...

    def filter_items(self, text: str) -> None:
        """Add a line to the filter, to show fewer items."""
        ...

    def turn_filter(self, text: str) -> None:
        """Add a line to the filter, or remove it if it is there."""
        ...

    def give_keyboard(self, name: str) -> None:
        """Move the focus to the table of a screen, if visible, to continue by keys from the selected item."""
        ...

    def mark_words(self, words: tuple[str, ...]) -> None:
        """Mark these words in the text of the selected item."""
        ...

    def leave_present(self) -> None:
        """Return from presenting to the perspective before, and from the whole screen."""
        ...

    def light(self, part: str) -> None:
        """Light a part of the bar, by its word, with everything that belongs to it elsewhere; "" for none."""
        ...

    def do(self, action: str) -> None:
        """Carry out a declared action of the menus, by its name."""
        ...

    def say(self, message: str) -> None:
        """Show a message in the status line."""
        ...


@dataclass(frozen=True, eq=False)
class Controls:
    """A scenario with its case, for the controls showing it. `policy` is None if it is refused."""

    scenario: Scenario
    policy: Policy | None
    case: Case

    @classmethod
    def of(cls, session: Session) -> "Controls | None":
        """Return those of the current scenario, None if it is refused, even before the answer says so."""
        try:
            return cls(session.scenario, session.policy, session.pipeline.case(session.scenario))
        except (ScenarioError, UnknownTokenizerError):
            return None

    @property
    def messages(self) -> Sequence[Message]:
        """The messages of the conversation."""
        return self.case.chosen.parts.messages

    @property
    def turn(self) -> int:
        """How many of them exist."""
        at = self.scenario.at
        return len(self.messages) if at is None else min(at, len(self.messages))


class Screen(Generic[View]):
    """A part of the window that makes its view, with all connections, on first use; before, it is told nothing.

    `area` is its place: a page in the middle, a part of the left column (with an `icon` for the closed column;
    `stretches`: it takes the free height), the right column, the header, or the page shown while nothing is open
    (`start`). `perspectives` are those that include it. `at_once` makes the view with the window; `has_details` marks a
    page that tells of the selected item itself, so that the right column is closed while it is in front;
    `keeps_selection` tells it of every selection even while it is hidden. A screen overrides the events it needs, and
    `_make`.

    The window calls it through `tell`, `count_of`, `tone_of`, `is_offered_for` and `shown_in`. After an exception the
    screen is covered by a pane with the error, and is told nothing more until it is reloaded or other files are opened.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    area: ClassVar[Area] = "page"
    icon: ClassVar[str] = ""
    stretches: ClassVar[bool] = False
    keeps_selection: ClassVar[bool] = False
    has_details: ClassVar[bool] = False
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
        """Whether the view has been made."""
        return self._view is not None

    @property
    def is_visible(self) -> bool:
        """Whether the view is made and not hidden."""
        return self._view is not None and self._view.isVisible()

    @property
    def view(self) -> View:
        """The view, made on first use."""
        return self.made_in(self._parent)

    def made_in(self, place: QWidget) -> View:
        """Return the view; if new, it is made in its final place, as Qt styles all of it again for another parent."""
        if self._view is None:
            self._view = self._make(place)
            self.host.columns.join(self._view)
            self._show_all()
        return self._view

    def shown_in(self, place: QWidget) -> QWidget:
        """Return the view for a place; if it fails, an empty widget with the error, to be filled by a later attempt."""
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
        """Whether the screen has failed: it is covered and told nothing."""
        return self._failure is not None

    def tell(self, call: Callable[Told, object], *told: Told.args, **named: Told.kwargs) -> None:
        """Call a method of this screen unless it has failed. An exception makes it fail, and the caller goes on.

        The exception is passed to `sys.excepthook`, as if it were uncaught.
        """
        if self._failure is not None:
            return
        try:
            call(*told, **named)
        except Exception as error:  # noqa: BLE001 - shown on the panel, and logged by the hook
            self._fail(error)
            sys.excepthook(type(error), error, error.__traceback__)

    def count_of(self, answer: Answer | None) -> str:
        """Return the count beside the title of its tab for an answer; "" if that fails."""
        said: list[str] = []
        self.tell(lambda: said.append(self.count(answer)))
        return said[0] if said else ""

    def tone_of(self, answer: Answer | None) -> Severity | None:
        """Return the severity that colours the count; None if that fails."""
        said: list[Severity | None] = []
        self.tell(lambda: said.append(self.tone(answer)))
        return said[0] if said else None

    def is_offered_for(self, answer: Answer | None) -> bool:
        """Return whether its tab is shown for an answer; a failed page is, to say so."""
        said: list[bool] = []
        self.tell(lambda: said.append(self.is_offered(answer)))
        return said[0] if said else True

    def reload(self) -> None:
        """Show everything again after a failure, or make the view if that failed."""
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
        """Show all current values."""
        session = self.host.session
        self.show_workspace()
        if (controls := Controls.of(session)) is not None:
            self.show_controls(controls)
        self.show_answer(None, session.answer)

    def _fill(self, place: QWidget) -> None:
        """Make the view in the empty widget shown in its place."""
        layout = place.layout() or QVBoxLayout(place)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.made_in(place))

    def _fail(self, error: Exception) -> None:
        self._failure = error
        self._cover()

    def _cover(self) -> None:
        """Cover the view or the empty widget with the pane of the error."""
        covered = self._view if self._view is not None else self._place
        if covered is not None and self._failure is not None:
            from inspector.gui.parts.asking_view import FailurePane

            self._pane = FailurePane(covered, self.title, self._failure, self.reload)

    def slots(self) -> Mapping[str, Callable[[], object]]:
        """Return the functions called by the declared actions of this screen, by their names."""
        return {}

    def show_perspective(self, name: str) -> None:
        """React to a new perspective that includes this screen."""

    def count(self, answer: Answer | None) -> str:
        """Return the count beside the title of the tab, "" for none; called for every answer, even without a view."""
        return ""

    def tone(self, answer: Answer | None) -> Severity | None:
        """Return the severity that colours the count beside the title, None for none; called like `count`."""
        return None

    def is_offered(self, answer: Answer | None) -> bool:
        """Return whether the page has anything to show; called for every answer, even without a view."""
        return True

    def show_workspace(self) -> None:
        """React to a new workspace."""

    def show_controls(self, controls: Controls) -> None:
        """React to a change of the scenario."""

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """React to a new answer; called at every step of a slider."""

    def show_row(self) -> None:
        """React to a new selection. Called only while the view is visible, or for `keeps_selection`."""

    def show_details(self) -> None:
        """Show slow parts: the answer has not changed for a moment, or the view has become visible."""
        self.show_row()

    def filter_items(self, text: str) -> None:
        """Add a line to the filter, to show fewer items."""

    def turn_filter(self, text: str) -> None:
        """Add a line to the filter, or remove it if it is there."""

    def mark_words(self, words: tuple[str, ...]) -> None:
        """Mark the words of a search that found the selected item."""

    def light(self, part: str) -> None:
        """Light everything that belongs to this part of the bar, "" for none; called while the mouse points at it."""

    def take_keyboard(self) -> None:
        """Take the focus, to go on from the selected item by keys; called only while the view is visible."""

    def _make(self, parent: QWidget) -> View:
        raise AssertionError("every screen makes its view")
