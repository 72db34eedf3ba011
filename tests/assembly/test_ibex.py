"""ibex-2026 against its twin on random memories, its models and messages, and the one text of its prompt."""

from typing import Any

import pytest
from building import Answer, answer_to, chat, codes, decisions, kept, words, workspace
from hypothesis import given
from hypothesis import strategies as st
from test_exact_ledger import EXACT, assert_adds_up
from test_exact_ledger import workspaces as awkward_workspaces
from twins import Decisions

from inspector.assembly.rendered_prompt import prompt_messages
from inspector.model import Character, Memory, MemorySet, Message, Workspace
from tests.examples import examples

PRESET = {"policy": "reserve", "preset": "ibex-2026"}
NOTHING_RESERVED = {"response_ratio": 0, "response_min": 0, "safety_ratio": 0}


class IbexTwin:
    """The choice of memories, step by step, in a limit of tokens. Every memory has a similarity."""

    def __init__(self, memories: list[Memory], limit: int, chosen: dict[str, Any]) -> None:
        self.limit, self.set = limit, chosen
        most = chosen["memory_candidates"] or len(memories)
        self.decided: Decisions = {memory.id: ("dropped", 0, "not_retrieved") for memory in memories[most:]}
        self.ranked = sorted(memories[:most], key=lambda memory: (-_score(memory), memory.id))
        self.found: set[str] = set()

    def decide(self) -> Decisions:
        capacity = max(1, self.limit // 16)
        if self.limit and len(self.ranked) * (capacity + 1) > self.set["dp_cell_ceiling"]:
            return self._greedy()
        taken = self._refilled(self._repaired(self._knapsack(capacity))) if self.limit else []
        for memory in self.ranked:
            self._put(memory, memory in taken, "over_budget")
        return self.decided

    def _put(self, memory: Memory, is_kept: bool, otherwise: str) -> None:
        tokens = len(memory.content.split())
        self.decided[memory.id] = ("kept", tokens, "within_budget") if is_kept else ("dropped", 0, otherwise)

    def _greedy(self) -> Decisions:
        self.found.add("greedy_fallback")
        used = skips = 0
        for memory in self.ranked:
            if skips > self.set["max_consecutive_skips"]:
                self._put(memory, False, "after_stop")
                continue
            fits = used + _tokens(memory) <= self.limit
            used, skips = (used + _tokens(memory), 0) if fits else (used, skips + 1)
            self._put(memory, fits, "over_budget")
        return self.decided

    def _knapsack(self, capacity: int) -> list[Memory]:
        rows = [[0.0] * (capacity + 1)]
        for memory in self.ranked:
            weight, last = _weight(memory), rows[-1]
            row = last.copy()
            for cell in range(weight, capacity + 1):
                row[cell] = max(last[cell], last[cell - weight] + _score(memory))
            rows.append(row)
        taken, cell = [], capacity
        for place in range(len(self.ranked), 0, -1):
            if rows[place][cell] > rows[place - 1][cell]:
                taken.append(self.ranked[place - 1])
                cell -= _weight(self.ranked[place - 1])
        return taken

    def _repaired(self, taken: list[Memory]) -> list[Memory]:
        taken = taken.copy()
        while sum(map(_tokens, taken)) > self.limit:
            taken.remove(min(taken, key=lambda memory: (_score(memory), memory.id)))
            self.found.add("bucket_rounding")
        return taken

    def _refilled(self, taken: list[Memory]) -> list[Memory]:
        for memory in [memory for memory in self.ranked if memory not in taken]:
            if sum(map(_tokens, taken)) + _tokens(memory) <= self.limit:
                taken.append(memory)
                self.found.add("bucket_rounding")
        return taken


def _tokens(memory: Memory) -> int:
    return len(memory.content.split())


def _weight(memory: Memory) -> int:
    return max(1, _tokens(memory) // 16) if _tokens(memory) else 0


def _score(memory: Memory) -> float:
    return 0.85 * (memory.similarity or 0.0) + 0.15 * (1.0 if memory.confidence is None else memory.confidence)


memories = st.lists(
    st.builds(
        Memory,
        id=st.text("abcz", min_size=1, max_size=3),
        content=st.integers(0, 70).map(words),
        similarity=st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]),
        confidence=st.none() | st.sampled_from([0.0, 0.5, 1.0]),
    ),
    max_size=12,
    unique_by=lambda memory: memory.id,
)
parameters = st.fixed_dictionaries(
    {
        "memory_candidates": st.sampled_from([0, 0, 3, 7]),
        "dp_cell_ceiling": st.sampled_from([437_570, 437_570, 20, 0]),
        "max_consecutive_skips": st.sampled_from([5, 1, 0]),
    }
)


@examples(400)
@given(memories, st.integers(0, 200), parameters)
def test_memories_are_chosen_like_their_twin(found: list[Memory], limit: int, chosen: dict[str, Any]) -> None:
    twin = IbexTwin(found, limit, chosen)
    expected = twin.decide()
    answer = answer_to(
        workspace((), MemorySet("default", tuple(found))),
        **PRESET,
        context_window=limit,
        parameters={**NOTHING_RESERVED, **chosen},
    )
    assert decisions(answer) == expected
    assert {"greedy_fallback", "bucket_rounding"} & set(codes(answer)) == twin.found


def _ibex(found: Workspace, **scenario: Any) -> Answer:
    return answer_to(found, **PRESET, **scenario)


@pytest.mark.parametrize(
    ("model", "reserve", "margin"),
    [
        (" gpt-4o ", 4096, 2560),
        ("gpt-3.5-turbo", 2457, 327),
        ("claude-opus-4-5", 4096, 10_000),
    ],
)
def test_a_known_model_has_its_own_window_and_margin(model: str, reserve: int, margin: int) -> None:
    budget = _ibex(workspace(chat(1)), model=model).assembly.budget
    assert (budget.response_reserve, budget.safety_margin) == (reserve, margin)


def test_a_short_longest_reply_holds_the_reserve() -> None:
    reserves = [
        _ibex(workspace(chat(1)), model=model, parameters={"response_max": 9000}).assembly.budget.response_reserve
        for model in ("gpt-4-turbo", "gpt-4o")
    ]
    assert reserves == [4096, 9000]


def test_an_unknown_model_needs_a_window() -> None:
    error = _ibex(workspace(chat(1)), model="gpt-4").assembly.error
    assert error is not None
    assert error.code == "unknown_model"
    answer = _ibex(workspace(chat(1)), model="gpt-4", context_window=8192)
    assert answer.assembly.error is None
    assert answer.assembly.budget.safety_margin == 819


def test_a_given_margin_wins_over_that_of_the_model() -> None:
    answer = _ibex(workspace(chat(1)), model="claude-opus-4-5", parameters={"safety_ratio": 0.01})
    assert answer.assembly.budget.safety_margin == 2000


def test_messages_count_as_one_text_and_spend_their_own() -> None:
    told = [Message("m0", "user", "a"), Message("m1", "assistant", "b c")]
    answer = _ibex(
        workspace(told), model="gpt-4o", tokenizer="estimate:ibex", context_window=100, parameters=NOTHING_RESERVED
    )
    # "user: a\nassistant: b c" has 22 characters, six tokens.
    assert [limits.limit for limits in answer.assembly.budget.sections.values()] == [None, 94, None]
    assert decisions(answer) == {"m0": ("kept", 1, "within_budget"), "m1": ("kept", 1, "within_budget")}


def test_a_cut_before_the_ranking_is_found_only_where_it_lost_something_better() -> None:
    stored = [Memory("low", words(2), similarity=0.1), Memory("high", words(2), similarity=0.9)]
    for order, found in ((stored, True), (stored[::-1], False)):
        answer = _ibex(workspace((), MemorySet("all", tuple(order))), parameters={"memory_candidates": 1})
        assert kept(answer) == [order[0].id]
        assert ("cut_unranked" in codes(answer)) is found


def test_the_prompt_is_one_text_with_memories_in_tags_by_category() -> None:
    stored = [
        Memory("a2", "zoo", similarity=0.9, category="zoo"),
        Memory("a1", "x < y & z", similarity=0.1, category="episodic"),
        Memory("a0", "how to", similarity=0.2, category="procedural"),
    ]
    found = workspace(chat(1, 2), MemorySet("all", tuple(stored)), Character("nova", directive="Be kind."))
    answer = _ibex(found, model="gpt-4o", tokenizer="embedded:o200k_base")
    (message,) = prompt_messages(answer.assembly)
    lines = message.content.split("\n")
    assert lines[0] == "Be kind."
    assert "nonce" in lines[2]
    assert lines[4:6] == ["user: w", "assistant: w w"]
    assert [line for line in lines[7:] if not line.startswith("<")] == ["how to", "x &lt; y &amp; z", "zoo"]
    assert decisions(answer)["a1"][1] == 5
    assert answer.ledger.residual == 0


@examples(100)
@given(awkward_workspaces(), st.sampled_from([0, 40, 120, 4000, 10**9]))
def test_parts_and_overhead_are_the_whole(found: Workspace, window: int) -> None:
    answer = _ibex(found, context_window=window, parameters=NOTHING_RESERVED, **EXACT[0])
    assert_adds_up(answer)
