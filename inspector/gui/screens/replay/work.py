"""The work of a replay: a conversation under one or two policies, made on a worker, roughly first and then in full."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from inspector.analysis.replay import Replay, replay
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.assembly.shootout import Contender
from inspector.gui.session import Session
from inspector.gui.tasks import tell
from inspector.tokens.cache import CountCache

NAME = "replay"
MOST_TURNS = 5_000
"""Of a longer conversation one of so many turns is replayed that they are no more than these."""
FIRST_TURNS = 200
_TOLD_TIMES = 100


@dataclass(frozen=True)
class Share:
    """How much of a replay is made, 0–1."""

    done: float


def what_is_replayed(scenario: Scenario) -> Scenario:
    """The scenario without what a replay does not look at: two that agree in the rest have the same replay."""
    return replace(scenario, at=None, as_of=False, draft=None)


def steps_of(messages: int) -> tuple[int, ...]:
    """One of how many turns is replayed, roughly first where there are many."""
    finest = max(1, -(-messages // MOST_TURNS))
    first = max(finest, messages // FIRST_TURNS)
    return (first, finest) if first > finest else (finest,)


def start_replay(
    session: Session,
    contenders: Sequence[Contender],
    show: Callable[[Sequence[Replay] | Share], None],
    end: Callable[[str], None],
) -> bool:
    """Replay what is open, as it is and under each of these; False where nothing is open.

    `show` gets shares of the work and replays of all scenarios, coarse ones first; `end` is told why there are none,
    "" where there are. A newer request of this name takes the place of this one.
    """
    if session.answer is None or session.trouble:
        session.tasks.cancel(NAME)
        return False
    pipeline, cache, scenario = session.pipeline.fork(), session.cache, what_is_replayed(session.answer.scenario)
    scenarios = [scenario, *(contender.scenario(scenario) for contender in contenders)]
    messages = len(session.answer.case.chosen.parts.messages)
    request = partial(_replays, pipeline, scenarios, cache, steps_of(messages))
    session.tasks.run(NAME, request, show, lambda: end(""), lambda error: end(str(error) or type(error).__name__))
    return True


def _replays(
    pipeline: Pipeline, scenarios: Sequence[Scenario], cache: CountCache, steps: Sequence[int]
) -> Iterator[Sequence[Replay]]:
    for every in steps:
        found: list[Replay] = []
        for number, scenario in enumerate(scenarios):
            found.append(replay(pipeline, scenario, cache, every=every, on_turn=partial(_tell, number, len(scenarios))))
        yield found


def _tell(number: int, scenarios: int, done: int, turns: int) -> None:
    if done % max(1, turns // _TOLD_TIMES) == 0:
        tell(Share((number + done / turns) / scenarios))
