"""naive and ratio against their twins on random cases: every item's action, tokens and reason must agree."""

from typing import Any

from building import answer_to, decisions
from cases import outside, rarely, workspaces
from hypothesis import example, given
from hypothesis import strategies as st
from twins import Case, RatioTwin, naive

from inspector.assembly.policies.ratio import Ratio
from inspector.assembly.policy import parameter_values
from inspector.model import Workspace
from tests.examples import examples

shares = st.sampled_from(
    [(0.3, 0.4, 0.3), (0.5, 0.3, 0.2), (0.1, 0.8, 0.1), (0.0, 0.95, 0.0), (0.6, 0.4, 0.0), (1, 1, 0)]
)
parameters = st.fixed_dictionaries(
    {
        "system_limit": st.sampled_from([1.0, 0.25]),
        "system_overflow": st.sampled_from(["ignore", "warn", "error"]),
        "min_exchanges": st.sampled_from([0, 1, 1, 2, 4]),
        "memory_candidates": st.sampled_from([50, 50, 3, 0]),
        "similarity_weight": st.sampled_from([0.4, 0.0]),
        "priority_weight": st.sampled_from([0.3, 0.0]),
        "recency_weight": st.sampled_from([0.2, 1.0]),
        "half_life_days": st.sampled_from([30, 60, 0]),
        "borrow": st.sampled_from(["none", "history", "memories", "both"]),
        "adaptive": rarely,
        "message_cap": st.sampled_from([0, 0, 1, 4]),
        "selective": st.booleans(),
        "recent_messages": st.integers(0, 4),
        "discard_after": st.sampled_from([200, 8, 3]),
        "only_if_shorter": st.booleans(),
    }
)


@examples(200)
@given(workspaces(), parameters, shares, st.integers(0, 250), outside)
@example(Workspace(), {"borrow": "both"}, (0.3, 0.4, 0.3), 0, {"at": None, "pinned": (), "excluded": ()})
def test_ratio_decides_like_its_twin(
    found: Workspace, chosen: dict[str, Any], split: tuple[float, float, float], window: int, around: dict[str, Any]
) -> None:
    given_parameters = {**chosen, **dict(zip(("memory_share", "history_share", "reserve_share"), split, strict=True))}
    case = Case(found, around["pinned"], around["excluded"], around["at"])
    known = [message.time.timestamp() for message in case.messages if message.time]
    twin = RatioTwin(case, window, {**parameter_values(Ratio()), **given_parameters}, max(known, default=None))
    answer = answer_to(found, context_window=window, query="", parameters=given_parameters, **around)
    expected = twin.decide()
    assert (answer.assembly.error.code if answer.assembly.error else None) == twin.refusal
    assert twin.refusal or decisions(answer) == expected


@examples(100)
@given(workspaces(), outside)
def test_naive_decides_like_its_twin(found: Workspace, around: dict[str, Any]) -> None:
    case = Case(found, around["pinned"], around["excluded"], around["at"])
    answer = answer_to(found, policy="naive", context_window=50, query="", **around)
    assert decisions(answer) == naive(case)
