"""The work behind the plots: what settings recall, found on a worker, by more and more questions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from inspector.analysis.recall_along import recall_along
from inspector.analysis.recommend.blocks import asked_probes
from inspector.assembly.pipeline import Pipeline
from inspector.gui.screens.recommend.tried import Tried
from inspector.gui.session import Session
from inspector.model import Probe
from inspector.tokens.cache import CountCache

Show = Callable[[Tried], None]
End = Callable[[str], None]


def start_tracing(session: Session, name: str, tried: Tried, probes: Sequence[Probe], show: Show, end: End) -> None:
    """Find what these settings recall of these probes; a newer request of the name takes the place of this one.

    `end` is told why there is nothing more to come, "" where all is known.
    """
    request = partial(_traced, session.pipeline.fork(), tried, probes, session.cache)
    fail = lambda error: end(str(error) or type(error).__name__)  # noqa: E731 - as a sentence
    session.tasks.run(name, request, show, lambda: end(""), fail)


def _traced(pipeline: Pipeline, tried: Tried, probes: Sequence[Probe], cache: CountCache) -> Iterator[Tried]:
    asked = asked_probes(pipeline, tried.base, probes)
    if not asked.probes:
        raise ValueError(
            "; ".join(dict.fromkeys(one.reason for one in asked.skipped[:3])) or "No question can be asked"
        )
    for recall in recall_along(pipeline, tried.settings, asked, cache):
        yield replace(tried, recall=recall)
