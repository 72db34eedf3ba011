"""openhands_condenser: the condensers of OpenHands, over events; a message is one event.

Source: OpenHands 156d0686 (condensers of 0.x), and openhands-sdk 1.58.2 for `summarizing_1x`, whose own defaults are
240 events and 2 first ones. Its cap of tokens and its hard reset are not simulated.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.decisions import Assembly
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.agents.checks import Checks, before_requests
from inspector.assembly.policies.agents.course import (
    CLEARED,
    CUT_OUT,
    Course,
    lived,
    replay_param,
    summary_size_param,
)
from inspector.assembly.policies.agents.folds import Folds, Stays, fold_numbers, take_folds
from inspector.assembly.policies.agents.talk import TOOL, open_talk
from inspector.assembly.policy import Traits, param

MASK = "<MASKED>"
LEAST_SHARE = 0.1
"""A smaller share of the events is not worth a summary to the SDK."""


@dataclass(frozen=True)
class OpenhandsCondenser:
    """Folds, forgets or masks older events once there are more than a number of them. Tokens do not count."""

    traits: ClassVar[Traits] = Traits(
        title="OpenHands condensers", whose="OpenHands", maker="program", counts_contents=True
    )

    condenser: str = param(
        "summarizing",
        choices={
            "summarizing": "one summary of the older half",
            "recent": "the first and the newest events",
            "masking": "results of tools before the newest events give way to a mask",
            "amortized": "the older half is forgotten",
            "summarizing_1x": "one summary of the older half, as the SDK 1.x does",
        },
        help="What is done with older events.",
    )
    max_size: int = param(100, 1, 2_000, scale="log", label="Events at most", help="More than these are condensed.")
    keep_first: int = param(1, 0, 200, label="First events", help="The first events, which always stay.")
    attention_window: int = param(100, 0, 2_000, scale="log", help="With `masking`: the newest events, which stay.")
    replay: bool = replay_param()
    summary_size: int = summary_size_param()

    def __post_init__(self) -> None:
        half, rolling = self.max_size // 2, self.condenser not in ("recent", "masking")
        if rolling and self.keep_first >= half:
            raise ValueError(f"keep_first must be below {half:,}, half of max_size, not {self.keep_first:,}")
        if self.condenser.startswith("summarizing") and self.keep_first >= half - 1:
            raise ValueError(f"keep_first must be below {half - 1:,}, or nothing can be forgotten")

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Live the session through. There is always a prompt, over the window if necessary."""
        ledger = Ledger(candidates, window)
        pinned, talk = open_talk(ledger)
        return lived(talk, self, self._live).closed(ledger, pinned)

    def _live(self, course: Course) -> None:
        talk = course.talk
        if self.condenser in ("recent", "masking"):
            asked = int(talk.requests[-1]) + 1 if len(talk.requests) else 0
            course.state = list(range(asked))
            (self._recent if self.condenser == "recent" else self._mask)(course)
            course.state.extend(range(asked, len(talk)))
            return
        checks = before_requests(course, is_last_only=not self.replay)
        if self.condenser == "summarizing":
            self._fold_all(course, checks)
        else:
            self._live_through(course, checks)

    def _fold_all(self, course: Course, checks: Checks) -> None:
        """Fold what is between the first and the newest events at each check, all in columns."""
        first, newest = self.keep_first, self._newest
        due = checks.first_with(np.arange(len(course.talk) + 1), self.max_size + 1, first + 1)
        tails = checks.upto - newest
        numbers, starts = fold_numbers(checks, due, Stays(tails, tails))
        upto = checks.upto[numbers]
        before = np.where(np.arange(len(numbers)) > 0, first + 1 + upto - np.roll(starts, 1), upto)
        after = np.full(len(numbers), first + 1 + newest, np.int64)
        folds = Folds(checks.places[numbers], starts, before, after, "entry", range(first))
        take_folds(course, folds, np.ones(len(course.talk), np.bool_), self.summary_size, "user")

    @property
    def _newest(self) -> int:
        """How many of the newest events stay beside a summary."""
        return self.max_size // 2 - self.keep_first - 1

    def _live_through(self, course: Course, checks: Checks) -> None:
        condense = self._forget if self.condenser == "amortized" else self._fold_blocks
        for check in checks.due(course, lambda _, entries: entries > self.max_size):
            condense(course, check)

    def _recent(self, course: Course) -> None:
        newest = max(0, self.max_size - self.keep_first)
        if len(course.state) > self.max_size:
            first, rest = course.state[: self.keep_first], course.state[self.keep_first :]
            course.lose(rest[: len(rest) - newest])
            course.state = [*first, *rest[len(rest) - newest :]]

    def _mask(self, course: Course) -> None:
        for entry in course.state[: max(0, len(course.state) - self.attention_window)]:
            if course.role(entry) == TOOL:
                course.change(entry, MASK, CLEARED)

    def _forget(self, course: Course, at: int) -> None:
        newest, before = self.max_size // 2 - self.keep_first, len(course.state)
        end = before - newest
        course.lose(course.state[self.keep_first : end], CUT_OUT)
        course.state = [*course.state[: self.keep_first], *course.state[end:]]
        course.happened(at, "forgotten", before, len(course.state), unit="entry")

    def _fold_blocks(self, course: Course, at: int) -> None:
        """Fold whole blocks: an answer and the results of its calls do not part."""
        events = len(course.state)
        ends = (self.keep_first, events - self._newest)
        start, end = (_not_before_result(course, place) for place in ends)
        if end > start and end - start >= LEAST_SHARE * events:
            self._take(course, at, start, end)

    def _take(self, course: Course, at: int, start: int, end: int) -> None:
        state, before = course.state, len(course.state)
        summary = course.summarize(state[start:end], self.summary_size)
        course.state = [*state[:start], summary, *state[end:]]
        course.happened(at, "compacted", before, len(course.state), unit="entry")


def _not_before_result(course: Course, place: int) -> int:
    state = course.state
    while place < len(state) and course.is_message(state[place]) and course.role(state[place]) == TOOL:
        place += 1
    return place
