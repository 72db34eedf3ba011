"""Decisions: what a policy made of the candidates, as columns, and the totals that follow from them."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from inspector.assembly.budget import Budget
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, I32, I64, U8, Action, Bool, Fate, Kind, Rows, Section, State, frozen
from inspector.assembly.finding_kinds import FindingKind
from inspector.assembly.reasons import Reason
from inspector.derived import cached_property
from inspector.model import Severity

NO_LIMIT = np.iinfo(np.int64).min
"""Stands in the column `left` where no limit applied."""

_SECTIONS = len(Section)
NO_RANK = -1
"""Stands in the column `rank` for what was dropped before any policy saw it."""


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """Something about an assembly that a person should know: a sentence with its figures, and the rows it concerns.

    `graded` is how bad this one is, where that is not what its kind says, `advised` the advice for its policy. Two
    findings are equal if they say the same
    about the same rows.
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
        """The name of its kind for scripts."""
        return self.kind.code

    @property
    def severity(self) -> Severity:
        """How bad it is."""
        return self.graded or self.kind.severity

    @property
    def advice(self) -> str:
        """What a user can do about it, under the policy of its case where there is one."""
        return self.kind.general_advice if self.advised is None else self.advised


@dataclass(frozen=True, slots=True)
class Failure:
    """Why no prompt was made: an error code for scripts, and a sentence."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Joined:
    """One message of the prompt that several candidates share.

    Its text is the `heading`, then `mark` and text of each row, joined by `joint`.
    """

    role: str
    rows: Rows
    heading: str = ""
    mark: str = ""
    joint: str = "\n"


@dataclass(frozen=True, slots=True)
class Run:
    """Messages of the prompt that are candidates themselves, one for each row.

    Those that are `moved` do not stand where they were said.
    """

    rows: Rows
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Each:
    """The texts of candidates one after another in a message, each after an opening of its own, and before an ending.

    `opening(row)` gives the literal text before a row; it is asked when the message is looked at, not now. `form` names
    it for `Candidates.form_tokens`. `spelled` writes a text in another way than it was counted, as with entities in
    place of `<`: what that adds belongs to no item.
    """

    rows: Rows
    form: Hashable
    opening: Callable[[int], str]
    ending: str = ""
    spelled: Callable[[str], str] | None = None

    def pieces(self) -> Iterator[str | int]:
        """Literal texts and rows, in order."""
        for row in self.rows.tolist():
            yield self.opening(row)
            yield row
            if self.ending:
                yield self.ending


@dataclass(frozen=True)
class Composed:
    """One message of the prompt put together from literal texts, the texts of candidates (their rows), and many such.

    `name` is that of its speaker, "" for none.
    """

    role: str
    parts: tuple[str | int | Each, ...]
    name: str = ""

    @cached_property
    def rows(self) -> Rows:
        """The rows of the candidates in it, in its order."""
        parts = (part.rows if isinstance(part, Each) else [part] for part in self.parts if not isinstance(part, str))
        return np.concatenate([np.empty(0, np.intp), *parts]).astype(np.intp, copy=False)

    @property
    def pieces(self) -> tuple[str | int, ...]:
        """Its literal texts and rows, in order: takes a while where they are many."""
        return tuple(chain.from_iterable(part.pieces() if isinstance(part, Each) else (part,) for part in self.parts))

    def written(self, assembly: "Assembly") -> list[str]:
        """The texts of the pieces as they stand in the message."""
        return [text for part in self.parts for text in _written(part, assembly)]


def _written(part: str | int | Each, assembly: "Assembly") -> Iterator[str]:
    """The texts of the pieces of one part."""
    pieces = part.pieces() if isinstance(part, Each) else (part,)
    spelled = (part.spelled if isinstance(part, Each) else None) or str
    return (piece if isinstance(piece, str) else spelled(assembly.text(piece)) for piece in pieces)


Block = Joined | Composed | Run
TextOf = Callable[[int], str]
Layout = Callable[["Assembly"], tuple[Block, ...]]


@dataclass(frozen=True, eq=False)
class Assembly:
    """The result of a policy: one decision for each candidate, as columns of the candidates' length.

    `action`, `reason` (an index into `reasons`) and `section` say what and why; `spent` is what the item costs in this
    prompt in tokens (0 when dropped), `left` the budget left in its section just before it was decided (`NO_LIMIT`
    where none applied), `score` what it was ranked by (NaN: by nothing),
    `guaranteed` whether it was kept whatever it cost. `form` says which of `texts` gives the text of a row in the
    prompt, `costs` what it costs in that form, spent or not, and `charges` what the policy set against its limits for
    it, which is the cost unless the policy counts in a way of its own. `classes` are the `MessageClass` that a strategy
    took messages for, None where it looked at none. `decided` are the rows themselves in the order of decision, without
    those that no policy saw; of another length.
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

    @cached_property
    def rank(self) -> I32:
        """The place of each candidate in the order of decision, NO_RANK for those that no policy saw."""
        return frozen(ranks_of(self.decided, len(self.candidates)))

    @cached_property
    def in_prompt(self) -> Bool:
        """Mask of the candidates that are in the prompt, whole or not."""
        return self.action != int(Action.DROPPED)

    @cached_property
    def used(self) -> I64:
        """Tokens spent by section, indexed by `Section`."""
        if not len(self.section):
            return np.zeros(_SECTIONS, np.int64)
        # Run by run, of which there are few: sums with weights over every row are slow.
        starts = np.concatenate([[0], (self.section[1:] != self.section[:-1]).nonzero()[0] + 1])
        sums = np.add.reduceat(self.spent, starts, dtype=np.int64)
        return np.bincount(self.section[starts], weights=sums, minlength=_SECTIONS).astype(np.int64)

    @cached_property
    def items_total(self) -> int:
        """Tokens spent by all items together."""
        return int(self.used.sum())

    @cached_property
    def fate(self) -> U8:
        """What became of each candidate, a `Fate`: its action, unless it does not exist yet at the replayed turn."""
        is_later = self.candidates.state == int(State.NOT_YET)
        return np.where(is_later, np.uint8(Fate.NOT_YET), self.action) if is_later.any() else self.action

    @cached_property
    def fate_counts(self) -> I64:
        """How many candidates met each fate, indexed by `Fate`."""
        return _counts(self.fate, len(Fate))

    @cached_property
    def action_counts(self) -> I64:
        """How many candidates met each action, indexed by `Action`; what does not exist yet is among the dropped."""
        return _counts(self.action, len(Action))

    @cached_property
    def section_counts(self) -> I64:
        """How many candidates are listed under each section, in the prompt or not, indexed by `Section`."""
        return _counts(self.section, len(Section))

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The messages of the prompt, in order; none after an error."""
        return () if self.error else self.layout(self)

    @cached_property
    def order(self) -> Rows:
        """Every row once: what is in the prompt as it stands there, the rest beside what it belongs to."""
        return _listed(self)

    @cached_property
    def rows_in_prompt(self) -> Rows:
        """The rows that are in the prompt, whole or not, in the order of `by_kind`."""
        return np.concatenate([self.kept_rows(kind) for kind in Kind])

    def kept_rows(self, kind: Kind) -> Rows:
        """The rows of a kind that are in the prompt, whole or not, in the order of `by_kind`."""
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
            return messages  # the array that all assemblies of these items share
        return np.concatenate([self._others_by_kind, messages])

    @cached_property
    def _others_decided(self) -> Rows:
        """The rows before the messages in the order of decision, without those that no policy saw."""
        places = (self.decided < self.candidates.items.first_message).nonzero()[0]
        return self.decided[places].astype(np.intp)

    @cached_property
    def _others_by_kind(self) -> Rows:
        """What `by_kind` has before the messages."""
        candidates = self.candidates
        closed = (~candidates.open[: candidates.items.first_message]).nonzero()[0]
        others = np.concatenate([closed, self._others_decided])
        groups = candidates.kind[others] * np.uint8(2) + ~self.in_prompt[others]
        return others[groups.argsort(kind="stable")]

    def reason_of(self, row: int) -> Reason:
        """The reason of one row."""
        return self.reasons[int(self.reason[row])]

    def left_of(self, row: int) -> int | None:
        """The budget left before one row was decided, None where no limit applied."""
        left = int(self.left[row])
        return None if left == NO_LIMIT else left

    def short_by(self, row: int) -> int:
        """How many tokens more the budget would have needed for a row when it was decided; 0 where it lacked none."""
        left = self.left_of(row)
        return 0 if left is None else max(0, int(self.charges[row]) - left)

    def text(self, row: int) -> str:
        """The text that stands in the prompt for one row; "" when it is dropped."""
        return self.texts[int(self.form[row])](row) if self.in_prompt[row] else ""

    def text_to_read(self, row: int) -> str:
        """The text that stands in the prompt for one row; of one that is dropped its whole text."""
        return self.text(row) if self.in_prompt[row] else self.candidates.texts[row]


def ranks_of(order: I32, size: int) -> I32:
    """The place of each of so many rows in an order of decision, NO_RANK for those that it has not."""
    ranks = np.full(size, NO_RANK, np.int32)
    ranks[order] = np.arange(len(order), dtype=np.int32)
    return ranks


def _counts(values: U8, size: int) -> I64:
    """How often each number below `size` is there: few of them are counted one by one, ten times as fast."""
    return np.array([np.count_nonzero(values == value) for value in range(size)], np.int64)


def _listed(assembly: Assembly) -> Rows:
    """The rows of the prompt in its order, with the others put in: a message into the first run of messages, where it
    was said, anything else after what is there of its own or an earlier kind."""
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


def _after_its_kind(kind: U8, placed: Rows, rows: Rows) -> Rows:
    """For each row the place after the last placed one of its own or an earlier kind."""
    ends = np.zeros(len(Kind), np.intp)
    places = np.flatnonzero(kind[placed] != int(Kind.MESSAGE))
    np.maximum.at(ends, kind[placed[places]], places + 1)
    return np.maximum.accumulate(ends)[kind[rows]]


def _where_said(blocks: tuple[Block, ...], messages: Rows) -> Rows:
    """For each message the place in the prompt's rows where it would stand in the first run that was not moved."""
    start = 0
    for block in blocks:
        if isinstance(block, Run) and not block.moved:
            return start + np.searchsorted(block.rows, messages)
        start += len(block.rows)
    return np.full(len(messages), start)
