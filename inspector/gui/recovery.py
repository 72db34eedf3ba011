"""Opening unsaved work, kept from a window that was closed or killed."""

import os
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from inspector.gui.inspection import Inspection, SavedInspection, Unsaved
from inspector.gui.opening import Opening, Tell, find_opening
from inspector.gui.unsaved import unsaved_work
from inspector.model import Problem
from inspector.reading.values import UnreadableError


def find_last(docks: Collection[str], tell: Tell) -> Opening:
    """Return the opening of the last work, in a window with these docks; an empty opening if there is none."""
    works, problems = unsaved_work(docks)
    damaged = tuple(Problem(problem.file, problem.place, problem.message, "warning") for problem in problems)
    if not works:
        return Opening(problems=damaged)
    opening = find_recovered(works[0].file, docks, tell)
    return replace(opening, problems=(*damaged, *opening.problems))


def find_recovered(file: Path, docks: Collection[str], tell: Tell) -> Opening:
    """Return the opening of unsaved work, with the inspection file that it changes, if that is still the same.

    Raises UnreadableError if the file of the unsaved work cannot be read.
    """
    opening = find_opening([str(file)], None, docks, tell)
    found = opening.saved.inspection if opening.saved else Inspection()
    unsaved = found.unsaved or Unsaved()
    recovered = replace(
        opening,
        saved=None,
        modified=unsaved.modified,
        named=(),
        scenario_file=unsaved.scenario_file,
        recovered=str(file),
    )
    return _with_file(recovered, found, unsaved, docks, tell) if unsaved.file else recovered


def _with_file(opening: Opening, found: Inspection, unsaved: Unsaved, docks: Collection[str], tell: Tell) -> Opening:
    """Return the opening as changes to its inspection file."""
    file = Path(unsaved.file)
    if not os.path.lexists(file):
        problem = Problem(unsaved.file, "", "is no longer there; saving creates it again", "warning")
        saved = SavedInspection(file, found)
        return replace(opening, saved=saved, modified=True, problems=(*opening.problems, problem))
    try:
        whole = find_opening([unsaved.file], None, docks, tell)
    except UnreadableError as error:
        whole = Opening(problems=(error.problem,))
    if whole.saved is None:
        saved = SavedInspection(file, found, is_whole=False)
        return replace(opening, saved=saved, modified=True, problems=(*opening.problems, *whole.problems))
    if not unsaved.modified:
        return replace(whole, layout=opening.layout, filter=opening.filter, named=(), recovered=opening.recovered)
    problems, seen = opening.problems, unsaved.sha256
    if whole.saved.sha256 == unsaved.writing:
        seen = unsaved.writing  # the file was written, but the program ended before recording it
    if whole.saved.sha256 != seen:
        message = "has changed since; your changes to the earlier version are here, and are saved under another name"
        problems = (*problems, Problem(unsaved.file, "", message, "warning"))
    return replace(opening, saved=SavedInspection(file, found, whole.saved.is_whole, seen), problems=problems)
