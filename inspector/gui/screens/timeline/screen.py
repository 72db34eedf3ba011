"""The screen of the timeline: where in the conversation the tokens are, and what became of them."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.gui.parts.last_prompt import LastPrompt, refusal
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.timeline.view import TimelineView


class TimelineScreen(Screen["TimelineView"]):
    """The messages from the first to the last. Every figure is that of the table of items, which says the same."""

    name, title, perspectives = "timeline", "Timeline", ()

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Move the bars with the slider, while they can be seen."""
        self._last.take(after)
        if self.is_visible:
            self._show()

    def show_row(self) -> None:
        """Mark the selected message."""
        self.view.show_row(self.host.row)

    def show_details(self) -> None:
        """Catch up with what changed while this could not be seen, and say it in words."""
        self._show()
        self.view.show_row(self.host.row)
        self.view.say()

    def _show(self) -> None:
        answer = self.host.session.answer
        last = self._last.before(answer)
        self.view.show_assembly(last.assembly if last else None, refusal(answer))

    def _make(self, parent: QWidget) -> "TimelineView":
        from inspector.gui.plots.exporting import export_plot
        from inspector.gui.screens.timeline.view import TimelineView

        host, view = self.host, TimelineView(parent)
        self._last = LastPrompt()
        view.row_selected.connect(host.select)
        view.export_requested.connect(lambda: export_plot([view.plot], host.session, self.name, host.say))
        return view
