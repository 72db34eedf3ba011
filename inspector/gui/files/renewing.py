"""Reading open files again, and adding to them, file by file. An unreadable file keeps its previous contents.

All of it runs on a worker, independent of Qt.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from inspector.analysis.basis import Share
from inspector.assembly.edits import Edit, take_over, use_added
from inspector.assembly.own_policy import use_presets
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.formats import Part, UnreadableError, joined
from inspector.formats.tables.chats import FORMAT as TABLE
from inspector.formats.tables.layout import TableLayout
from inspector.formats.traces.reading_on import Read, is_recorded, read_on
from inspector.gui.files.added_presets import added_presets
from inspector.gui.files.opening import (
    Loaded,
    Opening,
    Tell,
    columns_of,
    load,
    opened_workspace,
    prepared,
    read_files,
    unread,
)
from inspector.model import Problem, Workspace, changed

Parts = tuple[Part, ...]
_STAYS = "; the parts read before stay"


def load_more(now: Opening, more: Opening, make_pipeline: Callable[[Workspace], Pipeline], tell: Tell) -> Loaded:
    """Return `now` with `more` beside it. An inspection, a tour, or an unreadable file is loaded alone.

    If `more` has table layouts, the open tables are read again with them.
    """
    if more.saved is not None or more.tour is not None:
        return load(more, make_pipeline, tell)
    repairs, first = now.repairs | more.repairs, _columns_first(more, now)
    found, known = read_files(more.paths, first, repairs, tell)
    lost = unread(more, joined(found))
    scenario = more.scenario if os.path.realpath(more.scenario_file) in more.named else None
    if scenario is None and not any(part.is_read for part in found):
        return replace(prepared(replace(more, parts=found), make_pipeline(joined(found))), unread=lost)
    tell(Share(1.0, what="Preparing the conversation"))
    paths = tuple(dict.fromkeys((*now.paths, *more.paths)))
    tidying = now.tidying.with_files(part.file for part in found)
    parts = with_more(_tables_again(now, more, first, tell) if more.columns else now.parts, found)
    columns = columns_of(parts, first, (*known, *now.columns))
    opening = replace(
        now, paths=paths, parts=parts, tidying=tidying, named=more.named, repairs=repairs, columns=columns
    )
    presets = added_presets(now.tidying.parts(now.parts), found) if scenario is None else None
    if presets is not None:
        opening = replace(opening, tidying=presets.tidied(tidying, is_done=True))
    before, after = opened_workspace(now), opened_workspace(opening)

    def use(scenario_now: Scenario) -> Edit:
        if presets is None:
            return _used(scenario_now, scenario, before, after)
        return use_presets(scenario_now, before, after, presets.label, follows=now.follows_file)

    used = replace(opening, scenario=use(now.scenario).scenario)
    loaded = prepared(used, make_pipeline(after))
    return replace(loaded, opening=opening, unread=lost, renews=now, use=use, presets=presets)


def load_again(
    now: Opening, paths: Sequence[str], make_pipeline: Callable[[Workspace], Pipeline], tell: Tell
) -> Loaded:
    """Return `now` with these of its files and folders read again."""
    grown = dict(_grown(now, paths))
    others = [path for path in paths if path not in grown]
    found, known = read_files(others, now.kept_columns, now.repairs, tell) if others else ((), ())
    tell(Share(1.0, what="Preparing the conversation"))
    parts = read_again(now.parts, (*found, *(read.part for read in grown.values())), paths)
    columns = columns_of(parts, now.kept_columns, (*known, *now.columns))
    opening = replace(now, parts=parts, named=(), columns=columns, grown={**now.grown, **grown})
    loaded = prepared(opening, make_pipeline(opened_workspace(opening)))
    lost = unread(Opening(), joined(found))
    return replace(loaded, unread=tuple(_stayed(lost, opening.parts)), renews=now)


def _grown(now: Opening, paths: Sequence[str]) -> Iterator[tuple[str, Read]]:
    """Yield the files of recorded requests among these paths: of what has grown, only the new lines are read."""
    for part in now.parts:
        if part.file not in paths or not is_recorded(part):
            continue
        with suppress(UnreadableError):  # then it is read like any other file, and the problem is told
            read = read_on(part.file, now.grown.get(part.file))
            if is_recorded(read.part):
                yield part.file, read


def _columns_first(more: Opening, now: Opening) -> tuple[TableLayout, ...]:
    """Return the layouts of `more`, then the kept layouts of tables with other columns."""
    asked = [set(layout.columns.values()) for layout in more.columns]
    others = (layout for layout in now.kept_columns if set(layout.columns.values()) not in asked)
    return (*more.columns, *others)


def _tables_again(now: Opening, more: Opening, columns: Sequence[TableLayout], tell: Tell) -> Parts:
    """Return the open files, with every message table outside `more` read again by these layouts."""
    tables = [
        part.file
        for part in now.parts
        if part.file not in more.paths and any(source.format == TABLE.name for source in part.workspace.sources)
    ]
    return read_again(now.parts, read_files(tables, columns, now.repairs, tell)[0], tables) if tables else now.parts


def with_more(before: Parts, found: Parts) -> Parts:
    """Return more files than before. A file already present takes its new contents at its old place."""
    was_named = {part.file for part in before if part.named}
    again = {part.file: replace(part, named=part.named or part.file in was_named) for part in found if part.is_read}
    known = {part.file for part in before if part.file}
    return (
        *(again.get(part.file, part) for part in before),
        *(part for part in found if part.file not in known),
    )


def read_again(before: Parts, found: Parts, paths: Sequence[str]) -> Parts:
    """Return the files after reading those below these paths again.

    A file that can no longer be read keeps its previous contents, and is not tried again before it changes. A file
    gone from its folder is removed.
    """
    now = {part.file: part for part in found if part.file}
    gone = [path for path in paths if not os.path.lexists(path)]
    parts: list[Part] = []
    for part in before:
        new = now.pop(part.file, None)
        if new is not None:
            is_newer = new.is_read or not part.is_read
            parts.append(replace(new, named=part.named) if is_newer else replace(part, state=new.state))
        elif part.file and (not _is_below(part.file, paths) or _is_below(part.file, gone)):
            parts.append(part)
    return (*parts, *now.values(), *(part for part in found if not part.file))


def _is_below(file: str, paths: Sequence[str]) -> bool:
    return any(Path(file).is_relative_to(path) for path in paths)


def _stayed(problems: Sequence[Problem], parts: Parts) -> Iterator[Problem]:
    """Yield the problems, noting where the previous contents are kept."""
    for problem in problems:
        stays = any(part.is_read and _is_below(part.file, [problem.file]) for part in parts)
        yield changed(problem, message=f"{problem.message}{_STAYS}") if stays else problem


def _used(now: Scenario, scenario: Scenario | None, before: Workspace, after: Workspace) -> Edit:
    """Put the added parts to use: a scenario as it is, else the conversation, or the memories and the character."""
    return use_added(now, before, after) if scenario is None else take_over(now, scenario, "Use the added scenario")
