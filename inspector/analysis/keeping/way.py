"""Ways of keeping items, and what was found of them: values, and how JSON has them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.assembly.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Way:
    """A scenario that keeps all of the items, and by what: names with their values, of which some are ids left out;
    a context window of None means: not set by hand.

    `gained` and `lost` are the rows of other items that enter the prompt, or leave it. `total` is what the prompt is
    planned to take of a context window of `window` tokens, `added` how much more than today, and `over` by how much it
    then exceeds the window together with what is kept free for the reply, all in tokens. `cost` is in US dollars, None
    without a price. `estimated` says whether these are estimates.
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
        """What ways are ordered by, the cheapest first: how many other items it loses, then tokens."""
        return len(self.lost), self.added


@dataclass(frozen=True, slots=True)
class Keeping:
    """What would keep some items. `is_kept` says that nothing has to be changed, and then there is nothing else.

    `singles` has for each parameter that can do it alone its cheapest way, the cheapest first; `pair` is the cheapest
    change of two that neither does alone, `exclusion` leaves as few others out as were found, `own_window` lets the
    window set by hand fall away, and `model` is the next where this is not enough.
    """

    is_kept: bool
    singles: tuple[Way, ...] = ()
    pair: Way | None = None
    exclusion: Way | None = None
    own_window: Way | None = None
    model: Way | None = None


def cheapest(ways: Iterable[Way | None]) -> Way | None:
    """The way that does the least harm, the first of several; None for none."""
    return min((way for way in ways if way is not None), key=lambda way: way.harm, default=None)


def keeping_value(found: Keeping, ids: Sequence[str]) -> dict[str, Any]:
    """What would keep some items, as JSON has it."""
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
