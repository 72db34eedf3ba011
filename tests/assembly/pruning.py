"""What shrinks in the tests of prune-down: small workspaces of known costs, and the case of a policy."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from building import answer_to, chat, decisions, memories, words, workspace

from inspector.model import Character, Component, Lorebook, LoreEntry, Workspace

TALK = chat(4, 3, 5, 2, 6, 1, 3)
NOVA = Character("nova", system_prompt="be kind and brief")
LORE = Lorebook("book", (LoreEntry("l0", "it is old", constant=True),))
FULL = workspace(TALK, memories(5, 4, 3), NOVA, lorebooks=(LORE,))
MESSAGES = workspace(TALK, character=NOVA)
PARTS = workspace(
    TALK,
    character=Character(
        "nova",
        system_prompt=NOVA.system_prompt,
        components=(
            Component("c0", "rule", words(3), 0),
            Component("c1", "hint", words(4), 5),
            Component("c2", "fact", words(2), 1),
        ),
    ),
)
WINDOW = "context_window"
GIVES_WAY = ("compacted", "cleared", "notice")
"""Reasons for which another text stands in the place of an item."""
ALL_BUT_NEWEST = "m0 m1 m2 m3 m4 m5"


@dataclass(frozen=True)
class Pruning:
    """A policy, what of it shrinks (the window or a parameter) with everything else as it is, and the steps."""

    policy: str
    shrinks: str
    sample: Workspace
    steps: tuple[tuple[int, str], ...]
    fixed: Mapping[str, Any] = field(default_factory=dict)

    def lost(self, budget: int) -> str:
        """What is dropped, told by a summary or cleared with this budget, or the error."""
        scenario: dict[str, Any] = {WINDOW: 1000, "parameters": dict(self.fixed)}
        holder = scenario if self.shrinks == WINDOW else scenario["parameters"]
        holder[self.shrinks] = budget
        # A query that is like nothing here, so that only the memories have a similarity, the recorded one.
        answer = answer_to(self.sample, policy=self.policy, query="zebra", **scenario)
        if answer.assembly.error is not None:
            return answer.assembly.error.code
        found = decisions(answer).items()
        return " ".join(name for name, (action, _, reason) in found if action == "dropped" or reason in GIVES_WAY)
