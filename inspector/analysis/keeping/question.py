"""The question how some items could be kept: today's assembly, and other scenarios as ways."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from inspector.analysis.keeping.way import Way
from inspector.analysis.sliders import axis_along, moved_together, sliders
from inspector.assembly.answer import ledger_terms
from inspector.assembly.case import Case
from inspector.assembly.columns import Action, Fate, Rows
from inspector.assembly.compare import NO_ROW, compare
from inspector.assembly.cost import prompt_cost
from inspector.assembly.decisions import Assembly
from inspector.assembly.edits import set_value
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.assembly.thresholds import WINDOW
from inspector.assembly.token_ledger import is_rough_plan, planned_ledger
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
        self._total = self._planned(self.case, self.today)
        self.axes = {name: axis_along(self.case, self.today.candidates, name) for name in self._numbers()}

    @property
    def can_be_answered(self) -> bool:
        """Whether the items take part, under a policy."""
        return self.case.policy is not None and bool(self.today.candidates.open[self.rows].all())

    def is_kept(self, assembly: Assembly) -> bool:
        """Return whether an assembly keeps all of the rows whole."""
        return assembly.error is None and bool((assembly.action[self.rows] == Action.KEPT).all())

    def way(self, changes: Sequence[tuple[str, Any]], scenario: Scenario) -> Way | None:
        """Return the way made by a scenario, None if it does not keep the items."""
        case = self._prepared(scenario)
        assembly = self.pipeline.assemble(case)
        if not self.is_kept(assembly):
            return None
        found = compare(self.today, assembly)
        others = (found.rows_before != NO_ROW) & ~np.isin(found.rows_before, self.rows)
        inside = found.fates_before < Fate.DROPPED, found.fates_after < Fate.DROPPED
        gained, lost = (np.sort(found.rows_before[others & mask]).tolist()
                        for mask in (~inside[0] & inside[1], inside[0] & ~inside[1]))  # fmt: skip
        total = self._planned(case, assembly)
        cost = prompt_cost(case.model.row, total)
        estimated, added = is_rough_plan(self.today) or is_rough_plan(assembly), total - self._total
        over = max(-assembly.budget.free(total), 0)
        window = case.model.window.tokens
        return Way(tuple(changes), scenario, tuple(gained), tuple(lost), window, total, added, over, cost, estimated)

    def changed(self, changes: Mapping[str, Any]) -> Way | None:
        """Return the way made by other values, None if they do not keep the items."""
        scenario = self.scenario
        for name, value in changes.items():
            scenario = set_value(scenario, name, value).scenario
        return self.way(tuple(changes.items()), scenario)

    def holds(self, wanted: Mapping[str, float]) -> bool:
        """Return whether these numbers, and the shares moved by them, keep the items. Nothing missing is computed."""
        check_wanted()
        scenario = self.scenario
        for name, value in moved_together(self.case, wanted, self.locked).items():
            scenario = set_value(scenario, name, value).scenario
        return self.is_kept(self.pipeline.assemble(self.pipeline.case(scenario)))

    def _numbers(self) -> list[str]:
        names = (WINDOW, *(parameter.name for parameter in sliders(self.case)))
        return [name for name in names if name not in self.locked]

    def _prepared(self, scenario: Scenario) -> Case:
        check_wanted()
        return make_all(self.pipeline, scenario, self.cache, lambda work, done: check_wanted())

    def _planned(self, case: Case, assembly: Assembly) -> int:
        return planned_ledger(assembly, *ledger_terms(case)).total
