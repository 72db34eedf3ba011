"""A small conversation with memories, counted in words."""

from typing import Any

import pytest

from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Character, Conversation, Memory, MemorySet, Message, Workspace
from inspector.plugins import policies


@pytest.fixture
def found() -> Workspace:
    costs = (9, 4, 30, 6, 2, 12, 7, 3, 8, 5)
    messages = tuple(
        Message(f"m{n}", "assistant" if n % 2 else "user", " ".join(["w"] * cost)) for n, cost in enumerate(costs)
    )
    stored = tuple(
        Memory(f"k{n}", " ".join(["w"] * cost), similarity=similarity, priority=priority, type="fact")
        for n, (cost, similarity, priority) in enumerate([(5, 0.9, 10), (8, 0.5, 90), (3, 0.2, 50), (20, 0.1, 100)])
    )
    return Workspace(
        conversations=(
            Conversation("c1", messages, origin="chat.json"),
            Conversation("c2", messages[:2], origin="chat.json"),
        ),
        memory_sets=(MemorySet("default", stored),),
        characters=(Character("nova", system_prompt="be kind"),),
    )


@pytest.fixture
def pipeline(found: Workspace) -> Pipeline:
    return Pipeline(found, policies()[0], load_presets())


@pytest.fixture
def scenario(pipeline: Pipeline) -> Scenario:
    """Window and shares that leave some of everything out."""
    chosen: dict[str, Any] = {"conversation": "c1", "tokenizer": "estimate:words", "context_window": 70}
    made = Scenario(**chosen, parameters={"min_exchanges": 1})
    make_all(pipeline, made)
    return made
