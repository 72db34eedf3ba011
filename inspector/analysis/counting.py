"""Counting and embedding what a scenario needs before it is assembled, for whoever runs more than one."""

from collections.abc import Callable

from inspector.analysis.embedding import embed_missing
from inspector.analysis.summarizing import summarize_missing
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import PolicyError
from inspector.assembly.scenario import Scenario
from inspector.tokens.cache import CountCache
from inspector.tokens.counting import count_texts


def count_missing(
    pipeline: Pipeline,
    scenario: Scenario,
    cache: CountCache | None = None,
    on_chunk: Callable[[int, int], None] | None = None,
) -> None:
    """Count every text of a scenario that is not known yet, embed those that are compared and have no vectors, and read
    the messages that are to be classified.

    `on_chunk` gets how many are done and how many there are.

    A scenario whose parameters are refused needs none: its assembly will say so. Raises ScenarioError and
    UnknownTokenizerError.
    """
    summarize_missing(pipeline, scenario, cache)
    try:
        texts = pipeline.missing_texts(scenario)
    except PolicyError:
        return
    tokenizer = pipeline.model(scenario).tokenizer.tokenizer
    for chunk in count_texts(texts, tokenizer, cache):
        stop = chunk.start + len(chunk.counts)
        pipeline.add_counts(tokenizer, texts[chunk.start : stop], chunk.counts)
        if on_chunk is not None:
            on_chunk(stop, len(texts))
    embed_missing(pipeline, scenario, cache, on_chunk)
    unread = pipeline.unread_messages(scenario)
    for done in pipeline.reader.read_all(unread):
        if on_chunk is not None:
            on_chunk(done, len(unread))
