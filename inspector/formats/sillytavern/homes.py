"""SillyTavern's folders: whose files belong together."""

from functools import lru_cache
from pathlib import PurePosixPath

Home = tuple[str, ...]
_PRESETS = frozenset(
    (
        *("OpenAI Settings", "TextGen Settings", "KoboldAI Settings", "NovelAI Settings"),
        *("context", "instruct", "sysprompt"),
    )
)
"""The folders with all presets of a user, of which settings have the values in use."""
_FOLDERS = frozenset(("characters", "chats", "groups", "group chats", "worlds")) | _PRESETS


def home_of(origin: str) -> Home:
    """Return the folder whose files belong together: the user folder, for SillyTavern's own folders in it."""
    return _user_folder(origin.replace("\\", "/").rpartition("/")[0])


@lru_cache
def _user_folder(folder: str) -> Home:
    parts = PurePosixPath(folder).parts
    if len(parts) > 1 and parts[-2] == "chats":
        return parts[:-2]
    return parts[:-1] if parts and parts[-1] in _FOLDERS else parts


def is_stored(origin: str) -> bool:
    """Return whether a file is in a folder with all presets of a user."""
    return PurePosixPath(origin.replace("\\", "/")).parent.name in _PRESETS
