"""Memory ranking: the outcome for each memory, in the order of the policy, and the lines between them.

Arrays for a table of any length; words and sentences are made for visible rows only. No widgets here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import U8, Kind, Rows, Section, frozen, section_words
from inspector.assembly.decisions import NO_LIMIT, Assembly
from inspector.assembly.explain import Signal, ranking_signals
from inspector.assembly.numbers import number_of
from inspector.assembly.policy import Parameter, parameters_of, traits_of
from inspector.assembly.relevance import NearDuplicates, similarity_words
from inspector.derived import cached_property
from inspector.figures import counted, figures
from inspector.retrieval.similarity import Origin, compares_vectors

WEIGHTS_GROUP = "ranking"
"""The group of the parameters that weigh a policy's ranking."""
_WEIGHED = (Kind.MEMORY, Kind.PASSAGE)
_EXAMPLES, _FEW = 50, 2_000
_FINEST = 65_534
_UNKNOWN = 65_535


class Fate(IntEnum):
    """The outcome for a memory: `IN` the prompt, or why not."""

    IN = 0
    BUDGET = 1
    OTHER = 2
    THRESHOLD = 3
    NOT_RETRIEVED = 4
    FILTERED = 5
    DUPLICATE = 6
    EXCLUDED = 7
    NOT_YET = 8


_FATE_OF_REASON = {
    "over_budget": Fate.BUDGET,
    "after_stop": Fate.BUDGET,
    "middle_out": Fate.BUDGET,
    "below_threshold": Fate.THRESHOLD,
    "not_retrieved": Fate.NOT_RETRIEVED,
    "filtered": Fate.FILTERED,
    "duplicate": Fate.DUPLICATE,
    "excluded": Fate.EXCLUDED,
    "not_yet": Fate.NOT_YET,
}
_ORDER_OF_FATE = np.array([0, 0, 0, 1, 2, 3, 3, 4, 5], np.uint8)
"""Rows weighed for the budget come first, in the order of decision; then those that did not get that far."""
_GROUPS = int(_ORDER_OF_FATE.max()) + 1
_WORDS = {
    Fate.THRESHOLD: "below threshold",
    Fate.NOT_RETRIEVED: "not retrieved",
    Fate.FILTERED: "filtered",
    Fate.DUPLICATE: "duplicate",
    Fate.EXCLUDED: "excluded",
    Fate.NOT_YET: "not yet",
}


@dataclass(frozen=True, slots=True)
class Line:
    """A line before the `place`-th row, counted from 0, with a caption for the limit at this place."""

    place: int
    caption: str


@dataclass(frozen=True, eq=False)
class MemoryRanking:
    """The memories of an assembly, and other items weighed with them, each row once, in the order of decision.

    `rows` are rows of the candidates. `fates` has a `Fate` for each candidate, listed or not. `starts` are the places
    in `rows` where each group of `_ORDER_OF_FATE` begins, followed by the number of rows.
    """

    assembly: Assembly
    policy: object | None
    duplicates: NearDuplicates | None
    rows: Rows
    fates: U8
    starts: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def places(self) -> Rows:
        """For each candidate its place in `rows`, counted from 0; −1 for unlisted ones."""
        places = np.full(len(self.assembly.candidates), -1, np.intp)
        places[self.rows] = np.arange(len(self.rows))
        return frozen(places)

    @property
    def weighed(self) -> Rows:
        """The rows weighed for the budget, in the order of decision, including those in the prompt."""
        return self.rows[: self.starts[1]]

    @cached_property
    def is_scored(self) -> bool:
        """Whether rows were ranked by a score."""
        return bool(np.isfinite(self.assembly.score[self.rows[: self.starts[2]]]).any())

    @property
    def is_mixed(self) -> bool:
        """Whether the rows include other items than memories."""
        return len(self.rows) > len(self.assembly.candidates.rows(Kind.MEMORY))

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The lines in their order, at most one per place; none before the first row or after the last."""
        captions: dict[int, list[str]] = {}
        for line in _lines(self):
            captions.setdefault(line.place, []).append(line.caption)
        inner = sorted(place for place in captions if 0 < place < len(self) or (place == 0 and len(self)))
        return tuple(Line(place, " · ".join(captions[place])) for place in inner)

    def rank(self, row: int) -> int | None:
        """Return the place of a row in the order, counted from 1; None for rows never given to the policy."""
        return None if self.fates[row] >= Fate.EXCLUDED else int(self.places[row]) + 1

    def score(self, row: int) -> float | None:
        """Return the ranking score of a row."""
        score = float(self.assembly.score[row])
        return None if np.isnan(score) else score

    def signals(self, row: int) -> tuple[Signal, ...]:
        """Return the terms of the actual or hypothetical score of a row; the score alone for a policy without terms."""
        found = ranking_signals(self.assembly, row, self.policy)
        score = self.score(row)
        if found or score is None:
            return found
        name = "similarity" if score == self.similarity(row)[0] else "score"
        return (Signal(name, 1.0, score, True),)

    @cached_property
    def terms(self) -> tuple[Signal, ...]:
        """The signals of the first row that has any, as an example of the scores of this policy."""
        rows = self.rows[:_EXAMPLES].tolist()
        return next((found for row in rows if (found := self.signals(row))), ())

    def similarity(self, row: int) -> tuple[float | None, str]:
        """Return the similarity of a row to the query, and its origin in words."""
        candidates = self.assembly.candidates
        is_message = candidates.kind[row] == Kind.MESSAGE
        value = float((candidates.message_likeness.values if is_message else candidates.similarity)[row])
        return (None if np.isnan(value) else value), candidates.measure.describe(self.origin(row))

    def similarity_words(self, row: int) -> str:
        """Return the parts of the similarity of a row; "" if it is not fused."""
        return similarity_words(self.assembly.candidates, row)

    def origin(self, row: int) -> int:
        """Return the origin of the similarity of a row, as an `Origin`."""
        candidates = self.assembly.candidates
        is_message = candidates.kind[row] == Kind.MESSAGE
        return int((candidates.message_likeness.origins if is_message else candidates.similarity_origin)[row])

    def short_by(self, row: int) -> int:
        """Return the tokens missing from the budget for a row, 0 if it was dropped for another reason."""
        return self.assembly.short_by(row) if self.fates[row] == Fate.BUDGET else 0

    def why(self, row: int) -> str:
        """Return in a few words why a row is in the prompt or not."""
        fate, label = Fate(int(self.fates[row])), self.assembly.reason_of(row).label
        if fate == Fate.BUDGET and (missing := self.short_by(row)):
            return f"over budget, {figures(missing, self.assembly.candidates.has_estimates)} short"
        if fate == Fate.DUPLICATE and (like := self.like(row)):
            return f"repeats {number_of(self.assembly.candidates, like[0])}"
        plain = _WORDS.get(fate, label)
        return plain if label in (plain, "not activated") or fate != Fate.FILTERED else f"{plain}: {label}"

    def like(self, row: int) -> tuple[int, ...]:
        """Return the rows of the memories with nearly the same content; none before the search."""
        if self.duplicates is None:
            return ()
        return tuple(self.duplicates.like(row))


def rank_memories(
    assembly: Assembly, policy: object | None = None, duplicates: NearDuplicates | None = None
) -> MemoryRanking:
    """Rank the memories and passages as a policy did, with the lore and messages weighed as chunks."""
    codes = [_FATE_OF_REASON.get(reason.code, Fate.OTHER) for reason in assembly.reasons]
    fates = np.array([*codes, Fate.OTHER], np.uint8)[assembly.reason]
    fates[assembly.in_prompt] = Fate.IN
    rows, starts = _in_order(assembly, _listed(assembly), fates)
    return MemoryRanking(assembly, policy, duplicates, frozen(rows), frozen(fates), starts)


def _listed(assembly: Assembly) -> Rows:
    candidates = assembly.candidates
    weighed = np.concatenate([candidates.rows(kind) for kind in _WEIGHED])
    chunks = np.flatnonzero(assembly.section == Section.RETRIEVED)
    kind = candidates.kind[chunks]
    others = chunks[((kind == Kind.LORE) | (kind == Kind.MESSAGE)) & candidates.open[chunks]]
    return np.concatenate([weighed, others[assembly.in_prompt[others] | ~np.isnan(assembly.score[others])]])


def _in_order(assembly: Assembly, rows: Rows, fates: U8) -> tuple[Rows, tuple[int, ...]]:
    """Order rows by fate: in the order of decision, or by similarity where rows were not decided individually."""
    groups = _ORDER_OF_FATE.take(fates.take(rows))
    parts = [rows[groups == number] for number in range(_GROUPS)]
    parts[0] = _by_rank(assembly, parts[0])
    for number in (1, 2):
        parts[number] = _most_similar_first(assembly.candidates, parts[number])
    return np.concatenate(parts), (0, *accumulate(map(len, parts)))


def _by_rank(assembly: Assembly, rows: Rows) -> Rows:
    """Return the rows in the order of decision."""
    ranks = assembly.rank[rows]
    if len(rows) < _FEW:
        return rows[np.argsort(np.where(ranks < 0, len(assembly.candidates), ranks), kind="stable")]
    is_meant = np.zeros(len(assembly.candidates), np.bool_)
    is_meant[rows] = True
    decided = assembly.decided
    return np.concatenate([decided.compress(is_meant[decided]), rows[ranks < 0]])


def _most_similar_first(candidates: Candidates, rows: Rows) -> Rows:
    unlikeness = candidates.derived("unlikeness", None, lambda: _unlikeness(candidates))
    return rows[np.argsort(unlikeness.take(rows), kind="stable")]


def _unlikeness(candidates: Candidates) -> NDArray[np.uint16]:
    """Return the sort key of candidates: 1 − similarity in steps of 1 ⁄ 65,534, the highest number for none.

    Numbers of 16 bits are sorted by radix: 0.5 ms instead of 10 at 100,000 rows.
    """
    unlike = np.rint((1.0 - np.clip(candidates.similarity, 0, 1)) * _FINEST)
    return np.where(np.isnan(unlike), _UNKNOWN, unlike).astype(np.uint16)


def _lines(ranking: MemoryRanking) -> Iterator[Line]:
    """Yield every line, in the order in which captions of the same place are read."""
    starts = ranking.starts
    if (budget := _budget_line(ranking)) is not None:
        yield budget
    if starts[2] > starts[1]:
        yield Line(starts[1], _threshold_caption(ranking, ranking.rows[starts[1] : starts[2]]))
    for number, name in ((2, "not retrieved"), (3, "filtered"), (4, "excluded"), (5, "not yet there")):
        if starts[number + 1] > starts[number]:
            yield Line(starts[number], f"{starts[number + 1] - starts[number]:,} {name}")


def _budget_line(ranking: MemoryRanking) -> Line | None:
    """Return the line where the budget was spent: before the first misfit, else after the last weighed row."""
    assembly, rows = ranking.assembly, ranking.weighed
    limited = rows[assembly.left[rows] != NO_LIMIT]
    if not len(limited):
        return None
    section = Section(assembly.section[limited[-1]])
    budget = assembly.budget.sections.get(section)
    if budget is None or budget.room is None:
        return None
    paid = assembly.in_prompt & (assembly.section == section)
    spent = int(assembly.charges[paid].sum(dtype=np.int64))
    misfits = np.flatnonzero(ranking.fates[rows] == Fate.BUDGET)
    whose = "" if section == Section.MEMORY else f"{section_words(section)} "
    paid_for = figures(spent, assembly.candidates.has_estimates)
    caption = f"{whose}budget: {paid_for} of {counted(budget.room, 'token')} used"
    if not len(misfits):
        return Line(len(rows), caption)
    first = int(misfits[0])
    skips = bool(assembly.in_prompt[rows[first:]].any())
    return Line(first, f"{caption}, and smaller ones below still fit" if skips else caption)


def _threshold_caption(ranking: MemoryRanking, rows: Rows) -> str:
    """Return the caption with the threshold, if the policy gives any: a single figure, or the lowest and highest."""
    asked = sorted(set(_thresholds(ranking, rows)))
    if not asked:
        return f"{len(rows):,} below the threshold"
    figures = f"{asked[0]:.2f}" if len(asked) == 1 else f"{asked[0]:.2f} to {asked[-1]:.2f}, by type"
    return f"threshold {figures}"


def _thresholds(ranking: MemoryRanking, rows: Rows) -> Iterator[float]:
    """Yield the threshold behind each reason of these rows; all rows of a reason share it."""
    thresholds, candidates = traits_of(ranking.policy).thresholds, ranking.assembly.candidates
    if thresholds is None:
        return
    _, examples = np.unique(ranking.assembly.reason[rows], return_index=True)
    memories = rows[examples][candidates.kind[rows[examples]] == Kind.MEMORY]
    yield from thresholds(candidates, memories).tolist()


def weight_parameters(policy: object | None) -> tuple[Parameter, ...]:
    """Return the ranking weights among the parameters of a policy."""
    if policy is None:
        return ()
    return tuple(parameter for parameter in parameters_of(policy) if parameter.group == WEIGHTS_GROUP)


def ranking_sentence(ranking: MemoryRanking, name: str) -> str:
    """Explain how a policy ranks memories; "" if it ranks by adjustable weights."""
    if weight_parameters(ranking.policy):
        return ""
    if (signals := traits_of(ranking.policy).signals) is not None:
        terms = signals(ranking.assembly.candidates, np.empty(0, np.intp))
        return f"{name} ranks by fixed weights: {_formula(terms)}."
    scored = ranking.weighed[~np.isnan(ranking.assembly.score[ranking.weighed])]
    if not ranking.is_scored:
        return f"{name} does not rank memories by weights, nor by their similarity to the query."
    by_likeness = all(ranking.score(row) == ranking.similarity(row)[0] for row in scored[:_EXAMPLES].tolist())
    how = "the most similar come first" if by_likeness else "it ranks by a score of its own"
    return f"{name} has no weights to set: {how}."


def _formula(terms: Mapping[str, tuple[float, np.ndarray]]) -> str:
    return " + ".join(f"{weight:g} × {name}" for name, (weight, _) in terms.items())


def comparison_sentence(ranking: MemoryRanking, trouble: str = "") -> str:
    """Explain the origin of the similarities; `trouble` is the reason for missing vectors, "" for none."""
    candidates = ranking.assembly.candidates
    origins = candidates.similarity_origin.take(ranking.rows)
    if ranking.is_mixed and (is_message := candidates.kind[ranking.rows] == Kind.MESSAGE).any():
        origins[is_message] = candidates.message_likeness.origins[ranking.rows[is_message]]
    numbers = {origin: int(np.count_nonzero(origins == origin)) for origin in Origin if origin != Origin.NOWHERE}
    named = [f"{number:,} {candidates.measure.describe(origin)}" for origin, number in numbers.items() if number]
    indexing = "" if candidates.measure.words else "Words are being indexed."
    if not named:
        why = "nothing is recorded" if candidates.query.strip() else "there is no query"
        return " ".join(filter(None, (trouble, indexing))) or f"No similarity is known: {why}."
    measure = candidates.measure
    waits = compares_vectors(measure.way, measure.settings) and measure.vectors is None
    by_words = numbers[Origin.LEXICAL] + numbers[Origin.FUSED]
    later = "Words are compared until every text has its vector." if waits and by_words else ""
    return " ".join(filter(None, (f"Similarity: {', '.join(named)}.", trouble or later, indexing)))


def prompt_sentence(ranking: MemoryRanking) -> str:
    """Return how many of the memories are in the prompt, and their cost there."""
    assembly, total = ranking.assembly, len(ranking)
    inside = ranking.weighed[assembly.in_prompt[ranking.weighed]]
    spent = int(assembly.spent[inside].sum(dtype=np.int64))
    estimated = bool(assembly.candidates.estimated[inside].any())
    noun = "chunks" if ranking.is_mixed else "memory" if total == 1 else "memories"
    return f"{len(inside):,} of {total:,} {noun} in the prompt, {counted(spent, 'token', estimated=estimated)}"
