"""Turns: the candidates of a conversation as they were at each of its turns, made in batches."""

from collections.abc import Iterator

from inspector.assembly.candidates import Candidates
from inspector.assembly.case import Case
from inspector.assembly.columns import Rows
from inspector.assembly.pipeline import Pipeline, query_of

MOST_TURNS = 64
"""The most turns made together: a few milliseconds of work for a batch."""
_CELLS = 1_000_000
"""The most rows of candidates, and similarities, of the turns made together."""


def candidates_at(pipeline: Pipeline, case: Case, turns: Rows) -> Iterator[Candidates]:
    """Yield the candidates of a case as of each of these turns, equal to those of `Pipeline.candidates` at the turn.

    The case is complete and covers the whole conversation.
    """
    scope, relevance = pipeline.scope(case), pipeline.relevance(case)
    together = max(1, min(MOST_TURNS, _CELLS // max(1, len(pipeline.scoped(case)))))
    for start in range(0, len(turns), together):
        scoped = [scope.as_of(turn) for turn in turns[start : start + together].tolist()]
        queries = [query_of(case, one) for one in scoped]
        measures = pipeline.measures(case, scoped[0], queries)
        asked = zip(scoped, queries, map(measures.__getitem__, queries), strict=True)
        yield from list(relevance.ranked_each(list(asked)))
