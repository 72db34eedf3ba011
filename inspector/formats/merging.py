"""Many workspaces to one: origins, ids that are unique across files, and what belongs together. Reads no files."""

from collections.abc import Sequence
from typing import Any

from inspector.formats.unique_ids import with_unique_ids
from inspector.model import Conversation, Problem, Workspace, changed

_NAMED = ("conversations", "memory_sets", "characters", "lorebooks", "passages", "summaries", "documents")
_IDENTIFIED = (*_NAMED, "probes")
_BELONGING = ("memory_sets", "summaries")
_STAMPED = (*_IDENTIFIED, "attachments", "skipped", "tools")


def stamped(workspace: Workspace, origin: str, **fields: Any) -> Workspace:
    """The workspace with `origin` on everything in it that names none yet, and with other values of some `fields`."""
    changes: dict[str, Any] = {
        name: tuple(item if item.origin else changed(item, origin=origin) for item in getattr(workspace, name))
        for name in _STAMPED
    }
    return changed(workspace, **changes, **fields)


def merge(parts: Sequence[Workspace]) -> Workspace:
    """The parts one after another, with ids that are unique within each list; what names conversations keeps them."""
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
    for name in _BELONGING:
        lists[name] = _with_conversations(name, lists[name], parts, lists["conversations"])
    lists["problems"] = tuple(problems)
    return Workspace(**lists)


def _with_conversations(
    name: str, things: Sequence[Any], parts: Sequence[Workspace], conversations: Sequence[Conversation]
) -> tuple[Any, ...]:
    """The things of this list of the parts, each with the ids that the conversations of its own part have now."""
    ids, left = iter(conversations), iter(things)
    found: list[Any] = []
    for part in parts:
        now = {chat.id: next(ids).id for chat in part.conversations}
        for thing in (next(left) for _ in getattr(part, name)):
            belongs = tuple(now.get(one, one) for one in thing.conversations)
            found.append(thing if belongs == thing.conversations else changed(thing, conversations=belongs))
    return tuple(found)
