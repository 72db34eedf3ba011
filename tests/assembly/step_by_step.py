"""Sessions of agents lived through message by message, by the rules as they read: slow, and plain to check."""

from math import ceil, floor

from inspector.assembly.policies.agents.aider import PROMPT_ROOM, AiderSummary
from inspector.assembly.policies.agents.aider import _ends as aider_ends
from inspector.assembly.policies.agents.aider_walk import ANSWER, FEWEST
from inspector.assembly.policies.agents.anthropic import AnthropicCompaction
from inspector.assembly.policies.agents.checks import Checks, before_requests
from inspector.assembly.policies.agents.cline_compact import ClineCompact
from inspector.assembly.policies.agents.codex import CodexCompact
from inspector.assembly.policies.agents.codex import _checks as codex_checks
from inspector.assembly.policies.agents.codex_walk import BYTES_PER_TOKEN, WRITTEN_ANEW, cut_middle
from inspector.assembly.policies.agents.course import CUT_OUT, Course
from inspector.assembly.policies.agents.langchain import Clause, LangchainSummarize
from inspector.assembly.policies.agents.opencode import OpencodeCompact
from inspector.assembly.policies.agents.openhands import OpenhandsCondenser
from inspector.assembly.policies.agents.roo import RooContext
from inspector.assembly.policies.agents.talk import ASSISTANT, TOOL, USER
from inspector.assembly.reasons import CUT_MIDDLE

DEEPEST = 3
"""The rounds in which Aider shortens what it has just shortened."""


def langchain(policy: LangchainSummarize, course: Course, window: int) -> None:
    checks, clauses = before_requests(course, is_last_only=not policy.replay), policy._clauses()
    is_due = lambda tokens, entries: any(_holds(one, tokens, entries, window) for one in clauses)  # noqa: E731
    for check in checks.due(course, is_due):
        before, cutoff = course.total(), _with_its_call(course, _cutoff(policy, course, window))
        if cutoff:
            kept = course.state[cutoff:]
            course.state = [course.summarize(course.state[:cutoff], policy.summary_size), *kept]
            course.happened(check, "compacted", before, course.total())


def _cutoff(policy: LangchainSummarize, course: Course, window: int) -> int:
    """Return the number of entries before the newest that stay; 0 where nothing is to be folded."""
    state = course.state
    if policy.keep_kind == "messages":
        return max(0, len(state) - policy.keep_messages)
    room = policy.keep_tokens if policy.keep_kind == "tokens" else max(1, int(policy.keep_fraction * window))
    start, left = len(state), room
    while start > 0 and course.cost(state[start - 1]) <= left:
        start -= 1
        left -= course.cost(state[start])
    return min(start, len(state) - 1)


def _holds(clause: Clause, tokens: int, entries: int, window: int) -> bool:
    if "fraction" in clause and tokens < max(1, int(clause["fraction"] * window)):
        return False
    return tokens >= clause.get("tokens", 0) and entries >= clause.get("messages", 0)


def _with_its_call(course: Course, cutoff: int) -> int:
    """Return a cutoff moved off the results of tools: back to the message with one of their calls, else forward."""
    state, end = course.state, cutoff

    def has_role(place: int, role: int) -> bool:
        return course.is_message(state[place]) and course.role(state[place]) == role

    while end < len(state) and has_role(end, TOOL):
        end += 1
    if cutoff in (0, end):
        return cutoff
    wanted = {course.talk.call_id(entry) for entry in state[cutoff:end]} - {""}
    for place in range(cutoff - 1, -1, -1):
        if has_role(place, ASSISTANT) and wanted & {call.id for call in course.talk.calls(state[place])}:
            return place
    return end


def cline(policy: ClineCompact, course: Course, window: int) -> None:
    most = min(policy.max_input_tokens, window) if policy.max_input_tokens else window * 0.9
    trigger = most * 0.9
    target = max(1, min(floor(trigger * 0.7), most, max(1, trigger - 1)))
    tail = min(policy.preserve_recent_tokens, max(1, floor(target - policy.base_tokens)))
    checks = before_requests(course, is_last_only=not policy.replay)
    for check in checks.reaching(course, lambda: ceil(trigger) - policy.base_tokens):
        state, cut = course.state, _cut(course, tail)
        if cut > 0 and not all(map(course.is_summary, state[:cut])):
            before = policy.base_tokens + course.total()
            course.state = [course.summarize(state[:cut], policy.summary_size), *state[cut:]]
            course.happened(check, "compacted", before, policy.base_tokens + course.total())


def _cut(course: Course, tail: int) -> int:
    """Return the number of entries before the cut; 0 where there is none."""
    state, total, cut = course.state, 0, len(course.state)
    while cut > 0 and total < tail:
        cut -= 1
        total += course.cost(state[cut])
    typed = len(state) - 1
    while typed > 0 and not (course.is_message(state[typed]) and course.role(state[typed]) == USER):
        typed -= 1
    if cut <= 0:
        return 0
    if typed > 0:
        cut = min(cut, typed)
    while 0 < cut < len(state) and (course.is_summary(state[cut]) or course.role(state[cut]) == TOOL):
        cut -= 1
    return cut


def anthropic(policy: AnthropicCompaction, course: Course) -> None:
    checks = before_requests(course, is_last_only=not policy.replay)
    for check in checks.reaching(course, lambda: policy.trigger + 1 - policy.base_tokens):
        before = policy.base_tokens + course.total()
        course.state = [course.summarize(course.state, policy.summary_size)]
        course.happened(check, "compacted", before, policy.base_tokens + course.total())


def codex(policy: CodexCompact, course: Course, limit: int) -> None:
    checks = codex_checks(course.talk, is_last_only=not policy.replay)
    for check in checks.reaching(course, lambda: limit - policy.base_tokens):
        _compact(policy, course, check)


def _compact(policy: CodexCompact, course: Course, at: int) -> None:
    """Keep the newest user messages of the list, and fold the rest into a summary at its end."""
    before, room, kept = policy.base_tokens + course.total(), policy.user_message_tokens, list[int]()
    for entry in reversed(course.state):
        if not room:
            break
        if entry < 0 or course.role(entry) != USER or course.text(entry).lstrip().startswith(WRITTEN_ANEW):
            continue
        kept.append(entry)
        charge = -(-len(course.text(entry).encode("utf-8", "replace")) // BYTES_PER_TOKEN)
        if charge > room:
            course.change(entry, cut_middle(course.text(entry), room), CUT_MIDDLE)
            break
        room -= charge
    staying = set(kept)
    summary = course.summarize((entry for entry in course.state if entry not in staying), policy.summary_size)
    course.state = [*reversed(kept), summary]
    course.happened(at, "compacted", before, policy.base_tokens + course.total())


def aider(policy: AiderSummary, course: Course, most: int) -> None:
    ends = aider_ends(course.talk)
    checks = Checks(ends, ends + 1, is_last_only=not policy.replay)
    for check in checks.reaching(course, lambda: most + 1):
        before = course.total()
        course.state = _shortened(policy, course, course.state, most, 0)
        last = course.state[-1]
        if not (course.is_message(last) and course.role(last) == ASSISTANT):
            course.state.append(course.note("assistant", ANSWER, 1))
        course.happened(check, "compacted", before, course.total())


def _shortened(policy: AiderSummary, course: Course, state: list[int], most: int, depth: int) -> list[int]:
    """Return the list with its head told by a summary."""
    split = 0 if len(state) <= FEWEST or depth > DEEPEST else _split(course, state, most // 2)
    if split <= FEWEST:
        return [course.summarize(state, policy.summary_size)]
    head, room = 0, policy.model_max_input - PROMPT_ROOM
    while head < split and course.cost(state[head]) <= room:
        room -= course.cost(state[head])
        head += 1
    course.lose(state[head:split], CUT_OUT)
    found = [course.summarize(state[:head], policy.summary_size), *state[split:]]
    return found if course.total(found) < most else _shortened(policy, course, found, most, depth + 1)


def _split(course: Course, state: list[int], half: int) -> int:
    """Return the number of entries before the tail, which follows an answer."""
    split, tail = len(state), 0
    while split > 0 and tail + course.cost(state[split - 1]) < half:
        split -= 1
        tail += course.cost(state[split])
    while split > 1 and not _is_answer(course, state[split - 1]):
        split -= 1
    return split


def _is_answer(course: Course, entry: int) -> bool:
    if course.is_message(entry):
        return course.role(entry) == ASSISTANT
    return not course.is_summary(entry)


def roo(policy: RooContext, course: Course, window: int) -> None:
    allowed = window * 0.9 - policy.max_tokens
    percent = ceil(policy.condense_percent * window / 100)
    limit = min(floor(allowed) + 1, percent) if policy.auto_condense else floor(allowed) + 1
    policy._live_through(course, before_requests(course, is_last_only=not policy.replay), allowed, limit)


def opencode(policy: OpencodeCompact, course: Course, window: int) -> None:
    usable = policy._usable(window)
    policy._live_through(course, usable, max(0, usable - policy.base_tokens) if policy.auto and window else None)


def openhands(policy: OpenhandsCondenser, course: Course) -> None:
    checks = before_requests(course, is_last_only=not policy.replay)
    for check in checks.due(course, lambda _, entries: entries > policy.max_size):
        policy._take(course, check, policy.keep_first, len(course.state) - policy._newest)
