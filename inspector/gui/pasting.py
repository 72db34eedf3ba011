"""Pasting: the text becomes a file of the program's own, opened like any other. Touches files; independent of Qt."""

from collections.abc import Collection

import inspector
from inspector.formats import FileSource, UnreadableError
from inspector.formats.unnamed import keep, named_content
from inspector.gui.opening import Opening, Tell, find_opening
from inspector.model import Problem, changed
from inspector.plugins import formats
from inspector.settings import pasted_folder

CLIPBOARD = "the clipboard"


def find_pasted(text: str, docks: Collection[str], tell: Tell) -> Opening:
    """Return the opening of a text from the clipboard, in a window with these docks, as for a file with that text.

    Text in no known format becomes a single user message. Raises UnreadableError for JSON that cannot be opened or is
    cut off, and OSError if the file cannot be kept.
    """
    file = keep(_source_of(text), formats()[0], pasted_folder(), "Pasted")
    tell(None)
    parts = inspector.load_parts(file)
    if not any(part.is_read for part in parts):
        file.unlink()
        found = [problem for part in parts for problem in part.workspace.problems if problem.severity != "info"]
        said = [changed(problem, file=CLIPBOARD, repairable=False) for problem in found]
        said = said or [Problem(CLIPBOARD, "", "holds nothing to open")]
        raise UnreadableError(said[0], said[1:])
    return find_opening([str(file)], None, docks, tell)


def pasted_content(text: str) -> tuple[bytes, str]:
    """Return the content and the suffix of a file for a text. Raises UnreadableError if there is no text."""
    return named_content(_source_of(text), formats()[0])


def _source_of(text: str) -> FileSource:
    source = FileSource(CLIPBOARD, text.encode(errors="replace"))
    if source.shape == "empty":
        raise UnreadableError(Problem(CLIPBOARD, "", "holds no text; expected a chat, or files"))
    return source
