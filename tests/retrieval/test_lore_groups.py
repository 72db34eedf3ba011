"""Inclusion groups: of the entries that fire together one stays."""

from typing import Any

import pytest
from lore_scenes import active, entry, scanned

from inspector.model import LoreEntry
from inspector.retrieval.lore.settings import LoreSettings


def member(name: str, *keys: str, group: str = "weather", order: float = 100, **settings: Any) -> LoreEntry:
    return entry(name, *(keys or ("tide",)), order=order, activation={"group": group, **settings})


def test_the_heaviest_wins_and_says_that_it_would_be_drawn() -> None:
    found = scanned([member("rain"), member("snow", groupWeight=300), entry("other", "tide")], "tide")
    assert {name for name, what in found.items() if what.active} == {"snow", "other"}
    assert found["snow"].notes == ("group ‘weather’: would be drawn by weight, 300 of 400",)
    assert found["rain"].why == "not: lost its group ‘weather’ to snow"
    assert found["rain"].sentence == (
        "Its key ‘tide’ occurs in message m0, but this lorebook entry lost its group ‘weather’ to snow."
    )


def test_without_weight_there_is_nothing_to_draw() -> None:
    found = scanned([member("rain", groupWeight=0), member("snow")], "tide")
    assert (found["snow"].active, found["snow"].notes) == (True, ())


@pytest.mark.parametrize(("orders", "winner"), [((1, 2), "snow"), ((2, 1), "rain"), ((1, 1), "rain")])
def test_of_equal_weights_the_higher_order_wins(orders: tuple[int, int], winner: str) -> None:
    assert active([member("rain", order=orders[0]), member("snow", order=orders[1])], "tide") == {winner}


def test_a_prioritized_entry_wins_without_a_draw() -> None:
    entries = [
        member("rain", groupOverride=True, order=1),
        member("hail", groupOverride=True, order=2),
        member("snow", groupWeight=900, order=3),
    ]
    found = scanned(entries, "tide")
    assert {name for name, what in found.items() if what.active} == {"hail"}
    assert found["hail"].notes == ()


def test_the_most_keys_win_where_groups_are_scored() -> None:
    entries = [member("rain", "tide", groupWeight=900), member("snow", "tide", "moon")]
    assert active(entries, "tide and moon") == {"rain"}
    assert active(entries, "tide and moon", settings=LoreSettings(group_scoring=True)) == {"snow"}
    one = [member("rain", "tide", useGroupScoring=True), member("snow", "tide", "moon", groupWeight=1)]
    assert active(one, "tide and moon") == {"snow"}


def test_secondary_keys_score_only_where_they_have_to_be_there() -> None:
    def scored(logic: int, *secondary: str) -> LoreEntry:
        settings = {"group": "g", "selectiveLogic": logic, "groupWeight": 1}
        return entry("e", "tide", secondary_keys=secondary, activation=settings)

    other = entry("other", "tide", activation={"group": "g"})
    settings = LoreSettings(group_scoring=True)
    assert active([scored(0, "moon"), other], "tide moon", settings=settings) == {"e"}
    assert active([scored(3, "moon", "tide"), other], "tide moon", settings=settings) == {"e"}
    assert active([scored(1, "moon", "sun"), other], "tide moon", settings=settings) == {"other"}


def test_a_group_is_taken_once_over_all_steps() -> None:
    entries = [member("rain", "tide", order=1), member("snow", "kraken", order=9)]
    waker = entry("waker", "tide", content="kraken")
    found = scanned([*entries, waker], "tide", settings=LoreSettings(recursive=True))
    assert {name for name, what in found.items() if what.active} == {"rain", "waker"}
    assert found["snow"].why == "not: lost its group ‘weather’ to rain"


def test_an_entry_may_be_in_several_groups() -> None:
    entries = [member("a", group="x, y", order=3), member("b", group="y", order=2), member("c", group="z", order=1)]
    assert active(entries, "tide") == {"a", "c"}
    lost = [member("a", group="x, y", order=1), member("b", group="x", order=2), member("c", group="y", order=0)]
    assert active(lost, "tide") == {"b", "c"}


def test_a_winner_that_comes_out_of_no_roll_leaves_the_group_to_the_next_step() -> None:
    entries = [member("never", groupWeight=900, probability=0), member("rain"), entry("waker", "tide")]
    assert active(entries, "tide") == {"waker"}
    assert active(entries, "tide", settings=LoreSettings(recursive=True)) == {"waker", "rain"}
