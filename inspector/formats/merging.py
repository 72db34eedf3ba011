"""Merges workspaces: origins, ids that are unique across files, and links between items. Reads no files."""

from collections.abc import Sequence
from typing import Any

from inspector.formats.unique_ids import with_unique_ids
from inspector.model import Conversation, Problem, Workspace, changed
from inspector.model.workspace import OWNED

_NAMED = ("conversations", "memory_sets", "characters", "lorebooks", "passages", "summaries", "documents")
_IDENTIFIED = (*_NAMED, "probes")
_STAMPED = (*_IDENTIFIED, "attachments", "skipped", "tools")


def stamped(workspace: Workspace, origin: str, **fields: Any) -> Workspace:
    """Return the workspace with `origin` on every item without any, and with other values of some `fields`."""
    changes: dict[str, Any] = {
        name: tuple(item if item.origin else changed(item, origin=origin) for item in getattr(workspace, name))
        for name in _STAMPED
    }
    return changed(workspace, **changes, **fields)


def merge(parts: Sequence[Workspace]) -> Workspace:
    """Return the parts in sequence, with unique ids within each list.

    References to conversations follow their new ids.
    """
    lists: dict[str, Any] = {
        name: tuple(item for part in parts for item in getattr(part, name)) for name in Workspace.__struct_fields__
    }
    problems: list[Problem] = list(lists["problems"])
    for name in _IDENTIFIED:
        items = lists[name]

        def place(index: int, name: str = name, items: tuple[Any, ...] = items) -> tuple[str, str]:
            return items[index].origin, name

        lists[name], found = with_unique_ids(items, place)
        problems += found
    renamed = _renamed(parts, lists["conversations"])
    if any(renamed):
        for name in OWNED:
            lists[name] = _with_conversations(name, lists[name], parts, renamed)
    lists["problems"] = tuple(problems)
    return Workspace(**lists)


def _renamed(parts: Sequence[Workspace], conversations: Sequence[Conversation]) -> list[dict[str, str]]:
    """Return for each part the new ids of its conversations, by the old ids."""
    ids = iter(conversations)
    pairs = [[(chat.id, next(ids).id) for chat in part.conversations] for part in parts]
    return [{before: after for before, after in of_part if before != after} for of_part in pairs]


def _with_conversations(
    name: str, things: Sequence[Any], parts: Sequence[Workspace], renamed: Sequence[dict[str, str]]
) -> tuple[Any, ...]:
    """Return the items of this list of the parts, each with the new ids of the conversations of its part."""
    left, found = iter(things), list[Any]()
    for part, now in zip(parts, renamed, strict=True):
        for thing in (next(left) for _ in getattr(part, name)):
            is_of_one = now and thing.conversations
            belongs = tuple(now.get(one, one) for one in thing.conversations) if is_of_one else thing.conversations
            found.append(thing if belongs == thing.conversations else changed(thing, conversations=belongs))
    return tuple(found)
