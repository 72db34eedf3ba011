"""The shared parts of commands on archives: options, files, opening, workers, and bad files."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from inspector.analysis.archive.chats import BadFile, Opening
from inspector.analysis.archive.files import ArchiveFile, archive_files
from inspector.analysis.archive.workers import Begin, NoProcessesError, NoWorkersError, cluster, worker_processes
from inspector.archives import own_opening
from inspector.cli.failure import InputError
from inspector.cli.loading import report_problems
from inspector.cli.output import warn

Command = TypeVar("Command", bound=Callable[..., Any])
_SHOWN_BAD = 20


def workers_of(number: int | None, address: str | None) -> Begin:
    """Return the workers. End the command if a cluster is unavailable."""
    if number is not None and address is not None:
        raise click.UsageError("--workers and --cluster: name one of them")
    if address is None:
        return worker_processes(number or os.cpu_count() or 1)
    try:
        return cluster(address)
    except NoWorkersError as problem:
        raise InputError(f"--cluster {problem}") from None


def files_of_archive(paths: Sequence[str], glob: str, but: Sequence[str | Path] = ()) -> list[ArchiveFile]:
    """Return the files of an archive. End the command if there are none."""
    if not paths:
        raise click.UsageError("name a folder of saved chats")
    try:
        files = archive_files(paths, glob, but)
    except ValueError as problem:
        raise click.UsageError(f"--glob {problem}") from None
    except OSError as problem:
        raise InputError(f"{problem.filename}: {problem.strerror}") from None
    if not files:
        raise InputError(f"{', '.join(paths)}: no file matches {glob}")
    return files


def archive_opening() -> Opening:
    """Return how files are opened and assembled: with plug-ins, and the user's own models and presets."""
    opening, problems = own_opening()
    report_problems(problems)
    return opening


@contextmanager
def workers_that_answer() -> Iterator[None]:
    """End the command if a cluster does not answer."""
    try:
        yield
    except NoProcessesError as problem:
        raise InputError(f"--workers: {problem}") from None
    except NoWorkersError as problem:
        raise InputError(f"--cluster {problem}") from None


def report_bad(bad: Iterable[BadFile], files: int) -> None:
    """Report unusable files, a line for each; of many only the first, and the number of the rest."""
    told = list(bad)
    if not told:
        return
    paths = len({one.path for one in told})
    warn(f"{paths:,} of {files:,} files could not be used, or not all of them:")
    for one in told[:_SHOWN_BAD]:
        warn(": ".join(filter(None, (one.path, one.place, one.reason))))
    if len(told) > _SHOWN_BAD:
        warn(f"and {len(told) - _SHOWN_BAD:,} more")
