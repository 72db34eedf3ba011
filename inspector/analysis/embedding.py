"""Embedding what a scenario needs before it is assembled, for whoever runs more than one."""

from collections.abc import Callable

from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.retrieval.vectors.cache import VectorCache
from inspector.retrieval.vectors.embedding import EmbedderUnavailableError, embed_texts
from inspector.tokens.cache import CountCache


def embed_missing(
    pipeline: Pipeline,
    scenario: Scenario,
    cache: CountCache | None = None,
    on_chunk: Callable[[int, int], None] | None = None,
) -> None:
    """Embed every text of a scenario that is not embedded yet; vectors are kept in the file of the counts.

    `on_chunk` gets how many are done and how many there are. Nothing happens where words are compared, or where no
    embedder can be had, or its files turn out to be of no use: `Pipeline.embedder` says why. Raises ScenarioError and
    UnknownTokenizerError.
    """
    texts = pipeline.missing_vectors(scenario)
    embedder = pipeline.embedder(scenario).embedder if texts else None
    if embedder is None:
        return
    try:
        for chunk in embed_texts(texts, embedder, VectorCache(cache) if cache else None):
            stop = chunk.start + len(chunk.vectors)
            pipeline.add_vectors(embedder, texts[chunk.start : stop], chunk.vectors)
            if on_chunk is not None:
                on_chunk(stop, len(texts))
    except EmbedderUnavailableError as problem:
        pipeline.give_up_vectors(scenario, problem)
