"""What is pasted becomes a file of the program's own, and is then opened like any other. Touches files, knows no Qt."""

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
    """What a text from the clipboard stands for, in a window with these docks: what a file of it would.

    Text of no format is one message of a user. Raises UnreadableError for JSON that is nothing to open or is cut off,
    and OSError where it cannot be kept.
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
    """The content and the ending of the file that a text becomes. Raises UnreadableError where it holds none."""
    return named_content(_source_of(text), formats()[0])


def _source_of(text: str) -> FileSource:
    source = FileSource(CLIPBOARD, text.encode(errors="replace"))
    if source.shape == "empty":
        raise UnreadableError(Problem(CLIPBOARD, "", "holds no text; expected a chat, or files"))
    return source
