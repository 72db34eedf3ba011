"""Whose it is: which opened things go with which conversation.

A thing goes with the conversations it names. One without any (None) goes with those of its own file; where that holds
no conversation, with all, because files named one by one belong together. A walk through a folder or an archive puts
nothing together: what it finds in a file without conversations goes with none (()), and waits to be chosen.
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
"""The lists of a workspace whose things go with conversations."""


def goes_with(workspace: Workspace, conversation: Conversation | None) -> Callable[[Any], bool]:
    """Whether a thing goes with a conversation; all do where there is none."""
    if conversation is None:
        return lambda thing: True
    holders = _origins(workspace)

    def goes(thing: Any) -> bool:
        if thing.conversations is not None:
            return conversation.id in thing.conversations
        return thing.origin == conversation.origin or thing.origin not in holders

    return goes


def waiting(workspace: Workspace, held: Iterable[Conversation] = ()) -> Workspace:
    """The same with what is of no conversation's file, and names none, going with none.

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
