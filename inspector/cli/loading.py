"""Opening and counting for commands: files to a pipeline with every text of a scenario counted."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import BinaryIO

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
from inspector.figures import counted
from inspector.formats import FileSource, Part, UnreadableError, joined
from inspector.formats.opening import load_unnamed
from inspector.formats.settings import read_opening_bytes
from inspector.formats.unnamed import is_plain_text, keep
from inspector.model import Problem, Workspace
from inspector.plugins import formats, plugin_problems, policies, tokenizers
from inspector.reading.budget import in_words
from inspector.reading.files import MAX_FILE_BYTES
from inspector.reading.values import clean
from inspector.retrieval.summaries.settings import EndpointSettings, read_endpoint
from inspector.settings import cache_file, own_files, own_models_file, settings_file
from inspector.sources import files_of
from inspector.tokens.cache import CountCache
from inspector.tokens.choice import UnknownTokenizerError
from inspector.tokens.models.loading import load_models
from inspector.tokens.tokenizer import TokenizerUnavailableError

PROGRESS_FROM_TEXTS = 5_000
STANDARD_INPUT = "-"
"""What stands among paths for standard input."""
PIPED = "standard input"
"""What it is called where it is spoken of."""


def open_pipeline(paths: Sequence[str], piped: bytes | None = None) -> Pipeline:
    """A pipeline for these files, or for an inspection, with the marks on it; `piped` is what standard input gave.

    Ends the command when one of them cannot be read, or none is given.
    """
    inspection = inspection_among(paths)
    workspace, marks = (open_workspace(paths, piped), Marks()) if inspection is None else _open_inspection(inspection)
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


def open_workspace(paths: Sequence[str], piped: bytes | None = None) -> Workspace:
    """The workspace of these files, among which `-` is standard input, or what was already read of it.

    Ends the command when one of them cannot be read, or none is given.
    """
    if not paths:
        raise click.UsageError("name a file or folder to open")
    files = [path for path in paths if path != STANDARD_INPUT]
    parts = load_parts(*files, repairs=files_to_repair())
    if len(files) < len(paths):
        parts = (*parts, _piped_part(piped_bytes() if piped is None else piped))
    workspace = joined(parts)
    _refuse_unopened([PIPED if path == STANDARD_INPUT else path for path in paths], workspace)
    report_problems((*plugin_problems(), *workspace.problems))
    _report_unopened(workspace)
    return workspace


def _refuse_unopened(paths: Sequence[str], workspace: Workspace) -> None:
    """End the command where a path that was named gave nothing; what else is wrong with it is said before."""
    for path in paths:
        if any(_stands_below(source.path, path) for source in workspace.sources):
            continue
        found = [one for one in workspace.problems if _stands_below(one.file, path)]
        errors = [one for one in found if one.severity == "error"] or found
        if errors:
            report_problems(errors[1:])
            raise InputError(str(errors[0]))


def _stands_below(file: str, path: str) -> bool:
    """Whether a file is what a path names, or stands in the folder or archive that it names."""
    return PurePath(file).is_relative_to(path) or PurePath(file).is_relative_to(PurePath(clean(path)))


def _report_unopened(workspace: Workspace) -> None:
    """Say how many files of folders and archives were not opened, and with `--verbose` each with the reason."""
    unopened = workspace.unopened
    if is_verbose():
        for problem in unopened:
            if problem.severity == "info":  # the others have been said
                warn(problem)
    if unopened:
        lists = "" if is_verbose() else " (--verbose lists them)"
        warn(f"{counted(len(unopened), 'file was', plural='files were')} not opened{lists}")


def pipeline_of(workspace: Workspace) -> Pipeline:
    """A pipeline with all policies, presets, models and tokenizers, the person's own among them.

    Texts are sent where an option of this run says so. Ends the command where the settings file, which then names an
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
    """Whatever a command read, which nothing is written over; `names` are those of other tokenizers and embeddings."""
    model = pipeline.choices.models.find(scenario.model).row if scenario.model else None
    counted_by = [*([model.tokenizer] if model else []), *pipeline.choices.preset(scenario).tokenizer_names]
    named = files_named(scenario, *names, *counted_by)
    own = list(map(str, own_files()))
    own += [scenario_file] if scenario_file else []
    return [*map(file_of, paths), *files_of(pipeline.workspace), *named, *own]


def report_problems(problems: Iterable[Problem]) -> None:
    """One line on standard error for each problem that is more than information."""
    for problem in problems:
        if problem.severity != "info":
            warn(problem)


def piped_bytes() -> bytes:
    """What stands on standard input. Ends the command where that is more than a file may hold."""
    given = sys.stdin.buffer
    data = given.read(MAX_FILE_BYTES + 1) if _file_size(given) <= MAX_FILE_BYTES else None
    if data is None or len(data) > MAX_FILE_BYTES:
        raise InputError(f"{PIPED}: is larger than the {in_words(MAX_FILE_BYTES)} that a file may have")
    return data


def _file_size(given: BinaryIO) -> int:
    """How long what is given is, where it is a file; 0 for anything else."""
    try:
        return os.fstat(given.fileno()).st_size
    except OSError:
        return 0


def _piped_part(data: bytes) -> Part:
    allowed, _ = read_opening_bytes(settings_file())
    return load_unnamed(data, PIPED, formats()[0], allowed, files_to_repair())


def piped_file(folder: Path) -> str:
    """A new file of a folder that holds what stands on standard input. Ends the command where that is nothing."""
    source = FileSource(PIPED, piped_bytes())
    if source.shape == "empty":
        raise InputError(f"{PIPED}: is empty")
    try:
        return str(keep(source, formats()[0], folder, PIPED.capitalize()))
    except UnreadableError as error:
        raise InputError(str(error.problem)) from None
    except OSError as problem:
        raise InputError(f"{folder}: cannot be written to: {problem.strerror or problem}") from None


def standard_input() -> str:
    """The text on standard input. Ends the command when it is none."""
    return text_of(piped_bytes())


def text_of(piped: bytes) -> str:
    """The text that standard input gave. Ends the command when it is none."""
    try:
        return piped.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise InputError(f"{PIPED}: byte {problem.start}: expected UTF-8 text") from None


def is_piped_text(piped: bytes) -> bool:
    """Whether standard input gave nothing, or text of no format."""
    source = FileSource(PIPED, piped)
    return source.shape == "empty" or is_plain_text(source, formats()[0])


def make_lacking(pipeline: Pipeline, scenario: Scenario, cached: bool = True) -> Case:
    """The case of a scenario with everything counted, summarized, embedded and read that it asks for.

    Progress is on standard error where it takes long. Raises ScenarioError and UnknownTokenizerError.
    """
    with work_progress() as on_progress:
        return make_all(pipeline, scenario, open_cache() if cached else None, on_progress)


def open_cache() -> CountCache:
    """The cache of counts that every run shares, one for a command, which says at its end what was wrong with it."""
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


@contextmanager
def progress_bar(title: str, shown_from: int) -> Iterator[Callable[..., None]]:
    """Shows (done, of how many, and what) on standard error, if that is a terminal and there are many."""
    if not sys.stderr.isatty():
        yield lambda done, total, what="": None
        return
    from inspector.cli.console import progress_on_errors

    with progress_on_errors(title, shown_from) as advance:
        yield advance


def shown_result(steps: Iterable[Share | Result], title: str, shown_from: int) -> Result:
    """The last result of an analysis; how far it is stands in a progress bar until then."""
    with progress_bar(title, shown_from) as advance:
        return result_of(steps, lambda share: advance(share.done, share.of, share.what))


@contextmanager
def work_progress() -> Iterator[Progress]:
    """Shows what is being made on standard error, where that takes long."""
    with progress_bar("", PROGRESS_FROM_TEXTS) as advance:
        yield lambda work, share: advance(round(share * work.size), work.size, work.title)


def answer_for(pipeline: Pipeline, scenario: Scenario, cached: bool = True) -> Answer:
    """The measured answer to a scenario. Raises ScenarioError and UnknownTokenizerError."""
    with work_progress() as on_progress:
        cache = open_cache() if cached else None
        return complete_answer(pipeline, scenario, cache, on_progress, finds_duplicates=True)


@contextmanager
def named_failures() -> Iterator[None]:
    """End the command with one line where a scenario asks for something that is not there, or that fails at a text."""
    try:
        yield
    except (ScenarioError, UnknownTokenizerError, TokenizerUnavailableError) as problem:
        raise InputError(str(problem)) from None
