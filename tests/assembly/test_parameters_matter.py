"""Every parameter of every policy under every preset changes an assembly: a control that nothing reads is a lie.

A parameter may need another one to be set before it matters, as a weight of age needs its half-life. So each is tried
with all others as the preset has them, then with each of the others at every word it knows and at both ends of its
range, once more with every switch on, and last of all with each two of the others that are choices among words.
Where a parameter is known to need something, that is tried first: it saves the search, and cannot answer for it.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest
from holding import PRESETS

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.decisions import Assembly
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import Parameter, PolicyError, make_policy, parameters_of
from inspector.assembly.presets import load_presets
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.assembly.scenario import Scenario
from inspector.model import (
    Call,
    Character,
    Component,
    Conversation,
    Image,
    Memory,
    MemorySet,
    Message,
    PastSummary,
    Result,
    Workspace,
    changed,
    with_parts,
)
from inspector.plugins import policies
from inspector.testing.workspaces import EVERYTHING
from tests.examples import pairs

START = datetime(2026, 1, 1, tzinfo=UTC)
COLUMNS = ("action", "reason", "section", "spent", "rank", "left", "score", "guaranteed", "form", "costs", "charges")
WINDOWS = (900, 9_000, 90_000)
"""Tokens: less than a few of the things that are there, than a part of them, and more than all of them."""
FEW = (0, 1, 2, 5, 20, 400)
"""Numbers that are tried beside the ends of a range, where they are within it."""
SAID = (3, 250, 40, 700, 1, 90)
"""Words of the messages of a long chat, over and over."""

Values = dict[str, Any]
NEEDED: dict[str, Values] = {
    "reserved": {"input_limit": 400},
    "prune": {"prune_protect": 0},
    "prune_minimum": {"auto": False, "prune": True, "autocontinue": True, "replay": True},
    "placeholder": {"auto": True, "prune": True, "autocontinue": True, "replay": True, "prune_protect": 0},
    "min_tail": {"hard_limit": 0},
    "trim": {"hard_limit": 0},
    "preamble_tokens": {"hard_limit": 0},
    "misfit": {"rag_budget": 400},
    "n_keep": {"context_shift": True, "add_bos": True, "reply_tokens": 32768},
    "n_discard": {"context_shift": True, "add_bos": True, "reply_tokens": 32768},
    "half_life_days": {"recency_weight": 1.0},
    **{name: {"trigger_kind": "tokens"} for name in ("keep_messages", "keep_tokens", "keep_fraction", "summary_size")},
}
"""Other parameters with which a parameter is known to matter; those that a policy does not have are left out."""


def long_chat() -> Conversation:
    """Some 36,000 words: filler, feelings, key moments, a picture, a command, and a tool that is called."""
    messages = [
        Message(
            f"m{number}",
            "assistant" if number % 2 else "user",
            " ".join([f"said{number}", *["word"] * SAID[number % len(SAID)]]),
            time=START + timedelta(hours=number),
            emotional_weight=(number % 5) / 4,
            key_moment=number % 11 == 3,
            filler=number % 7 == 2,
        )
        for number in range(200)
    ]
    messages[-8] = with_parts(messages[-8], [*messages[-8].whole, Image(), Image()])
    messages[-6] = changed(messages[-6], content="!roll a die")
    messages[-5:-3] = [
        Message("call", "assistant", parts=(Call("t1", "look", '{"at": "sea"}'),)),
        Message("result", "tool", parts=(Result("t1", content="calm"),)),
    ]
    return Conversation("c1", tuple(messages))


def many_memories() -> MemorySet:
    """Two hundred, the best of them neither the first of the file nor the first by id."""
    found = (
        Memory(
            f"k{number}",
            " ".join([f"memory{number}", *["word"] * (number * 37 % 160)]),
            type=("core", "fact", "explicit", "story")[number % 4],
            priority=10.0 * (number % 10),
            similarity=(number * 53 % 200) / 200,
            confidence=(number % 3) / 2,
            time=START - timedelta(days=number),
        )
        for number in range(200)
    )
    return MemorySet("default", tuple(found))


@cache
def workspaces() -> tuple[Workspace, ...]:
    """What policies are tried on: a few of every kind of thing, then more memories, a long chat, a huge system text."""
    (nova,) = EVERYTHING.characters
    large = Component("rules", "rules", " ".join(["rule"] * 12_000), priority=1, required=True)
    near = (PastSummary("s2", "as like as can be", similarity=1.0), PastSummary("s3", "a harbour", similarity=0.9))
    small = changed(EVERYTHING, memory_sets=(many_memories(),), summaries=(*EVERYTHING.summaries, *near))
    long = changed(small, conversations=(long_chat(),))
    chat = EVERYTHING.conversations[0]
    answered = changed(chat, messages=(*chat.messages, Message("said", "assistant", "so it is", name="Nova")))
    return (
        *(EVERYTHING, small, long),
        changed(long, characters=(changed(nova, components=(large, *nova.components)),)),
        changed(EVERYTHING, conversations=(plain_chat(),)),
        changed(EVERYTHING, conversations=(answered,), characters=(card(nova),)),
        changed(long, characters=(card(nova),)),
        changed(EVERYTHING, conversations=(agent_session(),)),
    )


def plain_chat() -> Conversation:
    """Forty short messages and a picture, without tools, and a longer one at last."""
    messages = [Message(f"m{n}", "assistant" if n % 2 else "user", f"said {n} in words") for n in range(40)]
    messages[30] = with_parts(messages[30], [*messages[30].whole, Image()])
    return Conversation("c1", (*messages, Message("last", "user", " ".join(f"word{n}" for n in range(500)))))


def agent_session() -> Conversation:
    """An agent that reads four files again and again, 75,000 words, for six requests and one more.

    The name of its other tool is the text that `values_of` tries.
    """
    messages: list[Message] = []
    for number in range(30):
        if number % 5 == 0:
            messages.append(Message(f"asked{number}", "user", f"look at {number}"))
        call = Call(f"t{number}", ("read_file", "go on")[number % 2], '{"path": "a.py"}')
        text = " ".join([f"[read_file for '{number % 4}.py'] Result:", *[f"line{number}"] * 2_500])
        messages.append(Message(f"call{number}", "assistant", parts=(call,)))
        messages.append(Message(f"result{number}", "tool", parts=(Result(call.id, content=text),)))
        if number % 5 == 4:
            messages.append(Message(f"said{number}", "assistant", f"seen {number}"))
    return Conversation("c1", (*messages, Message("last", "user", "and now")))


def card(character: Character) -> Character:
    """The same with what a character card of SillyTavern has: descriptions, notes and examples."""
    kinds = (
        "description",
        "scenario",
        "authors_note",
        "depth_prompt",
        "example",
        "example",
        "post_history_instructions",
    )
    texts = {"example": "<START>\nUser: is it so\nNova: so it is\n<START>\nUser: again\nNova: and again"}
    pieces = (Component(f"card{n}", kind, texts.get(kind, f"{kind} in words"), n) for n, kind in enumerate(kinds))
    return changed(character, name="Nova", components=tuple(pieces))


def values_of(parameter: Parameter, between: tuple[int, ...] = FEW) -> Iterator[Any]:
    """Values that a person can give a parameter: every word, and of its range both ends and a few between them."""
    low, high, default = parameter.minimum, parameter.maximum, parameter.default
    if isinstance(default, bool):
        yield from (True, False)
    elif parameter.choices:
        yield from parameter.choices
    elif parameter.is_text:
        yield from ("", default or "go on")
    elif isinstance(default, tuple):
        yield from ((number,) * len(default) for number in (low, high))
    else:
        numbers = (low, high, (low + high) / 2, *(few for few in between if low <= few <= high))
        yield from dict.fromkeys(map(int if isinstance(default, int) else float, numbers))


def settings_beside(parameter: Parameter, declared: tuple[Parameter, ...]) -> Iterator[Values]:
    """The other parameters: as needed, as the preset has them, one of them otherwise, and that with every switch on.

    Switches come first, then choices, then numbers: that is how often something depends on one. Last are two choices.
    """
    names = {other.name for other in declared}
    kinds = {one.name: word for one in declared for word, amount in one.amounts.items() if amount == parameter.name}
    needed = kinds | {name: value for name, value in NEEDED.get(parameter.name, {}).items() if name in names}
    if needed:
        yield needed
    others = sorted((other for other in declared if other is not parameter), key=_kind_of_value)
    for switched in ({}, {other.name: True for other in others if isinstance(other.default, bool)}):
        yield switched
        yield from (switched | {other.name: value} for other in others for value in values_of(other, FEW[-1:]))
    for one, two in combinations((other for other in others if other.choices), 2):
        yield from ({one.name: first, two.name: second} for first, second in product(one.choices, two.choices))


def _kind_of_value(parameter: Parameter) -> int:
    return 0 if isinstance(parameter.default, bool) else 1 if parameter.choices else 2


@cache
def candidates_of(policy: str, preset: str) -> tuple[Candidates, ...]:
    """The candidates of each workspace, counted in words."""
    found = []
    for workspace in workspaces():
        pipeline = Pipeline(workspace, policies()[0], load_presets())
        scenario = Scenario(policy=policy, preset=preset, tokenizer="estimate:words", similarity="recorded")
        found.append(pipeline.candidates(make_all(pipeline, scenario)))
    return tuple(found)


def result(kind: type, values: Values, candidates: Candidates, window: int) -> Assembly | str:
    """What a policy makes of candidates; of a refusal its words."""
    try:
        return make_policy(kind, values)(candidates, ContextWindow(window))
    except PolicyError as problem:
        return str(problem)


def differ(one: Assembly | str, other: Assembly | str) -> bool:
    """Whether anything that can be seen differs: columns, reasons, budget, findings, error, or the prompt."""
    if isinstance(one, str) or isinstance(other, str):
        return one != other
    plain = any(getattr(one, name) != getattr(other, name) for name in ("reasons", "budget", "findings", "error"))
    if plain or any(getattr(one, name).tobytes() != getattr(other, name).tobytes() for name in COLUMNS):
        return True
    return one.error is None and list(prompt_messages(one)) != list(prompt_messages(other))


def matters(parameter: Parameter, kind: type, preset: Values, found: tuple[Candidates, ...]) -> bool:
    """Whether some value of a parameter gives another result than its first value does."""
    first, *others = values_of(parameter)
    for beside, candidates, window in product(settings_beside(parameter, parameters_of(kind)), found, WINDOWS):
        today = result(kind, preset | beside | {parameter.name: first}, candidates, window)
        for value in others:
            if differ(today, result(kind, preset | beside | {parameter.name: value}, candidates, window)):
                return True
    return False


@pytest.mark.parametrize(("policy", "preset"), pairs(PRESETS))
def test_every_parameter_changes_some_assembly(policy: str, preset: str) -> None:
    chosen = load_presets()[policy, preset]
    kind = chosen.kind(policies()[0][policy])
    found = candidates_of(policy, preset)
    dead = [one.name for one in parameters_of(kind) if not matters(one, kind, dict(chosen.parameters), found)]
    assert dead == []
