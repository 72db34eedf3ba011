"""Candidates: everything that could enter the prompt, as columns of equal length, in prompt order."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from inspector.assembly.columns import (
    F64,
    HOME_SECTION,
    I32,
    ROLE_NUMBER,
    U8,
    Bool,
    Kind,
    Rows,
    State,
    frozen,
)
from inspector.assembly.items import MOST_FORMS, FormCounts, ItemTexts, Thing
from inspector.assembly.media_costs import NO_MEDIA, MediaCosts
from inspector.assembly.message_marks import MessageMarks
from inspector.derived import Derived, Deriving, cached_property
from inspector.retrieval.lore.outcome import Activation
from inspector.retrieval.similarity import RECORDED_ONLY, Likeness, Measure, Similarity
from inspector.tokens.certainty import Certainty
from inspector.tokens.counting import TokenCounts
from inspector.tokens.spread import Bounds


@dataclass(frozen=True, eq=False)
class Candidates(Deriving):
    """Read-only columns, one row per candidate, in prompt order (by `Kind`, then as in the file).

    `n` candidates, of which `m` are messages: the last ones. A column has the shape (n,) unless it says otherwise; NaN
    or -1 means unknown. A changed column makes a new value, so identity is the version.

    Cost, in tokens:
        tokens: the whole item, as recorded in the file, else counted, else estimated.
        exact: whether `tokens` is a real or a recorded count.
        recorded: whether the file gave the count.
        frame_tokens: tokens added to a message by the chat template; 0 for everything else.
        line_tokens, shape (n - m,): the item as a line of a list, such as a memory in the memory block.
        images: the number of pictures, sounds and films.
        media: the costs of what is no text in the messages, which `tokens` includes.
        is_own: whether texts are counted by the model's own vocabulary.
    Identity and state:
        kind: a `Kind`, rising.
        role: an index into `ROLES`, NO_ROLE for all but messages.
        state: a `State`: whether a policy decides it at all.
        pinned: whether it is kept first, whatever it costs; only for open candidates.
        active: False for lore without activation and for components switched off.
        required: True for components no policy may leave out.
        has_summary: whether the file has a summary of a message.
        marks: marks of messages: emotional weight, key moment, filler; see `MessageMarks`.
    Ranking:
        similarity: to the query, 0-1; NaN without a query, and for kinds without comparison.
        similarity_origin: an `Origin` for each similarity.
        priority: a memory's own, 0-100, or a component's number, of which the lowest goes first; NaN for none.
        type_priority: the value of the type of a memory, 0-100; NaN for everything else.
        confidence: 0-1; NaN where none is recorded.
        time: seconds since 1970, UTC; NaN if unknown.
    For all of them together:
        now: the clock for ages, in seconds since 1970; NaN if no time is known.
        query: the compared text, "" before the comparison and where there is none.
        measure: how texts are compared with the query.
        activations: the outcome for each row of lore, in their order.
        talk: compares the messages with queries; None before anything is compared.
        likenesses: for each kind, the comparer of its rows with queries, and its result for this query.
        before_messages: cache of values derived from the rows before the messages, independent of the messages and the
            clock: turns at which these rows are alike share it.
        before_query: cache of values independent of the query: copies compared with other queries share it.
    """

    items: ItemTexts
    counts: TokenCounts
    kind: U8
    role: U8
    tokens: I32
    exact: Bool
    recorded: Bool
    frame_tokens: I32
    line_tokens: I32
    state: U8
    pinned: Bool
    active: Bool
    required: Bool
    similarity: F64
    similarity_origin: U8
    priority: F64
    type_priority: F64
    confidence: F64
    marks: MessageMarks
    has_summary: Bool
    images: I32
    time: F64
    now: float
    query: str = ""
    media: MediaCosts = NO_MEDIA
    is_own: bool = False
    measure: Measure = RECORDED_ONLY
    activations: tuple[Activation, ...] = ()
    talk: Similarity | None = None
    likenesses: Mapping[Kind, tuple[Similarity, Likeness]] = field(default_factory=dict)
    before_messages: Derived = field(default_factory=Derived, init=False, repr=False)
    before_query: Derived = field(default_factory=Derived, init=False, repr=False)
    _derived: dict[str, dict[Hashable, Any]] = field(default_factory=dict, init=False, repr=False)

    def __len__(self) -> int:
        return len(self.kind)

    def in_scope(
        self,
        *,
        state: U8,
        is_open: Bool,
        pinned: Bool,
        active: Bool,
        activations: tuple[Activation, ...],
        now: float,
        before_messages: Derived,
    ) -> "Candidates":
        """Return the same candidates at another clock, open as in `state`."""
        # Computed once here for all copies made of these.
        _ = self.bounds, self.kinds, self.home_section, self.sources_of_counts, self.has_estimates
        _ = self.certainties, self.has_results
        columns = {"state": state, "pinned": pinned, "active": active, "activations": activations, "now": now}
        columns |= {"open": is_open, "before_query": Derived()}  # which are open is already known to the caller
        return self._copied(_OF_SCOPE, columns, before_messages)

    def compared(
        self,
        *,
        query: str,
        measure: Measure,
        talk: Similarity,
        similarity: F64,
        origin: U8,
        likenesses: Mapping[Kind, tuple[Similarity, Likeness]],
        before_messages: Derived,
    ) -> "Candidates":
        """Return the same candidates compared with a query."""
        columns = {"query": query, "measure": measure, "talk": talk, "likenesses": likenesses}
        columns |= {"similarity": similarity, "similarity_origin": origin}
        return self._copied(_OF_QUERY, columns, before_messages)

    def _copied(self, others: Iterable[str], columns: Mapping[str, Any], before_messages: Derived) -> "Candidates":
        """Return a copy with other columns, keeping all derived values but `others`.

        Replays make two for each turn, and `dataclasses.replace` would work out every mask of rows again.
        """
        copy = object.__new__(type(self))
        values = copy.__dict__
        values.update(self.__dict__)
        for name in others:
            values.pop(name, None)
        values.update(columns, before_messages=before_messages, _derived={})
        return copy

    @property
    def clock(self) -> float | None:
        """The clock for ages, None if no time is known; unlike `now` it equals itself where ages are equal."""
        return None if np.isnan(self.now) else self.now

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids as shown in answers, unique over all candidates."""
        return self.items.names

    @property
    def things(self) -> tuple[Thing, ...]:
        """The source object of each row."""
        return self.items.things

    def beginning(self, row: int, limit: int) -> str:
        """Return the first `limit` tokens of a row's text."""
        return self.counts.tokenizer.first(self.texts[row], limit)

    @property
    def texts(self) -> tuple[str, ...]:
        """The whole text of each row, placeholders replaced and tool calls written out."""
        return self.items.texts

    @cached_property
    def estimated(self) -> Bool:
        """Mask of the candidates whose tokens are shown as an estimate."""
        return frozen(self.certainty >= Certainty.ESTIMATE)

    @cached_property
    def certainty(self) -> U8:
        """The `Certainty` of the tokens of each candidate: of its text, and of its media.

        Texts counted by another vocabulary, and those not counted yet, are estimates. A count that the file gives is
        taken as it is, by that rule.
        """
        by_own = self.is_own and self.counts.tokenizer.exact
        found = np.where(self.exact & by_own, np.uint8(Certainty.EXACT), np.uint8(Certainty.ESTIMATE))
        found[self.media.rows] = np.maximum(found[self.media.rows], self.media.certainty)
        found[self.recorded] = Certainty.RULE
        return frozen(found)

    @cached_property
    def certainties(self) -> tuple[Certainty, ...]:
        """The different certainties of the candidates, in rising order of doubt."""
        return tuple(Certainty(int(one)) for one in np.flatnonzero(np.bincount(self.certainty)))

    @cached_property
    def has_results(self) -> bool:
        """Whether any message is the result of a tool."""
        return bool((self.role == ROLE_NUMBER["tool"]).any())

    @cached_property
    def token_bounds(self) -> Bounds:
        """The least and the most that `tokens` may be by the errors of the tokenizer and of the rules for media: the
        same where none is known, and where the file gave the count.
        """
        low, high = (bound.copy() for bound in self.counts.bounds_at(self.items.places("texts", self.counts)))
        low[self.media.rows] += self.media.low
        high[self.media.rows] += self.media.high
        least, most = np.minimum(low, self.tokens), np.maximum(high, self.tokens)
        fixed = self.recorded
        return Bounds(frozen(np.where(fixed, self.tokens, least)), frozen(np.where(fixed, self.tokens, most)))

    @cached_property
    def has_estimates(self) -> bool:
        """Whether the tokens of any candidate, and so the rest of a budget, are an estimate."""
        return bool(self.estimated.any())

    @cached_property
    def sources_of_counts(self) -> tuple[int, int]:
        """How many candidates are not counted yet, and how many counts come from the file."""
        return int(np.count_nonzero(~self.exact)), int(np.count_nonzero(self.recorded))

    @cached_property
    def bounds(self) -> tuple[int, ...]:
        """The first row of each kind, indexed by `Kind`, followed by the number of candidates."""
        return tuple(np.searchsorted(self.kind, np.arange(len(Kind) + 1)).tolist())

    @cached_property
    def kinds(self) -> frozenset[Kind]:
        """The kinds with at least one candidate."""
        return frozenset(kind for kind, (start, stop) in zip(Kind, pairwise(self.bounds), strict=True) if start < stop)

    @cached_property
    def _rows_by_kind(self) -> tuple[Rows, ...]:
        bounds = self.bounds
        # Kept with the items: with a million messages, every copy of the candidates would hold 8 MB of its own.
        made = lambda: tuple(frozen(np.arange(*pair)) for pair in pairwise(bounds))  # noqa: E731 - of these bounds
        return self.items.derived("rows by kind", bounds, made)

    def rows(self, kind: Kind) -> Rows:
        """Return all rows of a kind, in prompt order."""
        return self._rows_by_kind[kind]

    @cached_property
    def open(self) -> Bool:
        """Mask of the candidates decided by the policy: neither excluded nor later than the replayed turn."""
        return frozen(self.state == int(State.OPEN))

    @cached_property
    def open_rows(self) -> tuple[Rows, ...]:
        """The open rows of each kind, indexed by `Kind`."""
        *others, messages = self._rows_by_kind
        made = lambda: tuple(map(self._open_of, others))  # noqa: E731 - the same at many turns
        return (*self.before_messages.derived("open rows", (), made), self._open_of(messages))

    def _open_of(self, rows: Rows) -> Rows:
        """Return the open rows of a kind, as a view of the shared array where they are its first rows."""
        if not len(rows):
            return rows
        is_open = self.open[rows[0] : rows[-1] + 1]
        count = int(np.count_nonzero(is_open))
        if count == len(rows) or np.count_nonzero(is_open[:count]) == count:
            return rows[:count] if count < len(rows) else rows
        return frozen(is_open.nonzero()[0] + rows[0])

    @cached_property
    def replacement_counts(self) -> tuple[I32, Bool]:
        """Tokens of each message's replacement text, and whether they are a real count; from the first message on."""
        return self.counts.at(self.items.places("replacements", self.counts))

    @cached_property
    def caller_tokens(self) -> I32:
        """The cost of each message with tool calls without its calls: as recorded, else the count of its content.

        One number for each of `items.callers`.
        """
        callers = self.items.callers
        counted, _ = self.counts.at(self.items.places("caller_contents", self.counts))
        return frozen(np.where(self.recorded[callers], self.tokens[callers], counted))

    @cached_property
    def thought_tokens(self) -> I32:
        """The tokens of the thoughts of each of `items.thinkers`, without their frames."""
        return frozen(self.counts.at(self.items.places("thoughts", self.counts))[0])

    def replacement_tokens(self, rows: Rows) -> I32:
        """Return the tokens of the replacement texts of these message rows."""
        return self.replacement_counts[0][rows - self.items.first_message]

    def replacement(self, row: int) -> str:
        """Return the replacement text of a summarized message."""
        return self.items.replacements[row - self.items.first_message]

    def cut_tokens(self, rows: Rows, limit: int) -> I32:
        """Return the tokens of these rows after cutting each text to its first `limit` tokens."""
        return self.form_tokens(rows, ("first tokens", limit), lambda row: self.beginning(row, limit))

    def form_tokens(self, rows: Rows, form: Hashable, text_of: Callable[[int], str]) -> I32:
        """Return the tokens of these rows in the form named by `form`, with texts from `text_of`.

        The count of each row is remembered per form, so the name has to include everything on which the text depends.
        The oldest of many forms are forgotten.
        """
        tokenizer, forms = self.counts.tokenizer, self.items.forms
        known = forms.setdefault((tokenizer.name, form), FormCounts())
        for oldest in list(forms)[:-MOST_FORMS]:  # another thread may forget the same
            forms.pop(oldest, None)
        return known.of(rows, lambda unknown: tokenizer.count([text_of(row) for row in unknown.tolist()]))

    def rows_named(self, names: Iterable[str]) -> Rows:
        """Return the rows of these ids, in any accepted form; unknown ids are skipped."""
        found = self.items.rows_called(names)
        return np.array(sorted({row for rows in found.values() for row in rows}), dtype=np.intp)

    @cached_property
    def home_section(self) -> U8:
        """The section that lists each candidate unless a policy names another."""
        return self.items.derived("home section", self.bounds, lambda: frozen(_HOMES[self.kind]))

    @cached_property
    def open_user_turns(self) -> Bool:
        """For each open message, in order, whether a user wrote it."""
        rows = self.existing_messages
        # A slice of an unbroken run takes half the time: for a long chat this runs once per turn.
        is_run = len(rows) and rows[-1] - rows[0] + 1 == len(rows)
        roles = self.role[rows[0] : rows[-1] + 1] if is_run else self.role[rows]
        return frozen(roles == ROLE_NUMBER["user"])

    @property
    def existing_messages(self) -> Rows:
        """Rows of the open messages: neither excluded nor later than the replayed turn."""
        return self.open_rows[Kind.MESSAGE]

    @cached_property
    def newest_user_text(self) -> str:
        """The text of the last open user message, "" if there is none: the query of a prompt."""
        newest_first = self.open_user_turns[::-1]
        place = int(newest_first.argmax()) if len(newest_first) else 0  # that of a user, if there is any
        return self.texts[self.existing_messages[~place]] if np.count_nonzero(newest_first) else ""

    @cached_property
    def current_message(self) -> Rows:
        """The row of the message for the model to answer: the last open one, if it is a user's; else no row."""
        newest = self.existing_messages[-1:]
        return newest[self.role[newest] == ROLE_NUMBER["user"]]

    @cached_property
    def earlier_messages(self) -> Rows:
        """The rows of the open messages before the current one."""
        return self.existing_messages[: len(self.existing_messages) - len(self.current_message)]

    @cached_property
    def message_likeness(self) -> Likeness:
        """The likeness of each earlier message to the query, and its origin; NaN without a query.

        Columns of the candidates' length, NaN for everything else. A policy reading it has the trait
        `compares_messages`. It is computed on first use and kept until the query or the open rows change.
        """
        similarity, origins = np.full(len(self), np.nan), np.zeros(len(self), np.uint8)
        if (found := self.talk_likeness) is not None:
            similarity[self.earlier_messages], origins[self.earlier_messages] = found.values, found.origins
        return Likeness(frozen(similarity), frozen(origins))

    @cached_property
    def talk_likeness(self) -> Likeness | None:
        """The likeness of the earlier messages in their order, with its parts."""
        if self.talk is None:
            return None
        return self.talk.to_query(self.query, self.measure, among=self.earlier_messages - self.items.first_message)


_HOMES = np.array([HOME_SECTION[kind] for kind in Kind], np.uint8)
_OF_QUERY = ("message_likeness", "talk_likeness")
"""The values derived from the query."""
_OF_SCOPE = (
    *("open", "open_rows", "open_user_turns", "newest_user_text", "current_message"),
    *("earlier_messages", *_OF_QUERY),
)
"""The values derived from the open rows."""
