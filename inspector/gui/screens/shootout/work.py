"""The work of the shoot-out: one conversation under many policies, made on a worker."""

from collections.abc import Callable, Sequence

from inspector.analysis.shootout import shootouts
from inspector.assembly.shootout import Contender, Shootout
from inspector.gui.session import Session


def shoot_out(session: Session, pairs: Sequence[tuple[str, str]], show: Callable[[Shootout | None], None]) -> None:
    """Set policies under presets side by side: at once with what is counted, then with all counted.

    `pairs` are names of policies and presets. `show` is called in this thread, with None where nothing is open.
    """
    if session.answer is None or session.trouble:
        show(None)
        return
    # The scenario that is answered: another one may be on its way, and be refused.
    pipeline, scenario, cache = session.pipeline.fork(), session.answer.scenario, session.cache
    contenders = [Contender(*pair) for pair in pairs]
    session.work("shootout", lambda: shootouts(pipeline, scenario, contenders, cache), show)
