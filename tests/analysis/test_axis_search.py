"""The search along an axis finds the nearest change, also where the answer goes back and forth."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.analysis.sliders import Axis, Verdict, nearest_change


def brute_force(axis: Axis, changed: set[int], lowest: int, highest: int) -> int | None:
    today = axis.today * (1 if axis.whole else 1000)
    inside = [index for index in changed if lowest <= index <= highest and abs(index - today) > 1e-6]
    return min(inside, key=lambda index: (abs(index - today), -index), default=None)


@settings(max_examples=300)
@given(st.integers(-40, 40), st.sets(st.integers(-50, 50)))
def test_everything_within_the_radius_is_found(today: int, changed: set[int]) -> None:
    axis = Axis(today, -40, 40, whole=True)
    verdict: dict[bool, Verdict] = {True: "changed", False: "stirred"}
    found = nearest_change(axis, lambda index: verdict[index in changed], radius=100)
    assert found == brute_force(axis, changed, -40, 40)


@settings(max_examples=300)
@given(st.integers(0, 100_000), st.integers(0, 100_000), st.booleans())
def test_one_edge_is_found_however_far_away(today: int, edge: int, above: bool) -> None:
    axis = Axis(today, 0, 100_000, whole=True)

    def changes(index: int) -> bool:
        return index >= edge if above else index <= edge

    found = nearest_change(axis, lambda index: "changed" if changes(index) else "same", radius=10)
    nearest = [index for index in (today + 1, today - 1, edge) if 0 <= index <= 100_000 and changes(index)]
    assert found == min((i for i in nearest if i != today), key=lambda i: (abs(i - today), -i), default=None)


@pytest.mark.parametrize(
    ("today", "changed", "value"),
    [(0.3, 0.301, 0.301), (0.3, 0.299, 0.299), (1 / 3, 0.333, 0.333), (1 / 3, 0.334, 0.334), (0.0, 1.0, 1.0)],
)
def test_shares_are_searched_in_thousandths(today: float, changed: float, value: float) -> None:
    axis = Axis(today, 0, 1, whole=False)
    found = nearest_change(axis, lambda i: "changed" if abs(axis.value(i) - changed) < 1e-9 else "stirred", 1000)
    assert found is not None
    assert axis.value(found) == value


def test_an_island_between_samples_is_found_when_a_farther_edge_is() -> None:
    """Beyond the radius a stretch that changes back is met by the finer samples."""
    axis = Axis(0, 0, 10_000, whole=True)
    found = nearest_change(axis, lambda i: "changed" if 300 <= i < 400 or i >= 5000 else "stirred", radius=50)
    assert found == 300


def test_refused_values_do_not_count() -> None:
    axis = Axis(0, 0, 1000, whole=True)
    answers: dict[bool, Verdict] = {True: "refused", False: "changed"}
    assert nearest_change(axis, lambda i: answers[i < 700], radius=50) == 700
    assert nearest_change(axis, lambda i: "refused", radius=50) is None


def test_a_parameter_that_stirs_nothing_is_given_up_early() -> None:
    asked: list[int] = []
    axis = Axis(0, 0, 1_000_000, whole=True)
    assert nearest_change(axis, lambda i: asked.append(i) or "same", radius=1000) is None
    assert len(asked) < 60


@pytest.mark.parametrize(("lowest", "highest"), [(5, 5), (6, 4)])
def test_an_axis_without_other_values_has_no_answer(lowest: int, highest: int) -> None:
    assert nearest_change(Axis(5, lowest, highest, whole=True), lambda i: "changed", 10) is None
