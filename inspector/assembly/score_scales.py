"""Scales of recorded scores: what stores recorded for a query becomes a similarity of 0–1, the best highest.

Stores differ in what they call a score: a similarity, a distance (Chroma, FAISS, pgvector), or the raw score of a
search by words, such as BM25.
"""

from collections.abc import Iterable, Mapping

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, Kind, Rows
from inspector.model import MemorySet, ScoreScale, changed
from inspector.retrieval.lexical import LexicalIndex
from inspector.retrieval.similarity import Origin

WORDS: Mapping[ScoreScale, str] = {
    "similarity": "similarities, the best highest",
    "distance": "distances, the best lowest",
    "raw": "raw scores, divided by the highest",
}
MOST_COMPARED = 2_000
"""The most memories of which the recorded order is compared with their words."""
_LEAST_SCORED = 3
_LAST_SHARE = 0.2
_FARTHEST_COSINE = 2.0


def scale_of(memories: MemorySet) -> ScoreScale:
    """Return the scale of the scores of a set: the one it names, else raw if any is above 1."""
    if memories.score_scale is not None:
        return memories.score_scale
    return "raw" if any((memory.similarity or 0) > 1 for memory in memories.memories) else "similarity"


def similarities(scores: F64, scale: ScoreScale) -> F64:
    """Return scores of a set as similarities of 0–1, NaN where there is none; their order is that of the scale.

    Similarities below 0, of opposite directions, become 0. A distance of at most 2 is one of cosines: 1 − d, or 1 − d/2
    if any is above 1; any other becomes 1 / (1 + d). Raw scores are divided by the highest; if any is below 0, they are
    spread between the lowest and the highest.
    """
    known = scores[~np.isnan(scores)]
    if not len(known) or scale == "similarity":
        return np.clip(scores, 0.0, 1.0)
    low, high = float(known.min()), float(known.max())
    if scale == "distance":
        if low >= 0 and high <= _FARTHEST_COSINE:
            return 1 - scores / (1.0 if high <= 1 else _FARTHEST_COSINE)
        return 1 / (1 + scores - min(low, 0.0))
    if low < 0:
        return (scores - low) / (high - low) if high > low else np.where(np.isnan(scores), scores, 1.0)
    return scores / high if high > 0 else scores


def in_similarities(memories: MemorySet, chosen: Mapping[str, ScoreScale]) -> MemorySet:
    """Return the set with similarities of 0–1, by the scale `chosen` for its id, else by its own."""
    if not has_scores(memories):
        return memories
    scale = chosen.get(memories.id) or scale_of(memories)
    recorded = np.array([np.nan if one.similarity is None else one.similarity for one in memories.memories], np.float64)
    taken = similarities(recorded, scale)
    if np.array_equal(recorded, taken, equal_nan=True):
        return changed(memories, score_scale=scale)
    pairs = zip(memories.memories, taken.tolist(), strict=True)
    members = tuple(one if one.similarity is None else changed(one, similarity=score) for one, score in pairs)
    return changed(memories, memories=members, score_scale=scale)


def scale_sentence(sets: Iterable[MemorySet]) -> str:
    """Return how the recorded scores of some sets were read, where they are no similarities; "" if all are."""
    told = [(one.title or one.id, one.score_scale) for one in sets if one.score_scale not in (None, "similarity")]
    named = "; ".join(f"{name}: {WORDS[scale]}" for name, scale in told if scale)
    return f"Recorded scores were read by their scale. {named}." if named else ""


def has_scores(memories: MemorySet) -> bool:
    """Return whether any memory of a set has a recorded score."""
    return any(memory.similarity is not None for memory in memories.memories)


def contradicted(candidates: Candidates) -> Rows:
    """Return the rows of memories with a recorded score, if these rank the memories with the words of the query last.

    Empty unless at least three have scores that differ.
    """
    memories = candidates.rows(Kind.MEMORY)
    rows = memories[candidates.similarity_origin[memories] == Origin.RECORDED]
    scores, none = candidates.similarity[rows], np.empty(0, np.intp)
    if not _LEAST_SCORED <= len(rows) <= MOST_COMPARED or not candidates.query.strip() or np.ptp(scores) == 0:
        return none
    words = LexicalIndex([candidates.texts[row] for row in rows.tolist()]).scores(candidates.query).values
    if not words.any():
        return none
    below = (scores[:, None] > scores).sum(axis=1) / (len(rows) - 1)  # 1 for the best, 0 for the last
    return rows if float((below * words).sum() / words.sum()) <= _LAST_SHARE else none
