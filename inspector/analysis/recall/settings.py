"""Probed settings: the mean recall of probes under each of many scenarios, by thresholds if policies declare them.

Scenarios that differ only in budgets share a packing: it is made once for a probe, and answers all of them at once. The
others are assembled individually.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from inspector.analysis.recall.ask import MeanRecall, by_conversation, found_in
from inspector.analysis.recall.probes import Evidence, evidence_of, scenario_of
from inspector.analysis.survival.ask import packing_for
from inspector.assembly.case import Case
from inspector.assembly.columns import F64, Action, Rows
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import parameter_values
from inspector.assembly.scenario import Scenario
from inspector.assembly.thresholds import WINDOW, Packing, budgets_of
from inspector.model import Probe
from inspector.steps import check_wanted
from inspector.tokens.cache import CountCache


def recall_of_each(
    pipeline: Pipeline, scenarios: Sequence[Scenario], probes: Sequence[Probe], cache: CountCache | None = None
) -> list[MeanRecall]:
    """Return the mean recall of the probes under each of the scenarios.

    Raise ScenarioError, UnknownTokenizerError, and AbandonedError once the result is no longer wanted.
    """
    asked, sums = 0, np.zeros((3, len(scenarios)))
    for together in by_conversation(probes) if scenarios else ():
        groups = _groups(pipeline, scenarios, together[0], cache)
        for probe in together:
            check_wanted()
            evidence = evidence_of(pipeline.plain_items(groups[0].case_for(pipeline, probe, cache)), probe)
            if len(evidence.rows):
                asked += 1
                for group in groups:
                    sums[:, group.places] += group.figures(pipeline, probe, evidence, cache)
    return [MeanRecall(asked, (kept, with_memories, reduced)) for kept, with_memories, reduced in sums.T.tolist()]


@dataclass(frozen=True, eq=False)
class _Group:
    """Scenarios, by their places, that differ only in `budgets`; no budgets if each is assembled."""

    places: Rows
    cases: Sequence[Case]
    budgets: frozenset[str]

    def case_for(self, pipeline: Pipeline, probe: Probe, cache: CountCache | None) -> Case:
        """Return the case of the first scenario, asked with a probe."""
        return make_all(pipeline, scenario_of(self.cases[0].scenario, probe), cache)

    def figures(self, pipeline: Pipeline, probe: Probe, evidence: Evidence, cache: CountCache | None) -> F64:
        """Return recall, recall with memories and recall summarized of a probe under each scenario: shape (3, n)."""
        case = self.case_for(pipeline, probe, cache)
        candidates = pipeline.candidates(case)
        packing = packing_for(case, candidates, WINDOW, *self.budgets) if len(self.cases) > 1 else None
        if packing is not None:
            return _figures_by_thresholds(packing, self.cases, evidence)
        found = []
        for number, one in enumerate(self.cases):
            asked = case if number == 0 else make_all(pipeline, scenario_of(one.scenario, probe), cache)
            found.append(found_in(pipeline.assemble(asked), evidence))
        return np.array([[one.recall, one.recall_with_memories, one.recall_summarized] for one in found]).T


def _groups(pipeline: Pipeline, scenarios: Sequence[Scenario], probe: Probe, cache: CountCache | None) -> list[_Group]:
    """Return the scenarios in groups that share a packing."""
    found: dict[Any, list[tuple[int, Case]]] = {}
    budgets: dict[Any, frozenset[str]] = {}
    for place, scenario in enumerate(scenarios):
        case = make_all(pipeline, scenario_of(scenario, probe), cache)
        key = _key(pipeline, case, budgets)
        found.setdefault(place if key is None else key, []).append((place, case))
    groups = []
    for key, members in found.items():
        places, cases = zip(*members, strict=True)
        named = frozenset() if isinstance(key, int) else key[1]
        groups.append(_Group(np.array(places), cases, named))
    return groups


def _key(pipeline: Pipeline, case: Case, known: dict[Any, frozenset[str]]) -> tuple[Any, ...] | None:
    """Return the common key of the scenarios of a group; None for a scenario without thresholds."""
    if case.policy is None or case.traits.packing is None:
        return None
    packing = known.get(type(case.policy))
    if packing is None:
        made = packing_for(case, pipeline.candidates(case), WINDOW)
        if made is None:
            return None
        packing = known[type(case.policy)] = made.budgets
    rest = tuple((name, value) for name, value in parameter_values(case.policy).items() if name not in packing)
    plain = replace(case.scenario, context_window=None, parameters={})
    return type(case.policy), packing, rest, repr(plain), case.model.name, case.model.tokenizer.tokenizer.name


def _figures_by_thresholds(packing: Packing, cases: Sequence[Case], evidence: Evidence) -> F64:
    windows = [case.model.window.tokens for case in cases]
    room = packing.rooms(budgets_of([case.policy for case in cases], windows, packing.budgets))
    inside = packing.inside(room, evidence.rows)
    kept = inside & (packing.forms[evidence.rows] == int(Action.KEPT))[:, None]
    citing = packing.inside(room, evidence.citing) & (packing.forms[evidence.citing] == int(Action.KEPT))[:, None]
    held = kept.copy()
    np.logical_or.at(held, evidence.cited, citing)
    return np.array([kept.mean(axis=0), held.mean(axis=0), (inside & ~kept).mean(axis=0)])
