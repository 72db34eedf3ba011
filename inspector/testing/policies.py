"""The check of policies: small workspaces and windows, counted in words, and the rules for every decision.

Rules of a single policy, or rules for built-in policies only, do not belong here.
"""

import dataclasses
from dataclasses import dataclass

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Action, Bool, Kind
from inspector.assembly.decisions import Assembly
from inspector.assembly.explain import explain
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import Policy, PolicyError, Traits, make_policy, parameters_of, traits_of
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.assembly.scenario import Scenario
from inspector.assembly.soundness import first_fault
from inspector.testing.thresholds import check_thresholds
from inspector.testing.workspaces import SITUATIONS, Situation

WINDOWS = (0, 1, 7, 23, 60, 61, 90, 140, 210, 300, 420, 600, 900, 2_000, 20_000, 10**12)
"""Sizes of the windows in tokens, from 0 to far more than needed."""

_NAME = "checked"
_COMPARED = ("action", "reason", "section", "spent", "rank", "left", "score", "guaranteed", "form", "costs", "charges")


def check_policy(policy: Policy) -> None:
    """Try a policy on small workspaces and windows. Raise AssertionError with a sentence about the fault.

    Every result has to be sound (`assembly.soundness`): each candidate decided once, nothing spent on dropped ones,
    limits kept or exceeded only by guaranteed items, everything in the prompt in exactly one of its messages and in
    order. The policy has to be pure: the same result for the same inputs, which it must not change. It has to keep its
    `traits`: a `monotone` policy never drops in a larger window any item kept in a smaller one, a policy with a
    `packing` decides as its thresholds say, and it reads no column without its trait. PolicyError is allowed.
    """
    _check_declaration(policy)
    _check_first_traits(policy)
    _check_divisions(policy)
    for situation in SITUATIONS:
        kept: Bool | None = None
        candidates = _candidates(policy, situation)
        for tokens in WINDOWS:
            trial = _Trial(policy, candidates, tokens, f"{situation.name}, window {tokens:,}")
            assembly = trial.assembly()
            there = np.zeros(len(candidates), np.bool_)
            if assembly is not None and assembly.error is None:
                there = assembly.in_prompt
            if traits_of(policy).monotone and kept is not None and (kept & ~there).any():
                lost = candidates.ids[int(np.flatnonzero(kept & ~there)[0])]
                trial.fail(f"it claims to be monotone, and drops {lost}, which a smaller window kept")
            kept = there
        check_thresholds(policy, candidates, WINDOWS, situation.name)


def _check_declaration(policy: Policy) -> None:
    """Check: a policy is a frozen dataclass whose parameters accept their own values."""
    name = type(policy).__name__
    if isinstance(policy, type) or not dataclasses.is_dataclass(policy):
        raise AssertionError(f"{name}: a policy is a value of a frozen dataclass, such as MyPolicy()")
    if not type(policy).__dataclass_params__.frozen:  # type: ignore[attr-defined]
        raise AssertionError(f"{name}: its dataclass is not frozen, so that its parameters could change on the way")
    for parameter in parameters_of(policy):
        if trouble := parameter.trouble(getattr(policy, parameter.name)):
            raise AssertionError(f"{name}: its own value is one that it refuses: {parameter.name} {trouble}")


_ASKED_FIRST = ("default_window", "prefers_directive", "greets", "parameters_for", "divisions")
"""The traits that are read before there are parameters."""


def _check_first_traits(policy: Policy) -> None:
    """Check: traits read before there are parameters are the same for all parameters."""
    name, traits, usual = type(policy).__name__, traits_of(policy), traits_of(type(policy)())
    if not isinstance(traits, Traits):
        raise AssertionError(f"{name}: traits has to be a value of Traits, or a property that gives one")
    for trait in _ASKED_FIRST:
        one, other = (_comparable(getattr(found, trait)) for found in (traits, usual))
        if one != other:
            raise AssertionError(f"{name}: the trait {trait} is asked before there are parameters, and depends on them")


def _check_divisions(policy: Policy) -> None:
    """Check: the policy accepts each of its divisions of a window, whatever window and prompt are."""
    divisions = traits_of(policy).divisions
    for window in WINDOWS[:-1]:
        for prompt in (0, window // 2, window):
            for parameters in divisions(window, prompt) if divisions else ():
                try:
                    make_policy(type(policy), parameters)
                except PolicyError as problem:
                    name, of = type(policy).__name__, f"{prompt:,} of {window:,} tokens"
                    raise AssertionError(f"{name}: it refuses its own division of {of}: {problem}") from problem


def _comparable(trait: object) -> object:
    """Return a trait for comparison; for a method its function, which all values of a policy share."""
    return getattr(trait, "__func__", trait)


_READS = {
    "counts_contents": "caller_tokens",
    "counts_replacements": "replacement_counts",
    "compares_messages": "message_likeness",
}
"""The columns that are complete only for a policy with the trait."""


def _candidates(policy: Policy, situation: Situation) -> Candidates:
    """Return the candidates of a situation, counted in words."""
    pipeline = Pipeline(situation.workspace, {_NAME: type(policy)}, {})
    scenario = Scenario(policy=_NAME, tokenizer="estimate:words", at=situation.at, draft=situation.draft)
    return pipeline.candidates(make_all(pipeline, scenario))


@dataclass(frozen=True)
class _Trial:
    """A policy in a situation and window."""

    policy: Policy
    candidates: Candidates
    tokens: int
    where: str

    def fail(self, what: str) -> None:
        raise AssertionError(f"{type(self.policy).__name__}: {what} ({self.where})")

    def assembly(self) -> Assembly | None:
        """Return the checked assembly of the policy; None if it refuses with a PolicyError."""
        try:
            return self._checked()
        except AssertionError:
            raise
        except Exception as problem:
            what = f"it raised {type(problem).__name__}: {problem}"
            raise AssertionError(f"{type(self.policy).__name__}: {what} ({self.where})") from problem

    def _checked(self) -> Assembly | None:
        before = _columns(self.candidates)
        first, second = self._decide(), self._decide()
        changed = next((name for name, kept in before.items() if _differ(kept, getattr(self.candidates, name))), None)
        if changed is not None:
            self.fail(f"it changed the column {changed} of the candidates that it was given")
        self._check_reads()
        if isinstance(first, str) or isinstance(second, str):
            if first != second:
                self.fail("the same candidates and window once gave an error, and once another one or none")
            return None
        self._check_same(first, second)
        self._check_words(first)
        return first

    def _decide(self) -> Assembly | str:
        try:
            assembly = self.policy(self.candidates, ContextWindow(self.tokens))
            fault = first_fault(self.candidates, assembly)
        except PolicyError as problem:
            return f"{problem.code}: {problem}"
        if fault:
            self.fail(fault)
        return assembly

    def _check_reads(self) -> None:
        """Check: a policy reads optional columns only if it has their trait."""
        for trait, column in _READS.items():
            if column in vars(self.candidates) and not getattr(traits_of(self.policy), trait):
                self.fail(f"it reads {column}, which is not made for a policy without the trait {trait}")

    def _check_same(self, first: Assembly, second: Assembly) -> None:
        for name in _COMPARED:
            if _differ(getattr(first, name), getattr(second, name)):
                self.fail(f"the same candidates and window gave another column {name} the second time")
        for name in ("reasons", "budget", "findings", "error"):
            if getattr(first, name) != getattr(second, name):
                self.fail(f"the same candidates and window gave other {name} the second time")

    def _check_words(self, assembly: Assembly) -> None:
        """Check: every text can be written and every reason explained; kept texts are whole, shortened ones are not.

        A profile is a list of facts and may be reworded. A message told by a summary has no text of its own.
        """
        for row in range(len(self.candidates)):
            explain(assembly, row)
        self._check_asked()
        list(prompt_messages(assembly))
        for row in np.flatnonzero(assembly.in_prompt).tolist():
            whole, shown = self.candidates.texts[row], assembly.text(row)
            is_kept = assembly.action[row] == Action.KEPT
            if is_kept and whole not in shown and self.candidates.kind[row] != Kind.PROFILE:
                self.fail(f"{self.candidates.ids[row]} is kept, but the text in its place is not the whole one")
            is_told = assembly.into is not None and assembly.into[row] > 0
            if not is_kept and not is_told and whole == shown:
                self.fail(f"{self.candidates.ids[row]} is shortened, but the text in its place is the whole one")

    def _check_asked(self) -> None:
        """Check: further results of a policy cover the given rows, in the declared form."""
        traits, memories = traits_of(self.policy), self.candidates.rows(Kind.MEMORY)
        for name, (_, values) in (traits.signals(self.candidates, memories) if traits.signals else {}).items():
            if len(values) != len(memories):
                self.fail(f"its signal {name} has {len(values)} values for {len(memories)} memories")
        if traits.thresholds is not None and len(traits.thresholds(self.candidates, memories)) != len(memories):
            self.fail("its thresholds are not one for each memory")
        shares = traits.shares_in_effect(self.candidates) if traits.shares_in_effect else {}
        unknown = [name for name in shares if name not in {parameter.name for parameter in parameters_of(self.policy)}]
        if unknown:
            self.fail(f"it gives a share in effect for {unknown[0]}, which is none of its parameters")


def _columns(candidates: Candidates) -> dict[str, np.ndarray]:
    """Return a copy of every column."""
    fields = ((field.name, getattr(candidates, field.name)) for field in dataclasses.fields(candidates))
    return {name: value.copy() for name, value in fields if isinstance(value, np.ndarray)}


def _differ(one: np.ndarray, other: np.ndarray) -> bool:
    return not np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
