"""What commands on archives share: their options, the files, what they are opened with, who works, bad files."""

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

glob_option = click.option(
    "--glob", metavar="PATTERN", help="Every matching file of PATHS by itself, such as '**/*.json': for archives."
)


def worker_options(command: Command) -> Command:
    """Add the options that say who works; `workers_of` takes their values."""
    number = click.option(
        "--workers", type=click.IntRange(min=1), metavar="N", help="Worker processes; default: one for each core."
    )
    address = click.option(
        "--cluster", "cluster_address", metavar="ADDRESS", help="Run on Dask: tcp://HOST:PORT, or local:N."
    )
    return number(address(command))


def workers_of(number: int | None, address: str | None) -> Begin:
    """Who works. Ends the command with one line for a cluster that cannot be had."""
    if number is not None and address is not None:
        raise click.UsageError("--workers and --cluster: name one of them")
    if address is None:
        return worker_processes(number or os.cpu_count() or 1)
    try:
        return cluster(address)
    except NoWorkersError as problem:
        raise InputError(f"--cluster {problem}") from None


def files_of_archive(paths: Sequence[str], glob: str, but: Sequence[str | Path] = ()) -> list[ArchiveFile]:
    """The files of an archive. Ends the command with one line where there are none."""
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
    """What files are opened and assembled with: with plug-ins, and the person's own models and presets."""
    opening, problems = own_opening()
    report_problems(problems)
    return opening


@contextmanager
def workers_that_answer() -> Iterator[None]:
    """End the command with one line where a cluster does not answer."""
    try:
        yield
    except NoProcessesError as problem:
        raise InputError(f"--workers: {problem}") from None
    except NoWorkersError as problem:
        raise InputError(f"--cluster {problem}") from None


def report_bad(bad: Iterable[BadFile], files: int) -> None:
    """Say what could not be used, a line for each; of many the first ones, and how many more there are."""
    told = list(bad)
    if not told:
        return
    paths = len({one.path for one in told})
    warn(f"{paths:,} of {files:,} files could not be used, or not all of them:")
    for one in told[:_SHOWN_BAD]:
        warn(": ".join(filter(None, (one.path, one.place, one.reason))))
    if len(told) > _SHOWN_BAD:
        warn(f"and {len(told) - _SHOWN_BAD:,} more")
