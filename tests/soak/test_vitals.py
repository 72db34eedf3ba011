"""The rule of the soak about what a process holds: it can fail, and says what grew."""

from dataclasses import replace

import pytest

from tests.soak.vitals import LEAST_LAPS, SETTLING_LAPS, Vitals, growth, troubles

CALM = Vitals(memory=400.0, widgets=900, objects=1_500, threads=8, descriptors=17)


def laps(*memory: float) -> list[Vitals]:
    """Three laps in which everything is seen for the first time, and then these."""
    return [
        *(replace(CALM, memory=one) for one in (100.0, 300.0, 350.0)),
        *(replace(CALM, memory=one) for one in memory),
    ]


def test_growth_is_the_slope_of_the_best_line() -> None:
    assert growth([400, 403, 406, 409]) == pytest.approx(3)
    assert growth([400, 404, 400, 404]) == pytest.approx(0.8)


def test_memory_that_settles_and_then_stays_is_no_trouble() -> None:
    assert troubles(laps(400, 408, 412, 413, 411, 414, 412, 413)) == []


def test_memory_that_rises_to_the_end_is_trouble_though_it_rises_slowly() -> None:
    (found,) = troubles(laps(*(400 + 3 * lap for lap in range(8))))
    assert "3.0 MB a lap at the end" in found


def test_memory_that_rises_fast_is_trouble_though_it_stops() -> None:
    (found,) = troubles(laps(400, 420, 440, 460, 480, 482, 481, 480))
    assert "after settling" in found


@pytest.mark.parametrize("name", ["widgets", "objects", "threads", "descriptors"])
def test_things_that_become_more_and_more_are_trouble(name: str) -> None:
    held = laps(*[400.0] * 8)
    held[-1] = replace(held[-1], **{name: 2 * getattr(CALM, name)})
    (found,) = troubles(held)
    assert name in found


def test_things_that_come_and_go_are_no_trouble() -> None:
    """Another file, or another policy, has other widgets."""
    held = laps(*[400.0] * 8)
    for lap in (4, 5, 9, 10):
        held[lap] = replace(held[lap], widgets=1_100, objects=1_800)
    assert troubles(held) == []


def test_a_few_laps_say_nothing() -> None:
    assert troubles(laps(*(400 + 50 * lap for lap in range(LEAST_LAPS - 1)))) == []
    assert SETTLING_LAPS == 3
