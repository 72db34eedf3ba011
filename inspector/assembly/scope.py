"""The scope of a scenario: which candidates take part at which turn, and which lore that makes active."""

from dataclasses import replace

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, U8, Kind, Rows, State, frozen
from inspector.assembly.lore import PLAIN_TERMS, LoreTerms, activate_lore


def in_scope(
    candidates: Candidates,
    pinned: Rows,
    excluded: Rows,
    at: int | None,
    now: float | None,
    lore: LoreTerms = PLAIN_TERMS,
    as_of: bool = False,
) -> Candidates:
    """The same candidates with more rows pinned or excluded, replayed at turn `at`, on the clock `now`.

    With `at`, messages after the first `at` do not exist yet, nor do the passages that repeat them. With `as_of` too,
    all is as it was then: neither does a draft exist, nor what is dated later than these messages, or cites one that is
    not there yet and has no date, and `now` is not looked at. Without a `now` in seconds, it is the newest time of what
    exists, NaN where none is known. Lore is activated by what exists, on the terms of `lore`.
    """
    pins, state, active = candidates.pinned.copy(), candidates.state.copy(), candidates.active.copy()
    if at is not None:
        stored = candidates.rows(Kind.MESSAGE)[: -1 if candidates.items.has_draft else None]
        state[stored[max(at, 0) :]] = State.NOT_YET
        if as_of:
            state[_made_later(candidates, stored[: max(at, 0)], state)] = State.NOT_YET
            now = None
    state[excluded[state[excluded] == State.OPEN]] = State.EXCLUDED
    passages, messages = candidates.items.passage_messages
    state[passages[state[messages] == State.NOT_YET]] = State.NOT_YET
    pins[pinned] = True
    pins[state != State.OPEN] = False
    rows, said = candidates.rows(Kind.LORE), candidates.rows(Kind.MESSAGE)
    said = said[state[said] == State.OPEN]
    activations = activate_lore(candidates.items, lore, said, candidates.tokens[rows])
    active[rows] = [activation.active for activation in activations]
    return replace(
        candidates,
        pinned=frozen(pins),
        state=frozen(state),
        active=frozen(active),
        activations=activations,
        now=_newest(candidates.time[said]) if now is None else now,
    )


def _made_later(candidates: Candidates, said: Rows, state: U8) -> Rows:
    """The rows, beside messages, of what was made later than the messages that are `said`; and the draft.

    A date decides, where one is known of both sides; else the newest of the messages that something cites.
    """
    first, times = candidates.items.first_message, candidates.time
    newest = _newest(times[said])
    is_dated = np.isfinite(times[:first]) & np.isfinite(newest)
    cites_later = np.zeros(first, np.bool_)
    citing, cited = candidates.items.cited_messages
    cites_later[citing[state[cited] == State.NOT_YET]] = True
    later = np.flatnonzero(np.where(is_dated, times[:first] > newest, cites_later))
    return np.append(later, len(candidates) - 1) if candidates.items.has_draft else later


def _newest(times: F64) -> float:
    """The newest of these times, NaN where none is known."""
    return float(np.nanmax(times)) if np.isfinite(times).any() else float("nan")
