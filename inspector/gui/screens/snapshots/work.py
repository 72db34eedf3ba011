"""The work of the snapshots: what is now and named scenarios answered and set side by side, on a worker."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from inspector.assembly.answer import complete_answer
from inspector.assembly.choices import ScenarioError
from inspector.assembly.scenario import Scenario
from inspector.assembly.side_by_side import SideBySide, side_by_side
from inspector.assembly.snapshots import snapshot_named
from inspector.gui.session import Session
from inspector.tokens.choice import UnknownTokenizerError

NOW = ""
"""Stands for what is now among the names of snapshots."""
NOW_TITLE = "Now"


def compare_snapshots(session: Session, names: Sequence[str], show: Callable[[SideBySide | str | None], None]) -> None:
    """Set what these names stand for side by side. `show` is called in this thread.

    It gets None where nothing is open, and a sentence where a scenario is refused. Nothing is sent to a server.
    """
    if session.answer is None or session.trouble or len(names) < 2:
        show(None)
        return
    pipeline, cache, now = session.pipeline, session.cache, session.answer
    named = [(name, _offline(now.scenario if name == NOW else _scenario(session, name))) for name in names]

    def request() -> Iterator[SideBySide | str]:
        answers = []
        for name, scenario in named:
            try:
                answers.append(complete_answer(pipeline.fork(), scenario, cache))
            except (ScenarioError, UnknownTokenizerError) as problem:
                yield f"{name or NOW_TITLE}: {problem}"
                return
        yield side_by_side([name or NOW_TITLE for name, _ in named], answers)

    session.work("snapshots", request, show)


def _scenario(session: Session, name: str) -> Scenario:
    return snapshot_named(session.snapshots, name).scenario


def _offline(scenario: Scenario) -> Scenario:
    return replace(scenario, summaries=None) if scenario.summaries == "endpoint" else scenario
