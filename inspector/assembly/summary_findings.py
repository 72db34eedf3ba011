"""Findings about summaries: computed or unavailable summaries, and summaries that cost more than their messages."""

from collections.abc import Iterator

import numpy as np

from inspector.assembly.columns import Action, Rows
from inspector.assembly.decisions import Assembly, Finding
from inspector.assembly.finding_kinds import COMPUTED_SUMMARIES, SUMMARIES_UNAVAILABLE, SUMMARIES_UNUSED, SUMMARY_LONGER
from inspector.assembly.replacements import COMPUTED, SummarySource
from inspector.assembly.scenario import Scenario

_MADE_BY = {
    SummarySource.EXTRACTIVE: "by sentences chosen here",
    SummarySource.ENDPOINT: "by what an endpoint wrote",
}


def summary_findings(assembly: Assembly, scenario: Scenario, trouble: str) -> Iterator[Finding]:
    """Yield the findings about the summaries of a prompt. `trouble` is why some are unavailable, "" if none."""
    if trouble:
        yield Finding(SUMMARIES_UNAVAILABLE, trouble)
    if assembly.error is not None:
        return
    rows = summarized_messages(assembly)
    if scenario.summaries and not trouble and not len(rows):
        yield Finding(SUMMARIES_UNUSED, "No message is summarized here, so no summary is computed for one.")
    if not len(rows):
        return
    sources = assembly.candidates.items.standing.sources_of(rows)
    for source in COMPUTED:
        if len(computed := rows[sources == source]):
            message = f"{_messages(len(computed))} summarized {_MADE_BY[source]}, because the file has no summary."
            yield Finding(COMPUTED_SUMMARIES, message, computed)
    if len(longer := longer_summaries(assembly)):
        lost = int((assembly.spent[longer] - assembly.candidates.tokens[longer]).sum(dtype=np.int64))
        tokens = f"{lost:,} token{'' if lost == 1 else 's'}"
        message = f"{_messages(len(longer))} replaced by something longer: {tokens} more than as it was said."
        yield Finding(SUMMARY_LONGER, message, longer)


def summarized_messages(assembly: Assembly) -> Rows:
    """Return the rows of the messages replaced by a summary or a preview in the prompt."""
    if len(assembly.texts) == 1:  # nothing is shortened: most ticks of a slider end here
        return np.empty(0, np.intp)
    first = assembly.candidates.items.first_message
    is_summarized = assembly.action[first:] == int(Action.SUMMARIZED)
    is_whole = assembly.candidates.items.standing.sources == int(SummarySource.WHOLE)
    return np.flatnonzero(is_summarized & ~is_whole) + first


def longer_summaries(assembly: Assembly) -> Rows:
    """Return the rows of the summarized messages with a higher cost in this prompt than unchanged."""
    rows = summarized_messages(assembly)
    return rows[assembly.spent[rows] > assembly.candidates.tokens[rows]]


def _messages(count: int) -> str:
    return f"{count:,} message is" if count == 1 else f"{count:,} messages are"
