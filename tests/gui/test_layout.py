"""Layouts as values: docks find their place beside those that they are among, and any text is read without harm."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.gui.layout import PERSPECTIVES, Area, Layout, Rectangle, Tabs, WindowLayout
from inspector.gui.layout_text import MOST_PIXELS, MOST_PROBLEMS, layout_value, read_window_layout, window_layout_value
from inspector.reading.yaml import dump, parse

DOCKS = ("tree", "policy", "text", "prompt", "findings")
FIRST = Layout(
    {
        "left": Area((Tabs(("tree",)),), 250),
        "right": Area((Tabs(("policy",)),), 340),
        "below": Area((Tabs(("text", "prompt", "findings")),), 300),
    },
    hidden=("prompt",),
)
MOVED = Layout(
    {
        "left": Area((Tabs(("tree",), "tree", 500), Tabs(("findings", "policy"), "policy", 349)), 280, 94),
        "below": Area((Tabs(("text", "prompt"), "prompt", 1200),), 310),
    },
    ("tree",),
    {"text": Rectangle(-20, 40, 640, 480)},
)


def read_all(value: Any) -> tuple[WindowLayout | None, list[str]]:
    layout, problems = read_window_layout(value, DOCKS, "a.yaml", "$.layout")
    assert all(problem.file == "a.yaml" and problem.severity == "warning" for problem in problems)
    return layout, [f"{problem.place} {problem.message}" for problem in problems]


def read(value: Any) -> tuple[Layout | None, list[str]]:
    """What is read for the first perspective."""
    layout, problems = read_all(value)
    return layout.layouts.get(PERSPECTIVES[0]) if layout else None, problems


def docks_of(layout: Layout) -> list[str]:
    return [dock for dock, _, _ in layout.places]


def test_what_is_written_is_read_again() -> None:
    for layout in (FIRST, MOVED):
        assert read(parse(dump(layout_value(layout)), "a.yaml")) == (layout, [])


def test_every_perspective_is_written_and_read_again() -> None:
    layout = WindowLayout({"inspect": FIRST, "tune": MOVED, "present": FIRST}, "tune")
    value = window_layout_value(layout)
    assert read_all(parse(dump(value), "a.yaml")) == (layout, [])
    assert {key: value[key] for key in layout_value(FIRST)} == layout_value(FIRST), "the first is as it ever was"
    assert read_all(window_layout_value(WindowLayout({"archive": MOVED}))) == (WindowLayout({"archive": MOVED}), [])


def test_the_layout_of_a_file_that_knows_one_only_is_that_of_the_first_perspective() -> None:
    assert read_all(layout_value(MOVED)) == (WindowLayout({"inspect": MOVED}), [])


def test_a_dock_comes_behind_the_nearest_that_stands_before_it() -> None:
    seen = Layout({"below": Area((Tabs(("text", "findings"), "findings", 900),), 300)})
    assert seen.with_dock("prompt", "below", FIRST).areas["below"].tabs[0].docks == ("text", "prompt", "findings")
    without_first = Layout({"below": Area((Tabs(("findings",)),))})
    assert without_first.with_dock("text", "below", FIRST).areas["below"].tabs[0].docks == ("text", "findings")


def test_a_dock_that_was_alone_or_elsewhere_has_tabs_of_its_own() -> None:
    seen = Layout({"below": Area((Tabs(("text",)),), 300)})
    assert seen.with_dock("policy", "right", FIRST).areas["right"] == Area((Tabs(("policy",)),))
    moved = seen.with_dock("policy", "below", FIRST).areas["below"]
    assert [tabs.docks for tabs in moved.tabs] == [("text",), ("policy",)]


def test_docks_that_a_layout_does_not_name_lie_where_they_lie_at_first() -> None:
    layout = Layout({"left": Area((Tabs(("findings",)),), 200)}).completed(FIRST)
    assert sorted(docks_of(layout)) == sorted(DOCKS)
    assert layout.areas["below"].tabs[0].docks == ("text", "prompt")
    assert layout.hidden == ("prompt",)
    assert MOVED.completed(FIRST) == MOVED


WRONG: dict[str, tuple[Any, str]] = {
    "no object": ([1], "$.layout expected an object, found a list"),
    "unknown area": ({"middle": {}}, "$.layout.middle is not a known key"),
    "the blob of another version": ({"window": "AAAA/wAAAAD9"}, "$.layout.window is not a known key"),
    "area of text": ({"left": "tree"}, "$.layout.left expected an object, found text"),
    "no list of tabs": ({"left": {"tabs": {}}}, "$.layout.left.tabs expected a list"),
    "unknown dock": ({"left": {"tabs": [{"docks": ["tree", "clock"]}]}}, "$.layout.left.tabs[0].docks[1] expected the"),
    "number for a dock": ({"left": {"tabs": [{"docks": [7]}]}}, "$.layout.left.tabs[0].docks[0] expected the name"),
    "twice": (
        {"left": {"tabs": [{"docks": ["tree"]}]}, "right": {"tabs": [{"docks": ["tree"]}]}},
        "$.layout.right.tabs[0].docks[0] tree was named before",
    ),
    "front elsewhere": (
        {"left": {"tabs": [{"docks": ["tree"], "front": "text"}]}},
        "$.layout.left.tabs[0].front expected one of these docks, found text",
    ),
    "no such perspective": (
        {"perspective": ["tune"]},
        "$.layout.perspective expected one of inspect, tune, archive, present, found a list",
    ),
    "of no such perspective": ({"perspectives": {"relax": {}}}, "$.layout.perspectives.relax is not a known key"),
    "within a perspective": (
        {"perspectives": {"tune": {"left": {"tabs": [{"docks": ["clock"]}]}}}},
        "$.layout.perspectives.tune.left.tabs[0].docks[0] expected the name of a dock, found clock",
    ),
    "a perspective within another": (
        {"perspectives": {"tune": {"perspectives": {}}}},
        "$.layout.perspectives.tune.perspectives is not a known key",
    ),
    "negative": ({"left": {"size": -1}}, f"$.layout.left.size expected pixels from 1 to {MOST_PIXELS}, found -1"),
    "huge": ({"left": {"size": 10**400}}, "$.layout.left.size expected pixels"),
    "truth": ({"left": {"tabs": [{"docks": ["tree"], "size": True}]}}, "$.layout.left.tabs[0].size expected pixels"),
    "sized in nothing": ({"left": {"size": 9, "sized_in": 0}}, "$.layout.left.sized_in expected lines of text from 1"),
    "hidden": ({"hidden": {"tree": True}}, "$.layout.hidden expected a list, found an object"),
    "floating nowhere": ({"floating": {"tree": {"left": 1}}}, "$.layout.floating.tree.top expected pixels"),
    "floating without size": (
        {"floating": {"tree": {"left": 1, "top": 1, "width": 0, "height": 5}}},
        "$.layout.floating.tree.width expected pixels from 1",
    ),
}


@pytest.mark.parametrize("value", [value for value, _ in WRONG.values()], ids=list(WRONG))
def test_what_is_wrong_is_told_with_its_place(value: Any) -> None:
    expected = next(start for other, start in WRONG.values() if other is value)
    assert any(problem.startswith(expected) for problem in read(value)[1])


def test_what_is_good_is_used_and_what_is_missing_is_told_once() -> None:
    value = {"left": {"size": "wide", "tabs": [{"docks": ["tree", "clock"], "size": 400}]}, "right": 7}
    layout, problems = read(value)
    assert layout == Layout({"left": Area((Tabs(("tree",), "", 400),))})
    assert problems[-1].startswith("$.layout says nothing of policy, text, prompt, findings")


def test_a_million_wrong_names_are_few_problems() -> None:
    _, problems = read({"left": {"tabs": [{"docks": ["clock"] * 100_000}]}, **{f"area {n}": n for n in range(9_999)}})
    assert len(problems) == MOST_PROBLEMS


NAMES = st.sampled_from([*DOCKS, "clock", ""])
NUMBERS = st.one_of(st.integers(), st.integers(-5, 900), st.floats(), st.booleans(), st.none(), st.text(max_size=3))
TABS = st.fixed_dictionaries(
    {}, optional={"docks": st.lists(NAMES, max_size=6) | NUMBERS, "front": NAMES, "size": NUMBERS}
)
OF_AREA = {"tabs": st.lists(TABS | NUMBERS, max_size=4) | NUMBERS, "size": NUMBERS, "sized_in": NUMBERS}
AREAS = st.fixed_dictionaries({}, optional=OF_AREA)
PLACES = st.dictionaries(NAMES, st.dictionaries(st.sampled_from(["left", "top", "width", "height"]), NUMBERS) | NUMBERS)
OF_ONE = {
    **dict.fromkeys(("left", "right", "above", "below", "middle"), AREAS | NUMBERS),
    "hidden": st.lists(NAMES | NUMBERS) | NUMBERS,
    "floating": PLACES | NUMBERS,
}
OTHERS = st.dictionaries(
    st.sampled_from([*PERSPECTIVES, "relax"]), st.fixed_dictionaries({}, optional=OF_ONE) | NUMBERS
)
VALUES = st.fixed_dictionaries(
    {},
    optional={
        **OF_ONE,
        "perspective": st.sampled_from(PERSPECTIVES) | NUMBERS,
        "perspectives": OTHERS | NUMBERS,
    },
)


@given(VALUES | st.recursive(NUMBERS, lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner)))
def test_any_value_gives_layouts_that_can_be_laid(value: Any) -> None:
    found, _ = read_all(value)
    assert found is None or found.perspective in ("", *PERSPECTIVES)
    for layout in (FIRST, *(found.layouts.values() if found else ())):
        check_can_be_laid(layout)


def check_can_be_laid(layout: Layout) -> None:
    whole = layout.completed(FIRST)
    assert sorted(docks_of(whole)) == sorted(DOCKS)
    assert {*whole.hidden, *whole.floating} <= {*DOCKS}
    sizes = [area.size for area in whole.areas.values()] + [tabs.size for _, _, tabs in whole.places]
    assert all(size is None or 0 < size <= MOST_PIXELS for size in sizes)
    assert all(tabs.front in ("", *tabs.docks) for _, _, tabs in whole.places)
    assert read(layout_value(whole)) == (whole, [])
