"""scribe-2025.08 against its twin on random cases, its greeting, ranking and last check, and its exact ledger."""

from typing import Any

import numpy as np
import pytest
from building import START, Answer, answer_to, chat, codes, decisions, kept, words, workspace
from cases import outside, recorded, some, times, workspaces
from hypothesis import given
from hypothesis import strategies as st
from test_exact_ledger import EXACT, assert_adds_up
from test_exact_ledger import workspaces as awkward_workspaces
from twins import Case, Decisions, cost, stop_packer, system_text

from inspector.assembly.policies.scribe import Scribe
from inspector.assembly.policy import parameter_values
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.model import Character, LoreEntry, Memory, Message, Passage, Workspace, changed
from tests.examples import examples

PRESET = {"policy": "window_rag", "preset": "scribe-2025.08"}
NOW = "2026-07-01T07:00:00+00:00"
DAYS = {"chronicle": (30, 0.1), "chat": (7, 0.2)}
WORTH = {"lorebook": 1.0, "chronicle": 1.2, "chat": 0.8}
ROOMY = {"preamble_tokens": 0, "total_limit": 200_000}


class ScribeTwin:
    """The policy, step by step, without a query and without recalled messages."""

    def __init__(self, case: Case, greeting: str, chosen: dict[str, Any]) -> None:
        self.case, self.greeting, self.set = case, greeting, chosen
        self.refused = False
        self.found: set[str] = set()

    def decide(self) -> Decisions:
        case = self.case
        spent = self.set["preamble_tokens"] + system_text(case)
        earlier, current = case.messages, case.messages[-1:]
        if current and current[0].role == "user":
            earlier = earlier[:-1]
            case.decide(current[0], "kept", cost(current[0]), "always")
            spent += cost(current[0])
        else:
            current = []
        for item in [item for item in case.others if not isinstance(item, Passage)]:
            case.decide(item, "dropped", 0, "filtered")
        history, used = self._history(earlier)
        limit = min(self.set["rag_budget"], max(0, self.set["total_limit"] - used))
        chunks, found = self._chunks([message.id for message in history + current], limit)
        if self.greeting:
            opening = Message("greeting", "assistant", self.greeting)
            case.decide(opening, *(("dropped", 0, "filtered") if history else ("kept", cost(opening), "within_budget")))
            spent += 0 if history else cost(opening)
            history = history or [opening]
        self._last_check(spent + used + found, chunks, history)
        return case.decisions

    def _history(self, earlier: list[Message]) -> tuple[list[Message], int]:
        case = self.case
        for message in [message for message in earlier if case.is_pinned(message)]:
            case.decide(message, "kept", cost(message), "pinned")
        pinned = sum(_charge(message) for message in earlier if case.is_pinned(message))
        loose = [message for message in reversed(earlier) if not case.is_pinned(message)]
        stop_packer(loose, _charge, self.set["history_budget"] - pinned, case.decide)
        taken = [message for message in earlier if case.decisions[message.id][0] == "kept"]
        for message in taken:
            case.decisions[message.id] = ("kept", cost(message), case.decisions[message.id][2])
        return taken, sum(map(_charge, taken))

    def _chunks(self, said: list[str], limit: int) -> tuple[list[Any], int]:
        case, used = self.case, 0
        possible = self._possible()
        for _, item in possible:
            if case.is_pinned(item):
                case.decide(item, "kept", cost(item), "pinned")
                used += cost(item)
        possible = [(kind, item) for kind, item in possible if not case.is_pinned(item)]
        if limit == 0:
            for _, item in possible:
                case.decide(item, "dropped", 0, "not_retrieved")
            return [], used
        ranked = self._ranked(possible, said)
        for first in ranked[:1]:
            case.decide(first, "kept", cost(first), "guaranteed")
            if used + cost(first) > limit and cost(first):
                self.found.add("first_chunk_over_budget")
            used += cost(first)
        if self.set["misfit"] == "stop":
            used += stop_packer(ranked[1:], cost, limit - used, case.decide)
        else:
            for item in ranked[1:]:
                fits = used + cost(item) <= limit
                case.decide(item, *(("kept", cost(item), "within_budget") if fits else ("dropped", 0, "over_budget")))
                used += cost(item) if fits else 0
        return [item for item in ranked if case.decisions[item.id][0] == "kept"], used

    def _possible(self) -> list[tuple[str, Any]]:
        case, possible = self.case, []
        for entry in sorted(case.lore, key=lambda entry: entry.id):  # as in the file
            if entry.enabled or case.is_pinned(entry):
                possible.append(("lorebook", entry))
            else:
                case.decide(entry, "dropped", 0, "filtered")
        for passage in [item for item in case.others if isinstance(item, Passage)]:
            if case.decisions.get(passage.message_id, ("", 0, ""))[2] == "not_yet":
                case.decide(passage, "dropped", 0, "not_yet")
            else:
                possible.append(("lorebook" if passage.kind == "document" else passage.kind, passage))
        return possible + [("chronicle", memory) for memory in case.memories]

    def _ranked(self, possible: list[tuple[str, Any]], said: list[str]) -> list[Any]:
        considered: list[tuple[int, str, Any]] = []
        for kind in WORTH:
            inside = [(n, kind, item) for n, (source, item) in enumerate(possible) if source == kind]
            inside.sort(key=lambda one: (_score(one[2]) is None, -(_score(one[2]) or 0.0)))
            considered += inside[: self.set[f"per_source_{kind}"]]
            for _, _, item in inside[self.set[f"per_source_{kind}"] :]:
                self.case.decide(item, "dropped", 0, "not_retrieved")
        left = []
        for place, kind, item in sorted(considered, key=lambda one: one[0]):
            if kind == "chat" and item.message_id in said:
                self.case.decide(item, "dropped", 0, "filtered")
            else:
                left.append((-_composite(kind, item), place, item))
        return [item for _, _, item in sorted(left, key=lambda one: one[:2])]

    def _last_check(self, needed: int, chunks: list[Any], history: list[Message]) -> None:
        case, limit, tail = self.case, self.set["hard_limit"], self.set["min_tail"]
        for item in reversed(chunks):
            if needed > limit:
                case.decisions[item.id] = ("dropped", 0, "over_budget")
                needed -= cost(item)
        reason, loose = "over_budget", history
        if len(history) > tail:
            loose = history[: len(history) - tail]
            if self.set["trim"] == "middle_out":
                reason, loose = "middle_out", loose[::-1]
        for message in loose:
            if needed > limit and not case.is_pinned(message):
                case.decisions[message.id] = ("dropped", 0, reason)
                needed -= cost(message)
                if len(history) <= tail:
                    self.found.add("tail_cut")
        self.refused = needed > limit


def _charge(message: Message) -> int:
    return cost(message) if message.content.strip() else 0


def _score(item: Memory | Passage | LoreEntry) -> float | None:
    return item.similarity if isinstance(item, Memory) else item.score


def _composite(kind: str, item: Any) -> float:
    """In single precision, as the published code has it."""
    one, recency = np.float32(1), np.float32(0.8)
    if kind in DAYS:
        half, least = DAYS[kind]
        recency = np.float32(least)
        if item.time is not None:
            days = max(0, (START.replace(month=7, hour=7) - item.time).days)
            recency = max(recency, one / (one + np.float32(days) / np.float32(half)))
    score, worth = np.float32(_score(item) or 0.0), np.float32(WORTH[kind])
    return float(np.float32(0.6) * score + np.float32(0.25) * recency + np.float32(0.15) * (worth - one))


passages = st.builds(
    Passage,
    id=st.just(""),
    content=st.integers(0, 9).map(words),
    kind=st.sampled_from(["chat", "chat", "lorebook", "chronicle", "document"]),
    score=st.none() | st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    time=times,
    message_id=st.sampled_from(["", "", *(f"m{n}" for n in range(20))]),
    tokens=recorded,
)
parameters = st.fixed_dictionaries(
    {
        "total_limit": st.sampled_from([200_000, 200_000, 60, 0]),
        "history_budget": st.sampled_from([150_000, 40, 15, 0]),
        "rag_budget": st.sampled_from([50_000, 25, 8, 0]),
        "per_source_lorebook": st.sampled_from([15, 1, 0]),
        "per_source_chronicle": st.sampled_from([10, 2]),
        "per_source_chat": st.sampled_from([15, 2]),
        "misfit": st.sampled_from(["stop", "skip"]),
        "min_tail": st.sampled_from([8, 2, 0]),
        "trim": st.sampled_from(["oldest", "middle_out"]),
        "hard_limit": st.sampled_from([200_000, 120, 60, 20]),
        "preamble_tokens": st.sampled_from([0, 10]),
    }
)
pins = st.lists(st.sampled_from(["p0", "p1", "p4"]), max_size=2).map(tuple)


def _greeting(found: Workspace, text: str) -> Workspace:
    return changed(found, characters=tuple(changed(character, greeting=text) for character in found.characters))


@examples(120)
@given(workspaces(some(passages, 8)), st.sampled_from(["", words(4)]), parameters, outside, pins)
def test_scribe_decides_like_its_twin(
    found: Workspace, greeting: str, chosen: dict[str, Any], around: dict[str, Any], more: tuple[str, ...]
) -> None:
    found, pinned = _greeting(found, greeting), around["pinned"] + more
    case = Case(found, pinned, around["excluded"], around["at"])
    twin = ScribeTwin(case, greeting if found.characters else "", {**parameter_values(Scribe()), **chosen})
    expected = twin.decide()
    scenario = {**around, "pinned": pinned, "query": "", "context_window": 50, "parameters": chosen, "now": NOW}
    answer = answer_to(found, **PRESET, **scenario)
    assert (answer.assembly.error is not None) is twin.refused
    assert decisions(answer) == expected
    assert {"first_chunk_over_budget", "tail_cut"} & set(codes(answer)) == twin.found


def _scribe(found: Workspace, **parameters: Any) -> Answer:
    return answer_to(found, **PRESET, context_window=1000, query="", now=NOW, parameters={**ROOMY, **parameters})


NOVA = Character("nova", name="Nova", system_prompt=words(2), greeting="Hello, I am {{char}}.")


def test_the_greeting_stands_in_for_a_history_that_is_not_there() -> None:
    answer = _scribe(workspace(chat(3), character=NOVA))
    assert kept(answer) == ["nova", "greeting", "m0"]
    assert [(message.role, message.content) for message in prompt_messages(answer.assembly)] == [
        ("system", words(2)),
        ("assistant", "Hello, I am Nova."),
        ("user", words(3)),
    ]
    assert decisions(_scribe(workspace(chat(1, 1, 3), character=NOVA)))["greeting"] == ("dropped", 0, "filtered")


def test_only_scribe_greets() -> None:
    answer = answer_to(workspace(chat(3), character=NOVA), policy="window_rag")
    assert "greeting" not in answer.assembly.candidates.ids


def test_older_messages_come_back_only_when_asked_for() -> None:
    found = workspace(chat(2, 3, 3, 1, 1))
    assert kept(_scribe(found, history_budget=1)) == ["m3", "m4"]
    assert kept(_scribe(found, history_budget=1, recall_dropped=True)) == ["m0", "m1", "m2", "m3", "m4"]


def test_blank_messages_cost_nothing_and_never_stop() -> None:
    told = [Message("m0", "user", words(2)), Message("m1", "assistant", " \n", tokens=9), Message("m2", "user", "now")]
    assert kept(_scribe(workspace(told), history_budget=2)) == ["m0", "m1", "m2"]


def test_limits_of_sources_may_be_given_by_words() -> None:
    found = workspace(
        chat(1), passages=tuple(Passage(f"p{n}", words(1), "chat", score=1 - n / 10) for n in range(4))
    )  # fmt: skip
    answer = _scribe(found, per_source={"chat": 2})
    assert kept(answer) == ["p0", "p1", "m0"]
    refused = _scribe(found, per_source={"scroll": 2}).assembly.error
    assert refused is not None
    assert refused.code == "invalid_parameter"


@pytest.mark.parametrize(("total", "there"), [(200_000, False), (1000, True)])
def test_two_totals_are_told_apart(total: int, there: bool) -> None:
    assert ("two_totals" in codes(_scribe(workspace(chat(1)), total_limit=total))) is there


@examples(100)
@given(awkward_workspaces(), st.sampled_from([0, 12, 150_000]), st.sampled_from([0, 2, 8]))
def test_parts_and_overhead_are_the_whole(found: Workspace, budget: int, tail: int) -> None:
    chosen = {"history_budget": budget, "min_tail": tail, "preamble_tokens": 0, "hard_limit": 40}
    answer = answer_to(_greeting(found, "\nHi."), **PRESET, parameters=chosen, **EXACT[0])
    if answer.assembly.error is None:
        assert_adds_up(answer)
