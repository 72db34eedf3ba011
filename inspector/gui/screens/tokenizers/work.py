"""The work of the tokenizers: one conversation counted by many, on a worker."""

from collections.abc import Callable, Sequence

from inspector.analysis.tokenizers import CountingStep, TokenizerComparison, tokenizer_comparisons
from inspector.gui.progress import Progress
from inspector.gui.session import Session


def compare_tokenizers(
    session: Session, names: Sequence[str] | None, show: Callable[[TokenizerComparison | None], None]
) -> None:
    """Set tokenizers side by side, one column after the other; without names the usual ones.

    `show` is called in this thread after each column, with None where nothing is open.
    """
    if session.answer is None or session.trouble:
        show(None)
        return
    # The scenario that is answered: another one may be on its way, and be refused.
    pipeline, scenario, cache = session.pipeline.fork(), session.answer.scenario, session.cache

    def take(step: CountingStep | TokenizerComparison) -> None:
        if isinstance(step, CountingStep):
            session.show_progress(Progress(f"Counting with {step.name}", step.share))
        else:
            show(step)

    session.work("tokenizers", lambda: tokenizer_comparisons(pipeline, scenario, names, cache), take)
