"""Answers as tables for people: numbers right-aligned, no colour where the output is no terminal."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from inspector.analysis.keeping.way import Keeping, Way
from inspector.analysis.solver import SmallestChange
from inspector.assembly.answer import Answer, budget_value, item_value, resolved_scenario
from inspector.assembly.columns import Action, Fate, Section, phrase, word
from inspector.assembly.compare import Comparison, stands_in_prompt, total_lines
from inspector.assembly.cost import price_source, prompt_cost
from inspector.assembly.decisions import Assembly, Finding
from inspector.assembly.explain import Signal, explain
from inspector.assembly.finding_kinds import FindingKind
from inspector.assembly.policy import parameters_by_name
from inspector.assembly.relevance import similarity_words
from inspector.assembly.shootout import Shootout
from inspector.assembly.side_by_side import settings_that_differ
from inspector.assembly.thresholds import WINDOW
from inspector.cli.console import Console, Table, Text, joined, stacked, styled
from inspector.figures import counted, dollars, figures, signed

MOST_ROWS = 40
_MARKS = {"kept": " ", "summarized": "≈", "truncated": "✂", "dropped": "✕", "not yet": " "}
_STYLES = {"kept": "", "summarized": "yellow", "truncated": "dark_orange", "dropped": "red", "not yet": "dim"}
_SEVERITY_STYLES = {"error": "red", "warning": "yellow", "info": ""}
_TOTAL_NAMES = {"total": "total tokens", "reserve": "response reserve", "free": "free (below 0: over)"}
_NOTHING = figures(None)
_INDENT = "    "


def print_answer(answer: Answer) -> None:
    """An assembly: its budget, what is to be said of it, and what happened to its items."""
    console = Console()
    scenario, ledger, error = resolved_scenario(answer), answer.ledger, answer.assembly.error
    sureness = "estimated" if ledger.estimated else "exact"
    console.print(
        f"{scenario['policy']} ({scenario['preset']}) · {scenario['model']} · {ledger.tokenizer}, {sureness} · "
        f"{counted(len(answer.assembly.order), 'item')}"
    )
    if error:  # without a prompt there is nothing to tabulate
        console.print(styled(f"error {error.code}: {error.message}", "red"))
        _print_findings(console, answer.findings)
        return
    console.print(_budget_table(answer))
    row, total = answer.model.row, ledger.total
    if (cost := prompt_cost(row, total)) is not None:
        console.print(f"cost {dollars(cost, ledger.estimated)} ({price_source(row)})")
    _print_findings(console, answer.findings)
    _print_items(console, answer)


def _print_findings(console: Console, findings: Iterable[Finding]) -> None:
    """Each finding in a sentence, and below it what one can do."""
    for finding in findings:
        style = _SEVERITY_STYLES[finding.severity]
        console.print(styled(f"{finding.severity} {finding.code}: {finding.message}", style))
        _print_advice(console, finding.advice)


def _print_advice(console: Console, advice: str) -> None:
    lines = textwrap.wrap(advice, console.width, initial_indent=_INDENT, subsequent_indent=_INDENT)
    console.print(stacked(lines, "dim"))


def _budget_table(answer: Answer) -> Table:
    """Tokens by section, then everything else that the window holds."""
    assembly, ledger = answer.assembly, answer.ledger
    budget, order = budget_value(assembly), assembly.order
    stays = assembly.action[order] != Action.DROPPED
    inside, outside = (np.bincount(assembly.section[order][which], minlength=len(Section)) for which in (stays, ~stays))
    table = Table(("section", ""), ("used", ">"), ("limit", ">"), ("borrowed", ">"), ("in prompt", ">"), ("out", ">"))
    for name, section in budget["sections"].items():
        place = Section[name.upper()]
        counts = (_number(int(inside[place])), _number(int(outside[place])))
        borrowed = _number(section["borrowed"]) if section["borrowed"] else ""
        table.add_row(name, _number(section["used"]), _number(section["limit"]), borrowed, *counts)
    free = answer.free
    table.add_section()
    table.add_row("overhead", _number(ledger.overhead))
    table.add_row("total", _number(ledger.total), _number(budget["context_window"]))
    if budget["response_reserve"]:
        table.add_row("response reserve", _number(budget["response_reserve"]))
    table.add_row("free" if free >= 0 else "over the window", _number(abs(free)), style="" if free >= 0 else "red")
    return table


def _print_items(console: Console, answer: Answer) -> None:
    """The items in prompt order; of very many the beginning and the newest messages, and only those are made."""
    labels, rows = {row.code: row.label for row in answer.assembly.reasons}, answer.assembly.order
    table = Table(("item", ""), ("section", ""), ("tokens", ">"), ("spent", ">"), ("action", ""), ("why", ""))
    head = MOST_ROWS if len(rows) <= MOST_ROWS else MOST_ROWS // 2
    shown = [*rows[:head].tolist(), *rows[max(head, len(rows) - head) :].tolist()]
    for place, item in enumerate(item_value(answer, row) for row in shown):
        if place == head:
            table.add_row("…")
        spent = _number(item["spent"]) if item["action"] != "dropped" else _NOTHING
        cells = (item["id"], item["section"], _number(item["tokens"]), spent, _action(item["action"]))
        table.add_row(*cells, labels[item["reason"]])
    console.print(table)
    _print_rest(console, len(rows) - MOST_ROWS)


def print_explanation(
    assembly: Assembly,
    row: int,
    changes: Sequence[SmallestChange],
    signals: Sequence[Signal],
    findings: Sequence[Finding],
    policy: object | None,
) -> None:
    """The sentence about an item, what it was ranked by, the findings about it, and the smallest changes of the
    policy's parameters that would change its fate."""
    console, ids = Console(), assembly.candidates.ids
    console.print(f"{ids[row]} ({word(Section(assembly.section[row]))}): {explain(assembly, row)}")
    if signals:
        terms = " + ".join(f"{signal.weight:g} × {signal.value:.3f} {signal.name}" for signal in signals)
        console.print(f"Score {sum(signal.part for signal in signals):.3f} = {terms}")
    if parts := similarity_words(assembly.candidates, row):
        console.print(f"Similarity = {parts}")
    _print_findings(console, findings)
    if not changes:
        console.print("No change of a single parameter would change that.")
        return
    table = Table(("smallest change", ""), ("value", ">"), ("makes it", ""), ("also kept", ""), ("also dropped", ""))
    for change in changes:
        also = (_some([ids[other] for other in rows]) for rows in (change.kept, change.dropped))
        table.add_row(change.parameter, _changed_value(change, policy), _action(word(change.action)), *also)
    console.print(table)


def print_keeping(found: Keeping, ids: Sequence[str]) -> None:
    """What would keep some items: one change of each parameter, the cheapest first, then two, exclusions, others."""
    console = Console()
    if found.is_kept:
        console.print("They are kept.")
        return
    others = (
        ("pair", found.pair),
        ("leave out", found.exclusion),
        ("own window", found.own_window),
        ("model", found.model),
    )
    ways = [*(("one change", way) for way in found.singles), *((name, way) for name, way in others if way)]
    if not ways:
        console.print("Nothing that was tried keeps them.")
        return
    columns = (("tokens", ">"), ("more", ">"), ("over", ">"), ("cost", ">"), ("also kept", ""), ("also dropped", ""))
    table = Table(("", ""), ("by", ""), *columns)
    for name, way in ways:
        also = (_some([ids[row] for row in rows]) for rows in (way.gained, way.lost))
        total, added = figures(way.total, way.estimated), signed(way.added, way.estimated)
        over = figures(way.over, way.estimated) if way.over else "–"
        table.add_row(name, _ways_words(way), total, added, over, dollars(way.cost, way.estimated), *also)
    console.print(table)


def _ways_words(way: Way) -> str:
    return ", ".join(_change_words(way, name, value) for name, value in way.changes)


def _change_words(way: Way, name: str, value: Any) -> str:
    if name == WINDOW and value is None:
        return f"{name} {way.window:,}, not set by hand"
    return _some(list(value)) if isinstance(value, tuple) else f"{name} {_number(value)}"


def _changed_value(change: SmallestChange, policy: object | None) -> str:
    """The value that is needed; one that is no amount with the word that it reads as, such as `0 (off)`."""
    declared = parameters_by_name(policy)
    word = declared[change.parameter].word_for(change.value) if change.parameter in declared else ""
    return f"{_number(change.value)} ({word})" if word else _number(change.value)


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


def print_counts(value: Mapping[str, Any]) -> None:
    """Tokens of each item, of each section and in total."""
    console = Console()
    table = Table(("item", ""), ("section", ""), ("tokens", ">"))
    for item in value["items"][:MOST_ROWS]:
        table.add_row(item["id"], item["section"], _number(item["tokens"]))
    _print_table(console, table, len(value["items"]))
    sureness = "exact" if value["exact"] else "estimated"
    total, items = counted(value["total"], "token"), counted(len(value["items"]), "item")
    console.print(f"{total} in {items} ({value['tokenizer']}, {sureness})")


def print_finding_kinds(kinds: Iterable[FindingKind]) -> None:
    """Each finding with how bad it is, what it means, and below that what one can do."""
    console = Console()
    for kind in kinds:
        severity = styled(f" ({kind.severity})", _SEVERITY_STYLES[kind.severity])
        console.print(joined(styled(kind.code, "bold"), severity, f": {kind.meaning}"))
        _print_advice(console, kind.general_advice)


def print_rows(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> None:
    """A list with these columns; a column of numbers is right-aligned."""
    numeric = {name for name in columns if all(isinstance(row[name], int | float | None) for row in rows)}
    table = Table(*((name.replace("_", " "), ">" if name in numeric else "") for name in columns))
    for row in rows:
        table.add_row(*(_number(row[name]) for name in columns))
    Console().print(table)


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


def _action(name: str) -> Text:
    return styled(f"{_MARKS[name]} {name}", _STYLES[name])


def _transition(before: Fate | None, after: Fate | None) -> str:
    return " → ".join("not there" if fate is None else phrase(fate) for fate in (before, after))


def _some(names: Sequence[str]) -> str:
    if not names:
        return _NOTHING
    return ", ".join(names[:3]) + (f" and {len(names) - 3:,} more" if len(names) > 3 else "")
