"""cline_compact: the agentic compaction of Cline 4.

Source: cline/cline SDK 21cb8d25, `agentic-compaction`, npm @cline/core 0.0.86. Its strategy `basic` is not simulated.
"""

from dataclasses import dataclass
from math import ceil, floor
from typing import ClassVar

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.decisions import Assembly
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.agents.checks import before_requests
from inspector.assembly.policies.agents.course import Course, base_tokens_param, lived, replay_param, summary_size_param
from inspector.assembly.policies.agents.talk import TOOL, USER, open_talk
from inspector.assembly.policy import Traits, null_is, param


@dataclass(frozen=True)
class ClineCompact:
    """Folds all but the newest messages into one summary before a request that nearly fills the model's input.

    The newest message of the user always stays, and a call never parts from its result.
    """

    traits: ClassVar[Traits] = Traits(title="Cline 4 compaction", whose="Cline", maker="program", counts_contents=True)

    max_input_tokens: int = param(
        0,
        0,
        2_000_000,
        scale="log",
        unit="tokens",
        at_minimum="unknown",
        reads=null_is(0),
        help="The input limit of the model; unknown: nine tenths of the window.",
    )
    preserve_recent_tokens: int = param(
        20_000, 0, 200_000, scale="log", unit="tokens", help="The newest tokens that stay.", sizes="history"
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
        most = min(self.max_input_tokens, window) if self.max_input_tokens else window * 0.9
        trigger = most * 0.9
        target = max(1, min(floor(trigger * 0.7), most, max(1, trigger - 1)))
        tail = min(self.preserve_recent_tokens, max(1, floor(target - self.base_tokens)))
        checks = before_requests(course, is_last_only=not self.replay)
        for check in checks.reaching(course, lambda: ceil(trigger) - self.base_tokens):
            self._compact(course, check, tail)

    def _compact(self, course: Course, at: int, tail: int) -> None:
        state, cut = course.state, _cut(course, tail)
        if cut <= 0 or all(map(course.is_summary, state[:cut])):
            return
        before = self.base_tokens + course.total()
        course.state = [course.summarize(state[:cut], self.summary_size), *state[cut:]]
        course.happened(at, "compacted", before, self.base_tokens + course.total())


def _cut(course: Course, tail: int) -> int:
    """Return the number of entries before the cut; 0 where there is none."""
    state, total, cut = course.state, 0, len(course.state)
    while cut > 0 and total < tail:
        cut -= 1
        total += course.cost(state[cut])
    typed = len(state) - 1
    while typed > 0 and not (course.is_message(state[typed]) and course.role(state[typed]) == USER):
        typed -= 1
    if cut <= 0:
        return 0
    if typed > 0:
        cut = min(cut, typed)
    while 0 < cut < len(state) and (course.is_summary(state[cut]) or course.role(state[cut]) == TOOL):
        cut -= 1
    return cut
