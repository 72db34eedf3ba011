"""Which agent sent each recorded request: requests that go on from each other, and who called a subagent.

A recording has no names of agents. A request goes on from the last one of an agent whose messages it repeats; after a
compaction, its first message holds an answer of that agent; a subagent's first message holds a text that an agent gave
to a tool, as Claude Code's Task does (docs.anthropic.com/en/docs/claude-code/sub-agents). The system prompt or the
tools must be the same as well, since an application also asks for titles and topics of the same messages.
"""

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field

from inspector.analysis.requests.sent import Request, texts_of_calls
from inspector.figures import counted
from inspector.model import Message

NOTHING = -1
_DIGITS = re.compile(r"\d+")
_HEAD = 400
"""How much of a system prompt tells whose it is: what follows may be the state of a project."""
_LEAST_GIVEN, _LEAST_SUMMARY = 20, 80
"""Code points from which a text is not found elsewhere by chance."""
_MOST_HELD = 200


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a request among those of its agent: its number (`1`, a subagent's `1.2`), and the request before.

    `before` is the place of that request in the recording, NOTHING for the first. `kept` is how many of its messages,
    from the first on, are again in this request; `is_compacted`: it goes on from a summary.
    """

    agent: str
    before: int
    kept: int
    is_compacted: bool = False

    @property
    def is_subagent(self) -> bool:
        """Whether it was sent by an agent that another called."""
        return "." in self.agent

    @property
    def words(self) -> str:
        """The agent in words: `Agent 1`, `Subagent 1.2`."""
        return f"{'Subagent' if self.is_subagent else 'Agent'} {self.agent}"


@dataclass(slots=True)
class _Agent:
    """An agent so far: its last request, its texts given to tools and its long answers."""

    number: str
    last: Request
    place: int
    keys: set[Hashable]
    given: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    subagents: int = 0


def places_of(requests: Sequence[Request]) -> tuple[Place, ...]:
    """Return the place of each request among those of its agent, by the times at which they were sent."""
    found: list[Place | None] = [None] * len(requests)
    agents: list[_Agent] = []
    for at in _in_time(requests):
        found[at] = _placed(requests[at], at, agents)
    return tuple(place for place in found if place is not None)


def _in_time(requests: Sequence[Request]) -> Sequence[int]:
    """Return the places in the order of sending; a request without a time stays after the one before it."""
    order: list[tuple[float, int]] = []
    last = float("-inf")
    for at, request in enumerate(requests):
        last = last if request.began is None else request.began.timestamp()
        order.append((last, at))
    return [at for _, at in sorted(order)]


def _placed(request: Request, at: int, agents: list[_Agent]) -> Place:
    alike = [agent for agent in agents if _is_alike(agent.last, request)]
    nearest = max(alike, key=lambda agent: _shared(agent, request), default=None)
    if nearest is not None and _shared(nearest, request) > (0, 0):
        place = Place(nearest.number, nearest.place, common(nearest.last.keys, request.keys))
        _go_on(nearest, request, at)
        return place
    first = "" if request.first is None else request.first.content
    for agent in alike:
        if any(text in first for text in agent.answers):
            place = Place(agent.number, agent.place, common(agent.last.keys, request.keys), is_compacted=True)
            _go_on(agent, request, at)
            return place
    caller = next((agent for agent in reversed(agents) if any(text in first for text in agent.given)), None)
    agents.append(_Agent(_number(caller, agents), request, at, set(request.keys)))
    _remember(agents[-1], request.messages)
    return Place(agents[-1].number, NOTHING, 0)


def _number(caller: _Agent | None, agents: Sequence[_Agent]) -> str:
    if caller is None:
        return str(1 + sum("." not in agent.number for agent in agents))
    caller.subagents += 1
    return f"{caller.number}.{caller.subagents}"


def _go_on(agent: _Agent, request: Request, at: int) -> None:
    new = [message for message, key in zip(request.asked, request.keys, strict=True) if key not in agent.keys]
    _remember(agent, (*new, *request.answer))
    agent.last, agent.place, agent.keys = request, at, set(request.keys)


def _remember(agent: _Agent, messages: Sequence[Message]) -> None:
    agent.given += [text for one in texts_of_calls(messages) if len(text := one.strip()) >= _LEAST_GIVEN]
    said = (message.content.strip() for message in messages if message.role == "assistant")
    agent.answers += [text for text in said if len(text) >= _LEAST_SUMMARY]
    agent.given, agent.answers = agent.given[-_MOST_HELD:], agent.answers[-_MOST_HELD:]


def _is_alike(before: Request, after: Request) -> bool:
    same_tools = bool(before.tools) and before.tools == after.tools
    return same_tools or _family(before.system) == _family(after.system)


def _family(system: str) -> str:
    """Return the beginning of a system prompt without its figures: dates and times change."""
    return _DIGITS.sub("0", system[:_HEAD])


def _shared(agent: _Agent, request: Request) -> tuple[int, int]:
    """Return how much of the agent's last request is in this one: messages from the first on, then anywhere.

    The system prompt counts as none of them.
    """
    spoken = [key for key, message in zip(request.keys, request.asked, strict=True) if message.role != "system"]
    before = [key for key, message in zip(agent.last.keys, agent.last.asked, strict=True) if message.role != "system"]
    within = sum(key in agent.keys for key in spoken) if spoken and spoken[0] in agent.keys else 0
    is_empty = not spoken and not before and agent.last.system == request.system
    return common(before, spoken) + is_empty, within


def common(before: Sequence[Hashable], after: Sequence[Hashable]) -> int:
    """Return how many entries two sequences have in common from their beginnings on."""
    pairs = zip(before, after, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(before), len(after)))


def change_words(before: Request | None, after: Request, place: Place) -> str:
    """Return what changed since the last request of the same agent, "" for the first."""
    return "; ".join(_changes(before, after, place)) if before is not None else ""


def _changes(before: Request, after: Request, place: Place) -> Iterator[str]:
    if place.is_compacted:
        yield "compacted"
    if before.model != after.model:
        yield f"model {after.model or 'not named'}"
    if before.system != after.system:
        yield "system prompt changed"
    if before.tools != after.tools:
        yield _tools_words(before.tools, after.tools)
    was, now = _spoken(before), _spoken(after)
    kept = common(was, now)
    if kept == len(was):
        yield f"{counted(len(now) - kept, 'message')} added" if len(now) > kept else "sent again"
        return
    gone = len(set(was) - set(now))
    yield f"from message {kept + 1:,} on otherwise: {gone:,} gone, {len(set(now) - set(was)):,} new"


def _spoken(request: Request) -> list[Hashable]:
    pairs = zip(request.keys, request.asked, strict=True)
    return [key for key, message in pairs if message.role != "system"]


def _tools_words(before: Sequence[str], after: Sequence[str]) -> str:
    more, fewer = [one for one in after if one not in before], [one for one in before if one not in after]
    words = [*(f"+{name}" for name in more), *(f"−{name}" for name in fewer)]
    shown = ", ".join(words[:3]) + (f" and {len(words) - 3:,} more" if len(words) > 3 else "")
    return f"tools {shown or 'in another order'}"
