"""semantic_kernel_summarization: `ChatHistorySummarizationReducer` of semantic-kernel 1.45."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Bool
from inspector.assembly.decisions import Assembly
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.agents.checks import Checks
from inspector.assembly.policies.agents.course import CUT_OUT, Course, lived, replay_param, summary_size_param
from inspector.assembly.policies.agents.folds import Folds, take_folds
from inspector.assembly.policies.agents.talk import SYSTEM, TOOL, USER, Talk, open_talk
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
        roles = course.talk.roles
        if self.replay and self.use_single_summary and not np.any(roles[1:] == SYSTEM):
            self._fold_all(course, int(bool(len(roles)) and roles[0] == SYSTEM))
        else:
            self._live_through(course)

    def _fold_all(self, course: Course, first: int) -> None:
        """Work out every reduction of a list that is one summary before the newest messages.

        `first` is 1 with a system message at the beginning, which stays before the summary and counts.
        """
        columns, most = _columns(course.talk), self.target_count + self.threshold_count
        is_told = np.full(len(course.talk), True) if self.include_function_content else ~columns.tied
        is_told[:first] = False
        sums = np.concatenate([[0], np.cumsum(is_told, dtype=np.int64)]).tolist()
        target, backs, users = self.target_count - first, columns.backs, columns.users
        ats, starts = list[int](), list[int]()
        start, upto, fixed, end, below = first, 0, first, len(course.talk), self.threshold_count + target
        while True:  # without calls of functions: there may be as many reductions as messages
            least = start + most + 1 - (fixed if first else 0)
            upto = least if least > upto else upto + 1
            if upto > end:
                break
            back = backs[upto - target] if target else upto
            back = start if back < start else back
            user = users[back] if target else -1
            cut = user if user >= upto - below else back
            if fixed > first or sums[cut] > sums[start]:
                ats.append(upto - 1)
                starts.append(cut)
                start, fixed = cut, first + 1
        at, after = np.array(ats, np.int64), np.array(starts, np.int64)
        earlier = np.concatenate([[first], after])[: len(after)]
        before = at + 1 - earlier + first + (np.arange(len(at)) > 0)
        folds = Folds(at, after, before, at + 1 - after + first + 1, "entry", range(first))
        take_folds(course, folds, is_told, self.summary_size, "assistant")

    def _live_through(self, course: Course) -> None:
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


@dataclass(frozen=True, slots=True)
class _Columns:
    """By place: the messages with a call or a result, the beginning of their run, and the last user message."""

    tied: Bool
    backs: tuple[int, ...]
    users: tuple[int, ...]


def _columns(talk: Talk) -> _Columns:
    def make() -> _Columns:
        places, roles = np.arange(len(talk)), talk.roles
        has_calls = np.fromiter((bool(talk.calls(place)) for place in range(len(talk))), np.bool_, len(talk))
        tied = has_calls | (roles == TOOL)
        apart = np.maximum.accumulate(np.where(tied, -1, places)) if len(talk) else places
        users = np.maximum.accumulate(np.where(roles == USER, places, -1)) if len(talk) else places
        return _Columns(tied, tuple(np.where(tied, apart + 1, places).tolist()), tuple(users.tolist()))

    return talk.derived("semantic kernel", (), make)


def _has_role(course: Course, entry: int, role: int) -> bool:
    return course.is_message(entry) and course.role(entry) == role


def _is_tied(course: Course, entry: int) -> bool:
    """Return whether a message has a call of a tool, or is the result of one."""
    return course.is_message(entry) and (course.role(entry) == TOOL or bool(course.talk.calls(entry)))
