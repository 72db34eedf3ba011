"""Ids that are unique within a list: the second `a` becomes `a-2`, and a problem says so."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

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
    Problem,
    Severity,
    changed,
)

Identified = TypeVar(
    "Identified",
    Character,
    Component,
    Conversation,
    Document,
    LoreEntry,
    Lorebook,
    Memory,
    MemorySet,
    Message,
    Passage,
    PastSummary,
)


def unique_texts(ids: Iterable[str]) -> list[str]:
    """Return the ids; repeated ids get `-2`, `-3`, … appended, without colliding with other ids."""
    wanted = list(ids)
    taken = set(wanted)
    if len(taken) == len(wanted):
        return wanted
    seen: dict[str, int] = {}
    unique: list[str] = []
    for text in wanted:
        if text not in seen:
            seen[text] = 1
            unique.append(text)
            continue
        number = seen[text] + 1
        while f"{text}-{number}" in taken:
            number += 1
        seen[text] = number
        taken.add(f"{text}-{number}")
        unique.append(f"{text}-{number}")
    return unique


def with_unique_ids(
    items: Sequence[Identified],
    problem_at: Callable[[int], tuple[str, str]],
    severity: Severity = "info",
) -> tuple[tuple[Identified, ...], list[Problem]]:
    """Return the items with unique ids, and a problem for each changed id.

    `problem_at(index)` is the file and the place of an item.
    """
    old = [item.id for item in items]
    new = unique_texts(old)
    if new == old:
        return tuple(items), []
    problems: list[Problem] = []
    for index, (before, after) in enumerate(zip(old, new, strict=True)):
        if before != after:
            file, place = problem_at(index)
            problems.append(Problem(file, place, f'the id "{before}" is taken; here it is "{after}"', severity))
    return tuple(
        item if item.id == id_ else changed(item, id=id_) for item, id_ in zip(items, new, strict=True)
    ), problems
