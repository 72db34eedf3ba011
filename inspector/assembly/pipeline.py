"""The pipeline: from workspace and scenario to an assembly, each stage made again only when its inputs changed.

Every stage is a pure function; the pipeline remembers the last value of each, by identity or equality of its inputs.
The window keeps one for the workspace it shows; the command line and the analyses make one for each workspace.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates, ItemTexts
from inspector.assembly.choices import (
    ChosenModel,
    ChosenParts,
    ScenarioError,
    choose_model,
    choose_parts,
    choose_policy,
    clock,
)
from inspector.assembly.collect import build_candidates, collect_items, price, texts_to_count
from inspector.assembly.decisions import Assembly
from inspector.assembly.ledger import Ledger, LedgerError
from inspector.assembly.lore import LoreTerms
from inspector.assembly.message_marks import message_marks, texts_to_read
from inspector.assembly.near_duplicates import DuplicateSearches
from inspector.assembly.policy import Policy, PolicyError
from inspector.assembly.presets import Preset
from inspector.assembly.relevance import comparison_of
from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario
from inspector.assembly.soundness import first_fault
from inspector.assembly.summarizing import (
    NOT_CONFIGURED,
    Summarizing,
    check_summaries,
    computed_summaries,
    originals_of,
    previewed_rows,
    rows_without_summary,
    summarizer_of,
)
from inspector.model import Workspace
from inspector.retrieval.message_classes import CLASSIFIERS, MessageReader
from inspector.retrieval.similarity import EMBEDDING_WAYS, WAYS, Measure
from inspector.retrieval.summaries.summarizer import Original, Summarizer
from inspector.retrieval.vectors.choice import EmbedderChoice, UnknownEmbedderError, choose_embedder
from inspector.retrieval.vectors.embedding import Embedder, EmbedderUnavailableError, TextVectors
from inspector.tokens.choice import NO_TOKENIZERS
from inspector.tokens.counting import TokenCounts
from inspector.tokens.models.table import ModelTable, load_models
from inspector.tokens.tokenizer import MakeTokenizer, Tokenizer

_Value = TypeVar("_Value")
_BUILT_IN = "inspector."
_READ_AT_ONCE = 1_000
_log = logging.getLogger(__name__)


class Pipeline:
    """The stages from one workspace to assemblies, for the policies, presets, models and tokenizers given to it."""

    def __init__(
        self,
        workspace: Workspace,
        policies: Mapping[str, type],
        presets: Mapping[tuple[str, str], Preset],
        models: ModelTable | None = None,
        tokenizers: Mapping[str, MakeTokenizer] = NO_TOKENIZERS,
    ) -> None:
        self.workspace = workspace
        self.models = models or load_models()
        self.tokenizers = tokenizers
        self.policies = policies
        self.presets = presets
        self._stages: dict[str, tuple[Any, Any]] = {}
        self._counts: dict[str, TokenCounts] = {}
        self._vectors: dict[str, TextVectors] = {}
        self.summarizing = Summarizing()
        self.reader = MessageReader()
        self.duplicates = DuplicateSearches()
        self._read: ItemTexts | None = None
        self._counted = 0
        self._embedded = 0
        self._told: set[str] = set()

    def fork(self) -> "Pipeline":
        """Another pipeline with the values and counts of this one, for use on another thread."""
        other = Pipeline(self.workspace, self.policies, self.presets, self.models, self.tokenizers)
        other._stages, other._counts, other._counted = dict(self._stages), self._counts, self._counted
        other._vectors, other._embedded, other._told = self._vectors, self._embedded, self._told
        other.summarizing, other.reader, other.duplicates = self.summarizing, self.reader, self.duplicates
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
        given = chosen, preset, self.models, default_window, self.tokenizers
        return self._stage("model", key, lambda: choose_model(scenario, *given))

    def policy(self, scenario: Scenario) -> Policy:
        """The chosen policy with its parameters. Raises PolicyError and ScenarioError."""
        chosen = self.parts(scenario)
        key = (scenario.policy, scenario.preset, dict(scenario.parameters), scenario.model, chosen)
        return self._stage("policy", key, lambda: choose_policy(scenario, chosen, self.policies, self.presets))

    def items(self, scenario: Scenario) -> ItemTexts:
        """Ids and texts of everything that could enter the prompt, with the computed summaries that are known."""
        plain, summarizer = self._plain_items(scenario), self.summarizer(scenario)
        if summarizer is None:
            return plain
        known, key = self.summarizing.known(summarizer), (plain, summarizer, self.summarizing.version)
        made = lambda: plain.with_summaries(computed_summaries(plain, summarizer, known))  # noqa: E731 - a stage
        return self._stage("summarized", key, made)

    def _plain_items(self, scenario: Scenario) -> ItemTexts:
        chosen = self.parts(scenario)
        directive, greets = self._prefers_directive(scenario, chosen), self._greets(scenario, chosen)
        return self._stage("items", (chosen, directive, greets), lambda: collect_items(chosen.parts, directive, greets))

    def summarizer(self, scenario: Scenario) -> Summarizer | None:
        """What computes the summaries that the file does not have; None for nothing. Raises ScenarioError."""
        check_summaries(scenario)
        if scenario.summaries is None:
            return None
        endpoint, tokenizer = self.summarizing.endpoint, self.model(scenario).tokenizer.tokenizer
        embedder = self.embedder(scenario).embedder if scenario.summaries == "extractive" else None
        key = (scenario.summaries, scenario.summary_tokens, tokenizer, embedder, endpoint)
        return self._stage("summarizer", key, lambda: summarizer_of(scenario, tokenizer, embedder, endpoint))

    def missing_summaries(self, scenario: Scenario) -> list[Original]:
        """The texts that have to be summarized before every summary is what the scenario asks for, each once.

        An extractive summary is made of every message without one; an endpoint is asked only for those that the policy
        summarizes now. Raises ScenarioError.
        """
        summarizer = self.summarizer(scenario)
        if summarizer is None or self.summarizing.trouble_of(summarizer):
            return []
        plain = self._plain_items(scenario)
        asks = summarizer.name == "endpoint"
        rows = previewed_rows(self.assemble(scenario)) if asks else rows_without_summary(plain)
        return self.summarizing.known(summarizer).missing(originals_of(plain, rows, summarizer))

    def summary_trouble(self, scenario: Scenario) -> str:
        """Why summaries that the scenario asks for cannot be had, "" where they can. Raises ScenarioError."""
        summarizer = self.summarizer(scenario)
        if summarizer is None:
            return NOT_CONFIGURED if scenario.summaries else ""
        return self.summarizing.trouble_of(summarizer)

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

    def unread_messages(self, scenario: Scenario) -> list[str]:
        """The texts that `reader` still has to read before the scenario's messages are classified, each once.

        A few are read when the candidates are made; with more left, nothing is classified yet. Raises ScenarioError.
        """
        if not _is_classified(scenario):
            return []
        items = self.items(scenario)
        return self.reader.unread(texts_to_read(items.things, items.first_message))

    def embedder(self, scenario: Scenario) -> EmbedderChoice:
        """The model that makes vectors, and why this one. Raises ScenarioError."""
        try:
            return self._stage("embedder", scenario.embedding, lambda: choose_embedder(scenario.embedding))
        except UnknownEmbedderError as problem:
            raise ScenarioError(f"embedding: {problem}") from None

    def vectors(self, embedder: Embedder) -> TextVectors:
        """What is embedded so far by a model."""
        return self._vectors.setdefault(embedder.name, TextVectors(embedder))

    def add_vectors(self, embedder: Embedder, texts: Sequence[str], vectors: np.ndarray) -> None:
        """Take in vectors that were made elsewhere; the next candidates are compared by them once none is missing."""
        self.vectors(embedder).add(texts, vectors)
        self._embedded += 1

    def give_up_vectors(self, scenario: Scenario, problem: EmbedderUnavailableError) -> None:
        """From here on words are compared, because the model that the scenario names turned out to be of no use."""
        choice = EmbedderChoice(
            None, f"{scenario.embedding} cannot be had here ({problem}): words are compared instead."
        )
        self._stages["embedder"] = (scenario.embedding, choice)
        self._embedded += 1

    def missing_vectors(self, scenario: Scenario) -> list[str]:
        """The texts that have to be embedded before similarities are what the scenario asks for, each once.

        Empty where no embedder can be had; words are compared then. Raises ScenarioError.
        """
        scoped = self._scoped(scenario)
        query = self._query(scenario, scoped)
        texts = self._compared(scenario, scoped) if _wants_vectors(scenario, query) else []
        embedder = self.embedder(scenario).embedder if texts else None
        if embedder is None:
            return []
        return self.vectors(embedder).missing(texts if embedder.quick else [*texts, query])

    def candidates(self, scenario: Scenario) -> Candidates:
        """The candidates of a scenario, in its scope and ranked for its query."""
        scoped = self._scoped(scenario)
        query = self._query(scenario, scoped)
        measure = self._measure(scenario, scoped, query)
        return self._stage("ranked", (scoped, query, measure), lambda: self._ranked(scoped, query, measure))

    def _query(self, scenario: Scenario, candidates: Candidates) -> str:
        """What memories are compared with: the scenario's, else the newest user message that the policy reads."""
        if scenario.query is not None:
            return scenario.query
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
        # A window that lore is no share of must not make its slider scan the lorebooks.
        window = None if scenario.lore.budget_percent is None else self.model(scenario).window.tokens
        terms = LoreTerms(scenario.lore, window)
        key = (priced, scenario.pinned, scenario.excluded, scenario.at, scenario.now, terms)

        def make() -> Candidates:
            pinned, excluded = priced.rows_named(scenario.pinned), priced.rows_named(scenario.excluded)
            return priced.in_scope(pinned, excluded, scenario.at, clock(scenario), terms)

        return self._stage("scoped", key, make)

    def _priced(self, scenario: Scenario) -> Candidates:
        items, chosen = self.items(scenario), self.model(scenario)
        counts = self.counts(chosen.tokenizer.tokenizer)
        columns = self._stage("columns", (items, counts), lambda: build_candidates(items, counts))
        key = (columns, self._counted, chosen.chat_format)
        priced = self._stage("priced", key, lambda: price(columns, chosen.chat_format))
        reader = self._complete_reader(scenario, items)
        if reader is None:
            return priced
        marks = self._stage("marks", items, lambda: message_marks(items.things, items.first_message, reader))
        return self._stage("marked", (priced, marks), lambda: replace(priced, marks=marks))

    def _complete_reader(self, scenario: Scenario, items: ItemTexts) -> MessageReader | None:
        """What reads messages, once so few are left that nobody has to wait; None where nothing is classified."""
        if not _is_classified(scenario):
            return None
        if items is not self._read and len(self.unread_messages(scenario)) > _READ_AT_ONCE:
            return None
        self._read = items
        return self.reader

    def _measure(self, scenario: Scenario, candidates: Candidates, query: str) -> Measure:
        """How texts are compared: by vectors only once all of them are known, so that one scale holds for all."""
        way = scenario.similarity
        if not _wants_vectors(scenario, query):
            return Measure(way)
        key = (candidates.items, way, self._compares_messages(scenario), scenario.embedding, self._embedded)
        vectors = self._stage("vectors", key, lambda: self._complete_vectors(scenario, candidates))
        return Measure(way, vectors if vectors and vectors.of_query(query) is not None else None)

    def _complete_vectors(self, scenario: Scenario, candidates: Candidates) -> TextVectors | None:
        """The vectors, if those of everything that is compared are known; no embedder is looked for without need."""
        texts = self._compared(scenario, candidates)
        embedder = self.embedder(scenario).embedder if texts else None
        vectors = self.vectors(embedder) if embedder else None
        return vectors if vectors and vectors.knows(texts) else None

    def _compared(self, scenario: Scenario, candidates: Candidates) -> list[str]:
        """The texts that are compared with the query; messages among them where the policy does that."""
        items = candidates.items
        comparison = self._stage("comparison", items, lambda: comparison_of(candidates))
        messages = items.texts[items.first_message :] if self._compares_messages(scenario) else ()
        return [*comparison.texts(scenario.similarity), *messages]

    def _compares_messages(self, scenario: Scenario) -> bool:
        if scenario.similarity == "recorded":
            return False
        try:
            return bool(getattr(self.policy(scenario), "needs_likeness", False))
        except PolicyError:  # `assemble` answers with it
            return False

    def _ranked(self, candidates: Candidates, query: str, measure: Measure) -> Candidates:
        comparison = self._stage("comparison", candidates.items, lambda: comparison_of(candidates))
        return comparison.ranked(candidates, query, measure)

    def _stage(self, name: str, key: object, make: Callable[[], _Value]) -> _Value:
        """The value of a stage, made again when its key differs; holders of arrays are compared by identity."""
        known = self._stages.get(name)
        if known is not None and known[0] == key:
            return known[1]
        value = make()
        self._stages[name] = (key, value)
        return value


def _wants_vectors(scenario: Scenario, query: str) -> bool:
    """Whether texts are to be compared with the query by vectors. Raises ScenarioError for an unknown way."""
    if scenario.similarity not in WAYS:
        raise ScenarioError(f"similarity: {scenario.similarity!r} is none of {', '.join(WAYS)}")
    return scenario.similarity in EMBEDDING_WAYS and bool(query.strip())


def _is_classified(scenario: Scenario) -> bool:
    """Whether rules mark messages of which the file says nothing. Raises ScenarioError for an unknown classifier."""
    if scenario.classify not in (None, *CLASSIFIERS):
        raise ScenarioError(f"classify: {scenario.classify!r} is none of {', '.join(CLASSIFIERS)}")
    return scenario.classify is not None


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
