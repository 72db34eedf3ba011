"""prompt-inspector explain: why one item is kept or dropped, and the smallest changes that would change that."""

from collections.abc import Sequence
from typing import Any

import click
import numpy as np

from inspector.analysis.basis import Basis
from inspector.analysis.solver import SmallestChange, smallest_changes
from inspector.assembly.answer import finding_value
from inspector.assembly.candidates import Candidates
from inspector.assembly.choices import ScenarioError
from inspector.assembly.columns import Action, Section, word
from inspector.assembly.decisions import Assembly, Finding
from inspector.assembly.explain import Signal, ranking_signals
from inspector.assembly.explain import explain as sentence_of
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.references import row_of as row_meant
from inspector.assembly.scenario import Scenario
from inspector.cli import completion
from inspector.cli.asking import open_asked
from inspector.cli.failure import InputError
from inspector.cli.loading import answer_for, make_lacking, named_failures, open_cache, shown_result
from inspector.cli.locks import locked_option, locked_shares
from inspector.cli.options import format_option, paths_argument, scenario_options
from inspector.cli.output import print_json
from inspector.cli.sections import SectionedCommand


@click.command(cls=SectionedCommand, short_help="Say why an item is kept or dropped, and what would change that.")
@paths_argument
@click.option("--item", metavar="ID", shell_complete=completion.items, help="The item to explain.")
@click.option(
    "--keep",
    "kept",
    multiple=True,
    metavar="ID",
    shell_complete=completion.items,
    help="An item to keep; may be repeated.",
)
@locked_option
@scenario_options
@format_option
def explain(
    paths: tuple[str, ...],
    item: str | None,
    kept: tuple[str, ...],
    locked: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    answer_format: str,
    **given: Any,
) -> None:
    """Say why an item of PATHS is kept, summarized, truncated or dropped, and what would change that.

    With --keep instead: what would keep all of these items, by one change, by two, by leaving others out, or with the
    next larger model, what else that changes, and what the prompt then takes.
    """
    if (item is None) == (not kept):
        raise click.UsageError("name one --item to explain, or what to keep with --keep")
    pipeline, scenario = open_asked(paths, scenario_file, settings, given)
    if item is not None and locked:
        raise click.UsageError("--locked goes with --keep")
    if item is None:
        _say_what_keeps(pipeline, scenario, kept, locked, answer_format)
        return
    with named_failures():
        answer = answer_for(pipeline, scenario)
        assembly = answer.assembly
        row = row_of(assembly.candidates, item)
        findings = [finding for finding in answer.findings if row in finding.rows]
        changes = list(smallest_changes(Basis(pipeline, scenario, open_cache()), row))
        signals = ranking_signals(assembly, row, None if assembly.error else answer.case.policy)
    if answer_format == "json":
        print_json(explanation_value(assembly, row, changes, signals, findings))
    else:
        from inspector.cli.tables import print_explanation

        print_explanation(assembly, row, changes, signals, findings, answer.case.policy)


def _say_what_keeps(
    pipeline: Pipeline, scenario: Scenario, items: Sequence[str], locked: Sequence[str], answer_format: str
) -> None:
    from inspector.analysis.keeping.search import ways_to_keep
    from inspector.analysis.keeping.way import keeping_value

    with named_failures():
        case = make_lacking(pipeline, scenario)
        candidates, held = pipeline.candidates(case), locked_shares(case, locked)
        rows = np.array([row_of(candidates, item, "--keep") for item in dict.fromkeys(items)], np.intp)
        found = shown_result(ways_to_keep(Basis(pipeline, scenario, open_cache(), held), rows), "Looking for", 1)
    if answer_format == "json":
        print_json(keeping_value(found, candidates.ids))
        return
    from inspector.cli.tables import print_keeping

    print_keeping(found, candidates.ids)


def row_of(candidates: Candidates, item: str, option: str = "--item") -> int:
    """The row of an item by its id or its number. Ends the command where there is not exactly one."""
    try:
        return row_meant(candidates.items, item)
    except ScenarioError as problem:
        raise InputError(f"{option}: {problem}") from None


def explanation_value(
    assembly: Assembly,
    row: int,
    changes: Sequence[SmallestChange],
    signals: Sequence[Signal],
    findings: Sequence[Finding],
) -> dict[str, Any]:
    """The explanation as JSON has it: what happened to an item and why, the findings about it, what would change it."""
    ids = assembly.candidates.ids
    return {
        "item": ids[row],
        "section": word(Section(assembly.section[row])),
        "action": word(Action(assembly.action[row])),
        "reason": assembly.reason_of(row).code,
        "sentence": sentence_of(assembly, row),
        "rank": int(assembly.rank[row]) if assembly.rank[row] >= 0 else None,
        "left": assembly.left_of(row),
        "signals": [
            {"name": signal.name, "weight": signal.weight, "value": signal.value, "part": signal.part}
            for signal in signals
        ],
        "findings": [finding_value(finding, ids) for finding in findings],
        "changes": [
            {
                "parameter": change.parameter,
                "value": change.value,
                "action": word(change.action),
                "also": {
                    "kept": [ids[other] for other in change.kept],
                    "dropped": [ids[other] for other in change.dropped],
                },
            }
            for change in changes
        ],
    }
