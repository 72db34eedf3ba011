"""Policies of chat programs against transcriptions of their loops, written without the arrays of the policies."""

from typing import Any, cast

import pytest
from building import answer_to, codes, decisions, words, workspace
from hypothesis import given
from hypothesis import strategies as st

from inspector.assembly.decisions import Assembly
from inspector.assembly.policies.programs_chat.llama_cpp import LlamaCpp
from inspector.assembly.policies.programs_chat.names import Names
from inspector.assembly.policies.programs_chat.sillytavern.examples import example_blocks, example_contents
from inspector.assembly.policy import parameters_of
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.model import (
    Call,
    Character,
    Component,
    Lorebook,
    LoreEntry,
    Message,
    Result,
    Role,
    Workspace,
    with_parts,
)
from inspector.plugins import policies
from inspector.testing import check_policy
from tests.examples import examples

PROGRAMS = (
    *("sillytavern", "sillytavern_text", "ollama", "llamacpp", "text_generation_webui", "koboldcpp"),
    *("open_webui", "librechat", "jan", "vllm"),
)
BARE = {"message_overhead": 0, "reply_overhead": 0}
Turn = tuple[str, int]


@pytest.mark.parametrize("policy", PROGRAMS)
@pytest.mark.parametrize("size", [1, 40, 90])
def test_a_small_limit_keeps_every_rule_of_policies(policy: str, size: int) -> None:
    kind = policies()[0][policy]
    limit = next(one for one in parameters_of(kind) if one.sizes == "prompt")
    check_policy(kind(**{limit.name: max(size, int(limit.minimum))}))


ROLES = st.sampled_from(["user", "assistant", "assistant", "user", "system", "tool"])
PATHS = st.sampled_from(["rendered", "native", "classic"])
turns = st.lists(st.tuples(ROLES, st.integers(1, 12)), max_size=14)


def told(drawn: list[Turn], system: int) -> Workspace:
    """A chat of so many words each, whose results of tools answer the call of the message before them."""
    messages: list[Message] = []
    for n, (role, size) in enumerate(drawn):
        before = messages[-1] if messages else None
        if role == "tool" and (before is None or before.role != "assistant"):
            role = "user"
        if role == "tool" and before is not None:
            messages[-1] = with_parts(before, [*before.whole, Call(f"c{n}", "look", "{}")])
            messages.append(Message(f"m{n}", "tool", parts=(Result(f"c{n}", content=words(size)),)))
        else:
            messages.append(Message(f"m{n}", cast("Role", role), words(size)))
    return workspace(messages, character=Character("nova", system_prompt=words(system)) if system else None)


def costs_of(found: Workspace) -> dict[str, tuple[str, int, bool]]:
    """Role, tokens and whether it calls a tool, of everything that a program gets."""
    everything = decisions(answer_to(found, policy="naive"))
    messages = found.conversations[0].messages
    roles = {"nova": ("system", False)} | {one.id: (one.role, bool(one.tool_calls)) for one in messages}
    return {name: (roles[name][0], everything[name][1], roles[name][1]) for name in everything}


def kept_by(found: Workspace, policy: str, parameters: dict[str, Any]) -> dict[str, int] | str:
    """What is left of each item in the prompt, in tokens; of a refusal its code."""
    answer = answer_to(found, policy=policy, parameters=parameters)
    if answer.assembly.error is not None:
        return answer.assembly.error.code
    return {name: spent for name, (action, spent, _) in decisions(answer).items() if action != "dropped"}


def webui_twin(found: Workspace, most: int) -> dict[str, int] | str:
    """The loop of `generate_chat_prompt`, one message at a time."""
    costs = costs_of(found)
    left = list(costs)
    while sum(costs[name][1] for name in left) > most:
        if len(left) > 2 and costs[left[0]][0] == "system":
            place = 1
        elif len(left) > 1 and costs[left[0]][0] != "system":
            place = 0
        else:
            break
        left.pop(place)
        while len(left) - place > 1 and (costs[left[place]][0] == "tool" or costs[left[place]][2]):
            left.pop(place)
    sizes = {name: costs[name][1] for name in left}
    over = sum(sizes.values()) - most
    if over > 0:
        if not left or sizes[left[-1]] < over:
            return "request_too_large"
        sizes[left[-1]] -= over
    return {name: size for name, size in sizes.items() if size}


@examples(60)
@given(turns, st.integers(0, 6), st.integers(1, 80))
def test_text_generation_webui(drawn: list[Turn], system: int, most: int) -> None:
    found = told(drawn, system)
    chosen = {**BARE, "truncation_length": most, "max_new_tokens": 0}
    assert kept_by(found, "text_generation_webui", chosen) == webui_twin(found, most)


def ollama_twin(found: Workspace, room: int, keep: int, path: str) -> dict[str, int] | str:
    """The loop over beginnings, and the cut of the stream token by token."""
    costs = costs_of(found)
    names = list(costs)
    chosen: list[str] = []
    for first in range(len(names)):
        chosen = [name for place, name in enumerate(names) if place >= first or costs[name][0] == "system"]
        if sum(costs[name][1] for name in chosen) <= room:
            break
    stream = [name for name in chosen for _ in range(costs[name][1])]
    if path == "native" and len(stream) >= room:
        return "request_too_large"
    if path == "classic" and len(stream) > room:
        held = min(keep, room - 1)
        stream = stream[:held] + (stream[-(room - held) :] if room > held else [])
    if path == "rendered" and len(stream) > room - 1:
        held = min(keep, room - 1)
        limit = room - max((room - held) // 2, 1)
        stream = stream[:held] + (stream[-(limit - held) :] if limit > held else [])
    return {name: stream.count(name) for name in dict.fromkeys(stream)}


@examples(60)
@given(turns, st.integers(0, 6), st.integers(1, 80), st.integers(0, 9), PATHS)
def test_ollama(drawn: list[Turn], system: int, room: int, keep: int, path: str) -> None:
    found = told(drawn, system)
    chosen = {**BARE, "num_ctx": room, "num_keep": keep, "path": path}
    assert kept_by(found, "ollama", chosen) == ollama_twin(found, room, keep, path)


def llama_twin(found: Workspace, room: int, keep: int, discard: int, reply: int) -> dict[str, int] | str:
    """The memory of the server as a list of tokens, which grows by one for each token of the reply but the last."""
    costs = costs_of(found)
    held = [name for name in costs for _ in range(costs[name][1])]
    if len(held) >= room:
        return "request_too_large"
    for _ in range(reply - 1):
        if len(held) + 1 >= room:
            front = max(0, min(room - 4, keep))
            left = len(held) - front
            gone = max(0, min(discard or left // 2, left - 1))
            held = held[:front] + held[front + gone :]
        held.append("")
    return {name: held.count(name) for name in dict.fromkeys(held) if name}


@examples(60)
@given(turns, st.integers(1, 60), st.integers(0, 20), st.integers(0, 30), st.integers(0, 90))
def test_llama_cpp(drawn: list[Turn], room: int, keep: int, discard: int, reply: int) -> None:
    found = told(drawn, 3)
    chosen = {**BARE, "n_ctx": room, "n_keep": keep, "n_discard": discard, "context_shift": True, "reply_tokens": reply}
    assert kept_by(found, "llamacpp", chosen) == llama_twin(found, room, keep, discard, reply)


def kobold_twin(found: Workspace, context: int, reply: int, begins: bool) -> dict[str, int] | str:
    """Memory and prompt as lists of tokens; `^` begins a prompt."""
    costs = costs_of(found)
    reply = min(reply, context - min(context - 4, 16))
    memory = [name for name in costs if name == "nova" for _ in range(costs[name][1])]
    prompt = ["^"] * begins + [name for name in costs if name != "nova" for _ in range(costs[name][1])]
    if len(prompt) + reply > context:
        prompt = prompt[len(prompt) - (context - reply) :]
        prompt[: int(begins)] = ["^"] * min(int(begins), len(prompt))
    if memory:
        memory = ["^"] * begins + memory
        prompt = prompt[int(begins) :]
        if len(memory) + reply + 4 > context:
            memory = memory[len(memory) - max(0, context - reply - 4) :]
            memory[: int(begins)] = ["^"] * min(int(begins), len(memory))
        prompt = prompt[max(0, len(memory) + len(prompt) + reply - context) :]
    stream = memory + prompt
    return {name: stream.count(name) for name in dict.fromkeys(stream) if name != "^"}


@examples(60)
@given(turns, st.integers(0, 20), st.integers(8, 90), st.integers(0, 60), st.booleans())
def test_koboldcpp(drawn: list[Turn], system: int, context: int, reply: int, begins: bool) -> None:
    found = told(drawn, system)
    chosen = {**BARE, "context_size": context, "max_length": reply, "add_bos": begins}
    assert kept_by(found, "koboldcpp", chosen) == kobold_twin(found, context, reply, begins)


NAMES = Names("Nova", "Ann", "Nova")


def test_example_dialogue_is_divided_as_in_sillytavern() -> None:
    text = "<START>\nbefore\nAnn: one\nAnn: two\nmore\nNova: three\n<start>\nnobody speaks"
    first, second = example_blocks(text)
    assert example_contents(first, NAMES) == ["before\n one\nAnn: two\nmore", "three"]
    assert example_contents(second, NAMES) == []


CARD = Character(
    "nova",
    name="Nova",
    system_prompt="main",
    components=(
        Component("note", "authors_note", "the note", 1),
        Component("own", "depth_prompt", "her own", 2),
        Component("after", "post_history_instructions", "at last", 3),
        Component("ex", "example", "<START>\nUser: a\nNova: b\n<START>\nUser: c c c c c c c c", 4),
    ),
)
BOOK = Lorebook(
    "book",
    (
        LoreEntry("low", "lore low", constant=True, order=1, position="before_char"),
        LoreEntry("high", "lore high", constant=True, order=9, position="before_char"),
        LoreEntry("deep", "lore deep", constant=True, position="at_depth", activation={"depth": 1, "role": "user"}),
    ),
)
SPOKEN = [Message(f"m{n}", "assistant" if n % 2 else "user", f"said {n}") for n in range(4)]


def prompt_of(assembly: Assembly) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in prompt_messages(assembly)]


def test_a_prompt_of_sillytavern_is_in_its_order() -> None:
    found = workspace(SPOKEN, character=CARD, lorebooks=(BOOK,))
    chosen = {"authors_note_depth": 2, "depth_prompt_depth": 2}
    answer = answer_to(found, policy="sillytavern", parameters=chosen)
    assert prompt_of(answer.assembly) == [
        ("system", "main"),
        ("system", "lore low\nlore high"),
        ("system", "[Example Chat]"),
        ("system", CARD.components[3].content),
        ("system", "[Start a new Chat]"),
        ("user", "said 0"),
        ("assistant", "said 1"),
        ("system", "the note\nher own"),
        ("user", "said 2"),
        ("user", "lore deep"),
        ("assistant", "said 3"),
        ("system", "at last"),
    ]


def test_examples_are_kept_in_part_and_take_only_the_rest() -> None:
    found = workspace(SPOKEN, character=CARD)
    assert decisions(answer_to(found, policy="sillytavern"))["ex"][0] == "kept"
    chosen = {"response_length": 0, "reply_priming": 0, "message_overhead": 0, "example_name_overhead": 0}
    small = [{"parameters": {**chosen, "context_size": size}} for size in range(20, 50)]
    found_at = [decisions(answer_to(found, policy="sillytavern", **one))["ex"][0] for one in small]
    assert found_at == sorted(found_at, key=["dropped", "truncated", "kept"].index)
    assert set(found_at) == {"dropped", "truncated", "kept"}


def test_a_note_deeper_than_the_newest_that_fit_is_dropped_with_the_older() -> None:
    found = workspace([Message(f"m{n}", "user", words(10)) for n in range(6)], character=CARD)
    answer = answer_to(found, policy="sillytavern", parameters={"context_size": 370})
    kept = decisions(answer)
    assert kept["m5"][0] == "kept"
    assert (kept["note"][0], kept["note"][2]) == ("dropped", "after_stop")


def test_a_fixed_prompt_that_does_not_fit_leaves_the_conversation_out() -> None:
    found = workspace(SPOKEN, character=CARD)
    answer = answer_to(found, policy="sillytavern", parameters={"context_size": 310, "response_length": 300})
    assert "mandatory_over_budget" in codes(answer)
    assert decisions(answer)["m3"] == ("dropped", 0, "after_stop")


def test_shifts_are_told_and_named() -> None:
    assert LlamaCpp().context_shift is False
    answer = answer_to(
        workspace([Message("m0", "user", words(40))]),
        policy="llamacpp",
        parameters={**BARE, "n_ctx": 50, "context_shift": True, "reply_tokens": 30},
    )
    (finding,) = (one for one in answer.findings if one.code == "context_shifted")
    assert finding.message.startswith("The context is shifted once during a reply of 30 tokens")


def test_a_recorded_depth_and_role_go_before_the_settings() -> None:
    note = Component("note", "authors_note", "the note", 1, depth=1, role="user")
    found = workspace(SPOKEN, character=Character("nova", name="Nova", system_prompt="main", components=(note,)))
    for policy in ("sillytavern", "sillytavern_text"):
        told_now = prompt_of(answer_to(found, policy=policy, parameters={"authors_note_depth": 3}).assembly)
        assert told_now[-2:] == [("user", "the note"), ("assistant", "said 3")]


AROUND = Lorebook(
    "around",
    (
        LoreEntry("over", "lore over", constant=True, position="note_top"),
        LoreEntry("under", "lore under", constant=True, position="note_bottom"),
    ),
)


def beside(position: Any, role: Any = None) -> Character:
    note = Component("note", "authors_note", "the note", 1, position=position, role=role)
    return Character("nova", name="Nova", system_prompt="main", components=(note, *CARD.components[2:3]))


@pytest.mark.parametrize("role", [None, "user"])
@pytest.mark.parametrize("position", ["before_prompt", "after_prompt"])
def test_a_note_beside_the_prompt_of_a_chat_completion_stands_by_the_main_prompt(position: Any, role: Any) -> None:
    """With the lore around it, and at no depth whatever the parameter says."""
    found = workspace(SPOKEN, character=beside(position, role), lorebooks=(AROUND, BOOK))
    for depth in (0, 2):
        answer = answer_to(found, policy="sillytavern", parameters={"authors_note_depth": depth})
        told_now = prompt_of(answer.assembly)
        note, main = (role or "system", "lore over\nthe note\nlore under"), ("system", "main")
        assert told_now[:2] == ([note, main] if position == "before_prompt" else [main, note])
        assert told_now[2] == ("system", "lore low\nlore high")
        assert [content for _, content in told_now].count("lore over\nthe note\nlore under") == 1
        assert decisions(answer)["note"][:2] == ("kept", 2)


def test_a_note_of_the_user_beside_the_prompt_is_not_squashed_with_system_messages() -> None:
    found = workspace(SPOKEN, character=beside("after_prompt", "user"), lorebooks=(BOOK,))
    answer = answer_to(found, policy="sillytavern", parameters={"squash_system_messages": True})
    assert prompt_of(answer.assembly)[:3] == [
        ("system", "main"),
        ("user", "the note"),
        ("system", "lore low\nlore high"),
    ]


def test_a_note_beside_the_prompt_that_does_not_fit_ends_the_prompt() -> None:
    found = workspace(SPOKEN, character=beside("after_prompt"), lorebooks=(AROUND,))
    sizes = {"message_overhead": 0, "reply_priming": 0, "response_length": 0, "world_info_budget": 100}
    answers = {
        size: answer_to(found, policy="sillytavern", parameters={**sizes, "context_size": size}) for size in (8, 9, 40)
    }
    kept = {size: decisions(answer)["note"] for size, answer in answers.items()}
    assert [kept[size][0] for size in (8, 9, 40)] == ["dropped", "kept", "kept"]
    assert "mandatory_over_budget" in codes(answers[8])
    assert decisions(answers[8])["m3"][0] == "dropped"


@pytest.mark.parametrize("position", ["before_prompt", "after_prompt"])
def test_a_note_beside_the_prompt_of_a_text_completion_is_part_of_its_fixed_text(position: Any) -> None:
    found = workspace(SPOKEN, character=beside(position, "user"), lorebooks=(AROUND, BOOK))
    answer = answer_to(found, policy="sillytavern_text", parameters={"authors_note_depth": 1})
    lines = prompt_of(answer.assembly)[0][1].split("\n")
    note, rest = ["lore over", "the note", "lore under"], ["main", "lore low", "lore high"]
    assert lines == ([*note, *rest] if position == "before_prompt" else [*rest, *note])
    assert decisions(answer)["note"][2] == "always"


def test_each_note_of_a_group_stands_at_its_own_depth() -> None:
    notes = tuple(
        Component(f"note{depth}", "depth_prompt", f"note {depth}", 1, depth=depth, role="user") for depth in (3, 1)
    )
    found = workspace(SPOKEN, character=Character("nova", name="Nova", system_prompt="main", components=notes))
    for policy in ("sillytavern", "sillytavern_text"):
        texts = [text for _, text in prompt_of(answer_to(found, policy=policy).assembly)]
        assert len(texts) - texts.index("note 1") == 2
        assert len(texts) - texts.index("note 3") == 5
