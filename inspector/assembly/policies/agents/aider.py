"""aider_summary: the summary of a chat by Aider.

Source: Aider-AI/aider 5dc9490b, `history.py`, `ChatSummary`.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.decisions import Assembly
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.agents.aider_walk import Terms, walk
from inspector.assembly.policies.agents.checks import Checks
from inspector.assembly.policies.agents.course import Course, lived, replay_param, summary_size_param
from inspector.assembly.policies.agents.talk import ASSISTANT, USER, Talk, open_talk
from inspector.assembly.policy import Traits, null_is, param

PROMPT_ROOM = 512


@dataclass(frozen=True)
class AiderSummary:
    """Folds the older part of finished exchanges into a summary once they are larger than a limit.

    A head too long for the summarizer is lost without a trace from where its input ends.
    """

    traits: ClassVar[Traits] = Traits(title="Aider summary", whose="Aider", maker="program", counts_contents=True)

    max_tokens: int = param(
        0,
        0,
        200_000,
        scale="log",
        unit="tokens",
        at_minimum="by the window",
        reads=null_is(0),
        label="Finished exchanges",
        help="Their tokens at most; by default a sixteenth of the window, 1,024 to 8,192.",
        sizes="history",
    )
    model_max_input: int = param(
        4_096,
        0,
        2_000_000,
        scale="log",
        unit="tokens",
        reads=null_is(4_096),
        help="The summarizer's input.",
        topic="rare",
    )
    replay: bool = replay_param()
    summary_size: int = summary_size_param()

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Live the session through. There is always a prompt, over the window if necessary."""
        ledger = Ledger(candidates, window)
        pinned, talk = open_talk(ledger)
        most = self.max_tokens or int(min(max(window.tokens / 16, 1_024), 8_192))
        return lived(talk, (self, most), lambda course: self._live(course, most)).closed(ledger, pinned)

    def _live(self, course: Course, most: int) -> None:
        ends = _ends(course.talk)
        checks = Checks(ends, ends + 1, is_last_only=not self.replay)
        walk(course, checks, Terms(most, self.model_max_input - PROMPT_ROOM, self.summary_size))


def _ends(talk: Talk) -> np.ndarray:
    """Return the places of the answers that a user message or the end follows."""
    following = np.append(talk.roles[1:], np.uint8(USER))
    return np.flatnonzero((talk.roles == ASSISTANT) & (following == USER)).astype(np.int64)
