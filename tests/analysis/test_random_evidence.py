"""Evidence drawn at random is told apart from evidence that answers: the best of many settings gains only by chance."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from inspector.analysis.recommend.advice import WindowAdvice, recommend
from inspector.analysis.recommend.search import Terms
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Conversation, Message, Probe, Workspace
from inspector.plugins import policies

MESSAGES, CHATS = 40, "abcdef"
WINDOW, REPLY = 200, 20
FILLED = Scenario(
    tokenizer="estimate:words",
    similarity="lexical",
    context_window=WINDOW,
    policy="window_rag",
    parameters={"total_limit": 144, "history_budget": 8, "rag_budget": 136, "misfit": "stop", "per_source": 60},
)
"""A setting that fits and fills the window, so that nothing is to be gained by filling it."""
BLIND = replace(FILLED, policy="slots", parameters={"history_slot": 110})
"""Another, which looks at no question."""


@cache
def pipeline() -> Pipeline:
    """Chats in which every message has a word of its own among nine that all have."""
    chats = tuple(
        Conversation(
            name,
            tuple(
                Message(f"m{n}", "assistant" if n % 2 else "user", f"word{name}{n} and so we spoke on of this")
                for n in range(MESSAGES)
            ),
            origin="chats.json",
        )
        for name in CHATS
    )
    return Pipeline(Workspace(chats), policies()[0], load_presets())


def asked(seed: int | None) -> list[Probe]:
    """Questions with the word of a message that is their evidence, or of one that has nothing to do with it."""
    random = np.random.default_rng(seed)
    return [
        Probe(f"{name}-{n}", (f"m{n if seed is None else random.integers(MESSAGES)}",), name, query=f"word{name}{n}?")
        for name in CHATS
        for n in range(0, MESSAGES, 4)
    ]


def advice_of(current: Scenario, probes: Sequence[Probe]) -> WindowAdvice:
    *_, last = recommend(pipeline(), current, probes, Terms((WINDOW,), REPLY, ("slots", "window_rag")))
    assert last.found is not None
    (advice,) = last.found.windows
    assert advice.current.fits == 1, "else a change would be advised for the room alone"
    return advice


def test_where_evidence_answers_comparing_gains_surely() -> None:
    advice = advice_of(BLIND, asked(None))
    assert advice.changes
    assert advice.interval is not None
    assert advice.interval[0] > 20
    assert advice.best.recall_with_memories == 1


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 8))])
def test_where_evidence_is_random_the_best_of_hundreds_is_not_advised(seed: int) -> None:
    advice = advice_of(FILLED, asked(seed))
    assert advice.best.recall_with_memories > advice.current.recall_with_memories, "the best of many is better by luck"
    assert not advice.changes
    assert advice.interval is not None
    assert advice.interval[0] <= 0 <= advice.interval[1]
    assert advice.gain is not None
    of_its_own = 100 * (advice.best.recall_with_memories - advice.current.recall_with_memories)
    assert advice.gain < of_its_own, "on chats left out the luck is gone"
