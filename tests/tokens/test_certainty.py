from hypothesis import given
from hypothesis import strategies as st

from inspector.tokens.certainty import Certainty, Cost, by_rule, estimated, exact, total, unknown, weakest

_KNOWN = st.builds(
    lambda tokens, below, above, sure: Cost(tokens, max(0, tokens - below), tokens + above, sure),
    *(st.integers(0, 10_000),) * 3,
    st.sampled_from([Certainty.RULE, Certainty.ESTIMATE]),
)
_COSTS = st.one_of(
    st.builds(exact, st.integers(0, 10_000)),
    _KNOWN,
    st.builds(lambda low, more: unknown("?", low, low + more), st.integers(0, 500), st.integers(0, 500)),
)


def test_the_weakest_of_several_is_the_least_sure() -> None:
    assert weakest([]) is Certainty.EXACT
    assert weakest([Certainty.RULE, Certainty.EXACT]) is Certainty.RULE
    assert weakest([Certainty.UNKNOWN, Certainty.ESTIMATE]) is Certainty.UNKNOWN
    assert [each.word for each in Certainty] == ["exact", "rule", "estimate", "unknown"]


def test_an_unknown_cost_is_marked_and_bounded_only_by_a_rule() -> None:
    nothing, some = unknown("a picture of an unknown model"), unknown("a picture of unknown size", 255, 1445)
    assert (nothing.tokens, nothing.certainty, nothing.is_bounded) == (0, Certainty.UNKNOWN, False)
    assert some.is_bounded
    whole = total([exact(10), some])
    assert (whole.tokens, whole.low, whole.high, whole.certainty) == (10, 265, 1455, Certainty.UNKNOWN)


def test_a_range_holds_its_figure() -> None:
    assert by_rule(100, "a rule") == Cost(100, 100, 100, Certainty.RULE, "a rule")
    assert (estimated(100, "", 120, 90).low, estimated(100, "", 120, 90).high) == (100, 100)


@given(st.lists(_COSTS, max_size=6), st.lists(_COSTS, max_size=6))
def test_a_sum_of_sums_is_the_sum(first: list[Cost], second: list[Cost]) -> None:
    assert total([total(first), total(second)]) == total([*first, *second])
    whole = total([*first, *second])
    assert whole.low <= whole.high
    assert (whole.certainty is Certainty.EXACT) == all(cost.certainty is Certainty.EXACT for cost in [*first, *second])
