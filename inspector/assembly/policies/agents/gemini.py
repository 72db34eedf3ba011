"""gemini_compress: the compression of a chat by Gemini CLI.

Source: npm @google/gemini-cli-core 0.61.0, `chatCompressionService`, and google-gemini/gemini-cli 5411f113. Its masking
of old results, its check by a second call and its `contextManagement` are not simulated.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.decisions import Assembly
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.agents.checks import Checks
from inspector.assembly.policies.agents.course import Course, base_tokens_param, lived, replay_param, summary_size_param
from inspector.assembly.policies.agents.gemini_columns import PlainList, measured, plain_list
from inspector.assembly.policies.agents.gemini_contents import (
    MODEL,
    PER_LONG,
    USER,
    Contents,
    estimate,
    shortened,
    units,
    written,
)
from inspector.assembly.policies.agents.gemini_walk import Front, Terms, walk
from inspector.assembly.policies.agents.talk import ASSISTANT, TOOL, Talk, open_talk
from inspector.assembly.policy import Traits, null_is, param
from inspector.assembly.reasons import CUT_MIDDLE

ACKNOWLEDGED = "Got it. Thanks for the additional context!"


@dataclass(frozen=True)
class GeminiCompress:
    """Folds the older part of a chat into one summary once half of the window is used, and cuts large tool results.

    A summary that would leave more tokens than before is thrown away, and no other is tried.
    """

    traits: ClassVar[Traits] = Traits(
        title="Gemini compression", whose="Gemini CLI", maker="program", counts_contents=True
    )

    threshold: float = param(
        0.5, 0, 1, step=0.01, unit="share", label="Compress at", help="The share of the window in use."
    )
    preserve: float = param(
        0.3,
        0,
        1,
        step=0.01,
        unit="share",
        label="Part that stays",
        help="The newest share of the characters, which is not told by the summary.",
        sizes="history",
    )
    tool_budget: int = param(
        50_000, 0, 1_000_000, scale="log", unit="tokens", help="Tool results that stay whole, newest first."
    )
    tool_chars: int = param(
        40_000,
        0,
        1_000_000,
        scale="log",
        unit="characters",
        help="The length to which results beyond the budget are cut.",
        topic="rare",
    )
    summary_text: str = param(
        "",
        help="The text of the summary, which costs what it counts; empty: the size below.",
        topic="summaries",
        reads=null_is(""),
    )
    replay: bool = replay_param()
    base_tokens: int = base_tokens_param()
    summary_size: int = summary_size_param()

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Live the session through. There is always a prompt, over the window if necessary."""
        ledger = Ledger(candidates, window)
        pinned, talk = open_talk(ledger, self.base_tokens)
        # A usage is a whole number, so the share is rounded up.
        least = ceil(self.threshold * window.tokens) - self.base_tokens
        return lived(talk, (self, least), lambda course: self._live(course, least)).closed(ledger, pinned)

    def _live(self, course: Course, least: int) -> None:
        checks = _checks(course.talk, is_last_only=not self.replay)
        if np.any(measured(course).units > self.tool_chars):
            self._live_through(course, checks, least)
        else:
            walk(course, checks, Terms(self.preserve, least, self.base_tokens), self._front(course.talk))

    def _front(self, talk: Talk) -> Front:
        """Return what stands in the place of the older contents."""
        size = self._size(talk)
        text = self.summary_text or "x" * (PER_LONG * size)
        characters = len(USER) + len(MODEL) + sum(units(written({"text": each})) for each in (text, ACKNOWLEDGED))
        return Front(self.summary_text or None, size, characters, estimate(text) + estimate(ACKNOWLEDGED), ACKNOWLEDGED)

    def _live_through(self, course: Course, checks: Checks, least: int) -> None:
        has_failed = False
        for check in checks.reaching(course, lambda: least):
            if not course.state:
                continue
            if has_failed:
                self._only_cut(course, check)
            else:
                has_failed = not self._compress(course, check)

    def _usage(self, course: Course) -> int:
        """Return the usage that the last answer reported: that of its prompt, without itself."""
        state = course.state
        is_answer = course.is_message(state[-1]) and course.role(state[-1]) == ASSISTANT
        return self.base_tokens + course.total(state[:-1] if is_answer else state)

    def _compress(self, course: Course, at: int) -> bool:
        """Fold the older contents. Return False if the summary is thrown away."""
        plain = plain_list(course, Contents(course, {}, self.summary_text), self.tool_chars)
        if plain is not None:
            return self._compress_plain(plain, at)
        before, cut = self._usage(course), self._cut_results(course)
        contents = Contents(course, cut, self.summary_text)
        split = self._split(contents)
        if not split:
            return True
        older = [entry for group in contents.groups[:split] for entry in group]
        newer = [entry for group in contents.groups[split:] for entry in group]
        if self._is_inflated(course, sum(map(contents.estimate, newer)), before, at):
            return False
        self._take(course, cut, newer)
        self._put(course, older, newer)
        course.happened(at, "compacted", before, self.base_tokens + course.total())
        return True

    def _compress_plain(self, plain: PlainList, at: int) -> bool:
        """Do the same for a list of which no result is to be cut."""
        course, before, place = plain.course, self.base_tokens + plain.usage(), plain.split(self.preserve)
        if place is None:
            return True
        if self._is_inflated(course, plain.estimate(place), before, at):
            return False
        self._put(course, [*plain.front, *range(plain.start, place)], range(place, plain.stop))
        sums = course.talk.sums
        kept = self._size(course.talk) + int(sums[plain.stop] - sums[place])
        course.happened(at, "compacted", before, self.base_tokens + kept)
        return True

    def _is_inflated(self, course: Course, newer: float, before: int, at: int) -> bool:
        """Return whether summary and newer contents are more than before, by the program's estimate, and record it."""
        size = self._size(course.talk)
        known = estimate(self.summary_text or "x" * (4 * size)) + estimate(ACKNOWLEDGED)
        if floor(known + newer) <= before:
            return False
        course.happened(at, "failed_inflated", before, before)
        return True

    def _put(self, course: Course, older: Sequence[int], newer: Sequence[int]) -> None:
        """Put a summary in the place of the older entries."""
        summary = course.summarize(older, self._size(course.talk), text=self.summary_text or None)
        course.state = [summary, course.note("assistant", ACKNOWLEDGED), *newer]

    def _only_cut(self, course: Course, at: int) -> None:
        """Cut large results, if that leaves fewer tokens than before."""
        plain = plain_list(course, Contents(course, {}, self.summary_text), self.tool_chars)
        if plain is not None:
            usage = self.base_tokens + plain.usage()
            if floor(plain.whole_estimate()) < usage:
                course.happened(at, "truncated_only", usage, self.base_tokens + plain.cost(plain.stop))
            return
        before, cut = self._usage(course), self._cut_results(course)
        contents = Contents(course, cut, self.summary_text)
        if floor(sum(map(contents.estimate, course.state))) < before:
            self._take(course, cut, course.state)
            course.happened(at, "truncated_only", before, self.base_tokens + course.total())

    def _size(self, talk: Talk) -> int:
        return talk.count(self.summary_text) if self.summary_text else self.summary_size

    def _cut_results(self, course: Course) -> dict[int, str]:
        """Return the texts of results beyond the budget, newest first, cut."""
        used, cut = 0, dict[int, str]()
        for entry in reversed(course.state):
            if not course.is_message(entry) or course.role(entry) != TOOL:
                continue
            text = course.text(entry)
            tokens = floor(_estimate(course, entry, text))
            if used + tokens > self.tool_budget:
                short = shortened(text, self.tool_chars)
                if short != text:
                    cut[entry] = short
                tokens = floor(estimate(short))
            used += tokens
        return cut

    def _take(self, course: Course, cut: dict[int, str], among: list[int]) -> None:
        for entry in among:
            if entry in cut:
                course.change(entry, cut[entry], CUT_MIDDLE)

    def _split(self, contents: Contents) -> int:
        """Return the number of contents to fold."""
        groups, lengths = contents.groups, [contents.length(group) for group in contents.groups]
        target, before, remembered = sum(lengths) * (1 - self.preserve), 0, 0
        for number, group in enumerate(groups):
            if contents.is_request(group):
                if before >= target:
                    return number
                remembered = number
            before += lengths[number]
        is_answer = contents.is_model(groups[-1]) and not contents.has_calls(groups[-1])
        return len(groups) if is_answer else remembered


def _estimate(course: Course, entry: int, text: str) -> float:
    """Return the estimate of the text of a result; that of a whole one is remembered."""
    if entry in course.forms:
        return estimate(text)
    known: dict[int, float] = course.talk.derived("gemini results", (), dict)
    if entry not in known:
        known[entry] = estimate(text)
    return known[entry]


def _checks(talk: Talk, *, is_last_only: bool) -> Checks:
    """Return the checks before each request, without the messages or results that are being sent."""
    roles, requests = talk.roles, talk.requests
    begins = np.flatnonzero(np.concatenate([[True], roles[1:] != roles[:-1]])) if len(talk) else requests
    starts = begins[np.searchsorted(begins, requests, side="right") - 1] if len(requests) else requests
    answered = np.zeros(len(talk) + 1, np.int64)
    answered[1:] = roles == ASSISTANT
    return Checks(requests, starts, starts - answered[starts], is_last_only=is_last_only)
