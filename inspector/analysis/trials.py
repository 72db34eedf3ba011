"""Trials: assemblies of a case with other values of its parameters, or of its window, one after the other.

Most values change no text and no comparison, so the policy decides today's candidates again, which takes a fraction of
resolving another scenario. All others go through the pipeline.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from inspector.assembly.candidates import Candidates
from inspector.assembly.case import Case
from inspector.assembly.decisions import Assembly
from inspector.assembly.edits import set_value
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import Policy, PolicyError, Traits, changed_policy, traits_of
from inspector.assembly.scenario import Scenario
from inspector.assembly.thresholds import WINDOW
from inspector.steps import check_wanted


class Trials:
    """The assemblies of a case with other values. Nothing missing is computed for them.

    Raise AbandonedError once the result is no longer wanted.
    """

    def __init__(self, pipeline: Pipeline, case: Case, candidates: Candidates) -> None:
        self._pipeline, self._case, self._candidates = pipeline, case, candidates

    def assembly(self, values: Mapping[str, Any]) -> Assembly:
        """Return the assembly under these values of parameters and of the window, nothing else changed."""
        check_wanted()
        changed = self.case(values)
        if changed is not None:
            return self._pipeline.decide(changed, self._candidates)
        return self._pipeline.assemble(self._pipeline.case(with_values(self._case.scenario, values)))

    def case(self, values: Mapping[str, Any]) -> Case | None:
        """Return the case under these values, None if its candidates may be others."""
        case, others = self._case, {name: value for name, value in values.items() if name != WINDOW}
        if case.policy is None:
            return None
        policy, refusal, traits = case.policy, None, case.traits
        if others:
            policy, refusal = _changed(case.policy, others)
            traits = case.traits if policy is None else traits_of(policy)
        model = case.model
        if WINDOW in values:
            if case.scenario.lore.budget_percent is not None:
                return None
            model = replace(model, window=replace(model.window, tokens=int(values[WINDOW]), given=True))
        if not reads_alike(case.traits, traits):
            return None
        return replace(case, policy=policy, refusal=refusal, traits=traits, model=model)


def _changed(policy: Policy, values: Mapping[str, Any]) -> tuple[Policy | None, PolicyError | None]:
    """Return a policy with other values of these parameters, or why it refuses them."""
    try:
        return changed_policy(policy, values), None
    except PolicyError as problem:
        return None, problem


def reads_alike(before: Traits, after: Traits) -> bool:
    """Return whether two policies decide the same candidates: they read the same columns, and rank for the same
    query.
    """
    columns = ("counts_contents", "counts_replacements", "compares_messages")
    return before.question is after.question is None and all(
        getattr(before, name) == getattr(after, name) for name in columns
    )


def with_values(scenario: Scenario, values: Mapping[str, Any]) -> Scenario:
    """Return a scenario with these values of parameters and of the window."""
    for name, value in values.items():
        scenario = set_value(scenario, name, value).scenario
    return scenario
