"""prompt-inspector survival: for one slider or the window, the values under which each item is kept, and is not."""

from functools import partial
from typing import Any

import click

from inspector.analysis.basis import Basis, result_of
from inspector.analysis.sliders import Slider
from inspector.analysis.survival import Survival, survival_rows, survival_value
from inspector.analysis.survival_drawing import survival_drawing
from inspector.analysis.survival_search import survivals
from inspector.assembly.candidates import Candidates
from inspector.cli.asking import open_asked
from inspector.cli.loading import make_lacking, named_failures, open_cache, opened_files
from inspector.cli.locks import locked_option, locked_shares
from inspector.cli.options import paths_argument, rows_format_option, scenario_options
from inspector.cli.output import print_csv, print_json, say
from inspector.cli.plots import plot_option, write_plot
from inspector.cli.sections import SectionedCommand
from inspector.drawings.svg import svg

_MOST_LOST = 10
_PARAMETER = "A number of the policy, context_window, or model_sizes: the window, at the sizes that models have."


@click.command(cls=SectionedCommand, short_help="Say under which values of a slider each item is kept.")
@paths_argument
@click.option("--parameter", required=True, metavar="NAME", help=_PARAMETER)
@locked_option
@plot_option
@scenario_options
@rows_format_option
def survival(
    paths: tuple[str, ...],
    parameter: str,
    locked: tuple[str, ...],
    plot: str | None,
    scenario_file: str | None,
    settings: tuple[str, ...],
    answer_format: str,
    **given: Any,
) -> None:
    """Say for every item of PATHS under which values of a slider it is kept, summarized, truncated or dropped.

    Where a policy declares thresholds every value is looked at. Else it is asked at samples, and where two differ, in
    between: a flip that is not known exactly says so.
    """
    pipeline, scenario = open_asked(paths, scenario_file, settings, given)
    with named_failures():
        held = locked_shares(make_lacking(pipeline, scenario), locked)
        slider = Slider(parameter.replace("-", "_"), parameter)
        survived = result_of(survivals(Basis(pipeline, scenario, open_cache(), held), slider))
    found, candidates = survived.found, survived.assembly.candidates
    if plot is not None:
        opened = opened_files(paths, pipeline, scenario, scenario_file)
        drawn = survival_drawing(
            found, candidates, survived.assembly.order, survived.slider.parameter, found.axis.today
        )
        write_plot(plot, svg([drawn]), partial(survival_rows, found, candidates), opened)
    elif answer_format == "json":
        print_json(survival_value(found, candidates))
    elif answer_format == "csv":
        print_csv(survival_rows(found, candidates))
    else:
        _print(found, candidates)


def _print(found: Survival, candidates: Candidates) -> None:
    from inspector.cli.console import Console, Table

    table = Table(("item", ""), (f"{found.name}, {found.axis.today:,} today", ""))
    for row in range(len(found)):
        table.add_row(candidates.ids[row], found.words(row))
    Console().print(table)
    for place in found.losses[:_MOST_LOST].tolist():
        value = found.axis.value(int(found.begins[place]))
        say(f"{candidates.ids[found.rows[place]]} is lost at {value:,}, although there is more")
    if len(found.losses) > _MOST_LOST:
        say(f"and {len(found.losses) - _MOST_LOST:,} more are lost where there is more")
    if found.asked is not None:
        say(f"{len(found.asked):,} values were looked at, and none between two that agree")
