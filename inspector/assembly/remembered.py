"""The user's settings for each policy and changes to each conversation, kept for the next time they are chosen."""

from collections.abc import Mapping
from typing import Any

from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario

Remembered = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Policy → preset → parameters; the last preset of a policy is the last one used."""

NOTHING: Remembered = {}

RememberedChats = Mapping[str, Scenario]
"""Conversation → a scenario with the changes to this conversation only."""

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
"""The fields of a scenario about the messages of a conversation, with their defaults."""
OF_A_CONVERSATION = {"conversation": None, "character": None, "memory_sets": None, "draft": None, **OF_ITS_MESSAGES}
"""All fields of a scenario about a conversation, with their defaults."""


def remember(remembered: Remembered, scenario: Scenario) -> Remembered:
    """Return the same with the parameters of a scenario for its policy and preset."""
    policy, preset = scenario.policy or DEFAULT_POLICY, scenario.preset or DEFAULT_PRESET
    others = {name: values for name, values in remembered.get(policy, {}).items() if name != preset}
    return {**remembered, policy: {**others, preset: scenario.parameters}}


def remember_chat(remembered: RememberedChats, conversation: str, scenario: Scenario) -> RememberedChats:
    """Return the same with the changes of a scenario to its conversation, if there are any."""
    done = Scenario(**{**_done_to_one(scenario), "conversation": None})
    others = {name: before for name, before in remembered.items() if name != conversation}
    return others if done == Scenario() else {**others, conversation: done}


def left_as(remembered: RememberedChats, conversation: str) -> dict[str, Any]:
    """Return the fields of a scenario for a conversation as it was left, or as in its file if nothing is remembered."""
    return {**_done_to_one(remembered.get(conversation, Scenario())), "conversation": conversation}


def _done_to_one(scenario: Scenario) -> dict[str, Any]:
    return {name: getattr(scenario, name) for name in OF_A_CONVERSATION}


def last_preset(remembered: Remembered, policy: str) -> str | None:
    """Return the preset last used with a policy, None if it was not used."""
    return next(reversed(list(remembered.get(policy, ()))), None)
