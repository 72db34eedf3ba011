"""The scope of a scenario: the open candidates at each turn, and their activated lore."""

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, U8, Bool, Kind, Rows, State, frozen
from inspector.assembly.lore import PLAIN_TERMS, LoreTerms, activate_lore
from inspector.derived import Derived, cached_property


class Scope:
    """Candidates with further rows pinned or excluded, and those open at any turn.

    Lore is activated by existing messages, on the terms of `lore`. Common parts of the turns are computed once.
    """

    def __init__(self, candidates: Candidates, pinned: Rows, excluded: Rows, lore: LoreTerms = PLAIN_TERMS) -> None:
        self._candidates, self._lore, self._known = candidates, lore, Derived()
        self._pins, self._state = candidates.pinned.copy(), candidates.state.copy()
        self._pins[pinned] = True
        self._state[excluded[self._state[excluded] == int(State.OPEN)]] = State.EXCLUDED

    def at(self, turn: int | None, now: float | None) -> Candidates:
        """Return the candidates at a turn, None for the last, on the clock `now`.

        Messages after the first `turn` do not exist yet, nor do passages that repeat them and files quoted in them; a
        draft does. `now` is in seconds, by default the newest time of the open messages, NaN if none is known.
        """
        state, items = self._state.copy(), self._candidates.items
        if turn is not None:
            stored = self._candidates.rows(Kind.MESSAGE)[: -1 if items.has_draft else None]
            state[stored[max(turn, 0) :]] = State.NOT_YET
            parts, messages = items.parts_of_messages
            state[parts[state[messages] == int(State.NOT_YET)]] = State.NOT_YET
        if now is None:
            said = slice(items.first_message, None)
            times = _known(self._candidates.time[said], state[said] == int(State.OPEN))
            now = float(np.fmax.reduce(times, initial=np.nan))
        return self._with(state, now)

    def as_of(self, turn: int) -> Candidates:
        """Return the candidates as they were at a turn: the first `turn` messages, and items made until then.

        A draft does not exist, nor do items dated later than these messages, or made of later messages. The clock is
        the newest time of the open messages, NaN if none is known.
        """
        state, first = self._state.copy(), self._candidates.items.first_message
        turn = min(max(turn, 0), len(self._newest) - 1)
        state[first + turn :] = State.NOT_YET
        since = self._since_made if np.isnan(self._newest[turn]) else self._since_dated
        state[:first][since > turn] = State.NOT_YET
        return self._with(state, float(self._clocks[turn]))

    def _with(self, state: U8, now: float) -> Candidates:
        """Return the candidates in these states, with the lore activated by the open messages."""
        candidates, takes_part = self._candidates, state == int(State.OPEN)
        rows, said = candidates.rows(Kind.LORE), candidates.rows(Kind.MESSAGE)
        activations, active = (), candidates.active
        if len(rows):
            activations = activate_lore(candidates.items, self._lore, said[takes_part[said]], candidates.tokens[rows])
            active = active.copy()
            active[rows] = [activation.active for activation in activations]
        return candidates.in_scope(
            before_messages=self._before_messages(state, active),
            pinned=frozen(self._pins & takes_part),
            state=frozen(state),
            is_open=frozen(takes_part),
            active=frozen(active),
            activations=activations,
            now=now,
        )

    def _before_messages(self, state: U8, active: Bool) -> Derived:
        """Return the cache of values derived from the rows before the messages, shared by turns with equal states."""
        first = self._candidates.items.first_message
        return self._known.derived("before messages", (state[:first].tobytes(), active[:first].tobytes()), Derived)

    @cached_property
    def _newest(self) -> F64:
        """The newest time of the first k messages, for each k from 0 to all; a draft does not count."""
        times = self._candidates.time[self._stored]
        return _running(_known(times, np.True_))

    @cached_property
    def _clocks(self) -> F64:
        """The same for the open ones among them."""
        return _running(_known(self._candidates.time[self._stored], self._state[self._stored] == int(State.OPEN)))

    @cached_property
    def _since_dated(self) -> Rows:
        """The turn from which each candidate before the messages exists, once a time of the messages is known."""
        times = self._candidates.time[: self._candidates.items.first_message]
        known = np.fmax(self._newest, -np.inf)
        return np.maximum(np.where(np.isfinite(times), np.searchsorted(known, times), 0), self._since_made)

    @cached_property
    def _since_made(self) -> Rows:
        """The turn of the newest message from which each of them was made or of which it is a part, 0 for none."""
        items = self._candidates.items
        return np.maximum(self._turns_of(*items.cited_messages), self._turns_of(*items.parts_of_messages))

    def _turns_of(self, rows: Rows, messages: Rows) -> Rows:
        first = self._candidates.items.first_message
        turns = np.zeros(first, np.intp)
        np.maximum.at(turns, rows, messages - first + 1)
        return turns

    @property
    def _stored(self) -> slice:
        """The rows of all messages but a draft."""
        items = self._candidates.items
        return slice(items.first_message, len(self._candidates) - items.has_draft)


def _known(times: F64, counts: Bool | np.bool_) -> F64:
    """Return the known times marked in `counts`, NaN for the others."""
    return np.where(counts & np.isfinite(times), times, np.nan)


def _running(times: F64) -> F64:
    """Return the newest of the first k of these times, for each k from 0; NaN if none of them is known."""
    return np.fmax.accumulate(np.concatenate([[np.nan], times]))
