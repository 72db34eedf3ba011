"""Cases: scenarios with every open choice made, once for all later steps."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from inspector.assembly.choices import (
    ChosenParts,
    ScenarioError,
    check_policy,
    check_preset,
    choose_parts,
    choose_policy,
    clock,
)
from inspector.assembly.known import Known
from inspector.assembly.model_choice import ChosenModel, check_model, choose_model
from inspector.assembly.policy import Policy, PolicyError, Traits, traits_of
from inspector.assembly.preset import Preset
from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario
from inspector.assembly.scenario_values import setting_troubles
from inspector.assembly.servers import NO_SERVER, SERVERS
from inspector.assembly.summarizing import check_summaries
from inspector.limits import MOST
from inspector.model import Workspace
from inspector.nearest import not_one_of
from inspector.retrieval.message_classes import CLASSIFIERS
from inspector.retrieval.similarity import WAYS, compares_vectors
from inspector.retrieval.summaries.summarizer import Summarizer
from inspector.retrieval.vectors.choice import EmbedderChoice, UnknownEmbedderError
from inspector.tokens.chat.messages import THOUGHTS
from inspector.tokens.choice import AUTO, check_tokenizer
from inspector.tokens.models.table import ModelTable
from inspector.tokens.tokenizer import MakeTokenizer


@dataclass(frozen=True, eq=False)
class Case:
    """A scenario over one workspace, resolved: the same for a whole tick.

    `policy` is None if its parameters are refused; `refusal` says why. `traits` are those of the policy, or of its
    defaults if it is refused. `summarizer` makes the summaries missing from the file, None for none; `embedder` is the
    model of the vectors with the reason for its choice, None if nothing is compared by vectors. `now` is the clock in
    seconds since 1970, None for the time of the newest message.
    """

    scenario: Scenario
    chosen: ChosenParts
    preset: Preset
    model: ChosenModel
    policy: Policy | None
    refusal: PolicyError | None
    traits: Traits
    summarizer: Summarizer | None
    embedder: EmbedderChoice | None
    now: float | None

    @property
    def policy_name(self) -> str:
        """The name of the policy."""
        return self.scenario.policy or DEFAULT_POLICY

    @property
    def preset_name(self) -> str:
        """The name of the preset from which the parameters start."""
        return self.scenario.preset or DEFAULT_PRESET

    @property
    def prefers_directive(self) -> bool:
        """Whether the character speaks by its directive although it has a system prompt."""
        character = self.chosen.parts.character
        return bool(character and character.directive and character.system_prompt and self.traits.prefers_directive)

    @property
    def greets(self) -> bool:
        """Whether the character's greeting takes part."""
        character = self.chosen.parts.character
        return bool(character and character.greeting and self.traits.greets)


@dataclass(frozen=True, eq=False)
class Choices:
    """The options for a scenario: a workspace, the policies and presets by name, the model table, and tokenizers."""

    workspace: Workspace
    policies: Mapping[str, type]
    presets: Mapping[tuple[str, str], Preset]
    models: ModelTable
    tokenizers: Mapping[str, MakeTokenizer]

    def preset(self, scenario: Scenario) -> Preset:
        """Return the preset of a scenario; an empty preset for an unknown name, which `choose_policy` reports."""
        return self.presets.get((scenario.policy or DEFAULT_POLICY, scenario.looked_up), Preset())

    def kind(self, scenario: Scenario) -> type:
        """Return the deciding class of a scenario's policy and preset. Raise ScenarioError for an unknown name."""
        name = scenario.policy or DEFAULT_POLICY
        check_policy(name, self.policies)
        check_preset(name, scenario.looked_up, self.presets)
        return self.preset(scenario).kind(self.policies[name])

    def check(self, scenario: Scenario, *, guesses_model: bool = False) -> None:
        """Raise ScenarioError and UnknownTokenizerError for errors in a scenario that no workspace can mend.

        An unknown or impossible policy, preset, parameter, model (unless `guesses_model`), window or tokenizer.
        """
        self.kind(scenario)
        nothing = choose_parts(Workspace(), Scenario())
        _, refusal = self._policy(scenario, nothing, self.traits(scenario))
        if refusal is not None:
            raise ScenarioError(str(refusal), "parameters")
        window = scenario.context_window
        if window is not None and not 1 <= window <= MOST:
            raise ScenarioError(f"a window has from 1 to {MOST:,} tokens, not {window:,}", "context_window")
        if scenario.tokenizer != AUTO:
            check_tokenizer(scenario.tokenizer, self.tokenizers)
        if not guesses_model:
            check_model(scenario, self.models, self.tokenizers)

    def traits(self, scenario: Scenario) -> Traits:
        """Return the traits of a scenario's policy before it has parameters."""
        kind = self.policies.get(scenario.policy or DEFAULT_POLICY)
        return Traits() if kind is None else traits_of(self.preset(scenario).kind(kind)())

    def resolve(self, scenario: Scenario, known: Known, before: Case | None = None) -> Case:
        """Return the case of a scenario, sharing objects with an earlier case wherever the same reasons chose them.

        Raise ScenarioError and UnknownTokenizerError; refused parameters are part of the case.
        """
        _check_words(scenario)
        _check_settings(scenario)
        _check_row(scenario)
        chosen = self._parts(scenario, before)
        traits = self.traits(scenario)
        model = self._model(scenario, chosen, traits, before)
        policy, refusal = self._policy(scenario, chosen, traits)
        embedder = _embedder(scenario, known)
        return Case(
            scenario=scenario,
            chosen=chosen,
            preset=self.preset(scenario),
            model=model,
            policy=policy,
            refusal=refusal,
            traits=_behind_server(scenario, traits if policy is None else traits_of(policy)),
            summarizer=known.summarizing.summarizer(
                scenario, model.tokenizer.tokenizer, embedder.embedder if embedder else None
            ),
            embedder=embedder,
            now=clock(scenario),
        )

    def _parts(self, scenario: Scenario, before: Case | None) -> ChosenParts:
        if before is not None and _same(scenario, before.scenario, _OF_PARTS):
            return before.chosen
        return choose_parts(self.workspace, scenario)

    def _model(self, scenario: Scenario, chosen: ChosenParts, traits: Traits, before: Case | None) -> ChosenModel:
        preset = self.preset(scenario)
        if (
            before is not None
            and before.chosen is chosen
            and before.preset == preset  # a preset keeps its name when it is saved again
            and _same(scenario, before.scenario, _OF_MODEL)
        ):
            return before.model
        return choose_model(scenario, chosen, preset, self.models, traits, self.tokenizers)

    def _policy(
        self, scenario: Scenario, chosen: ChosenParts, traits: Traits
    ) -> tuple[Policy | None, PolicyError | None]:
        try:
            return choose_policy(scenario, chosen, self.policies, self.presets, traits.parameters_for), None
        except PolicyError as problem:
            # Its traceback would keep every earlier case alive, in a reference cycle.
            return None, problem.with_traceback(None)


_OF_PARTS = ("conversation", "character", "memory_sets", "score_scales", "draft", "overrides", "leaf", "assistant")
"""The fields of a scenario that choose its parts."""
_OF_MODEL = (
    *("model", "tokenizer", "context_window", "policy", "preset", "base", "model_row"),
    *("thoughts", "thinking"),
)
"""The fields that choose the model, together with the parts."""


def _same(scenario: Scenario, other: Scenario, names: tuple[str, ...]) -> bool:
    """Return whether two scenarios agree in these fields; overrides of many items are mostly the same object."""
    values = ((getattr(scenario, name), getattr(other, name)) for name in names)
    return all(one is another or one == another for one, another in values)


def _behind_server(scenario: Scenario, traits: Traits) -> Traits:
    """Return the traits without those of the budgets, which do not hold once a server has had its say."""
    return traits if scenario.server == NO_SERVER else replace(traits, packing=None, monotone=False)


def _check_words(scenario: Scenario) -> None:
    """Raise ScenarioError for an unknown way of comparing, classifier, choice of thoughts or method of summarizing."""
    if scenario.similarity not in WAYS:
        raise ScenarioError(f"similarity: {not_one_of(scenario.similarity, WAYS)}", "similarity")
    if scenario.classify is not None and scenario.classify not in CLASSIFIERS:
        raise ScenarioError(f"classify: {not_one_of(scenario.classify, CLASSIFIERS)}", "classify")
    if scenario.thoughts not in THOUGHTS:
        raise ScenarioError(f"thoughts: {not_one_of(scenario.thoughts, THOUGHTS)}", "thoughts")
    if scenario.server not in SERVERS:
        raise ScenarioError(f"server: {not_one_of(scenario.server, SERVERS)}", "server")
    size = scenario.server_context
    if size is not None and not 1 <= size <= MOST:
        raise ScenarioError(f"a context has from 1 to {MOST:,} tokens, not {size:,}", "server_context")
    check_summaries(scenario)


def _check_settings(scenario: Scenario) -> None:
    """Raise ScenarioError for a number or weight with which no prompt can be made."""
    for name, trouble in setting_troubles(scenario):
        raise ScenarioError(f"{name}: {trouble}", name)


def _check_row(scenario: Scenario) -> None:
    """Raise ScenarioError for an invalid row of the model table."""
    if scenario.model_row is None:
        return
    from inspector.tokens.models.files import row_troubles  # it imports YAML, which few scenarios need

    for trouble in row_troubles(scenario.model_row):
        raise ScenarioError(f"model_row: {trouble}", "model_row")


def _embedder(scenario: Scenario, known: Known) -> EmbedderChoice | None:
    """Return the model of the vectors, None if no vectors are needed. Raise ScenarioError for an unknown name."""
    if not compares_vectors(scenario.similarity, scenario.relevance) and scenario.summaries != "extractive":
        return None
    try:
        return known.embedder(scenario.embedding)
    except UnknownEmbedderError as problem:
        raise ScenarioError(f"embedding: {problem}", "embedding") from None
