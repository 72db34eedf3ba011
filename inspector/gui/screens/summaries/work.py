"""The work of the summaries: looking for what each one loses, on a worker."""

from collections.abc import Callable

from inspector.analysis.fidelity import SummaryTable, summary_tables
from inspector.gui.progress import Progress
from inspector.gui.session import Session


def compare_summaries(session: Session, show: Callable[[SummaryTable | None], None]) -> None:
    """Set the summaries of the current answer beside their originals.

    `show` is called in this thread, with None where nothing is open.
    """
    if session.answer is None or session.trouble:
        show(None)
        return
    assembly = session.answer.assembly

    def take(step: SummaryTable | float) -> None:
        if isinstance(step, SummaryTable):
            show(step)
        else:
            session.show_progress(Progress("Looking for facts", step))

    session.work("summaries", lambda: summary_tables(assembly), take)
