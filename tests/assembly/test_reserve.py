"""reserve against its twin on random cases, the knapsack against every subset, and what its words promise."""

from itertools import combinations
from math import floor
from typing import Any

import numpy as np
import pytest
from building import answer_to, chat, codes, decisions, kept, memories, words, workspace
from cases import outside, workspaces
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import Case, Decisions, cost, stop_packer, system_text, words_in

from inspector.assembly.knapsack import best_total, densest_first
from inspector.assembly.policies import reserve
from inspector.assembly.policies.reserve import Reserve
from inspector.assembly.policy import parameter_values
from inspector.model import Character, Memory, MemorySet, Workspace
from tests.examples import examples


def reserve_twin(case: Case, window: int, chosen: dict[str, Any]) -> Decisions:
    """The policy, step by step; its packers are `stop` and `skip`."""
    response = max(chosen["response_min"], min(chosen["response_max"], floor(window * chosen["response_ratio"])))
    safety = floor(window * chosen["safety_ratio"])
    directive, told = system_text(case), 3 if chosen["count_overhead"] else 0
    for message in case.messages:
        told += cost(message) + (4 + words_in(message.role) if chosen["count_overhead"] else 0)
        case.decide(message, "kept", cost(message), "pinned" if case.is_pinned(message) else "within_budget")
    limit = max(0, window - told - directive - response - safety)
    used = _pack_memories(case, limit, chosen["pack"])
    lore = case.active_lore()
    left = max(0, limit - used)
    for entry in [entry for entry in lore if case.is_pinned(entry)]:
        case.decide(entry, "kept", cost(entry), "pinned")
        left -= cost(entry)
    stop_packer([entry for entry in lore if not case.is_pinned(entry)], cost, left, case.decide)
    for item in case.others:
        case.decide(item, "dropped", 0, "filtered")
    return case.decisions


def _pack_memories(case: Case, limit: int, pack: str) -> int:
    used = 0
    for memory in [memory for memory in case.memories if case.is_pinned(memory)]:
        case.decide(memory, "kept", cost(memory), "pinned")
        used += cost(memory)
    ranked = sorted((memory for memory in case.memories if not case.is_pinned(memory)), key=lambda m: -_score(m))
    if pack == "stop":
        return used + stop_packer(ranked, cost, limit - used, case.decide)
    for memory in ranked:
        fits = used + cost(memory) <= limit
        case.decide(memory, "kept" if fits else "dropped", cost(memory) if fits else 0, _reason(fits))
        used += cost(memory) if fits else 0
    return used


def _reason(fits: bool) -> str:
    return "within_budget" if fits else "over_budget"


def _score(memory: Memory) -> float:
    confidence = 1.0 if memory.confidence is None else memory.confidence
    return 0.85 * (memory.similarity or 0.0) + 0.15 * confidence


parameters = st.fixed_dictionaries(
    {
        "response_ratio": st.sampled_from([0.0, 0.15, 0.5]),
        "response_min": st.sampled_from([0, 0, 10]),
        "response_max": st.sampled_from([4096, 5]),
        "safety_ratio": st.sampled_from([0.0, 0.05]),
        "pack": st.sampled_from(["stop", "skip"]),
        "count_overhead": st.booleans(),
        "constrained_below": st.sampled_from([0, 20]),
    }
)


@examples(300)
@given(workspaces(), parameters, st.integers(0, 400), outside)
def test_reserve_decides_like_its_twin(
    found: Workspace, chosen: dict[str, Any], window: int, around: dict[str, Any]
) -> None:
    case = Case(found, around["pinned"], around["excluded"], around["at"])
    expected = reserve_twin(case, window, {**parameter_values(Reserve()), **chosen})
    answer = answer_to(found, policy="reserve", context_window=window, query="", parameters=chosen, **around)
    assert decisions(answer) == expected


items = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 8)), max_size=9)


def _best(charges: list[int], scores: list[int], room: int) -> int:
    """The best total score, by trying every subset."""
    everything = range(len(charges))
    sets = (subset for size in range(len(charges) + 1) for subset in combinations(everything, size))
    return max(sum(scores[i] for i in subset) for subset in sets if sum(charges[i] for i in subset) <= room)


@settings(max_examples=400)
@given(items, st.integers(0, 30))
def test_the_knapsack_is_the_best_of_all_subsets(found: list[tuple[int, int]], room: int) -> None:
    charges, scores = [charge for charge, _ in found], [score for _, score in found]
    taken = best_total(np.array(charges, np.int32), np.array(scores, np.float64), room)
    spent = sum(charge for charge, chosen in zip(charges, taken, strict=True) if chosen)
    assert spent <= room
    assert sum(score for score, chosen in zip(scores, taken, strict=True) if chosen) == _best(charges, scores, room)
    assert all(chosen or spent + charge > room for charge, chosen in zip(charges, taken, strict=True))


def test_a_knapsack_without_room_takes_nothing() -> None:
    assert not best_total(np.array([0, 1], np.int32), np.ones(2), -1).any()


def test_the_greedy_one_takes_the_densest_and_skips_what_does_not_fit() -> None:
    charges, scores = np.array([4, 3, 0, 2], np.int32), np.array([0.8, 0.9, 0.1, 0.1])
    assert densest_first(charges, scores, 5).tolist() == [False, True, True, True]


PACKED = workspace(
    chat(1), MemorySet("default", tuple(Memory(f"k{n}", words(c), similarity=s) for n, (c, s) in enumerate(
        [(6, 0.9), (5, 0.8), (5, 0.7), (4, 0.1)]
    ))),
)  # fmt: skip
TEN_LEFT = {"response_ratio": 0.0, "response_min": 0, "safety_ratio": 0.0, "count_overhead": False}


def test_the_knapsack_beats_the_packers() -> None:
    found = {
        pack: kept(
            answer_to(PACKED, policy="reserve", context_window=11, query="", parameters={**TEN_LEFT, "pack": pack})
        )
        for pack in ("stop", "skip", "knapsack")
    }
    assert found == {"stop": ["k0", "m0"], "skip": ["k0", "k3", "m0"], "knapsack": ["k1", "k2", "m0"]}


def test_too_many_cells_are_packed_greedily_and_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario: dict[str, Any] = {"policy": "reserve", "context_window": 11, "query": ""}
    parameters_ = {**TEN_LEFT, "pack": "knapsack"}
    assert reserve.KNAPSACK_CELLS >= 4 * 10
    monkeypatch.setattr(reserve, "KNAPSACK_CELLS", 39)
    greedy = answer_to(PACKED, **scenario, parameters=parameters_)
    assert "knapsack_greedy" in codes(greedy)
    assert kept(greedy) == ["k1", "k2", "m0"]
    monkeypatch.setattr(reserve, "KNAPSACK_CELLS", 40)
    assert "knapsack_greedy" not in codes(answer_to(PACKED, **scenario, parameters=parameters_))


def test_kept_memories_stand_in_order_of_score_however_they_were_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reserve, "KNAPSACK_CELLS", 0)
    found = workspace(chat(1), memories(9, 1, 8))
    answer = answer_to(
        found, policy="reserve", query="", context_window=99, parameters={**TEN_LEFT, "pack": "knapsack"}
    )
    ids = answer.assembly.candidates.ids
    assert [ids[row] for row in answer.assembly.order] == ["k0", "k1", "k2", "m0"]


def test_the_score_weighs_similarity_and_confidence() -> None:
    stored = (Memory("k0", "a", similarity=0.4, confidence=0.2), Memory("k1", "a", similarity=0.4), Memory("k2", "a"))
    answer = answer_to(workspace(chat(1), MemorySet("default", stored)), policy="reserve", query="")
    assert answer.assembly.score[:3].tolist() == pytest.approx([0.85 * 0.4 + 0.15 * 0.2, 0.85 * 0.4 + 0.15, 0.15])


def test_a_directive_goes_before_a_system_prompt_and_its_recorded_count() -> None:
    both = Character("nova", system_prompt=words(9), system_tokens=50, directive=words(4))
    alone = Character("nova", system_prompt=words(9), system_tokens=50)
    for policy, character, tokens in (
        ("reserve", both, 4),
        ("ratio", both, 50),
        ("reserve", alone, 50),
        ("ratio", Character("nova", directive=words(4), system_tokens=50), 4),
    ):
        answer = answer_to(workspace(chat(1), character=character), policy=policy, context_window=10_000)
        assert decisions(answer)["nova"] == ("kept", tokens, "always")


def test_the_document_s_example_window() -> None:
    """gpt-4o with nothing in it: 128000 − 3 − 4096 − 6400 tokens for memories."""
    budget = answer_to(workspace(), policy="reserve", model="gpt-4o").assembly.budget
    assert (budget.response_reserve, budget.safety_margin) == (4096, 6400)
    assert [limits.limit for limits in budget.sections.values()] == [None, 117_501, None]


@pytest.mark.parametrize(("below", "said"), [(11, True), (10, False)])
def test_few_tokens_for_memories_are_said(below: int, said: bool) -> None:
    parameters_ = {**TEN_LEFT, "constrained_below": below}
    answer = answer_to(PACKED, policy="reserve", context_window=11, query="", parameters=parameters_)
    assert ("constrained" in codes(answer)) is said
