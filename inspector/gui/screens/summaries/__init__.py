"""The screen of summaries: their savings and losses."""

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Action
from inspector.assembly.edits import set_summary_tokens, use_summaries
from inspector.gui.screens.screen import Controls, Screen

if TYPE_CHECKING:
    from inspector.gui.screens.summaries.view import SummaryView


def _summarized(answer: Answer) -> int:
    """Return how many messages are summarized, without the summaries of a program that others tell."""
    return int(np.count_nonzero(answer.assembly.action == int(Action.SUMMARIZED)))


class SummariesScreen(Screen["SummaryView"]):
    """The originals and summaries side by side, and the way they are made."""

    name, title, perspectives = "summaries", "Summaries", ("inspect",)

    def count(self, answer: Answer | None) -> str:
        """Return how many messages are summarized in the prompt."""
        return f"{_summarized(answer):,}" if answer and self.is_offered(answer) else ""

    def is_offered(self, answer: Answer | None) -> bool:
        """Return whether any message is summarized or has a summary, or summaries are to be computed."""
        if answer is None:
            return False
        are_there = _summarized(answer) > 0 or answer.scenario.summaries is not None
        return bool(are_there) or _has_summaries(answer)

    def show_workspace(self) -> None:
        """Forget the messages of the workspace before."""
        self.view.show_table(None)

    def show_controls(self, controls: Controls) -> None:
        """Show the method of summaries."""
        summarizing = self.host.session.pipeline.known.summarizing
        trouble = summarizing.trouble(controls.scenario, controls.case.summarizer)
        self.view.show_setting(controls.scenario, trouble)

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Request new summaries when decisions changed."""
        if before is None or after is None or before.assembly is not after.assembly:
            self.view.refresh()

    def show_row(self) -> None:
        """Select the message selected elsewhere."""
        if self.host.row is not None:
            self.view.select_row(self.host.row)

    def _request(self) -> None:
        from inspector.analysis.fidelity.ask import summary_tables

        if not self.host.session.ask(self.name, summary_tables, self.view.show_table, awaited=True):
            self.view.show_table(None)

    def _make(self, parent: QWidget) -> "SummaryView":
        from inspector.gui.screens.summaries.view import SummaryView

        host, view = self.host, SummaryView(parent)
        view.requested.connect(self._request)
        view.outdated.connect(lambda: host.session.tasks.cancel("summaries"))
        view.row_selected.connect(host.select)
        view.method_chosen.connect(self._use)
        view.tokens_chosen.connect(partial(host.session.drag, "summary tokens", set_summary_tokens))
        return view

    def _use(self, method: str | None) -> None:
        """Summarize by this method; failed summaries are tried again."""
        session = self.host.session
        session.pipeline.known.summarizing.try_again()
        session.edit(use_summaries, method)


def _has_summaries(answer: Answer) -> bool:
    """Return whether the file has a summary of any message, looked for once for the same items."""
    items = answer.assembly.candidates.items
    return items.derived("has_summaries", None, lambda: any(getattr(one, "summary", None) for one in items.things))
