"""A new file: its name is asked for, and why it cannot be written is said in a few words."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from inspector.sources import SourceProtectedError

_PATTERN = re.compile(r"\*(\.[^\s*)]+)")


def ask_new_file(parent: QWidget, title: str, start: str | Path, filters: str) -> Path | None:
    """Ask for the name of a file to be written, None where the person would rather not.

    The name gets the ending of the chosen filter where it has none. If there is such a file, the dialog asks about it.
    """
    wanted = str(start)
    while True:
        name, chosen = QFileDialog.getSaveFileName(parent, title, wanted, filters)
        if not name:
            return None
        whole = with_ending(name, chosen, filters)
        if whole == name or not os.path.lexists(whole):
            return Path(whole)
        wanted = whole


def with_ending(name: str, chosen: str, filters: str) -> str:
    """A name with the ending that the chosen filter asks for.

    One that a person typed stays, but where the name says which of several kinds is written and has only the end of
    one's ending (`.json` of `.items.json`), it gets all of it. The one of the first filter, with which names are
    suggested, gives way.
    """
    endings, wanted = _PATTERN.findall(filters), _PATTERN.findall(chosen)
    if not wanted:
        return name
    has = _ending(name, endings)
    if not has:
        suffix = Path(name).suffix
        if suffix and chosen == filters:
            return name
        meant = [ending for ending in (*wanted, *endings) if ending.endswith(suffix.lower())]
        return name.removesuffix(suffix) + meant[0] if meant else name
    if has != endings[0] or has in wanted:
        return name
    double = wanted[0].removesuffix(Path(wanted[0]).suffix)  # what is suggested as `items.csv` is no `items.items.json`
    return name[: -len(has)].removesuffix(double) + wanted[0]


def _ending(name: str, endings: Sequence[str]) -> str:
    """The longest of these endings that a name has, in any case of letters; "" for none."""
    return max((ending for ending in endings if name.lower().endswith(ending)), key=len, default="")


def reason_of(error: Exception) -> str:
    """Why something could not be done, without the name of the file and the number that the system adds."""
    if isinstance(error, SourceProtectedError):
        return "it is one of the opened files; choose another name"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
