"""Prompt Inspector: see what context-window policies keep, summarize and drop, and why.

The functions of the Python interface say what the commands of their names say; importing the package imports nothing
else:

    import inspector

    workspace = inspector.load("chat.jsonl", "memories.json")
    answer = inspector.assemble(workspace, {"policy": "ratio", "parameters": {"memory_share": 0.3}})
    rows = inspector.sweep(workspace, {"context_window": "4096:32768:4096"}, {"policy": "ratio"})
    steps = inspector.sweep_archive(["chats"], {"memory_share": "0.1:0.5:0.1"}, "rows.parquet")
    recall = inspector.recall(workspace, {"policy": "window_rag"}, "questions.probes.yaml")
    advice = inspector.recommend(workspace, "questions.probes.yaml", windows=(4096, 8192))

`inspector.library` has them all.
"""

from collections.abc import Callable, Container, Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from inspector.version import VERSION

if TYPE_CHECKING:
    from inspector.formats import Part
    from inspector.formats.tables.layout import TableLayout
    from inspector.library import (
        assemble,
        compare,
        count,
        explain,
        export,
        keep,
        load_messages,
        memories,
        recall,
        recommend,
        replay,
        report,
        search,
        survival,
        sweep,
        sweep_archive,
    )
    from inspector.model import Workspace

__all__ = (
    "assemble",
    "compare",
    "count",
    "explain",
    "export",
    "keep",
    "load",
    "load_messages",
    "load_parts",
    "memories",
    "recall",
    "recommend",
    "replay",
    "report",
    "search",
    "survival",
    "sweep",
    "sweep_archive",
)
__version__ = VERSION


def load(
    *paths: str | PathLike[str],
    on_progress: Callable[[str, float], None] | None = None,
    repairs: Container[str] = (),
    lists: bool = True,
) -> "Workspace":
    """Load these files, folders and archives as a workspace. Unreadable files are listed in its `problems`.

    Raise FileNotFoundError for a missing path.

    With `lists`, the chats of an export of 4 MB or more (smaller ones are read in the time that this would save) are
    listed, and each is read when its messages are asked for, if it can be used without the others. They are the same
    as without; the problems found in a chat are then in its `problems_on_demand` and not in those of the workspace.

    The formats are the built-in ones and those of plug-ins; `opening_bytes` of the user's settings limits the memory
    used. `on_progress(path, share)` is called before each file with the share of files already done. Broken JSON is
    repaired in the files named in `repairs`, by guessing the missing parts.
    """
    import errno
    import os

    from inspector.formats import joined

    for path in paths:
        if not os.path.lexists(path):
            raise FileNotFoundError(errno.ENOENT, "there is no such file or folder", fspath(path))
    parts = load_parts(*paths, on_progress=on_progress, repairs=repairs, lists=lists)
    return joined(part.usable() for part in parts)


def load_parts(
    *paths: str | PathLike[str],
    on_progress: Callable[[str, float], None] | None = None,
    repairs: Container[str] = (),
    lists: bool = False,
    explained: "Sequence[TableLayout] | None" = None,
) -> "tuple[Part, ...]":
    """Load the same file by file, for callers who add or leave out some of the parts before `inspector.formats.joined`.

    With `lists`, the conversations of large files may be unread at first; a part's `completed` reads them. Tables are
    read by the layouts `explained`, by default as the user explained them.
    """
    from inspector.formats import Part, opening
    from inspector.formats.settings import read_opening_bytes
    from inspector.model import Workspace
    from inspector.plugins import explained_tables, formats
    from inspector.settings import settings_file

    allowed, problems = read_opening_bytes(settings_file())
    problems = (*problems, *explained_tables()[1])
    of_settings = (Part("", Workspace(problems=problems)),) if problems else ()
    names = [fspath(path) for path in paths]
    listed_from = opening.LISTED_FROM if lists else None
    return (*of_settings, *opening.load_parts(names, on_progress, formats(explained)[0], allowed, repairs, listed_from))


def __getattr__(name: str) -> Any:
    """Return a function of `inspector.library`, which is imported with the first of them."""
    if name in __all__:
        from inspector import library

        return getattr(library, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
