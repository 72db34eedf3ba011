"""naive and ratio against their twins on random cases: every item's action, tokens and reason must agree."""

from datetime import timedelta
from typing import Any

from building import START, answer_to, decisions, words
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from twins import Case, RatioTwin, naive

from inspector.assembly.policies.ratio import Ratio
from inspector.assembly.policy import parameter_values
from inspector.model import (
    Character,
    Component,
    Conversation,
    Document,
    Lorebook,
    LoreEntry,
    Memory,
    MemorySet,
    Message,
    Passage,
    PastSummary,
    Workspace,
)

rarely = st.sampled_from([False] * 6 + [True])
cost = st.integers(0, 9)
recorded = st.none() | st.none() | st.integers(0, 12)
texts = st.builds(lambda count, called: words(count) + (" Kraken" if called else ""), cost, rarely)
# Two months apart, so that every age is a whole number of half-lives and no score depends on rounding.
times = st.none() | st.integers(0, 3).map(lambda months: START + timedelta(60 * months))

messages = st.builds(
    Message,
    id=st.just(""),
    role=st.sampled_from(["user", "assistant", "user", "assistant", "system", "tool"]),
    content=texts,
    time=times,
    tokens=recorded,
    summary=st.none() | cost.map(words),
    emotional_weight=st.none() | st.sampled_from([0.0, 0.5, 0.7, 1.0]),
    key_moment=rarely,
    pinned=rarely,
    excluded=rarely,
)
memories = st.builds(
    Memory,
    id=st.just(""),
    content=texts,
    type=st.sampled_from(["core", "explicit", "fact", "project", "experience", "story"]),
    priority=st.none() | st.sampled_from([0, 40, 90]),
    similarity=st.none() | st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    time=times,
    tokens=recorded,
    pinned=rarely,
    excluded=rarely,
)
lore = st.builds(
    LoreEntry,
    id=st.just(""),
    content=texts,
    keys=st.sampled_from([(), ("kraken",), ("never",)]),
    constant=rarely,
    enabled=st.sampled_from([True, True, False]),
    order=st.integers(0, 3),
    tokens=recorded,
)
components = st.builds(
    Component,
    id=st.just(""),
    type=st.just("note"),
    content=texts | st.just("  "),
    priority=st.integers(0, 3),
    required=rarely,
    tokens=recorded,
    condition=st.sampled_from([True, True, False, "error"]),
)


def some(items: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[list[Any]]:
    """Lists of which long ones are as frequent as short ones."""
    return st.integers(0, most).flatmap(lambda size: st.lists(items, min_size=size, max_size=size))


def _named(kind: str, items: list[Any]) -> tuple[Any, ...]:
    for number, item in enumerate(items):
        object.__setattr__(item, "id", f"{kind}{number}")
    return tuple(items)


@st.composite
def workspaces(draw: st.DrawFn) -> Workspace:
    character = Character(
        "nova",
        system_prompt=words(draw(cost)),
        system_tokens=draw(recorded),
        components=tuple(sorted(_named("c", draw(some(components, 3))), key=lambda c: c.priority)),
    )
    return Workspace(
        conversations=(Conversation("c1", _named("m", draw(some(messages, 25)))),),
        memory_sets=(MemorySet("default", _named("k", draw(some(memories, 12)))),),
        characters=(character,) if draw(st.booleans()) else (),
        lorebooks=(Lorebook("book", _named("l", draw(some(lore, 4)))),),
        passages=(Passage("p0", words(2), "document"),) if draw(rarely) else (),
        summaries=(PastSummary("s0", words(3)),) if draw(rarely) else (),
        documents=(Document("d0", words(4)),) if draw(rarely) else (),
    )


shares = st.sampled_from(
    [(0.3, 0.4, 0.3), (0.5, 0.3, 0.2), (0.1, 0.8, 0.1), (0.0, 0.95, 0.0), (0.6, 0.4, 0.0), (1, 1, 0)]
)
parameters = st.fixed_dictionaries(
    {
        "system_limit": st.sampled_from([1.0, 0.25]),
        "system_overflow": st.sampled_from(["ignore", "warn", "error"]),
        "min_exchanges": st.sampled_from([0, 1, 1, 2, 4]),
        "memory_candidates": st.sampled_from([50, 50, 3, 0]),
        "similarity_weight": st.sampled_from([0.4, 0.0]),
        "priority_weight": st.sampled_from([0.3, 0.0]),
        "recency_weight": st.sampled_from([0.2, 1.0]),
        "half_life_days": st.sampled_from([30, 60, 0]),
        "borrow": st.sampled_from(["none", "history", "memories", "both"]),
        "adaptive": rarely,
        "message_cap": st.sampled_from([0, 0, 1, 4]),
        "selective": st.booleans(),
        "recent_messages": st.integers(0, 4),
        "discard_after": st.sampled_from([200, 8, 3]),
        "only_if_shorter": st.booleans(),
    }
)
outside = st.fixed_dictionaries(
    {
        "at": st.none() | st.none() | st.integers(0, 12),
        "pinned": st.lists(st.sampled_from(["m1", "k2", "l0", "m7"]), max_size=2).map(tuple),
        "excluded": st.lists(st.sampled_from(["m2", "k1", "l1", "m7"]), max_size=2).map(tuple),
    }
)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(workspaces(), parameters, shares, st.integers(0, 250), outside)
@example(Workspace(), {"borrow": "both"}, (0.3, 0.4, 0.3), 0, {"at": None, "pinned": (), "excluded": ()})
def test_ratio_decides_like_its_twin(
    found: Workspace, chosen: dict[str, Any], split: tuple[float, float, float], window: int, around: dict[str, Any]
) -> None:
    given_parameters = {**chosen, **dict(zip(("memory_share", "history_share", "reserve_share"), split, strict=True))}
    case = Case(found, around["pinned"], around["excluded"], around["at"])
    known = [message.time.timestamp() for message in case.messages if message.time]
    twin = RatioTwin(case, window, {**parameter_values(Ratio()), **given_parameters}, max(known, default=None))
    answer = answer_to(found, context_window=window, query="", parameters=given_parameters, **around)
    expected = twin.decide()
    assert (answer.assembly.error.code if answer.assembly.error else None) == twin.refusal
    assert twin.refusal or decisions(answer) == expected


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(workspaces(), outside)
def test_naive_decides_like_its_twin(found: Workspace, around: dict[str, Any]) -> None:
    case = Case(found, around["pinned"], around["excluded"], around["at"])
    answer = answer_to(found, policy="naive", context_window=50, query="", **around)
    assert decisions(answer) == naive(case)
