"""Relevance: the candidates compared with the query, and their likeness to it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, U8, Kind, Rows, frozen
from inspector.assembly.items import Thing
from inspector.derived import Derived, cached_property
from inspector.figures import percentage
from inspector.retrieval.duplicates import DuplicateSearch, groups_of, near_duplicates
from inspector.retrieval.relevance.kinds import Sides
from inspector.retrieval.relevance.surroundings import PARTS, Months, Surroundings
from inspector.retrieval.similarity import Likeness, Measure, Origin, Similarity
from inspector.retrieval.vectors.embedding import TextVectors
from inspector.secrets import masked

_LEAST_SHOWN = 0.005
_MOST_REMEMBERED = 1_000_000
"""The most similarities remembered, of all queries together: up to 40 MB."""
_MOST_QUERIES = 10_000
_COMPARED = (Kind.MEMORY, Kind.LORE, Kind.PASSAGE, Kind.SUMMARY)
_Question = tuple[str, Measure]
_Found = tuple[Likeness, ...]


@dataclass(frozen=True, eq=False)
class Compared:
    """Things with their texts, and the comparer of these texts with queries."""

    things: tuple[Thing, ...]
    texts: tuple[str, ...]
    similarity: Similarity


@dataclass(frozen=True, eq=False)
class Relevance:
    """The rows with a similarity, and the comparer of each kind of them, in the order of those rows.

    `talk` compares the messages, all but a draft, whatever takes part in the end.
    """

    rows: Rows
    groups: tuple[Compared, ...]
    talk: Compared
    _known: dict[_Question, _Found] = field(default_factory=dict, init=False, repr=False)

    def texts(self, way: str) -> Iterator[str]:
        """Yield the texts compared with a query in this way."""
        return (text for group in self.groups for text in group.similarity.compared(way))

    def awaiting_index(self, measure: Measure, compares_messages: bool) -> list[Similarity]:
        """Return the comparers whose words still have to be indexed."""
        wanted = [*self.groups, *((self.talk,) if compares_messages or self._needs_talk(measure) else ())]
        return [group.similarity for group in wanted if group.similarity.awaits_index(measure.way)]

    def ranked(self, candidates: Candidates, query: str, measure: Measure) -> Candidates:
        """Return the same candidates with the similarities of these rows to a query."""
        return next(self.ranked_each([(candidates, query, measure)]))

    def ranked_each(self, asked: Sequence[tuple[Candidates, str, Measure]]) -> Iterator[Candidates]:
        """Yield the same for many candidates, each with its own query and measure, computed together."""
        turns = [self._turns(*one) for one in asked]
        alone = [(query, measure) for (_, query, measure), of_talk in zip(asked, turns, strict=True) if of_talk is None]
        found = self._found(alone)
        for (candidates, query, measure), of_talk in zip(asked, turns, strict=True):
            likenesses = (
                found[query, measure]
                if of_talk is None
                else tuple(group.similarity.to_query(query, measure, of_talk) for group in self.groups)
            )
            yield self._with(candidates, query, measure, likenesses)

    def _with(self, candidates: Candidates, query: str, measure: Measure, found: _Found) -> Candidates:
        """Return the candidates with the likeness found for each group."""

        def columns() -> tuple[F64, U8, Derived]:
            similarity, origin = candidates.similarity, candidates.similarity_origin
            if len(self.rows):
                similarity, origin = similarity.copy(), origin.copy()
                similarity[self.rows] = np.concatenate([like.values for like in found])
                origin[self.rows] = np.concatenate([like.origins for like in found])
            return frozen(similarity), frozen(origin), Derived()

        # A reply makes another turn with the same query.
        similarity, origin, before_messages = candidates.before_messages.derived("compared", found, columns)
        groups = [group.similarity for group in self.groups]
        return candidates.compared(
            query=query,
            similarity=similarity,
            origin=origin,
            measure=measure,
            talk=self.talk.similarity,
            likenesses=dict(zip(_COMPARED, zip(groups, found, strict=True), strict=True)),
            before_messages=before_messages,
        )

    def _found(self, asked: Sequence[_Question]) -> Mapping[_Question, _Found]:
        """Return the likenesses for each query and remember the latest: a reply makes a new turn with the same query.

        Another replay of the same conversation, as when a slider moves, asks the same queries as well.
        """
        known = self._known
        found = {question: likenesses for question in asked if (likenesses := known.get(question))}
        for measure, queries in _by_measure(question for question in dict.fromkeys(asked) if question not in found):
            of_groups = [group.similarity.to_each(queries, measure) for group in self.groups]
            found.update(zip(((query, measure) for query in queries), zip(*of_groups, strict=True), strict=True))
        known.update(found)
        most = max(len(asked), min(_MOST_QUERIES, _MOST_REMEMBERED // max(1, len(self.rows))))
        for oldest in list(known)[:-most] if len(known) > most else ():  # another thread may forget the same
            known.pop(oldest, None)
        return found

    def _turns(self, candidates: Candidates, query: str, measure: Measure) -> F64 | None:
        """Return the similarity of the query to the open messages, if memories were made from any of them."""
        if not query.strip() or not measure.words or not self._needs_talk(measure):
            return None
        return self.talk.similarity.talk(query, measure, candidates.earlier_messages - candidates.items.first_message)

    def _needs_talk(self, measure: Measure) -> bool:
        return measure.settings.sources > 0 and any(group.similarity.needs_talk(measure.way) for group in self.groups)


def _by_measure(asked: Iterable[_Question]) -> Iterator[tuple[Measure, list[str]]]:
    """Group the queries by their measure."""
    queries: dict[Measure, list[str]] = {}
    for query, measure in asked:
        queries.setdefault(measure, []).append(query)
    return iter(queries.items())


def similarity_parts(candidates: Candidates, row: int) -> tuple[dict[str, float], tuple[str, ...]]:
    """Return the terms of a row's similarity, by the names of `PARTS`, and the words of the query in its text.

    Empty if it is not fused.
    """
    compared, likeness, place, number = _compared(candidates, row)
    if compared is None or likeness is None or not likeness.parts or likeness.origins[place] != Origin.FUSED:
        return {}, ()
    parts = {name: float(values[place]) for name, values in likeness.parts.items()}
    return parts, _seen(compared.words_found(candidates.query, number, candidates.measure), candidates.query)


def _seen(words: tuple[str, ...], query: str) -> tuple[str, ...]:
    """Return the words without those of secrets in the query, which could not be recognized as such on their own."""
    shown = masked(query)
    if shown == query:
        return words
    shown = shown.casefold()
    return tuple(word for word in words if word.casefold() in shown)


def _compared(candidates: Candidates, row: int) -> tuple[Similarity | None, Likeness | None, int, int]:
    """Return the comparer of a row and its result, the row's place in it, and its place among all of its texts."""
    kind = Kind(candidates.kind[row])
    if kind != Kind.MESSAGE:
        place = row - int(candidates.rows(kind)[0])
        compared, likeness = candidates.likenesses.get(kind, (None, None))
        return compared, likeness, place, place
    place = int(np.searchsorted(candidates.earlier_messages, row))
    if row not in candidates.earlier_messages[place : place + 1]:
        return None, None, 0, 0
    return candidates.talk, candidates.talk_likeness, place, row - candidates.items.first_message


def similarity_words(candidates: Candidates, row: int) -> str:
    """Return the parts of the similarity of a row, such as `0.40 its own words (boat, rain) + 0.11 its vector`.

    "" if it is not fused.
    """
    parts, words = similarity_parts(candidates, row)
    named = f" ({', '.join(words)})" if words else ""
    terms = [
        f"{value:.2f} {PARTS[name]}{named if name == 'words' else ''}"
        for name, value in parts.items()
        if value >= _LEAST_SHOWN
    ]
    kind = kind_words(candidates) if terms and candidates.kind[row] == Kind.MESSAGE else ""
    return " + ".join(terms) + (f", {kind}" if kind else "")


def kind_words(candidates: Candidates) -> str:
    """Return how far messages are weighed as those of a chat with an assistant; "" if they are not."""
    if candidates.talk is None:
        return ""
    turns = candidates.earlier_messages - candidates.items.first_message
    degree = candidates.talk.assistance(candidates.measure, turns)
    return f"weighed {percentage(degree)} for an assistant's long replies" if degree >= _LEAST_SHOWN else ""


def relevance_of(candidates: Candidates, before: Relevance | None = None) -> Relevance:
    """Return the comparers for candidates, before any comparison.

    Comparers from `before` are reused if unchanged: a draft makes other items and leaves every index valid.
    """
    rows = [candidates.rows(kind) for kind in _COMPARED]
    talk = _talk(candidates, before.talk if before else None)
    # The sources of the groups are places in the talk.
    known = before.groups if before and before.talk is talk else (None,) * len(rows)
    groups = tuple(_group(candidates, some, talk, same) for some, same in zip(rows, known, strict=True))
    return Relevance(np.concatenate(rows), groups, talk)


def _talk(candidates: Candidates, before: Compared | None) -> Compared:
    """Return the comparer of the messages, with the facts about them besides their texts."""
    said = slice(candidates.items.first_message, len(candidates) - candidates.items.has_draft)
    things, texts = candidates.things[said], candidates.texts[said]
    if before is not None and (before.things, before.texts) == (things, texts):
        return before
    names = [getattr(thing, "name", "") for thing in things]
    around = Surroundings(
        names if any(names) else (), _months(things), candidates.time[said], is_talk=True, sides=sides_of(things, texts)
    )
    return Compared(things, texts, Similarity(texts, candidates.similarity[said], around))


def sides_of(things: Sequence[Thing], texts: Sequence[str]) -> Sides:
    """Return which of these messages are replies, and how long each text is."""
    roles = [getattr(thing, "role", "") for thing in things]
    sizes = np.array(
        [len(text) if role in ("user", "assistant") else 0 for role, text in zip(roles, texts, strict=True)]
    )
    logarithms = np.log(sizes, out=np.full(len(sizes), np.nan), where=sizes > 0)
    return Sides(np.array([role == "assistant" for role in roles], np.bool_), logarithms)


def _group(candidates: Candidates, rows: Rows, talk: Compared, before: Compared | None) -> Compared:
    """Return the comparer of things other than messages, with their times and their source messages."""
    those = slice(int(rows[0]), int(rows[-1]) + 1) if len(rows) else slice(0)
    things, texts = candidates.things[those], candidates.texts[those]
    if before is not None and (before.things, before.texts) == (things, texts):
        return before
    owners, turns = _sources(things, talk.things)
    around = Surroundings((), _months(things), candidates.time[those], source_owners=owners, source_turns=turns)
    return Compared(things, texts, Similarity(texts, candidates.similarity[those], around))


def _sources(things: tuple[Thing, ...], said: tuple[Thing, ...]) -> tuple[Rows, Rows]:
    """Return pairs of places: of a thing, and of its source message or the message it repeats."""
    named = [(number, name) for number, thing in enumerate(things) for name in _named_sources(thing)]
    wanted = {name for _, name in named}
    places = {thing.id: place for place, thing in enumerate(said) if thing.id in wanted} if wanted else {}  # type: ignore[union-attr]
    pairs = [(number, places[name]) for number, name in named if name in places]
    owners, turns = np.array(pairs, np.intp).reshape(-1, 2).T
    return owners, turns


def _named_sources(thing: Thing) -> tuple[str, ...]:
    named = getattr(thing, "message_id", "")
    return (named,) if named else getattr(thing, "source_messages", ())


def _months(things: tuple[Thing, ...]) -> Months:
    times: list[datetime | None] = [getattr(thing, "time", None) for thing in things]
    return [(time.year, time.month) if time else None for time in times] if any(times) else ()


@dataclass(frozen=True, eq=False)
class MemoryTexts:
    """The memories to search: all of them, whatever takes part now; `first` is the row of the first.

    `vectors` are given only if all of them are compared with the query by these vectors; else words are compared.
    """

    first: int
    texts: tuple[str, ...]
    vectors: TextVectors | None

    def __len__(self) -> int:
        return len(self.texts)

    def search(self) -> Iterator[DuplicateSearch]:
        """Search for near-repeats among the texts, in parts; the last result is complete."""
        return near_duplicates(self.texts, self.vectors.matrix(self.texts) if self.vectors else None)


@dataclass(frozen=True, eq=False)
class NearDuplicates:
    """For each memory, from the row `first` on, the first memory of its group (itself if it is like no other)."""

    first: int
    labels: Rows

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The rows of candidates with nearly the same content, at least two in each group."""
        return tuple(tuple(self.first + place for place in group) for group in groups_of(self.labels))

    @cached_property
    def grouped(self) -> Rows:
        """The rows of candidates in any of the groups."""
        return self.first + np.flatnonzero(np.bincount(self.labels, minlength=1)[self.labels] > 1)

    @cached_property
    def _companions(self) -> dict[int, tuple[int, ...]]:
        return {row: group for group in self.groups for row in group}

    def like(self, row: int) -> tuple[int, ...]:
        """Return the other rows with nearly the same content; none for most."""
        return tuple(other for other in self._companions.get(row, ()) if other != row)


class DuplicateSearches:
    """The results for the current memories: by their words, and by the vectors of each model."""

    def __init__(self) -> None:
        self._looked_through: tuple[object, MemoryTexts] | None = None
        # One value: other threads read it while it is replaced.
        self._found: tuple[tuple[str, ...], Mapping[tuple[int, TextVectors | None], NearDuplicates]] = ((), {})
        self._adding = Lock()

    def memories(self, candidates: Candidates) -> MemoryTexts:
        """Return the memories to search for these candidates, made once for the same items and way of comparing."""
        measure = candidates.measure
        key = (candidates.items, measure.way, measure.vectors)
        looked_through = self._looked_through
        if looked_through is None or looked_through[0] != key:
            looked_through = self._looked_through = (key, _memory_texts(candidates))
        return looked_through[1]

    def known(self, candidates: Candidates) -> NearDuplicates | None:
        """Return the near-duplicates among these candidates, None before a search."""
        memories, (texts, found) = self.memories(candidates), self._found
        if memories.texts is not texts and memories.texts != texts:
            return None
        return found.get((memories.first, memories.vectors))

    def add(self, memories: MemoryTexts, labels: Rows) -> None:
        """Add the result of a search; results for other memories are discarded."""
        with self._adding:
            texts, found = self._found
            kept = found if memories.texts == texts else {}
            added = {(memories.first, memories.vectors): NearDuplicates(memories.first, labels)}
            self._found = (memories.texts, {**kept, **added})


def _memory_texts(candidates: Candidates) -> MemoryTexts:
    rows = candidates.rows(Kind.MEMORY)
    first = int(rows[0]) if len(rows) else 0
    # Vectors of items with a recorded similarity may exist, from other candidates; this must not change the result.
    compared = np.isin(candidates.similarity_origin[rows], (Origin.EMBEDDING, Origin.HYBRID, Origin.FUSED)).all()
    vectors = candidates.measure.vectors if compared else None
    return MemoryTexts(first, candidates.texts[first : first + len(rows)], vectors)
