"""The pipeline: from a scenario to an assembly, each stage made again only when its inputs changed.

A scenario is resolved into a Case once; every later stage is a pure function of the case and of the knowledge about its
texts. The pipeline remembers the last value of each stage. The window keeps a pipeline for the workspace it shows; the
command line and the analyses make a pipeline for each workspace.

A pipeline is used on one thread at a time. Its knowledge is shared with its forks and can grow on any thread: the key
of a stage holds the version of the knowledge, read before the stage is made.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import compress
from typing import Any, TypeVar

from inspector.assembly.candidates import Candidates
from inspector.assembly.case import Case, Choices
from inspector.assembly.collect import build_candidates, collect_items, price
from inspector.assembly.decisions import Assembly
from inspector.assembly.items import ItemTexts
from inspector.assembly.known import Known
from inspector.assembly.ledger import Ledger, LedgerError
from inspector.assembly.message_marks import message_marks, texts_to_read
from inspector.assembly.policy import PolicyError
from inspector.assembly.preset import Preset
from inspector.assembly.relevance import Relevance, relevance_of
from inspector.assembly.scenario import Scenario
from inspector.assembly.scope import LoreTerms, Scope
from inspector.assembly.servers import NO_SERVER, context_of
from inspector.assembly.soundness import first_fault
from inspector.assembly.summarizing import computed_summaries
from inspector.contained import contained
from inspector.model import Workspace
from inspector.retrieval.message_classes import MessageReader
from inspector.retrieval.similarity import Measure, Similarity, compares_vectors
from inspector.retrieval.vectors.embedding import EmbedderUnavailableError, TextVectors
from inspector.tokens.chat.frames import frames_of
from inspector.tokens.choice import NO_TOKENIZERS
from inspector.tokens.models.loading import load_models
from inspector.tokens.models.table import ModelTable
from inspector.tokens.tokenizer import MakeTokenizer

_Value = TypeVar("_Value")
_BUILT_IN = "inspector."
_READ_AT_ONCE = 1_000
_OUTDATED = -1
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
        self.choices = Choices(workspace, policies, presets, models or load_models(), tokenizers)
        self.known = Known()
        self._case: tuple[Case, int] | None = None
        self._stages: dict[str, tuple[Any, Any]] = {}
        self._read: ItemTexts | None = None
        self._told: set[str] = set()

    @property
    def workspace(self) -> Workspace:
        """The loaded workspace."""
        return self.choices.workspace

    def take_presets(self, presets: Mapping[tuple[str, str], Preset]) -> None:
        """Choose from these presets from now on."""
        self.choices = replace(self.choices, presets=presets)
        if self._case is not None:
            self._case = (self._case[0], _OUTDATED)

    def take_models(self, models: ModelTable) -> None:
        """Look models up in this table from now on."""
        self.choices = replace(self.choices, models=models)
        self._case = None  # a case made by another table shares its model

    def fork(self) -> "Pipeline":
        """Return another pipeline with the same values, for use on another thread; its knowledge is shared."""
        given = self.choices
        other = Pipeline(given.workspace, given.policies, given.presets, given.models, given.tokenizers)
        other.known, other._case, other._stages, other._told = self.known, self._case, dict(self._stages), self._told
        return other

    def over(self, workspace: Workspace) -> "Pipeline":
        """Return a pipeline over another workspace, with the same choices; the knowledge of texts is shared."""
        given = self.choices
        other = Pipeline(workspace, given.policies, given.presets, given.models, given.tokenizers)
        other.known, other._told = self.known, self._told
        return other

    def case(self, scenario: Scenario) -> Case:
        """Return the resolved scenario. Raise ScenarioError and UnknownTokenizerError."""
        (before, resolved_at), version = self._case or (None, _OUTDATED), self.known.version
        if before is not None and resolved_at == version and before.scenario == scenario:
            return before
        case = self.choices.resolve(scenario, self.known, before)
        self._case = (case, version)
        return case

    def plain_items(self, case: Case) -> ItemTexts:
        """Return ids and texts of everything that could enter the prompt, without computed summaries."""
        parts, directive, greets = case.chosen.parts, case.prefers_directive, case.greets
        return self.stage("items", (parts, directive, greets), lambda: collect_items(parts, directive, greets))

    def items(self, case: Case) -> ItemTexts:
        """Return the same with the computed summaries known so far."""
        plain, summarizer, summarizing = self.plain_items(case), case.summarizer, self.known.summarizing
        if summarizer is None:
            return plain
        known, key = summarizing.known(summarizer), (plain, summarizer, summarizing.version)
        made = lambda: plain.with_summaries(computed_summaries(plain, summarizer, known))  # noqa: E731 - a stage
        return self.stage("summarized", key, made)

    def scoped(self, case: Case) -> Candidates:
        """Return the candidates of a case, in its scope, before any comparison with a query."""
        scope, turn, as_of = self.scope(case), case.scenario.at, case.scenario.as_of

        def make() -> Candidates:
            return scope.as_of(turn) if as_of and turn is not None else scope.at(turn, case.now)

        return self.stage("scoped", (scope, turn, as_of, case.now), make)

    def scope(self, case: Case) -> Scope:
        """Return the scope: the open items at each turn."""
        priced, scenario = self._priced(case), case.scenario
        # Without a relative budget, moving the window's slider must not scan the lorebooks.
        window = None if scenario.lore.budget_percent is None else case.model.window.tokens
        terms = LoreTerms(scenario.lore, window)

        def make() -> Scope:
            return Scope(priced, priced.rows_named(scenario.pinned), priced.rows_named(scenario.excluded), terms)

        return self.stage("scope", (priced, scenario.pinned, scenario.excluded, terms), make)

    def query(self, case: Case) -> str:
        """Return the text for comparisons: the scenario's query, else the newest user message read by the policy."""
        return query_of(case, self.scoped(case))

    def relevance(self, case: Case) -> Relevance:
        """Return the relevance stage, which knows the candidates to compare with the query."""
        return self._relevance(case, self.scoped(case))

    def _relevance(self, case: Case, scoped: Candidates) -> Relevance:
        # New summaries make other items, but leave the compared texts unchanged: no index is made again.
        _, before = self._stages.get("relevance", (None, None))
        return self.stage("relevance", self.plain_items(case), lambda: relevance_of(scoped, before))

    def compared_texts(self, case: Case) -> list[str]:
        """Return the texts compared with the query, including messages if the policy compares them."""
        items, way = self.scoped(case).items, case.scenario.similarity
        messages = items.texts[items.first_message :] if case.traits.compares_messages and way != "recorded" else ()
        return [*self.relevance(case).texts(way), *messages]

    def candidates(self, case: Case) -> Candidates:
        """Return the candidates of a case, in its scope and ranked for its query."""
        scoped = self.scoped(case)
        query, relevance = query_of(case, scoped), self._relevance(case, scoped)
        measure = self.measure(case, scoped, query)
        return self.stage("ranked", (scoped, query, measure), lambda: relevance.ranked(scoped, query, measure))

    def assemble(self, case: Case) -> Assembly:
        """Return the assembly of a case. A policy that refuses its parameters, or is broken, gives an error."""
        return self.decide(case, self.candidates(case))

    def decide(self, case: Case, candidates: Candidates) -> Assembly:
        """Apply the policy of a case to its candidates, or to those of another case compared in the same way."""
        window = case.model.window
        if case.policy is None:
            refusal = case.refusal or PolicyError("invalid_parameter", "its parameters are refused")
            return Ledger(candidates, window).fail(refusal.code, str(refusal))
        try:
            with contained():
                assembly = case.policy(candidates, window)
            if not is_built_in(type(case.policy)) and (fault := first_fault(candidates, assembly)):
                raise LedgerError(fault)
        except PolicyError as problem:
            return Ledger(candidates, window).fail(problem.code, str(problem))
        except Exception as problem:  # noqa: BLE001 - said below, logged with its traceback
            # A policy may be third-party code and raise anything; the window has to survive it and to name the policy.
            trouble = _trouble(case.policy_name, problem)
            self._log_once(trouble)
            return Ledger(candidates, window).fail("policy_broken", trouble)
        return assembly if case.scenario.server == NO_SERVER else _behind_server(case, assembly)

    def _log_once(self, trouble: str) -> None:
        """Log the current exception with its traceback; once, and not at every step of a slider."""
        if trouble not in self._told:
            self._told.add(trouble)
            _log.exception("%s", trouble)

    def _priced(self, case: Case) -> Candidates:
        items, chat_format = self.items(case), case.model.chat_format
        counts = self.known.counts(case.model.tokenizer.tokenizer)
        columns = self.stage("columns", (items, counts), lambda: build_candidates(items, counts))
        media, is_own = case.model.media, case.model.tokenizer.exact
        key = (columns, counts.version, chat_format, media, is_own, frames_of(chat_format, counts.tokenizer).version)
        priced = self.stage("priced", key, lambda: price(columns, chat_format, media, is_own))
        reader = self._complete_reader(case, items)
        if reader is None:
            return priced
        marks = self.stage("marks", items, lambda: message_marks(items.things, items.first_message, reader))
        return self.stage("marked", (priced, marks), lambda: replace(priced, marks=marks))

    def _complete_reader(self, case: Case, items: ItemTexts) -> MessageReader | None:
        """Return the reader of messages once the rest can be read without waiting; None without classification."""
        if case.scenario.classify is None:
            return None
        reader = self.known.reader
        if items is not self._read and len(reader.unread(messages_to_read(items))) > _READ_AT_ONCE:
            return None
        self._read = items
        return reader

    def unindexed(self, case: Case) -> list[Similarity]:
        """Return the comparisons by words with too many texts left to index without waiting."""
        scoped = self.scoped(case)
        query = query_of(case, scoped)
        return self._unindexed(case, scoped, query, self._vectors(case, query))

    def _unindexed(self, case: Case, scoped: Candidates, query: str, vectors: TextVectors | None) -> list[Similarity]:
        way = case.scenario.similarity
        if way == "recorded" or not query.strip() or (vectors is not None and way == "embedding"):
            return []
        measure = Measure(way, settings=case.scenario.relevance)
        return self._relevance(case, scoped).awaiting_index(measure, case.traits.compares_messages)

    def measure(self, case: Case, scoped: Candidates, query: str) -> Measure:
        """Return how texts can be compared now, without waiting."""
        return self.measures(case, scoped, [query])[query]

    def measures(self, case: Case, scoped: Candidates, queries: Iterable[str]) -> dict[str, Measure]:
        """Return the same for each of many queries; work independent of the query is done once for all."""
        scenario, asked = case.scenario, list(dict.fromkeys(queries))
        vectors = self._vectors_of_all(case) if any(map(str.strip, asked)) else None
        embedded = set[str]() if vectors is None else self._embedded(asked, vectors, scenario.embedding)
        known: dict[tuple[bool, bool], Measure] = {}
        found: dict[str, Measure] = {}
        for query in asked:
            given = vectors if query in embedded else None
            terms = bool(query.strip()), given is not None
            if terms not in known:
                is_indexed = not self._unindexed(case, scoped, query, given)
                known[terms] = Measure(scenario.similarity, given, is_indexed, scenario.relevance)
            found[query] = known[terms]
        return found

    def _vectors(self, case: Case, query: str) -> TextVectors | None:
        """Return the vectors only once all of them are known, for a common scale; None before."""
        vectors = self._vectors_of_all(case) if query.strip() else None
        return vectors if vectors is not None and self._embedded([query], vectors, case.scenario.embedding) else None

    def _vectors_of_all(self, case: Case) -> TextVectors | None:
        """Return the vectors once those of all texts are known, for any query; None before, and if none are wanted."""
        embedder = case.embedder.embedder if case.embedder and wants_vectors(case, "?") else None
        if embedder is None:
            return None
        vectors = self.known.vectors(embedder)
        known = self.stage("vectors", self.vectors_terms(case, vectors), lambda: self._complete(vectors, case))
        return vectors if known else None

    def _embedded(self, queries: Iterable[str], vectors: TextVectors, name: str) -> set[str]:
        """Return the queries that have a vector, or get it now; an unusable model is given up."""
        asked = [query for query in queries if query.strip()]
        try:
            return set(compress(asked, vectors.has_queries(asked)))
        except EmbedderUnavailableError as problem:
            self.known.give_up_embedder(name, problem)
            return set()

    def vectors_terms(self, case: Case, vectors: TextVectors) -> tuple[object, ...]:
        """Return the key of a stage over all texts: everything determining the vectors and which of them are known."""
        compared = self.scoped(case).items, case.scenario.similarity, case.traits.compares_messages
        return (*compared, vectors, vectors.version)

    def _complete(self, vectors: TextVectors, case: Case) -> bool:
        """Return whether there are texts to compare, and all their vectors are known."""
        texts = self.compared_texts(case)
        return bool(texts) and vectors.knows(texts)

    def stage(self, name: str, key: object, make: Callable[[], _Value]) -> _Value:
        """Return the value of a stage, made again if its key differs; holders of arrays are compared by identity."""
        known = self._stages.get(name)
        if known is not None and known[0] == key:
            return known[1]
        value = make()
        self._stages[name] = (key, value)
        return value


def _behind_server(case: Case, assembly: Assembly) -> Assembly:
    """Return the assembly as the server of the scenario leaves it."""
    from inspector.assembly.server_step import behind_server  # it imports policies, which few scenarios need

    server, context = case.scenario.server, case.scenario.server_context
    room = context_of(server, context, case.model.window.tokens)
    return behind_server(assembly, server, room, case.model.chat_format, case.chosen.parts.tools)


def query_of(case: Case, scoped: Candidates) -> str:
    """Return the text for comparisons: the query of the scenario, else the policy's question to these candidates."""
    if case.scenario.query is not None:
        return case.scenario.query
    return scoped.newest_user_text if case.traits.question is None else case.traits.question(scoped)


def wants_vectors(case: Case, query: str) -> bool:
    """Return whether texts are to be compared with the query by vectors."""
    return compares_vectors(case.scenario.similarity, case.scenario.relevance) and bool(query.strip())


def messages_to_read(items: ItemTexts) -> list[str]:
    """Return the texts of the messages that rules may classify."""
    return texts_to_read(items.things, items.first_message)


def is_built_in(kind: type) -> bool:
    """Return whether a policy is part of this program."""
    return kind.__module__.startswith(_BUILT_IN)


def _trouble(name: str, problem: Exception) -> str:
    """Return the error of a policy as a message for the user."""
    what = str(problem) if isinstance(problem, LedgerError) else f"{type(problem).__name__}: {problem}"
    return f"The policy {name} is broken: {what}"
