"""Random cases for policies and their twins: small workspaces of every kind of thing, and what a scenario adds."""

from datetime import timedelta
from typing import Any

from building import START, words
from hypothesis import strategies as st

from inspector.model import (
    Attachment,
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
    Profile,
    Workspace,
    changed,
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
    filler=st.none() | rarely,
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
    confidence=st.none() | st.sampled_from([0.0, 0.5, 1.0]),
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


def named(kind: str, items: list[Any]) -> tuple[Any, ...]:
    """The items with ids such as m0, m1, …"""
    return tuple(changed(item, id=f"{kind}{number}") for number, item in enumerate(items))


no_passages_or_one = rarely.map(lambda there: [Passage("p0", words(2), "document")] if there else [])


@st.composite
def workspaces(draw: st.DrawFn, passages: st.SearchStrategy[list[Any]] = no_passages_or_one) -> Workspace:
    """One conversation with memories, lore, perhaps a character, and now and then `passages`."""
    character = Character(
        "nova",
        system_prompt=words(draw(cost)),
        system_tokens=draw(recorded),
        components=tuple(sorted(named("c", draw(some(components, 3))), key=lambda c: c.priority)),
    )
    return Workspace(
        conversations=(Conversation("c1", named("m", draw(some(messages, 25)))),),
        memory_sets=(MemorySet("default", named("k", draw(some(memories, 12)))),),
        characters=(character,) if draw(st.booleans()) else (),
        lorebooks=(Lorebook("book", named("l", draw(some(lore, 4)))),),
        passages=named("p", draw(passages)),
        summaries=(PastSummary("s0", words(3)),) if draw(rarely) else (),
        documents=(Document("d0", words(4)),) if draw(rarely) else (),
    )


outside = st.fixed_dictionaries(
    {
        "at": st.none() | st.none() | st.integers(0, 12),
        "pinned": st.lists(st.sampled_from(["m1", "k2", "l0", "m7"]), max_size=2).map(tuple),
        "excluded": st.lists(st.sampled_from(["m2", "k1", "l1", "m7"]), max_size=2).map(tuple),
    }
)


@st.composite
def with_files(draw: st.DrawFn) -> Workspace:
    """Random cases with attached files, documents and a profile."""
    found = draw(workspaces())
    long = st.integers(0, 60).map(words)
    if found.characters and draw(st.booleans()):
        found = changed(found, characters=(changed(found.characters[0], profile=Profile(name="Ada B C")),))
    return changed(
        found,
        attachments=tuple(Attachment(f"f{n}", draw(long)) for n in range(draw(st.sampled_from([0, 0, 1, 3])))),
        documents=tuple(Document(f"d{n}", draw(long)) for n in range(draw(st.sampled_from([0, 0, 2])))),
    )
