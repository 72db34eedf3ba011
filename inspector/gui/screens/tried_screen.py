"""The screens of settings tried around the setting in use: their questions, and the work behind their pages."""

from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.tuning.tried_page import TriedPage, TriedView

Page = TypeVar("Page", bound="TriedPage")


class TriedScreen(Screen["TriedView[Page]"], Generic[Page]):
    """Asks the open questions under settings around the one in use. A screen overrides `_page`."""

    perspectives = ("tune",)

    def show_workspace(self) -> None:
        """Show the open questions; results of the workspace before are gone."""
        self._trying.start_over()

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Take the questions again, which marks may have changed."""
        self._trying.take_questions()

    def show_details(self) -> None:
        """Show the settings to try around the current one."""
        self._trying.show_bench()

    def _make(self, parent: QWidget) -> "TriedView[Page]":
        from inspector.gui.tuning.tried_page import TriedView
        from inspector.gui.tuning.trying import Trying

        page, purpose = self._page()
        view = TriedView(page, purpose, parent)
        self._trying = Trying(self.name, self.host.session, view, self.host.do, self.host.say)
        return view

    def _page(self) -> tuple[Page, str]:
        """Return the page, and its purpose in a sentence, shown where there are no questions."""
        raise AssertionError("every screen has its page")
