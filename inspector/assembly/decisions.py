"""Decisions: the result of a policy for its candidates, as columns, and the totals that follow from them."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from inspector.assembly.budget import Budget
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, I32, I64, U8, Action, Bool, Fate, Kind, Rows, Section, State, frozen
from inspector.assembly.compaction import NO_COMPACTIONS, Compactions, Event
from inspector.assembly.finding_kind import FindingKind
from inspector.assembly.reasons import Reason
from inspector.derived import cached_property
from inspector.model import Severity

NO_LIMIT = np.iinfo(np.int64).min
"""In the column `left`: no limit applied."""

_SECTIONS = len(Section)
NO_RANK = -1
"""In the column `rank`: dropped before any policy saw it."""


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """A statement about an assembly for the user: a sentence with its figures, and the rows it concerns.

    `graded` is its severity if it differs from the kind's, `advised` the advice for its policy. Two findings are equal
    if they make the same statement about the same rows.
    """

    kind: FindingKind
    message: str
    rows: Rows = field(default_factory=lambda: np.empty(0, np.intp))
    graded: Severity | None = None
    advised: str | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Finding):
            return NotImplemented
        said, theirs = (self.kind, self.message, self.graded), (other.kind, other.message, other.graded)
        return said == theirs and np.array_equal(self.rows, other.rows)

    def __hash__(self) -> int:
        return hash((self.kind, self.message, self.graded))

    @property
    def code(self) -> str:
        """The code of its kind, for scripts."""
        return self.kind.code

    @property
    def severity(self) -> Severity:
        """The severity of this finding."""
        return self.graded or self.kind.severity

    @property
    def advice(self) -> str:
        """The advice for the user, for the policy of its case if there is one."""
        return self.kind.general_advice if self.advised is None else self.advised


@dataclass(frozen=True, slots=True)
class Failure:
    """The reason why no prompt was made: an error code for scripts, and a sentence."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Joined:
    """A message of the prompt shared by several candidates.

    Its text is the `heading`, then `mark` and text of each row, joined by `joint`.
    """

    role: str
    rows: Rows
    heading: str = ""
    mark: str = ""
    joint: str = "\n"


@dataclass(frozen=True, slots=True)
class Run:
    """Messages of the prompt that are candidates themselves, one per row.

    `moved` messages are not where they were said.
    """

    rows: Rows
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Each:
    """The texts of candidates in sequence within a message, each with its own opening before it and an ending after it.

    `opening(row)` gives the literal text before a row; it is called when the message is read, not earlier. `form` names
    it for `Candidates.form_tokens`. `spelled` writes a text differently from the counted one, for example with entities
    in place of `<`; the added tokens belong to no item.
    """

    rows: Rows
    form: Hashable
    opening: Callable[[int], str]
    ending: str = ""
    spelled: Callable[[str], str] | None = None

    def pieces(self) -> Iterator[str | int]:
        """Yield literal texts and rows, in order."""
        for row in self.rows.tolist():
            yield self.opening(row)
            yield row
            if self.ending:
                yield self.ending


@dataclass(frozen=True)
class Composed:
    """A message of the prompt composed of literal texts, of texts of candidates (their rows), and of `Each` parts.

    `name` is the name of its speaker, "" for none. `summary` is the number of the compaction it is, 0 for none: its
    tokens are those of that item.
    """

    role: str
    parts: tuple[str | int | Each, ...]
    name: str = ""
    summary: int = 0

    @cached_property
    def rows(self) -> Rows:
        """The rows of its candidates, in its order."""
        parts = (part.rows if isinstance(part, Each) else [part] for part in self.parts if not isinstance(part, str))
        return np.concatenate([np.empty(0, np.intp), *parts]).astype(np.intp, copy=False)

    @property
    def pieces(self) -> tuple[str | int, ...]:
        """Its literal texts and rows, in order; slow for many of them."""
        return tuple(chain.from_iterable(part.pieces() if isinstance(part, Each) else (part,) for part in self.parts))

    def written(self, assembly: "Assembly") -> list[str]:
        """Return the texts of the pieces as written in the message."""
        return [text for part in self.parts for text in _written(part, assembly)]


def _written(part: str | int | Each, assembly: "Assembly") -> Iterator[str]:
    """Yield the texts of the pieces of a part."""
    pieces = part.pieces() if isinstance(part, Each) else (part,)
    spelled = (part.spelled if isinstance(part, Each) else None) or str
    return (piece if isinstance(piece, str) else spelled(assembly.text(piece)) for piece in pieces)


Block = Joined | Composed | Run
TextOf = Callable[[int], str]
Layout = Callable[["Assembly"], tuple[Block, ...]]


@dataclass(frozen=True, eq=False)
class Assembly:
    """The result of a policy: one decision for each candidate, as columns of the candidates' length.

    `action`, `reason` (an index into `reasons`) and `section` are the decision and its reason; `spent` is the cost of
    the item in this prompt in tokens (0 when dropped), `left` the budget left in its section just before its decision
    (`NO_LIMIT` if none applied), `score` its ranking score (NaN for none), `guaranteed` whether it was kept whatever
    its cost. `form` is the index in `texts` of the function for the text of a row in the prompt, `costs` its cost in
    this form, spent or not, and `charges` the amount charged against the limits of the policy, equal to the cost unless
    the policy counts in its own way. `classes` are the `MessageClass` assigned to messages by a strategy, None if it
    classified none. `decided` has another length: the rows in the order of decision, without those no policy saw.
    `compactions` are the summaries of a session in their order, which are items beside the candidates, `into` the
    number of the summary that tells each candidate (0 for none, None without compactions), and `events` the moments at
    which the program shortened its list.
    """

    candidates: Candidates
    budget: Budget
    reasons: tuple[Reason, ...]
    action: U8
    reason: U8
    section: U8
    spent: I32
    decided: I32
    left: I64
    score: F64
    guaranteed: Bool
    form: U8
    costs: I32
    charges: I32
    texts: tuple[TextOf, ...]
    layout: Layout
    findings: tuple[Finding, ...] = ()
    error: Failure | None = None
    classes: U8 | None = None
    compactions: Compactions = NO_COMPACTIONS
    into: I32 | None = None
    events: Sequence[Event] = ()

    @cached_property
    def rank(self) -> I32:
        """The place of each candidate in the order of decision, NO_RANK for those no policy saw."""
        return frozen(ranks_of(self.decided, len(self.candidates)))

    @cached_property
    def in_prompt(self) -> Bool:
        """Mask of the candidates in the prompt, whole or not."""
        return self.action != int(Action.DROPPED)

    @cached_property
    def used(self) -> I64:
        """Tokens spent by section, indexed by `Section`."""
        if not len(self.section):
            return np.zeros(_SECTIONS, np.int64)
        # By runs, which are few: weighted sums over all rows are slow.
        starts = np.concatenate([[0], (self.section[1:] != self.section[:-1]).nonzero()[0] + 1])
        sums = np.add.reduceat(self.spent, starts, dtype=np.int64)
        used = np.bincount(self.section[starts], weights=sums, minlength=_SECTIONS).astype(np.int64)
        used[Section.HISTORY] += self.summaries_total
        return used

    @cached_property
    def summaries_total(self) -> int:
        """Tokens of the summaries in the prompt that tell many messages."""
        return int(self.compactions.sizes[self.compactions.stands].sum())

    @cached_property
    def items_total(self) -> int:
        """Tokens spent by all items together."""
        return int(self.used.sum())

    @cached_property
    def fate(self) -> U8:
        """The `Fate` of each candidate: its action, unless it does not exist yet at the replayed turn."""
        is_later = self.candidates.state == int(State.NOT_YET)
        return np.where(is_later, np.uint8(Fate.NOT_YET), self.action) if is_later.any() else self.action

    @cached_property
    def fate_counts(self) -> I64:
        """The number of items with each fate, indexed by `Fate`: of candidates and of the program's summaries."""
        return _counts(self.fate, len(Fate)) + np.bincount(self.compactions.actions, minlength=len(Fate))

    @cached_property
    def action_counts(self) -> I64:
        """The same by `Action`; items that do not exist yet count as dropped."""
        return _counts(self.action, len(Action)) + np.bincount(self.compactions.actions, minlength=len(Action))

    @cached_property
    def section_counts(self) -> I64:
        """The number of candidates listed under each section, in the prompt or not, indexed by `Section`."""
        return _counts(self.section, len(Section))

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The messages of the prompt, in order; none after an error."""
        return () if self.error else self.layout(self)

    @cached_property
    def order(self) -> Rows:
        """Every row once: rows of the prompt in its order, the others next to the rows to which they belong."""
        return _listed(self)

    @cached_property
    def listed(self) -> Rows:
        """Every row of `order` with the summaries of the program among them, as `listed_compactions` places them.

        The `number`-th summary is row `len(candidates) + number - 1`.
        """
        return _with_summaries(self) if self.compactions else self.order

    @cached_property
    def rows_in_prompt(self) -> Rows:
        """The rows in the prompt, whole or not, in the order of `by_kind`."""
        return np.concatenate([self.kept_rows(kind) for kind in Kind])

    def kept_rows(self, kind: Kind) -> Rows:
        """Return the rows of a kind in the prompt, whole or not, in the order of `by_kind`."""
        start, stop = self.candidates.bounds[kind], self.candidates.bounds[kind + 1]
        if start == stop:
            return self.candidates.rows(kind)
        if kind == Kind.MESSAGE or stop - start == 1:
            return self.in_prompt[start:stop].nonzero()[0] + start
        rows = self._others_decided
        return rows[(rows >= start) & (rows < stop) & self.in_prompt[rows]]

    @cached_property
    def by_kind(self) -> Rows:
        """Every row once: by kind in prompt order, messages as they were said, others kept first by rank."""
        messages = self.candidates.rows(Kind.MESSAGE)
        if not self.candidates.items.first_message:
            return messages  # the array shared by all assemblies of these items
        return np.concatenate([self._others_by_kind, messages])

    @cached_property
    def _others_decided(self) -> Rows:
        """The rows before the messages in the order of decision, without those no policy saw."""
        places = (self.decided < self.candidates.items.first_message).nonzero()[0]
        return self.decided[places].astype(np.intp)

    @cached_property
    def _others_by_kind(self) -> Rows:
        """The part of `by_kind` before the messages."""
        candidates = self.candidates
        closed = (~candidates.open[: candidates.items.first_message]).nonzero()[0]
        others = np.concatenate([closed, self._others_decided])
        groups = candidates.kind[others] * np.uint8(2) + ~self.in_prompt[others]
        return others[groups.argsort(kind="stable")]

    def reason_of(self, row: int) -> Reason:
        """Return the reason for the decision about a row."""
        return self.reasons[int(self.reason[row])]

    def left_of(self, row: int) -> int | None:
        """Return the budget left before a row was decided, None if no limit applied."""
        left = int(self.left[row])
        return None if left == NO_LIMIT else left

    def short_by(self, row: int) -> int:
        """Return the tokens missing from the budget for a row when it was decided, 0 if none were missing."""
        left = self.left_of(row)
        return 0 if left is None else max(0, int(self.charges[row]) - left)

    def text(self, row: int) -> str:
        """Return the text of a row in the prompt, "" if it is dropped."""
        return self.texts[int(self.form[row])](row) if self.in_prompt[row] else ""

    def text_to_read(self, row: int) -> str:
        """Return the text of a row in the prompt; the whole text of a dropped row."""
        return self.text(row) if self.in_prompt[row] else self.candidates.texts[row]


def ranks_of(order: I32, size: int) -> I32:
    """Return the place of each of `size` rows in an order of decision, NO_RANK for rows missing from it."""
    ranks = np.full(size, NO_RANK, np.int32)
    ranks[order] = np.arange(len(order), dtype=np.int32)
    return ranks


def _counts(values: U8, size: int) -> I64:
    """Count each number below `size`. For few numbers separate counts are ten times as fast."""
    return np.array([np.count_nonzero(values == value) for value in range(size)], np.int64)


def _listed(assembly: Assembly) -> Rows:
    """Return the rows of the prompt in its order with the others inserted.

    A message is inserted into the first run of messages, where it was said, any other row after those of its own or an
    earlier kind.
    """
    rest, parts = assembly.by_kind, [block.rows for block in assembly.blocks]
    if not parts:
        return rest
    placed = np.concatenate(parts)
    has_one_run_at_its_end = not any(isinstance(block, Run) for block in assembly.blocks[:-1])
    if has_one_run_at_its_end and np.array_equal(assembly.rows_in_prompt, placed):
        return rest
    is_placed = np.zeros(len(rest), np.bool_)
    is_placed[placed] = True
    if has_one_run_at_its_end and np.array_equal(rest[is_placed[rest]], placed):
        return rest
    rest = rest[~is_placed[rest]]
    is_message = assembly.candidates.kind[rest] == int(Kind.MESSAGE)
    before = _after_its_kind(assembly.candidates.kind, placed, rest[~is_message])
    return np.insert(placed, np.concatenate([before, _where_said(assembly.blocks, rest[is_message])]), rest)


NO_ROW = -1
"""In `listed_compactions`: before every row."""


def listed_compactions(assembly: Assembly) -> dict[int, Rows]:
    """Return the numbers of the summaries that tell many messages, by the row of `order` after which each is listed.

    One in the prompt is listed after the message before it there, and after it follow those that it tells; the others
    come first.
    """
    found: dict[int, list[Rows]] = {}
    if not assembly.compactions:
        return {}
    rest, into = np.arange(1, len(assembly.compactions) + 1, dtype=np.intp), assembly.compactions.into
    places = ranks_of(assembly.order.astype(np.int32), len(assembly.order))
    last = NO_ROW
    for block in assembly.blocks:
        if isinstance(block, Composed) and block.summary:
            is_told = (into[rest - 1] > 0) & (rest < block.summary)
            found.setdefault(last, []).extend([np.array([block.summary], np.intp), rest[is_told]])
            rest = rest[~is_told & (rest != block.summary)]
        elif len(block.rows):
            last = int(block.rows[places[block.rows].argmax()])
    found.setdefault(NO_ROW, []).insert(0, rest)
    return {row: np.concatenate(numbers) for row, numbers in found.items()}


def _with_summaries(assembly: Assembly) -> Rows:
    """Return the rows of `order`, each summary inserted after the row after which it is listed."""
    order, first = assembly.order, len(assembly.candidates) - 1
    ranks = ranks_of(order.astype(np.int32), len(order))
    listed = listed_compactions(assembly)
    places = [0 if row == NO_ROW else int(ranks[row]) + 1 for row in listed]
    at = np.repeat(places, [len(numbers) for numbers in listed.values()])
    return np.insert(order, at, first + np.concatenate([*listed.values()]))


def _after_its_kind(kind: U8, placed: Rows, rows: Rows) -> Rows:
    """For each row, return the place after the last placed row of its own or an earlier kind."""
    ends = np.zeros(len(Kind), np.intp)
    places = np.flatnonzero(kind[placed] != int(Kind.MESSAGE))
    np.maximum.at(ends, kind[placed[places]], places + 1)
    return np.maximum.accumulate(ends)[kind[rows]]


def _where_said(blocks: tuple[Block, ...], messages: Rows) -> Rows:
    """For each message, return its place among the prompt's rows if it were in the first unmoved run."""
    start = 0
    for block in blocks:
        if isinstance(block, Run) and not block.moved:
            return start + np.searchsorted(block.rows, messages)
        start += len(block.rows)
    return np.full(len(messages), start)
