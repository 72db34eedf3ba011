"""Relevance: which candidates are compared with the query, and how like it they are."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind, Rows, frozen
from inspector.retrieval.similarity import Measure, Similarity

_COMPARED = (Kind.MEMORY, Kind.LORE, Kind.PASSAGE, Kind.SUMMARY)


@dataclass(frozen=True, eq=False)
class Relevance:
    """The rows that have a similarity, and one Similarity for each kind of them, in the order of those rows."""

    rows: Rows
    groups: tuple[Similarity, ...]

    def texts(self, way: str) -> Iterator[str]:
        """The texts that are compared with a query this way."""
        return (text for group in self.groups for text in group.compared(way))

    def awaiting_index(self, way: str) -> list[Similarity]:
        """Those whose words are still to be indexed before they can be compared this way."""
        return [group for group in self.groups if group.awaits_index(way)]

    def ranked(self, candidates: Candidates, query: str, measure: Measure) -> Candidates:
        """The same candidates with the similarities of these rows to a query."""
        similarity, origin = candidates.similarity.copy(), candidates.similarity_origin.copy()
        found = [group.to_query(query, measure) for group in self.groups]
        similarity[self.rows] = np.concatenate([like.values for like in found])
        origin[self.rows] = np.concatenate([like.origins for like in found])
        return replace(
            candidates, query=query, similarity=frozen(similarity), similarity_origin=frozen(origin), measure=measure
        )


def relevance_of(candidates: Candidates) -> Relevance:
    """What is compared with a query, for candidates before anything was."""
    groups = [candidates.rows(kind) for kind in _COMPARED]
    made = tuple(Similarity([candidates.texts[row] for row in rows], candidates.similarity[rows]) for rows in groups)
    return Relevance(np.concatenate(groups), made)
