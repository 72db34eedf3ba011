"""Thresholds: pools against the packers they stand for, packings against their policies, and what is refused."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from building import pipeline_for
from cases import outside, workspaces
from hypothesis import given
from hypothesis import strategies as st

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.decisions import Assembly
from inspector.assembly.lacking import make_all
from inspector.assembly.packing import first_fit, until_full
from inspector.assembly.policies.naive import Naive
from inspector.assembly.policies.ratio import Ratio
from inspector.assembly.policies.reserve import Reserve
from inspector.assembly.policies.slots import Slots
from inspector.assembly.policies.window_rag import WindowRag
from inspector.assembly.policy import Traits, param, traits_of
from inspector.assembly.scenario import Scenario
from inspector.assembly.thresholds import Pool, budgets_of
from inspector.model import Workspace
from inspector.testing import check_policy
from tests.examples import examples

charges_of_items = st.lists(st.integers(0, 12), max_size=40).map(lambda costs: np.array(costs, np.int64))


@given(charges_of_items, st.sampled_from(["stop", "skip"]), st.integers(-2, 300))
def test_items_turn_where_the_packer_takes_them(charges: np.ndarray, pack: Any, most: int) -> None:
    pool = Pool(np.arange(len(charges)), charges, pack)
    turns = pool.turns
    assert (np.diff(turns.rooms) >= 0).all()
    for room in range(most + 1):
        taken = first_fit(charges, room) if pack == "skip" else np.arange(len(charges)) < until_full(charges, room)
        often = np.bincount(turns.places[turns.rooms <= room], minlength=len(charges))
        assert (often % 2 == taken).all(), room
        assert (pool.taken(room) == taken).all()


@given(charges_of_items, st.sampled_from(["stop", "skip"]), st.integers(1, 300))
def test_what_is_spent_is_that_of_the_packer(charges: np.ndarray, pack: Any, size: int) -> None:
    pool = Pool(np.arange(len(charges)), charges, pack)
    rooms = np.arange(-2, size)
    assert pool.spent(rooms).tolist() == [int(charges[pool.taken(room)].sum()) for room in rooms.tolist()]


DECLARED = st.one_of(
    st.just(Naive()),
    st.builds(
        Ratio,
        memory_share=st.sampled_from([0.3, 0.5, 0.0]),
        history_share=st.sampled_from([0.4, 0.2]),
        system_overflow=st.sampled_from(["ignore", "error"]),
        min_exchanges=st.integers(0, 3),
        memory_candidates=st.sampled_from([50, 3]),
        borrow=st.sampled_from(["none", "history", "memories", "both"]),
        adaptive=st.booleans(),
        selective=st.booleans(),
        recent_messages=st.integers(0, 4),
        only_if_shorter=st.booleans(),
    ),
    st.builds(
        Slots,
        system_slot=st.integers(0, 20),
        history_slot=st.integers(0, 60),
        response_slot=st.integers(0, 9),
        attachments_slot=st.just(20),
        scale=st.sampled_from(["fixed", "window"]),
    ),
    st.builds(
        Reserve,
        response_min=st.integers(0, 30),
        pack=st.sampled_from(["stop", "skip"]),
        count_overhead=st.booleans(),
    ),
    st.builds(
        WindowRag,
        total_limit=st.integers(0, 200),
        history_budget=st.integers(0, 90),
        rag_budget=st.integers(0, 60),
        per_source=st.sampled_from([15, 2]),
        min_tail=st.integers(0, 5),
        trim=st.sampled_from(["oldest", "middle_out"]),
    ),
)


@examples(300)
@given(workspaces(), DECLARED, st.lists(st.integers(0, 250), min_size=1, max_size=12), outside)
def test_thresholds_say_what_the_policy_decides(
    found: Workspace, policy: Any, windows: list[int], around: dict[str, Any]
) -> None:
    pipeline = pipeline_for(found)
    scenario = Scenario(policy=type(policy).__name__.lower().replace("windowrag", "window_rag"), query="", **around)
    scenario = replace(scenario, tokenizer="estimate:words", parameters={"selective": True} if _sums(policy) else {})
    candidates = pipeline.candidates(make_all(pipeline, scenario))
    declared = traits_of(policy).packing
    assert declared is not None
    packing = declared(candidates)
    if packing is None:
        return
    room = packing.rooms(budgets_of([policy] * len(windows), windows, packing.budgets))
    for place, window in enumerate(windows):
        assembly = policy(candidates, ContextWindow(window))
        assert bool(room.refused[place]) == (assembly.error is not None)
        if assembly.error is None:
            assert packing.actions(room, place).tolist() == assembly.action.tolist()


def _sums(policy: Any) -> bool:
    return isinstance(policy, Ratio) and policy.selective


@dataclass(frozen=True)
class Boasting(Ratio):
    """Ratio that declares thresholds of another number of exchanges."""

    min_exchanges: int = param(1, 0, 20)

    @property
    def traits(self) -> Traits:
        return replace(super().traits, packing=replace(self, min_exchanges=3).packing_of_ratio)

    def packing_of_ratio(self, candidates: Candidates) -> Any:
        return Ratio.packing(self, candidates)

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        return Ratio.__call__(self, candidates, window)


def test_a_policy_that_does_not_keep_to_its_thresholds_is_refused() -> None:
    with pytest.raises(AssertionError, match="thresholds say something else of m"):
        check_policy(Boasting(system_overflow="ignore"))
