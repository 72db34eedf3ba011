"""The fused similarity: a sum of parts, each kept apart so that it can be explained and left out.

The parts have the shape (queries, texts): many queries are asked at once, each as if it were alone.
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
"""The parts of a fused similarity in their order, and what each looks at."""


def talk_parts(words: F64, surroundings: Surroundings, settings: RelevanceSettings) -> dict[str, F64]:
    """What words alone give: a text's own, those beside it, and those of its sitting."""
    parts, sittings = {"words": words}, surroundings.sittings
    if surroundings.is_talk and (settings.before or settings.after):
        parts["neighbours"] = beside(words, sittings, settings.before, settings.after)
    if sittings is not None and settings.sitting:
        parts["sitting"] = settings.sitting * best_of_sitting(summed(parts), sittings)
    return parts


def fused_parts(
    words: F64, cosines: F64 | None, turns: F64 | None, surroundings: Surroundings, settings: RelevanceSettings
) -> dict[str, F64]:
    """The parts of each text's similarity, whose sum lies in 0–1.

    `words` are BM25 scores in 0–1, `cosines` those of vectors, None where none are known. `turns` are what words give
    the turns of the talk that texts were made from. The sums of a query are divided by the highest, if that is above 1,
    which is what words alone can give: nothing becomes very like a query for being the least unlike it.
    """
    parts = talk_parts(words, surroundings, settings)
    if turns is not None and settings.sources and len(surroundings.source_owners):
        parts["sources"] = settings.sources * best_source(turns, surroundings, words.shape)
    if cosines is not None and settings.vectors:
        parts["meaning"] = settings.vectors * _with_neighbours(cosines, surroundings, settings)
    whole = np.maximum(1.0, summed(parts).max(axis=1, initial=0.0, keepdims=True))
    return {name: values / whole for name, values in parts.items()}


def _with_neighbours(cosines: F64, surroundings: Surroundings, settings: RelevanceSettings) -> F64:
    """What a turn means is also what those beside it mean."""
    if not surroundings.is_talk:
        return cosines
    return cosines + beside(cosines, surroundings.sittings, settings.before, settings.after)


def summed(parts: Mapping[str, F64]) -> F64:
    """The sum of parts, of which there is one at least."""
    return sum(parts.values(), start=np.zeros(next(iter(parts.values())).shape))
