"""slots against its twin on random cases, and what its words promise of the prompt."""

from typing import Any

import pytest
from building import answer_to, chat, codes, decisions, kept, memories, workspace
from cases import outside, with_files
from hypothesis import given
from hypothesis import strategies as st
from twins import Case, Decisions, cost, stop_packer, system_text, words_in

from inspector.assembly.columns import Section
from inspector.assembly.explain import explain
from inspector.assembly.policies.slots import Slots
from inspector.assembly.policy import parameter_values
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.model import (
    Attachment,
    Character,
    Component,
    Document,
    Memory,
    MemorySet,
    Profile,
    SkippedFile,
    Workspace,
    changed,
)
from tests.examples import examples

MARK = "\n…[truncated]"


def slots_twin(case: Case, attachments: tuple[Attachment, ...], window: int, chosen: dict[str, Any]) -> Decisions:
    """The policy, step by step."""
    slots = {name: chosen[f"{name}_slot"] for name in ("system", "profile", "history", "response", "attachments")}
    if chosen["scale"] == "window":
        pool = max(0, window - slots["system"] - slots["profile"] - slots["response"])
        slots |= {"history": pool * 28 // 100, "attachments": pool * 36 // 100}
    files = [(item.id, item.content, cost(item)) for item in case.others if isinstance(item, Document)]
    files += [(item.path, item.content, words_in(item.content)) for item in attachments]
    if not files:
        slots["attachments"] = 0
    taken = max(slots["system"], system_text(case)) + max(slots["profile"], _profile(case))
    limit = max(0, window - taken - slots["history"] - slots["response"] - slots["attachments"])
    _pack_memories(case, limit)
    _pack_history(case, slots["history"])
    _cut_files(case, files, slots["attachments"] * chosen["chars_per_token"], chosen["attachment_floor_chars"])
    for item in case.others:
        if not isinstance(item, Document):
            case.decide(item, "dropped", 0, "filtered")
    return case.decisions


def _profile(case: Case) -> int:
    if case.character is None or case.character.profile is None:
        return 0
    tokens = words_in(f"Name: {case.character.profile.name}")
    case.decisions["profile"] = ("kept", tokens, "always")
    return tokens


def _line_cost(memory: Memory) -> int:
    return words_in(f"- {memory.content}\n") if memory.tokens is None else memory.tokens


def _pack_memories(case: Case, limit: int) -> None:
    left = limit
    for memory in [memory for memory in case.memories if case.is_pinned(memory)]:
        case.decide(memory, "kept", _line_cost(memory), "pinned")
        left -= _line_cost(memory)
    others = [memory for memory in case.memories if not case.is_pinned(memory)]
    others.sort(key=lambda memory: (memory.similarity is None, -(memory.similarity or 0)))
    left = max(0, left - stop_packer(others, _line_cost, left, case.decide))
    lore = case.active_lore()
    for entry in [entry for entry in lore if case.is_pinned(entry)]:
        case.decide(entry, "kept", cost(entry), "pinned")
        left -= cost(entry)
    stop_packer([entry for entry in lore if not case.is_pinned(entry)], cost, left, case.decide)


def _pack_history(case: Case, left: int) -> None:
    history = list(case.messages)
    if history and history[-1].role == "user":
        current = history.pop()
        case.decide(current, "kept", cost(current), "always")
    for message in [message for message in history if case.is_pinned(message)]:
        case.decide(message, "kept", cost(message), "pinned")
        left -= cost(message)
    older = [message for message in reversed(history) if not case.is_pinned(message)]
    stop_packer(older, cost, left, case.decide)


def _cut_files(case: Case, files: list[tuple[str, str, int]], budget: int, floor: int) -> None:
    used = 0
    for place, (name, text, tokens) in enumerate(files):
        cap = max(floor, (budget - used) // (len(files) - place))
        if len(text) > cap:
            text = text[: max(0, cap - 20)] + MARK
            case.decisions[name] = ("truncated", words_in(text), "cut")
        else:
            case.decisions[name] = ("kept", tokens, "within_budget")
        used += len(text)


few = st.integers(0, 25)
parameters = st.fixed_dictionaries(
    {
        **{f"{name}_slot": few for name in ("system", "profile", "history", "response", "attachments")},
        "scale": st.sampled_from(["fixed", "window"]),
        "attachment_floor_chars": st.sampled_from([0, 10, 40]),
        "chars_per_token": st.sampled_from([0, 1, 3]),
    }
)


@examples(120)
@given(with_files(), parameters, st.integers(0, 250), outside)
def test_slots_decides_like_its_twin(
    found: Workspace, chosen: dict[str, Any], window: int, around: dict[str, Any]
) -> None:
    case = Case(found, around["pinned"], around["excluded"], around["at"])
    expected = slots_twin(case, found.attachments, window, {**parameter_values(Slots()), **chosen})
    answer = answer_to(found, policy="slots", context_window=window, query="", parameters=chosen, **around)
    assert decisions(answer) == expected


FILES = workspace(
    chat(1, 2, 3),
    memories(2, 1),
    Character(
        "nova",
        system_prompt="be kind",
        components=(Component("note", "note", "be brief", 1),),
        profile=Profile(name="Ada"),
    ),
    attachments=(Attachment('a "b".txt', "x" * 30), Attachment("c.txt", "short")),
    documents=(Document("d0", "page", title="Manual"),),
    skipped=(SkippedFile("secret.bin", 'not "text"'),),
)
SMALL: dict[str, Any] = {"attachments_slot": 0, "attachment_floor_chars": 25}


def test_every_part_of_the_prompt_stands_in_its_place() -> None:
    answer = answer_to(FILES, policy="slots", parameters=SMALL)
    assert [(message.role, message.content) for message in prompt_messages(answer.assembly)] == [
        ("system", "be kind\n\nbe brief\n\nName: Ada"),
        ("system", "Relevant memories:\n- w w\n- w\n"),
        ("user", "w"),
        ("assistant", "w w"),
        (
            "user",
            '<ATTACHED_CONTENT path="Manual">\npage\n</ATTACHED_CONTENT>\n'
            "<ATTACHED_CONTENT path=\"a 'b'.txt\">\nxxxxx\n…[truncated]\n</ATTACHED_CONTENT>\n"
            '<ATTACHED_CONTENT path="c.txt">\nshort\n</ATTACHED_CONTENT>\n'
            '<SKIPPED_PATH path="secret.bin" reason="not \'text\'"/>\n',
        ),
        ("user", "w w w"),
    ]
    ids = answer.assembly.candidates.ids
    order = [ids[row] for row in answer.assembly.order]
    assert order == ["nova", "note", "profile", "k0", "k1", "m0", "m1", "d0", 'a "b".txt', "c.txt", "m2"]


def test_what_is_dropped_is_listed_before_the_files_and_the_current_message() -> None:
    answer = answer_to(FILES, policy="slots", parameters={**SMALL, "history_slot": 1}, context_window=900)
    ids = answer.assembly.candidates.ids
    assert [ids[row] for row in answer.assembly.order][5:] == ["m0", "m1", "d0", 'a "b".txt', "c.txt", "m2"]
    assert [name for name in kept(answer) if name.startswith("m")] == ["m2"]


def test_skipped_files_alone_make_a_message_but_no_slot() -> None:
    found = changed(FILES, attachments=(), documents=())
    answer = answer_to(found, policy="slots")
    assert "SKIPPED_PATH" in list(prompt_messages(answer.assembly))[-2].content
    assert Section.ATTACHMENTS not in answer.assembly.budget.sections
    limits = answer.assembly.budget.sections[Section.MEMORY]
    assert limits.limit == 8192 - 500 - 300 - 2000 - 400


def test_a_slot_that_is_exceeded_is_said_and_comes_off_the_memories() -> None:
    wide, narrow = (answer_to(FILES, policy="slots", parameters={"system_slot": slot}) for slot in (4, 3))
    assert ("slot_exceeded" in codes(wide), "slot_exceeded" in codes(narrow)) == (False, True)
    rooms = [
        limits.limit for answer in (wide, narrow) for limits in list(answer.assembly.budget.sections.values())[2:3]
    ]
    assert rooms == [8192 - 4 - 300 - 2000 - 400 - 2500] * 2


def test_attachments_over_their_slot_are_said() -> None:
    assert "attachments_over_slot" in codes(answer_to(FILES, policy="slots", parameters=SMALL))
    assert "attachments_over_slot" not in codes(answer_to(FILES, policy="slots"))


def test_a_memory_that_does_not_fit_is_explained_with_the_cost_of_its_line() -> None:
    found = workspace(chat(1), memories(5))
    nothing = {"history_slot": 0, "system_slot": 0, "profile_slot": 0, "response_slot": 0}
    answer = answer_to(found, policy="slots", context_window=5, parameters=nothing)
    assert decisions(answer)["k0"] == ("dropped", 0, "over_budget")
    assert "had ≈ 5 left at its turn (1 of 1, best score first): ≈ 1 too few." in explain(answer.assembly, 0)


@pytest.mark.parametrize(
    ("scenario", "window"),
    [({}, 8192), ({"model": "gpt-4o"}, 128_000), ({"context_window": 77}, 77), ({"policy": "ratio"}, 128_000)],
)
def test_the_window_is_8192_where_nobody_names_one(scenario: dict[str, Any], window: int) -> None:
    answer = answer_to(workspace(chat(1)), **{"policy": "slots", **scenario})
    assert answer.assembly.budget.context_window == window


@pytest.mark.parametrize(("window", "said"), [(3_199, True), (3_200, False)])
def test_slots_larger_than_the_window_are_said(window: int, said: bool) -> None:
    answer = answer_to(workspace(chat(1)), policy="slots", context_window=window)
    assert ("window_smaller_than_budget" in codes(answer)) is said


def test_pinned_memories_stand_first_in_the_order_of_the_file() -> None:
    stored = MemorySet("d", tuple(Memory(f"k{n}", "w", similarity=n / 10, pinned=n in (1, 2)) for n in range(5)))
    answer = answer_to(workspace((), stored), policy="slots")
    ids = answer.assembly.candidates.ids
    assert [ids[row] for row in answer.assembly.order] == ["k1", "k2", "k4", "k3", "k0"]
