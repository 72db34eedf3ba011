"""The alternatives of a message: swipes, versions or branches of the file in its place."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from inspector.model import Message, MessageTree


@dataclass(frozen=True, slots=True)
class Alternative:
    """A message in the place of another, or the original message itself.

    `leaf` is the last message of the branch shown with it, and `after` the number of messages after it there.
    """

    message: Message
    leaf: str
    after: int


def alternatives_of(tree: MessageTree, name: str) -> tuple[Alternative, ...]:
    """Return the message of this id and its siblings, in the order of the file; nothing if it has no siblings.

    A branch runs to the active leaf of the file if it is below, else to the newest leaf.
    """
    parents = dict(zip((message.id for message in tree.messages), tree.parents, strict=True))
    if name not in parents:
        return ()
    beside = [message for message in tree.messages if parents[message.id] == parents[name]]
    if len(beside) < 2:
        return ()
    ways = _best_ways(tree, parents, {message.id for message in beside})
    return tuple(Alternative(message, *ways[message.id]) for message in beside)


def places_among(tree: MessageTree) -> Mapping[str, tuple[int, int]]:
    """Map the id of each message with alternatives to its place among them, from 1, and to their number."""
    beside: defaultdict[str, list[str]] = defaultdict(list)
    for message, parent in zip(tree.messages, tree.parents, strict=True):
        beside[parent].append(message.id)
    several = (names for names in beside.values() if len(names) > 1)
    return {name: (place, len(names)) for names in several for place, name in enumerate(names, 1)}


def _best_ways(tree: MessageTree, parents: Mapping[str, str], wanted: set[str]) -> dict[str, tuple[str, int]]:
    """Map each of these messages to the leaf of its branch and the distance to it."""
    inner, below = set(tree.parents), _below(parents, wanted)
    ways = {start: (start, 0) for start in wanted}
    newest: dict[str, tuple[bool, float, int]] = {}
    for place, message in enumerate(tree.messages):
        if message.id not in below or (message.id in inner and message.id != tree.leaf):
            continue
        start, distance = below[message.id]
        rank = (message.id == tree.leaf, _seconds(message.time), place)
        if start not in newest or rank > newest[start]:
            newest[start], ways[start] = rank, (message.id, distance)
    return ways


def _below(parents: Mapping[str, str], wanted: set[str]) -> dict[str, tuple[str, int]]:
    """Map each message at or below one of these to this ancestor and the distance to it."""
    known: dict[str, tuple[str, int] | None] = {name: (name, 0) for name in wanted}
    for start in parents:
        way, here = [], start
        while here in parents and here not in known:
            known[here] = None  # a cycle ends the path
            way.append(here)
            here = parents[here]
        found = known.get(here)
        for name in reversed(way):
            found = known[name] = None if found is None else (found[0], found[1] + 1)
    return {name: found for name, found in known.items() if found is not None}


def _seconds(time: datetime | None) -> float:
    return time.timestamp() if time else float("-inf")
