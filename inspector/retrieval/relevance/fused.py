"""The fused similarity: a sum of parts, each kept apart so that it can be explained and left out."""

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
        parts["sitting"] = settings.sitting * best_of_sitting(summed(parts, len(words)), sittings)
    return parts


def fused_parts(
    words: F64, cosines: F64 | None, turns: F64 | None, surroundings: Surroundings, settings: RelevanceSettings
) -> dict[str, F64]:
    """The parts of each text's similarity, whose sum lies in 0–1.

    `words` are BM25 scores in 0–1, `cosines` those of vectors, None where none are known. `turns` are what words give
    the turns of the talk that texts were made from. The sums are divided by the highest, if that is above 1, which is
    what words alone can give: nothing becomes very like a query for being the least unlike it.
    """
    parts = talk_parts(words, surroundings, settings)
    if turns is not None and settings.sources and len(surroundings.source_owners):
        parts["sources"] = settings.sources * best_source(turns, surroundings, len(words))
    if cosines is not None and settings.vectors:
        parts["meaning"] = settings.vectors * _with_neighbours(cosines, surroundings, settings)
    whole = max(1.0, float(summed(parts, len(words)).max(initial=0.0)))
    return {name: values / whole for name, values in parts.items()}


def _with_neighbours(cosines: F64, surroundings: Surroundings, settings: RelevanceSettings) -> F64:
    """What a turn means is also what those beside it mean."""
    if not surroundings.is_talk:
        return cosines
    return cosines + beside(cosines, surroundings.sittings, settings.before, settings.after)


def summed(parts: Mapping[str, F64], size: int) -> F64:
    """The sum of parts of so many texts."""
    return sum(parts.values(), start=np.zeros(size))
