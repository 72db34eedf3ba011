"""The solver: the smallest change of each parameter, and of the window, that changes the outcome of an item."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from inspector.analysis.basis import Basis
from inspector.analysis.sliders import Axis, Verdict, axis_of, nearest_change, other_words, window_axis
from inspector.analysis.survival.ask import by_thresholds, packing_for
from inspector.analysis.survival.stretches import Outcome, Survival
from inspector.assembly.columns import Action, Rows, State
from inspector.assembly.compare import compare
from inspector.assembly.decisions import Assembly
from inspector.assembly.edits import set_value
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import Parameter, parameters_of
from inspector.assembly.scenario import Scenario
from inspector.steps import check_wanted

CONTEXT_WINDOW = "context_window"
_WORK = 1_000_000
_NEARBY = (50, 400)
_NEARBY_TEXTS = 100


@dataclass(frozen=True, slots=True)
class SmallestChange:
    """A change of a single parameter to this value, which makes the item's action `action`.

    `kept` and `dropped` are the rows of the other items that enter or leave the prompt at the same time.
    """

    parameter: str
    value: Any
    action: Action
    kept: tuple[int, ...]
    dropped: tuple[int, ...]


def smallest_changes(basis: Basis, row: int) -> Iterator[SmallestChange]:
    """Yield for each parameter and the context window the value nearest to today's that changes the action of a row.

    Shares and other fractional numbers are searched to 0.001. Values that give an error do not count; a parameter
    without an answer is left out. Each answer is an assembly of the pipeline. `row` is a row of the scenario's
    candidates. Raise ScenarioError, and AbandonedError once the result is no longer wanted.
    """
    pipeline, scenario = basis.pipeline, basis.scenario
    case = pipeline.case(scenario)
    policy = case.policy
    if policy is None or pipeline.candidates(case).state[row] != State.OPEN:
        return
    for alternative in (scenario, *_alternatives(scenario, policy)):
        check_wanted()
        make_all(pipeline, alternative, basis.cache, lambda work, done: check_wanted())
    question = _Question(pipeline, scenario, row)
    window = question.today.budget.context_window
    changes = chain(
        [question.along(CONTEXT_WINDOW, window_axis(window, question.today.candidates))],
        (question.answer(parameter, getattr(policy, parameter.name)) for parameter in parameters_of(policy)),
    )
    yield from (change for change in changes if change is not None)


def _alternatives(scenario: Scenario, policy: Any) -> Iterator[Scenario]:
    """Yield the scenario with every other value of each switch and choice, which may need other texts to be counted."""
    for parameter in parameters_of(policy):
        for value in other_words(parameter, getattr(policy, parameter.name)):
            yield set_value(scenario, parameter.name, value).scenario


class _Question:
    """The search for changes of the action of a row: today's assembly, and a pipeline for others."""

    def __init__(self, pipeline: Pipeline, scenario: Scenario, row: int) -> None:
        self._pipeline = pipeline
        self._scenario = scenario
        self._row = row
        self.today = pipeline.assemble(pipeline.case(scenario))
        size = len(self.today.candidates)
        self._radius = min(max(_WORK // (size + 1), _NEARBY[0]), _NEARBY[1])
        self._neighbours: Rows = np.flatnonzero(self.today.section == self.today.section[row])

    def answer(self, parameter: Parameter, today: Any) -> SmallestChange | None:
        """Return the smallest change of a parameter with the value `today`."""
        if isinstance(parameter.default, tuple):
            return None
        if isinstance(parameter.default, bool) or parameter.choices:
            values = other_words(parameter, today)
            return next((change for value in values if (change := self._change(parameter.name, value))), None)
        # A number of tokens may cut every text anew for each value that is tried.
        radius = min(self._radius, _NEARBY_TEXTS) if parameter.unit == "tokens" else self._radius
        return self.along(parameter.name, axis_of(parameter, today, self.today.candidates), radius)

    def along(self, name: str, axis: Axis, radius: int | None = None) -> SmallestChange | None:
        """Return the smallest change of a number: by its thresholds, else every value up to `radius` steps away is
        tried.
        """
        case = self._pipeline.case(self._scenario)
        packing = packing_for(case, self.today.candidates, name)
        if packing is not None:
            return self._nearest_flip(by_thresholds(packing, case, name, axis))
        steps = self._radius if radius is None else radius
        index = nearest_change(axis, lambda index: self._verdict(self._with(name, axis.value(index))), steps)
        return None if index is None else self._change(name, axis.value(index))

    def _nearest_flip(self, found: Survival) -> SmallestChange | None:
        """Return the smallest change shown by a survival; of two equally near values the higher."""
        before = self.today.action[self._row]
        near: list[tuple[float, float]] = []
        for stretch in found.stretches(self._row):
            if stretch.outcome not in (before, Outcome.NO_PROMPT):
                value = min(max(found.axis.today, stretch.low), stretch.high)
                near.append((abs(value - found.axis.today), -value))
        return self._change(found.name, -min(near)[1]) if near else None

    def _with(self, name: str, value: Any) -> Assembly:
        check_wanted()
        return self._pipeline.assemble(self._pipeline.case(set_value(self._scenario, name, value).scenario))

    def _verdict(self, assembly: Assembly) -> Verdict:
        if assembly.error is not None:
            return "refused"
        if assembly.action[self._row] != self.today.action[self._row]:
            return "changed"
        near = self._neighbours
        same = np.array_equal(assembly.spent[near], self.today.spent[near])
        same = same and np.array_equal(assembly.action[near], self.today.action[near])
        return "same" if same else "stirred"

    def _change(self, name: str, value: Any) -> SmallestChange | None:
        assembly = self._with(name, value)
        if self._verdict(assembly) != "changed":
            return None
        difference = compare(self.today, assembly)
        before, after = difference.fates_before, difference.fates_after
        others = difference.rows_after != self._row
        kept = difference.rows_after[others & (before != Action.KEPT) & (after == Action.KEPT)]
        dropped = difference.rows_after[others & (after == Action.DROPPED) & (before != Action.DROPPED)]
        return SmallestChange(
            name,
            value,
            Action(assembly.action[self._row]),
            tuple(np.sort(kept).tolist()),
            tuple(np.sort(dropped).tolist()),
        )
