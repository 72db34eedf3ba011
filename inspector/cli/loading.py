"""Opening and counting for commands: files to a pipeline with every text of a scenario counted."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import click

from inspector.analysis.counting import count_missing
from inspector.analysis.duplicates import find_duplicates
from inspector.analysis.summarizing import summarize_missing
from inspector.assembly.answer import Answer, measured, planned_answer
from inspector.assembly.choices import ScenarioError
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.cli.failure import InputError
from inspector.formats import UnreadableError, load_workspace
from inspector.model import Problem, Workspace
from inspector.plugins import formats, plugin_problems, policies, tokenizers
from inspector.retrieval.summaries.settings import read_endpoint
from inspector.settings import cache_file, own_models_file, settings_file
from inspector.tokens.cache import CountCache
from inspector.tokens.choice import UnknownTokenizerError
from inspector.tokens.models.table import load_models

PROGRESS_FROM_TEXTS = 5_000


def open_pipeline(paths: Sequence[str]) -> Pipeline:
    """The workspace of these files. Ends the command when one of them cannot be read, or none is given."""
    if not paths:
        raise click.UsageError("name a file or folder to open")
    workspace = load_workspace(paths, formats=formats()[0])
    for problem in workspace.problems:
        if problem.severity == "error" and problem.file in paths:
            raise InputError(str(problem))
    pipeline = pipeline_of(workspace)
    report_problems((*plugin_problems(), *workspace.problems, *pipeline.models.problems))
    return pipeline


def pipeline_of(workspace: Workspace) -> Pipeline:
    """A pipeline with all policies, presets, models and tokenizers, the person's own among them."""
    return Pipeline(workspace, policies()[0], load_presets(), load_models(own_models_file()), tokenizers()[0])


def report_problems(problems: Iterable[Problem]) -> None:
    """One line on standard error for each problem that is more than information."""
    for problem in problems:
        if problem.severity != "info":
            click.echo(f"prompt-inspector: {problem}", err=True)


def standard_input() -> str:
    """The text on standard input. Ends the command when it is none."""
    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as problem:
        raise InputError(f"standard input: byte {problem.start}: expected UTF-8 text") from None


def count_all(pipeline: Pipeline, scenario: Scenario, cached: bool = True) -> None:
    """Count what the scenario needs and is not known yet, with progress on standard error where that takes long.

    Summaries that it asks for are made before, because they are counted too.
    """
    summarize_all(pipeline, scenario, cached)
    with progress_bar("Counting tokens", PROGRESS_FROM_TEXTS) as advance:
        count_missing(pipeline, scenario, open_cache() if cached else None, advance)


def summarize_all(pipeline: Pipeline, scenario: Scenario, cached: bool = True) -> None:
    """Make the summaries that the scenario asks for, with progress on standard error where that takes long.

    Ends the command where the settings file that would name an endpoint cannot be read.
    """
    if scenario.summaries == "endpoint":
        try:
            pipeline.summarizing.endpoint = read_endpoint(settings_file())
        except UnreadableError as error:
            raise InputError(str(error.problem)) from None
    with progress_bar("Summarizing", 1) as advance:
        summarize_missing(pipeline, scenario, open_cache() if cached else None, advance)


def open_cache() -> CountCache:
    """The cache of counts that every run shares."""
    return CountCache(cache_file())


@contextmanager
def progress_bar(title: str, shown_from: int) -> Iterator[Callable[[int, int], None]]:
    """Shows (done, of how many) on standard error, if that is a terminal and there are many."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, visible=False)
        yield lambda done, total: progress.update(task, completed=done, total=total, visible=total >= shown_from)


def answer_for(pipeline: Pipeline, scenario: Scenario, cached: bool = True) -> Answer:
    """The measured answer to a scenario. Raises ScenarioError and UnknownTokenizerError."""
    count_all(pipeline, scenario, cached)
    find_duplicates(pipeline, scenario)
    return measured(pipeline, planned_answer(pipeline, scenario))


@contextmanager
def named_failures() -> Iterator[None]:
    """End the command with one line where a scenario asks for something that is not there."""
    try:
        yield
    except (ScenarioError, UnknownTokenizerError) as problem:
        raise InputError(str(problem)) from None
