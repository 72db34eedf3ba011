"""What the tests of assemblies share: texts of a known number of words, small workspaces, and their answers."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from inspector.assembly.answer import Answer, measured, planned_answer
from inspector.assembly.columns import Action, word
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Character, Conversation, Memory, MemorySet, Message, Workspace
from inspector.plugins import policies

BY_WORDS = "hf:no-such-folder"
"""An embedding that nobody has: texts are compared by their words, whatever is installed."""
START = datetime(2026, 1, 1, tzinfo=UTC)


def words(count: int, filler: str = "w") -> str:
    """A text of so many words, so many tokens for estimate:words."""
    return " ".join([filler] * count)


def chat(*costs: int, **fields: Any) -> tuple[Message, ...]:
    """User and assistant in turn, each message of so many words, a day apart."""
    return tuple(
        Message(f"m{index}", "assistant" if index % 2 else "user", words(cost), time=START + timedelta(index), **fields)
        for index, cost in enumerate(costs)
    )


def memories(*costs: int, **fields: Any) -> MemorySet:
    """Memories of so many words each, named k0, k1, …, the first the most similar."""
    found = (Memory(f"k{index}", words(cost), similarity=1 - index / 100, **fields) for index, cost in enumerate(costs))
    return MemorySet("default", tuple(found))


def workspace(
    messages: Sequence[Message] = (),
    stored: MemorySet | None = None,
    character: Character | None = None,
    **lists: Any,
) -> Workspace:
    """One conversation with what goes with it."""
    return Workspace(
        conversations=(Conversation("c1", tuple(messages)),),
        memory_sets=(stored,) if stored else (),
        characters=(character,) if character else (),
        **lists,
    )


def pipeline_for(found: Workspace) -> Pipeline:
    """A pipeline with the built-in policies and presets."""
    return Pipeline(found, policies()[0], load_presets())


def answer_to(found: Workspace, **scenario: Any) -> Answer:
    """The measured answer, counted in words unless the scenario says otherwise."""
    pipeline, wanted = pipeline_for(found), Scenario(**{"tokenizer": "estimate:words", **scenario})
    make_all(pipeline, wanted)
    return measured(pipeline, planned_answer(pipeline, pipeline.case(wanted)))


def decisions(answer: Answer) -> dict[str, tuple[str, int, str]]:
    """id → action, tokens spent, reason."""
    assembly = answer.assembly
    return {
        name: (word(Action(assembly.action[row])), int(assembly.spent[row]), assembly.reason_of(row).code)
        for row, name in enumerate(assembly.candidates.ids)
    }


def kept(answer: Answer) -> list[str]:
    """The ids that are in the prompt, in the order of the candidates."""
    return [name for name, (action, _, _) in decisions(answer).items() if action != "dropped"]


def codes(answer: Answer) -> list[str]:
    """The codes of the findings."""
    return [finding.code for finding in answer.findings]


Parameters = Mapping[str, Any]
