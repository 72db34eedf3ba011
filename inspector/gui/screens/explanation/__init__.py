"""The screen of the explanation: the reasons why an item is in the prompt or not."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.edits import set_value, toggle_pins
from inspector.gui.marking import leave_out
from inspector.gui.parts.last_prompt import LastPrompt
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.explanation.view import Explanation


class ExplanationScreen(Screen["Explanation"]):
    """The explanation of the selected item, or the totals of the answer."""

    name, title, area, at_once = "explanation", "Details", "right", True
    perspectives = ("inspect", "compare")

    def slots(self) -> Mapping[str, Callable[[], object]]:
        return {"explain": lambda: self.host.show_screen(self.name)}

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Stop the search for changes: a new answer makes it a new question."""
        self._last.take(after)
        self.search.stop()

    def show_row(self) -> None:
        """Explain the selected item, and search for changes of its fate."""
        session, row = self.host.session, self.host.row
        self.view.show_item(session.answer, row, session.policy, self._last.before(session.answer))
        self.search.begin(row)

    def _make(self, parent: QWidget) -> "Explanation":
        from inspector.gui.screens.explanation.change_search import ChangeSearch
        from inspector.gui.screens.explanation.view import Explanation

        host, view = self.host, Explanation(parent)
        self._last = LastPrompt()
        self.search = ChangeSearch(host.session, view.show_changes, view)
        view.pin_requested.connect(partial(host.session.edit, toggle_pins))
        view.exclude_requested.connect(partial(leave_out, host.session))
        view.change_requested.connect(partial(host.session.edit, set_value))
        view.row_selected.connect(host.select)
        view.show_in_prompt.connect(self._show_in_prompt)
        return view

    def _show_in_prompt(self, row: int) -> None:
        self.host.show_screen("prompt")
        self.host.select(row)
