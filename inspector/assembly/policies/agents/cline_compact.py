"""cline_compact: the agentic compaction of Cline 4.

Source: cline/cline SDK 21cb8d25, `agentic-compaction`, npm @cline/core 0.0.86. Its strategy `basic` is not simulated.
"""

from dataclasses import dataclass
from math import ceil, floor
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import I64
from inspector.assembly.decisions import Assembly
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.agents.checks import Checks, before_requests
from inspector.assembly.policies.agents.course import Course, base_tokens_param, lived, replay_param, summary_size_param
from inspector.assembly.policies.agents.folds import Stays, fold_at
from inspector.assembly.policies.agents.talk import USER, Talk, open_talk
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
        talk, checks = course.talk, before_requests(course, is_last_only=not self.replay)
        due = checks.first_with(talk.sums, ceil(trigger) - self.base_tokens, self.summary_size)
        fold_at(course, checks, due, _stays(talk, checks, tail), self.summary_size, self.base_tokens)


def _stays(talk: Talk, checks: Checks, tail: int) -> Stays:
    """Return what stays at each check: at least `tail` tokens, back to the newest message of the user."""
    upto, sums, cuts = checks.upto, talk.sums, _cuts(talk)
    cut = np.minimum(np.searchsorted(sums, sums[upto] - tail, side="right") - 1, upto)
    typed = cuts.users[upto]
    with_user = np.minimum(cut, typed)
    return Stays(np.where(with_user < upto, cuts.calls[with_user], upto), np.where(cut < upto, cuts.calls[cut], upto))


@dataclass(frozen=True, eq=False, slots=True)
class _Cuts:
    """By place, with that before the first at the end: the newest message up to it that is no result, and the newest of
    the user before it, the first of all aside; -1 for none.
    """

    calls: I64
    users: I64


def _cuts(talk: Talk) -> _Cuts:
    def make() -> _Cuts:
        places = np.arange(len(talk), dtype=np.int64)
        calls = np.maximum.accumulate(np.where(talk.is_result, -1, places))
        users = np.maximum.accumulate(np.where((talk.roles == USER) & (places > 0), places, -1))
        return _Cuts(np.concatenate([calls, [len(talk), -1]]), np.concatenate([[-1], users]))

    return talk.derived("cline cuts", (), make)
