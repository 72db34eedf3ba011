"""The fused similarity: a sum of parts, kept separate so that each can be explained or left out.

The parts have the shape (queries, texts): many queries are computed at once, each as if it were alone.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from inspector.retrieval.relevance.settings import RelevanceSettings
from inspector.retrieval.relevance.surroundings import Surroundings, beside, best_of_sitting, best_source

F64 = NDArray[np.float64]

PARTS = {
    "words": "its own words",
    "neighbours": "the messages beside it",
    "sitting": "the best of its sitting",
    "sources": "the messages it was made from",
    "meaning": "its vector",
}
"""The parts of a fused similarity in order, with their sources."""


def talk_parts(words: F64, surroundings: Surroundings, settings: RelevanceSettings) -> dict[str, F64]:
    """Return the parts from words alone: a text's own, those beside it, and those of its sitting."""
    parts, sittings = {"words": words}, surroundings.sittings
    if surroundings.is_talk and (settings.before or settings.after):
        parts["neighbours"] = beside(words, sittings, settings.before, settings.after)
    if sittings is not None and settings.sitting:
        parts["sitting"] = settings.sitting * best_of_sitting(summed(parts), sittings)
    return parts


def fused_parts(
    words: F64, cosines: F64 | None, turns: F64 | None, surroundings: Surroundings, settings: RelevanceSettings
) -> dict[str, F64]:
    """Return the parts of each text's similarity, whose sum lies in 0–1.

    `words` are BM25 scores in 0–1, `cosines` those of vectors, None if unknown. `turns` are the word scores of the
    turns of the talk that texts were made from. The sums of a query are divided by the highest if it is above 1, the
    most words alone can give: so no text gets a high similarity only for being the least unlike the query.
    """
    parts = talk_parts(words, surroundings, settings)
    if turns is not None and settings.sources and len(surroundings.source_owners):
        parts["sources"] = settings.sources * best_source(turns, surroundings, words.shape)
    if cosines is not None and settings.vectors:
        parts["meaning"] = settings.vectors * _with_neighbours(cosines, surroundings, settings)
    whole = np.maximum(1.0, summed(parts).max(axis=1, initial=0.0, keepdims=True))
    return {name: values / whole for name, values in parts.items()}


def _with_neighbours(cosines: F64, surroundings: Surroundings, settings: RelevanceSettings) -> F64:
    """Return the cosines of turns, with those of the turns beside them added."""
    if not surroundings.is_talk:
        return cosines
    return cosines + beside(cosines, surroundings.sittings, settings.before, settings.after)


def summed(parts: Mapping[str, F64]) -> F64:
    """Return the sum of the parts, of which there must be at least one."""
    return sum(parts.values(), start=np.zeros(next(iter(parts.values())).shape))
