"""roo_context: the condensing and the sliding window of Roo Code.

Source: RooCodeInc/Roo-Code cb836567, `context-management` and `condense`.
"""

from dataclasses import dataclass
from math import ceil, floor
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.decisions import Assembly
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.agents.checks import Checks, before_requests
from inspector.assembly.policies.agents.course import (
    CUT_OUT,
    ORPHAN,
    Course,
    base_tokens_param,
    lived,
    replay_param,
    summary_size_param,
)
from inspector.assembly.policies.agents.folds import Stays, fold_at
from inspector.assembly.policies.agents.talk import Talk, open_talk
from inspector.assembly.policy import Traits, param


@dataclass(frozen=True)
class RooContext:
    """Folds everything into one summary once the window is nearly full, or hides half of the messages."""

    traits: ClassVar[Traits] = Traits(title="Roo Code context", whose="Roo Code", maker="program", counts_contents=True)

    auto_condense: bool = param(True, help="A summary comes first; otherwise messages are hidden.")
    condense_percent: float = param(
        100.0, 0, 100, step=1, label="Condense at", help="The percentage of the window in use that suffices."
    )
    max_tokens: int = param(
        8_192, 0, 200_000, scale="log", unit="tokens", label="Reply", help="Reserved for the answer.", sizes="reply"
    )
    summary_fails: bool = param(
        False, help="The model fails to write the summary, so messages are hidden.", topic="rare"
    )
    replay: bool = replay_param()
    base_tokens: int = base_tokens_param()
    summary_size: int = summary_size_param()

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Live the session through. There is always a prompt, over the window if necessary."""
        ledger = Ledger(candidates, window)
        pinned, talk = open_talk(ledger, self.base_tokens)
        return lived(talk, (self, window.tokens), lambda course: self._live(course, window.tokens)).closed(
            ledger, pinned
        )

    def _live(self, course: Course, window: int) -> None:
        allowed = window * 0.9 - self.max_tokens
        percent = ceil(self.condense_percent * window / 100)
        limit = min(floor(allowed) + 1, percent) if self.auto_condense else floor(allowed) + 1
        checks = before_requests(course, is_last_only=not self.replay)
        if self._only_condenses(course.talk, checks, allowed):
            due = checks.first_with(course.talk.sums, limit - self.base_tokens, self.summary_size)
            stays = Stays(checks.upto, checks.upto, fewest=2)
            fold_at(course, checks, due, stays, self.summary_size, self.base_tokens)
        else:
            self._live_through(course, checks, allowed, limit)

    def _only_condenses(self, talk: Talk, checks: Checks, allowed: float) -> bool:
        """Return whether nothing is ever hidden, as there is always enough to condense or room, and no result ever
        stands without its call.
        """
        if not self.auto_condense or self.summary_fails or not _are_answered(talk):
            return False
        ends = np.concatenate([[0], checks.upto])
        alone = np.diff(ends) == 1
        costs = self.base_tokens + self.summary_size + np.diff(talk.sums[ends])
        return not np.any(alone[1:] & (costs[1:] > allowed))

    def _live_through(self, course: Course, checks: Checks, allowed: float, limit: int) -> None:
        hidden = set[int]()
        for check in checks.reaching(course, lambda: limit - self.base_tokens):
            _drop_orphans(course)
            before = self.base_tokens + course.total()
            if self.auto_condense and not self.summary_fails and _can_condense(course):
                course.state = [course.summarize(course.state, self.summary_size)]
                course.happened(check, "compacted", before, self.base_tokens + course.total())
            elif before > allowed and _hide(course, check, hidden):
                course.happened(check, "truncated", before, self.base_tokens + course.total())
        _drop_orphans(course)


def _are_answered(talk: Talk) -> bool:
    """Return whether the call of every result was made since the request before it."""

    def make() -> bool:
        called = dict[str, int]()
        request, requests = -1, set(talk.requests.tolist())
        for place in range(len(talk)):
            called.update((call.id, place) for call in talk.calls(place))
            if talk.is_result[place] and called.get(talk.call_id(place), -1) <= request:
                return False
            request = place if place in requests else request
        return True

    return talk.derived("roo answered", (), make)


def _can_condense(course: Course) -> bool:
    """Return whether there are enough messages since the last summary."""
    places = [place for place, entry in enumerate(course.state) if course.is_summary(entry)]
    since = len(course.state) - (places[-1] if places else 0)
    return since > (2 if places else 1)


def _hide(course: Course, at: int, hidden: set[int]) -> bool:
    """Hide half of the visible messages after the first, folded ones and summaries among them counted."""
    ever = _history(course, at)
    visible = [entry for entry in ever if entry not in hidden]
    number = int((len(visible) - 1) * 0.5)
    number -= number % 2
    if number <= 0:
        return False
    gone = set(visible[1 : number + 1])
    hidden |= gone
    standing = [entry for entry in course.state if entry in gone]
    course.lose(standing, CUT_OUT)
    text = f"[Sliding window truncation: {number} messages hidden to reduce context]"
    marker = course.note("user", text, course.talk.count(text))
    place = 1 if course.state and course.state[0] == visible[0] else 0
    rest = [entry for entry in course.state[place:] if entry not in gone]
    course.state = [*course.state[:place], marker, *rest]
    return True


def _history(course: Course, at: int) -> list[int]:
    """Return every message so far and every summary, in the order in which they came to be."""
    made = {event.row: 0 for event in course.events if event.kind == "compacted"}
    numbers = iter(range(1, course.summaries + 1))
    found: list[int] = []
    for place in range(at + 1):
        found.append(place)
        if int(course.talk.rows[place]) in made:
            found.append(-next(numbers))
    return found


def _drop_orphans(course: Course) -> None:
    """Drop results whose call is gone, once there is a summary."""
    if not any(map(course.is_summary, course.state)):
        return
    talk = course.talk
    has_calls = talk.column("calls", lambda place: len(talk.calls(place)))
    is_result = talk.column("is result", lambda place: int(talk.is_result[place]))
    calls: set[str] = set()
    orphans: set[int] = set()
    for entry in course.state:
        if entry >= 0 and has_calls[entry]:
            calls.update(call.id for call in talk.calls(entry))
        if entry >= 0 and is_result[entry] and talk.call_id(entry) not in calls:
            orphans.add(entry)
    course.lose(orphans, ORPHAN)
    course.state = [entry for entry in course.state if entry not in orphans]
