"""Equal scores: things that are equal in all that ranks them are decided in file order, whatever their names are.

Every thing of a kind here has the same tokens, length, similarity, priority, time and order; only its id and the one
word of its text that is the id differ. So when they change places in the file, the answers change places with them.
"""

from dataclasses import dataclass
from typing import Any

from building import START, Answer, answer_to, words, workspace
from holding import EACH_PRESET, held
from hypothesis import given
from hypothesis import strategies as st

from inspector.assembly.columns import Kind
from inspector.model import (
    Character,
    Component,
    Document,
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

Order = list[int]
RANKED = (Kind.COMPONENT, Kind.MEMORY, Kind.LORE, Kind.PASSAGE, Kind.SUMMARY)
BY_ID = ("reserve", "ibex-2026")
"""ibex-2026: equal memories are decided by id, ascending, in place of file order."""
CUTS_FROM_THE_FRONT = "priority"
"""prompt_poet: what is first in the file is first to be cut there, and so what stays is at its end."""


@dataclass(frozen=True)
class Equals:
    """How many tokens each thing of a kind costs, and the places in which the numbers 0, 1, … of a kind stand."""

    cost: int
    messages: Order
    others: Order

    def workspace(self) -> Workspace:
        """The things in these places. Roles belong to the places, as user and assistant take turns."""
        cost, numbers = self.cost, self.others
        told = [
            Message(f"m{n}", "assistant" if place % 2 else "user", _text("m", n, cost), time=START)
            for place, n in enumerate(self.messages)
        ]
        stored = tuple(Memory(f"k{n}", _text("k", n, cost), "fact", 50, 0.9, 0.5, time=START) for n in numbers)
        return workspace(
            told,
            MemorySet("all", stored),
            Character("nova", components=tuple(Component(f"c{n}", "note", _text("c", n, cost), 3) for n in numbers)),
            lorebooks=(Lorebook("b", tuple(LoreEntry(f"l{n}", _text("l", n, cost), constant=True) for n in numbers)),),
            passages=tuple(Passage(f"p{n}", _text("p", n, cost), "document", 0.9, START) for n in numbers),
            summaries=tuple(PastSummary(f"s{n}", _text("s", n, cost), similarity=0.9) for n in numbers),
            documents=tuple(Document(f"d{n}", _text("d", n, cost)) for n in numbers),
        )

    def names(self) -> list[str]:
        """The ids, in file order."""
        return [f"m{n}" for n in self.messages] + [f"{kind}{n}" for kind in "kclpsd" for n in self.others]


def _text(kind: str, number: int, cost: int) -> str:
    return f"{kind}{number} {words(cost - 1)}".strip()


@st.composite
def permuted(draw: st.DrawFn) -> tuple[Equals, Equals]:
    """The same equal things in the order of their numbers, and in any other."""
    cost, messages, others = draw(st.integers(1, 4)), draw(st.integers(2, 8)), draw(st.integers(2, 6))
    orders = (draw(st.permutations(range(size))) for size in (messages, others))
    return Equals(cost, list(range(messages)), list(range(others))), Equals(cost, *orders)


def decided(answer: Answer) -> dict[str, tuple[Any, ...]]:
    """id → all that was decided about it."""
    found = answer.assembly
    columns = (found.action, found.spent, found.section, found.rank, found.left, found.guaranteed)
    return {
        name: (*(int(column[row]) for column in columns), found.reason_of(row).code, repr(float(found.score[row])))
        for row, name in enumerate(found.candidates.ids)
    }


def answered(equals: Equals, policy: str, preset: str, window: int, limit: int) -> Answer:
    scenario = held(policy, preset, window, limit)
    if policy == "ratio":
        scenario["parameters"] |= {"system_overflow": "ignore"}
    return answer_to(equals.workspace(), query="zebra", model="gpt-4o", **scenario)


@EACH_PRESET
@examples(40)
@given(permuted(), st.integers(0, 200), st.integers(0, 60))
def test_the_answers_change_places_with_equal_things(
    policy: str, preset: str, both: tuple[Equals, Equals], window: int, limit: int
) -> None:
    there, here = (decided(answered(equals, policy, preset, window, limit)) for equals in both)
    for one, other in zip(both[0].names(), both[1].names(), strict=True):
        if (policy, preset) == BY_ID and one.startswith("k"):
            assert there[one] == here[one]
        else:
            assert there[one] == here[other]


@EACH_PRESET
@examples(40)
@given(permuted(), st.integers(0, 200), st.integers(0, 60))
def test_equal_things_are_decided_and_kept_from_the_first_of_the_file_on(
    policy: str, preset: str, both: tuple[Equals, Equals], window: int, limit: int
) -> None:
    assembly = answered(both[1], policy, preset, window, limit).assembly
    candidates = assembly.candidates
    for kind in RANKED if assembly.error is None else ():
        rows = candidates.rows(kind).tolist()
        if (policy, preset) == BY_ID and kind == Kind.MEMORY:
            rows.sort(key=lambda row: candidates.ids[row])
        else:
            letter = {Kind.COMPONENT: "c", Kind.MEMORY: "k", Kind.LORE: "l", Kind.PASSAGE: "p"}.get(kind, "s")
            assert [candidates.ids[row] for row in rows] == [f"{letter}{number}" for number in both[1].others]
        there = [bool(assembly.in_prompt[row]) for row in rows]
        if policy == CUTS_FROM_THE_FRONT and kind == Kind.COMPONENT:
            there.reverse()
        assert there == sorted(there, reverse=True)
        kept = [int(assembly.rank[row]) for row in rows if assembly.in_prompt[row]]
        dropped = [int(assembly.rank[row]) for row in rows if not assembly.in_prompt[row]]
        assert (kept, dropped) == (sorted(kept), sorted(dropped))
