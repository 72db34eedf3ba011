"""Summarizing what a scenario needs before it is assembled, for whoever runs more than one."""

from collections.abc import Callable

from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.retrieval.summaries.cache import SummaryCache
from inspector.retrieval.summaries.summarizer import SummaryError, summarize_texts
from inspector.tokens.cache import CountCache


def summarize_missing(
    pipeline: Pipeline,
    scenario: Scenario,
    cache: CountCache | None = None,
    on_chunk: Callable[[int, int], None] | None = None,
) -> None:
    """Make every summary of a scenario that is not known yet; they are kept in the file of the counts.

    `on_chunk` gets how many are done and how many there are. Nothing happens where no summaries are asked for, or no
    endpoint is configured. Where the summaries cannot be had, `Pipeline.summary_trouble` says why. Raises ScenarioError
    and UnknownTokenizerError.
    """
    originals = pipeline.missing_summaries(scenario)
    summarizer = pipeline.summarizer(scenario) if originals else None
    if summarizer is None:
        return
    try:
        for chunk in summarize_texts(originals, summarizer, SummaryCache(cache) if cache else None):
            stop = chunk.start + len(chunk.summaries)
            pipeline.summarizing.add(summarizer, originals[chunk.start : stop], chunk.summaries)
            if on_chunk is not None:
                on_chunk(stop, len(originals))
    except SummaryError as problem:
        pipeline.summarizing.give_up(summarizer, str(problem))
