"""Belonging: the conversations to which each opened thing belongs.

A thing belongs to the conversations it names. If it names none (None), it belongs to those of its own file; if that
file has no conversation, to all, because files named individually belong together. A walk through a folder or an
archive connects nothing: a thing in a file without conversations belongs to none (()), and waits to be chosen.
"""

from collections.abc import Callable, Iterable
from typing import Any

from inspector.model.conversation import Conversation
from inspector.model.record import changed
from inspector.model.workspace import Workspace

OWNED = (
    *("memory_sets", "characters", "lorebooks", "passages", "summaries"),
    *("documents", "attachments", "skipped", "tools"),
)
"""The lists of a workspace whose things belong to conversations."""


def goes_with(workspace: Workspace, conversation: Conversation | None) -> Callable[[Any], bool]:
    """Return a test whether a thing belongs to a conversation; everything does if there is none."""
    if conversation is None:
        return lambda thing: True
    holders = _origins(workspace)

    def goes(thing: Any) -> bool:
        if thing.conversations is not None:
            return conversation.id in thing.conversations
        return thing.origin == conversation.origin or thing.origin not in holders

    return goes


def waiting(workspace: Workspace, held: Iterable[Conversation] = ()) -> Workspace:
    """Return the same workspace, in which things without owners or a conversation in their file belong to none.

    `held` are conversations whose files the workspace held before.
    """
    holders = _origins(workspace)
    once = {chat.origin for chat in held}

    def waits(thing: Any) -> bool:
        return thing.conversations is None and thing.origin not in holders and (not once or thing.origin in once)

    lists = {
        name: tuple(changed(thing, conversations=()) if waits(thing) else thing for thing in getattr(workspace, name))
        for name in OWNED
    }
    return changed(workspace, **lists)


def _origins(workspace: Workspace) -> set[str]:
    return {chat.origin for chat in workspace.conversations}
