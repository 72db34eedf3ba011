"""cline_truncate: the truncation of a task by Cline up to 3.89.

Source: cline/cline 6eeee7c4 (2026-06-24), `ContextManager.ts`. The larger cut after an overflow error of a provider and
the summarizing tool (`auto-condense`) are not simulated.
"""

from dataclasses import dataclass
from math import ceil
from typing import ClassVar

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.decisions import Assembly
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.agents.checks import Checks
from inspector.assembly.policies.agents.cline_reads import Replaced, replace_repeated
from inspector.assembly.policies.agents.course import CUT_OUT, ORPHAN, Course, base_tokens_param, lived, replay_param
from inspector.assembly.policies.agents.gemini_contents import units
from inspector.assembly.policies.agents.talk import ASSISTANT, TOOL, open_talk
from inspector.assembly.policy import Traits, param
from inspector.assembly.reasons import Reason

NOTICE = Reason(
    "notice",
    "a notice in its place",
    "After the first cut a notice stands in place of the first reply: {spent} tokens instead of {tokens}.",
)
ENOUGH_SAVED = 0.3
PAIR = 2
"""The first message and the first reply, which always stay."""
_BUFFERS = {64_000: 27_000, 128_000: 30_000, 200_000: 40_000}


def allowed_tokens(window: int) -> int:
    """Return the tokens at which a task is shortened, rounded up."""
    if window in _BUFFERS:
        return window - _BUFFERS[window]
    return max(window - 40_000, ceil(window * 0.8))


@dataclass(frozen=True)
class ClineTruncate:
    """Cuts a half or three quarters out after the first pair once the window is nearly full; first, repeated reads."""

    traits: ClassVar[Traits] = Traits(title="Cline 3 truncation", whose="Cline", maker="program", counts_contents=True)

    notice: str = param(
        "[Note: earlier messages of this task have been removed to stay within the context window. The first message "
        "and the newest ones are still here.]",
        help="The text in place of the first reply after a cut.",
        topic="rare",
    )
    duplicate_notice: str = param(
        "[Note: this file is read again later, and its content has been removed here.]",
        help="The text in place of an older read of a file.",
        topic="rare",
    )
    replay: bool = replay_param()
    base_tokens: int = base_tokens_param()

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Live the session through. There is always a prompt, over the window if necessary."""
        ledger = Ledger(candidates, window)
        pinned, talk = open_talk(ledger, self.base_tokens)
        allowed = allowed_tokens(window.tokens)
        return lived(talk, (self, allowed), lambda course: self._live(course, allowed)).closed(ledger, pinned)

    def _live(self, course: Course, allowed: int) -> None:
        requests = course.talk.requests[1:]
        checks = Checks(requests, requests + 1, requests, is_last_only=not self.replay)
        replaced, rest = Replaced(), PAIR
        for check in checks.reaching(course, lambda: allowed - self.base_tokens):
            rest = self._shorten(course, check, rest, allowed, replaced)
        self._complete(course)

    def _shorten(self, course: Course, at: int, rest: int, allowed: int, replaced: Replaced) -> int:
        """Replace repeated reads, and cut if that saves too little. Return the new beginning of the rest."""
        newest = course.state[-1]
        before = self.base_tokens + course.total() - (course.cost(newest) if newest == at else 0)
        looked_at = [*range(min(PAIR, rest, at + 1)), *range(rest, at + 1)]
        texts = replace_repeated(course, range(rest, at + 1), self.duplicate_notice, replaced)
        kind = "deduplicated"
        if not texts or _share_saved(course, looked_at, texts) < ENOUGH_SAVED:
            rest, kind = self._cut(course, at, rest, is_quarter=before / 2 > allowed), "truncated"
        gone = (PAIR, rest - 1) if rest > PAIR else None
        course.happened(at, kind, before, self.base_tokens + course.total(), range=gone)
        return rest

    def _cut(self, course: Course, at: int, rest: int, *, is_quarter: bool) -> int:
        """Cut messages out after the first pair. Return the place of the first one that stays after it."""
        there = at + 1 - rest
        last = rest + (there * 3 // 8 if is_quarter else there // 4) * 2 - 1
        if course.role(last) != ASSISTANT:
            last -= 1
        gone = set(range(rest, last + 1))
        course.lose(gone, CUT_OUT)
        if last + 1 <= at and course.role(last + 1) == TOOL:
            course.lose([last + 1], ORPHAN)
            gone.add(last + 1)
        course.state = [entry for entry in course.state if entry not in gone]
        if len(course.talk) > 1 and course.role(1) == ASSISTANT:
            course.change(1, self.notice, NOTICE)
        return max(rest, last + 1)

    def _complete(self, course: Course) -> None:
        """Make up the missing results of the calls of the first reply."""
        if 1 in course.forms and course.forms[1].reason == NOTICE:
            answered = {course.talk.call_id(entry) for entry in course.state if course.role(entry) == TOOL}
            missing = [call for call in course.talk.calls(1) if call.id not in answered]
            course.state[2:2] = [course.note("user", "result missing") for _ in missing]


def _share_saved(course: Course, places: list[int], before: dict[int, str]) -> float:
    """Return the share of the characters of these messages that the changes have saved."""
    talk = course.talk
    whole = talk.column("units", lambda place: units(talk.content(place)))
    old = new = 0
    for place in places:
        now = units(course.text(place)) if place in course.forms else whole[place]
        old += units(before[place]) if place in before else now
        new += now
    return (old - new) / old if old else 0
