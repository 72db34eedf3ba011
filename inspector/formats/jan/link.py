"""Joins the two files of a Jan thread: its assistants with its messages. Reads no files."""

from inspector.model import Workspace, changed

_FORMAT = "jan"


def link(workspace: Workspace) -> Workspace:
    """Return the workspace with each assistant tied to the conversation of its folder: a thread is a folder."""
    ours = {source.path for source in workspace.sources if source.format == _FORMAT}
    threads = {_folder(talk.origin): (talk.id,) for talk in workspace.conversations if talk.origin in ours}
    people = tuple(
        changed(one, conversations=threads.get(_folder(one.origin), ()))
        if one.origin in ours and one.conversations == ()
        else one
        for one in workspace.characters
    )
    return changed(workspace, characters=people)


def _folder(origin: str) -> str:
    return origin.replace("\\", "/").rpartition("/")[0]
