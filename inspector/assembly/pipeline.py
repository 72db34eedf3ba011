"""The pipeline: from workspace and scenario to an assembly, each stage made again only when its inputs changed.

Every stage is a pure function; the pipeline remembers the last value of each, by identity or equality of its inputs.
The window keeps one for the workspace it shows; the command line and the analyses make one for each workspace.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates, ItemTexts
from inspector.assembly.choices import (
    ChosenModel,
    ChosenParts,
    choose_model,
    choose_parts,
    choose_policy,
    clock,
)
from inspector.assembly.collect import build_candidates, collect_items, price, similarity_of, texts_to_count
from inspector.assembly.decisions import Assembly
from inspector.assembly.ledger import Ledger, LedgerError
from inspector.assembly.policy import Policy, PolicyError
from inspector.assembly.presets import Preset
from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario
from inspector.assembly.soundness import first_fault
from inspector.model import Workspace
from inspector.tokens.counting import TokenCounts
from inspector.tokens.tokenizer import Tokenizer

_Value = TypeVar("_Value")
_BUILT_IN = "inspector."
_log = logging.getLogger(__name__)


class Pipeline:
    """The stages from one workspace to assemblies, for the policies and presets given to it."""

    def __init__(
        self,
        workspace: Workspace,
        policies: Mapping[str, type],
        presets: Mapping[tuple[str, str], Preset],
    ) -> None:
        self.workspace = workspace
        self.policies = policies
        self.presets = presets
        self._stages: dict[str, tuple[Any, Any]] = {}
        self._counts: dict[str, TokenCounts] = {}
        self._counted = 0
        self._told: set[str] = set()

    def fork(self) -> "Pipeline":
        """Another pipeline with the values and counts of this one, for use on another thread."""
        other = Pipeline(self.workspace, self.policies, self.presets)
        other._stages, other._counts, other._counted = dict(self._stages), self._counts, self._counted
        other._told = self._told
        return other

    def parts(self, scenario: Scenario) -> ChosenParts:
        """The chosen conversation and what goes with it. Raises ScenarioError."""
        overrides = repr(scenario.overrides)
        key = (scenario.conversation, scenario.character, scenario.memory_sets, scenario.draft, overrides)
        key += (scenario.leaf, scenario.assistant)
        return self._stage("parts", key, lambda: choose_parts(self.workspace, scenario))

    def model(self, scenario: Scenario) -> ChosenModel:
        """The chosen model, window, tokenizer and chat format. Raises UnknownTokenizerError."""
        chosen = self.parts(scenario)
        kind = self.policies.get(scenario.policy or DEFAULT_POLICY)
        default_window: int | None = getattr(kind, "default_window", None)
        preset = self.presets.get((scenario.policy or DEFAULT_POLICY, scenario.preset or DEFAULT_PRESET), Preset())
        key = (scenario.model, scenario.tokenizer, scenario.context_window, chosen, preset, default_window)
        return self._stage("model", key, lambda: choose_model(scenario, chosen, preset, default_window))

    def policy(self, scenario: Scenario) -> Policy:
        """The chosen policy with its parameters. Raises PolicyError and ScenarioError."""
        chosen = self.parts(scenario)
        key = (scenario.policy, scenario.preset, dict(scenario.parameters), scenario.model, chosen)
        return self._stage("policy", key, lambda: choose_policy(scenario, chosen, self.policies, self.presets))

    def items(self, scenario: Scenario) -> ItemTexts:
        """Ids and texts of everything that could enter the prompt."""
        chosen = self.parts(scenario)
        directive, greets = self._prefers_directive(scenario, chosen), self._greets(scenario, chosen)
        return self._stage("items", (chosen, directive, greets), lambda: collect_items(chosen.parts, directive, greets))

    def _prefers_directive(self, scenario: Scenario, chosen: ChosenParts) -> bool:
        """Whether the character's directive goes before its system prompt: only where the policy and both are there."""
        character = chosen.parts.character
        if character is None or not (character.directive and character.system_prompt):
            return False
        kind = self.policies.get(scenario.policy or DEFAULT_POLICY)
        return bool(getattr(kind, "prefers_directive", False))

    def _greets(self, scenario: Scenario, chosen: ChosenParts) -> bool:
        """Whether the character's greeting takes part: only where there is one, and policy and preset greet."""
        name = scenario.policy or DEFAULT_POLICY
        character = chosen.parts.character
        if character is None or not character.greeting or name not in self.policies:
            return False
        preset = self.presets.get((name, scenario.preset or DEFAULT_PRESET), Preset())
        return bool(getattr(preset.kind(self.policies[name]), "greets", False))

    def counts(self, tokenizer: Tokenizer) -> TokenCounts:
        """What is counted so far with a tokenizer."""
        return self._counts.setdefault(tokenizer.name, TokenCounts(tokenizer))

    def add_counts(self, tokenizer: Tokenizer, texts: list[str], counts: np.ndarray) -> None:
        """Take in counts that were made elsewhere; the next candidates are priced with them."""
        self.counts(tokenizer).add(texts, counts)
        self._counted += 1

    def missing_texts(self, scenario: Scenario) -> list[str]:
        """The texts that have to be counted before every figure of this scenario is exact, each once."""
        policy = self.policy(scenario)
        needed = {name: bool(getattr(policy, f"needs_{name}", False)) for name in ("replacements", "contents")}
        wanted = texts_to_count(self.items(scenario), **needed)
        return self.counts(self.model(scenario).tokenizer.tokenizer).missing(wanted)

    def candidates(self, scenario: Scenario) -> Candidates:
        """The candidates of a scenario, in its scope and ranked for its query."""
        scoped = self._scoped(scenario)
        query = self._question(scenario, scoped) if scenario.query is None else scenario.query
        return self._stage("ranked", (scoped, query), lambda: self._ranked(scoped, query))

    def _question(self, scenario: Scenario, candidates: Candidates) -> str:
        """What memories are compared with where the scenario does not say: the newest user message that is read."""
        try:
            question = getattr(self.policy(scenario), "question", None)
        except PolicyError:  # `assemble` answers with it
            question = None
        return question(candidates) if question else candidates.newest_user_text

    def assemble(self, scenario: Scenario) -> Assembly:
        """The assembly of a scenario. A policy that refuses its parameters, or is broken, gives an error."""
        candidates, window = self.candidates(scenario), self.model(scenario).window
        try:
            policy = self.policy(scenario)
        except PolicyError as problem:
            return Ledger(candidates, window).fail(problem.code, str(problem))
        try:
            return _decided(policy, candidates, window)
        except PolicyError as problem:
            return Ledger(candidates, window).fail(problem.code, str(problem))
        except Exception as problem:  # noqa: BLE001 - said below, logged with its traceback
            # A policy may be anybody's code and raise anything; the window has to outlive it and to say whose it was.
            trouble = _trouble(scenario.policy or DEFAULT_POLICY, problem)
            self._log_once(trouble)
            return Ledger(candidates, window).fail("policy_broken", trouble)

    def _log_once(self, trouble: str) -> None:
        """Write the exception at hand into the log with its traceback; once, and not at every step of a slider."""
        if trouble not in self._told:
            self._told.add(trouble)
            _log.exception("%s", trouble)

    def _scoped(self, scenario: Scenario) -> Candidates:
        priced = self._priced(scenario)
        key = (priced, scenario.pinned, scenario.excluded, scenario.at, scenario.now)

        def make() -> Candidates:
            pinned, excluded = priced.rows_named(scenario.pinned), priced.rows_named(scenario.excluded)
            return priced.in_scope(pinned, excluded, scenario.at, clock(scenario))

        return self._stage("scoped", key, make)

    def _priced(self, scenario: Scenario) -> Candidates:
        items, chosen = self.items(scenario), self.model(scenario)
        counts = self.counts(chosen.tokenizer.tokenizer)
        columns = self._stage("columns", (items, counts), lambda: build_candidates(items, counts))
        key = (columns, self._counted, chosen.chat_format)
        return self._stage("priced", key, lambda: price(columns, chosen.chat_format))

    def _ranked(self, candidates: Candidates, query: str) -> Candidates:
        rows, groups = self._stage("similarity", candidates.items, lambda: similarity_of(candidates))
        similarity = candidates.similarity.copy()
        similarity[rows] = np.concatenate([group.to_query(query) for group in groups])
        return candidates.with_similarity(query, similarity)

    def _stage(self, name: str, key: object, make: Callable[[], _Value]) -> _Value:
        """The value of a stage, made again when its key differs; holders of arrays are compared by identity."""
        known = self._stages.get(name)
        if known is not None and known[0] == key:
            return known[1]
        value = make()
        self._stages[name] = (key, value)
        return value


def _decided(policy: Policy, candidates: Candidates, window: ContextWindow) -> Assembly:
    """What a policy decides. Raises LedgerError where one that is not built in breaks a rule of assemblies."""
    assembly = policy(candidates, window)
    if not type(policy).__module__.startswith(_BUILT_IN) and (fault := first_fault(candidates, assembly)):
        raise LedgerError(fault)
    return assembly


def _trouble(name: str, problem: Exception) -> str:
    """What is wrong with a policy, for a person."""
    what = str(problem) if isinstance(problem, LedgerError) else f"{type(problem).__name__}: {problem}"
    return f"The policy {name} is broken: {what}"
