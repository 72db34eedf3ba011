"""A panel that costs nothing until somebody wants to see it."""

from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer

if TYPE_CHECKING:
    from inspector.gui.main_window import MainWindow

View = TypeVar("View", bound=QWidget)


class Panel(Generic[View]):
    """Makes its view, with all connections, when `view` is first asked for; until then it is told nothing.

    `at_hand` says whether its tab is there in a new window; the others are opened by the menus.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    at_hand: ClassVar[bool] = True

    def __init__(self, window: "MainWindow") -> None:
        self.window = window
        self._view: View | None = None

    @property
    def is_made(self) -> bool:
        """Whether anybody has asked for the view."""
        return self._view is not None

    @property
    def view(self) -> View:
        """The widget, made now if it was not there."""
        if self._view is None:
            self._view = self._make()
            self.show_controls()
            self.show_answer(None, self.window.session.answer)
            self.show_row()
        return self._view

    def show_workspace(self) -> None:
        """Another workspace is open."""

    def show_controls(self) -> None:
        """The scenario has changed."""

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """There is another answer."""

    def show_row(self) -> None:
        """Another item is selected, or the slider rests."""

    def _make(self) -> View:
        raise AssertionError("every panel makes its view")
