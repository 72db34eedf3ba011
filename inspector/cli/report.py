"""prompt-inspector report: a page about an archive of chats and its prompts under a scenario, or about a single
prompt.
"""

from collections.abc import Callable, Iterable
from typing import Any

import click

from inspector.analysis.archive.chats import BadFile, lost
from inspector.analysis.archive.figures import ChatFigures
from inspector.analysis.archive.files import ArchiveFile, Chunk, chunks
from inspector.analysis.archive.summary import ArchiveSummary, FiguresOfFiles, summary_of
from inspector.analysis.archive.workers import Begin
from inspector.analysis.archive.working import worked_through
from inspector.assembly.inspection_file import inspection_part
from inspector.assembly.own_policy import OWN
from inspector.cli.archive import (
    archive_opening,
    files_of_archive,
    report_bad,
    workers_of,
    workers_that_answer,
)
from inspector.cli.asking import open_asked
from inspector.cli.failure import InputError
from inspector.cli.interruption import until_interrupted
from inspector.cli.loading import named_failures, progress_bar
from inspector.cli.output import say_written
from inspector.cli.prompt_report import report_prompt
from inspector.cli.saved_scenario import read_of_archive, save_scenario
from inspector.cli.scenarios import scenario_from
from inspector.figures import counted
from inspector.pages.archive import archive_page, setting_words
from inspector.sources import SourceProtectedError
from inspector.writing import write_file

_MOST_FILES, _MOST_BYTES, _LEAST_CHUNKS = 32, 16_000_000, 32
_SHOWN_FROM_FILES = 2


def report(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    glob: str,
    workers: int | None,
    cluster_address: str | None,
    of_prompt: bool,
    baseline: str | None,
    redacts: bool,
    out: str,
    **given: Any,
) -> None:
    """Run `prompt-inspector report` with the values of its options."""
    if of_prompt or baseline or redacts or not out.lower().endswith(".html") or _is_inspection(paths):
        pipeline, scenario = open_asked(paths, scenario_file, settings, given)
        report_prompt(pipeline, paths, scenario, scenario_file, baseline, redacts, out)
        return
    by_own_rules = given.get("policy") == OWN
    if by_own_rules and (settings or given.get("preset")):
        raise click.UsageError(f"--policy {OWN} has several policies for an archive: --set and --preset are about one")
    scenario = scenario_from(scenario_file, settings, {**given, "policy": None} if by_own_rules else given)
    save_scenario(scenario, lambda: read_of_archive(scenario, scenario_file, paths, glob))
    begin = workers_of(workers, cluster_address)
    files = files_of_archive(paths, glob, (out,))
    summary = _summary(FiguresOfFiles(archive_opening(), scenario, by_own_rules), files, begin)
    report_bad(summary.bad, len(files))
    if not summary.chats:
        raise InputError(f"{', '.join(paths)}: no chat in {len(files):,} files")
    _write(
        out, archive_page(summary, setting_words(scenario, by_own_rules=by_own_rules)), [file.path for file in files]
    )
    say_written(f"the report of {counted(len(summary.chats), 'chat')}", out)


def _is_inspection(paths: tuple[str, ...]) -> bool:
    return len(paths) == 1 and inspection_part(paths[0]) is not None


def _summary(work: FiguresOfFiles, files: list[ArchiveFile], begin: Begin) -> ArchiveSummary:
    most = max(1, min(_MOST_FILES, len(files) // _LEAST_CHUNKS))
    steps = worked_through(begin, work, chunks(files, files, most, _MOST_BYTES))
    found: dict[Chunk, tuple[list[ChatFigures], list[BadFile]]] = {}
    shown = progress_bar("Reading chats", _SHOWN_FROM_FILES)
    with named_failures(), workers_that_answer(), until_interrupted(steps) as made, shown as advance:
        _take(found, made, lambda done: advance(done, len(files)))
    ordered = [found[chunk] for chunk in sorted(found)]
    return summary_of([chat for chats, _ in ordered for chat in chats], [one for _, bad in ordered for one in bad])


def _take(found: dict[Chunk, Any], made: Iterable[tuple[Chunk, Any] | None], advance: Callable[[int], None]) -> None:
    done = 0
    for finished in made:
        if finished is not None:
            chunk, figures = finished
            found[chunk] = figures if figures is not None else ([], [lost(file.path) for file in chunk])
            done += len(chunk)
        advance(done)


def _write(out: str, page: str, opened: list[str]) -> None:
    try:
        write_file(out, page, opened)
    except SourceProtectedError as problem:
        raise InputError(str(problem)) from None
    except OSError as problem:
        raise InputError(f"{out}: cannot be written: {problem.strerror or problem}") from None
