"""The presets of WhisperEngine against their twin on random cases, and what their words promise."""

from datetime import UTC, datetime
from typing import Any

import pytest
from building import answer_to, chat, codes, decisions, kept, words, workspace
from cases import outside, workspaces
from hypothesis import given, settings
from hypothesis import strategies as st
from test_exact_ledger import EXACT, assert_adds_up
from test_exact_ledger import workspaces as exact_workspaces
from twins import Case, Decisions
from whisperengine_twin import COMPONENT_NOTICE, WhisperTwin

from inspector.assembly.columns import Section
from inspector.assembly.explain import explain
from inspector.assembly.policies.whisperengine.emergency import NOTICE
from inspector.assembly.policies.whisperengine.engine import WhisperEngine
from inspector.assembly.policy import parameter_values
from inspector.assembly.presets import load_presets
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.model import Character, Component, Image, Message, Text, Workspace, changed
from tests.examples import examples

NEW, OLD = "whisperengine-2025.11", "whisperengine-2025.10"


@st.composite
def long_workspaces(draw: st.DrawFn) -> Workspace:
    """Random cases with messages and components of up to some thousand code points, and commands."""
    found = draw(workspaces())
    factor = draw(st.sampled_from([1, 60, 300]))

    def longer(message: Message) -> Message:
        mark = draw(st.sampled_from(["", "", "", "!"]))
        return changed(message, content=mark + " ".join([message.content] * draw(st.sampled_from([1, factor]))))

    conversation = found.conversations[0]
    characters = tuple(
        changed(
            character,
            components=tuple(
                changed(part, content=" ".join([f"{number}{part.content}"] * factor), required=draw(st.booleans()))
                for number, part in enumerate(character.components)
            ),
        )
        for character in found.characters
    )
    conversation = changed(conversation, messages=tuple(map(longer, conversation.messages)))
    return changed(found, conversations=(conversation,), characters=characters)


parameters = st.fixed_dictionaries(
    {
        "system_budget": st.sampled_from([0, 3, 20, 600, 900, 1500, 20_000]),
        "max_tokens": st.sampled_from([0, 1, 7, 30, 200, 8000]),
        "min_recent": st.integers(0, 3),
        "memory_chars": st.sampled_from([500, 5]),
        "emergency_cut": st.sampled_from([0, 1, 4, 20, 16_000]),
        "prepare_history": st.sampled_from([True, True, False]),
        "history_messages": st.sampled_from([0, 4, 30]),
        "history_full": st.sampled_from([0, 2, 5, 10]),
    }
)


def both_answers(
    found: Workspace, preset: str, chosen: dict[str, Any], around: dict[str, Any]
) -> tuple[tuple[Decisions, str], tuple[Decisions, str]]:
    """Decisions and text of the system message, of the program and of its twin."""
    case = Case(found, around["pinned"], around["excluded"], around["at"])
    shipped = load_presets()["adaptive", preset].parameters
    twin = WhisperTwin(case, {**parameter_values(WhisperEngine()), **shipped, **chosen})
    expected = twin.decide()
    answer = answer_to(found, policy="adaptive", preset=preset, query="", parameters=chosen, **around)
    messages = prompt_messages(answer.assembly)
    system = [message.content for message in messages if set(message.rows).isdisjoint(_messages(answer))]
    return (decisions(answer), "".join(system)), (expected, twin.text)


@examples(150)
@given(long_workspaces(), st.sampled_from([NEW, OLD]), parameters, outside)
def test_whisperengine_decides_like_its_twin(
    found: Workspace, preset: str, chosen: dict[str, Any], around: dict[str, Any]
) -> None:
    answer, expected = both_answers(found, preset, chosen, around)
    assert answer == expected


long_parts = st.lists(
    st.tuples(st.integers(0, 5), st.integers(1, 4000), st.sampled_from([True, True, False])), min_size=1, max_size=6
)


@settings(max_examples=100)
@given(long_parts, st.sampled_from([NEW, NEW, OLD]), parameters, st.sampled_from([500, 600, 900, 1500]))
def test_long_components_are_cut_like_the_twin_does(
    found: list[tuple[int, int, bool]], preset: str, chosen: dict[str, Any], budget: int
) -> None:
    components = tuple(
        Component(f"c{number}", "note", (f"{number} w" * length)[:length], priority, required)
        for number, (priority, length, required) in enumerate(found)
    )
    case = workspace(chat(3, 2, 1), character=Character("nova", components=components))
    nothing_else: dict[str, Any] = {"at": None, "pinned": (), "excluded": ()}
    answer, expected = both_answers(case, preset, {**chosen, "system_budget": budget}, nothing_else)
    assert answer == expected


def _messages(answer: Any) -> set[int]:
    return set(range(answer.assembly.candidates.items.first_message, len(answer.assembly.candidates)))


@pytest.mark.parametrize("counted", EXACT, ids=lambda counted: counted["model"])
@examples(60)
@given(exact_workspaces(), st.sampled_from([NEW, OLD]), parameters, st.sampled_from([0, 60, 10**9]))
def test_the_ledger_of_whisperengine_adds_up(
    counted: dict[str, str], found: Workspace, preset: str, chosen: dict[str, Any], window: int
) -> None:
    answer = answer_to(found, policy="adaptive", preset=preset, parameters=chosen, context_window=window, **counted)
    assert_adds_up(answer)


def test_the_notices_are_as_long_as_those_of_the_real_system() -> None:
    assert (len(COMPONENT_NOTICE), len(NOTICE)) == (56, 179)
    assert f"\n\n{NOTICE.strip()}\n\n" == NOTICE


def parts(*lengths: int, required: bool = True) -> Character:
    texts = ("abcdefgh"[number] * length for number, length in enumerate(lengths))
    found = (Component(f"c{number}", "note", text, number, required) for number, text in enumerate(texts))
    return Character("nova", components=tuple(found))


def stage_one(character: Character, budget: int, preset: str = NEW, **more: Any) -> Any:
    chosen = {"system_budget": budget, "max_tokens": 10**6, **more}
    return answer_to(workspace((), character=character), policy="adaptive", preset=preset, parameters=chosen)


def test_a_required_component_over_the_budget_loses_its_middle() -> None:
    answer = stage_one(parts(400, 8000, 400), 1100)
    text = next(iter(prompt_messages(answer.assembly))).content
    middle = f"{'b' * 2000}\n\n[note{COMPONENT_NOTICE}\n\n{'b' * 1200}"
    assert text == f"{'a' * 400}\n\n{middle}\n\n{'c' * 400}"
    assert decisions(answer)["c1"][0::2] == ("truncated", "cut")
    assert {"required_over_budget", "component_cut"} <= set(codes(answer))


def test_a_required_component_is_left_out_where_under_500_tokens_are_left() -> None:
    answer = stage_one(parts(2004, 8000, 400), 1000)
    assert kept(answer) == ["c0", "c2"]
    row = answer.assembly.candidates.ids.index("c1")
    assert "needs ≈ 2,000 tokens, and the system budget of 1,000 tokens had ≈ 499 left" in explain(answer.assembly, row)
    assert "component_cut" not in codes(answer)
    assert kept(stage_one(parts(2004, 8000, 400), 1000, OLD)) == ["c0", "c1", "c2"]


def test_without_a_budget_every_component_stays() -> None:
    answer = stage_one(parts(400, 400, required=False), 0)
    assert kept(answer) == ["c0", "c1"]
    assert answer.assembly.budget.sections[Section.SYSTEM].limit is None


def test_a_duplicate_is_charged_before_it_goes() -> None:
    twice = (Component("c0", "note", "x" * 40, 1), Component("c1", "note", "x" * 40, 2))
    for length, said in ((40, True), (44, True), (84, False)):
        character = Character("nova", components=(*twice, Component("c2", "note", "y" * length, 3)))
        answer = stage_one(character, 20)
        assert kept(answer) == ["c0"]
        assert ("duplicates_charged" in codes(answer)) is (said and length <= 40)


DATED = tuple(
    changed(message, content=letter * 600, time=datetime(2026, 1, 1, 12, 5, tzinfo=UTC))
    for letter, message in zip("abcdefgh", chat(*[1] * 8), strict=True)
)


def test_the_history_is_shortened_in_the_middle_and_dated() -> None:
    answer = answer_to(workspace((*DATED, *chat(1))), policy="adaptive", preset=NEW, parameters={"history_full": 5})
    texts = [message.content for message in prompt_messages(answer.assembly)]
    assert texts[0] == "[2026-01-01 12:05] " + "a" * 298 + "..." + "a" * 199
    assert texts[4] == "[2026-01-01 12:05] " + "e" * 238 + "..." + "e" * 159
    assert texts[5] == "[2026-01-01 12:05] " + "f" * 600
    assert texts[8] == "w"


def test_the_older_history_keeps_the_beginning_with_dots_on_top() -> None:
    answer = answer_to(workspace((*DATED, *chat(1))), policy="adaptive", preset=OLD)
    texts = [message.content for message in prompt_messages(answer.assembly)]
    assert [texts[place] for place in (1, 2, 5)] == ["b" * 500 + "...", "c" * 400 + "...", "f" * 600]


def test_an_emergency_loses_the_current_message_and_says_so() -> None:
    character = Character("nova", system_prompt=words(9))
    answer = answer_to(
        workspace(chat(1, 1, 1), character=character), policy="adaptive", preset=NEW, parameters={"max_tokens": 9}
    )
    assert kept(answer) == ["nova"]
    assert {"emergency_truncation", "current_message_lost", "system_over_stage2"} <= set(codes(answer))
    assert "over_window" not in codes(answer)
    more = {"max_tokens": 8}
    over = answer_to(workspace(chat(1), character=character), policy="adaptive", preset=NEW, parameters=more)
    assert "over_window" in codes(over)


@pytest.mark.parametrize(
    ("preset", "tokenizer", "charged", "spent"),
    [
        (NEW, "estimate:words", [85], 1),
        (NEW, "auto", [85], 86),
        (OLD, "auto", [0], 1),
    ],
)
def test_pictures_are_charged_whatever_counts_the_text(
    preset: str, tokenizer: str, charged: list[int], spent: int
) -> None:
    found = workspace((Message("m0", "user", parts=(Text("abcd"), Image())), *chat(1)[:0]))
    answer = answer_to(found, policy="adaptive", preset=preset, tokenizer=tokenizer)
    assert [int(answer.assembly.charges[0]) - 1] == charged
    assert decisions(answer)["m0"][1] == spent
