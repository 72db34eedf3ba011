"""The question how some items could be kept: today's assembly, trials of other values, and other scenarios as ways."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from inspector.analysis.keeping.way import Kind, Way
from inspector.analysis.keeping.words import changes_label
from inspector.analysis.sliders import Verdict, axis_along, moved_together, sliders
from inspector.analysis.survival.ask import packing_for, sets_rooms
from inspector.analysis.trials import Trials, with_values
from inspector.assembly.answer import ledger_terms
from inspector.assembly.case import Case
from inspector.assembly.columns import Action, Fate, Rows
from inspector.assembly.compare import NO_ROW, Comparison, compare
from inspector.assembly.cost import prompt_cost
from inspector.assembly.decisions import Assembly, Run
from inspector.assembly.lacking import make_all
from inspector.assembly.packing import Places, run_of
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import parameter_values, parameters_by_name
from inspector.assembly.scenario import Scenario
from inspector.assembly.thresholds import WINDOW, Packing
from inspector.assembly.token_ledger import is_rough_plan, planned_ledger
from inspector.derived import cached_property
from inspector.steps import check_wanted
from inspector.tokens.cache import CountCache


class Question:
    """The search for ways to keep these rows: today's assembly, and a pipeline for others.

    The `locked` shares are not moved. Raise ScenarioError, UnknownTokenizerError, and AbandonedError once the answer is
    no longer wanted, here and in every method.
    """

    def __init__(
        self, pipeline: Pipeline, scenario: Scenario, rows: Rows, cache: CountCache | None, locked: Collection[str]
    ) -> None:
        self.pipeline, self.scenario, self.rows, self.cache, self.locked = pipeline, scenario, rows, cache, locked
        self.case = self._prepared(scenario)
        self.today = pipeline.assemble(self.case)
        self.trials = Trials(pipeline, self.case, self.today.candidates)
        self._packings: dict[tuple[tuple[str, Any], ...], tuple[Case, Packing] | None] = {}
        self._total = self._planned(self.case, self.today)
        self._cost = prompt_cost(self.case.model.row, self._total)
        self.axes = {name: axis_along(self.case, self.today.candidates, name) for name in self._numbers()}

    @property
    def can_be_answered(self) -> bool:
        """Whether the items take part, under a policy."""
        return self.case.policy is not None and bool(self.today.candidates.open[self.rows].all())

    @cached_property
    def packing(self) -> Packing | None:
        """The thresholds of the case, None without any."""
        found = self.packing_under({})
        return None if found is None else found[1]

    def sets_rooms(self, *names: str) -> bool:
        """Return whether all of these names, of parameters and the window, set nothing but rooms of the packing."""
        return self.packing is not None and sets_rooms(self.packing, self.case, *names)

    def packing_under(self, values: Mapping[str, Any]) -> tuple[Case, Packing] | None:
        """Return the case and the thresholds under other values of parameters, None without any."""
        key = tuple(values.items())
        if key not in self._packings:
            case = self.trials.case(values)
            packing = None if case is None else packing_for(case, self.today.candidates)
            self._packings[key] = None if case is None or packing is None else (case, packing)
        return self._packings[key]

    def is_kept(self, assembly: Assembly) -> bool:
        """Return whether an assembly keeps all of the rows whole."""
        return assembly.error is None and bool((assembly.action[self.rows] == Action.KEPT).all())

    def verdict(self, wanted: Mapping[str, float]) -> Verdict:
        """Return the effect of these numbers, and of the shares moved by them, on the items and on others near them."""
        assembly = self.trials.assembly(moved_together(self.case, wanted, self.locked))
        if assembly.error is not None:
            return "refused"
        if self.is_kept(assembly):
            return "changed"
        return "same" if self._near(assembly) == self._near_today else "stirred"

    def _near(self, assembly: Assembly) -> tuple[bytes, bytes]:
        near = self._neighbours
        return assembly.action[near].tobytes(), assembly.spent[near].tobytes()

    @cached_property
    def _near_today(self) -> tuple[bytes, bytes]:
        return self._near(self.today)

    @cached_property
    def _neighbours(self) -> Places:
        """The items of the sections of the rows."""
        sections = np.unique(self.today.section[self.rows])
        return run_of(np.flatnonzero(np.isin(self.today.section, sections)))

    def holds(self, wanted: Mapping[str, float]) -> bool:
        """Return whether these numbers, and the shares moved by them, keep the items. Nothing missing is computed."""
        return self.verdict(wanted) == "changed"

    def changed(self, kind: Kind, values: Mapping[str, Any]) -> Way | None:
        """Return the way made by other values, None if they do not keep the items."""
        label = changes_label(self._different(values), parameters_by_name(self.case.policy))
        return self.way(kind, label, tuple(values.items()), with_values(self.scenario, values))

    def _different(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return those of these values that are not today's."""
        today = {WINDOW: self.case.model.window.tokens, **parameter_values(self.case.policy)}
        return {name: value for name, value in values.items() if value != today[name]}

    def way(self, kind: Kind, label: str, changes: Sequence[tuple[str, Any]], scenario: Scenario) -> Way | None:
        """Return the way made by a scenario, None if it does not keep the items."""
        case = self._prepared(scenario)
        assembly = self.pipeline.assemble(case)
        if not self.is_kept(assembly):
            return None
        effects = _effects(compare(self.today, assembly), self.rows)
        total = self._planned(case, assembly)
        cost = prompt_cost(case.model.row, total)
        return Way(
            kind=kind,
            label=label,
            changes=tuple(changes),
            scenario=scenario,
            **effects,
            window=case.model.window.tokens,
            total=total,
            added=total - self._total,
            exceeds=max(-assembly.budget.free(total), 0),
            cost=cost,
            cost_added=None if cost is None or self._cost is None else cost - self._cost,
            estimated=is_rough_plan(self.today) or is_rough_plan(assembly),
            added_estimated=_is_rough_difference(self.today, assembly),
        )

    def _numbers(self) -> list[str]:
        names = (WINDOW, *(parameter.name for parameter in sliders(self.case)))
        return [name for name in names if name not in self.locked]

    def _prepared(self, scenario: Scenario) -> Case:
        return make_all(self.pipeline, scenario, self.cache, lambda work, done: check_wanted())

    def _planned(self, case: Case, assembly: Assembly) -> int:
        return planned_ledger(assembly, *ledger_terms(case)).total


def _effects(found: Comparison, rows: Rows) -> dict[str, Any]:
    """Return the effects of a way on all items but these rows: who leaves, is shortened, comes in, and tokens lost."""
    others = (found.rows_before != NO_ROW) & ~np.isin(found.rows_before, rows)
    before, after = found.fates_before, found.fates_after
    masks = {
        "leaves": (before < Fate.DROPPED) & (after >= Fate.DROPPED),
        "shortened": (before == Fate.KEPT) & (after > Fate.KEPT) & (after < Fate.DROPPED),
        "comes_in": (before != Fate.KEPT) & (after == Fate.KEPT),
    }
    less = found.spent_before.astype(np.int64) - found.spent_after
    named = {name: tuple(np.sort(found.rows_before[others & mask]).tolist()) for name, mask in masks.items()}
    return {**named, "lost": int(less[others & (less > 0)].sum())}


def _is_rough_difference(before: Assembly, after: Assembly) -> bool:
    """Return whether the difference of two planned totals is an estimate: an estimated item, or a message shared by
    several items, is not the same in both.
    """
    if before.candidates.items is not after.candidates.items:
        return is_rough_plan(before) or is_rough_plan(after)
    estimated = before.candidates.estimated
    if estimated.any() and bool((estimated & (before.spent != after.spent)).any()):
        return True
    return _shared(before) != _shared(after)


def _shared(assembly: Assembly) -> list[list[int]]:
    """Return the rows of each message of the prompt that is no candidate itself."""
    return [block.rows.tolist() for block in assembly.blocks if not isinstance(block, Run)]
