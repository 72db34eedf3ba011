"""Answers for tests of widgets: small conversations whose every figure can be read, one word a token."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from inspector.assembly.answer import Answer, planned_answer
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Conversation, Memory, MemorySet, Message, Workspace, changed
from inspector.plugins import policies

SPOKEN = (
    "We sailed past the coral reef at dawn",
    "What did you see there",
    "蓝色的珊瑚 and a ship\nwith a second line",
    "مرحبا يا صديقي",
    "The Harbour light was out, and <b>nobody</b> noticed",
    "Tell me more",
)


def message(number: int, text: str = "", **fields: object) -> Message:
    """The message `m<number>`; even ones are the user's."""
    role = "assistant" if number % 2 else "user"
    plain = Message(f"m{number}", role, text or SPOKEN[number % len(SPOKEN)])
    return changed(plain, **fields)


def timed_messages(count: int) -> list[Message]:
    """Messages two minutes apart, with the speakers' names."""
    start = datetime(2024, 5, 1, 9, 0, tzinfo=UTC)
    return [
        message(number, time=start + timedelta(minutes=2 * number), name=("Mara", "Nova")[number % 2])
        for number in range(count)
    ]


def pipeline_for(messages: Sequence[Message], memories: Sequence[str] = ()) -> Pipeline:
    """A pipeline over one conversation and memories `k0`, `k1`, … of falling priority."""
    stored = tuple(Memory(f"k{number}", text, priority=90.0 - number) for number, text in enumerate(memories))
    workspace = Workspace(
        conversations=(Conversation("c1", tuple(messages)),),
        memory_sets=(MemorySet("default", stored),) if stored else (),
    )
    return Pipeline(workspace, policies()[0], load_presets())


def answer_of(pipeline: Pipeline, window: int, **fields: object) -> Answer:
    """The answer to a scenario with everything counted, one word a token."""
    scenario = replace(Scenario(tokenizer="estimate:words", context_window=window), **fields)
    make_all(pipeline, scenario)
    return planned_answer(pipeline, pipeline.case(scenario))
