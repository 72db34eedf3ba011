"""Sweeps: a grid of scenarios over the conversations of a workspace, with a row of figures for each."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from inspector.analysis.recall.probes import askable
from inspector.analysis.recall.settings import recall_of_each
from inspector.analysis.sweep.grid import WORDS_ONLY, Grid, cells
from inspector.assembly.answer import Answer, complete_answer, leaving, planned_answer
from inspector.assembly.choices import ScenarioError, check_policy
from inspector.assembly.columns import Action, Section, section_title, word
from inspector.assembly.columns import Kind as ItemKind
from inspector.assembly.cost import prompt_cost
from inspector.assembly.decisions import Assembly
from inspector.assembly.edits import SCENARIO_KEYS, set_value
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import parameters_by_name
from inspector.assembly.scenario import DEFAULT_POLICY, Scenario
from inspector.limits import MOST
from inspector.model import Probe
from inspector.nearest import instead
from inspector.tables import Column, Face, Kind, Table
from inspector.tokens.cache import CountCache

Row = dict[str, Any]
_TOKENS = [f"tokens_{word(section)}" for section in Section]
_ACTIONS = [word(action) for action in Action]


def sweep_rows(
    pipeline: Pipeline,
    scenario: Scenario,
    grid: Grid,
    cache: CountCache | None = None,
    *,
    measured: bool = False,
    probes: Sequence[Probe] = (),
    reply: int | None = None,
) -> Iterator[Row]:
    """Yield a row for each conversation and cell of the grid: the varied values, then the figures of its assembly.

    The scenario's conversation is used, or every conversation if it names none. Totals are planned from the counts of
    the parts, as a slider shows them; with `measured` each prompt is written and counted as a whole, which takes some
    twenty times as long and moves a total by the few tokens of its seams. With `probes`, each row has the recall of the
    probes of its conversation. A prompt fits if it leaves `reply` tokens of its window, as in a check or a
    recommendation; without, the reserve of the policy. A cell that cannot be assembled gives a row with the status
    `error`. A parameter missing in any of several policies is null in that policy's rows. Raise ScenarioError for an
    unknown key or name, and UnknownTokenizerError.
    """
    _check_keys(pipeline, scenario, grid)
    for name in _conversations(pipeline, scenario):
        varied = _varied(pipeline, replace(scenario, conversation=name), grid)
        asked = askable(pipeline.workspace, probes, name)[0]
        recalls = recall_of_each(pipeline, [changed for changed, _ in varied], asked, cache) if probes else ()
        for place, (changed, values) in enumerate(varied):
            if measured:
                answer = complete_answer(pipeline, changed, cache)
            else:
                answer = planned_answer(pipeline, make_all(pipeline, changed, cache))
            yield {**_row(leaving(pipeline, answer, reply), values), **(recalls[place].columns if recalls else {})}


def _varied(pipeline: Pipeline, scenario: Scenario, grid: Grid) -> list[tuple[Scenario, Row]]:
    """Return the scenario of each cell with its values; of cells with the same scenario the first."""
    found: dict[str, tuple[Scenario, Row]] = {}
    for cell in cells(grid):
        changed, values = _scenario_of(pipeline, scenario, cell)
        found.setdefault(repr(values), (changed, values))
    return list(found.values())


def _check_keys(pipeline: Pipeline, scenario: Scenario, grid: Grid) -> None:
    names = grid.get("policy", [scenario.policy or DEFAULT_POLICY])
    for name in names:
        check_policy(name, pipeline.choices.policies)
    known = set(SCENARIO_KEYS).union(*(_parameters(pipeline, name) for name in names))
    for key, values in grid.items():
        if key not in known:
            named = instead(key, sorted(known), len(known), "those that can are")
            raise ScenarioError(f"{key} cannot be varied here; {named}", key)
        for value in values:
            _check_value(pipeline, names, key, value)
    words = {key: values for key, values in grid.items() if key in WORDS_ONLY}
    window = {"context_window": grid["context_window"][0]} if grid.get("context_window") else {}
    for cell in cells(words):
        pipeline.choices.check(_scenario_of(pipeline, scenario, {**cell, **window})[0])


def _check_value(pipeline: Pipeline, policies: Iterable[str], key: str, value: Any) -> None:
    """Raise ScenarioError for an impossible value of a key under all of these policies."""
    if key in WORDS_ONLY:
        if not isinstance(value, str):
            raise ScenarioError(f"{key}: expected a name, not {value!r}", key)
    elif key in SCENARIO_KEYS:
        least = 0 if key == "at" else 1
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST:
            raise ScenarioError(f"{key}: expected a whole number from {least} to {MOST:,}, not {value!r}", key)
    else:
        declared = [parameters_by_name(pipeline.choices.policies[name]).get(key) for name in policies]
        troubles = [one.trouble(value) for one in declared if one is not None]
        if all(troubles):
            raise ScenarioError(f"{key} {troubles[0]}", key)


def _parameters(pipeline: Pipeline, policy: str) -> set[str]:
    return {field.name for field in fields(pipeline.choices.policies[policy])}


def _conversations(pipeline: Pipeline, scenario: Scenario) -> Sequence[str | None]:
    if scenario.conversation is not None:
        return [scenario.conversation]
    return [conversation.id for conversation in pipeline.workspace.conversations] or [None]


def _scenario_of(pipeline: Pipeline, scenario: Scenario, cell: Row) -> tuple[Scenario, Row]:
    """Return the scenario of a cell, and its actual values: null for parameters unknown to its policy."""
    policy = cell.get("policy", scenario.policy or DEFAULT_POLICY)
    known = _parameters(pipeline, policy).union(SCENARIO_KEYS)
    values = {key: value if key in known else None for key, value in cell.items()}
    # A policy and a preset set parameters aside: they come before those that the cell gives.
    for key in sorted(values, key=lambda key: (key != "policy", key != "preset")):
        if key in known:
            scenario = set_value(scenario, key, values[key]).scenario
    return scenario, values


def _row(answer: Answer, values: Row) -> Row:
    assembly, case = answer.assembly, answer.case
    conversation = case.chosen.conversation
    total = answer.ledger.total
    return {
        "source": conversation.origin if conversation else "",
        "conversation": conversation.id if conversation else None,
        "policy": case.policy_name,
        "preset": case.preset_name,
        **values,
        "status": answer.status,
        "error": assembly.error.code if assembly.error else None,
        **dict(zip(_TOKENS, assembly.used.tolist(), strict=True)),
        **dict(zip(_ACTIONS, assembly.action_counts.tolist(), strict=True)),
        "overhead": answer.ledger.overhead,
        "total": total,
        "measured": answer.ledger.rendered is not None,
        "overflow": max(0, -answer.free),
        "oldest_kept": _oldest_kept(assembly),
        "cost": None if assembly.error else prompt_cost(case.model.row, total),
    }


def _oldest_kept(assembly: Assembly) -> int | None:
    """Return the index of the oldest message kept whole, in the conversation; None if there is none."""
    messages = assembly.candidates.rows(ItemKind.MESSAGE)
    kept = np.flatnonzero(assembly.action[messages] == int(Action.KEPT))
    return int(kept[0]) if len(kept) and not assembly.error else None


def _column(
    key: str, title: str, help: str, kind: Kind = Kind.TEXT, yields: int = 0, faces: Face = Face.ALL
) -> Column[Sequence[Row]]:
    return Column(key, title, help, lambda rows, row: rows[row][key], kind=kind, yields=yields, faces=faces)


def _tokens_column(section: Section) -> Column[Sequence[Row]]:
    key, help = f"tokens_{word(section)}", f"Tokens of the section {section_title(section)}"
    return replace(
        _column(key, section_title(section), help, Kind.TOKENS, 5), shown=lambda rows: any(row[key] for row in rows)
    )


def _varied_column(key: str, rows: Sequence[Row]) -> Column[Sequence[Row]]:
    """Return the column of a varied key."""
    values = [row[key] for row in rows if row[key] is not None]
    is_number = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)

    def words(rows: Sequence[Row], row: int) -> str:
        value = rows[row][key]
        return "–" if value is None else f"{value:,}" if is_number else str(value)

    title = key[:1].upper() + key[1:].replace("_", " ")
    column = _column(key, title, "A value of the grid", Kind.NUMBER if is_number else Kind.TEXT)
    return replace(column, words=words)


_RECALL = "means over the questions of the conversation"
ROW_COLUMNS: tuple[Column[Sequence[Row]], ...] = (
    _column("source", "Source", "The file of the conversation", faces=Face.FILES),
    _column("conversation", "Conversation", "Its id"),
    _column("policy", "Policy", "The policy that decides"),
    _column("preset", "Preset", "Its preset", yields=7),
    _column("status", "Status", "ok, over_window or error"),
    _column("error", "Error", "The code of the error", faces=Face.FILES),
    *map(_tokens_column, Section),
    _column("kept", "Kept", "How many items are kept whole", Kind.COUNT, 1),
    _column("summarized", "Summarized", "How many items are summarized", Kind.COUNT, 3),
    _column("truncated", "Truncated", "How many items are cut", Kind.COUNT, 4),
    _column("dropped", "Dropped", "How many items are left out", Kind.COUNT, 1),
    _column("overhead", "Formatting", "Tokens of templates and headings", Kind.TOKENS, 6),
    _column("total", "Tokens", "Tokens of the whole prompt", Kind.TOKENS),
    _column("measured", "Measured", "Whether the prompt was counted as a whole", Kind.FLAG, faces=Face.FILES),
    _column("overflow", "Over by", "Tokens of prompt and reply over the window", Kind.TOKENS, 2),
    _column("oldest_kept", "Oldest kept", "The index of the oldest message that is kept whole", Kind.COUNT, 5),
    _column("cost", "Cost", "US dollars of the prompt", Kind.MONEY, 2),
    _column("probes", "Questions", "The number of questions asked", Kind.COUNT, 6),
    _column("recall", "Recall", f"The share of the needed items kept whole: {_RECALL}", Kind.SHARE),
    _column("recall_with_memories", "With memories", f"The same, or named by a kept memory: {_RECALL}", Kind.SHARE, 2),
    _column("recall_summarized", "Recall summarized", f"The share that is summarized or cut: {_RECALL}", Kind.SHARE, 5),
)
_KNOWN = {column.key: column for column in ROW_COLUMNS}
ROW_KINDS = {column.key: column.kind for column in ROW_COLUMNS}
"""The kind of each column independent of the grid."""


def _row_columns(rows: Sequence[Row]) -> list[Column[Sequence[Row]]]:
    return [_KNOWN.get(key) or _varied_column(key, rows) for key in (rows[0] if rows else ())]


ROWS: Table[Sequence[Row]] = Table(_row_columns, lambda rows: range(len(rows)))
"""The rows of a sweep, in which the keys of its grid follow the preset."""
