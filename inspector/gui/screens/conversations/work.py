"""The work of the overview: every conversation under the setting in use, made on a worker, one after the other."""

from collections.abc import Callable

from inspector.analysis.archive.overview import Looked, overview
from inspector.analysis.probes import askable
from inspector.gui.session import Session

NAME = "overview"


def look_at_all(session: Session, take: Callable[[Looked], None], end: Callable[[str], None]) -> bool:
    """Look at every conversation that is open; False, and nothing done, where nothing is, or the setting is refused.

    `take` gets each as it is known, `end` is told why not all are, "" where they are. A newer request of this name
    takes the place of this one.
    """
    if session.answer is None or session.trouble or not session.workspace.conversations:
        session.tasks.cancel(NAME)
        return False
    pipeline, cache, scenario = session.pipeline.fork(), session.cache, session.answer.scenario
    chats = session.chats
    asked, _ = askable(session.workspace, session.workspace.probes)
    request = lambda: overview(pipeline, scenario, asked, cache, chats)  # noqa: E731 - of this scenario
    session.tasks.run(NAME, request, take, lambda: end(""), lambda error: end(str(error) or type(error).__name__))
    return True
