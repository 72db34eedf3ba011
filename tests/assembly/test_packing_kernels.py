"""The packing kernels against the plainest way of saying what they do."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from inspector.assembly.packing import enough, first_fit, highest_few, until_full

charges = st.lists(st.integers(0, 9), max_size=12)
scores = st.lists(st.sampled_from([0.0, 0.25, 0.5, float("nan")]), max_size=12)


@given(scores, st.integers(0, 14))
def test_the_highest_few_are_the_first_of_a_stable_ranking(found: list[float], count: int) -> None:
    ranked = sorted(range(len(found)), key=lambda place: (found[place] != found[place], -found[place]))
    chosen = highest_few(np.array(found, np.float64), count)
    assert np.flatnonzero(chosen).tolist() == sorted(ranked[:count])


@given(charges, st.integers(-2, 60))
def test_enough_go_until_the_excess_is_gone(found: list[int], excess: int) -> None:
    gone = 0
    while excess > 0 and gone < len(found):
        excess -= found[gone]
        gone += 1
    assert enough(np.array(found, np.int32), excess + sum(found[:gone])) == gone


@given(charges, st.integers(-1, 60))
def test_a_skip_packer_takes_what_still_fits_and_a_stop_packer_ends(found: list[int], room: int) -> None:
    taken, left = [], room
    for charge in found:
        taken.append(charge <= left)
        left -= charge if taken[-1] else 0
    array = np.array(found, np.int32)
    assert first_fit(array, room).tolist() == taken
    assert until_full(array, room) == [*taken, False].index(False)
