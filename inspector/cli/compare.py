"""prompt-inspector compare: what changes between two scenarios, or between several policies."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Action, Fate, Section, word
from inspector.assembly.compare import Change, Comparison, stands_in_prompt
from inspector.assembly.compare import compare as compare_assemblies
from inspector.assembly.recorded import Recorded, RecordedComparison, compare_recorded, recorded_note
from inspector.assembly.scenario import Scenario
from inspector.assembly.shootout import Shootout, contender_named, shoot_out
from inspector.cli.loading import answer_for, named_failures, open_pipeline
from inspector.cli.options import format_option, paths_argument, scenario_from, scenario_options
from inspector.cli.output import print_json, say
from inspector.reading.values import as_text


@click.command(short_help="Say what changes between two scenarios.")
@paths_argument
@click.option("--a", "before_file", metavar="FILE", help="Scenario to compare from.")
@click.option("--b", "after_file", metavar="FILE", help="Scenario to compare with.")
@click.option("--recorded", is_flag=True, help="Compare with what the program that wrote the file did.")
@click.option("--policies", "policy_names", metavar="A,B,C", help="Policies (or POLICY/PRESET) to set side by side.")
@scenario_options
@format_option
def compare(
    paths: tuple[str, ...],
    before_file: str | None,
    after_file: str | None,
    recorded: bool,
    policy_names: str | None,
    scenario_file: str | None,
    settings: tuple[str, ...],
    answer_format: str,
    **given: Any,
) -> None:
    """Say what changes for the items of PATHS between two scenarios; the other options apply to both.

    With --recorded: what the program that wrote the file did with each message, beside what this scenario does.
    """
    if recorded and (before_file or after_file or policy_names is not None):
        raise click.UsageError("compare: give either --recorded, --policies, or --a and --b")
    if recorded:
        _compare_recorded(paths, scenario_from(scenario_file, settings, given), answer_format)
        return
    if policy_names is not None:
        if before_file or after_file:
            raise click.UsageError("compare: give either --policies, or --a and --b")
        scenario = scenario_from(scenario_file, settings, given)
        _compare_policies(paths, scenario, policy_names.split(","), answer_format)
        return
    if not (before_file and after_file) or scenario_file:
        raise click.UsageError("compare: expected --a FILE and --b FILE, --policies A,B,C, or --recorded")
    scenarios = [scenario_from(file, settings, given) for file in (before_file, after_file)]
    pipeline = open_pipeline(paths)
    with named_failures():
        before, after = (answer_for(pipeline, scenario) for scenario in scenarios)
    comparison = compare_assemblies(before.assembly, after.assembly)
    if answer_format == "json":
        print_json(comparison_value(comparison, before, after))
    else:
        from inspector.cli.tables import print_comparison

        print_comparison(comparison, before, after)


def _compare_recorded(paths: Sequence[str], scenario: Scenario, answer_format: str) -> None:
    pipeline = open_pipeline(paths)
    with named_failures():
        comparison = compare_recorded(answer_for(pipeline, scenario).assembly)
    rows = [_recorded_row(comparison, place) for place in range(len(comparison))]
    if answer_format == "json":
        differing = int(comparison.differs.sum())
        totals = {"messages": len(rows), "differing": differing}
        tokens = {"recorded_tokens": comparison.tokens(True), "tokens": comparison.tokens(False)}
        print_json({"rows": rows, "totals": totals | tokens})
        return
    from inspector.cli.tables import MOST_ROWS, print_rows

    # What both did alike says little: of many rows those that differ are shown first.
    shown = sorted(range(len(rows)), key=lambda place: not comparison.differs[place])[:MOST_ROWS]
    if rows:
        print_rows([rows[place] for place in sorted(shown)], ("id", "recorded", "reason", "action", "tokens", "spent"))
    if len(rows) > MOST_ROWS:
        say(f"… and {len(rows) - MOST_ROWS:,} more (--format json lists all)")
    say(comparison.sentence)


def _recorded_row(comparison: RecordedComparison, place: int) -> dict[str, Any]:
    """A message: what was recorded, and by what and why; what is done here; what all of it and its part here costs."""
    assembly, row = comparison.assembly, int(comparison.rows[place])
    note = recorded_note(assembly.candidates.things[row])
    return {
        "id": assembly.candidates.ids[row],
        "recorded": word(Recorded(comparison.recorded[place])),
        "by": as_text(note.get("by") or ""),
        "reason": as_text(note.get("reason") or ""),
        "action": word(Fate(int(assembly.fate[row]))),
        "differs": bool(comparison.differs[place]),
        "tokens": int(assembly.candidates.tokens[row]),
        "spent": int(assembly.spent[row]) if stands_in_prompt(Action(int(assembly.action[row]))) else None,
    }


def _compare_policies(paths: Sequence[str], scenario: Scenario, names: Sequence[str], answer_format: str) -> None:
    pipeline = open_pipeline(paths)
    contenders = [contender_named(name, scenario) for name in names]
    with named_failures():
        shootout = shoot_out(scenario, contenders, partial(answer_for, pipeline))
    if answer_format == "json":
        print_json(matrix_value(shootout))
    else:
        from inspector.cli.tables import print_matrix

        print_matrix(shootout)


def comparison_value(comparison: Comparison, before: Answer, after: Answer) -> dict[str, Any]:
    """The comparison as JSON has it: every item that differs, with null on the side that does not have an item."""
    return {
        "transitions": [_change_value(change) for change in comparison.changes()],
        "totals": {
            "changed": len(comparison),
            "before": totals_of(before),
            "after": totals_of(after),
            "groups": [
                {
                    "before": _word(group.before),
                    "after": _word(group.after),
                    "items": len(group),
                    "spent_before": group.spent_before,
                    "spent_after": group.spent_after,
                }
                for group in comparison.groups
            ],
        },
    }


def matrix_value(shootout: Shootout) -> dict[str, Any]:
    """What each policy does with each item, and what each comes to."""
    words = [word(action) for action in Action]
    rows = zip(shootout.ids, shootout.actions.tolist(), strict=True)
    return {
        "columns": [contender.name for contender in shootout.contenders],
        "rows": [{"id": name, "actions": [words[action] for action in actions]} for name, actions in rows],
        "totals": [
            {
                **totals_of(answer),
                "over": outcome.over,
                "exact": outcome.exact,
                "findings": {"error": outcome.errors, "warning": outcome.warnings},
            }
            for answer, outcome in zip(shootout.answers, shootout.outcomes, strict=True)
        ],
    }


def totals_of(answer: Answer) -> dict[str, Any]:
    """What one assembly comes to: its status, how many items met each action, and its tokens, part by part."""
    counts, used = answer.assembly.action_counts, answer.assembly.used
    return {
        "status": answer.status,
        **{word(action): int(counts[action]) for action in Action},
        "sections": {word(section): int(used[section]) for section in Section if used[section]},
        "items": answer.ledger.items,
        "overhead": answer.ledger.overhead,
        "total": answer.ledger.total,
        "reserve": answer.assembly.budget.response_reserve,
        "free": answer.free,
    }


def _change_value(change: Change) -> dict[str, Any]:
    return {
        "id": change.id,
        "section": word(Section(change.section)),
        "before": _word(change.before),
        "after": _word(change.after),
        "spent_before": change.spent_before,
        "spent_after": change.spent_after,
        "reason_before": change.reason_before.code if change.reason_before else None,
        "reason_after": change.reason_after.code if change.reason_after else None,
    }


def _word(action: Action | None) -> str | None:
    return None if action is None else word(action)
