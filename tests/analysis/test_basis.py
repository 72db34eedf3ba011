"""Shares of the work and the last result of an analysis."""

import pytest

from inspector.analysis.basis import Share, result_of


@pytest.mark.parametrize(("share", "part"), [(Share(), 0), (Share(0.5), 0.5), (Share(1, 4), 0.25), (Share(0, 0), 0)])
def test_a_share_is_a_part_of_the_whole(share: Share, part: float) -> None:
    assert share.part == part


def test_the_last_result_is_the_answer_and_shares_are_told_apart() -> None:
    told: list[Share] = []
    assert result_of([Share(1, 2), "rough", Share(2, 2), "whole"], told.append) == "whole"
    assert told == [Share(1, 2), Share(2, 2)]
