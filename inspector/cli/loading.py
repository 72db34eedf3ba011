"""Opening and counting for commands: from files to a pipeline with every text of a scenario counted."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from time import monotonic

import click

from inspector import load_parts
from inspector.analysis.basis import Result, Share, result_of
from inspector.assembly.answer import Answer, complete_answer
from inspector.assembly.case import Case
from inspector.assembly.choices import ScenarioError
from inspector.assembly.lacking import Progress, make_all
from inspector.assembly.marks import Marks
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.preset import Presets
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_file import files_named
from inspector.cli.failure import InputError
from inspector.cli.inspections import file_of, inspection_among, open_inspection
from inspector.cli.known import known_presets
from inspector.cli.options import files_to_repair, is_verbose, may_send_texts
from inspector.cli.output import warn
from inspector.cli.piped import PIPED, STANDARD_INPUT, piped_bytes
from inspector.figures import counted
from inspector.formats import Part, UnreadableError, joined
from inspector.formats.opening import load_unnamed
from inspector.formats.settings import read_opening_bytes
from inspector.model import Problem, Workspace
from inspector.plugins import formats, plugin_problems, policies, tokenizers
from inspector.reading.values import clean
from inspector.retrieval.summaries.settings import EndpointSettings, read_endpoint
from inspector.settings import cache_file, own_files, own_models_file, settings_file
from inspector.sources import files_of
from inspector.tokens.cache import CountCache
from inspector.tokens.choice import UnknownTokenizerError
from inspector.tokens.models.loading import load_models
from inspector.tokens.tokenizer import TokenizerUnavailableError

PROGRESS_FROM_TEXTS = 5_000
_LINE_SECONDS = 10.0


def open_pipeline(paths: Sequence[str], piped: bytes | None = None, *, lists: bool = False) -> Pipeline:
    """Return a pipeline for these files, or for an inspection with its marks; `piped` is the content of standard input.

    With `lists`, the conversations of large files may be unread at first, as in `open_workspace`. End the command if
    any of them cannot be read, or none is given.
    """
    inspection = inspection_among(paths)
    workspace, marks = (
        (open_workspace(paths, piped, lists=lists), Marks()) if inspection is None else _open_inspection(inspection)
    )
    presets = known_presets()
    pipeline = _pipeline_of(workspace, presets)
    pipeline.known.marks = marks
    report_problems((*pipeline.choices.models.problems, *presets.problems))
    return pipeline


def _open_inspection(path: str) -> tuple[Workspace, Marks]:
    workspace, marks = open_inspection(path)
    report_problems((*plugin_problems(), *workspace.problems))
    _report_unopened(workspace)
    return workspace, marks


def open_workspace(paths: Sequence[str], piped: bytes | None = None, *, lists: bool = False) -> Workspace:
    """Return the workspace of these files, where `-` is standard input, or its content `piped` if already read.

    With `lists`, the conversations of a large file are read when they are used, if each can be used without the others;
    their problems are then in `problems_on_demand`.
    End the command if any of them cannot be read, or none is given.
    """
    if not paths:
        raise click.UsageError("name a file or folder to open, or - for standard input")
    files = [path for path in paths if path != STANDARD_INPUT]
    listed = load_parts(*files, repairs=files_to_repair(), lists=lists)
    parts = tuple(part.usable() for part in listed)
    if len(files) < len(paths):
        parts = (*parts, _piped_part(piped_bytes() if piped is None else piped))
    workspace = joined(parts)
    _refuse_unopened([PIPED if path == STANDARD_INPUT else path for path in paths], workspace)
    report_problems((*plugin_problems(), *workspace.problems))
    _report_unopened(workspace)
    return workspace


def _refuse_unopened(paths: Sequence[str], workspace: Workspace) -> None:
    """End the command if a named path yielded nothing, after reporting its other problems."""
    for path in paths:
        if any(_stands_below(source.path, path) for source in workspace.sources):
            continue
        found = [one for one in workspace.problems if _stands_below(one.file, path)]
        errors = [one for one in found if one.severity == "error"] or found
        if errors:
            report_problems(errors[1:])
            raise InputError(str(errors[0]))


def _stands_below(file: str, path: str) -> bool:
    """Return whether a file is at a path, or in the folder or archive at that path."""
    return PurePath(file).is_relative_to(path) or PurePath(file).is_relative_to(PurePath(clean(path)))


def _report_unopened(workspace: Workspace) -> None:
    """Report how many files of folders and archives were not opened; with `--verbose`, each with the reason."""
    unopened = workspace.unopened
    if is_verbose():
        for problem in unopened:
            if problem.severity == "info":  # the others have been said
                warn(problem)
    if unopened:
        lists = "" if is_verbose() else " (--verbose lists them)"
        warn(f"{counted(len(unopened), 'file was', plural='files were')} not opened{lists}")


def pipeline_of(workspace: Workspace) -> Pipeline:
    """Return a pipeline with all policies, presets, models and tokenizers, including the user's own.

    Texts are sent only if an option of this run says so. End the command if the settings file, which then names an
    endpoint for summaries, cannot be read.
    """
    return _pipeline_of(workspace, known_presets())


def _pipeline_of(workspace: Workspace, presets: Presets) -> Pipeline:
    pipeline = Pipeline(workspace, policies()[0], presets, load_models(own_models_file()), tokenizers()[0])
    if may_send_texts():  # a file's wish alone may be a stranger's
        pipeline.known.summarizing.allow(_endpoint())
    return pipeline


def _endpoint() -> EndpointSettings | None:
    try:
        return read_endpoint(settings_file())
    except UnreadableError as error:
        raise InputError(str(error.problem)) from None


def opened_files(
    paths: Sequence[str], pipeline: Pipeline, scenario: Scenario, scenario_file: str | None, *names: str
) -> list[str]:
    """Return all files read by a command, which must not be overwritten; `names` are further tokenizers and
    embeddings.
    """
    model = pipeline.choices.models.find(scenario.model).row if scenario.model else None
    counted_by = [*([model.tokenizer] if model else []), *pipeline.choices.preset(scenario).tokenizer_names]
    named = files_named(scenario, *names, *counted_by)
    own = list(map(str, own_files()))
    own += [scenario_file] if scenario_file else []
    return [*map(file_of, paths), *files_of(pipeline.workspace), *named, *own]


def report_problems(problems: Iterable[Problem]) -> None:
    """Warn of each problem above information."""
    for problem in problems:
        if problem.severity != "info":
            warn(problem)


def _piped_part(data: bytes) -> Part:
    allowed, _ = read_opening_bytes(settings_file())
    return load_unnamed(data, PIPED, formats()[0], allowed, files_to_repair())


def make_lacking(pipeline: Pipeline, scenario: Scenario, cached: bool = True) -> Case:
    """Return the case of a scenario, with everything it needs counted, summarized, embedded and read.

    Show progress on standard error if it takes long. Raise ScenarioError and UnknownTokenizerError.
    """
    with work_progress() as on_progress:
        return make_all(pipeline, scenario, open_cache() if cached else None, on_progress)


def open_cache() -> CountCache:
    """Return the cache of counts shared by all runs, a single cache per command; its problems are reported at the
    end.
    """
    root = click.get_current_context().find_root()
    if __name__ not in root.meta:
        root.meta[__name__] = CountCache(cache_file())
        root.call_on_close(_close_cache)
    return root.meta[__name__]


def _close_cache() -> None:
    cache = open_cache()
    if cache.trouble:
        warn(cache.trouble)
    cache.close()


def progress_lines(title: str, seconds: float = _LINE_SECONDS) -> Callable[..., None]:
    """Return a function that writes progress (done, total) on standard error, at most a line in so many seconds."""
    written = monotonic()

    def advance(done: int, total: int, what: str = "") -> None:
        nonlocal written
        if monotonic() - written >= seconds:
            written = monotonic()
            warn(f"{title}: {done:,} of {total:,}")

    return advance


@contextmanager
def progress_bar(title: str, shown_from: int, *, in_lines: bool = False) -> Iterator[Callable[..., None]]:
    """Yield a function that shows progress (done, total, label) on a terminal's standard error from this size on.

    Where standard error is no terminal it shows nothing, or lines (see `progress_lines`).
    """
    if not sys.stderr.isatty():
        yield progress_lines(title) if in_lines else lambda done, total, what="": None
        return
    from inspector.cli.console import progress_on_errors

    with progress_on_errors(title, shown_from) as advance:
        yield advance


def shown_result(steps: Iterable[Share | Result], title: str, shown_from: int) -> Result:
    """Return the last result of an analysis, with a progress bar until then."""
    with progress_bar(title, shown_from) as advance:
        return result_of(steps, lambda share: advance(share.done, share.of, share.what))


@contextmanager
def work_progress() -> Iterator[Progress]:
    """Yield a function that shows long work on standard error."""
    with progress_bar("", PROGRESS_FROM_TEXTS) as advance:
        yield lambda work, share: advance(round(share * work.size), work.size, work.title)


def answer_for(pipeline: Pipeline, scenario: Scenario, cached: bool = True) -> Answer:
    """Return the measured answer to a scenario. Raise ScenarioError and UnknownTokenizerError."""
    with work_progress() as on_progress:
        cache = open_cache() if cached else None
        return complete_answer(pipeline, scenario, cache, on_progress, finds_duplicates=True)


@contextmanager
def named_failures() -> Iterator[None]:
    """End the command if a scenario asks for something missing, or for something that fails at a text."""
    try:
        yield
    except (ScenarioError, UnknownTokenizerError, TokenizerUnavailableError) as problem:
        raise InputError(str(problem)) from None
