"""Findings about retrieval: memories with nearly the same content, and wanted but unavailable vectors."""

from collections.abc import Iterator

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.case import Case
from inspector.assembly.columns import Rows
from inspector.assembly.decisions import Assembly, Finding
from inspector.assembly.finding_kinds import EMBEDDING_UNAVAILABLE, NEAR_DUPLICATE_MEMORIES
from inspector.assembly.near_duplicates import NearDuplicates
from inspector.retrieval.similarity import Origin, compares_vectors

_NAMED = 2


def retrieval_findings(case: Case, assembly: Assembly, duplicates: NearDuplicates | None) -> Iterator[Finding]:
    """Yield the findings about the retrieval of memories, as far as they are known."""
    if trouble := embedding_trouble(case, assembly.candidates):
        yield Finding(EMBEDDING_UNAVAILABLE, trouble)
    if duplicates is not None:
        yield from duplicate_findings(assembly, duplicates)


def embedding_trouble(case: Case, candidates: Candidates) -> str:
    """Return why words are compared although vectors are wanted; "" if none are wanted, or still in the making."""
    measure = candidates.measure
    if not compares_vectors(measure.way, measure.settings) or measure.vectors is not None:
        return ""
    if case.embedder is None or case.embedder.embedder is not None:
        return ""
    compared = np.isin(candidates.similarity_origin, (Origin.LEXICAL, Origin.FUSED)).any()
    return case.embedder.reason if compared else ""


def duplicate_findings(assembly: Assembly, found: NearDuplicates) -> Iterator[Finding]:
    """Yield a finding if open memories have nearly the same content: a warning for repeats in the prompt."""
    rows = found.grouped[assembly.candidates.open[found.grouped]]
    labels = found.labels[rows - found.first]
    sizes = np.bincount(labels, minlength=1)
    rows, labels = rows[sizes[labels] > 1], labels[sizes[labels] > 1]
    if not len(rows):
        return
    groups = int(np.count_nonzero(sizes > 1))
    inside = np.bincount(labels[assembly.in_prompt[rows]])
    repeated = int(np.maximum(inside - 1, 0).sum())
    message = f"{len(rows):,} memories say nearly the same: {_named(assembly, rows[labels == labels[0]])}."
    if groups > 1:
        first = _named(assembly, rows[labels == labels.min()])
        message = f"{groups:,} groups of {len(rows):,} memories say nearly the same; the first: {first}."
    paid = f" The prompt holds {repeated:,} of them beside what they repeat." if repeated else ""
    graded = None if repeated else "info"
    yield Finding(NEAR_DUPLICATE_MEMORIES, message + paid, rows, graded)


def _named(assembly: Assembly, rows: Rows) -> str:
    names = ", ".join(assembly.candidates.ids[row] for row in rows[:_NAMED].tolist())
    return names + (", …" if len(rows) > _NAMED else "")
