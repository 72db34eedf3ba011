"""semantic_kernel_summarization: `ChatHistorySummarizationReducer` of semantic-kernel 1.45."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.decisions import Assembly
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.agents.checks import Checks
from inspector.assembly.policies.agents.course import CUT_OUT, Course, lived, replay_param, summary_size_param
from inspector.assembly.policies.agents.talk import SYSTEM, TOOL, USER, open_talk
from inspector.assembly.policy import Traits, param


@dataclass(frozen=True)
class SemanticKernelSummarization:
    """Folds the messages before a number of the newest into a summary after every message beyond a threshold.

    Calls and results before the cut go without a trace, and of system messages all but the first. Tokens do not count.
    """

    traits: ClassVar[Traits] = Traits(
        title="Semantic Kernel summarization", whose="semantic-kernel", maker="library", counts_contents=True
    )

    target_count: int = param(10, 1, 500, scale="log", unit="messages", help="Messages left by a cut.", sizes="history")
    threshold_count: int = param(
        0, 0, 500, scale="log", unit="messages", help="This many more than the target are tolerated."
    )
    use_single_summary: bool = param(True, help="A new summary tells the older one; otherwise it follows it.")
    include_function_content: bool = param(
        False, label="Calls in the summary", help="Calls and results of tools are told as well."
    )
    replay: bool = replay_param()
    summary_size: int = summary_size_param()

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Live the session through. There is always a prompt, over the window if necessary."""
        ledger = Ledger(candidates, window)
        pinned, talk = open_talk(ledger)
        return lived(talk, self, self._live).closed(ledger, pinned)

    def _live(self, course: Course) -> None:
        places = np.arange(len(course.talk), dtype=np.int64)
        checks, is_any_system = Checks(places, places + 1, is_last_only=not self.replay), SYSTEM in course.talk.roles
        for check in checks.due(course, lambda _, entries: entries > self.target_count + self.threshold_count):
            self._reduce(course, check, is_any_system)

    def _reduce(self, course: Course, at: int, is_any_system: bool) -> None:
        state = course.state
        offset = next((place for place, entry in enumerate(state) if not course.is_summary(entry)), 0)
        looked_at = enumerate(state if is_any_system else ())
        system = next((place for place, entry in looked_at if _has_role(course, entry, SYSTEM)), None)
        is_older = system is not None and system < len(state) - self.target_count
        cut = self._cut(course, offset, self.target_count - is_older)
        if cut is None:
            return
        own = range(0 if self.use_single_summary else offset, cut)
        told = [state[place] for place in own if self._is_told(course, state[place])]
        if not told:
            return
        before = len(state)
        front = [state[system]] if system is not None and system < cut else []
        staying = [] if self.use_single_summary else state[:offset]
        course.lose(set(state[:cut]) - {*told, *front, *staying}, CUT_OUT)
        summary = course.summarize(told, self.summary_size, "assistant")
        course.state = [*front, *staying, summary, *state[cut:]]
        course.happened(at, "compacted", before, len(course.state), unit="entry")

    def _is_told(self, course: Course, entry: int) -> bool:
        if _has_role(course, entry, SYSTEM):
            return False
        return self.include_function_content or not _is_tied(course, entry)

    def _cut(self, course: Course, offset: int, target: int) -> int | None:
        """Return the number of entries before the cut; None where there is no safe place."""
        state = course.state
        earliest = len(state) - self.threshold_count - target
        if earliest <= offset:
            return None
        if target <= 0:
            return len(state)
        start = len(state) - target
        while start > offset and _is_tied(course, state[start]) and _is_tied(course, state[start - 1]):
            start -= 1
        place = start
        while place >= max(earliest, 0):
            if _has_role(course, state[place], USER):
                return place
            place -= 1
        return start


def _has_role(course: Course, entry: int, role: int) -> bool:
    return course.is_message(entry) and course.role(entry) == role


def _is_tied(course: Course, entry: int) -> bool:
    """Return whether a message has a call of a tool, or is the result of one."""
    return course.is_message(entry) and (course.role(entry) == TOOL or bool(course.talk.calls(entry)))
