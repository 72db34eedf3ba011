"""The panel of summaries: what they save and what they lose."""

from typing import TYPE_CHECKING

from inspector.assembly.answer import Answer
from inspector.gui.screens.screen import Panel

if TYPE_CHECKING:
    from inspector.gui.screens.summaries.view import SummaryView


class SummariesPanel(Panel["SummaryView"]):
    """Originals and summaries side by side, and how they are made."""

    name, title, at_hand = "summaries", "Summaries", False

    def show_workspace(self) -> None:
        """Forget the messages of before."""
        self.view.show_table(None)

    def show_controls(self) -> None:
        """Show how summaries are made."""
        session = self.window.session
        summarizer = session.pipeline.case(session.scenario).summarizer
        trouble = session.pipeline.known.summarizing.trouble(session.scenario, summarizer)
        self.view.show_setting(session.scenario, trouble)

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Ask again where something was decided in another way."""
        if before is None or after is None or before.assembly is not after.assembly:
            self.view.refresh()

    def show_row(self) -> None:
        """Select the message that is selected elsewhere."""
        if self.window.row is not None and self.view.isVisible():
            self.view.select_row(self.window.row)

    def _make(self) -> "SummaryView":
        from inspector.gui.screens.summaries.view import SummaryView

        window, view = self.window, SummaryView(self.window)
        view.requested.connect(window.session.compare_summaries)
        window.session.summaries_compared.connect(view.show_table)
        view.row_selected.connect(window.select_everywhere)
        view.method_chosen.connect(window.commands.use_summaries)
        view.tokens_chosen.connect(window.commands.set_summary_tokens)
        return view
