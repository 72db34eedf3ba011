"""Layouts as a person makes them, while they are shown held in less room: values, without a window."""

from dataclasses import replace

from inspector.gui.arrangement import unsized, with_changes, with_sizes
from inspector.gui.fitting import Room
from inspector.gui.layout import Area, Layout, Rectangle, Tabs

MADE = Layout(
    {
        "left": Area((Tabs(("tree",), "tree"),), 300),
        "right": Area((Tabs(("policy",), "policy"),), 340),
        "below": Area((Tabs(("why", "text", "prompt"), "why"),), 400),
    },
    ("prompt",),
)
JOINED = Area((Tabs(("policy", "why", "text", "prompt"), "policy", 500),), 340)
HELD = Layout({"left": MADE.areas["left"], "right": JOINED}, ("prompt", "tree"))

ROOM = Room(1200, 800, 20, 300)


def front(layout: Layout, area: str) -> str:
    return layout.areas[area].tabs[0].front


def test_what_is_only_held_changes_nothing() -> None:
    assert with_changes(MADE, HELD, HELD, ROOM) == MADE


def test_a_dock_that_is_raised_where_it_is_held_is_in_front_of_its_own_tabs() -> None:
    now = replace(HELD, areas={**HELD.areas, "right": Area((replace(JOINED.tabs[0], front="text"),), 340)})
    made = with_changes(MADE, HELD, now, ROOM)
    assert (front(made, "below"), front(made, "right")) == ("text", "policy")
    assert made.areas["below"].size == 400


def test_docks_that_are_opened_and_closed_stay_so() -> None:
    made = with_changes(MADE, HELD, replace(HELD, hidden=("policy",)), ROOM)
    assert made.hidden == ("policy",), "prompt and tree were opened"


def test_docks_that_are_moved_take_all_of_them_along() -> None:
    now = Layout({"left": Area((Tabs(("tree",)),), 200), "above": Area((Tabs(("policy",)),), 90)}, ())
    now = replace(now, areas={**now.areas, "below": Area((Tabs(("why", "text", "prompt")),), 90)})
    made = with_changes(MADE, MADE, now, ROOM)
    assert [name for name in made.areas if made.areas[name].tabs] == ["left", "above", "below"]
    assert (made.areas["below"].size, made.areas["below"].sized_in) == (90, 40)


def below(*stacks: tuple[str, ...]) -> Layout:
    return replace(MADE, areas={**MADE.areas, "below": Area(tuple(map(Tabs, stacks)), 400)})


def test_a_dock_that_floated_or_was_hidden_before_it_was_put_elsewhere_stays_there() -> None:
    in_hand = replace(MADE, hidden=(), floating={"text": Rectangle(10, 10, 300, 200)})
    put = replace(below(("why", "prompt"), ("text",)), hidden=())
    held = with_changes(MADE, replace(MADE, hidden=()), in_hand, ROOM)
    made = with_changes(held, in_hand, put, ROOM)
    assert [tabs.docks for tabs in made.areas["below"].tabs] == [("why", "prompt"), ("text",)]
    assert not made.floating
    opened = replace(below(("why", "text"), ("prompt",)), hidden=())
    made = with_changes(MADE, MADE, opened, ROOM)
    assert [tabs.docks for tabs in made.areas["below"].tabs] == [("why", "text"), ("prompt",)]


def test_a_dock_that_floated_or_was_hidden_and_came_back_among_its_tabs_changes_only_that() -> None:
    back = replace(below(("why", "text", "prompt")), hidden=())
    assert with_changes(MADE, MADE, back, ROOM) == replace(MADE, hidden=())
    in_hand = replace(MADE, floating={"text": Rectangle(10, 10, 300, 200)})
    held = with_changes(MADE, MADE, in_hand, ROOM)
    assert with_changes(held, in_hand, MADE, ROOM) == MADE


def test_a_floating_dock_that_was_not_moved_keeps_its_place() -> None:
    there, held, moved = Rectangle(2000, 0, 300, 200), Rectangle(900, 0, 300, 200), Rectangle(10, 10, 300, 200)
    made, shown = replace(MADE, floating={"text": there}), replace(MADE, floating={"text": held})
    assert with_changes(made, shown, shown, ROOM).floating == {"text": there}
    assert with_changes(made, shown, replace(MADE, floating={"text": moved}), ROOM).floating == {"text": moved}


def test_only_what_a_person_sized_has_another_size() -> None:
    before = replace(MADE, areas={**MADE.areas, "left": Area((Tabs(("tree",)),), 120), "below": Area((), 150)})
    after = replace(before, areas={**before.areas, "left": Area((Tabs(("tree",)),), 180)})
    made = with_sizes(unsized(MADE), before, after, ROOM)
    assert {name: area.size for name, area in made.areas.items()} == {"left": 180, "right": None, "below": None}
    assert made.areas["left"].sized_in == 60, "lines of text that the window is wide"
