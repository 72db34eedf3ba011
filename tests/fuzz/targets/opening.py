"""A file that is opened, alone and beside others of its kind, used and saved."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from inspector.formats import load_file, load_parts, load_workspace
from inspector.model import Workspace
from tests.fuzz.outcome import BrokenPromiseError, Input, Limits
from tests.fuzz.targets.using import check_loaded, check_saved, chooser, use

Opened = TypeVar("Opened")


def open_file(others_of_its_kind: Callable[[], Sequence[Input]], file: Path, scratch: Path) -> None:
    """Open a file, alone or beside others of its kind; check, save and use what it holds."""
    rng = chooser(file.read_bytes())
    alone = _in_time(lambda: load_file(file))
    check_loaded(alone, [file])
    _check_listed(file, alone)
    others = others_of_its_kind()
    for number, other in enumerate(rng.sample(others, min(rng.choice((0, 0, 1, 2)), len(others)))):
        (scratch / f"{number} {other.name.replace('/', ' ')}").write_bytes(other.data)
    files = [file, *sorted(scratch.iterdir())]
    together = _in_time(lambda: load_workspace(files))
    check_loaded(together, files)
    check_saved(together, scratch, rng)
    use(together, rng)


def _in_time(opened: Callable[[], Opened]) -> Opened:
    """What an opening gives; a broken promise if it takes longer than an input may."""
    begun = time.process_time()
    found = opened()
    if (used := time.process_time() - begun) > Limits().seconds:
        raise BrokenPromiseError("an opening takes too long", f"{used:.1f} s of the processor")
    return found


def _check_listed(file: Path, whole: Workspace) -> None:
    """Check that a file whose conversations are only listed at first holds the same.

    A list may be of another format: whether a format loses most of a file shows only when all of it was read.
    """
    part = _in_time(lambda: load_parts([file], listed_from=0)[0])
    if part.whole is None:
        return
    with suppress(RecursionError):  # of values nested deeper than Python compares
        formats = [[source.format for source in one.sources] for one in (part.workspace, whole)]
        is_same = part.workspace.conversations == whole.conversations
        assert is_same or formats[0] != formats[1], "what is listed is not what is read"
        assert _in_time(part.completed).workspace == whole, "what was listed and then read is not what is read"
