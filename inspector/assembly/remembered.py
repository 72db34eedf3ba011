"""What a person tuned for each policy and did to each conversation, so that it is there when they come back."""

from collections.abc import Mapping
from typing import Any

from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario

Remembered = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Policy → preset → parameters; the preset that was used last is the last one of its policy."""

NOTHING: Remembered = {}

RememberedChats = Mapping[str, Scenario]
"""Conversation → a scenario that has what was done to it, and nothing else."""

NO_CHATS: RememberedChats = {}
OF_ITS_MESSAGES = {
    "leaf": None,
    "at": None,
    "as_of": False,
    "pinned": (),
    "excluded": (),
    "overrides": {},
    "query": None,
}
"""What a scenario says of the messages of a conversation, where nobody did anything to them."""
OF_A_CONVERSATION = {"conversation": None, "character": None, "memory_sets": None, "draft": None, **OF_ITS_MESSAGES}
"""All that a scenario says of one conversation, where nobody did anything to it."""


def remember(remembered: Remembered, scenario: Scenario) -> Remembered:
    """The same with the parameters that a scenario has for its policy and preset."""
    policy, preset = scenario.policy or DEFAULT_POLICY, scenario.preset or DEFAULT_PRESET
    others = {name: values for name, values in remembered.get(policy, {}).items() if name != preset}
    return {**remembered, policy: {**others, preset: scenario.parameters}}


def remember_chat(remembered: RememberedChats, conversation: str, scenario: Scenario) -> RememberedChats:
    """The same with what a scenario says of the conversation that it shows, if that is anything."""
    done = Scenario(**{**_done_to_one(scenario), "conversation": None})
    others = {name: before for name, before in remembered.items() if name != conversation}
    return others if done == Scenario() else {**others, conversation: done}


def left_as(remembered: RememberedChats, conversation: str) -> dict[str, Any]:
    """The fields of a scenario that shows a conversation as it was left; as its own file has it where nothing is."""
    return {**_done_to_one(remembered.get(conversation, Scenario())), "conversation": conversation}


def _done_to_one(scenario: Scenario) -> dict[str, Any]:
    return {name: getattr(scenario, name) for name in OF_A_CONVERSATION}


def last_preset(remembered: Remembered, policy: str) -> str | None:
    """The preset that was used last with a policy, None where it was not used."""
    return next(reversed(list(remembered.get(policy, ()))), None)
