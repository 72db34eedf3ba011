"""Answers as tables for people: numbers right-aligned, no colour where the output is no terminal."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Action, Fate, phrase, word
from inspector.assembly.compare import Comparison, stands_in_prompt, total_lines
from inspector.assembly.shootout import Shootout
from inspector.assembly.side_by_side import settings_that_differ
from inspector.cli.console import Console, Table, Text, stacked, styled
from inspector.figures import figures

MOST_ROWS = 40
_MARKS = {"kept": " ", "summarized": "≈", "truncated": "✂", "dropped": "✕", "not yet": " "}
_STYLES = {"kept": "", "summarized": "yellow", "truncated": "dark_orange", "dropped": "red", "not yet": "dim"}
_SEVERITY_STYLES = {"error": "red", "warning": "yellow", "info": ""}
_TOTAL_NAMES = {"total": "total tokens", "reserve": "response reserve", "free": "free (below 0: over)"}
_NOTHING = figures(None)
_INDENT = "    "


def print_comparison(comparison: Comparison, before: Answer, after: Answer) -> None:
    """The settings that differ, the totals of both sides, and what changed, grouped by transition."""
    console = Console()
    settings = settings_that_differ((before, after))
    if settings:
        table = Table(("setting", ""), ("a", ""), ("b", ""))
        for setting in settings:
            table.add_row(setting.name, *setting.texts)
        console.print(table)
    if refused := refusals(before, after):
        console.print("\n".join(refused))
        return
    table = Table(("", ""), ("a", ">"), ("b", ">"), ("change", ">"))
    for name, one, other in _both_sides(before, after):
        table.add_row(name, f"{one:,}", f"{other:,}", f"{other - one:+,}")
    console.print(table)
    table = Table(("change", ""), ("items", ">"), ("tokens a", ">"), ("tokens b", ">"))
    for group in comparison.groups:
        table.add_row(
            _transition(group.before, group.after), *map(_number, (len(group), group.spent_before, group.spent_after))
        )
    console.print(table if len(comparison) else "No item changes.")
    if not len(comparison):
        return
    table = Table(("item", ""), ("change", ""), ("tokens a", ">"), ("tokens b", ">"), ("why a", ""), ("why b", ""))
    for place in range(min(MOST_ROWS, len(comparison))):
        change = comparison.change(place)
        reasons = (reason.label if reason else _NOTHING for reason in (change.reason_before, change.reason_after))
        spent = (
            _number(tokens if stands_in_prompt(fate) else None)
            for fate, tokens in ((change.before, change.spent_before), (change.after, change.spent_after))
        )
        table.add_row(change.id, _transition(change.before, change.after), *spent, *reasons)
    _print_table(console, table, len(comparison))


def refusals(before: Answer, after: Answer) -> list[str]:
    """Which side made no prompt, and why: then nothing can be said of what changes from one to the other."""
    errors = (("a", before.assembly.error), ("b", after.assembly.error))
    return [f"No prompt was made of {name}: {error.message}" for name, error in errors if error is not None]


def _both_sides(before: Answer, after: Answer) -> Iterable[tuple[str, int, int]]:
    """Tokens of every part of the budget, then how many items met each fate."""
    for line in total_lines(before, after):
        yield _TOTAL_NAMES.get(line.name, line.name), line.before, line.after
    for fate in Fate:
        one, other = (int(answer.assembly.fate_counts[fate]) for answer in (before, after))
        if fate is not Fate.NOT_YET or one or other:
            yield f"items {phrase(fate)}", one, other


def print_matrix(shootout: Shootout) -> None:
    """What each policy does with each item: the totals, then the items that the policies disagree about most."""
    console, names = Console(), [contender.name for contender in shootout.contenders]
    actions = [(word(action), ">") for action in Action]
    table = Table(("policy", ""), ("status", ""), *actions, ("tokens", ">"), ("over by", ">"), ("findings", ""))
    for place, (name, answer) in enumerate(zip(names, shootout.answers, strict=True)):
        outcome = shootout.outcomes[place]
        counts = map(_number, answer.assembly.action_counts.tolist())
        over = _number(outcome.over) if outcome.over else ""
        total = figures(outcome.total, not outcome.exact) if outcome.made else _NOTHING
        table.add_row(name, answer.status.replace("_", " "), *counts, total, over, shootout.found(place))
    console.print(table)
    console.print(shootout.sentence if shootout.disputed else "They agree about every item.")
    rows = np.argsort(-shootout.dissent, kind="stable")[: min(shootout.disputed, MOST_ROWS)].tolist()
    if not rows:
        return
    table = Table(("item", ""), *((name, "") for name in names))
    for row in rows:
        fates = zip(shootout.fates[row].tolist(), shootout.made.tolist(), strict=True)
        cells = (_action(phrase(Fate(fate))) if made else _NOTHING for fate, made in fates)
        table.add_row(shootout.ids[row], *cells)
    _print_table(console, table, shootout.disputed)


def print_policies(values: Sequence[Mapping[str, Any]]) -> None:
    """Each policy with its parameters."""
    console = Console()
    for policy in values:
        console.print(_title(policy))
        if not policy["parameters"]:
            continue
        table = Table(("parameter", ""), ("default", ">"), ("values", ""), ("meaning", ""))
        for parameter in policy["parameters"]:
            table.add_row(
                parameter["name"],
                _parameter_value(parameter, parameter["default"]),
                _range(parameter),
                parameter["help"],
            )
        console.print(table)


def print_policy(policy: Mapping[str, Any]) -> None:
    """What one policy does, its presets, and its parameters with what each of their words means."""
    console = Console()
    console.print(_title(policy))
    console.print(f"presets: {', '.join(policy['presets']) or _NOTHING}")
    if "preset" in policy:
        console.print(stacked(f"{policy['preset']}: {policy['preset_description']}".splitlines()))
    shown, title = ("value", "in preset") if "preset" in policy else ("default", "default")
    table = Table(("parameter", ""), (title, ">"), ("values", ""), ("meaning", ""))
    for parameter in policy["parameters"]:
        words = (f"{word}: {meaning}" for word, meaning in parameter["choices"].items())
        meaning = stacked(filter(None, (parameter["help"], *words)))
        table.add_row(parameter["name"], _parameter_value(parameter, parameter[shown]), _range(parameter), meaning)
    console.print(table)


def print_rows(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> None:
    """A list with these columns; a column of numbers is right-aligned."""
    numeric = {name for name in columns if all(isinstance(row[name], int | float | None) for row in rows)}
    table = Table(*((name.replace("_", " "), ">" if name in numeric else "") for name in columns))
    for row in rows:
        table.add_row(*(_number(row[name]) for name in columns))
    Console().print(table)


def print_places(value: Mapping[str, Any]) -> None:
    """Where the cache and the log are."""
    table = Table(("", ""), ("file", ""), ("bytes", ">"))
    table.add_row("token counts", value["cache"], _number(value["cache_bytes"]))
    table.add_row("log", value["log"], _number(value["log_bytes"]))
    console = Console()
    console.print(table)
    if "removed_counts" in value:
        console.print(f"{value['removed_counts']:,} counts were forgotten.")


def _print_table(console: Console, table: Table, size: int) -> None:
    console.print(table)
    _print_rest(console, size - table.row_count)


def _print_rest(console: Console, left_out: int) -> None:
    if left_out > 0:
        console.print(f"… and {left_out:,} more (--format json lists all)")


def _number(value: Any) -> str:
    if value is None:
        return _NOTHING
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def _title(policy: Mapping[str, Any]) -> Text:
    return stacked(f"{policy['name']}: {policy['description']}".splitlines(), "bold")


def _action(name: str) -> Text:
    return styled(f"{_MARKS[name]} {name}", _STYLES[name])


def _transition(before: Fate | None, after: Fate | None) -> str:
    return " → ".join("not there" if fate is None else phrase(fate) for fate in (before, after))


def _some(names: Sequence[str]) -> str:
    if not names:
        return _NOTHING
    return ", ".join(names[:3]) + (f" and {len(names) - 3:,} more" if len(names) > 3 else "")


def _parameter_value(parameter: Mapping[str, Any], value: Any) -> str:
    """A value of a parameter; a minimum that is no amount with the word that it reads as, such as `0 (off)`."""
    if isinstance(value, list | tuple):
        return ", ".join(map(_number, value))
    word = parameter["at_minimum"] if value == parameter["minimum"] else ""
    return f"{_number(value)} ({word})" if word else _number(value)


def _range(parameter: Mapping[str, Any]) -> str:
    """What a parameter may be: its words, or its range with the unit."""
    if parameter["choices"]:
        return ", ".join(parameter["choices"])
    if isinstance(parameter["default"], bool):
        return "true, false"
    lowest = _parameter_value(parameter, parameter["minimum"])
    unit = f" {parameter['unit']}" if parameter["unit"] else ""
    return f"{lowest} to {parameter['maximum']:,}{unit}"
