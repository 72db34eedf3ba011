"""Ways of keeping items, and the result of the search: values, and their JSON."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.assembly.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Way:
    """A scenario that keeps all of the items, with its changes: names with their values, including ids left out; a
    context window of None means: not set by hand.

    `gained` and `lost` are the rows of other items that enter or leave the prompt. `total` is the planned size of the
    prompt in a context window of `window` tokens, `added` its increase over today, and `over` its excess over the
    window together with the reserve for the reply, all in tokens. `cost` is in US dollars, None without a price.
    `estimated` says whether these are estimates.
    """

    changes: tuple[tuple[str, Any], ...]
    scenario: Scenario
    gained: tuple[int, ...]
    lost: tuple[int, ...]
    window: int
    total: int
    added: int
    over: int
    cost: float | None
    estimated: bool

    @property
    def harm(self) -> tuple[int, int]:
        """The order of ways, the cheapest first: the number of other items lost, then tokens."""
        return len(self.lost), self.added


@dataclass(frozen=True, slots=True)
class Keeping:
    """The ways to keep some items. If `is_kept`, no change is needed, and the rest is empty.

    `singles` has the cheapest way for each parameter that can do it alone, the cheapest first; `pair` is the cheapest
    change of two that neither does alone, `exclusion` leaves out as few others as were found, `own_window` removes the
    window set by hand, and `model` is the next model if this is not enough.
    """

    is_kept: bool
    singles: tuple[Way, ...] = ()
    pair: Way | None = None
    exclusion: Way | None = None
    own_window: Way | None = None
    model: Way | None = None


def cheapest(ways: Iterable[Way | None]) -> Way | None:
    """Return the way with the least harm, the first of several; None for none."""
    return min((way for way in ways if way is not None), key=lambda way: way.harm, default=None)


def keeping_value(found: Keeping, ids: Sequence[str]) -> dict[str, Any]:
    """Return the ways to keep some items as JSON."""
    return {
        "is_kept": found.is_kept,
        "single": [_way_value(way, ids) for way in found.singles],
        "pair": found.pair and _way_value(found.pair, ids),
        "exclude": found.exclusion and _way_value(found.exclusion, ids),
        "own_window": found.own_window and _way_value(found.own_window, ids),
        "model": found.model and _way_value(found.model, ids),
    }


def _way_value(way: Way, ids: Sequence[str]) -> dict[str, Any]:
    return {
        "changes": {name: list(value) if isinstance(value, tuple) else value for name, value in way.changes},
        "also": {"kept": [ids[row] for row in way.gained], "dropped": [ids[row] for row in way.lost]},
        "context_window": way.window,
        "total": way.total,
        "added": way.added,
        "over": way.over,
        "cost": way.cost,
        "estimated": way.estimated,
    }
