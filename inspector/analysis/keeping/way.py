"""Ways of keeping items, and the result of the search: values in the order in which they are offered, and their JSON.

The order is that of the least harm: the tokens that a way adds to the prompt, and those that other items lose by it.
Ways whose prompt exceeds the window come last.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from inspector.assembly.scenario import Scenario


class Kind(StrEnum):
    """The kind of a way, as JSON calls it."""

    PIN = "pin"
    SINGLE = "single"
    PAIR = "pair"
    EXCLUDE = "exclude"
    OWN_WINDOW = "own_window"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Way:
    """A scenario that keeps all of the items, with its label and its changes: names with their values, including ids
    pinned or left out; a context window of None means: not set by hand.

    `leaves` are the rows of other items that leave the prompt, `shortened` those no longer in it whole, `comes_in`
    those in it whole that are not today. `lost` is the tokens that other items lose, `total` the planned size of the
    prompt in a context window of `window` tokens, `added` its increase over today, and `exceeds` its excess over the
    window together with the reply, all in tokens. `cost` and `cost_added` are in US dollars, None without a price.
    `estimated` says whether total and cost are estimates, `added_estimated` the same of the increases.
    """

    kind: Kind
    label: str
    changes: tuple[tuple[str, Any], ...]
    scenario: Scenario
    leaves: tuple[int, ...]
    shortened: tuple[int, ...]
    comes_in: tuple[int, ...]
    lost: int
    window: int
    total: int
    added: int
    exceeds: int
    cost: float | None
    cost_added: float | None
    estimated: bool
    added_estimated: bool

    @property
    def harm(self) -> tuple[bool, int, int, int]:
        """The order of ways, the cheapest first."""
        return self.exceeds > 0, self.lost + max(self.added, 0), len(self.leaves), self.added


@dataclass(frozen=True, slots=True)
class Keeping:
    """The ways to keep some items, the cheapest first. If `is_kept`, no change is needed, and there is none.

    They are pinning the items; for each parameter, and the window, the value nearest to today's that does it alone; the
    cheapest change of two that neither does alone; leaving out as few others as were found; removing the window set by
    hand, and the next model if this is not enough.
    """

    is_kept: bool
    ways: tuple[Way, ...] = ()

    def of(self, kind: Kind) -> tuple[Way, ...]:
        """Return the ways of a kind."""
        return tuple(way for way in self.ways if way.kind == kind)

    def with_ways(self, *ways: Way | None) -> "Keeping":
        """Return the same with more ways, in their order."""
        return Keeping(self.is_kept, in_order((*self.ways, *ways)))


def in_order(ways: Iterable[Way | None]) -> tuple[Way, ...]:
    """Return these ways, the cheapest first, equal ones as given."""
    return tuple(sorted((way for way in ways if way is not None), key=lambda way: way.harm))


def cheapest(ways: Iterable[Way | None]) -> Way | None:
    """Return the way with the least harm, the first of several; None for none."""
    return next(iter(in_order(ways)), None)


def keeping_value(found: Keeping, ids: Sequence[str]) -> dict[str, Any]:
    """Return the ways to keep some items as JSON."""
    one = {kind.value: next((_way_value(way, ids) for way in found.of(kind)), None) for kind in Kind}
    return {"is_kept": found.is_kept, **one, "single": [_way_value(way, ids) for way in found.of(Kind.SINGLE)]}


def _way_value(way: Way, ids: Sequence[str]) -> dict[str, Any]:
    def named(rows: tuple[int, ...]) -> list[str]:
        return [ids[row] for row in rows]

    return {
        "label": way.label,
        "changes": {name: list(value) if isinstance(value, tuple) else value for name, value in way.changes},
        "also": {"kept": named(way.comes_in), "dropped": named(way.leaves), "shortened": named(way.shortened)},
        "context_window": way.window,
        "total": way.total,
        "added": way.added,
        "over": way.exceeds,
        "cost": way.cost,
        "cost_added": way.cost_added,
        "estimated": way.estimated,
        "added_estimated": way.added_estimated,
    }
