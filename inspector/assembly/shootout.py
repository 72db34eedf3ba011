"""Shoot-outs: a conversation under many policies and presets, as a matrix of actions. Nothing is counted here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from inspector.assembly.answer import Answer
from inspector.assembly.columns import I32, ROLES, U8, Action, Bool, Kind, Rows, word
from inspector.assembly.edits import use_policy
from inspector.assembly.preset import Preset
from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario
from inspector.derived import cached_property
from inspector.figures import counted


@dataclass(frozen=True, slots=True)
class Contender:
    """A policy under a preset."""

    policy: str
    preset: str = DEFAULT_PRESET

    @property
    def name(self) -> str:
        """The policy, with its preset unless it is the usual one: `ratio`, `ratio/long-chat`."""
        return self.policy if self.preset == DEFAULT_PRESET else f"{self.policy}/{self.preset}"

    def scenario(self, scenario: Scenario) -> Scenario:
        """Return the scenario under this contender: unchanged if it is its own, else with the preset's parameters."""
        return use_policy(scenario, self.policy, self.preset).scenario


def contender_of(scenario: Scenario) -> Contender:
    """Return the policy and preset of a scenario itself."""
    return Contender(scenario.policy or DEFAULT_POLICY, scenario.preset or DEFAULT_PRESET)


def contender_named(name: str, scenario: Scenario) -> Contender:
    """Return the contender of a name such as `ratio/long-chat`; the scenario's own policy alone keeps its preset."""
    policy, _, preset = name.strip().partition("/")
    own = contender_of(scenario)
    return Contender(policy, preset or (own.preset if policy == own.policy else DEFAULT_PRESET))


def available_contenders(
    policies: Mapping[str, type], presets: Mapping[tuple[str, str], Preset]
) -> tuple[Contender, ...]:
    """Return every policy under each of its presets, the document's own first."""
    return tuple(
        Contender(policy, preset)
        for policy in policies
        for preset in dict.fromkeys([DEFAULT_PRESET, *(name for owner, name in presets if owner == policy)])
    )


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome for a contender. `over` is the tokens by which prompt and response reserve exceed the window.

    `made` is False if there is no prompt; `exact` is False if any of its figures is an estimate, or the prompt is not
    measured yet.
    """

    total: int
    over: int
    errors: int
    warnings: int
    made: bool
    exact: bool


@dataclass(frozen=True, eq=False)
class Shootout:
    """The answers of the contenders to a scenario, and all `actions`: uint8, candidates × contenders.

    A row is the same candidate in every answer: only policy and preset differ between them.
    """

    scenario: Scenario
    contenders: tuple[Contender, ...]
    answers: tuple[Answer, ...]
    actions: U8

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the rows."""
        return self.answers[0].assembly.candidates.ids

    @cached_property
    def fates(self) -> U8:
        """The `Fate` of each candidate with each contender, for display: candidates × contenders."""
        return np.array([answer.assembly.fate for answer in self.answers], np.uint8).T

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcome for each contender."""
        return tuple(map(_outcome, self.answers))

    @cached_property
    def made(self) -> Bool:
        """Mask of the contenders with a prompt; the others do not count as disagreeing."""
        return np.array([outcome.made for outcome in self.outcomes], np.bool_)

    @cached_property
    def dissent(self) -> I32:
        """For each row, the number of contenders that disagree with the majority, 0 if all agree."""
        actions = self.actions[:, self.made]
        most = np.zeros(len(actions), np.int32)
        for action in Action:
            np.maximum(most, (actions == action).sum(axis=1, dtype=np.int32), out=most)
        return actions.shape[1] - most

    @cached_property
    def disputed(self) -> int:
        """The number of rows on which the contenders disagree."""
        return int(np.count_nonzero(self.dissent))

    def rows(self, only_disputed: bool = False) -> Rows:
        """Return the rows of all items, or of those on which the contenders disagree."""
        return np.flatnonzero(self.dissent) if only_disputed else np.arange(len(self.actions))

    def role(self, row: int) -> str:
        """Return the role of a message, or the kind of another item."""
        candidates = self.answers[0].assembly.candidates
        role, kind = int(candidates.role[row]), Kind(int(candidates.kind[row]))
        return ROLES[role] if role < len(ROLES) else word(kind)

    def found(self, place: int) -> str:
        """Return why a contender made no prompt, or the number of errors and warnings; "" for none."""
        outcome, error = self.outcomes[place], self.answers[place].assembly.error
        if error is not None:
            return error.code.replace("_", " ")
        parts = ((outcome.errors, "error"), (outcome.warnings, "warning"))
        return ", ".join(counted(number, noun) for number, noun in parts if number)

    def messages(self, place: int) -> tuple[str, ...]:
        """Return the same as sentences, with every finding."""
        answer = self.answers[place]
        refused = () if answer.assembly.error is None else (answer.assembly.error.message,)
        return (*refused, *(f"{finding.severity}: {finding.message}" for finding in answer.findings))

    @property
    def sentence(self) -> str:
        """The number of disputed items, and whether any figure is an estimate."""
        about = f"They disagree about {self.disputed:,} of {counted(len(self.actions), 'item')}"
        estimated = any(outcome.made and not outcome.exact for outcome in self.outcomes)
        return f"{about} · ≈ marks estimates" if estimated else about


def shoot_out(scenario: Scenario, contenders: Sequence[Contender], answer_to: Callable[[Scenario], Answer]) -> Shootout:
    """Answer the scenario under each contender with `answer_to`, whose errors are passed on.

    Raise ValueError if there are no contenders, or the answers are not about the same items.
    """
    if not contenders:
        raise ValueError("side by side needs at least one policy")
    answers = tuple(answer_to(contender.scenario(scenario)) for contender in contenders)
    ids = answers[0].assembly.candidates.ids
    if any(answer.assembly.candidates.ids != ids for answer in answers):
        raise ValueError("these answers are about different items")
    actions = np.array([answer.assembly.action for answer in answers], np.uint8).T
    return Shootout(scenario, tuple(contenders), answers, actions)


def _outcome(answer: Answer) -> Outcome:
    budget, total = answer.assembly.budget, answer.ledger.total
    severities = [finding.severity for finding in answer.findings]
    return Outcome(
        total=total,
        over=max(0, total + budget.response_reserve - budget.context_window),
        errors=severities.count("error"),
        warnings=severities.count("warning"),
        made=answer.assembly.error is None,
        exact=not answer.ledger.estimated,
    )
