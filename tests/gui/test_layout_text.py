"""Layouts as values: written and read again, and any text is read without harm."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.gui.remembered.layout import PERSPECTIVES, Column, Layout, Rectangle, WindowLayout
from inspector.gui.remembered.layout_text import MOST_PIXELS, MOST_PROBLEMS, read_window_layout, window_layout_value
from inspector.reading.yaml import dump, parse

PAGES = ("decisions", "prompt", "findings")
MOVED = Layout("prompt", Column(333, True), Column(None, False), {"findings": Rectangle(-20, 40, 640, 480)})


def read(value: Any) -> tuple[WindowLayout | None, list[str]]:
    layout, problems = read_window_layout(value, PAGES, "a.yaml", "$.layout")
    assert all(problem.file == "a.yaml" for problem in problems)
    return layout, [f"{problem.place} {problem.message}" for problem in problems]


def of_inspect(value: Any) -> Any:
    return {"perspectives": {"inspect": value}}


def test_a_written_layout_is_read_again() -> None:
    layout = WindowLayout({"inspect": MOVED, "tune": Layout(right=Column(500))}, "tune")
    assert read(parse(dump(window_layout_value(layout)), "a.yaml")) == (layout, [])
    assert read(window_layout_value(WindowLayout({"archive": MOVED}))) == (WindowLayout({"archive": MOVED}), [])


def test_the_layout_of_an_earlier_version_is_dropped_with_one_remark() -> None:
    value = {
        "left": {"size": 300, "tabs": [{"docks": ["findings", "tree"]}]},
        "hidden": ["text"],
        "perspective": "tune",
    }
    layout, problems = read_window_layout(value, PAGES, "a.yaml", "$.layout")
    assert layout is None
    assert [(problem.place, problem.severity) for problem in problems] == [("$.layout", "info")]


WRONG: dict[str, tuple[Any, str]] = {
    "no object": ([1], "$.layout expected an object, found a list"),
    "unknown key": ({"middle": {}}, "$.layout.middle is not a known key"),
    "the blob of another version": ({"window": "AAAA/wAAAAD9"}, "$.layout.window is not a known key"),
    "no such perspective": (
        {"perspective": ["tune"]},
        f"$.layout.perspective expected one of {', '.join(PERSPECTIVES)}, found a list",
    ),
    "of no such perspective": ({"perspectives": {"relax": {}}}, "$.layout.perspectives.relax is not a known key"),
    "unknown page": (of_inspect({"page": "clock"}), "$.layout.perspectives.inspect.page expected the name of a page"),
    "number for a page": (of_inspect({"page": 7}), "$.layout.perspectives.inspect.page expected the name of a page"),
    "column of text": (of_inspect({"left": "wide"}), "$.layout.perspectives.inspect.left expected an object"),
    "negative": (
        of_inspect({"left": {"width": -1}}),
        f"$.layout.perspectives.inspect.left.width expected pixels from 1 to {MOST_PIXELS}, found -1",
    ),
    "huge": (of_inspect({"right": {"width": 10**400}}), "$.layout.perspectives.inspect.right.width expected pixels"),
    "truth": (of_inspect({"left": {"width": True}}), "$.layout.perspectives.inspect.left.width expected pixels"),
    "half open": (of_inspect({"left": {"open": 1}}), "$.layout.perspectives.inspect.left.open expected true or false"),
    "window nowhere": (
        of_inspect({"windows": {"prompt": {"left": 1}}}),
        "$.layout.perspectives.inspect.windows.prompt.top expected pixels",
    ),
    "window of no page": (
        of_inspect({"windows": {"clock": {}}}),
        "$.layout.perspectives.inspect.windows.clock is not a known key",
    ),
}


@pytest.mark.parametrize("value", [value for value, _ in WRONG.values()], ids=list(WRONG))
def test_an_error_is_reported_with_its_place(value: Any) -> None:
    expected = next(start for other, start in WRONG.values() if other is value)
    assert any(problem.startswith(expected) for problem in read(value)[1])


def test_valid_parts_beside_errors_are_used() -> None:
    layout, problems = read(of_inspect({"page": "prompt", "left": {"width": "wide", "open": False}, "right": 7}))
    assert layout == WindowLayout({"inspect": Layout("prompt", Column(None, False))})
    assert len(problems) == 2


def test_many_errors_are_few_problems() -> None:
    _, problems = read({f"area {n}": n for n in range(9_999)})
    assert len(problems) == MOST_PROBLEMS


NUMBERS = st.one_of(st.integers(), st.integers(-5, 900), st.floats(), st.booleans(), st.none(), st.text(max_size=3))
NAMES = st.sampled_from([*PAGES, "clock", ""])
COLUMNS = st.fixed_dictionaries({}, optional={"width": NUMBERS, "open": NUMBERS}) | NUMBERS
PLACES = st.dictionaries(NAMES, st.dictionaries(st.sampled_from(["left", "top", "width", "height"]), NUMBERS) | NUMBERS)
LAYOUTS = st.fixed_dictionaries(
    {}, optional={"page": NAMES | NUMBERS, "left": COLUMNS, "right": COLUMNS, "windows": PLACES | NUMBERS}
)
VALUES = st.fixed_dictionaries(
    {},
    optional={
        "perspective": st.sampled_from(PERSPECTIVES) | NUMBERS,
        "perspectives": st.dictionaries(st.sampled_from([*PERSPECTIVES, "relax"]), LAYOUTS | NUMBERS) | NUMBERS,
    },
)


@given(VALUES | st.recursive(NUMBERS, lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner)))
def test_any_value_gives_layouts_of_known_pages_and_sane_sizes(value: Any) -> None:
    found = read(value)[0] or WindowLayout()
    assert found.perspective in ("", *PERSPECTIVES)
    for layout in found.layouts.values():
        assert layout.page in ("", *PAGES)
        assert {*layout.windows} <= {*PAGES}
        assert all(column.width is None or 0 < column.width <= MOST_PIXELS for column in (layout.left, layout.right))
    assert read(window_layout_value(found))[1] == []
