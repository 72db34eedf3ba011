"""What the budget bar shows, as values: segments in prompt order, each with its place on the scale. Knows no widget."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Section, word
from inspector.figures import figures
from inspector.gui.theme import section_title, share_text


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of the bar, in tokens. `section` is None for overhead, reserve and free.

    `limit` is that of the section before borrowing (None: none), `borrowed` what it was lent on top, `note` one more
    sentence for whoever points at it.
    """

    word: str
    title: str
    section: Section | None
    start: int
    tokens: int
    limit: int | None = None
    borrowed: int = 0
    note: str = ""

    @property
    def end(self) -> int:
        """Where it ends on the scale."""
        return self.start + self.tokens

    @property
    def limit_end(self) -> int | None:
        """Where it would end if its section were full, loan included; None without a limit."""
        return None if self.limit is None else self.start + self.limit + self.borrowed


@dataclass(frozen=True, slots=True)
class Loan:
    """Room that one section lends another, in tokens, and how many of them that one spent.

    `source` is the place on the scale that it comes from, the middle of the lender; `start` and `end` are the stretch
    that it opens to the borrower beyond its own limit.
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
        return f"{lender} lent {self.tokens:,} tokens to {borrower}, which spends {used} of them."


@dataclass(frozen=True, slots=True)
class BarPicture:
    """The whole bar: `total` is items and overhead, `over` what total and reserve exceed the window by, in tokens."""

    segments: tuple[Segment, ...]
    window: int
    total: int
    over: int
    exact: bool
    loans: tuple[Loan, ...] = ()

    @property
    def scale(self) -> int:
        """Tokens that the width of the bar stands for: the window, or what exceeds it."""
        return max(self.window + self.over, 1)

    def named(self, name: str) -> Segment | None:
        """The segment of this word."""
        return next((segment for segment in self.segments if segment.word == name), None)

    @property
    def total_text(self) -> str:
        """Such as `22,515 of 32,768 tokens`."""
        return f"{figures(self.total, not self.exact)} of {self.window:,} tokens"

    @property
    def rest_text(self) -> str:
        """What the window still has, or how far the prompt is over it."""
        if self.over:
            return f"{figures(self.over, not self.exact)} over the window"
        free = self.named("free")
        return f"{figures(free.tokens if free else 0, not self.exact)} free"

    def sentence(self, segment: Segment) -> str:
        """A segment in words: name, tokens, share of the window, limit and loan."""
        estimated = not self.exact and segment.word not in ("reserve", "free")
        parts = [f"{segment.title}: {figures(segment.tokens, estimated)} tokens"]
        if self.window:
            parts.append(f"{share_text(segment.tokens / self.window)} of the window")
        if segment.limit is not None:
            parts.append(f"limit {segment.limit:,}")
        if segment.borrowed:
            parts.append(f"{segment.borrowed:,} borrowed")
        return ", ".join(parts) + "." + (f" {segment.note}" if segment.note else "")

    @property
    def description(self) -> str:
        """The whole bar in words, for who does not see it."""
        sentences = [*map(self.sentence, self.segments), *(loan.sentence for loan in self.loans)]
        return f"{self.total_text}, {self.rest_text}. " + " ".join(sentences)


def bar_picture(answer: Answer) -> BarPicture:
    """The bar of an answer: its sections in prompt order, then overhead, reserve and what is free."""
    budget, ledger = answer.assembly.budget, answer.ledger
    over = max(0, ledger.total + budget.response_reserve - budget.context_window)
    segments = [*_sections(answer), _overhead(answer), *_rest(answer)]
    return BarPicture(
        tuple(segment for segment in segments if segment.tokens > 0),
        budget.context_window,
        ledger.total,
        over,
        ledger.exact,
        tuple(_loans(answer, {segment.section: segment for segment in segments})),
    )


def _sections(answer: Answer) -> Iterator[Segment]:
    start = 0
    budgets = answer.assembly.budget.sections
    for section in Section:
        tokens, budget = int(answer.assembly.used[section]), budgets.get(section)
        limit, borrowed = (budget.limit, budget.borrowed) if budget else (None, 0)
        yield Segment(word(section), section_title(section), section, start, tokens, limit, borrowed)
        start += tokens


def _loans(answer: Answer, segments: Mapping[Section | None, Segment]) -> Iterator[Loan]:
    """What sections were lent, with their places on the scale."""
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
    lines = "; ".join(f"{line.name} {line.tokens:,}" for line in ledger.lines if line.tokens)
    note = f"Of which {lines}." if lines else ""
    return Segment("overhead", "Overhead", None, ledger.items, ledger.overhead, note=note)


def _rest(answer: Answer) -> Iterator[Segment]:
    """Reserve, with the safety margin as far as there is room for it, and what is free."""
    budget, total = answer.assembly.budget, answer.ledger.total
    left = max(0, budget.context_window - total - budget.response_reserve)
    margin = min(budget.safety_margin, left)
    note = f"{margin:,} of them are the safety margin." if margin else ""
    reserve = Segment("reserve", "Reserve", None, total, budget.response_reserve + margin, note=note)
    yield reserve
    yield Segment("free", "Free", None, reserve.end, left - margin)
