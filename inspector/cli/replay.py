"""prompt-inspector replay: a whole conversation turn by turn, under one or two policies."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import click

from inspector.analysis.replay import Replay
from inspector.analysis.replay import replay as replay_turns
from inspector.analysis.replay_drawing import replay_drawings
from inspector.analysis.replay_words import (
    fallen_rows,
    headed_summary,
    policy_name,
    replay_rows,
    replay_value,
    sections_in,
    time_text,
)
from inspector.assembly.columns import word
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.assembly.shootout import contender_named
from inspector.cli import completion
from inspector.cli.asking import open_asked
from inspector.cli.loading import named_failures, open_cache, opened_files, progress_bar
from inspector.cli.options import paths_argument, rows_format_option, scenario_options
from inspector.cli.output import print_csv, print_json, say
from inspector.cli.plots import plot_option, write_plot
from inspector.cli.sections import SectionedCommand
from inspector.cli.usage import check_policies
from inspector.drawings.svg import svg
from inspector.figures import counted, figures

_SHOWN_FROM_TURNS = 500
_MOST_POLICIES = 2


@click.command(cls=SectionedCommand, short_help="Replay a conversation turn by turn.")
@paths_argument
@scenario_options
@click.option(
    "--policies",
    "policy_names",
    metavar="A,B",
    shell_complete=completion.policy_lists,
    help="One policy (or POLICY/PRESET), or two side by side.",
)
@click.option(
    "--every",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Replay only one of N turns, one at which a prompt was sent.",
)
@click.option("--items", "of_items", is_flag=True, help="Answer with the items that fall out, each with its turn.")
@plot_option
@rows_format_option
def replay(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    policy_names: str | None,
    every: int,
    of_items: bool,
    plot: str | None,
    answer_format: str,
    **given: Any,
) -> None:
    """Replay the conversation of PATHS: each turn as the prompt that was sent then.

    A turn is a number of messages that exist. Each has its tokens by section, how many turns back its prompt reaches,
    how many items fell out, and how much of it a cache of prompts holds from the prompt before. --items names them.
    """
    if of_items and plot is not None:
        raise click.UsageError("--items has no plot")
    wanted = _policies(policy_names)
    pipeline, scenario = open_asked(paths, scenario_file, settings, given)
    scenarios = [contender_named(name, scenario).scenario(scenario) for name in wanted] or [scenario]
    with named_failures():
        found = [_replayed(pipeline, each, every) for each in scenarios]
    if plot is not None:
        opened = opened_files(paths, pipeline, scenario, scenario_file)
        write_plot(plot, svg(replay_drawings(found)), partial(_all_rows, found, replay_rows), opened)
    elif answer_format == "json":
        values = [list(fallen_rows(each)) if of_items else replay_value(each) for each in found]
        print_json(values[0] if len(values) == 1 else values)
    elif answer_format == "csv":
        print_csv(_all_rows(found, fallen_rows if of_items else replay_rows))
    else:
        for each in found:
            _print_items(each) if of_items else _print(each)


def _policies(names: str | None) -> list[str]:
    """The policies that are named, none for the own one. Ends the command for too many, or one that is none."""
    if names is None:
        return []
    named = [name for name in names.split(",") if name.strip()]
    if not 1 <= len(named) <= _MOST_POLICIES:
        raise click.UsageError(f"--policies {names}: expected one or two policies, such as ratio,slots")
    check_policies("--policies", named)
    return named


def _replayed(pipeline: Pipeline, scenario: Scenario, every: int) -> Replay:
    with progress_bar("Replaying", _SHOWN_FROM_TURNS) as advance:
        return replay_turns(pipeline, scenario, open_cache(), every=every, on_turn=advance)


def _all_rows(
    found: Iterable[Replay], rows_of: Callable[[Replay], Iterable[dict[str, Any]]]
) -> Iterator[dict[str, Any]]:
    return (row for each in found for row in rows_of(each))


def _print(found: Replay) -> None:
    from inspector.cli.console import Console, Table

    sections = sections_in(found)
    titles = ("turn", ">"), ("when", ""), *((word(section), ">") for section in sections), ("overhead", ">")
    table = Table(*titles, ("tokens", ">"), ("back", ">"), ("shared", ">"), ("fell", ">"), ("findings", ""))
    by_section, others = [found.tokens[:, section] for section in sections], (found.horizon, found.shared)
    for place, turn in enumerate(found.turns.tolist()):
        is_made, estimated = not found.refused[place], bool(found.estimated[place])
        known, more = ([figures(int(one[place]) if is_made else None) for one in each] for each in (by_section, others))
        sums = [figures(int(one[place]) if is_made else None, estimated) for one in (found.overhead, found.totals)]
        fell = figures(len(found.falls[place].rows))
        cells = *known, *sums, *more, fell, ", ".join(found.findings[place])
        table.add_row(f"{turn:,}", time_text(found, place), *cells)
    say(f"{policy_name(found)}, window {found.window:,}")
    Console().print(table)
    say(headed_summary(found))


def _print_items(found: Replay) -> None:
    from inspector.cli.console import Console, Table

    table = Table(("item", ""), ("section", ""), ("falls out at", ">"), ("when", ""), ("after turns", ">"))
    for row in fallen_rows(found):
        after = "" if row["stayed"] is None else figures(row["stayed"])
        table.add_row(row["item"], row["section"], figures(row["falls"]), row["time"] or "", after)
    say(f"{policy_name(found)}, window {found.window:,}")
    Console().print(table)
    say(f"{counted(table.row_count, 'item')} of {len(found.candidates):,} fall out")
