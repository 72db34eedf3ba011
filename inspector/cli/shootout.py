"""Several policies side by side, as the command line writes them: what each does with each item, and comes to."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Action, Section, word
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.assembly.shootout import Shootout, contender_named, shoot_out, shootout_rows
from inspector.cli.loading import answer_for, named_failures
from inspector.cli.output import print_csv, print_json
from inspector.cli.usage import check_policies
from inspector.plugins import policies

_ALL = "all"


def policies_named(names: str) -> list[str]:
    """The policies between commas, or `all` of them. Ends the command where one is none."""
    wanted = list(policies()[0]) if names.strip() == _ALL else names.split(",")
    check_policies("--policies", wanted)
    return wanted


def compare_policies(
    pipeline: Pipeline, scenario: Scenario, names: Sequence[str], differing: bool, answer_format: str
) -> None:
    """Set policies side by side, and print what comes of it, or only where they differ."""
    contenders = [contender_named(name, scenario) for name in names]
    with named_failures():
        shootout = shoot_out(scenario, contenders, partial(answer_for, pipeline))
    if answer_format == "json":
        print_json(matrix_value(shootout, differing))
    elif answer_format == "csv":
        print_csv(shootout_rows(shootout, differing))
    else:
        from inspector.cli.tables import print_matrix

        print_matrix(shootout)


def matrix_value(shootout: Shootout, differing: bool = False) -> dict[str, Any]:
    """What each policy does with each item, or with those that they disagree about, and what each comes to."""
    words = [word(action) for action in Action]
    return {
        "columns": [contender.name for contender in shootout.contenders],
        "rows": [
            {
                "id": shootout.ids[row],
                "actions": [words[action] for action in shootout.actions[row].tolist()],
                "differ": int(shootout.dissent[row]),
            }
            for row in shootout.rows(differing).tolist()
        ],
        "disputed": shootout.disputed,
        "totals": [
            {
                **totals_of(answer),
                "over": outcome.over,
                "exact": outcome.exact,
                "findings": {"error": outcome.errors, "warning": outcome.warnings},
                "messages": list(shootout.messages(place)),
            }
            for place, (answer, outcome) in enumerate(zip(shootout.answers, shootout.outcomes, strict=True))
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
