"""prompt-inspector sweep: a grid of scenarios over one conversation or many, with a row of figures each."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import IO, Any

import click

from inspector.analysis.sweep.ask import Row, sweep_rows
from inspector.analysis.sweep.grid import Grid, parse_values
from inspector.analysis.sweep.row_files import (
    MissingWriterError,
    check_parquet,
    write_csv,
    write_jsonl,
    write_parquet,
)
from inspector.assembly.choices import ScenarioError
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.cli.archive import workers_of
from inspector.cli.archive_sweep import ArchiveSweep, check_format, ending_of, print_answer_to, sweep_files, write_rows
from inspector.cli.asking import open_asked
from inspector.cli.failure import InputError
from inspector.cli.interruption import until_interrupted
from inspector.cli.loading import named_failures, open_cache, opened_files, progress_bar
from inspector.cli.output import say_written, warn
from inspector.cli.recall import probes_for
from inspector.cli.saved_scenario import read_of_archive, save_scenario
from inspector.cli.scenarios import scenario_from, split_setting
from inspector.writing import free_name, new_file

_ALIASES = {"window": "context_window"}
_NAMING = ("tokenizer", "embedding", "model")
_SHOWN_FROM_ROWS = 20
_WRITERS: Mapping[str, Callable[[Iterable[Mapping[str, Any]], IO[bytes]], None]] = {
    ".jsonl": write_jsonl,
    ".csv": write_csv,
    ".parquet": write_parquet,
}


def sweep(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    probes_file: str | None,
    reply: int | None,
    measured: bool,
    out: str | None,
    row_format: str | None,
    glob: str | None,
    workers: int | None,
    cluster_address: str | None,
    anew: bool,
    sql: str | None,
    **given: Any,
) -> None:
    """Run `prompt-inspector sweep` with the values of its options."""
    check_format(row_format, sql)
    if sql is not None and not settings:
        print_answer_to(sql, paths, row_format)
        return
    grid = grid_from(settings)
    if not grid:
        raise click.UsageError("sweep: name the values to try: --set KEY=START:STOP:STEP or --set KEY=a,b,c")
    guesses_model = "context_window" in grid
    if glob is not None:
        scenario = scenario_from(scenario_file, (), given, paths, guesses_model=guesses_model)
        save_scenario(scenario, lambda: read_of_archive(scenario, scenario_file, paths, glob))
        asked = ArchiveSweep(paths, glob, scenario, scenario_file, grid, measured, probes_file, reply, out, anew)
        sweep_files(asked, workers_of(workers, cluster_address), sql, row_format)
        return
    if workers is not None or cluster_address is not None or anew or sql is not None:
        raise click.UsageError("--workers, --cluster, --anew and --sql go with --glob")
    ending = "" if out is None else _ending(out)
    pipeline, scenario = open_asked(paths, scenario_file, (), given, everywhere=True, guesses_model=guesses_model)
    probes = probes_for(pipeline, probes_file) if probes_file else ()
    names = [str(value) for key in _NAMING for value in grid.get(key, ())]
    opened = opened_files(paths, pipeline, scenario, scenario_file, *names)
    opened += [probes_file] if probes_file else []
    with named_failures(), _placed(grid), progress_bar("Assembling", _SHOWN_FROM_ROWS) as advance:
        made = sweep_rows(pipeline, scenario, grid, open_cache(), measured=measured, probes=probes, reply=reply)
        rows = _counted(made, _size(pipeline, scenario, grid), advance)
        if out is None:
            write_rows(rows, row_format)
        else:
            _write(rows, Path(out), ending, opened)


@contextmanager
def _placed(grid: Grid) -> Iterator[None]:
    """End the command, naming --set, for a bad key or value of the grid."""
    try:
        yield
    except ScenarioError as problem:
        if problem.field in grid:
            raise InputError(f"--set: {problem}") from None
        raise


def grid_from(settings: Iterable[str]) -> Grid:
    """Return the grid of `--set` options. End the command for an invalid option."""
    grid: dict[str, list[Any]] = {}
    for setting in settings:
        name, text = split_setting(setting)
        key = _ALIASES.get(name, name)
        try:
            grid[key] = parse_values(key, text)
        except ValueError as problem:
            raise click.UsageError(f"--set {problem}") from None
    return grid


def _ending(out: str) -> str:
    ending = ending_of(out)
    if ending == ".parquet":
        try:
            check_parquet()
        except MissingWriterError as problem:
            raise InputError(f"--out {out}: {problem}") from None
    return ending


def _size(pipeline: Pipeline, scenario: Scenario, grid: Grid) -> int:
    """Return the maximum number of rows."""
    conversations = 1 if scenario.conversation is not None else max(1, len(pipeline.workspace.conversations))
    return conversations * prod(map(len, grid.values()))


def _counted(made: Iterable[Row], total: int, advance: Callable[[int, int], None]) -> Iterator[Row]:
    """Yield the rows, reporting the progress after each."""
    for number, row in enumerate(made, 1):
        yield row
        advance(number, total)


def _write(rows: Iterable[Mapping[str, Any]], out: Path, ending: str, opened: Sequence[str]) -> None:
    """Write all rows to a file, or the rows so far to another beside it, which is named on standard error."""
    place = Path(os.path.realpath(out))  # beside the file that a link stands for, whose folder it shares
    aside = free_name(place.with_name(f"{place.name.removesuffix(ending)}.interrupted{ending}"))
    try:
        with until_interrupted(rows) as made, new_file(out, opened, aside) as file:
            _WRITERS[ending](made, file)
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise InputError(f"{out}: cannot be written: {problem.strerror or problem}") from None
    finally:
        if aside.exists():
            warn(f"the rows so far are in {aside}")
    say_written("the rows", out)
