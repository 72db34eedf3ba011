"""prompt-inspector replay: a whole conversation turn by turn, under one or two policies."""

import sys
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import click

from inspector.analysis.replay import Replay
from inspector.analysis.replay import replay as replay_turns
from inspector.analysis.replay_drawing import replay_file
from inspector.analysis.replay_words import (
    fallen_names,
    policy_name,
    replay_rows,
    replay_value,
    summary_sentence,
    time_text,
)
from inspector.analysis.row_files import write_csv
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.assembly.shootout import contender_named
from inspector.cli.loading import named_failures, open_cache, open_pipeline, opened_files, progress_bar
from inspector.cli.options import paths_argument, scenario_from, scenario_options
from inspector.cli.output import print_json, say, to_standard_output
from inspector.cli.plots import plot_option, write_plot

_SHOWN_FROM_TURNS = 500
_MOST_POLICIES = 2


@click.command(short_help="Replay a conversation turn by turn.")
@paths_argument
@scenario_options
@click.option("--policies", "policy_names", metavar="A,B", help="One policy (or POLICY/PRESET), or two side by side.")
@click.option("--every", type=click.IntRange(min=1), default=1, metavar="N", help="Only one of N turns, and the last.")
@plot_option
@click.option(
    "--format",
    "answer_format",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    help="How to answer.",
)
def replay(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    policy_names: str | None,
    every: int,
    plot: str | None,
    answer_format: str,
    **given: Any,
) -> None:
    """Replay the conversation of PATHS: each turn as the prompt that was sent then.

    A turn is a number of messages that exist. Each has its tokens by section, how many turns back its prompt reaches,
    what fell out, and how much of it a cache of prompts holds from the prompt before.
    """
    scenario = scenario_from(scenario_file, settings, given, paths)
    scenarios = _scenarios(scenario, policy_names)
    pipeline = open_pipeline(paths)
    with named_failures():
        found = [_replayed(pipeline, each, every) for each in scenarios]
    if plot is not None:
        opened = opened_files(paths, pipeline, scenario, scenario_file)
        write_plot(plot, partial(replay_file, found), partial(_all_rows, found), opened)
    elif answer_format == "json":
        print_json(replay_value(found[0]) if len(found) == 1 else [replay_value(each) for each in found])
    elif answer_format == "csv":
        with to_standard_output():
            write_csv(_all_rows(found), sys.stdout.buffer)
    else:
        for each in found:
            _print(each)


def _scenarios(scenario: Scenario, names: str | None) -> list[Scenario]:
    """The scenario under each of the policies named, or as it is. Ends the command where they are too many."""
    if names is None:
        return [scenario]
    named = [name for name in names.split(",") if name.strip()]
    if not 1 <= len(named) <= _MOST_POLICIES:
        raise click.UsageError(f"--policies {names}: expected one or two policies, such as ratio,slots")
    return [contender_named(name, scenario).scenario(scenario) for name in named]


def _replayed(pipeline: Pipeline, scenario: Scenario, every: int) -> Replay:
    with progress_bar("Replaying", _SHOWN_FROM_TURNS) as advance:
        return replay_turns(pipeline, scenario, open_cache(), every=every, on_turn=advance)


def _all_rows(found: Iterable[Replay]) -> Iterator[dict[str, Any]]:
    return (row for each in found for row in replay_rows(each))


def _print(found: Replay) -> None:
    from inspector.cli.console import Console, Table

    titles = (("turn", ">"), ("when", ""), ("tokens", ">"), ("reaches back", ">"), ("shared", ">"), ("fell", ""))
    table = Table(*titles, ("findings", ""))
    for place, turn in enumerate(found.turns.tolist()):
        figures = (int(column[place]) for column in (found.totals, found.horizon, found.shared))
        cells = [time_text(found, place), *(f"{figure:,}" for figure in figures), fallen_names(found, place)]
        table.add_row(f"{turn:,}", *cells, ", ".join(found.findings[place]))
    say(f"{policy_name(found)}, window {found.window:,}")
    Console().print(table)
    say(summary_sentence(found))
