"""The solver: the smallest change of each parameter, and of the window, that changes the outcome of an item."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from inspector.analysis.basis import Basis
from inspector.analysis.nearest_rooms import moves_rooms, nearest_room
from inspector.analysis.sliders import Axis, Verdict, axis_of, nearest_change, other_words, window_axis
from inspector.analysis.survival.ask import packing_for, sets_rooms
from inspector.analysis.trials import Trials
from inspector.assembly.columns import Action, Bool, State
from inspector.assembly.compare import compare
from inspector.assembly.decisions import Assembly
from inspector.assembly.edits import set_value
from inspector.assembly.lacking import make_all
from inspector.assembly.packing import run_of
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import Parameter, parameters_of
from inspector.assembly.scenario import Scenario
from inspector.assembly.thresholds import Packing, Room
from inspector.derived import cached_property
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
    """The search for changes of the action of a row: today's assembly, and trials of others."""

    def __init__(self, pipeline: Pipeline, scenario: Scenario, row: int) -> None:
        self._case = pipeline.case(scenario)
        self._row = row
        self.today = pipeline.assemble(self._case)
        self._trials = Trials(pipeline, self._case, self.today.candidates)
        size = len(self.today.candidates)
        self._radius = min(max(_WORK // (size + 1), _NEARBY[0]), _NEARBY[1])
        self._neighbours = run_of(np.flatnonzero(self.today.section == self.today.section[row]))

    def answer(self, parameter: Parameter, today: Any) -> SmallestChange | None:
        """Return the smallest change of a parameter with the value `today`."""
        if isinstance(parameter.default, tuple) or parameter.is_text:
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
        index = self._by_rooms(name, axis) if self._sets_rooms(name) else self._by_trials(name, axis, radius)
        return None if index is None else self._change(name, axis.value(index))

    @cached_property
    def _packing(self) -> Packing | None:
        return packing_for(self._case, self.today.candidates)

    def _sets_rooms(self, name: str) -> bool:
        return self._packing is not None and sets_rooms(self._packing, self._case, name)

    def _by_rooms(self, name: str, axis: Axis) -> int | None:
        """Return the number of the nearest value at whose room the item is in where it is out today, or the reverse."""
        packing, row = self._packing, np.array([self._row])
        if packing is None:
            return None
        form, before = packing.forms[self._row], self.today.action[self._row]
        flips = {inside for inside in (True, False) if (form if inside else Action.DROPPED) != before}

        def flipped(room: Room) -> Bool:
            inside = packing.inside(room, row)[0]
            return ~room.refused & ((inside & (True in flips)) | (~inside & (False in flips)))

        if not flips or not moves_rooms(packing, self._case, name, axis, row):
            return None
        return nearest_room(packing, self._case, name, axis, flipped)

    def _by_trials(self, name: str, axis: Axis, radius: int | None) -> int | None:
        steps = self._radius if radius is None else radius
        return nearest_change(axis, lambda index: self._verdict(self._with(name, axis.value(index))), steps)

    def _with(self, name: str, value: Any) -> Assembly:
        return self._trials.assembly({name: value})

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
