"""The history of Chorus Engine: everything if it fits as one text, else the newest messages at a charge of ten more."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import I32, ROLE_NUMBER, ROLES, Bool, Rows, Section
from inspector.assembly.ledger import Ledger
from inspector.assembly.packing import until_full
from inspector.assembly.policies.chorus.reasons import ALONE, TRAILING
from inspector.assembly.policy_finding_kinds import TRAILING_REMOVED
from inspector.assembly.reasons import AFTER_STOP, ALL_FITS, GUARANTEED, PINNED


@dataclass(frozen=True, slots=True)
class HistoryRules:
    """The surcharge on the cost of a message, and whether the last message has to be a user's."""

    message_charge: int
    ends_with_user: bool


def whole_tokens(ledger: Ledger, rows: Rows, form: Hashable) -> int:
    """Return the tokens of these messages as a single text with role marks, counted once for each `form` of them."""
    roles, tokenizer = ledger.candidates.role, ledger.candidates.counts.tokenizer

    def count() -> int:
        text = "".join(f"<|{ROLES[roles[row]]}|>\n{ledger.text(row)}<|end|>\n" for row in rows.tolist())
        return int(tokenizer.count([text])[0])

    return ledger.candidates.derived("chorus: as one text", form, count) if len(rows) else 0


def fill_history(ledger: Ledger, rows: Rows, limit: int, whole: int, newest: Bool, rules: HistoryRules) -> None:
    """Keep all of these messages, which are `whole` tokens as a single text, or else the newest that fit.

    Pinned messages and those of the mask `newest` stay whatever they cost.
    """
    ledger.limit(Section.HISTORY, limit)
    pinned = rows[ledger.candidates.pinned[rows]]
    others = rows[~ledger.candidates.pinned[rows]][::-1]
    sure, loose = others[newest[others]], others[~newest[others]]
    if whole <= limit:
        ledger.guarantee(pinned, PINNED, Section.HISTORY)
        ledger.guarantee(sure, GUARANTEED, Section.HISTORY)
        ledger.keep(loose, ALL_FITS, Section.HISTORY)
        return
    charged = _Charges(ledger, rules.message_charge)
    room = limit - charged.total(pinned) - charged.total(sure)
    count = until_full(charged.of(loose), room)
    is_alone = not count and not len(pinned) and not len(sure)
    kept = loose[: count + is_alone]
    last = (
        _after_last_user(ledger.candidates, np.concatenate([pinned, sure, kept])) if rules.ends_with_user else rows[:0]
    )
    _drop_trailing(ledger, last)
    ledger.guarantee(pinned, PINNED, Section.HISTORY, room=limit, charges=charged.of(pinned))
    sure = _without(sure, last)
    ledger.guarantee(sure, GUARANTEED, Section.HISTORY, room=limit - charged.total(pinned), charges=charged.of(sure))
    if is_alone:
        alone = _without(kept, last)
        ledger.guarantee(alone, ALONE, Section.HISTORY, room=limit, charges=charged.of(alone))
        ledger.drop(loose[1:], AFTER_STOP, Section.HISTORY, left=limit)
        return
    rest = _without(loose, last)
    room -= charged.total(loose) - charged.total(rest)
    ledger.fill(rest, room, Section.HISTORY, charges=charged.of(rest))


@dataclass(frozen=True, eq=False, slots=True)
class _Charges:
    ledger: Ledger
    message_charge: int

    def of(self, rows: Rows) -> I32:
        """Return the charge of each of these rows."""
        return self.ledger.costs[rows] + np.int32(self.message_charge)

    def total(self, rows: Rows) -> int:
        """Return the total charge of these rows."""
        return int(self.of(rows).sum(dtype=np.int64))


def _after_last_user(candidates: Candidates, kept: Rows) -> Rows:
    """Return the rows after the last user message, newest first: all if there is none. Pinned rows are not included."""
    ordered = np.sort(kept)
    users = np.flatnonzero(candidates.role[ordered] == ROLE_NUMBER["user"])
    last = ordered[users[-1] + 1 if len(users) else 0 :][::-1]
    return last[~candidates.pinned[last]]


def _drop_trailing(ledger: Ledger, rows: Rows) -> None:
    ledger.drop(rows, TRAILING, Section.HISTORY)
    if len(rows):
        noun = "message" if len(rows) == 1 else "messages"
        message = (
            f"{len(rows):,} {noun} after the last user message that fits {'is' if len(rows) == 1 else 'are'} removed."
        )
        ledger.report(TRAILING_REMOVED, message, rows)


def _without(rows: Rows, others: Rows) -> Rows:
    return rows[~np.isin(rows, others, assume_unique=True)]
