"""adaptive against its twin on random cases, and what its words promise of the prompt."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from building import answer_to, chat, codes, decisions, kept, words, workspace
from cases import components, named, outside, rarely, some, workspaces
from hypothesis import example, given
from hypothesis import strategies as st
from twins import Case, Decisions, cost, is_on, words_in

from inspector.assembly.explain import explain
from inspector.assembly.policies.adaptive import Adaptive
from inspector.assembly.policy import parameter_values
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.model import Character, Component, Memory, MemorySet, Message, PastSummary, Profile, Workspace, changed
from tests.examples import examples

MARK = "... [system prompt truncated due to size]"


@dataclass
class Piece:
    """A component as the twin sees it."""

    id: str
    text: str
    cost: int
    priority: float
    required: bool = False
    pinned: bool = False
    is_prompt: bool = False
    is_on: bool = True
    is_cut: bool = False


class AdaptiveTwin:
    """The policy, step by step."""

    def __init__(self, case: Case, chosen: dict[str, Any]) -> None:
        self.case, self.set = case, chosen
        self.is_emergency = False

    def decide(self) -> Decisions:
        stays, is_tight = self._choose()
        text = "\n\n".join(piece.text for piece in stays)
        inside = [message for message in self.case.messages if message.role == "system"]
        told = [message for message in self.case.messages if message.role != "system"]
        system = words_in(text) + sum(map(cost, inside))
        limit = self.set["max_tokens"]
        fits = system + sum(map(cost, told)) <= limit
        self.is_emergency = emergency = not fits and system >= limit
        for message in inside:
            self.case.decide(message, "kept", cost(message), "pinned" if self.case.is_pinned(message) else "always")
        left = _first_words(text, limit) if emergency else text
        self._keep_components(stays, left, "within_budget" if not is_tight else "guaranteed")
        if fits:
            for message in told:
                reason = "pinned" if self.case.is_pinned(message) else "within_budget"
                self.case.decide(message, "kept", cost(message), reason)
        else:
            self._pack(told, limit - system, emergency)
        for item in self.case.others:
            if not isinstance(item, PastSummary):
                self.case.decide(item, "dropped", 0, "filtered")
        return self.case.decisions

    def _pieces(self) -> Iterator[Piece]:
        case, character = self.case, self.case.character
        if character is not None:
            if character.system_prompt or not character.components:
                given_cost = character.system_tokens
                price = words_in(character.system_prompt) if given_cost is None else given_cost
                yield Piece(character.id, character.system_prompt, price, 1, required=True, is_prompt=True)
            for part in character.components:
                yield Piece(part.id, part.content, cost(part), part.priority, part.required, is_on=is_on(part))
            if character.profile is not None:
                text = f"Name: {character.profile.name}"
                yield Piece("profile", text, words_in(text), 3)
        pinned = [memory for memory in case.memories if case.is_pinned(memory)]
        others = [memory for memory in case.memories if not case.is_pinned(memory)]
        others.sort(key=lambda memory: (memory.similarity is None, -(memory.similarity or 0)))
        for memory in pinned + others:
            text = memory.content[: self.set["memory_chars"]]
            is_cut = text != memory.content
            price = words_in(text) if is_cut else cost(memory)
            yield Piece(memory.id, text, price, 4, memory in pinned, memory in pinned, is_cut=is_cut)
        for entry in case.active_lore():
            yield Piece(entry.id, entry.content, cost(entry), 4, case.is_pinned(entry), case.is_pinned(entry))
        for summary in case.others:
            if isinstance(summary, PastSummary):
                yield Piece(summary.id, summary.summary, cost(summary), 5)

    def _choose(self) -> tuple[list[Piece], bool]:
        pieces = []
        for piece in sorted(self._pieces(), key=lambda piece: piece.priority):
            if piece.is_on and piece.text.strip():
                pieces.append(piece)
            else:
                self.case.decisions[piece.id] = ("dropped", 0, "filtered")
        budget = self.set["system_budget"]
        is_tight = sum(piece.cost for piece in pieces) > budget
        if is_tight:
            taken = [piece for piece in pieces if piece.required]
            for piece in [piece for piece in pieces if not piece.required]:
                if sum(other.cost for other in taken) + piece.cost <= budget:
                    taken.append(piece)
                else:
                    self.case.decisions[piece.id] = ("dropped", 0, "over_budget")
            pieces = taken
        return [piece for piece in pieces if not self._is_repeated(piece, pieces)], is_tight

    def _is_repeated(self, piece: Piece, pieces: list[Piece]) -> bool:
        same = [other for other in pieces if _beginning(other) == _beginning(piece)]
        first = next((other for other in same if other.pinned), same[0])
        if piece is first or piece.pinned:
            return False
        self.case.decisions[piece.id] = ("dropped", 0, "duplicate")
        return True

    def _keep_components(self, stays: list[Piece], left: str, required_reason: str) -> None:
        start = 0
        for piece in stays:
            part = left[start : start + len(piece.text)]
            start += len(piece.text) + 2
            if not part:
                self.case.decisions[piece.id] = ("dropped", 0, "emergency")
            elif part != piece.text:
                self.case.decisions[piece.id] = ("truncated", words_in(part), "emergency")
            elif piece.is_cut:
                self.case.decisions[piece.id] = ("truncated", piece.cost, "cut")
            else:
                reason = required_reason if piece.required else "within_budget"
                reason = "pinned" if piece.pinned else "always" if piece.is_prompt else reason
                self.case.decisions[piece.id] = ("kept", piece.cost, reason)

    def _pack(self, told: list[Message], available: int, emergency: bool) -> None:
        used, stopped = 0, False
        newest = told[max(0, len(told) - self.set["min_recent"]) :]
        for message in told:
            if self.case.is_pinned(message) or message in newest:
                reason = "pinned" if self.case.is_pinned(message) else "guaranteed"
                self.case.decide(message, "kept", cost(message), reason)
                used += cost(message)
        for message in [message for message in reversed(told) if message.id not in self.case.decisions]:
            if emergency:
                self.case.decide(message, "dropped", 0, "emergency")
            elif stopped:
                self.case.decide(message, "dropped", 0, "after_stop")
            elif used + cost(message) <= available:
                self.case.decide(message, "kept", cost(message), "within_budget")
                used += cost(message)
            else:
                self.case.decide(message, "dropped", 0, "over_budget")
                stopped = self.set["misfit"] == "stop"


def _beginning(piece: Piece) -> str:
    return piece.text[:200].strip().lower()


def _first_words(text: str, count: int) -> str:
    return text[: max(size for size in range(len(text) + 1) if words_in(text[:size]) <= count)]


@st.composite
def described(draw: st.DrawFn) -> Workspace:
    """Random cases in which components say different things, with a profile and more than one summary."""
    found = draw(workspaces())
    fillers = st.sampled_from(["a", "B", "b", "cc", "d", "e"])
    filled = st.builds(words, st.integers(0, 6), fillers)
    stored = tuple(changed(memory, content=draw(filled)) for memory in found.memory_sets[0].memories)
    parts = tuple(changed(part, content=draw(filled)) for part in named("c", draw(some(components, 5))))
    character = Character(
        "nova",
        system_prompt=draw(filled),
        system_tokens=draw(st.none() | st.integers(0, 9)),
        components=tuple(sorted(parts, key=lambda part: part.priority)),
        profile=Profile(name="Ada") if draw(st.booleans()) else None,
    )
    return changed(
        found,
        memory_sets=(MemorySet("default", stored),),
        characters=(character,) if draw(st.booleans()) or not found.characters else found.characters,
        summaries=tuple(PastSummary(f"s{n}", draw(filled)) for n in range(draw(st.integers(0, 3)))),
    )


parameters = st.fixed_dictionaries(
    {
        "system_budget": st.sampled_from([0, 5, 10, 20, 40, 6000]),
        "max_tokens": st.integers(0, 60) | st.sampled_from([0, 80, 120, 8000]),
        "min_recent": st.sampled_from([0, 1, 2, 2, 5]),
        "misfit": st.sampled_from(["skip", "stop"]),
        "memory_chars": st.sampled_from([500, 500, 5, 2, 0]),
    }
)
SYSTEM_ONLY = workspace([Message("m0", "system", words(9)), Message("m1", "user", words(9))])


@examples(300)
@given(described(), parameters, outside)
@example(SYSTEM_ONLY, {"max_tokens": 4, "min_recent": 0}, {"at": None, "pinned": (), "excluded": ()})
@example(SYSTEM_ONLY, {"max_tokens": 0}, {"at": None, "pinned": ("m0",), "excluded": ()})
def test_adaptive_decides_like_its_twin(found: Workspace, chosen: dict[str, Any], around: dict[str, Any]) -> None:
    case = Case(found, around["pinned"], around["excluded"], around["at"])
    twin = AdaptiveTwin(case, {**parameter_values(Adaptive()), **chosen})
    expected = twin.decide()
    answer = answer_to(found, policy="adaptive", context_window=99, query="", parameters=chosen, **around)
    assert decisions(answer) == expected
    assert ("emergency_truncation" in codes(answer)) is twin.is_emergency


PARTS = Character(
    "nova",
    components=(
        Component("optional", "note", "first note", 1),
        Component("rule", "rule", "be kind", 9, required=True),
        Component("large", "note", words(30), 2),
    ),
)


def texts_of(answer: Any) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in prompt_messages(answer.assembly)]


def test_the_system_message_is_written_in_the_order_in_which_it_was_chosen() -> None:
    loose = answer_to(workspace(chat(1), character=PARTS), policy="adaptive")
    tight = answer_to(workspace(chat(1), character=PARTS), policy="adaptive", parameters={"system_budget": 5})
    assert texts_of(loose) == [("system", f"first note\n\n{words(30)}\n\nbe kind"), ("user", "w")]
    assert texts_of(tight) == [("system", "be kind\n\nfirst note"), ("user", "w")]
    assert [tight.assembly.candidates.ids[row] for row in tight.assembly.order][:2] == ["rule", "optional"]


def test_an_emergency_cuts_the_text_and_says_so_in_it() -> None:
    answer = answer_to(workspace(chat(4, 4, 4), character=PARTS), policy="adaptive", parameters={"max_tokens": 5})
    (system, *others) = texts_of(answer)
    assert system == ("system", f"first note\n\n{words(3)} {MARK}")
    assert others == [("assistant", words(4)), ("user", words(4))]
    assert decisions(answer)["large"] == ("truncated", 3, "emergency")
    row = answer.assembly.candidates.ids.index("large")
    assert explain(answer.assembly, row).endswith("was cut here: ≈ 3 of ≈ 30 tokens are left.")


def test_a_cut_between_components_keeps_what_stood_between_them() -> None:
    answer = answer_to(workspace(chat(1), character=PARTS), policy="adaptive", parameters={"max_tokens": 2})
    assert texts_of(answer)[0] == ("system", f"first note\n\n{MARK}")
    assert [decisions(answer)[name][0] for name in ("optional", "large", "rule")] == ["kept", "dropped", "dropped"]


def test_pinned_memories_come_before_more_similar_ones() -> None:
    stored = MemorySet("d", tuple(Memory(f"k{n}", f"is {n}", similarity=n / 9, pinned=n in (1, 2)) for n in range(5)))
    answer = answer_to(workspace((), stored), policy="adaptive")
    assert texts_of(answer) == [("system", "is 1\n\nis 2\n\nis 4\n\nis 3\n\nis 0")]


def test_a_system_message_of_which_nothing_is_left_is_the_mark_alone() -> None:
    answer = answer_to(workspace(chat(1), character=PARTS), policy="adaptive", parameters={"max_tokens": 0})
    assert texts_of(answer) == [("system", MARK), ("user", "w")]


def test_messages_of_role_system_move_to_the_front_and_what_is_dropped_stays_where_it_was_said() -> None:
    told = [*chat(5, 5, 5, 5), Message("late", "system", words(2)), Message("last", "user", words(5))]
    answer = answer_to(workspace(told), policy="adaptive", parameters={"max_tokens": 18, "min_recent": 1})
    assert kept(answer) == ["m2", "m3", "late", "last"]
    ids = answer.assembly.candidates.ids
    assert [ids[row] for row in answer.assembly.order] == ["late", "m0", "m1", "m2", "m3", "last"]
    assert [role for role, _ in texts_of(answer)] == ["system", "user", "assistant", "user"]


def test_what_was_left_is_told_in_the_order_of_decision() -> None:
    answer = answer_to(workspace((), character=PARTS), policy="adaptive", parameters={"system_budget": 20})
    assembly = answer.assembly
    left = {name: assembly.left_of(row) for row, name in enumerate(assembly.candidates.ids)}
    assert left == {"rule": 20, "optional": 18, "large": 16}
    places = [assembly.candidates.ids.index(name) for name in ("rule", "optional", "large")]
    assert assembly.rank[places].tolist() == [0, 1, 2]
    missing = "had ≈ 16 left at its turn (3 of 3): ≈ 14 too few."
    assert missing in explain(assembly, places[2])


def test_required_components_over_the_budget_are_said() -> None:
    answer = answer_to(workspace(chat(1), character=PARTS), policy="adaptive", parameters={"system_budget": 1})
    assert "guarantee_over_budget" in codes(answer)
    assert decisions(answer)["rule"] == ("kept", 2, "guaranteed")


@pytest.mark.parametrize(("window", "said"), [(9_999, True), (10_000, False)])
def test_a_window_smaller_than_limit_and_reserve_is_said(window: int, said: bool) -> None:
    answer = answer_to(workspace(chat(1)), policy="adaptive", context_window=window)
    assert ("window_smaller_than_budget" in codes(answer)) is said


def test_a_pinned_duplicate_stays_in_place_of_the_other() -> None:
    stored = MemorySet("d", (Memory("k0", "The same", similarity=0.9), Memory("k1", "the same ", similarity=0.1)))
    plain, pinned = (answer_to(workspace((), stored), policy="adaptive", pinned=ids) for ids in ((), ("k1",)))
    assert (kept(plain), kept(pinned)) == (["k0"], ["k1"])
    assert decisions(pinned)["k0"] == ("dropped", 0, "duplicate")


@examples(40)
@given(described(), st.sampled_from([0, 10**9]), rarely)
def test_nothing_but_repetition_is_lost_in_an_endless_limit(found: Workspace, window: int, stop: bool) -> None:
    endless = {"system_budget": 10**9, "max_tokens": 10**9, "misfit": "stop" if stop else "skip"}
    answer = answer_to(found, policy="adaptive", context_window=window, query="", parameters=endless)
    reasons = {reason for action, _, reason in decisions(answer).values() if action == "dropped"}
    assert reasons <= {"filtered", "duplicate", "excluded"}
