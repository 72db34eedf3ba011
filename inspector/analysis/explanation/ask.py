"""The explanation of an item: its outcome with the reason, the smallest changes to a different outcome, and the ways to
keep it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from inspector.analysis.basis import Basis, result_of
from inspector.analysis.explanation.solver import SmallestChange, smallest_changes
from inspector.analysis.keeping.search import ways_to_keep
from inspector.analysis.keeping.tables import WAYS, Ways
from inspector.analysis.keeping.way import Keeping, keeping_value
from inspector.assembly.answer import Answer, finding_value
from inspector.assembly.columns import Action, Section, outcome_tone, section_words, word
from inspector.assembly.decisions import Finding
from inspector.assembly.explain import Signal, explain, ranking_signals
from inspector.assembly.numbers import numbers_of, title_in
from inspector.assembly.part_costs import PricedPart, part_costs
from inspector.assembly.policy import parameters_by_name
from inspector.assembly.relevance import similarity_words
from inspector.formats.content.words import part_words
from inspector.model.parts import type_of
from inspector.tables import Column, Kind, Table, Value, named, table_of_part
from inspector.tokens.cost_words import cost_figure


@dataclass(frozen=True, eq=False)
class Explanation:
    """An item of an answer with its findings, the signals that ranked it, the changes to another action, and the ways
    to keep it whole.
    """

    answer: Answer
    row: int
    findings: tuple[Finding, ...]
    signals: tuple[Signal, ...]
    changes: tuple[SmallestChange, ...]
    keeping: Keeping

    @property
    def ways(self) -> Ways:
        """The ways to keep the item, with the candidates that name others."""
        return Ways(self.keeping, self.answer.assembly.candidates)


def explanation(basis: Basis, answer: Answer, row: int) -> Explanation:
    """Explain a row of an answer."""
    policy = None if answer.assembly.error else answer.case.policy
    findings = tuple(finding for finding in answer.findings if row in finding.rows)
    changes = tuple(smallest_changes(basis, row))
    keeping = result_of(ways_to_keep(basis, np.array([row], np.intp)))
    return Explanation(answer, row, findings, ranking_signals(answer.assembly, row, policy), changes, keeping)


def _ids(found: Explanation, rows: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(found.answer.assembly.candidates.ids[row] for row in rows)


def _numbers(found: Explanation, rows: tuple[int, ...]) -> str:
    return named(numbers_of(found.answer.assembly.candidates, rows))


def _value_text(found: Explanation, place: int) -> str:
    """Return the needed value, with its word if it is not an amount, such as `0 (off)`."""
    change = found.changes[place]
    written = _written(change.value)
    declared = parameters_by_name(found.answer.case.policy).get(change.parameter)
    named = declared.word_for(change.value) if declared is not None else ""
    return f"{written} ({named})" if named else written


def _written(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:,}" if isinstance(value, int | float) else str(value)


CHANGES: Table[Explanation] = Table(
    (
        Column(
            "parameter",
            "Smallest change",
            "The only parameter to change",
            lambda found, place: found.changes[place].parameter,
        ),
        Column(
            "value",
            "Value",
            "The nearest value with another outcome of the item",
            lambda found, place: found.changes[place].value,
            kind=Kind.NUMBER,
            words=_value_text,
        ),
        Column(
            "action",
            "Makes it",
            "The outcome of the item then",
            lambda found, place: word(found.changes[place].action),
            kind=Kind.OUTCOME,
            tone=lambda found, place: outcome_tone(found.changes[place].action),
        ),
        Column(
            "kept",
            "Also kept",
            "Other items that enter the prompt",
            lambda found, place: _ids(found, found.changes[place].kept),
            kind=Kind.IDS,
            words=lambda found, place: _numbers(found, found.changes[place].kept),
        ),
        Column(
            "dropped",
            "Also dropped",
            "Other items that leave the prompt",
            lambda found, place: _ids(found, found.changes[place].dropped),
            kind=Kind.IDS,
            words=lambda found, place: _numbers(found, found.changes[place].dropped),
        ),
    ),
    lambda found: range(len(found.changes)),
)
WAYS_OF_ITEM: Table[Explanation] = table_of_part(WAYS, lambda found: found.ways)


def sentences(found: Explanation) -> Iterator[str]:
    """Yield the outcome of the item, and the signals that ranked it."""
    assembly, row = found.answer.assembly, found.row
    candidates, section = assembly.candidates, section_words(Section(assembly.section[row]))
    yield f"{title_in(candidates.items, row)} (id {candidates.ids[row]}, {section}): {explain(assembly, row)}"
    yield from (f"Part {number}: {_part_sentence(priced)}" for number, priced in enumerate(_parts_of(found), 1))
    if found.signals:
        terms = " + ".join(f"{signal.weight:g} × {signal.value:.3f} {signal.name}" for signal in found.signals)
        yield f"Score {sum(signal.part for signal in found.signals):.3f} = {terms}"
    if parts := similarity_words(assembly.candidates, row):
        yield f"Similarity = {parts}"


def _parts_of(found: Explanation) -> Iterator[PricedPart]:
    """Yield the parts of the item with their costs."""
    return part_costs(found.answer.assembly.candidates, found.answer.model.media, found.row)


def _part_sentence(priced: PricedPart) -> str:
    """Return a part with its cost and the rule behind it."""
    rule = f": {priced.cost.rule}" if priced.cost.rule else ""
    return f"{part_words(priced.part)} · {cost_figure(priced.cost)} tokens{rule}"


def _part_value(priced: PricedPart) -> dict[str, Any]:
    return {
        "type": type_of(priced.part),
        "words": part_words(priced.part),
        "tokens": priced.known_tokens,
        "low": priced.cost.low,
        "high": priced.cost.high,
        "certainty": priced.cost.certainty.word,
        "rule": priced.cost.rule,
    }


def explanation_value(found: Explanation) -> dict[str, Any]:
    """Return the explanation as JSON."""
    assembly, row, ids = found.answer.assembly, found.row, found.answer.assembly.candidates.ids
    return {
        "item": ids[row],
        "section": word(Section(assembly.section[row])),
        "action": word(Action(assembly.action[row])),
        "reason": assembly.reason_of(row).code,
        "sentence": explain(assembly, row),
        "rank": int(assembly.rank[row]) if assembly.rank[row] >= 0 else None,
        "left": assembly.left_of(row),
        "signals": [
            {"name": signal.name, "weight": signal.weight, "value": signal.value, "part": signal.part}
            for signal in found.signals
        ],
        "parts": list(map(_part_value, _parts_of(found))),
        "findings": [finding_value(finding, ids) for finding in found.findings],
        "changes": list(map(_change_value, CHANGES.records(found))),
        "ways": keeping_value(found.keeping, ids),
    }


def _change_value(change: dict[str, Value]) -> dict[str, Any]:
    also = {"kept": change.pop("kept"), "dropped": change.pop("dropped")}
    return {**change, "also": also}
