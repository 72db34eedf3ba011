"""The likeness of texts by their surroundings, and the fused similarity: a sum of parts that can each be explained."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from inspector.derived import cached_property
from inspector.retrieval.relevance.kinds import Sides
from inspector.retrieval.relevance.settings import RelevanceSettings

F64 = NDArray[np.float64]
Rows = NDArray[np.intp]
Months = Sequence[tuple[int, int] | None]

SITTING_GAP_SECONDS = 3 * 60 * 60
"""A longer silence begins a new sitting."""
BEST_OF_SITTING = 3
ALONE = -1
"""The sitting of a text without any."""


def _no_rows() -> Rows:
    return np.empty(0, np.intp)


@dataclass(frozen=True, eq=False)
class Surroundings:
    """The surroundings of a list of texts; an empty field is unknown for all of them.

    `months` are (year, month) of each text, `times` seconds since 1970, NaN for none. `is_talk` means the texts are the
    turns of a talk in order. `source_owners` and `source_turns` are pairs: a text, and a turn of the talk it was made
    from. `sides` tell the kind of the talk.
    """

    speakers: Sequence[str] = ()
    months: Months = ()
    times: F64 | None = None
    is_talk: bool = False
    source_owners: Rows = field(default_factory=_no_rows)
    source_turns: Rows = field(default_factory=_no_rows)
    sides: Sides | None = None

    @property
    def assistance(self) -> float:
        """The degree, 0–1, to which the texts are a talk with an assistant that writes long replies."""
        return self.sides.assistance if self.sides else 0.0

    @cached_property
    def sittings(self) -> Rows | None:
        """The number of each text's sitting, `ALONE` for none; None if all share a sitting, which tells nothing."""
        if self.times is None:
            return None
        found = sittings_of_talk(self.times) if self.is_talk else sittings_of(self.times)
        return found if len(found) and found.max() > 0 else None

    def of(self, rows: Rows) -> "Surroundings":
        """Return the surroundings of only these texts, whose rows rise."""
        if len(rows) and rows[-1] == len(rows) - 1:
            return self._of_first(len(rows))
        places = np.full(int(max(rows.max(initial=-1), self.source_owners.max(initial=-1))) + 1, ALONE, np.intp)
        places[rows] = np.arange(len(rows))
        owners = places[self.source_owners] if len(self.source_owners) else self.source_owners
        wanted: list[int] = rows.tolist()
        return Surroundings(
            [self.speakers[row] for row in wanted] if self.speakers else (),
            [self.months[row] for row in wanted] if self.months else (),
            None if self.times is None else self.times[rows],
            self.is_talk,
            owners[owners >= 0],
            self.source_turns[owners >= 0],
            self.sides.of(rows) if self.sides else None,
        )

    def _of_first(self, count: int) -> "Surroundings":
        """Return the surroundings of the first texts, as needed at every turn of a talk."""
        is_inside = self.source_owners < count
        found = Surroundings(
            self.speakers[:count],
            self.months[:count],
            None if self.times is None else self.times[:count],
            self.is_talk,
            self.source_owners[is_inside],
            self.source_turns[is_inside],
            self.sides.of(slice(count)) if self.sides else None,
        )
        if self.is_talk:  # later turns do not change earlier sittings: numbers rise with the turns
            sittings = None if self.sittings is None else self.sittings[:count]
            vars(found)["sittings"] = None if sittings is None or not sittings[-1] else sittings
        return found


NOTHING_KNOWN = Surroundings()


def sittings_of_talk(times: F64) -> Rows:
    """Return sittings numbered from 0 for turns in order, a new one after each silence.

    A turn without a time continues the sitting before it.
    """
    known = np.flatnonzero(~np.isnan(times))
    begins = np.zeros(len(times), np.intp)
    begins[known[1:]] = np.abs(np.diff(times[known])) > SITTING_GAP_SECONDS
    return np.cumsum(begins)


def sittings_of(times: F64) -> Rows:
    """Return the sittings of texts in any order: texts with close times belong to the same sitting."""
    numbers = np.full(len(times), ALONE, np.intp)
    known = np.flatnonzero(~np.isnan(times))
    order = known[np.argsort(times[known], kind="stable")]
    numbers[order] = sittings_of_talk(times[order])
    return numbers


def beside(values: F64, sittings: Rows | None, before: float, after: float) -> F64:
    """Return the weighted values of the turns before and after each turn, if of the same sitting.

    Values have the shape (queries, turns), here and below.
    """
    found = np.zeros(values.shape)
    together = np.ones(max(0, values.shape[1] - 1)) if sittings is None else sittings[1:] == sittings[:-1]
    found[:, 1:] += before * values[:, :-1] * together
    found[:, :-1] += after * values[:, 1:] * together
    return found


def best_of_sitting(values: F64, sittings: Rows) -> F64:
    """Return, for each text, the mean of the `BEST_OF_SITTING` highest values of its sitting; 0 without a sitting."""
    found = np.zeros(values.shape)
    inside = np.flatnonzero(sittings != ALONE)
    if len(inside):
        for number, of_query in enumerate(values):
            found[number, inside] = _best_means(of_query[inside], sittings[inside])
    return found


def _best_means(values: F64, sittings: Rows) -> F64:
    """Return the means of `best_of_sitting` for a single query and texts that all have a sitting."""
    order = np.lexsort((-values, sittings))
    labels = sittings[order]
    starts = np.flatnonzero(np.diff(labels, prepend=ALONE))
    ranks = np.arange(len(order)) - np.repeat(starts, np.diff(starts, append=len(order)))
    best = order[ranks < BEST_OF_SITTING]
    sums = np.bincount(sittings[best], values[best])
    sizes = np.bincount(sittings[best])
    return (sums / np.maximum(sizes, 1))[sittings]


def best_source(turns: F64, surroundings: Surroundings, shape: tuple[int, ...]) -> F64:
    """Return, for each text, the highest value among the turns it was made from, 0 without any."""
    found = np.zeros(shape)
    for of_query, given in zip(found, turns, strict=True):
        np.maximum.at(of_query, surroundings.source_owners, given[surroundings.source_turns])
    return found


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
