"""langchain_summarize and langchain_clear_tools: two middlewares of LangChain's agents.

Source: langchain 1.5.2, `SummarizationMiddleware`, and `ContextEditingMiddleware` with `ClearToolUsesEdit`. The
summarizer sees only the last 4,000 tokens of what is folded; the older part is lost though it counts as summarized.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import I64
from inspector.assembly.decisions import Assembly
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.agents.anthropic import (
    clear_inputs,
    clear_inputs_param,
    excluded_tools_param,
    placeholder_param,
    results_to_clear,
)
from inspector.assembly.policies.agents.checks import Checks, before_requests
from inspector.assembly.policies.agents.course import CLEARED, Course, lived, replay_param, summary_size_param
from inspector.assembly.policies.agents.folds import Alone, Stays, fold_at
from inspector.assembly.policies.agents.talk import ASSISTANT, TOOL, Talk, open_talk
from inspector.assembly.policy import Traits, param

AMOUNTS = {
    "tokens": "a number of tokens",
    "messages": "a number of messages",
    "fraction": "a share of the window",
}
Clause = Mapping[str, float]


def _is_clause(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and bool(value)
        and set(value) <= set(AMOUNTS)
        and all(map(_is_number, value.values()))
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _clauses(value: Any) -> Any:
    """Return a trigger of a file as a list of clauses, such as [{tokens: 4000}]; also of the pair [tokens, 4000]."""
    if value is None:
        return []
    if isinstance(value, list | tuple) and len(value) == 2 and isinstance(value[0], str):
        return [{value[0]: value[1]}]
    return [value] if isinstance(value, Mapping) else value


def _trigger(name: str, value: Any) -> Mapping[str, Any]:
    clauses = _clauses(value)
    if not isinstance(clauses, list | tuple) or not all(map(_is_clause, clauses)):
        return {"trigger_kind": value}
    if not clauses:
        return {"trigger_kind": "never"}
    if len(clauses) == 1 and len(clauses[0]) == 1:
        kind = next(iter(clauses[0]))
        return {"trigger_kind": kind, f"trigger_{kind}": clauses[0][kind]}
    return {"trigger_kind": "clauses", "trigger_clauses": json.dumps(clauses)}


def _keep(name: str, value: Any) -> Mapping[str, Any]:
    clauses = _clauses(value)
    if isinstance(clauses, list | tuple) and len(clauses) == 1 and _is_clause(clauses[0]) and len(clauses[0]) == 1:
        kind = next(iter(clauses[0]))
        return {"keep_kind": kind, f"keep_{kind}": clauses[0][kind]}
    return {"keep_kind": value}


def _trigger_object(values: Mapping[str, Any]) -> Any:
    kind = values["trigger_kind"]
    if kind == "clauses":
        try:
            return read_clauses(values.get("trigger_clauses", "[]"))
        except ValueError:
            return None  # a text that is refused stays a text
    return [] if kind == "never" else [{kind: values.get(f"trigger_{kind}")}]


def _keep_object(values: Mapping[str, Any]) -> Any:
    kind = values["keep_kind"]
    return {kind: values.get(f"keep_{kind}")}


def read_clauses(text: str) -> Sequence[Clause]:
    """Return the clauses of a text as JSON. Raise ValueError for anything else."""
    try:
        clauses = json.loads(text)
    except ValueError as problem:
        raise ValueError(f"trigger_clauses is no JSON: {problem}") from None
    if not isinstance(clauses, list) or not all(map(_is_clause, clauses)):
        raise ValueError("trigger_clauses must be a list of clauses of tokens, messages or fraction, each a number")
    return clauses


@dataclass(frozen=True)
class LangchainSummarize:
    """Folds all but the newest messages into one summary once a trigger is met. A call stays with its results."""

    traits: ClassVar[Traits] = Traits(
        title="LangChain summarization", whose="langchain", maker="library", counts_contents=True
    )

    trigger_kind: str = param(
        "never",
        choices={"never": "never", **AMOUNTS, "clauses": "any of several clauses, given below"},
        object_name="trigger",
        reads=_trigger,
        writes=_trigger_object,
        label="Summarizes at",
        help="In files `trigger` is a list of clauses, such as [{tokens: 4000}]; any of them suffices.",
    )
    trigger_tokens: int = param(
        4_000, 0, 1_000_000, scale="log", unit="tokens", help="At least these tokens.", label="Tokens", sizes="prompt"
    )
    trigger_messages: int = param(
        50, 0, 2_000, scale="log", unit="messages", help="At least these messages.", label="Messages"
    )
    trigger_fraction: float = param(
        0.8, 0, 1, step=0.01, unit="share", help="At least this share of the window.", label="Share of the window"
    )
    trigger_clauses: str = param(
        "[]",
        reads=lambda name, value: {name: json.dumps(value) if isinstance(value, list | tuple) else value},
        label="Clauses",
        help="A list as JSON, such as [{tokens: 4000, messages: 10}].",
    )
    keep_kind: str = param(
        "messages",
        choices=AMOUNTS,
        object_name="keep",
        reads=_keep,
        writes=_keep_object,
        label="What stays",
        help="In files `keep` is an object, such as {messages: 20}.",
    )
    keep_messages: int = param(
        20,
        0,
        1_000,
        scale="log",
        unit="messages",
        help="The newest messages.",
        label="Messages that stay",
        sizes="history",
    )
    keep_tokens: int = param(
        4_000, 0, 1_000_000, scale="log", unit="tokens", help="The newest tokens.", label="Tokens that stay"
    )
    keep_fraction: float = param(
        0.3, 0, 1, step=0.01, unit="share", help="The newest share of the window.", label="Share that stays"
    )
    replay: bool = replay_param()
    summary_size: int = summary_size_param()

    def __post_init__(self) -> None:
        read_clauses(self.trigger_clauses)

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Live the session through. There is always a prompt, over the window if necessary."""
        ledger = Ledger(candidates, window)
        pinned, talk = open_talk(ledger)
        return lived(talk, (self, window.tokens), lambda course: self._live(course, window.tokens)).closed(
            ledger, pinned
        )

    def _live(self, course: Course, window: int) -> None:
        checks, size = before_requests(course, is_last_only=not self.replay), self.summary_size
        due = [_first_due(course.talk, checks, clause, window, size) for clause in self._clauses()]
        if due:
            fold_at(course, checks, np.minimum.reduce(due), self._stays(course.talk, checks, window), size)
        else:
            course.state = list(range(len(course.talk)))

    def _clauses(self) -> Sequence[Clause]:
        if self.trigger_kind == "clauses":
            return read_clauses(self.trigger_clauses)
        own = {
            "tokens": self.trigger_tokens,
            "messages": self.trigger_messages,
            "fraction": self.trigger_fraction,
        }
        return [{self.trigger_kind: own[self.trigger_kind]}] if self.trigger_kind in own else []

    def _stays(self, talk: Talk, checks: Checks, window: int) -> Stays:
        """Return what stays at each check: as much as fits, and a call with its results."""
        upto = checks.upto
        if self.keep_kind == "messages":
            sums, room, size, most = np.arange(len(talk) + 1, dtype=np.int64), self.keep_messages, 1, upto
        else:
            is_tokens = self.keep_kind == "tokens"
            room = self.keep_tokens if is_tokens else max(1, int(self.keep_fraction * window))
            sums, size, most = talk.sums, self.summary_size, upto - 1
        calls, cut = _calls_of_results(talk), np.minimum(np.searchsorted(sums, sums[upto] - room), most)
        alone = Alone(np.searchsorted(sums, sums[upto] - room + size), calls.after)
        return Stays(np.where(cut < upto, calls.before[cut], upto), np.where(cut < upto, calls.after[cut], upto), alone)


def _first_due(talk: Talk, checks: Checks, clause: Clause, window: int, size: int) -> I64:
    """Return the first check at which a clause holds, as `Checks.first_with`."""
    tokens, entries = ceil(clause.get("tokens", 0)), ceil(clause.get("messages", 0))
    if "fraction" in clause:
        tokens = max(tokens, 1, int(clause["fraction"] * window))
    places = np.arange(len(talk) + 1, dtype=np.int64)
    return np.maximum(checks.first_with(talk.sums, tokens, size), checks.first_with(places, entries, 1))


@dataclass(frozen=True, eq=False, slots=True)
class _Cuts:
    """Where a list may begin that is cut at a place, so that no result of a tool stands without its call.

    That is the newest message `before` with a call of one of the results there, -1 if there is none, or the next
    message `after` them; where there is no result it is the place itself.
    """

    before: I64
    after: I64


def _calls_of_results(talk: Talk) -> _Cuts:
    def make() -> _Cuts:
        places = np.arange(len(talk) + 1, dtype=np.int64)
        no_result = np.append(~talk.is_result, np.True_)
        after = np.minimum.accumulate(np.where(no_result, places, len(talk))[::-1])[::-1]
        after[0] = 0  # nothing stands before the first message to be folded
        before, newest = places.copy(), _newest_calls(talk)
        for place in reversed(np.flatnonzero(talk.is_result).tolist()):
            following = -1 if no_result[place + 1] else int(before[place + 1])
            before[place] = max(newest[place], following)
        return _Cuts(before, after)

    return talk.derived("langchain cuts", (), make)


def _newest_calls(talk: Talk) -> Mapping[int, int]:
    """Return for each result of a tool the place of the newest message before it with its call, -1 for none."""
    newest, found = dict[str, int](), dict[int, int]()
    for place, role in enumerate(talk.role_numbers):
        if role == TOOL:
            call = talk.call_id(place)
            found[place] = newest.get(call, -1) if call else -1
        elif role == ASSISTANT:
            newest.update((call.id, place) for call in talk.calls(place))
    return found


@dataclass(frozen=True)
class LangchainClearTools:
    """Clears results of tools, oldest first, but the newest, in a request that is larger than a trigger."""

    traits: ClassVar[Traits] = Traits(
        title="LangChain context editing", whose="langchain", maker="library", counts_contents=True
    )

    trigger: int = param(
        100_000, 0, 2_000_000, scale="log", unit="tokens", label="Clears above", help="In tokens.", sizes="prompt"
    )
    keep: int = param(3, 0, 100, label="Results that stay", help="The newest results of tools.")
    clear_at_least: int = param(
        0,
        0,
        1_000_000,
        scale="log",
        unit="tokens",
        at_minimum="all",
        help="Clearing stops as soon as this is gained.",
    )
    clear_tool_inputs: bool = clear_inputs_param()
    exclude_tools: str = excluded_tools_param()
    placeholder: str = placeholder_param("[cleared]")

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Judge the last request. There is always a prompt, over the window if necessary."""
        ledger = Ledger(candidates, window)
        pinned, talk = open_talk(ledger)
        return lived(talk, self, self._live).closed(ledger, pinned)

    def _live(self, course: Course) -> None:
        talk, gained = course.talk, 0
        course.state = list(range(len(talk)))
        is_due = course.total() > self.trigger
        found = results_to_clear(course, self.keep, self.exclude_tools, counts_excluded=True) if is_due else []
        size = talk.count(self.placeholder)
        for entry in found:
            gained += course.cost(entry) - size
            course.change(entry, self.placeholder, CLEARED, size)
            if 0 < self.clear_at_least <= gained:
                break
        if self.clear_tool_inputs:
            clear_inputs(course, course.forms)
