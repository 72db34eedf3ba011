"""window_rag against its twin on random cases, messages that come back, the last check, and the finished prompt."""

from typing import Any

import pytest
from building import BY_WORDS, answer_to, chat, codes, decisions, kept, memories, words, workspace
from cases import outside, recorded, some, workspaces
from hypothesis import given
from hypothesis import strategies as st
from twins import Case, Decisions, cost, stop_packer, system_text

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Section, word
from inspector.assembly.explain import explain
from inspector.assembly.policies.window_rag import WindowRag
from inspector.assembly.policy import parameter_values
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.model import (
    Character,
    Lorebook,
    LoreEntry,
    Memory,
    MemorySet,
    Message,
    Passage,
    PastSummary,
    Workspace,
)
from tests.examples import examples

SCORES = st.none() | st.sampled_from([0.0, 0.25, 0.5, 1.0])
passages = st.builds(
    Passage,
    id=st.just(""),
    content=st.integers(0, 9).map(words),
    kind=st.sampled_from(["chat", "chat", "lorebook", "chronicle", "document"]),
    score=SCORES,
    message_id=st.sampled_from(["", "", *(f"m{n}" for n in range(20))]),
    tokens=recorded,
)


class WindowRagTwin:
    """The policy, step by step, without a query: what has no recorded score comes last."""

    def __init__(self, case: Case, window: int, parameters: dict[str, Any]) -> None:
        self.case, self.set = case, parameters
        self.total = min(parameters["total_limit"], window)
        self.refused = False

    def decide(self) -> Decisions:
        case = self.case
        spent = system_text(case)
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
        chunks, found = self._chunks(earlier, history, current, used)
        self._last_check(spent + used + found, chunks, history)
        return case.decisions

    def _history(self, earlier: list[Message]) -> tuple[list[Message], int]:
        case, taken = self.case, []
        for message in [message for message in earlier if case.is_pinned(message)]:
            case.decide(message, "kept", cost(message), "pinned")
            taken.append(message)
        for message in [message for message in reversed(earlier) if not case.is_pinned(message)]:
            if sum(map(cost, taken)) + cost(message) > self.set["history_budget"]:
                break
            case.decide(message, "kept", cost(message), "within_budget")
            taken.append(message)
        return [message for message in earlier if message in taken], sum(map(cost, taken))

    def _chunks(
        self, earlier: list[Message], history: list[Message], current: list[Message], used: int
    ) -> tuple[list[Any], int]:
        case, limit = self.case, min(self.set["rag_budget"], max(0, self.total - used))
        possible: list[tuple[str, Any]] = []
        for entry in sorted(case.lore, key=lambda entry: entry.id):  # as in the file
            if entry.enabled or case.is_pinned(entry):
                possible.append(("lorebook", entry))
            else:
                case.decide(entry, "dropped", 0, "filtered")
        stood_for: set[str] = set()
        for passage in [item for item in case.others if isinstance(item, Passage)]:
            if case.decisions.get(passage.message_id, ("", 0, ""))[2] == "not_yet":
                case.decide(passage, "dropped", 0, "not_yet")
                continue
            stood_for.add(passage.message_id)
            if passage.message_id in {m.id for m in history + current} and not case.is_pinned(passage):
                case.decide(passage, "dropped", 0, "filtered")
            else:
                possible.append((passage.kind, passage))
        possible += [("chronicle", memory) for memory in case.memories]
        lost = [message for message in earlier if message not in history]
        for message in lost:
            if message.id not in stood_for:
                possible.append(("chat", message))
            else:
                case.decide(message, "dropped", 0, "over_budget" if message is lost[-1] else "after_stop")
        return self._pack(possible, limit)

    def _pack(self, possible: list[tuple[str, Any]], limit: int) -> tuple[list[Any], int]:
        case, used = self.case, 0
        for _, item in possible:
            if case.is_pinned(item):
                case.decide(item, "kept", cost(item), "pinned")
                used += cost(item)
        chosen: list[Any] = []
        for kind in ("lorebook", "chat", "chronicle", "document"):
            of_kind = [item for source, item in possible if source == kind and not case.is_pinned(item)]
            ranked = sorted(of_kind, key=_by_score)
            chosen += ranked[: self.set["per_source"]]
            for item in ranked[self.set["per_source"] :]:
                case.decide(item, "dropped", 0, "not_retrieved")
        order = [item for _, item in possible]
        ranked = sorted(sorted(chosen, key=lambda item: _place(item, order)), key=_by_score)
        if self.set["misfit"] == "stop":
            used += stop_packer(ranked, cost, limit - used, case.decide)
        else:
            for item in ranked:
                fits = used + cost(item) <= limit
                case.decide(item, *(("kept", cost(item), "within_budget") if fits else ("dropped", 0, "over_budget")))
                used += cost(item) if fits else 0
        return [item for item in ranked if case.decisions[item.id][0] == "kept"], used

    def _last_check(self, needed: int, chunks: list[Any], history: list[Message]) -> None:
        case = self.case
        for item in reversed(chunks):
            if needed > self.total:
                case.decisions[item.id] = ("dropped", 0, "over_budget")
                needed -= cost(item)
        loose = history[: max(0, len(history) - self.set["min_tail"])]
        reason = "over_budget"
        if self.set["trim"] == "middle_out":
            loose, reason = loose[::-1], "middle_out"
        for message in loose:
            if needed > self.total and not case.is_pinned(message):
                case.decisions[message.id] = ("dropped", 0, reason)
                needed -= cost(message)
        self.refused = needed > self.total


def _score(item: Any) -> float | None:
    if isinstance(item, Message):
        return None
    return item.similarity if isinstance(item, Memory) else item.score


def _by_score(item: Any) -> tuple[bool, float]:
    score = _score(item)
    return score is None, -(score or 0.0)


def _place(item: Any, order: list[Any]) -> int:
    return next(place for place, other in enumerate(order) if other is item)


parameters = st.fixed_dictionaries(
    {
        "total_limit": st.sampled_from([200_000, 200_000, 60, 30]),
        "history_budget": st.sampled_from([150_000, 40, 15, 0]),
        "rag_budget": st.sampled_from([50_000, 25, 8, 0]),
        "per_source": st.sampled_from([15, 3, 1, 0]),
        "misfit": st.sampled_from(["stop", "skip"]),
        "min_tail": st.sampled_from([8, 2, 0]),
        "trim": st.sampled_from(["oldest", "middle_out"]),
    }
)
pins = st.lists(st.sampled_from(["p0", "p1", "p4"]), max_size=2).map(tuple)


@examples(250)
@given(workspaces(some(passages, 8)), parameters, st.sampled_from([20, 50, 100, 1000]), outside, pins)
def test_window_rag_decides_like_its_twin(
    found: Workspace, chosen: dict[str, Any], window: int, around: dict[str, Any], more: tuple[str, ...]
) -> None:
    pinned = around["pinned"] + more
    case = Case(found, pinned, around["excluded"], around["at"])
    twin = WindowRagTwin(case, window, {**parameter_values(WindowRag()), **chosen})
    expected = twin.decide()
    scenario = {**around, "pinned": pinned, "query": "", "context_window": window, "parameters": chosen}
    answer = answer_to(found, policy="window_rag", **scenario)
    assert (answer.assembly.error is not None) is twin.refused
    assert decisions(answer) == expected
    order = answer.assembly.order.tolist()
    assert sorted(order) == list(range(len(answer.assembly.candidates)))


def rag(found: Workspace, **changes: Any) -> Answer:
    """An answer in words; what is no parameter goes into the scenario."""
    declared = parameter_values(WindowRag())
    chosen = {name: value for name, value in changes.items() if name in declared}
    scenario = {name: value for name, value in changes.items() if name not in declared}
    given = {"context_window": 1000, "embedding": BY_WORDS, **scenario}
    return answer_to(found, policy="window_rag", parameters=chosen, **given)


def section_of(answer: Answer, name: str) -> str:
    row = answer.assembly.candidates.ids.index(name)
    return word(Section(int(answer.assembly.section[row])))


TOLD = workspace(
    [
        Message("m0", "user", "the kraken sleeps in the north"),
        Message("m1", "assistant", "good to know about that one"),
        Message("m2", "user", "my sister paints boats and trees"),
        Message("m3", "assistant", "what a fine thing to do"),
        Message("m4", "user", "where does the kraken sleep"),
    ]
)


def test_the_older_messages_most_like_the_query_come_back() -> None:
    answer = rag(TOLD, history_budget=6, per_source=1)
    assert kept(answer) == ["m0", "m3", "m4"]
    assert [section_of(answer, name) for name in ("m0", "m1", "m3", "m4")] == [
        "retrieved",
        "history",
        "history",
        "current",
    ]
    assert decisions(answer)["m2"] == ("dropped", 0, "not_retrieved")
    scores = answer.assembly.score
    assert scores[0] == 1.0
    assert 0 <= scores[2] < scores[1] < 1 or scores[1] == scores[2] == 0


def test_a_score_does_not_change_while_the_history_grows() -> None:
    one, other = rag(TOLD, history_budget=6), rag(TOLD, history_budget=12)
    assert one.assembly.score[:2].tolist() == other.assembly.score[:2].tolist()


def test_a_replayed_turn_scores_as_if_the_later_messages_had_never_been() -> None:
    told = TOLD.conversations[0].messages
    later = (Message("m5", "assistant", "the north"), Message("m6", "user", "and my sister"))
    cut, replayed = rag(TOLD, history_budget=6), rag(workspace([*told, *later]), history_budget=6, at=5)
    assert replayed.assembly.score[:3].tolist() == cut.assembly.score[:3].tolist()
    assert decisions(cut).items() <= decisions(replayed).items()


def test_without_a_query_older_messages_come_back_in_order() -> None:
    answer = rag(TOLD, history_budget=6, per_source=2, query=" ")
    assert kept(answer) == ["m0", "m1", "m3", "m4"]


def test_texts_are_compared_with_the_query_once_and_only_where_messages_are_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from building import pipeline_for

    from inspector.assembly.scenario import Scenario
    from inspector.retrieval.lexical import LexicalIndex

    asked: list[list[str]] = []
    real = LexicalIndex.scores_each
    monkeypatch.setattr(
        LexicalIndex,
        "scores_each",
        lambda index, queries, *terms: asked.append(queries) or real(index, queries, *terms),
    )
    pipeline = pipeline_for(TOLD)
    for budget in (100, 20, 6, 7, 8, 12):
        scenario = Scenario(
            policy="window_rag", tokenizer="estimate:words", parameters={"history_budget": budget, "rag_budget": budget}
        )
        pipeline.assemble(pipeline.case(scenario))
        assert len(asked) == (0 if budget == 100 else min(1, len(asked)))
    assert asked == [["where does the kraken sleep"]]


def test_what_could_not_come_back_is_a_gap_after_a_pinned_message() -> None:
    answer = rag(workspace(chat(2, 3, 3, 1, 1)), history_budget=3, rag_budget=0, pinned=("m0",), query="")
    assert kept(answer) == ["m0", "m3", "m4"]
    gap = next(finding for finding in answer.findings if finding.code == "history_gap")
    assert gap.rows.tolist() == [1, 2]


def test_a_message_that_came_back_makes_no_gap() -> None:
    answer = rag(workspace(chat(2, 3, 3, 1, 1)), history_budget=1, per_source=1, query="")
    assert kept(answer) == ["m0", "m3", "m4"]
    assert "history_gap" not in codes(answer)


CHECKED = workspace(chat(5, 5, 5, 5, 1), memories(4, 4, 4), Character("nova", system_prompt=words(3)))


@pytest.mark.parametrize(
    ("total", "trim", "dropped"),
    [
        (36, "oldest", []),
        (35, "oldest", ["k2"]),
        (24, "oldest", ["k0", "k1", "k2"]),
        (23, "oldest", ["k0", "k1", "k2", "m0"]),
        (23, "middle_out", ["k0", "k1", "k2", "m1"]),
        (18, "middle_out", ["k0", "k1", "k2", "m0", "m1"]),
        (14, "oldest", ["k0", "k1", "k2", "m0", "m1"]),
    ],
)
def test_the_last_check_removes_in_this_order(total: int, trim: str, dropped: list[str]) -> None:
    answer = rag(CHECKED, total_limit=total, trim=trim, min_tail=2)
    assert [name for name, decision in decisions(answer).items() if decision[0] == "dropped"] == dropped
    assert int(answer.assembly.used.sum()) <= total
    assert "window_smaller_than_budget" not in codes(answer)


def test_a_prompt_that_cannot_be_made_small_enough_is_refused() -> None:
    answer = rag(CHECKED, total_limit=13, min_tail=2)
    error = answer.assembly.error
    assert error is not None
    assert (error.code, answer.status) == ("request_too_large", "error")
    assert "are 1 token over the total limit of 13" in error.message


def test_the_last_check_says_what_it_did() -> None:
    answer = rag(CHECKED, total_limit=35, min_tail=2)
    sentence = explain(answer.assembly, answer.assembly.candidates.ids.index("k2"))
    assert sentence.startswith("Dropped. The prompt needed 36 tokens of a total of 35")


def test_a_total_limit_above_the_window_is_said_and_the_window_holds() -> None:
    answer = rag(CHECKED, context_window=23, min_tail=2)
    assert "window_smaller_than_budget" in codes(answer)
    assert int(answer.assembly.used.sum()) == 19


def test_chunks_stand_in_their_tags_before_the_current_message() -> None:
    found = workspace(
        [Message("m0", "user", "old one"), Message("m1", "assistant", "reply"), Message("m2", "user", "and now?")],
        memories(),
        Character("nova", system_prompt="Be kind."),
        lorebooks=(Lorebook("b", (LoreEntry("l0", "Lore A", score=0.2), LoreEntry("l1", "Lore B", score=0.9))),),
        passages=(Passage("p0", "A chapter", "chronicle", score=0.5), Passage("p1", "", "document", score=1.0)),
        summaries=(PastSummary("s0", "long ago"),),
    )
    answer = rag(found, history_budget=1, query="")
    messages = [(message.role, message.content) for message in prompt_messages(answer.assembly)]
    assert messages == [
        ("system", "Be kind."),
        ("assistant", "reply"),
        (
            "user",
            "<lorebook_entries>\nLore B\nLore A\n</lorebook_entries>\n"
            "<long_term_memory>\nA chapter\nold one\n</long_term_memory>\nand now?",
        ),
    ]
    ids = answer.assembly.candidates.ids
    order = [ids[row] for row in answer.assembly.order if answer.assembly.in_prompt[row]]
    assert [name for name in order if name != "p1"] == ["nova", "m1", "l1", "l0", "p0", "m0", "m2"]
    assert "not_placed" in codes(answer)


def test_without_chunks_the_current_message_stands_as_it_was_written() -> None:
    answer = rag(workspace([Message("m0", "user", "hello", name="Ann")]))
    assert [(message.content, message.name) for message in prompt_messages(answer.assembly)] == [("hello", "Ann")]


def test_a_current_message_with_chunks_keeps_its_speaker_and_adds_up() -> None:
    found = workspace([Message("m0", "user", "hello", name="Ann")], MemorySet("d", (Memory("k0", "She likes tea."),)))
    answer = rag(found, model="gpt-4o", tokenizer="embedded:o200k_base")
    assert [message.name for message in prompt_messages(answer.assembly)] == ["Ann"]
    assert (answer.ledger.exact, answer.ledger.residual) == (True, 0)


def test_a_disabled_entry_that_is_pinned_stays() -> None:
    lore = Lorebook("b", (LoreEntry("l0", words(3), enabled=False), LoreEntry("l1", words(3), enabled=False)))
    answer = rag(workspace(chat(1), lorebooks=(lore,)), pinned=("l1",))
    assert kept(answer) == ["l1", "m0"]
