"""Records that name the record before them: the messages of the active path, and the tree where there are others.

A record may hold several messages (a turn and the results of its tools), or none (a mark that others follow).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector.formats.node_tree import NodeTree, newest_leaf, tree_with
from inspector.formats.unique_ids import unique_texts
from inspector.model import Branches, Message, MessageTree, changed


@dataclass(slots=True)
class Link:
    """A record with its id, the id of its parent ("" for none), its messages, and its place in the file."""

    id: str
    parent: str
    messages: list[Message] = field(default_factory=list)
    place: str = "$"


def marked(branches: Branches, marks: Mapping[str, Mapping[str, Any]]) -> Branches:
    """Return the branches with more metadata for the messages of these ids."""
    if not marks:
        return branches
    tree = branches.tree and changed(branches.tree, messages=_marked(branches.tree.messages, marks))
    return Branches(_marked(branches.path, marks), tree)


def _marked(messages: Sequence[Message], marks: Mapping[str, Mapping[str, Any]]) -> tuple[Message, ...]:
    return tuple(
        changed(message, metadata={**message.metadata, **marks[message.id]}) if message.id in marks else message
        for message in messages
    )


def branches_of(links: Sequence[Link], leaf: str, note: Callable[[str, str], None]) -> Branches:
    """Return the branches of records with unique ids.

    `leaf` is the record at the end of the active path, "" for the newest. Messages without an id are numbered.
    `note(place, message)` is called for missing parents and cycles.
    """
    _name(links)
    by_id = {link.id: link for link in links}
    tree = tree_with({link.id: link.parent for link in links}, leaf)
    for name, message in tree.problems:
        note(by_id[name].place, message)
    if leaf not in by_id:
        leaf = tree.only_leaf or newest_leaf(tree, _newness(links, tree))
    path = tuple(message for name in tree.path_to(leaf) for message in by_id[name].messages)
    every = tuple(message for link in links for message in link.messages)
    if len(path) == len(every):
        return Branches(path, None)
    parents = _parents(by_id, tree)
    ending = path[-1].id if path else every[-1].id
    return Branches(path, MessageTree(every, tuple(parents[message.id] for message in every), ending))


def _name(links: Sequence[Link]) -> None:
    """Give every message a unique id."""
    every = [message for link in links for message in link.messages]
    ids = iter(unique_texts(message.id or f"m{number}" for number, message in enumerate(every)))
    for link in links:
        for place, message in enumerate(link.messages):
            if (id_ := next(ids)) != message.id:
                link.messages[place] = changed(message, id=id_)


def _newness(links: Sequence[Link], tree: NodeTree) -> Callable[[str], tuple[float, int]]:
    """Return a sort key: the time of the last message at or above a record, and the record's place in the file."""
    by_id = {link.id: link for link in links}
    places = {link.id: place for place, link in enumerate(links)}
    times: dict[str, float] = {"": 0.0}
    for name in tree.parents_first():
        own = [message.time.timestamp() for message in by_id[name].messages if message.time]
        times[name] = max(own, default=times[tree.parents[name]])
    return lambda name: (times[name], places[name])


def _parents(by_id: Mapping[str, Link], tree: NodeTree) -> dict[str, str]:
    """Return the id of the parent of each message, "" for the first messages."""
    last: dict[str, str] = {"": ""}
    parents: dict[str, str] = {}
    for name in tree.parents_first():
        above = last[tree.parents[name]]
        for message in by_id[name].messages:
            parents[message.id] = above
            above = message.id
        last[name] = above
    return parents
