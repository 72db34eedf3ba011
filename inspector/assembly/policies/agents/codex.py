"""codex_compact: the local compaction of OpenAI's Codex CLI, used with providers other than OpenAI.

Source: openai/codex, codex-rs/core/src/compact.rs, versions of 2026 (e06dd0e5 and later, npm 0.171).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.decisions import Assembly
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.agents.checks import Checks
from inspector.assembly.policies.agents.codex_walk import Terms, walk
from inspector.assembly.policies.agents.course import (
    Course,
    base_tokens_param,
    lived,
    replay_param,
    summary_size_param,
)
from inspector.assembly.policies.agents.talk import USER, Talk, open_talk
from inspector.assembly.policy import Traits, null_is, param


@dataclass(frozen=True)
class CodexCompact:
    """Folds everything but the newest user messages into one summary once the recorded usage reaches a limit.

    Every answer, call and result is lost at each compaction, and user messages beyond `user_message_tokens`.
    """

    traits: ClassVar[Traits] = Traits(
        title="Codex compaction", whose="Codex CLI", maker="program", counts_contents=True
    )

    auto_compact_limit: int = param(
        0,
        0,
        1_000_000,
        scale="log",
        unit="tokens",
        at_minimum="nine tenths",
        reads=null_is(0),
        help="The usage at which it compacts, at most nine tenths of the window (`model_auto_compact_token_limit`).",
    )
    user_message_tokens: int = param(
        20_000,
        0,
        200_000,
        scale="log",
        unit="tokens",
        help="What user messages may keep, newest first; a token is taken as four bytes.",
        sizes="history",
    )
    replay: bool = replay_param()
    base_tokens: int = base_tokens_param()
    summary_size: int = summary_size_param()

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Live the session through. There is always a prompt, over the window if necessary."""
        ledger = Ledger(candidates, window)
        pinned, talk = open_talk(ledger, self.base_tokens)
        limit = window.tokens * 9 // 10
        limit = min(self.auto_compact_limit, limit) if self.auto_compact_limit else limit
        return lived(talk, (self, limit), lambda course: self._live(course, limit)).closed(ledger, pinned)

    def _live(self, course: Course, limit: int) -> None:
        checks = _checks(course.talk, is_last_only=not self.replay)
        terms = Terms(limit - self.base_tokens, self.user_message_tokens, self.base_tokens, self.summary_size)
        walk(course, checks, terms)


def _checks(talk: Talk, *, is_last_only: bool) -> Checks:
    """Return the checks: before a user message, without it, and after the last result of one message's calls."""
    roles = talk.roles
    users = np.flatnonzero(roles == USER)
    users = users[users > 0]
    results = talk.requests[roles[talk.requests] != USER]
    places = np.concatenate([users, results])
    upto = np.concatenate([users, results + 1])
    order = np.lexsort((places, upto))
    return Checks(places[order], upto[order], is_last_only=is_last_only)
