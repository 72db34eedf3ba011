"""Where numbers stand on a slider."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.assembly.policy import Parameter
from inspector.gui.parts.slider import EvenScale, SliderScale, StopScale, eighths, round_numbers, scale_of

CAP = StopScale(round_numbers(0, 2000, 0), 10)
LIMIT = StopScale(round_numbers(1, 128_000, 3000), 50)
BY_WINDOW = StopScale(round_numbers(-1, 200_000, -1), 500)
WINDOW = StopScale(eighths(256, 2_097_152, 128_000), 64)
SCALES = [CAP, LIMIT, BY_WINDOW, WINDOW, EvenScale(0, 1, 0.005), EvenScale(-1, 200, 1)]


def test_round_numbers_are_those_of_people_and_of_machines() -> None:
    assert round_numbers(0, 2000, 860) == (
        *(0, 1, 2, 4, 8, 16, 32, 64, 100, 128, 150, 200, 256, 300, 400, 500, 512, 600, 800, 860),
        *(1000, 1024, 1500, 2000),
    )
    assert {3000, 4096, 20_000, 32_768, 65_536, 100_000, 128_000} <= set(LIMIT.stops)


def test_a_window_doubles_in_eight_steps_of_the_same_size() -> None:
    stops = eighths(256, 2048, 1000)
    assert stops[:9] == (256, 288, 320, 352, 384, 416, 448, 480, 512)
    assert 1000 in stops
    assert stops[-1] == 2048


def test_stops_grow_by_about_the_same_factor() -> None:
    steps = [high / low for low, high in zip(LIMIT.stops, LIMIT.stops[1:], strict=False) if low >= 64]
    assert max(steps) <= 1.6


@pytest.mark.parametrize("scale", SCALES)
def test_every_tick_leads_to_a_number_that_stands_at_it(scale: SliderScale) -> None:
    numbers = [scale.number(tick) for tick in range(scale.last_tick + 1)]
    assert numbers == sorted(numbers)
    assert all(scale.number(scale.tick(number)) == number for number in numbers)


@pytest.mark.parametrize("scale", [CAP, LIMIT, BY_WINDOW, WINDOW])
def test_steps_go_from_stop_to_stop_both_ways(scale: StopScale) -> None:
    up, down = [scale.stops[0]], [scale.stops[-1]]
    while up[-1] < scale.stops[-1]:
        up.append(scale.stepped(up[-1], 1))
    while down[-1] > scale.stops[0]:
        down.append(scale.stepped(down[-1], -1))
    assert up == down[::-1] == list(scale.stops)


def test_from_between_two_stops_a_step_goes_to_the_next_of_them() -> None:
    assert (CAP.stepped(700, 1), CAP.stepped(700, -1)) == (800, 600)
    assert (CAP.shifted(700, 1), CAP.shifted(700, -1)) == (710, 690)
    assert CAP.tick(600) < CAP.tick(700) < CAP.tick(800)


@given(st.sampled_from(SCALES), st.integers(-5, 5_000_000), st.integers(1, 12))
def test_no_key_leads_the_wrong_way(scale: SliderScale, number: int, steps: int) -> None:
    assert scale.stepped(number, steps) >= number
    assert scale.stepped(number, -steps) <= number
    assert scale.shifted(number, 1) >= number
    assert scale.shifted(number, -1) <= number
    assert 0 <= scale.tick(number) <= scale.last_tick


def test_a_parameter_declares_its_scale_and_its_default_is_a_stop() -> None:
    scale = scale_of(Parameter("preamble", 860, 0, 10_000, 10, scale="log"))
    assert isinstance(scale, StopScale)
    assert 860 in scale.stops
    assert scale.fine == 10
    assert scale_of(Parameter("share", 0.3, 0, 1, 0.05)) == EvenScale(0, 1, 0.05)
