"""Flips against the policy itself: what it does before, at and after them, in random cases of every policy and preset.

A case is a random chat with memories and lore under one random slider. Every flip that is told is asked for at its own
value and at the last one before it; where every value was looked at, whole prompts are compared around flips and at
the ends.
"""

import os
import random
from dataclasses import replace

import pytest

from inspector.analysis.sliders import move_slider, sliders
from inspector.analysis.survival.ask import packing_for, survival
from inspector.analysis.survival.stretches import Outcome, Survival
from inspector.assembly.case import Case
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.assembly.thresholds import WINDOW
from inspector.model import Character, Conversation, Lorebook, LoreEntry, Memory, MemorySet, Message, Workspace
from inspector.plugins import policies

CASES = int(os.environ.get("PROMPT_INSPECTOR_FLIPS", "25"))
"""So many cases of each policy and preset; 1000 for a thorough run."""
PRESETS = load_presets()
PAIRS = sorted(key for key in PRESETS if key[0] in policies()[0])
LOOKS, FLIPS = 24, 4


def words(choose: random.Random, word: str) -> str:
    return " ".join([word] * choose.randrange(15))


def message(choose: random.Random, number: int) -> Message:
    summary = choose.choice([None, "short"])
    return Message(f"m{number}", "assistant" if number % 2 else "user", words(choose, f"w{number}"), summary=summary)


def workspace(choose: random.Random) -> Workspace:
    """A short chat with memories and lore, of random costs."""
    messages = tuple(message(choose, number) for number in range(choose.randint(1, 14)))
    remembered = tuple(
        Memory(f"k{number}", words(choose, f"k{number}"), similarity=choose.choice([0.1, 0.5, 0.9]), type="fact")
        for number in range(choose.randint(1, 10))
    )
    lore = tuple(LoreEntry(f"l{number}", words(choose, "old"), constant=True) for number in range(choose.randrange(3)))
    return Workspace(
        conversations=(Conversation("c", messages),),
        memory_sets=(MemorySet("default", remembered),),
        characters=(Character("nova", system_prompt="be kind", directive="be kind and brief"),),
        lorebooks=(Lorebook("book", lore),),
    )


def outcomes(pipeline: Pipeline, case: Case, name: str, value: float) -> list[int]:
    """What the policy makes of every item, once it is asked."""
    assembly = pipeline.assemble(pipeline.case(move_slider(case.scenario, case, name, value).scenario))
    return [int(Outcome.NO_PROMPT)] * len(assembly.action) if assembly.error else assembly.action.tolist()


def check(choose: random.Random, policy: str, preset: str) -> None:
    pipeline = Pipeline(workspace(choose), policies()[0], PRESETS)
    scenario = Scenario(policy=policy, preset=preset, model="gpt-4o", tokenizer="estimate:words", similarity="recorded")
    scenario = replace(scenario, context_window=choose.randint(20, 250))
    case = make_all(pipeline, scenario)
    name = choose.choice([WINDOW, *(each.name for each in sliders(case))])
    found = survival(pipeline, scenario, name, looks=LOOKS)
    assert found.is_exact or packing_for(case, pipeline.candidates(case), name) is None
    asked = choose.sample(found.flips.tolist(), min(FLIPS, len(found.flips)))
    for place in asked:
        begin, before, row = (int(column[place]) for column in (found.begins, found.before, found.rows))
        assert outcomes(pipeline, case, name, found.axis.value(begin))[row] == found.outcomes[place]
        assert outcomes(pipeline, case, name, found.axis.value(before))[row] == found.outcomes[place - 1]
    for number in around(found, asked):
        assert outcomes(pipeline, case, name, found.axis.value(number)) == found.at(number).tolist()


def around(found: Survival, flips: list[int]) -> set[int]:
    """The numbers at which whole prompts are compared: where every one was looked at the ends and those after flips."""
    if not found.is_exact:
        return set()
    after = (min(int(found.begins[place]) + 1, found.last) for place in flips)
    return {found.first, found.last, *after}


@pytest.mark.parametrize(("policy", "preset"), PAIRS)
def test_the_policy_agrees_before_at_and_after_every_flip(policy: str, preset: str) -> None:
    for number in range(CASES):
        seed = f"{policy} {preset} {number}"
        try:
            check(random.Random(seed), policy, preset)
        except AssertionError as wrong:
            wrong.add_note(f"in the case {seed!r}")
            raise
