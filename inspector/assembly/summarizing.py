"""Summarizing: the summarizer of a scenario, the texts for it to summarize, and the summaries known so far."""

from collections.abc import Sequence

import numpy as np

from inspector.assembly.choices import ScenarioError
from inspector.assembly.columns import Action, Rows
from inspector.assembly.decisions import Assembly
from inspector.assembly.items import ItemTexts
from inspector.assembly.replacements import ComputedSummaries, SummarySource
from inspector.assembly.scenario import Scenario
from inspector.growing import Growing
from inspector.model import Message
from inspector.nearest import not_one_of
from inspector.retrieval.summaries.settings import EndpointSettings
from inspector.retrieval.summaries.summarizer import METHODS, Original, Summaries, Summarizer
from inspector.retrieval.vectors.embedding import Embedder
from inspector.tokens.tokenizer import Tokenizer

NEIGHBOURS = 2
"""The number of messages before and after a text that determine its rare words, if no embedder is available."""
NOT_CONFIGURED = (
    "No endpoint is named under summaries in the settings file: the first 100 characters stand in for summaries."
)
NOT_ASKED = (
    "No server is asked for summaries by the wish of a file, only by the option --summaries endpoint of a command for "
    "one prompt: the first 100 characters stand in for summaries."
)
_SOURCES = {"extractive": SummarySource.EXTRACTIVE, "endpoint": SummarySource.ENDPOINT}


class Summarizing(Growing):
    """The computed summaries of a workspace, in memory, and why some are unavailable. It grows.

    Nothing is sent before `allow`, and no content of a file leads to this call: scenarios and inspections may come from
    untrusted sources.
    """

    def __init__(self) -> None:
        super().__init__()
        self.endpoint: EndpointSettings | None = None
        self._why_none = NOT_ASKED
        self._made: dict[object, Summarizer | None] = {}
        self._known: dict[str, Summaries] = {}
        self._troubles: dict[str, str] = {}

    def allow(self, endpoint: EndpointSettings | None) -> None:
        """Allow scenarios to use the server configured by the user, if any."""
        self.endpoint, self._why_none = endpoint, NOT_CONFIGURED

    def summarizer(self, scenario: Scenario, tokenizer: Tokenizer, embedder: Embedder | None) -> Summarizer | None:
        """Return the summarizer for a scenario, the same object for equal summaries.

        None if no summaries are wanted, or for an unconfigured or forbidden endpoint.
        """
        key = (scenario.summaries, scenario.summary_tokens, tokenizer, embedder, self.endpoint)
        if key not in self._made:
            self._made.setdefault(key, _summarizer_of(scenario, tokenizer, embedder, self.endpoint))
        return self._made[key]

    def known(self, summarizer: Summarizer) -> Summaries:
        """Return the summaries made so far."""
        return self._known.setdefault(summarizer.fingerprint, Summaries())

    def add(self, summarizer: Summarizer, originals: Sequence[Original], summaries: Sequence[str]) -> None:
        """Add summaries made elsewhere."""
        with self.growing():
            self.known(summarizer).add(originals, summaries)

    def give_up(self, summarizer: Summarizer, trouble: str) -> None:
        """Stop using this summarizer, and record why."""
        self._troubles[summarizer.fingerprint] = trouble

    def trouble_of(self, summarizer: Summarizer) -> str:
        """Return why this summarizer was given up, "" if it was not."""
        return self._troubles.get(summarizer.fingerprint, "")

    def trouble(self, scenario: Scenario, summarizer: Summarizer | None) -> str:
        """Return why the summaries wanted by a scenario are unavailable, "" if they are available."""
        if summarizer is None:
            return self._why_none if scenario.summaries else ""
        return self.trouble_of(summarizer)

    def try_again(self) -> None:
        """Forget every trouble."""
        self._troubles.clear()


def check_summaries(scenario: Scenario) -> None:
    """Raise ScenarioError for an unknown method or an invalid length of summaries."""
    if scenario.summaries is not None and scenario.summaries not in METHODS:
        raise ScenarioError(f"summaries: {not_one_of(scenario.summaries, METHODS)}", "summaries")
    if scenario.summary_tokens < 1:
        found = scenario.summary_tokens
        raise ScenarioError(f"summary_tokens: expected at least 1, found {found}", "summary_tokens")


def _summarizer_of(
    scenario: Scenario, tokenizer: Tokenizer, embedder: Embedder | None, endpoint: EndpointSettings | None
) -> Summarizer | None:
    # Imported on demand: the start of the window seldom needs either.
    if scenario.summaries == "extractive":
        from inspector.retrieval.summaries.extractive import Extractive

        return Extractive(tokenizer, embedder, scenario.summary_tokens)
    if scenario.summaries == "endpoint" and endpoint is not None:
        from inspector.retrieval.summaries.endpoint import Endpoint

        return Endpoint(endpoint, tokenizer, scenario.summary_tokens)
    return None


def computed_summaries(items: ItemTexts, summarizer: Summarizer, known: Summaries) -> ComputedSummaries:
    """Return the summaries of these messages known so far."""
    messages = np.arange(items.first_message, len(items.texts))
    found = tuple(map(known.of, originals_of(items, messages, summarizer)))
    return ComputedSummaries(_SOURCES[summarizer.name], found)


def originals_of(items: ItemTexts, rows: Rows, summarizer: Summarizer) -> list[Original]:
    """Return these message rows as inputs of a summarizer."""
    if not summarizer.reads_neighbours:
        return [Original(items.texts[row]) for row in rows.tolist()]
    first = items.first_message
    return [
        Original(
            items.texts[row],
            items.texts[max(first, row - NEIGHBOURS) : row] + items.texts[row + 1 : row + 1 + NEIGHBOURS],
        )
        for row in rows.tolist()
    ]


def rows_without_summary(items: ItemTexts) -> Rows:
    """Return every stored message without a summary in the file."""
    messages = items.things[items.first_message : len(items.things) - items.has_draft]
    found = (
        row
        for row, thing in enumerate(messages, items.first_message)
        if isinstance(thing, Message) and not thing.summary
    )
    return np.fromiter(found, np.intp)


def previewed_rows(assembly: Assembly) -> Rows:
    """Return the messages summarized by the beginning of their texts."""
    items = assembly.candidates.items
    summarized = np.flatnonzero(assembly.action == Action.SUMMARIZED)
    messages = summarized[summarized >= items.first_message]
    return messages[items.standing.sources_of(messages) == SummarySource.PREVIEW]
