"""Comparison: which candidates are compared with the query, and what comes of it."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind, Rows
from inspector.retrieval.similarity import Likeness, Measure, Similarity

_COMPARED = (Kind.MEMORY, Kind.LORE, Kind.PASSAGE, Kind.SUMMARY)


@dataclass(frozen=True, eq=False)
class Comparison:
    """The rows that have a similarity, and one Similarity for each kind of them, in the order of those rows."""

    rows: Rows
    groups: tuple[Similarity, ...]

    def texts(self, way: str) -> Iterator[str]:
        """The texts that are compared with a query this way."""
        return (text for group in self.groups for text in group.compared(way))

    def to_query(self, query: str, measure: Measure) -> Likeness:
        """The similarity of each of the rows."""
        found = [group.to_query(query, measure) for group in self.groups]
        values, origins = zip(*((like.values, like.origins) for like in found), strict=True)
        return Likeness(np.concatenate(values), np.concatenate(origins))


def comparison_of(candidates: Candidates) -> Comparison:
    """What is compared with a query, for candidates before anything was."""
    groups = [candidates.rows(kind) for kind in _COMPARED]
    made = tuple(Similarity([candidates.texts[row] for row in rows], candidates.similarity[rows]) for rows in groups)
    return Comparison(np.concatenate(groups), made)
