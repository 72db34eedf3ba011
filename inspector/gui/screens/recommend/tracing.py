"""The work behind the plots: the recall of settings, measured on a worker with more and more questions."""

from collections.abc import Callable, Sequence
from functools import partial

from inspector.analysis.recommend.categories import Categories, asked_by_category
from inspector.analysis.recommend.tried import Tried, try_out
from inspector.assembly.scenario import Scenario
from inspector.gui.screens.recommend.category_page import CategoryPage
from inspector.gui.session import Session
from inspector.gui.tasks import tell_now_and_then
from inspector.model import Probe

Show = Callable[[Tried], None]
End = Callable[[str], None]


def start_tracing(session: Session, name: str, tried: Tried, probes: Sequence[Probe], show: Show, end: End) -> None:
    """Measure the recall of these settings on these probes; a newer request of the same name replaces this one.

    `end` gets the reason for missing results, "" if all came.
    """
    request = partial(try_out, session.pipeline.fork(), tried, probes, session.cache)
    fail = lambda error: end(str(error) or type(error).__name__)  # noqa: E731 - as a sentence
    session.tasks.run(name, request, show, lambda: end(""), fail)


def start_asking_by_category(
    session: Session, settings: Sequence[Scenario], probes: Sequence[Probe], page: CategoryPage
) -> None:
    """Ask the probes under these settings, for a page; a newer request replaces this one."""
    request = partial(asked_by_category, session.pipeline.fork(), settings, probes, session.cache, tell_now_and_then)

    def take(step: Categories | tuple[int, int]) -> None:
        if isinstance(step[0], int):
            page.show_progress(*step)  # type: ignore[arg-type]
        else:
            page.show_categories(step)  # type: ignore[arg-type]

    fail = lambda error: page.end(str(error) or type(error).__name__)  # noqa: E731 - as a sentence
    session.tasks.run("recommend_categories", request, take, lambda: page.end(""), fail)
