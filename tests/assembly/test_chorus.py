"""The Chorus presets against their twin, their prompt, their known faults, and exact counts."""

from typing import Any

import pytest
from building import answer_to, codes, decisions, words
from chorus_twin import ERRORS, ChorusTwin
from hypothesis import given
from hypothesis import strategies as st

from inspector.assembly.answer import Answer
from inspector.assembly.columns import word
from inspector.assembly.explain import explain
from inspector.assembly.policies.chorus.system_message import MEMORY_INTRODUCTION
from inspector.assembly.presets import load_presets
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.model import Character, Conversation, Document, Memory, MemorySet, Message, PastSummary, Workspace
from inspector.plugins import policies

LATE, EARLY = "chorus-2026.02", "chorus-2026.01"
NOVA = Character("nova", "Nova", "You are Nova and you remember things")
WINDOWS = st.one_of(st.integers(0, 120), st.sampled_from([400, 1_000_000]))

sentences = st.integers(0, 30).map(words)
contents = st.one_of(
    sentences,
    st.sampled_from(
        [
            "",
            "  ",
            "Okay.",
            "thank you",
            *ERRORS,
            f"Well. {ERRORS[3]}(host)",
            f" {ERRORS[2]} {ERRORS[0]} x",
            "a b " * 60,
        ]
    ),
)
similarities = st.integers(0, 20).map(lambda number: number / 20)
threads = st.sampled_from(["", "t1", "t2"])
platforms = st.sampled_from(["", "web", "discord"])


@st.composite
def chats(draw: st.DrawFn) -> tuple[Message, ...]:
    size = draw(st.integers(0, 16))
    return tuple(
        Message(
            f"m{number}",
            draw(st.sampled_from(["user", "assistant", "system"])),
            draw(contents),
            summary=draw(st.sampled_from([None, "", "short"])),
            emotional_weight=draw(st.sampled_from([None, 0.2, 0.7])),
            key_moment=draw(st.booleans()),
            filler=draw(st.sampled_from([None, None, True, False])),
            metadata=draw(
                st.sampled_from([{}, {"chorus_role": "scene_capture"}, {"username": "ann"}, {"user_name": "bo"}])
            ),
        )
        for number in range(size)
    )


@st.composite
def recalled(draw: st.DrawFn) -> tuple[Memory, ...]:
    kinds = ["", "core", "explicit", "fact", "project", "experience", "story", "relationship", "ephemeral", "odd"]
    return tuple(
        Memory(
            f"k{number}",
            draw(sentences),
            type=draw(st.sampled_from(kinds)),
            priority=draw(st.sampled_from([None, 0, 10, 90])),
            similarity=draw(similarities),
            status=draw(st.sampled_from(["", "approved", "auto_approved", "pending"])),
            durability=draw(st.sampled_from(["", "long_term", "ephemeral"])),
            source=draw(platforms),
            thread_id=draw(threads),
            source_messages=draw(st.sampled_from([(), ("m0",), ("m2",), ("m1", "m3")])),
        )
        for number in range(draw(st.integers(0, 9)))
    )


@st.composite
def workspaces(draw: st.DrawFn) -> Workspace:
    summaries = tuple(
        PastSummary(
            "c1" if number == 3 else f"s{number}",
            draw(sentences),
            draw(st.sampled_from(["", "Talk"])),
            draw(similarities),
            draw(st.sampled_from(["", "warm"])),
            draw(st.sampled_from([(), tuple("abcdefg")])),
            draw(st.sampled_from([(), ("why?",)])),
        )
        for number in range(draw(st.integers(0, 8)))
    )
    documents = tuple(
        Document(f"d{number}", draw(sentences), "Guide", pages=draw(st.sampled_from(["", "1-2"])))
        for number in range(draw(st.integers(0, 2)))
    )
    chat = Conversation("c1", draw(chats()), thread_id=draw(threads), source=draw(platforms))
    return Workspace(
        (chat,), (MemorySet("default", draw(recalled())),), (NOVA,), summaries=summaries, documents=documents
    )


settings_of_both = {
    "selective": st.booleans(),
    "selective_above": st.sampled_from([0, 20, 200]),
    "recent_messages": st.sampled_from([0, 3, 12]),
    "memory_cap": st.integers(0, 4),
    "memory_candidates": st.integers(0, 9),
    "message_charge": st.integers(0, 10),
    "message_limit": st.integers(0, 18),
}
settings_late = {
    **settings_of_both,
    "selective_above": st.sampled_from([-1, 0, 20, 200]),
    "recent_messages": st.sampled_from([-1, 0, 3]),
    "summary_cap": st.integers(0, 3),
    "trailing_user": st.booleans(),
}
shares_late = st.sampled_from(
    [
        dict(
            zip(
                ("memory_share", "history_share", "reserve_share", "document_share", "context_share"),
                shares,
                strict=True,
            )
        )
        for shares in ((0.2, 0.5, 0.1, 0.15, 0.05), (0.3, 0.4, 0.3, 0.0, 0.0), (0.25, 0.3, 0.0, 0.0, 0.45))
    ]
)
queries = st.sampled_from([None, "", "tell me", "Do YOU REMEMBER it"])


def assert_like_the_twin(found: Workspace, window: int, preset: str, values: dict[str, Any], query: str | None) -> None:
    answer = answer_to(found, policy="ratio", preset=preset, context_window=window, parameters=values, query=query)
    kind = load_presets()["ratio", preset]
    resolved = {**vars(kind.kind(policies()[0]["ratio"])()), **kind.parameters, **values}
    twin = ChorusTwin(found, window, preset, resolved, query)
    expected = twin.decide()
    assert decisions(answer) == expected
    limits = {word(section): budget.limit for section, budget in answer.assembly.budget.sections.items()}
    assert {name: limits[name] for name in twin.limits} == twin.limits


@given(workspaces(), WINDOWS, st.fixed_dictionaries({}, optional=settings_late), shares_late, queries)
def test_late_preset_decides_as_its_twin(
    found: Workspace, window: int, values: dict[str, Any], shares: dict[str, float], query: str | None
) -> None:
    assert_like_the_twin(found, window, LATE, {**shares, **values}, query)


@given(workspaces(), WINDOWS, st.fixed_dictionaries({}, optional=settings_of_both), queries)
def test_early_preset_decides_as_its_twin(
    found: Workspace, window: int, values: dict[str, Any], query: str | None
) -> None:
    assert_like_the_twin(found, window, EARLY, values, query)


def assemble(found: Workspace, preset: str = LATE, **scenario: Any) -> Answer:
    return answer_to(found, **{"policy": "ratio", "preset": preset, "context_window": 1000, **scenario})


def told(found: Workspace, preset: str = LATE, **scenario: Any) -> list[str]:
    return codes(assemble(found, preset, **scenario))


@given(workspaces(), st.sampled_from([LATE, EARLY]), st.sampled_from([0, 60, 300, 1_000_000]), st.booleans())
def test_parts_and_overhead_are_the_whole_prompt(found: Workspace, preset: str, window: int, selective: bool) -> None:
    values = {"selective": selective, "selective_above": 0, "recent_messages": 2}
    scenario = {"model": "gpt-4o", "tokenizer": "embedded:o200k_base", "context_window": window, "parameters": values}
    answer = answer_to(found, policy="ratio", preset=preset, **scenario)
    assert answer.ledger.residual == 0
    assert answer.ledger.exact


@given(workspaces(), st.sampled_from([LATE, EARLY]), WINDOWS)
def test_every_decision_has_a_sentence(found: Workspace, preset: str, window: int) -> None:
    answer = assemble(found, preset, context_window=window)
    for row in range(len(answer.assembly.candidates)):
        assert "{" not in explain(answer.assembly, row)


def chat(*messages: Message, **fields: Any) -> Conversation:
    return Conversation("c1", messages, **fields)


ASKED = Message("m0", "user", "what now")


def with_memories(*memories: Memory, **fields: Any) -> Workspace:
    return Workspace((chat(ASKED, **fields),), (MemorySet("default", memories),), (NOVA,))


def test_the_system_message_reads_as_published() -> None:
    found = Workspace(
        (chat(ASKED),),
        (
            MemorySet(
                "default",
                (Memory("k0", "likes tea", "core", similarity=0.9), Memory("k1", "has a dog", similarity=0.9)),
            ),
        ),
        (NOVA,),
        summaries=(PastSummary("s0", "we spoke", similarity=0.9, tone="warm", topics=tuple("abcdef")),),
        documents=(Document("d0", "a text", "Guide", pages="3"),),
    )
    system = next(iter(answer_messages(assemble(found))))
    assert system["content"] == (
        "You are Nova and you remember things\n=== RELEVANT DOCUMENT EXCERPTS ===\n\nThe following information from "
        "uploaded documents may be relevant to this conversation:\n\n[Excerpt 1 from Guide]\n(Pages: 3)\na text\n\n"
        "=== END DOCUMENT EXCERPTS ===\n\n\n**RELEVANT PAST CONVERSATIONS:**\n"
        "(You may reference these if relevant to the current topic)\n\n"
        '--- Past Conversation 1: "Untitled" ---\nwe spoke\nTone: warm\nTopics: a, b, c, d, e\n\n\n'
        f"{MEMORY_INTRODUCTION}1. likes tea\n2. has a dog"
    )
    assert system["items"] == ["nova", "d0", "s0", "k0", "k1"]
    own = answer_messages(assemble(found, parameters={"memory_role": "user"}))
    assert [message["role"] for message in own] == ["system", "user", "user"]


def answer_messages(answer: Answer) -> list[dict[str, Any]]:
    ids = answer.assembly.candidates.ids
    return [
        {"role": message.role, "content": message.content, "items": [ids[row] for row in message.rows]}
        for message in prompt_messages(answer.assembly)
    ]


def test_the_paragraph_over_the_memories_is_as_long_as_the_published_one() -> None:
    assert len(MEMORY_INTRODUCTION.split("\n\n")[1]) == 344


def test_known_faults_are_told() -> None:
    assert "core_memory_filtered_by_source" in told(
        with_memories(Memory("k0", "x", "core", similarity=0.9, source="discord"))
    )
    assert "core_memory_filtered_by_source" not in told(
        with_memories(Memory("k0", "x", "core", similarity=0.2, source="discord"))
    )
    lost = Memory("k0", "x", "story", similarity=0.9)
    assert "character_wide_memory_lost" in told(with_memories(lost, thread_id="t1"))
    assert "character_wide_memory_lost" not in told(with_memories(lost))
    assert "priority_zero" in told(with_memories(Memory("k0", "x", similarity=0.9, priority=0)))
    assert "negative_budget" in told(with_memories(), context_window=3)
    documents = Workspace((chat(ASKED),), characters=(NOVA,), documents=(Document("d0", words(300), "Guide"),))
    assert "unused_limit" in told(documents)
    assert "unused_limit" not in told(documents, context_window=10_000)


def test_history_has_to_end_with_a_user_message() -> None:
    found = Workspace((chat(Message("m0", "user", words(50)), Message("m1", "assistant", words(20))),))
    assert told(found, context_window=70).count("trailing_removed") == 1
    assert {"trailing_removed", "empty_history"} <= set(told(found, context_window=70))
    assert "trailing_removed" not in told(found, context_window=200)
    assert "trailing_removed" not in told(found, context_window=70, parameters={"trailing_user": False})


def test_the_early_state_reads_the_oldest_messages() -> None:
    messages = tuple(Message(f"m{number}", "user", f"number {number}") for number in range(60))
    answer = assemble(Workspace((chat(*messages),)), EARLY)
    assert decisions(answer)["m50"] == ("dropped", 0, "not_retrieved")
    assert answer.assembly.candidates.query == "number 49"
    assert "newest_messages_lost" in codes(answer)
    selected = {"selective": True, "selective_above": 0}
    answer = assemble(Workspace((chat(*messages),)), EARLY, parameters=selected)
    assert answer.assembly.candidates.query == "number 59"
    assert "newest_messages_lost" not in codes(answer)


def test_a_limit_of_exactly_0_for_summaries_is_none_and_the_memories_pay() -> None:
    found = Workspace(
        (chat(ASKED),),
        (MemorySet("default", (Memory("k0", words(400), similarity=0.9),)),),
        summaries=(PastSummary("s0", words(100), similarity=0.9),),
    )
    shares = {"memory_share": 0.25, "context_share": 0.0}
    answer = assemble(found, parameters=shares)
    assert "summaries_unlimited" in codes(answer)
    assert answer.assembly.budget.sections[answer.assembly.section[list(decisions(answer)).index("k0")]].borrowed < -100
    assert decisions(answer)["k0"][0] == "dropped"


def test_what_is_pinned_stays_whatever_the_rules() -> None:
    found = Workspace(
        (
            chat(
                Message("m0", "assistant", ERRORS[2]),
                Message("m1", "user", words(90)),
                Message("m2", "assistant", words(9)),
            ),
        ),
        (MemorySet("default", (Memory("k0", words(400), "ephemeral", similarity=0.1),)),),
        summaries=(PastSummary("s0", words(400), similarity=0.1),),
    )
    answer = assemble(found, context_window=100, pinned=("m0", "m2", "k0", "s0"))
    found_decisions = decisions(answer)
    assert {found_decisions[name][2] for name in ("m0", "m2", "k0", "s0")} == {"pinned"}
    assert "guarantee_over_budget" in codes(answer)


def test_messages_that_share_a_memory_are_not_kept_for_it() -> None:
    messages = tuple(Message(f"m{number}", "user", words(30)) for number in range(8))
    memory = Memory("k0", "x", similarity=0.9, source_messages=("m2", "m3"))
    found = Workspace((chat(*messages),), (MemorySet("default", (memory,)),))
    values = {"selective": True, "selective_above": 0, "recent_messages": 2}
    answer = assemble(found, context_window=10_000, parameters=values)
    assert decisions(answer)["m2"] == ("summarized", 31, "preview")
    assert "multi_source_memory_ignored" in codes(answer)
    assert all(decisions(answer)[name][0] == "kept" for name in ("m0", "m6", "m7"))


@pytest.mark.parametrize("value", [[0.5], "x", [0.5, -1], [True, 0.5], 0.5])
def test_thresholds_are_a_list_of_two_numbers(value: Any) -> None:
    answer = assemble(with_memories(), parameters={"summary_thresholds": value})
    assert answer.assembly.error is not None
    assert answer.assembly.error.code == "invalid_parameter"


def test_thresholds_are_taken_from_a_list() -> None:
    found = Workspace((chat(ASKED),), summaries=(PastSummary("s0", "a", similarity=0.4),))
    assert decisions(assemble(found))["s0"][2] == "below_threshold"
    assert decisions(assemble(found, parameters={"summary_thresholds": [0.4, 0.1]}))["s0"][0] == "kept"


def test_what_the_design_adds_still_works() -> None:
    messages = tuple(
        Message(f"m{number}", "user" if number % 2 == 0 else "assistant", words(40)) for number in range(6)
    )
    found = Workspace((chat(*messages),))
    capped = decisions(assemble(found, context_window=200, parameters={"message_cap": 5, "trailing_user": False}))
    assert capped["m5"] == ("truncated", 5, "cut")
    assured = decisions(assemble(found, context_window=60, parameters={"min_exchanges": 2, "trailing_user": False}))
    assert [assured[name][2] for name in ("m1", "m2", "m3", "m4", "m5")] == ["over_budget", *["guaranteed"] * 4]
    assert decisions(assemble(found, context_window=60, parameters={"min_exchanges": 2}))["m5"][2] == "trailing"


def test_the_tokenizer_is_that_of_the_engine() -> None:
    answer = answer_to(with_memories(), policy="ratio", preset=LATE, tokenizer="auto")
    assert answer.ledger.tokenizer == "estimate:chorus"


def outcome(found: Workspace, name: str, **scenario: Any) -> tuple[str, int, str]:
    return decisions(assemble(found, **scenario))[name]


ALL_TO = {"reserve_share": 0.0, "document_share": 0.0, "context_share": 0.0}


def test_everything_stays_when_the_whole_is_exactly_the_limit() -> None:
    found = Workspace((chat(Message("m0", "user", words(50)), Message("m1", "assistant", words(20))),))
    shares = {**ALL_TO, "memory_share": 0.0, "history_share": 1.0}
    whole = len(f"<|user|>\n{words(50)}<|end|>\n<|assistant|>\n{words(20)}<|end|>\n".split())
    assert outcome(found, "m1", context_window=whole, parameters=shares)[0] == "kept"
    assert outcome(found, "m1", context_window=whole - 1, parameters=shares)[2] == "trailing"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (f"It failed. {ERRORS[2]} ", ("dropped", 0, "filtered")),
        (f"One two {ERRORS[3]} three {ERRORS[2]} four", ("truncated", 2, "cut")),
        (f"One {ERRORS[1]} two", ("truncated", 1, "cut")),
        ("Sorry, something else", ("kept", 3, "within_budget")),
    ],
)
def test_error_messages_are_not_shown(content: str, expected: tuple[str, int, str]) -> None:
    found = Workspace((chat(Message("m0", "assistant", content), Message("m1", "user", "and")),))
    assert outcome(found, "m0") == expected
    assert outcome(found, "m0", preset=EARLY) == ("kept", len(content.split()), "within_budget")


def test_names_stand_before_what_is_said_on_a_shared_platform() -> None:
    said = Message("m0", "user", "hello", metadata={"username": "Ann"})
    found = Workspace((chat(said, source="disCORD"),))
    assert answer_messages(assemble(found))[0]["content"] == "Ann (Discord): hello"
    assert answer_messages(assemble(Workspace((chat(said),))))[0]["content"] == "hello"


def test_priority_0_is_ranked_as_50() -> None:
    stored = [Memory(f"k{number}", "x", similarity=0.8, priority=number) for number in (49, 0, 51)]
    answer = assemble(with_memories(*stored))
    assert answer_messages(answer)[0]["content"].endswith("1. x\n2. x\n3. x")
    assert answer_messages(answer)[0]["items"] == ["nova", "k51", "k0", "k49"]


def test_a_memory_limit_of_0_takes_not_even_what_is_charged_nothing() -> None:
    found = with_memories(Memory("k0", "x", similarity=0.8))
    shares = {**ALL_TO, "memory_share": 0.0, "history_share": 1.0}
    assert outcome(found, "k0", parameters=shares)[2] == "over_budget"
    assert outcome(found, "k0", parameters={**shares, "memory_share": 0.002, "history_share": 0.998})[0] == "kept"


def test_only_user_messages_are_kept_for_their_memory() -> None:
    messages = tuple(Message(f"m{n}", "user" if n % 2 else "assistant", words(30)) for n in range(8))
    stored = tuple(Memory(f"k{n}", "x", source_messages=(f"m{n}",)) for n in (2, 3))
    found = Workspace((chat(*messages),), (MemorySet("default", stored),))
    values = {"selective": True, "selective_above": 0, "recent_messages": 2}
    found_decisions = decisions(assemble(found, context_window=10_000, parameters=values))
    assert [found_decisions[name][0] for name in ("m2", "m3")] == ["summarized", "kept"]


@pytest.mark.parametrize("preset", [LATE, EARLY])
@pytest.mark.parametrize("name", ["discard_after", "only_if_shorter", "borrow"])
def test_what_the_published_code_does_not_have_is_no_parameter(preset: str, name: str) -> None:
    answer = answer_to(Workspace(), policy="ratio", preset=preset, parameters={name: 0})
    assert answer.assembly.error is not None
    assert answer.assembly.error.message.startswith(f"{name} is not a parameter of this policy; its parameters are ")
