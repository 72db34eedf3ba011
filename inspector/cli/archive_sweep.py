"""The part of `sweep` for archives: rows in a file, kept in parts until it is complete, and SQL queries on them."""

import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from inspector import __version__
from inspector.analysis.archive.parts import AlreadyRunningError, OtherSettingsError, parts_folder, rows_in
from inspector.analysis.archive.query import ANSWER, QueryError, QueryResult, query
from inspector.analysis.archive.schema import MissingArchivesError, check_archives
from inspector.analysis.archive.sweep import Step
from inspector.analysis.archive.workers import Begin
from inspector.analysis.sweep.ask import ROWS, Row
from inspector.analysis.sweep.grid import Grid
from inspector.analysis.sweep.row_files import ENDINGS, write_csv, write_jsonl
from inspector.archives import sweep_files as swept
from inspector.assembly.scenario import Scenario
from inspector.cli.answering import Telling, answer
from inspector.cli.archive import archive_opening, files_of_archive, report_bad, workers_that_answer
from inspector.cli.failure import InputError
from inspector.cli.interruption import Interrupted, until_interrupted
from inspector.cli.loading import named_failures, progress_bar
from inspector.cli.output import say_written, warn
from inspector.cli.recall import probes_of_file

_ROWS: Telling[Sequence[Row]] = Telling([ROWS])
_ANSWER: Telling[QueryResult] = Telling([ANSWER], below=lambda found: [] if found.rows else ["No rows."], most=None)
_OF_ANSWERS = ("table", "csv", "json")
_SHOWN_FROM_FILES = 2


@dataclass(frozen=True)
class ArchiveSweep:
    """The archive sweep requested on the command line."""

    paths: Sequence[str]
    glob: str
    scenario: Scenario
    scenario_file: str | None
    grid: Grid
    measured: bool
    probes_file: str | None
    reply: int | None
    out: str | None
    anew: bool


def ending_of(out: str) -> str:
    """Return the ending of a file of rows. End the command if it is not supported."""
    ending = next((ending for ending in ENDINGS if out.endswith(ending)), None)
    if ending is None:
        raise click.UsageError(f"--out {out}: expected a name ending in {', '.join(ENDINGS)}")
    return ending


def check_format(row_format: str | None, sql: str | None) -> None:
    """End the command if the answer to SQL cannot be written in this format."""
    if sql is not None and row_format is not None and row_format not in _OF_ANSWERS:
        raise click.UsageError(f"--format {row_format}: expected {' or '.join(_OF_ANSWERS)} here")


def write_rows(rows: Iterable[Row], row_format: str | None) -> None:
    """Write rows on standard output: JSON lines and CSV as they come, a table or a document once all are there."""
    if row_format in ("table", "json"):
        answer(list(rows), _ROWS, row_format)
    else:
        (write_csv if row_format == "csv" else write_jsonl)(rows, sys.stdout.buffer)


def sweep_files(asked: ArchiveSweep, begin: Begin, sql: str | None, row_format: str | None) -> None:
    """Sweep an archive; then answer the query, or write the rows on standard output if no file is named."""
    _check_out(asked.out, sql)
    with _rows_file(asked.out) as out:
        _sweep(asked, begin, out)
        if sql is not None:
            print_answer_to(sql, [out], row_format)
        elif asked.out is None:
            write_rows(rows_in([out]), row_format)


def _check_out(out: str | None, sql: str | None) -> None:
    with _archives():
        check_archives()
    if out is not None and ending_of(out) != ".parquet" and sql is not None:
        raise click.UsageError(f"--sql asks rows in Parquet: --out {out} would have to end in .parquet")


@contextmanager
def _archives() -> Iterator[None]:
    try:
        yield
    except MissingArchivesError as problem:
        raise InputError(str(problem)) from None


@contextmanager
def _rows_file(out: str | None) -> Iterator[str]:
    """Yield the file named by the user, or else a temporary file."""
    if out is not None:
        yield out
        return
    with TemporaryDirectory(prefix="prompt-inspector-") as folder:
        yield str(Path(folder, "rows.parquet"))


def _sweep(asked: ArchiveSweep, begin: Begin, out: str) -> None:
    files = files_of_archive(asked.paths, asked.glob, (out, parts_folder(out)))
    probes = probes_of_file(asked.probes_file) if asked.probes_file else ()
    opened = [*filter(None, (asked.scenario_file, asked.probes_file))]
    given = {"measured": asked.measured, "probes": probes, "reply": asked.reply, "opened": opened, "anew": asked.anew}
    steps = swept(archive_opening(), files, asked.scenario, asked.grid, out, begin, version=__version__, **given)
    shown = progress_bar("Sweeping", _SHOWN_FROM_FILES)
    try:
        with named_failures(), workers_that_answer(), until_interrupted(steps) as made, shown as advance:
            last = _told_of(made, advance)
    except OtherSettingsError as problem:
        raise InputError(f"{problem}; give the same ones, or --anew to begin again") from None
    except AlreadyRunningError as problem:
        raise InputError(str(problem)) from None
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise InputError(f"{out}: cannot be written: {problem.strerror or problem}") from None
    finally:
        if asked.out is not None and parts_folder(out).exists():
            warn(f"the rows so far are in {parts_folder(out)}; the same command goes on from there")
    report_bad(last.bad, len(files))
    if asked.out is not None:
        say_written("the rows", out)


def _told_of(steps: Iterable[Step], advance: Callable[..., None]) -> Step:
    """Return the last step, reporting the progress of each."""
    last = Step(0, 0)
    for step in steps:
        advance(step.done, step.total)
        if step.outdated and not last.total:
            warn(f"{step.outdated:,} parts of an earlier sweep are of files that have changed; they are made again")
        last = step
    return last


def print_answer_to(sql: str, files: Sequence[str], answer_format: str | None) -> None:
    """Print the answer of these Parquet files to a query. End the command if there is none."""
    _check_row_files(files)
    try:
        with _archives():
            found = query(files, sql)
    except QueryError as problem:
        raise InputError(f"--sql: {problem}") from None
    except KeyboardInterrupt:
        raise Interrupted(signal.SIGINT) from None
    answer(found, _ANSWER, answer_format or "table")


def _check_row_files(files: Sequence[str]) -> None:
    if not files:
        raise click.UsageError("--sql: name files of rows that end in .parquet, or a sweep with --glob and --set")
    for file in files:
        if not file.endswith(".parquet"):
            raise click.UsageError(f"--sql: {file} is not a file of rows, which ends in .parquet; to sweep, name --set")
        if not Path(file).is_file():
            raise InputError(f"{file}: there is no such file")
