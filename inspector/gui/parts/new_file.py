"""New files: asking for a name, and the reason for a failure in a few words."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from inspector.sources import SourceProtectedError

_PATTERN = re.compile(r"\*(\.[^\s*)]+)")


def ask_new_file(parent: QWidget, title: str, start: str | Path, filters: str) -> Path | None:
    """Return the name of a file to write, or None if the user cancels.

    A name without a suffix gets that of the chosen filter. If the file exists, the dialog asks for confirmation.
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
    """Return a name with the suffix of the chosen filter.

    A suffix typed by the user stays. But if the suffix decides which of several formats is written, and is only the end
    of one (`.json` of `.items.json`), it is completed. The first filter's suffix, used in suggested names, is replaced.
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
    double = wanted[0].removesuffix(Path(wanted[0]).suffix)  # `items.csv` must not become `items.items.json`
    return name[: -len(has)].removesuffix(double) + wanted[0]


def _ending(name: str, endings: Sequence[str]) -> str:
    """Return the longest of these suffixes of a name, ignoring case, or ""."""
    return max((ending for ending in endings if name.lower().endswith(ending)), key=len, default="")


def reason_of(error: Exception) -> str:
    """Return the reason for an error, without the file name and the number added by the system."""
    if isinstance(error, SourceProtectedError):
        return "it is one of the opened files; choose another name"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
