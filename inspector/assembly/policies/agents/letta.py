"""letta_buffer: the summarizers of Letta's Python server.

Source: letta 0.16.8, `services/summarizer`. The first message is the system's. No session is lived through.
"""

from dataclasses import dataclass
from typing import ClassVar

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.decisions import Assembly
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.agents.course import CUT_OUT, Course, base_tokens_param, summary_size_param
from inspector.assembly.policies.agents.talk import ASSISTANT, USER, open_talk
from inspector.assembly.policy import Traits, param

FULL_SHARE, STEP = 0.9, 0.1


@dataclass(frozen=True)
class LettaBuffer:
    """Keeps the newest messages of a long conversation, and archives or folds the older ones."""

    traits: ClassVar[Traits] = Traits(title="Letta buffer", whose="Letta", maker="program", counts_contents=True)

    mode: str = param(
        "static",
        choices={
            "static": "a number of the newest messages; the others are archived",
            "partial_evict": "a share of the messages is folded once the window is full",
            "sliding_window": "as many are folded as it takes once nine tenths are in use",
        },
        help="The way of shortening.",
    )
    buffer_limit: int = param(60, 1, 2_000, scale="log", unit="messages", help="With `static`: more than these.")
    buffer_min: int = param(15, 0, 2_000, scale="log", unit="messages", help="With `static`: the newest that stay.")
    evict_share: float = param(0.3, 0, 1, step=0.01, unit="share", help="The share that is folded.")
    base_tokens: int = base_tokens_param()
    summary_size: int = summary_size_param()

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Shorten the conversation as it stands. There is always a prompt, over the window if necessary."""
        ledger = Ledger(candidates, window)
        pinned, talk = open_talk(ledger, self.base_tokens)
        course = Course(talk)
        course.state = list(range(len(talk)))
        usage = self.base_tokens + course.total()
        if self.mode == "static":
            if len(course.state) > self.buffer_limit:
                self._archive(course)
        elif self.mode == "partial_evict":
            if usage > window.tokens:
                self._fold(course, _next(course, round((1 - self.evict_share) * len(course.state)), ASSISTANT))
        elif usage > int(window.tokens * FULL_SHARE):
            self._fold(course, self._start(course, window.tokens))
        return course.closed(ledger, pinned)

    def _archive(self, course: Course) -> None:
        start = _next(course, max(1, len(course.state) - self.buffer_min), USER)
        course.lose(course.state[1:start], CUT_OUT)
        course.state = [*course.state[:1], *course.state[start:]]

    def _fold(self, course: Course, start: int) -> None:
        if start > 1:
            summary = course.summarize(course.state[1:start], self.summary_size)
            course.state = [*course.state[:1], summary, *course.state[start:]]

    def _start(self, course: Course, window: int) -> int:
        """Return the number of messages before those that stay."""
        total, share = len(course.state), self.evict_share
        while share < 1:
            share += STEP
            places = range(min(round(share * total), total - 1), 0, -1)
            start = next((place for place in places if course.role(course.state[place]) == ASSISTANT), None)
            if start is None:
                continue
            if course.total([*course.state[:1], *course.state[start:]]) < (1 - self.evict_share) * window:
                return start
        return total


def _next(course: Course, start: int, role: int) -> int:
    """Return the first place from `start` on with a message of a role; the end if there is none."""
    state = course.state
    while start < len(state) and course.role(state[start]) != role:
        start += 1
    return start
