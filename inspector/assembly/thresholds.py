"""Thresholds: the budgets from which each item is in, for packers with a fixed order of items.

A policy may declare its `Packing` (`Traits.packing`): the items that are in whatever its budgets are, the pools of
items on which budgets are spent, each in the order of decision, and the room of each pool for any number of budgets at
once. The fate of every item under every budget follows from these without calling the policy again. This module knows
no policy; `inspector.testing.check_policy` checks each against its declaration.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from inspector.assembly.columns import I64, U8, Action, Bool, Rows, frozen
from inspector.assembly.packing import first_fit, until_full
from inspector.derived import cached_property

WINDOW = "context_window"
"""The name of the tokens of the window among budgets."""
Budgets = Mapping[str, NDArray[Any]]
"""The values of the window and of parameters by name, all of the same shape, or a single value for all."""
_FEW_ROOMS = 64
_LOOK_AGAIN = 64


@dataclass(frozen=True, eq=False, slots=True)
class Turns:
    """The rooms at which items come in and go out as a room grows: rooms, rising, and the turning place at each.

    Below the first room nothing is in. `starts`, rising from 0, and `spent` give the tokens spent from each room on.
    """

    rooms: I64
    places: Rows
    starts: I64
    spent: I64


@dataclass(frozen=True, eq=False)
class Pool:
    """Items that share a room: their rows in the order of decision, their charges, and the packer."""

    rows: Rows
    charges: I64
    pack: Literal["stop", "skip"] = "stop"

    @cached_property
    def needs(self) -> I64:
        """For each item the sum of the charges up to and including it: a stop packer takes it from this room on."""
        return frozen(np.cumsum(self.charges, dtype=np.int64))

    def taken(self, room: int) -> Bool:
        """Return which items are in when the pool has this room."""
        if self.pack == "skip":
            return first_fit(self.charges, room)
        return np.arange(len(self.rows)) < until_full(self.charges, room)

    def spent(self, rooms: I64) -> I64:
        """Return the tokens spent of each of these rooms."""
        if not len(self.rows):
            return np.zeros(np.shape(rooms), np.int64)
        if self.pack == "stop":
            return np.concatenate([[0], self.needs])[np.searchsorted(self.needs, rooms, side="right")]
        if np.size(rooms) > _FEW_ROOMS:
            return self.turns.spent[np.maximum(np.searchsorted(self.turns.starts, rooms, side="right") - 1, 0)]
        spent = [self.charges[first_fit(self.charges, room)].sum() for room in np.ravel(rooms).tolist()]
        return np.array(spent, np.int64).reshape(np.shape(rooms))

    @cached_property
    def turns(self) -> Turns:
        """The turns of items in all rooms, up to the room for everything."""
        if self.pack == "skip":
            return _skip_turns(self.charges, int(self.charges.sum()))
        return Turns(self.needs, np.arange(len(self.rows)), *_starts_of(self.needs))


@dataclass(frozen=True, eq=False)
class Room:
    """The rooms of the pools of a packing, in their order, and where the policy refuses to make a prompt."""

    rooms: tuple[I64, ...]
    refused: Bool


@dataclass(frozen=True, eq=False)
class Packing:
    """The decisions of a policy about some candidates, for all budgets.

    `budgets` are the parameters that affect only rooms; the window always does. `forms` is the action of each candidate
    if it is in, `sure` marks those that are in whatever the budgets are. Candidates in neither `sure` nor a pool are
    dropped. `rooms_for` takes values for the window and for each of the `budgets`.
    """

    budgets: frozenset[str]
    forms: U8
    sure: Bool
    pools: tuple[Pool, ...]
    rooms_for: Callable[[Budgets], Room]

    def rooms(self, budgets: Budgets) -> Room:
        """Return the rooms under some budgets, all of the common shape of their values."""
        found = self.rooms_for(budgets)
        shape = np.broadcast_shapes(*(np.shape(values) for values in budgets.values()))
        spread = tuple(np.broadcast_to(np.asarray(room, np.int64), shape) for room in found.rooms)
        return Room(spread, np.broadcast_to(np.asarray(found.refused, np.bool_), shape))

    def keeps(self, room: Room, rows: Rows) -> Bool:
        """Return under which of these budgets all of these candidates are kept whole."""
        return np.asarray(self.inside(room, rows).all(axis=0)) & bool((self.forms[rows] == int(Action.KEPT)).all())

    def inside(self, room: Room, rows: Rows) -> Bool:
        """Return which of these candidates are in under each of these budgets, in their form: a row per candidate."""
        found = np.zeros((len(rows), *room.refused.shape), np.bool_)
        found[self.sure[rows]] = True
        for pool, rooms in zip(self.pools, room.rooms, strict=True):
            matches = pool.rows[:, None] == rows
            for place, number in np.argwhere(matches).tolist():
                turning = pool.needs[place : place + 1]
                if pool.pack == "skip":
                    turning = pool.turns.rooms[pool.turns.places == place]
                found[number] = np.searchsorted(turning, rooms, side="right") % 2 == 1
        return found & ~room.refused

    def actions(self, room: Room, place: int) -> U8:
        """Return the action of each candidate under the budgets at a place, ignoring refusals."""
        inside = self.sure.copy()
        for pool, rooms in zip(self.pools, room.rooms, strict=True):
            inside[pool.rows[pool.taken(int(rooms[place]))]] = True
        return np.where(inside, self.forms, np.uint8(Action.DROPPED))


def budgets_of(policies: Sequence[Any], windows: Iterable[int], names: Iterable[str]) -> Budgets:
    """Return the values of some policies of the same class, each under a window."""
    values = {name: np.array([getattr(policy, name) for policy in policies]) for name in names}
    return {WINDOW: np.array(list(windows), np.int64), **values}


def pooled(rows: Rows, costs: np.ndarray, pack: Literal["stop", "skip"] = "stop") -> Pool:
    """Return a pool of these rows, charged at their costs; `costs` are those of all candidates."""
    return Pool(rows, costs[rows].astype(np.int64), pack)


def mask_of(candidates: Sized, *rows: Rows) -> Bool:
    """Return a mask of all these rows of some candidates."""
    mask = np.zeros(len(candidates), np.bool_)
    mask[np.concatenate(rows)] = True
    return frozen(mask)


def _starts_of(needs: I64) -> tuple[I64, I64]:
    zero = np.zeros(1, np.int64)
    return np.concatenate([zero, needs]), np.concatenate([zero, needs])


def _skip_turns(charges: I64, most: int) -> Turns:
    """Return the turns of a skip packer.

    Rooms that have taken the same items so far are a stretch; each item divides the stretches in which it fits only
    into the larger rooms. A stretch in which no more items can fit is finished.
    """
    stretches = _Stretches(most)
    rest = np.flatnonzero(charges <= most)
    while len(rest):
        for place in rest[:_LOOK_AGAIN].tolist():
            stretches.offer(place, int(charges[place]))
        rest = rest[_LOOK_AGAIN:]
        rest = rest[charges[rest] <= stretches.most_left]
        if len(rest):
            stretches.finish(int(charges[rest].min()))
    return stretches.turns()


class _Stretches:
    """Rooms from `starts` up to before `ends`, which have `spent` the same on the items so far."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._starts = np.zeros(1, np.int64)
        self._ends = np.array([most + 1], np.int64)
        self._spent = np.zeros(1, np.int64)
        self._rooms: list[I64] = [np.zeros(0, np.int64)]
        self._places: list[I64] = [np.zeros(0, np.int64)]
        self._finished: list[tuple[I64, I64]] = []

    @property
    def most_left(self) -> int:
        """The most tokens left in any room."""
        return int((self._ends - 1 - self._spent).max(initial=-1))

    def offer(self, place: int, charge: int) -> None:
        """Let every room take the item if it fits."""
        whole = self._starts - self._spent >= charge
        partly = ~whole & (self._ends - 1 - self._spent >= charge)
        if partly.any():
            halves = np.repeat(np.arange(len(whole)), 1 + partly)
            upper = np.flatnonzero(partly) + np.arange(1, np.count_nonzero(partly) + 1)
            self._starts, self._ends, self._spent = self._starts[halves], self._ends[halves], self._spent[halves]
            self._starts[upper] = self._ends[upper - 1] = self._spent[upper] + charge
            whole = whole[halves]
            whole[upper] = True
        if not whole.any():
            return
        self._spent = np.where(whole, self._spent + charge, self._spent)
        starts, ends = self._starts[whole], self._ends[whole]
        apart = starts[1:] != ends[:-1]
        turning = np.concatenate([starts[:1], starts[1:][apart], ends[:-1][apart], ends[-1:]])
        self._rooms.append(turning)
        self._places.append(np.full(len(turning), place))

    def finish(self, least: int) -> None:
        """Finish the rooms that have less left than the least charge to come."""
        done = self._ends - 1 - self._spent < least
        if done.any():
            self._finished.append((self._starts[done], self._spent[done]))
            self._starts, self._ends, self._spent = self._starts[~done], self._ends[~done], self._spent[~done]

    def turns(self) -> Turns:
        """Return the turns found, in the order of rooms."""
        parts = [*self._finished, (self._starts, self._spent)]
        starts, spent = (np.concatenate(column) for column in zip(*parts, strict=True))
        rooms, places = np.concatenate(self._rooms), np.concatenate(self._places)
        asked = rooms <= self._most  # at the end of the last stretch nothing goes out
        rooms, places = rooms[asked], places[asked]
        by_room, by_start = np.argsort(rooms, kind="stable"), np.argsort(starts)
        return Turns(rooms[by_room], places[by_room].astype(np.intp), starts[by_start], spent[by_start])
