"""prompt-inspector sweep: a grid of scenarios over one or many conversations, one row of figures each."""

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from math import prod
from typing import Any

import click

from inspector.analysis.grid import Grid, parse_values
from inspector.analysis.row_files import (
    ENDINGS,
    MissingWriterError,
    check_parquet,
    write_csv,
    write_jsonl,
    write_parquet,
)
from inspector.analysis.sweep import sweep_rows
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.cli.failure import InputError
from inspector.cli.loading import named_failures, open_cache, open_pipeline, progress_bar
from inspector.cli.options import paths_argument, scenario_from, scenario_options, split_setting

_ALIASES = {"window": "context_window"}
_SHOWN_FROM_ROWS = 20


@click.command(short_help="Assemble a grid of scenarios.")
@paths_argument
@scenario_options
@click.option("--measured", is_flag=True, help="Write and count every prompt as a whole: exact, and much slower.")
@click.option("--out", metavar="FILE", help="File to write, ending in .jsonl, .csv or .parquet.")
@click.option(
    "--format",
    "row_format",
    type=click.Choice(["jsonl", "csv"]),
    default="jsonl",
    help="How to write to standard output.",
)
def sweep(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    measured: bool,
    out: str | None,
    row_format: str,
    **given: Any,
) -> None:
    """Assemble PATHS under every combination of the values given with --set KEY=START:STOP:STEP or --set KEY=a,b,c."""
    grid = grid_from(settings)
    if not grid:
        raise click.UsageError("sweep: name what to vary: --set KEY=START:STOP:STEP or --set KEY=a,b,c")
    ending = f".{row_format}" if out is None else _ending(out)
    scenario = scenario_from(scenario_file, (), given)
    pipeline = open_pipeline(paths)
    with named_failures(), progress_bar("Assembling", _SHOWN_FROM_ROWS) as advance:
        _write(_counted(pipeline, scenario, grid, measured, advance), out, ending)


def grid_from(settings: Iterable[str]) -> Grid:
    """The grid of `--set` options. Ends the command with one line for one that cannot be understood."""
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
    ending = next((ending for ending in ENDINGS if out.endswith(ending)), None)
    if ending is None:
        raise click.UsageError(f"--out {out}: expected a name ending in {', '.join(ENDINGS)}")
    if ending == ".parquet":
        try:
            check_parquet()
        except MissingWriterError as problem:
            raise InputError(f"--out {out}: {problem}") from None
    return ending


def _counted(
    pipeline: Pipeline, scenario: Scenario, grid: Grid, measured: bool, advance: Callable[[int, int], None]
) -> Iterator[Mapping[str, Any]]:
    """The rows, with the progress told after each."""
    conversations = 1 if scenario.conversation is not None else max(1, len(pipeline.workspace.conversations))
    total = conversations * prod(map(len, grid.values()))
    made = sweep_rows(pipeline, scenario, grid, open_cache(), measured=measured)
    for number, row in enumerate(made, 1):
        yield row
        advance(number, total)


def _write(rows: Iterable[Mapping[str, Any]], out: str | None, ending: str) -> None:
    try:
        if ending == ".parquet" and out is not None:
            write_parquet(rows, out)
        elif ending == ".csv":
            with _text_output(out) as file:
                write_csv(rows, file)
        else:
            with _binary_output(out) as file:
                write_jsonl(rows, file)
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise InputError(f"{out}: {problem.strerror}") from None


@contextmanager
def _binary_output(out: str | None) -> Iterator[Any]:
    if out is None:
        yield sys.stdout.buffer
        return
    with open(out, "wb") as file:
        yield file


@contextmanager
def _text_output(out: str | None) -> Iterator[Any]:
    with _binary_output(out) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        try:
            yield text
        finally:
            text.detach()
