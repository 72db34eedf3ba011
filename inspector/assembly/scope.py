"""The scope of a scenario: which candidates take part at which turn, and which lore that makes active."""

from dataclasses import replace

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind, Rows, State, frozen
from inspector.assembly.lore import PLAIN_TERMS, LoreTerms, activate_lore


def in_scope(
    candidates: Candidates,
    pinned: Rows,
    excluded: Rows,
    at: int | None,
    now: float | None,
    lore: LoreTerms = PLAIN_TERMS,
) -> Candidates:
    """The same candidates with more rows pinned or excluded, replayed at turn `at`, on the clock `now`.

    With `at`, messages after the first `at` do not exist yet, nor do the passages that repeat them (a draft always
    exists). Without a `now` in seconds, it is the newest time of what exists, NaN where none is known. Lore is
    activated by what exists, on the terms of `lore`.
    """
    pins, state, active = candidates.pinned.copy(), candidates.state.copy(), candidates.active.copy()
    if at is not None:
        stored = candidates.rows(Kind.MESSAGE)[: -1 if candidates.items.has_draft else None]
        state[stored[max(at, 0) :]] = State.NOT_YET
    state[excluded[state[excluded] == State.OPEN]] = State.EXCLUDED
    passages, messages = candidates.items.passage_messages
    state[passages[state[messages] == State.NOT_YET]] = State.NOT_YET
    pins[pinned] = True
    pins[state != State.OPEN] = False
    scoped = replace(candidates, pinned=frozen(pins), state=frozen(state))
    rows = candidates.rows(Kind.LORE)
    activations = activate_lore(candidates.items, lore, scoped.existing_messages, candidates.tokens[rows])
    active[rows] = [activation.active for activation in activations]
    times = candidates.time[scoped.existing_messages]
    newest = float(np.nanmax(times)) if np.isfinite(times).any() else float("nan")
    return replace(scoped, active=frozen(active), activations=activations, now=newest if now is None else now)
