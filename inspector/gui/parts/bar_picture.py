"""The contents of the budget bar as values, without widgets: segments in prompt order, with places on the scale."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Section, section_title, word
from inspector.assembly.decisions import Assembly
from inspector.assembly.recorded_requests import REMAINDER_TITLE
from inspector.figures import counted, figures, percentage

_HELD_OUT = ("over_budget", "after_stop")
"""The codes of reasons for which the limit of its section holds an item out."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of the bar, in tokens. `section` is None for formatting, the remainder, reply and free.

    `limit` is the section's own before borrowing (None: none), `borrowed` the loan on top, `is_full` whether they hold
    an item out, `note` a further sentence for the tooltip.
    """

    word: str
    title: str
    section: Section | None
    start: int
    tokens: int
    limit: int | None = None
    borrowed: int = 0
    is_full: bool = False
    note: str = ""

    @property
    def end(self) -> int:
        """The end on the scale."""
        return self.start + self.tokens


@dataclass(frozen=True, slots=True)
class BarPart:
    """A possible part of the bar, with or without tokens; `section` is None for formatting, reply and free."""

    word: str
    title: str
    section: Section | None = None


@dataclass(frozen=True, slots=True)
class Limit:
    """The room of one section, or of several that share it, as a stretch of the bar: `tokens` from `start` on.

    `words` are the sections.
    """

    words: tuple[str, ...]
    start: int
    tokens: int

    @property
    def end(self) -> int:
        """The limit's place on the scale."""
        return self.start + self.tokens

    @property
    def title(self) -> str:
        """The figure at its end."""
        return figures(self.tokens)


@dataclass(frozen=True, slots=True)
class Loan:
    """Room that a section lends another, in tokens, and the part of it spent by the borrower.

    `source` is its origin on the scale, the middle of the lender; `start` and `end` are the stretch opened to the
    borrower beyond its own limit.
    """

    lender: Section
    borrower: Section
    tokens: int
    spent: int
    source: float
    start: int
    end: int

    @property
    def sentence(self) -> str:
        """The loan in words."""
        used = "all" if self.spent == self.tokens else f"{self.spent:,}" if self.spent else "none"
        lender, borrower = section_title(self.lender), section_title(self.borrower).lower()
        return f"{lender} lent {counted(self.tokens, 'token')} to {borrower}, which spends {used} of them."


@dataclass(frozen=True, slots=True)
class BarPicture:
    """The whole bar, in tokens: `total` is items and formatting, `reserve` the room kept for the reply.

    `remainder` is what the recorded request had besides, which is not in the file.

    `parts` are those that the conversation can fill, whatever the policy keeps. `estimated`: the total and its derived
    values are not, or not yet, real counts.
    """

    segments: tuple[Segment, ...]
    window: int
    total: int
    reserve: int
    estimated: bool
    loans: tuple[Loan, ...] = ()
    limits: tuple[Limit, ...] = ()
    parts: tuple[BarPart, ...] = ()
    remainder: int = 0

    @property
    def used(self) -> int:
        """The tokens of total, remainder and reserve."""
        return self.total + self.remainder + self.reserve

    @property
    def over(self) -> int:
        """The used tokens beyond the window."""
        return max(0, self.used - self.window)

    @property
    def free(self) -> int:
        """The tokens of the window that are not used."""
        return max(0, self.window - self.used)

    @property
    def scale(self) -> int:
        """The tokens over the width of the bar: the window, or more if it is exceeded."""
        return max(self.window + self.over, 1)

    def named(self, name: str) -> Segment | None:
        """Return the segment with this word."""
        return next((segment for segment in self.segments if segment.word == name), None)

    def limit_of(self, name: str) -> Limit | None:
        """Return the limit that applies to the section of this word."""
        return next((limit for limit in self.limits if name in limit.words), None)

    def loans_of(self, name: str) -> tuple[Loan, ...]:
        """Return the loans to or from the section of this word."""
        return tuple(loan for loan in self.loans if name in (word(loan.lender), word(loan.borrower)))

    def figures(self, segment: Segment) -> str:
        """Return the tokens of a segment; only the reply is a set value."""
        return figures(segment.tokens, self._is_estimated(segment))

    def _is_estimated(self, segment: Segment) -> bool:
        return self.estimated and segment.word != "reserve"

    @property
    def total_text(self) -> str:
        """The sum: `prompt 8,129 + reply 4,080`."""
        besides = f" + not in the file {figures(self.remainder, self.estimated)}" if self.remainder else ""
        reply = f" + reply {self.reserve:,}" if self.reserve else ""
        return f"prompt {figures(self.total, self.estimated)}{besides}{reply}"

    @property
    def rest_text(self) -> str:
        """The remaining or missing room: `79 free of 12,288`, `685 over 12,288`."""
        if self.over:
            return f"{figures(self.over, self.estimated)} over {self.window:,}"
        return f"{figures(self.free, self.estimated)} free of {self.window:,}"

    def sentence(self, segment: Segment) -> str:
        """Return a segment in words: name, tokens, share of the window, limit and loan."""
        parts = [f"{segment.title}: {counted(segment.tokens, 'token', estimated=self._is_estimated(segment))}"]
        if self.window:
            parts.append(f"{percentage(segment.tokens / self.window)} of the window")
        if segment.limit is not None:
            parts.append(f"limit {segment.limit:,}")
        if segment.borrowed:
            parts.append(f"{segment.borrowed:,} borrowed")
        if segment.is_full:
            parts.append("full")
        return ", ".join(parts) + "." + (f" {segment.note}" if segment.note else "")

    def sentence_of(self, part: BarPart) -> str:
        """Return a part in words, even without tokens."""
        segment = self.named(part.word)
        return f"{part.title}: no tokens." if segment is None else self.sentence(segment)

    @property
    def description(self) -> str:
        """The whole bar in words, for screen readers."""
        sentences = [*map(self.sentence, self.segments), *(loan.sentence for loan in self.loans)]
        return f"{self.total_text}, {self.rest_text}. " + " ".join(sentences)


def bar_picture(answer: Answer) -> BarPicture:
    """Return the bar of an answer: its sections in prompt order, formatting, remainder, reply and free room."""
    budget, ledger = answer.assembly.budget, answer.ledger
    segments = [*_sections(answer), _overhead(answer), *_remainder(answer), *_rest(answer)]
    return BarPicture(
        tuple(segment for segment in segments if segment.tokens > 0),
        budget.context_window,
        ledger.total,
        budget.response_reserve,
        ledger.estimated,
        tuple(_loans(answer, {segment.section: segment for segment in segments})),
        tuple(_limits(segments)),
        tuple(_parts(answer, segments)),
        answer.remainder,
    )


def _parts(answer: Answer, segments: Iterable[Segment]) -> Iterator[BarPart]:
    """Yield the parts in the legend, which stay the same while a slider moves, so that no entry moves."""
    there = answer.assembly.section_counts.tolist()
    for segment in segments:
        if segment.section is None or segment.tokens or there[segment.section]:
            yield BarPart(segment.word, segment.title, segment.section)


def _limits(segments: Iterable[Segment]) -> Iterator[Limit]:
    """Yield the limits, including those of empty sections; limits below 0 have no place on the bar.

    A section that may fill what another has left, as lore after memories, shares its limit: both end at one place.
    """
    shared: dict[int, list[Segment]] = {}
    for segment in segments:
        if segment.section is not None and segment.limit is not None and segment.limit + segment.borrowed > 0:
            shared.setdefault(segment.start + segment.limit + segment.borrowed, []).append(segment)
    for end, sharing in shared.items():
        first = sharing[0]
        words = tuple(segment.word for segment in sharing)
        yield Limit(words, first.start, end - first.start)


def _sections(answer: Answer) -> Iterator[Segment]:
    start, full = 0, _full_sections(answer.assembly)
    budgets = answer.assembly.budget.sections
    for section in Section:
        tokens, budget = int(answer.assembly.used[section]), budgets.get(section)
        limit, borrowed = (budget.limit, budget.borrowed) if budget else (None, 0)
        is_full = section in full
        yield Segment(word(section), section_title(section), section, start, tokens, limit, borrowed, is_full)
        start += tokens


def _full_sections(assembly: Assembly) -> frozenset[Section]:
    """Return the sections whose limits hold an item out."""
    codes = [number for number, reason in enumerate(assembly.reasons) if reason.code in _HELD_OUT]
    if not codes:
        return frozenset()
    is_held = np.logical_or.reduce([assembly.reason == code for code in codes])
    limited = [section for section, budget in assembly.budget.sections.items() if budget.limit is not None]
    return frozenset(section for section in limited if (is_held & (assembly.section == int(section))).any())


def _loans(answer: Answer, segments: Mapping[Section | None, Segment]) -> Iterator[Loan]:
    """Yield the loans of sections, with their places on the scale."""
    for section, budget in answer.assembly.budget.sections.items():
        if budget.lender is None or budget.limit is None or budget.borrowed <= 0:
            continue
        lender, borrower = segments[budget.lender], segments[section]
        own_end = borrower.start + max(budget.limit, 0)
        spent = min(max(borrower.end - own_end, 0), budget.borrowed)
        middle = lender.start + lender.tokens / 2
        yield Loan(budget.lender, section, budget.borrowed, spent, middle, own_end, own_end + budget.borrowed)


def _overhead(answer: Answer) -> Segment:
    ledger = answer.ledger
    lines = "; ".join(f"{line.name} {figures(line.tokens)}" for line in ledger.lines if line.tokens)
    note = f"Of which {lines}." if lines else ""
    return Segment("overhead", "Formatting", None, ledger.items, ledger.overhead, note=note)


def _remainder(answer: Answer) -> Iterator[Segment]:
    """Yield what the recorded request had besides and the file has not, if anything."""
    found = answer.recorded
    if found is not None and found.remainder:
        likely = "Within the error of the count" if found.is_within else f"Most likely the {found.likely}"
        note = f"{likely}. Recorded {found.prompt:,} behind this answer, counted {found.counted:,}."
        yield Segment("remainder", REMAINDER_TITLE, None, answer.ledger.total, found.remainder, note=note)


def _rest(answer: Answer) -> Iterator[Segment]:
    """Yield the reply, and the free room with the safety margin as far as it fits."""
    budget, total = answer.assembly.budget, answer.ledger.total + answer.remainder
    free = max(0, answer.room)
    margin = min(budget.safety_margin, free)
    note = f"{margin:,} of it {'is' if margin == 1 else 'are'} the safety margin." if margin else ""
    reserve = Segment("reserve", "Reply", None, total, budget.response_reserve)
    yield reserve
    yield Segment("free", "Free", None, reserve.end, free, note=note)


FEWEST_TOKENS = 20
"""The least number of tokens shown by a bar."""
_AIR = 1.04


@dataclass(frozen=True, slots=True)
class BarZoom:
    """A stretch of a bar of `whole` tokens: `tokens` of them, starting at `first`."""

    whole: int
    first: float = 0.0
    tokens: float = 0.0

    @classmethod
    def all_of(cls, whole: int) -> "BarZoom":
        """Return the whole bar."""
        return cls(whole, 0.0, float(whole))

    @property
    def is_whole(self) -> bool:
        """Whether the whole bar is visible."""
        return self.tokens >= self.whole

    @property
    def last(self) -> float:
        """The end of the stretch, in tokens."""
        return self.first + self.tokens

    def of(self, whole: int) -> "BarZoom":
        """Return the same stretch of a bar of another length, or all of it if the whole bar was visible."""
        return BarZoom.all_of(whole) if self.is_whole else _within(whole, self.first, self.tokens)

    def scaled(self, factor: float, at: float) -> "BarZoom":
        """Return the stretch with `factor` times as many tokens; the token `at` stays in place."""
        tokens = min(max(self.tokens * factor, FEWEST_TOKENS), self.whole)
        return _within(self.whole, at - (at - self.first) * tokens / self.tokens, tokens)

    def moved(self, tokens: float) -> "BarZoom":
        """Return the stretch moved on by this many tokens, within the bar."""
        return _within(self.whole, self.first + tokens, self.tokens)

    def fitted(self, used: int) -> "BarZoom":
        """Return the used part of the bar from its beginning, with a small margin."""
        return _within(self.whole, 0.0, max(used * _AIR, FEWEST_TOKENS))

    def with_all_of(self, start: int, end: int) -> "BarZoom":
        """Return the stretch moved just far enough to show a segment, or the beginning of a longer segment."""
        if self.first <= start and end <= self.last:
            return self
        return self.moved(min(start - self.first, 0) or max(min(end - self.last, start - self.first), 0))


def _within(whole: int, first: float, tokens: float) -> BarZoom:
    tokens = min(max(tokens, min(FEWEST_TOKENS, whole)), whole)
    return BarZoom(whole, min(max(first, 0.0), whole - tokens), float(tokens))
