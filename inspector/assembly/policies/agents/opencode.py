"""opencode_compact: the compaction and the pruning of opencode.

Source: opencode 1.18.34 (npm), `session/compaction`. The setting aside of a message that the provider rejects as too
long is not simulated.
"""

from dataclasses import dataclass
from math import floor
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import I64
from inspector.assembly.decisions import Assembly
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.agents.anthropic import placeholder_param
from inspector.assembly.policies.agents.checks import Checks
from inspector.assembly.policies.agents.course import (
    CLEARED,
    Course,
    base_tokens_param,
    lived,
    replay_param,
    summary_size_param,
)
from inspector.assembly.policies.agents.opencode_walk import Terms, walk
from inspector.assembly.policies.agents.talk import ASSISTANT, TOOL, USER, Talk, open_talk
from inspector.assembly.policy import Traits, null_is, param

QUESTION, CONTINUE = "What did we do so far?", "Continue if you have next steps."
SPARED_TOOL = "skill"
UNSET = -1


@dataclass(frozen=True)
class OpencodeCompact:
    """Folds all but the newest turns into one summary once the model's input is full, and may clear old results."""

    traits: ClassVar[Traits] = Traits(
        title="OpenCode compaction", whose="opencode", maker="program", counts_contents=True
    )

    auto: bool = param(True, help="It compacts by itself when the input is full.")
    max_output: int = param(
        32_000, 0, 200_000, scale="log", unit="tokens", help="The model's output limit, at most 32,000.", sizes="reply"
    )
    input_limit: int = param(
        0,
        0,
        2_000_000,
        scale="log",
        unit="tokens",
        at_minimum="none",
        reads=null_is(0),
        help="The model's input limit.",
    )
    reserved: int = param(
        0,
        0,
        200_000,
        scale="log",
        unit="tokens",
        at_minimum="by the output",
        reads=null_is(0),
        help="Kept free below the input limit; by default `max_output`, at most 20,000.",
    )
    preserve_recent_tokens: int = param(
        0,
        0,
        200_000,
        scale="log",
        unit="tokens",
        at_minimum="a quarter",
        reads=null_is(0),
        help="The newest tokens that stay; by default a quarter of the input, 2,000 to 15,000.",
        sizes="history",
    )
    tail_turns: int = param(
        UNSET, UNSET, 100, at_minimum="no limit", reads=null_is(UNSET), help="At most so many turns stay; 0: none."
    )
    prune: bool = param(False, help="Old results of tools are cleared when an answer has ended.")
    prune_protect: int = param(
        40_000, 0, 1_000_000, scale="log", unit="tokens", help="The newest tokens of results that stay."
    )
    prune_minimum: int = param(
        20_000, 0, 1_000_000, scale="log", unit="tokens", help="Results are only cleared if they have more together."
    )
    placeholder: str = placeholder_param("[Old result of a tool cleared]")
    autocontinue: bool = param(True, help="A line that asks to go on follows a compaction.", topic="rare")
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
        usable = self._usable(window)
        full = max(0, usable - self.base_tokens) if self.auto and window else None
        if self.prune or full is None:
            self._live_through(course, usable, full)
            return
        terms = Terms(full, self._room(usable), self.tail_turns, self.base_tokens, self.summary_size)
        walk(course, self._checks(course.talk)[0], terms, QUESTION, CONTINUE if self.autocontinue else "")

    def _live_through(self, course: Course, usable: int, full: int | None) -> None:
        since, (checks, answers) = 0, self._checks(course.talk)
        is_due = lambda tokens, _: full is not None and tokens >= full  # noqa: E731 - of these parameters
        for check in checks.due(course, lambda tokens, entries: is_due(tokens, entries) or self.prune):
            if check in answers:
                self._prune(course, check, since)
            elif _newest_answer(course) and is_due(_usage(course), 0):
                self._compact(course, check, usable)
                since = check + 1

    def _usable(self, window: int) -> int:
        if self.input_limit:
            return self.input_limit - (self.reserved or min(20_000, self.max_output))
        return window - self.max_output

    def _checks(self, talk: Talk) -> tuple[Checks, set[int]]:
        """Return the checks before requests and after answers without calls, and the places of such answers."""
        newest = np.maximum.accumulate(np.where(talk.roles == ASSISTANT, np.arange(len(talk)), -1))
        requests, answers = talk.requests, _answers(talk) if self.prune else talk.requests[:0]
        if not self.replay:
            last = len(talk) - 1
            requests, answers = requests[-1:], answers[answers == last]
        places = np.concatenate([requests, answers])
        order = np.argsort(places, kind="stable")
        measured = np.concatenate([newest[requests] + 1, answers + 1])
        return Checks(places[order], places[order] + 1, measured[order]), set(answers.tolist())

    def _compact(self, course: Course, at: int, usable: int) -> None:
        before = self.base_tokens + _usage(course)
        body = [entry for entry in course.state if course.is_message(entry)]
        start = self._start(course, body, usable)
        tail = body[start:] if start else []
        kept = set(tail)
        question = course.note("user", QUESTION)
        summary = course.summarize(
            (entry for entry in course.state if entry not in kept), self.summary_size, "assistant"
        )
        goes_on = [course.note("user", CONTINUE)] if self.autocontinue else []
        course.state = [question, summary, *tail, *goes_on]
        course.happened(at, "compacted", before, self.base_tokens + course.total())

    def _room(self, usable: int) -> int:
        """Return the tokens of a tail."""
        return self.preserve_recent_tokens or min(15_000, max(2_000, floor(usable * 0.25)))

    def _start(self, course: Course, body: list[int], usable: int) -> int:
        """Return the number of messages before the tail; 0 where there is no tail."""
        left = self._room(usable)
        starts = [place for place, entry in enumerate(body) if course.role(entry) == USER]
        wanted = starts if self.tail_turns == UNSET else starts[max(0, len(starts) - self.tail_turns) :]
        end, found = len(body), 0
        for start in reversed(wanted):
            size = course.total(body[start:end])
            if size > left:
                return _step_that_fits(course, body, start, end, left) or found
            found, end = start, start
            left -= size
        return found

    def _prune(self, course: Course, at: int, since: int) -> None:
        """Clear old results, if they have enough tokens together."""
        turns, total, found = 0, 0, list[int]()
        for entry in reversed(course.state):
            if entry < since or (course.role(entry) == TOOL and entry in course.forms):
                break
            turns += course.role(entry) == USER
            if turns < 2 or course.role(entry) != TOOL or course.talk.tool_name(entry) == SPARED_TOOL:
                continue
            total += course.cost(entry)
            if total > self.prune_protect:
                found.append(entry)
        tokens = course.total(found)
        if tokens <= self.prune_minimum:
            return
        before, size = self.base_tokens + course.total(), course.talk.count(self.placeholder)
        for entry in found:
            course.change(entry, self.placeholder, CLEARED, size)
        after = self.base_tokens + course.total()
        course.happened(at + 1, "pruned", before, after, cleared=found, tokens=tokens)


def _step_that_fits(course: Course, body: list[int], start: int, end: int, left: int) -> int:
    """Return the earliest step of a turn, its user message aside, from which the turn fits; 0 for none."""
    found, place = 0, end
    while left > 0 and place > start + 1:
        place -= 1
        left -= course.cost(body[place])
        if left >= 0 and course.role(body[place]) == ASSISTANT:
            found = place
        if left < 0:
            break
    return found


def _answers(talk: Talk) -> I64:
    """Return the places of the answers that call no tool."""
    calls = np.array([bool(talk.calls(place)) for place in range(len(talk))], np.bool_)
    return np.flatnonzero((talk.roles == ASSISTANT) & ~calls)


def _newest_answer(course: Course) -> int:
    """Return the number of entries up to the newest message of the model; 0 if there is none or it is a summary."""
    state = course.state
    for place in range(len(state) - 1, -1, -1):
        if course.is_summary(state[place]):
            return 0
        if course.is_message(state[place]) and course.role(state[place]) == ASSISTANT:
            return place + 1
    return 0


def _usage(course: Course) -> int:
    """Return the tokens of the list up to the newest message of the model."""
    return course.total(course.state[: _newest_answer(course)])
