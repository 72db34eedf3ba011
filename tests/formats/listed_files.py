"""Files of chats as they are listed, for the tests of every format that lists."""

import json
from pathlib import Path
from typing import Any

from inspector.formats import Part, joined, load_parts, load_workspace
from inspector.model import Workspace


def written(folder: Path, *chats: Any) -> Path:
    """An export of these chats."""
    file = folder / "conversations.json"
    file.write_text(json.dumps(chats))
    return file


def listed(file: Path, **terms: Any) -> Part:
    """What a file gives when it is listed, however small it is."""
    return load_parts([file], listed_from=0, **terms)[0]


def heads(workspace: Workspace) -> list[tuple[str, str, str, str]]:
    """What is known of conversations that nobody has read."""
    return [(chat.id, chat.title, chat.model, chat.origin) for chat in workspace.conversations]


def check_listed_is_read(file: Path) -> Part:
    """Checks that what is listed is what is read, and that reading all of it makes the same; returns what is listed."""
    part, whole = listed(file), load_workspace([file])
    assert heads(joined([part])) == heads(whole), file.name
    for name in ("characters", "memory_sets", "documents", "attachments"):
        assert getattr(part.workspace, name) == getattr(whole, name), (file.name, name)
    assert part.workspace.conversations == whole.conversations, file.name
    assert joined([part.completed()]) == whole, file.name
    return part
