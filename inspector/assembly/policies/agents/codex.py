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
from inspector.assembly.policies.agents.course import (
    Course,
    base_tokens_param,
    lived,
    replay_param,
    summary_size_param,
)
from inspector.assembly.policies.agents.talk import USER, Talk, open_talk
from inspector.assembly.policy import Traits, null_is, param
from inspector.assembly.reasons import CUT_MIDDLE

BYTES_PER_TOKEN = 4
WRITTEN_ANEW = ("# AGENTS.md instructions for ", "<environment_context>", "<user_instructions>")
"""The beginnings of messages of the program's own, which it writes anew after a compaction."""


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
        for check in checks.reaching(course, lambda: limit - self.base_tokens):
            self._compact(course, check)

    def _compact(self, course: Course, at: int) -> None:
        """Keep the newest user messages of the list, and fold the rest into a summary at its end."""
        before, room, kept = self.base_tokens + course.total(), self.user_message_tokens, list[int]()
        users, sizes = _users(course.talk), _sizes(course.talk)
        for entry in reversed(course.state):
            if not room:
                break
            is_whole = entry not in course.forms
            if entry < 0 or not (users[entry] if is_whole else _is_real(course, entry)):
                continue
            kept.append(entry)
            charge = -(-(sizes[entry] if is_whole else _size(course.text(entry))) // BYTES_PER_TOKEN)
            if charge > room:
                course.change(entry, cut_middle(course.text(entry), room), CUT_MIDDLE)
                break
            room -= charge
        staying = set(kept)
        summary = course.summarize((entry for entry in course.state if entry not in staying), self.summary_size)
        course.state = [*reversed(kept), summary]
        course.happened(at, "compacted", before, self.base_tokens + course.total())


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


def _users(talk: Talk) -> tuple[int, ...]:
    """Return by place whether a message is the user's own, and not of the program."""
    return talk.column(
        "codex users", lambda place: talk.roles[place] == USER and not _is_of_program(talk.content(place))
    )


def _is_real(course: Course, entry: int) -> bool:
    """Return whether a message with another text is the user's own, and not of the program."""
    return course.role(entry) == USER and not _is_of_program(course.text(entry))


def _is_of_program(text: str) -> bool:
    return text.lstrip().startswith(WRITTEN_ANEW)


def _sizes(talk: Talk) -> tuple[int, ...]:
    """Return by place the UTF-8 bytes of the text of a message."""
    return talk.column("bytes", lambda place: _size(talk.content(place)))


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def cut_middle(text: str, tokens: int) -> str:
    """Return a text cut in its middle to about `tokens` tokens of four bytes, with the number of those left out."""
    content, budget = text.encode("utf-8", "replace"), BYTES_PER_TOKEN * tokens
    left = budget // 2
    right = len(content) - (budget - left)
    while right < len(content) and content[right] & 0xC0 == 0x80:
        right += 1
    beginning = content[:left].decode("utf-8", "ignore")
    left_out = -(-(len(content) - budget) // BYTES_PER_TOKEN)
    return f"{beginning}…{left_out} tokens truncated…{content[right:].decode('utf-8', 'ignore')}"
