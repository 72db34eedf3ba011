"""The ledger: collects the decisions of an assembly and is closed once every candidate has been decided."""

from collections.abc import Sequence

import numpy as np

from inspector.assembly.budget import Budget, ContextWindow, SectionBudget
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, I32, I64, U8, Action, Bool, Kind, Rows, Section, State, frozen
from inspector.assembly.compaction import NO_COMPACTIONS, Compactions, Event
from inspector.assembly.decisions import NO_LIMIT, Assembly, Failure, Finding, Layout, TextOf, ranks_of
from inspector.assembly.finding_kind import FindingKind
from inspector.assembly.packing import Places, either, first_fit, first_of, left_before, rest_of, run_of, until_full
from inspector.assembly.reasons import (
    AFTER_STOP,
    EXCLUDED,
    NOT_DECIDED,
    NOT_YET,
    OVER_BUDGET,
    WITHIN_BUDGET,
    Reason,
)
from inspector.figures import in_number

_UNDECIDED = np.uint8(255)
_AS_COST = -1
_NOT_KEPT = np.uint8(Action.DROPPED)
_NONE = np.empty(0, np.int32)
_NO_ROWS = np.empty(0, np.intp)
_CLOSED = {int(State.NOT_YET): NOT_YET, int(State.EXCLUDED): EXCLUDED}
"""Why candidates in these states are dropped before any policy sees them."""


class LedgerError(Exception):
    """A policy decided a candidate twice or not at all, took back a row it must keep, or made an unsound assembly."""


class _Forms:
    """The forms of rows in the prompt other than their own text, created with the first of them."""

    def __init__(self, size: int) -> None:
        self.number = np.zeros(size, np.uint8)
        self.action = np.full(size, int(Action.KEPT), np.uint8)
        self.reason = np.full(size, _UNDECIDED, np.uint8)


class Ledger:
    """The decisions of an assembly in progress. Mutable inside a policy's call only.

    Excluded and not yet existing candidates are decided from the start; `open` marks the others.
    """

    def __init__(self, candidates: Candidates, window: ContextWindow) -> None:
        size = len(candidates)
        self.candidates = candidates
        self.window = window
        self.open = candidates.open
        self._action = self.open * (_UNDECIDED - _NOT_KEPT) + _NOT_KEPT  # np.where takes three times as long
        self._reason = np.zeros(size, np.uint8)
        self._section = candidates.home_section.copy()
        self._spent = np.zeros(size, np.int32)
        self._left = self._plain("no limits", NO_LIMIT).copy()  # copying takes half as long as filling a column
        self._score: F64 | None = None
        self._guaranteed = np.zeros(size, np.bool_)
        self._forms: _Forms | None = None
        self._texts: list[TextOf] = [candidates.texts.__getitem__]
        self.costs: I32 = candidates.tokens
        self._charged: I32 | None = None
        self._reasons: dict[Reason, int] = {}
        self._sections: dict[Section, SectionBudget] = {}
        self._findings: list[Finding] = []
        self._classes: U8 | None = None
        self._order: list[Rows | I32] = []
        self._compactions = NO_COMPACTIONS
        self._into: I32 | None = None
        self._events: Sequence[Event] = ()
        self._closed = left = size - int(np.count_nonzero(self.open))
        for state, reason in _CLOSED.items() if left else ():
            closed = candidates.state == state
            if (count := int(np.count_nonzero(closed))) and (code := self._code(reason)):
                self._reason[closed] = code  # the first has code 0, the initial value
            left -= count
            if not left:
                break

    def rows(self, *kinds: Kind) -> Rows:
        """Return the open rows of these kinds, in prompt order."""
        open_rows = self.candidates.open_rows
        if len(kinds) == 1:
            return open_rows[kinds[0]]
        parts = [rows for kind in kinds if len(rows := open_rows[kind])]
        return np.concatenate(parts) if len(parts) > 1 else parts[0] if parts else _NO_ROWS

    def cost(self, rows: Rows) -> int:
        """Return the total cost of these rows in the form in which they would be kept."""
        return int(self.costs[rows].sum(dtype=np.int64)) if len(rows) else 0

    def text(self, row: int) -> str:
        """Return the text of a row in the form in which it would be kept."""
        return self._texts[0 if self._forms is None else self._forms.number[row]](row)

    def is_reshaped(self, rows: Rows) -> Bool:
        """Return which of these rows would enter the prompt in another form than their own text."""
        return np.zeros(len(rows), np.bool_) if self._forms is None else self._forms.number[rows] > 0

    @property
    def forms(self) -> U8:
        """The action of each row if it is kept."""
        return np.full(len(self.candidates), int(Action.KEPT), np.uint8) if self._forms is None else self._forms.action

    def limit(self, section: Section, limit: int | None, borrowed: int = 0, lender: Section | None = None) -> None:
        """Declare a section of the budget: its own limit (None for none), and its loan on top, in tokens."""
        self._sections[section] = SectionBudget(limit, borrowed, lender)

    def classify(self, rows: Rows, classes: U8) -> None:
        """Record the policy's classes for these messages, as numbers of `MessageClass`."""
        self._classes = np.zeros(len(self.candidates), np.uint8)
        self._classes[rows] = classes

    def reshape(self, rows: Rows, action: Action, reason: Reason | None, costs: I32, text_of: TextOf) -> None:
        """Give these rows another form in the prompt if kept, at these costs.

        `text_of(row)` returns that form; it is called when the text is read, not earlier. If `reason` is given, it
        replaces the reason for keeping such a row.
        """
        if not len(rows):
            return
        if self._forms is None:
            self._forms = _Forms(len(self.candidates))
        self._forms.number[rows] = len(self._texts)
        self._forms.action[rows] = action
        self._forms.reason[rows] = _UNDECIDED if reason is None else self._code(reason)
        self._texts.append(text_of)
        self.recost(rows, costs)

    def recost(self, rows: Rows, costs: I32 | int) -> None:
        """Set the costs of these rows in the prompt if kept, where they differ from those of their own text."""
        if not len(rows):
            return
        if self.costs is self.candidates.tokens:  # all assemblies without shortened items share a column
            self.costs = self.costs.copy()
        self.costs[rows] = costs

    def keep(
        self,
        rows: Rows,
        reason: Reason,
        section: Section | None = None,
        *,
        room: int | None = None,
        charges: I32 | None = None,
    ) -> None:
        """Keep these rows, in this order, whatever they cost. With a `room`, record the tokens left before each.

        `charges` are the tokens charged against the room, by default the costs of the rows.
        """
        if not len(rows):
            return
        places = run_of(rows)
        left = None if room is None else left_before(self._charges(places, charges), room)[0]
        self._keep(rows, places, reason, section, left)

    def guarantee(
        self,
        rows: Rows,
        reason: Reason,
        section: Section | None = None,
        *,
        room: int | None = None,
        charges: I32 | None = None,
    ) -> None:
        """Keep these rows as `keep` does, and record that no budget could have dropped them."""
        if len(rows):
            self.keep(rows, reason, section, room=room, charges=charges)
            self._guaranteed[rows] = True

    def drop(self, rows: Rows, reason: Reason, section: Section | None = None, *, left: int | None = None) -> None:
        """Leave these rows out. `left` records the rest of the budget at this point."""
        if len(rows):
            self._drop(rows, run_of(rows), self._code(reason), section, left)

    def withdraw(self, rows: Rows, reason: Reason) -> None:
        """Take back kept rows, because a later step of the policy leaves them out.

        They keep their place in the order of decision and their `left`. Raise LedgerError for rows not kept, or
        guaranteed.
        """
        if not len(rows):
            return
        firm = (self._action[rows] >= int(Action.DROPPED)) | self._guaranteed[rows]
        if firm.any():
            raise LedgerError(f"{self.candidates.ids[int(rows[firm][0])]} cannot be taken back")
        self._action[rows] = Action.DROPPED
        self._reason[rows] = self._code(reason)
        self._spent[rows] = 0

    def fill(
        self,
        rows: Rows,
        room: int,
        section: Section | None = None,
        kept: Reason = WITHIN_BUDGET,
        *,
        charges: I32 | None = None,
    ) -> int:
        """Pack these rows in this order with a stop packer into `room` tokens. Return the tokens charged for them.

        `charges` are the tokens charged against the room, by default the costs of the rows.
        """
        if not len(rows):
            return 0
        places = run_of(rows)
        charges = self._charges(places, charges)
        count, over_budget = until_full(charges, room), self._code(OVER_BUDGET)
        left, spent = left_before(charges[:count], room)
        if count:
            self._keep(rows[:count], first_of(places, count), kept, section, left)
        if misfits := len(rows) - count:
            reason = over_budget if misfits == 1 else self._code(AFTER_STOP)
            self._drop(rows[count:], rest_of(places, count), reason, section, room - spent)
            self._reason[rows[count]] = over_budget
        return spent

    def fit(
        self,
        rows: Rows,
        room: int,
        section: Section | None = None,
        kept: Reason = WITHIN_BUDGET,
        *,
        charges: I32 | None = None,
    ) -> int:
        """Pack these rows in this order with a skip packer into `room` tokens. Return the tokens charged for them.

        `charges` are the tokens charged against the room, by default the costs of the rows.
        """
        if not len(rows):
            return 0
        places = run_of(rows)
        charges = self._charges(places, charges)
        taken = first_fit(charges, room)
        return self._pack(rows, places, taken, charges, room, section, kept, self._code(OVER_BUDGET))

    def choose(
        self, rows: Rows, taken: Bool, room: int, left_out: Reason, section: Section, kept: Reason = WITHIN_BUDGET
    ) -> int:
        """Keep the `taken` of these rows, which fit into `room` together, and drop the others for `left_out`.

        Return the tokens spent.
        """
        if not len(rows):
            return 0
        places = run_of(rows)
        return self._pack(rows, places, taken, self.costs[places], room, section, kept, self._code(left_out))

    def put_in_order(self, rows: Rows, charges: I32, room: int, *, taken: Bool | None = None) -> None:
        """Record that these rows, already decided, were weighed in this order against `room`, at these charges.

        With `taken`, only the taken rows were charged, and the charges of the others are recorded as hypothetical.
        """
        order = self._in_order()
        order[np.sort(ranks_of(order, len(self.candidates))[rows])] = rows
        self._order = [order]
        if taken is not None:
            self._charge(rows, charges)
            charges = np.where(taken, charges, 0)
        self._left[rows], _ = left_before(charges, room)

    def those_kept(self, rows: Rows) -> Rows:
        """Return the rows in the prompt among these, already decided, in the same order."""
        return rows[self._action[rows] < int(Action.DROPPED)]

    def score(self, rows: Rows, scores: np.ndarray) -> None:
        """Record the ranking scores of these rows."""
        if self._score is None:
            self._score = self._plain("no scores", np.nan).copy()
        self._score[rows] = scores

    def tell(self, compactions: Compactions, into: I32, events: Sequence[Event]) -> None:
        """Record the summaries that tell many messages, the number of the one that tells each row, and the events."""
        self._compactions, self._into, self._events = compactions, into, events

    def report(self, kind: FindingKind, message: str, rows: Rows | None = None) -> None:
        """Add a finding known only to the policy, with the rows it concerns, if any."""
        self._findings.append(Finding(kind, message) if rows is None else Finding(kind, message, rows))

    def close(self, layout: Layout, *, available: int | None = None, reserve: int = 0, margin: int = 0) -> Assembly:
        """Return the assembly. Raise LedgerError unless every candidate was decided exactly once."""
        if np.maximum.reduce(self._action, initial=0) == _UNDECIDED:
            undecided = np.flatnonzero(self._action == _UNDECIDED)
            some = ", ".join(self.candidates.ids[row] for row in undecided[:3])
            raise LedgerError(f"{len(undecided):,} candidates were not decided: {some}")
        return self._assembly(layout, available, reserve, margin, None)

    def fail(self, code: str, message: str, *, available: int | None = None, reserve: int = 0) -> Assembly:
        """Return the assembly for a failed policy, without a prompt: earlier decisions stay, the rest is dropped."""
        self.drop(np.flatnonzero(self._action == _UNDECIDED), NOT_DECIDED)
        return self._assembly(lambda _: (), available, reserve, 0, Failure(code, in_number(message)))

    def _assembly(
        self, layout: Layout, available: int | None, reserve: int, margin: int, error: Failure | None
    ) -> Assembly:
        decided = self._in_order()
        if len(decided) + self._closed > len(self.candidates):
            # Checked here for all at once: at every decision, the check would take longest.
            rows, times = np.unique(np.concatenate([decided, (~self.open).nonzero()[0]]), return_counts=True)
            raise LedgerError(f"{self.candidates.ids[int(rows[times > 1][0])]} was decided twice")
        return Assembly(
            candidates=self.candidates,
            budget=Budget(self.window.tokens, available, reserve, margin, self._sections),
            reasons=tuple(self._reasons),
            action=frozen(self._action),
            reason=frozen(self._reason),
            section=frozen(self._section),
            spent=frozen(self._spent),
            decided=frozen(decided),
            left=frozen(self._left),
            score=self._final_scores(),
            guaranteed=frozen(self._guaranteed),
            form=self._final_forms(),
            classes=None if self._classes is None else frozen(self._classes),
            costs=frozen(self.costs),
            charges=frozen(self._final_charges()),
            texts=tuple(self._texts),
            layout=layout,
            findings=tuple(self._findings),
            error=error,
            compactions=self._compactions,
            into=None if self._into is None else frozen(self._into),
            events=self._events,
        )

    def _pack(
        self,
        rows: Rows,
        places: Places,
        taken: Bool,
        charges: I32,
        room: int,
        section: Section | None,
        kept: Reason,
        dropped: int,
    ) -> int:
        """Record the rows taken and left out by a packer, in its order. Return the tokens spent."""
        action = either(taken, self._kept_actions(places), _NOT_KEPT)
        reason = either(taken, self._kept_codes(places, kept), np.uint8(dropped))
        left, spent = left_before(charges * taken, room)
        self._decide(rows, places, action, reason, section, self.costs[places] * taken, left)
        return spent

    def _charges(self, places: Places, charges: I32 | None) -> I32:
        """Return the charges at these places: the costs, or the `charges` given, which are recorded."""
        if charges is None:
            return self.costs[places]
        self._charge(places, charges)
        return charges

    def _in_order(self) -> I32:
        """Return the rows decided so far, in the order of decision."""
        return np.concatenate([_NONE, *self._order], dtype=np.int32, casting="same_kind")

    def _final_charges(self) -> I32:
        """Return the charge of each candidate, hypothetical for rows not kept."""
        return self.costs if self._charged is None else np.where(self._charged == _AS_COST, self.costs, self._charged)

    def _final_scores(self) -> F64:
        """Return the score of each candidate."""
        return self._plain("no scores", np.nan) if self._score is None else frozen(self._score)

    def _final_forms(self) -> U8:
        """Return the form of each candidate."""
        return self._plain("no forms", np.uint8(0)) if self._forms is None else frozen(self._forms.number)

    def _plain(self, name: str, value: float | np.generic) -> np.ndarray:
        """Return a column with the same value for all rows, shared by all assemblies of these items."""
        size = len(self.candidates)
        return self.candidates.items.derived(name, None, lambda: frozen(np.full(size, value)))

    def _charge(self, places: Places, charges: I32) -> None:
        """Record charges at these places, which differ from the costs."""
        if self._charged is None:
            self._charged = np.full(len(self.candidates), _AS_COST, np.int32)
        self._charged[places] = charges

    def _kept_actions(self, places: Places) -> U8 | int:
        """Return the action for each row if it is kept."""
        return int(Action.KEPT) if self._forms is None else self._forms.action[places]

    def _kept_codes(self, places: Places, reason: Reason) -> U8 | int:
        """Return the reason for keeping each row: that of its form for reshaped rows."""
        if self._forms is None:
            return self._code(reason)
        shaped, code = self._forms.reason[places], self._code(reason)
        is_plain = shaped == _UNDECIDED
        return code if is_plain.all() else np.where(is_plain, np.uint8(code), shaped)

    def _keep(self, rows: Rows, places: Places, reason: Reason, section: Section | None, left: I64 | None) -> None:
        actions, codes = self._kept_actions(places), self._kept_codes(places, reason)
        self._decide(rows, places, actions, codes, section, self.costs[places], left)

    def _drop(self, rows: Rows, places: Places, code: int, section: Section | None, left: int | None) -> None:
        left = None if left is None else max(left, 0)
        self._decide(rows, places, int(Action.DROPPED), code, section, left=left)

    def _decide(
        self,
        rows: Rows,
        places: Places,
        action: U8 | int,
        reason: U8 | int,
        section: Section | None,
        spent: I32 | None = None,
        left: I64 | int | None = None,
    ) -> None:
        self._action[places] = action
        self._reason[places] = reason
        if section is not None:
            self._section[places] = section
        if spent is not None:
            self._spent[places] = spent
        if left is not None:
            self._left[places] = left
        self._order.append(rows)

    def _code(self, reason: Reason) -> int:
        return self._reasons.setdefault(reason, len(self._reasons))
