"""The screen of the timeline: the tokens along the conversation, and the fate of its messages."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.gui.parts.last_prompt import LastPrompt, refusal
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.timeline.view import TimelineView


class TimelineScreen(Screen["TimelineView"]):
    """The messages from the first to the last. Every figure is also in the table of items."""

    name, title, perspectives = "timeline", "Along the conversation", ("replay",)

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Show the bars of an answer if visible."""
        self._last.take(after)
        if self.is_visible:
            self._show()

    def show_row(self) -> None:
        """Mark the selected message."""
        self.view.show_row(self.host.row)

    def show_details(self) -> None:
        """Catch up with changes made while hidden, and describe the picture in words."""
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
