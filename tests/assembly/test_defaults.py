"""Where things stand in the prompt when a policy says nothing of them itself."""

import pytest
from building import answer_to, chat, decisions, kept, memories, words, workspace

from inspector.assembly.columns import Section, word
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.model import (
    Attachment,
    Character,
    Component,
    Document,
    Lorebook,
    LoreEntry,
    Memory,
    MemorySet,
    Passage,
    PastSummary,
    Profile,
)

BOOK = Lorebook(
    "book",
    (
        LoreEntry("late", "late lore", constant=True, order=9),
        LoreEntry("first", "first lore", constant=True, order=1),
        LoreEntry("second", "second lore", constant=True, order=1),
    ),
)
CHARACTER = Character(
    "nova",
    system_prompt="be kind",
    components=(
        Component("low", "note", "second note", 5),
        Component("high", "note", "first note", 1),
        Component("off", "note", "never", 2, condition=False),
    ),
    profile=Profile(name="Ada", goals=("sail",)),
)


def test_naive_writes_every_kind_in_this_order() -> None:
    found = workspace(
        chat(1, 2),
        memories(1, 2),
        CHARACTER,
        lorebooks=(BOOK,),
        passages=(Passage("p0", "a passage", "document"),),
        summaries=(PastSummary("s0", "a summary"),),
        documents=(Document("d0", "a document"),),
        attachments=(Attachment("a.txt", "a file"),),
    )
    assembly = answer_to(found, policy="naive").assembly
    sections = {
        name: word(Section(number)) for name, number in zip(assembly.candidates.ids, assembly.section, strict=True)
    }
    wanted = {
        "p0": "retrieved",
        "s0": "summaries",
        "d0": "documents",
        "a.txt": "attachments",
        "late": "lore",
        "k0": "memory",
    }
    assert {name: sections[name] for name in wanted} == wanted
    messages = list(prompt_messages(assembly))
    assert [(message.role, message.content) for message in messages] == [
        ("system", "be kind\n\nfirst note\n\nsecond note\n\nName: Ada\nGoals: sail"),
        ("system", "Relevant memories:\n- w\n- w w"),
        ("system", "first lore\n\nsecond lore\n\nlate lore"),
        ("system", "a passage"),
        ("system", "a summary"),
        ("system", "a document"),
        ("system", "a file"),
        ("user", "w"),
        ("assistant", "w w"),
    ]


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        (100, ["first", "second", "late"]),
        (30, ["first", "second", "late"]),
        (19, ["first", "second"]),
        (14, ["first"]),
        (8, []),
    ],
)
def test_lore_is_packed_in_its_order_into_what_the_memories_left(window: int, expected: list[str]) -> None:
    answer = answer_to(workspace((), memories(1), lorebooks=(BOOK,)), context_window=window)
    assert [name for name in kept(answer) if name != "k0"] == expected


def test_lore_after_a_misfit_is_not_considered() -> None:
    decided = decisions(answer_to(workspace((), memories(1), lorebooks=(BOOK,)), context_window=14))
    assert [decided[name][2] for name in ("first", "second", "late")] == ["within_budget", "over_budget", "after_stop"]


def test_only_the_newest_four_messages_call_lore() -> None:
    book = Lorebook("book", (LoreEntry("l0", "w", keys=("Kraken",)),))
    told = chat(1, 1, 1, 1, 1)
    for place, there in enumerate((False, True, True, True, True)):
        spoken = [*told]
        spoken[place] = type(told[0])(f"m{place}", "user", "a KRAKEN rose")
        assert ("l0" in kept(answer_to(workspace(spoken, lorebooks=(book,))))) is there


def test_ranked_memories_stand_in_the_order_of_their_scores_and_pinned_ones_first() -> None:
    stored = MemorySet(
        "default",
        tuple(
            Memory(name, words(1), similarity=similarity, pinned=pinned)
            for name, similarity, pinned in (
                *(("low", 0.1, False), ("pin1", 0.0, True), ("tie1", 0.5, False)),
                *(("high", 0.9, False), ("tie2", 0.5, False), ("pin2", 0.9, True)),
            )
        ),
    )
    answer = answer_to(workspace(chat(1), stored))
    (block, *_) = prompt_messages(answer.assembly)
    assert block.role == "user"
    names = [answer.assembly.candidates.ids[row] for row in block.rows]
    assert names == ["pin1", "pin2", "high", "tie1", "tie2", "low"]


@pytest.mark.parametrize("role", ["user", "system", "assistant"])
def test_the_role_of_the_memory_block_is_a_parameter(role: str) -> None:
    answer = answer_to(workspace(chat(1), memories(1)), parameters={"memory_role": role})
    assert next(prompt_messages(answer.assembly)).role == role


def test_a_prompt_that_cannot_be_made_has_no_messages() -> None:
    answer = answer_to(workspace(chat(1), character=CHARACTER), context_window=10)
    assert answer.assembly.error is not None
    assert answer.assembly.error.code == "system_prompt_too_large"
    assert list(prompt_messages(answer.assembly)) == []
    assert decisions(answer)["nova"][0] == "kept"
    assert decisions(answer)["m0"] == ("dropped", 0, "not_decided")
