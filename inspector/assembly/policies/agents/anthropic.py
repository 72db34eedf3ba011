"""anthropic_context_editing and anthropic_compaction: the server's own shortening of requests to the Claude API.

Source: Anthropic's documentation of `clear_tool_uses_20250919` and `compact_20260112`. The client keeps the full
history. Whether excluded uses count in `keep` is not documented; here they do not.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.collect import message_text
from inspector.assembly.decisions import Assembly
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.agents.checks import before_requests
from inspector.assembly.policies.agents.course import (
    CLEARED,
    Course,
    base_tokens_param,
    lived,
    replay_param,
    summary_size_param,
)
from inspector.assembly.policies.agents.folds import Stays, fold_at
from inspector.assembly.policies.agents.talk import open_talk
from inspector.assembly.policy import Traits, param
from inspector.assembly.reasons import INPUTS_CLEARED
from inspector.model import Call, changed, with_parts

WHAT_TRIGGERS = {
    "input_tokens": "more input tokens than a number",
    "tool_uses": "more results of tools than a number",
}


def _trigger(name: str, value: Any) -> Mapping[str, Any]:
    """Read {input_tokens: 1000}, {tool_uses: 5}, or the API's own {type: input_tokens, value: 1000}."""
    if isinstance(value, Mapping) and set(value) == {"type", "value"}:
        value = {value["type"]: value["value"]}
    if isinstance(value, Mapping) and len(value) == 1 and (kind := next(iter(value))) in WHAT_TRIGGERS:
        return {"trigger_kind": kind, f"trigger_{kind}": value[kind]}
    return {"trigger_kind": value}


def _trigger_object(values: Mapping[str, Any]) -> Any:
    kind = values["trigger_kind"]
    return {kind: values.get(f"trigger_{kind}")}


def _amount(name: str, value: Any) -> Mapping[str, Any]:
    """Read null, or the API's own {type: input_tokens, value: 1000}."""
    return {name: 0 if value is None else value.get("value") if isinstance(value, Mapping) else value}


def _names(text: str) -> list[str]:
    return [name for part in text.split(",") if (name := part.strip())]


def excluded_tools_param() -> Any:
    """Declare the tools whose results are never cleared."""
    return param(
        "",
        reads=lambda name, value: {name: ", ".join(map(str, value)) if isinstance(value, list | tuple) else value},
        writes=lambda values: _names(values["exclude_tools"]),
        help="Names of tools whose results are never cleared, separated by commas.",
        topic="rare",
    )


def placeholder_param(text: str) -> Any:
    """Declare the text in place of a cleared result."""
    return param(text, help="The text in place of a cleared result, which costs what it counts.", topic="rare")


def clear_inputs_param() -> Any:
    """Declare whether the arguments of cleared calls go as well."""
    return param(
        False,
        help="The arguments of the calls go with their results. Messages are not charged for their calls here.",
        topic="rare",
    )


def results_to_clear(course: Course, keep: int, excluded: str, *, counts_excluded: bool) -> list[int]:
    """Return the results of tools but the newest `keep`, oldest first, without those of excluded tools."""
    talk = course.talk
    names = set(_names(excluded))
    results = [entry for entry in course.state if course.is_message(entry) and talk.is_result[entry]]
    if counts_excluded:
        results = results[: max(0, len(results) - keep)]
        return [entry for entry in results if talk.tool_name(entry) not in names]
    results = [entry for entry in results if not names or talk.tool_name(entry) not in names]
    return results[: max(0, len(results) - keep)]


def clear_inputs(course: Course, cleared: Iterable[int]) -> None:
    """Leave the arguments of the calls of these results out. A message is charged for its content as before."""
    wanted = {course.talk.call_id(entry) for entry in cleared} - {""}
    for place in filter(course.is_message, course.state):
        message = course.talk.message(place)
        if wanted.isdisjoint(call.id for call in message.tool_calls):
            continue
        parts = [
            changed(part, arguments="{}") if isinstance(part, Call) and part.id in wanted else part
            for part in message.parts
        ]
        course.change(place, message_text(with_parts(message, parts)), INPUTS_CLEARED, course.cost(place))


@dataclass(frozen=True)
class AnthropicContextEditing:
    """Clears the results of tools but the newest in a request that is larger than a trigger, each judged afresh."""

    traits: ClassVar[Traits] = Traits(
        title="Claude context editing", whose="Claude API", maker="program", counts_contents=True
    )

    trigger_kind: str = param(
        "input_tokens",
        choices=WHAT_TRIGGERS,
        object_name="trigger",
        reads=_trigger,
        writes=_trigger_object,
        label="Clears at",
        help="In files `trigger` is an object, such as {input_tokens: 100000}.",
    )
    trigger_input_tokens: int = param(
        100_000,
        0,
        2_000_000,
        scale="log",
        unit="tokens",
        label="Input tokens",
        help="More than these clear.",
        sizes="prompt",
    )
    trigger_tool_uses: int = param(20, 0, 1_000, scale="log", label="Tool uses", help="More results than these clear.")
    keep: int = param(3, 0, 100, reads=_amount, label="Tool uses that stay", help="The newest tool uses.")
    clear_at_least: int = param(
        0,
        0,
        1_000_000,
        scale="log",
        unit="tokens",
        at_minimum="any",
        reads=_amount,
        help="If clearing would gain less, nothing is cleared.",
    )
    exclude_tools: str = excluded_tools_param()
    clear_tool_inputs: bool = clear_inputs_param()
    placeholder: str = placeholder_param("[The result of this tool use was cleared to save context]")
    base_tokens: int = base_tokens_param()

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Judge the last request. There is always a prompt, over the window if necessary."""
        ledger = Ledger(candidates, window)
        pinned, talk = open_talk(ledger, self.base_tokens)
        return lived(talk, self, self._live).closed(ledger, pinned)

    def _live(self, course: Course) -> None:
        talk = course.talk
        course.state = list(range(len(talk)))
        total = self.base_tokens + course.total()
        if self.trigger_kind == "tool_uses":
            is_due = int(talk.is_result.sum()) > self.trigger_tool_uses
        else:
            is_due = total > self.trigger_input_tokens
        cleared = results_to_clear(course, self.keep, self.exclude_tools, counts_excluded=False) if is_due else []
        size = talk.count(self.placeholder)
        gain = sum(course.cost(entry) - size for entry in cleared)
        if cleared and (not self.clear_at_least or gain >= self.clear_at_least):
            for entry in cleared:
                course.change(entry, self.placeholder, CLEARED, size)
            if self.clear_tool_inputs:
                clear_inputs(course, cleared)
            at = int(talk.requests[-1]) if len(talk.requests) else len(talk)
            course.happened(at, "cleared", total, total - gain, cleared=cleared, tokens=gain + size * len(cleared))


@dataclass(frozen=True)
class AnthropicCompaction:
    """Folds everything, the newest message included, into one summary before a request larger than a trigger."""

    traits: ClassVar[Traits] = Traits(
        title="Claude compaction", whose="Claude API", maker="program", counts_contents=True
    )

    trigger: int = param(
        150_000,
        0,
        2_000_000,
        scale="log",
        unit="tokens",
        label="Compacts above",
        help="The input tokens above which it compacts; the API takes 50,000 or more.",
        sizes="prompt",
    )
    replay: bool = replay_param()
    base_tokens: int = base_tokens_param()
    summary_size: int = summary_size_param()

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Live the session through. There is always a prompt, over the window if necessary."""
        ledger = Ledger(candidates, window)
        pinned, talk = open_talk(ledger, self.base_tokens)
        return lived(talk, self, self._live).closed(ledger, pinned)

    def _live(self, course: Course) -> None:
        checks = before_requests(course, is_last_only=not self.replay)
        due = checks.first_with(course.talk.sums, self.trigger + 1 - self.base_tokens, self.summary_size)
        fold_at(course, checks, due, Stays(checks.upto, checks.upto), self.summary_size, self.base_tokens)
