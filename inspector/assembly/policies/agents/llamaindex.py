"""llamaindex_summary_buffer: `ChatSummaryMemoryBuffer` of llama-index-core 0.14.25."""

from dataclasses import dataclass
from typing import ClassVar

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.decisions import Assembly
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.agents.checks import before_requests
from inspector.assembly.policies.agents.course import Course, lived, replay_param, summary_size_param
from inspector.assembly.policies.agents.talk import ASSISTANT, TOOL, open_talk
from inspector.assembly.policy import Traits, null_is, param


@dataclass(frozen=True)
class LlamaindexSummaryBuffer:
    """Keeps the newest messages up to a limit, and folds the older ones into one summary before them."""

    traits: ClassVar[Traits] = Traits(
        title="LlamaIndex summary buffer", whose="llama-index-core", maker="library", counts_contents=True
    )

    token_limit: int = param(
        2_000,
        0,
        200_000,
        scale="log",
        unit="tokens",
        help="The counted tokens of the messages that stay; three quarters of the window where a model is given.",
        sizes="history",
    )
    summary_text: str = param(
        "",
        reads=null_is(""),
        help="The text of the summary, which costs what it counts; empty: the size below.",
        topic="summaries",
    )
    replay: bool = replay_param()
    summary_size: int = summary_size_param()

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Live the session through. There is always a prompt, over the window if necessary."""
        ledger = Ledger(candidates, window)
        pinned, talk = open_talk(ledger)
        return lived(talk, self, self._live).closed(ledger, pinned)

    def _live(self, course: Course) -> None:
        counts = course.talk.counts_of_contents
        # The limit holds for counts, not for recorded costs; what is looked at each time is no longer than the limit.
        for check in before_requests(course, is_last_only=not self.replay).due(course, lambda *_: True):
            self._fold(course, counts, check)

    def _fold(self, course: Course, counts: tuple[int, ...], at: int) -> None:
        state, start, left = course.state, len(course.state), self.token_limit
        while start > 0:
            entry = state[start - 1]
            left -= counts[entry] if course.is_message(entry) else course.cost(entry)
            if left < 0:
                break
            start -= 1
        while start < len(state) and course.is_message(state[start]) and course.role(state[start]) in (ASSISTANT, TOOL):
            start += 1
        if start == 0 or all(map(course.is_summary, state[:start])):
            return
        before, text = course.total(), self.summary_text
        size = course.talk.count(text) if text else self.summary_size
        course.state = [course.summarize(state[:start], size, "system", text or None), *state[start:]]
        course.happened(at, "compacted", before, course.total())
