"""The one painter of SVG: well-formed, nothing of a text is markup, roles beside colours, bounded, on whole pixels."""

from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from inspector.drawings.colors import DARK, LIGHT, Role, Shade
from inspector.drawings.drawing import (
    LETTER,
    LINE,
    NO_BARS,
    Axis,
    Bars,
    Cells,
    Drawing,
    Entry,
    Mark,
    Part,
    Points,
    Row,
    Series,
    Stack,
    Stretches,
    Ticks,
    from_zero,
    listed,
    ticks,
)
from inspector.drawings.named_bars import NamedBar, histogram, named_bars
from inspector.drawings.svg import WIDTH, svg

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = ["a\x1b[31m", "<b>&\u202e", "\"/><script>alert(1)</script>'", "x" * 90, "two\nlines", "\u0000\ud800"]
TONES = (Shade(Role.HISTORY), Shade(Role.DROPPED))
NOTHING = np.full(3, np.nan)


def bars(*heights: float, looks: tuple[int, ...] = (), solid: float = 1.0) -> Bars:
    left, high = np.arange(len(heights), dtype=np.float64), np.array(heights, np.float64)
    return Bars(left, left + 1, high, high * solid, np.array(looks or [0] * len(heights), np.uint8), TONES)


def drawn(series: Series, up: Axis | None = None, across: Axis | None = None) -> Drawing:
    row = Row("the height", series, up or from_zero(10), 100)
    return Drawing("title", (row,), across or Axis(0.0, 4.0), (Entry("history", TONES[0]),))


def elements(drawing: Drawing, kind: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg([drawing])).iter(SVG + kind))


def of_class(drawing: Drawing, name: str) -> list[ElementTree.Element]:
    return [each for each in elements(drawing, "g") if each.get("class") == name]


SERIES: list[Series] = [
    bars(3, 5, 8, 1, looks=(0, 1, 0, 1), solid=0.5),
    Points(np.array([0.0, 1, 2]), np.array([1.0, np.nan, 3]), NOTHING, NOTHING, np.array([0, 0, 1]), ("one", "two")),
    Stretches(np.array([0, 2, 3]), np.array([0, 2, 0]), np.array([0, 1, 1], np.uint8), TONES, ("a", "b")),
    Cells(np.array([[1.0, np.nan], [2.0, 3.0]]), "1 %", "3 %", (0.5, 0.5), (1, 1)),
    Stack("now", (Part("history 5", 0, 5, TONES[0]), Part("over 9", 5, 9, TONES[1], hatched=True)), 8),
]


@pytest.mark.parametrize("series", [*SERIES, NO_BARS, SERIES[2].some(np.zeros(0, np.intp))])  # type: ignore[union-attr]
def test_every_kind_of_series_is_a_drawing_in_both_themes(series: Series) -> None:
    light, dark = (svg([drawn(series)], palette).decode() for palette in (LIGHT, DARK))
    assert ElementTree.fromstring(light).tag == f"{SVG}svg"
    for role in Role:
        light = light.replace(f'"{role}" fill="{LIGHT[role]}"', f'"{role}" fill="{DARK[role]}"')
        light = light.replace(f'line" stroke="{LIGHT[role]}"', f'line" stroke="{DARK[role]}"')
    assert [*light] == [*dark] or len(light) == len(dark), "the same but for the colours"
    assert "nan" not in light


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_is_markup(text: str) -> None:
    axis = Axis(-0.5, 1.5, Ticks.PLACES, listed([text, text]), title=text)
    cells = Cells(np.array([[1.0, 2.0]]), text, text)
    points = replace(SERIES[1], names=(text, text))  # type: ignore[type-var]
    items, stack = replace(SERIES[2], names=(text, text)), Stack(text, (Part(text, 0, 5, TONES[0]),), 8)  # type: ignore[type-var]
    rows = tuple(Row(text, each, axis, 60) for each in (cells, points, items, stack))
    drawing = Drawing(text, rows, axis, (Entry(text, TONES[0]),), (Mark(0.0, text),), note=text)
    for content in (svg([drawing]), named_bars(text, [NamedBar(text, 0.5, text)]), histogram(text, [text], [1])):
        root = ElementTree.fromstring(content)
        kinds = {each.tag.removeprefix(SVG) for each in root.iter()}
        assert kinds <= {"svg", "title", "rect", "g", "text", "path", "circle"}
        assert not {"\x1b", "\u202e", "\x00"} & set(content.decode())


def test_bars_are_as_high_as_their_values_and_what_is_not_filled_is_pale_and_striped() -> None:
    drawing = drawn(bars(10, 5, 10, 5, looks=(0, 0, 1, 1), solid=0.5), from_zero(10))
    unit = 100 / from_zero(10).end
    pale, solid, striped = ([], [], [])
    for group in elements(drawing, "g"):
        heights = [float(each.get("height") or 0) for each in group]
        kind = striped if "url" in (group.get("fill") or "") else pale if group.get("fill-opacity") else solid
        kind.append(heights)
    assert pale == striped == [pytest.approx([5 * unit, 2.5 * unit], abs=1)] * 2
    assert [heights for heights in solid if heights != [1, 1]] == [pytest.approx([5 * unit, 2.5 * unit], abs=1)] * 2
    assert {pattern.get("id") for pattern in elements(drawing, "pattern")} == {"stripes-history", "stripes-dropped"}


def test_the_lower_of_two_bars_at_one_place_is_drawn_over_the_higher() -> None:
    left, heights = np.zeros(2), np.array([9.0, 4.0])
    both = Bars(left, left + 4, heights, heights, np.array([0, 1], np.uint8), TONES)
    names = [group.get("class") for group in elements(drawn(both), "g")]
    assert names == ["history", "dropped"]


def test_very_many_bars_are_no_more_than_there_are_pixels() -> None:
    many = bars(*np.random.default_rng(1).integers(1, 500, 50_000).tolist())
    assert len(elements(drawn(many, from_zero(500), Axis(0.0, 50_000.0)), "rect")) <= WIDTH + 3


def test_a_line_goes_through_its_known_points_and_the_first_stands_out() -> None:
    line = np.array([0, 0, 0, 1, 1], np.intp)
    across, up = np.array([0.0, 1, 2, 0, 1]), np.array([1.0, np.nan, 3, 4, 5])
    points = Points(across, up, np.full(5, np.nan), np.full(5, np.nan), line, ("first", "second"))
    drawing = drawn(points)
    lines = [each for each in elements(drawing, "path") if (each.get("d") or "").count("L") == 1]
    assert [each.get("class") for each in lines] == ["muted line", "accent line"]
    assert len(elements(drawing, "circle")) == 4
    stairs = drawn(replace(points, steps=True))
    assert any("H" in (each.get("d") or "") and "V" in (each.get("d") or "") for each in elements(stairs, "path"))


def test_names_at_the_ends_of_lines_do_not_lie_over_each_other() -> None:
    count = 6
    unknown = np.full(count, np.nan)
    names = tuple(f"line {number}" for number in range(count))
    points = Points(np.ones(count), np.full(count, 5.0), unknown, unknown, np.arange(count), names)
    written = [each for each in elements(drawn(points), "text") if (each.text or "").startswith("line")]
    heights = sorted(float(each.get("y") or 0) for each in written)
    assert len(heights) == count
    assert all(after - before >= LINE for before, after in pairwise(heights))


def test_stretches_are_as_wide_as_they_are_long() -> None:
    drawing = drawn(SERIES[2], Axis(0.0, 2.0), Axis(-0.5, 3.5))
    (first,), (second,) = of_class(drawing, "history"), of_class(drawing, "dropped")
    assert [int(each.get("width") or 0) for each in first] == [WIDTH // 2]
    assert sorted(int(each.get("width") or 0) for each in second) == [WIDTH // 2, WIDTH]


def test_cells_are_the_stronger_the_larger_and_an_unknown_one_is_left_out() -> None:
    drawing = drawn(SERIES[3], Axis(-0.5, 1.5), Axis(-0.5, 1.5))
    strengths = [each.get("fill-opacity") for each in elements(drawing, "rect") if each.get("class") == "accent"]
    assert strengths[:3] == ["0.06", "0.53", None]
    assert len(strengths) == 3 + 6, "and the scale"
    assert len(elements(drawing, "circle")) == 2, "the ring around the best, on a ground"


def test_several_drawings_have_one_legend() -> None:
    content = svg([drawn(bars(1)), drawn(bars(2))])
    assert content.count(b">history</text>") == 1
    assert content.count(b">the height</text>") == 2


@pytest.mark.parametrize("end", [3.0, 30.0, 3_000.0, 3e6])
@pytest.mark.parametrize("pixels", [60, 860])
def test_words_of_an_axis_do_not_lie_over_each_other(end: float, pixels: int) -> None:
    for upright in (False, True):
        found = ticks(Axis(0.0, end), pixels, upright)
        assert found[0] == (0.0, "0")
        needs = [LINE if upright else LETTER * len(text) for _, text in found]
        apart = [(after[0] - before[0]) * pixels / end for before, after in pairwise(found)]
        assert all(gap >= need for gap, need in zip(apart, needs, strict=False))
    places = Axis(-0.5, end - 0.5, Ticks.PLACES, listed(["a name of a setting"] * 300))
    found = ticks(replace(places, end=299.5), pixels)
    assert len(found) * LETTER * len("a name of a setting") <= pixels + LETTER * len("a name of a setting")


def test_an_axis_without_room_has_one_word_at_most() -> None:
    assert len(ticks(Axis(0.0, 10.0), 5)) <= 1
    assert len(ticks(Axis(0.0, 10.0), 5, is_upright=True)) <= 1


def test_named_bars_have_their_figures_and_a_stronger_part() -> None:
    root = ElementTree.fromstring(named_bars("bars", [NamedBar("half", 0.5, "50 %", 0.25)], full=1.0))
    assert [each.get("width") for each in root.iter(f"{SVG}rect")][1:] == ["210.0", "105.0"]
    assert {"half", "50 %"} <= {each.text for each in root.iter(f"{SVG}text")}
    assert histogram("none", ["a"], [0]) == b""
