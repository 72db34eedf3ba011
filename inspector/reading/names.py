"""Names of files without looking at the disk: paths of any system, and members of archives. Knows no file format."""

from pathlib import PurePosixPath


def pure_path(path: str) -> PurePosixPath:
    """Return the path with forward slashes, whichever system wrote it."""
    return PurePosixPath(path.replace("\\", "/"))


def stem(path: str) -> str:
    """Return the name of a file without folders and its last ending: `chats/Mara/First day.jsonl` gives `First day`."""
    return pure_path(path).stem or path
