"""Budgets without end and of nothing: what every policy and preset keeps then, what not, and how it says so."""

import pytest
from building import Answer, answer_to, chat, codes, decisions, memories, words, workspace
from holding import EACH_PRESET, PRESETS, held
from hypothesis import given
from hypothesis import strategies as st

from inspector.assembly.policy import parameters_of
from inspector.assembly.soundness import FIRM_REASONS
from inspector.limits import MOST
from inspector.model import (
    Attachment,
    Character,
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
from inspector.plugins import policies
from inspector.testing.workspaces import EVERYTHING
from tests.examples import examples

WINDOW, LIMIT = 2 * 10**9, 10**6
"""Without end: the window holds every limit, and a limit holds everything there is."""
LIBRARIES = ("langchain_trim", "llamaindex_buffer", "semantic_kernel_truncation", "priority")
SILLYTAVERN = ("sillytavern", "sillytavern_text")
PROGRAMS = ("ollama", "llamacpp", "text_generation_webui", "koboldcpp", "open_webui", "librechat", "jan", "vllm")
AGENTS = tuple(name for name, kind in policies()[0].items() if ".policies.agents." in kind.__module__)
SESSIONS = tuple(name for name in AGENTS if name != "continue_prune")
"""Those of agents that have a place for the messages of a session and for nothing else, not for a character either."""
WITHOUT_MEMORIES = (*LIBRARIES, *SILLYTAVERN, *PROGRAMS, *AGENTS)
NOVA = Character("nova", system_prompt="be kind and brief")
SMALL = workspace(
    chat(4, 3, 5),
    memories(5, 4),
    NOVA,
    lorebooks=(Lorebook("book", (LoreEntry("l0", "it is old", constant=True),)),),
)
CROWD = Workspace(
    conversations=workspace(
        [Message(f"m{n}", "assistant" if n % 2 else "user", f"m{n} w") for n in range(61)]
    ).conversations,
    memory_sets=(MemorySet("all", tuple(Memory(f"k{n}", f"k{n} w", similarity=1 - n / 100) for n in range(70))),),
    characters=(NOVA,),
    lorebooks=(Lorebook("book", tuple(LoreEntry(f"l{n}", f"l{n} w", constant=True) for n in range(25))),),
    passages=tuple(Passage(f"p{n}", f"p{n} w", "document", score=1 - n / 100) for n in range(20)),
    summaries=tuple(PastSummary(f"s{n}", f"s{n} w", similarity=like) for n, like in enumerate((0.9, 0.85, 0.8, 0.5))),
    documents=(Document("d0", "d0 w"),),
    attachments=(Attachment("a0", "a0 w"),),
)
"""More of everything than any policy looks at."""

MESSAGES_ONLY = {"filtered": "k0-69 l0-24 p0-19 s0-3 d0 a0"}
SESSION_ONLY = {"filtered": "nova k0-69 l0-24 p0-19 s0-3 d0 a0"}
NO_PASSAGES = {"filtered": "p0-19 s0-3 d0 a0"}
LOST = {
    "naive-document": {},
    # memory_candidates: 50, or 200 in memory-first; long-chat puts previews in the place of all but the newest 20.
    "ratio-document": {"not_retrieved": "k50-69", **NO_PASSAGES},
    "ratio-long-chat": {"not_retrieved": "k50-69", "preview": "m0-40", **NO_PASSAGES},
    "ratio-memory-first": NO_PASSAGES,
    # The 60 most similar memories; a fact needs a similarity of .50; then 20. Summaries need .75, and two are taken.
    "ratio-chorus-2026.02": {
        "over_budget": "k20-50",
        "below_threshold": "k51-59 s3",
        "not_retrieved": "k60-69 s2",
        "filtered": "p0-19 a0",
    },
    # The oldest 50 messages, and neither summaries nor documents.
    "ratio-chorus-2026.01": {
        "over_budget": "k20-50",
        "below_threshold": "k51-59",
        "not_retrieved": "k60-69 m50-60",
        **NO_PASSAGES,
    },
    "adaptive-document": {"filtered": "p0-19 d0 a0"},
    # The newest 30 or 20 messages before the current one, m60.
    "adaptive-whisperengine-2025.11": {"filtered": "p0-19 d0 a0", "not_retrieved": "m0-29"},
    "adaptive-whisperengine-2025.10": {"filtered": "p0-19 d0 a0", "not_retrieved": "m0-39"},
    "reserve-document": NO_PASSAGES,
    "reserve-ibex-2026": NO_PASSAGES,
    # 15 of each kind; all lore is equally like the query, so that the first of the file are considered.
    "window_rag-document": {"not_retrieved": "k15-69 l15-24 p15-19", "filtered": "s0-3 d0 a0"},
    # 10 memories, and 15 of lorebook entries and documents together, of which the documents are more like the query.
    "window_rag-scribe-2025.08": {"not_retrieved": "k10-69 l0-24 p15-19", "filtered": "s0-3 d0 a0"},
    "slots-document": {"filtered": "p0-19 s0-3"},
    "slots-brain-0.5": {"filtered": "p0-19 s0-3"},
    "slots-brain-0.1": NO_PASSAGES,
    **{f"{policy}-document": MESSAGES_ONLY for policy in (*LIBRARIES, *PROGRAMS)},
    **{f"{policy}-document": {"filtered": "k0-69 p0-19 s0-3 d0 a0"} for policy in SILLYTAVERN},
    "continue_prune-document": MESSAGES_ONLY,
    **{f"{policy}-document": SESSION_ONLY for policy in SESSIONS},
    "openhands_condenser-sdk-1x": SESSION_ONLY,
}
"""What is lost of the crowd without any limit of tokens: reason → ids, the places and counts of each policy's rules."""

OVER = "over_window"
AT_ZERO = {
    "naive-document": ("nova k0 k1 l0 m0 m1 m2", {OVER}),
    # The system prompt is larger than a quarter of nothing.
    "ratio-document": ("system_prompt_too_large", set()),
    "ratio-long-chat": ("system_prompt_too_large", set()),
    "ratio-memory-first": ("system_prompt_too_large", set()),
    # Where the history keeps nothing, its newest message stays alone.
    "ratio-chorus-2026.02": ("nova m2", {OVER, "negative_budget", "guarantee_over_budget"}),
    "ratio-chorus-2026.01": ("nova m2", {OVER, "negative_budget", "guarantee_over_budget"}),
    # The system message is cut to nothing; the two newest messages stay.
    "adaptive-document": ("m1 m2", {OVER, "emergency_truncation", "guarantee_over_budget"}),
    # A system budget of 0 is none, and the emergency keeps a system message that is below its cut of 16,000 whole.
    "adaptive-whisperengine-2025.11": (
        "nova k0 k1 l0",
        {OVER, "emergency_truncation", "system_over_stage2", "current_message_lost", "empty_history"},
    ),
    # This one keeps four code points for each token of the limit. The notice of the cut alone is over the window.
    "adaptive-whisperengine-2025.10": (
        "",
        {OVER, "emergency_truncation", "system_over_stage2", "current_message_lost", "empty_history"},
    ),
    # Directive and conversation are never cut.
    "reserve-document": ("nova m0 m1 m2", {OVER, "constrained"}),
    "reserve-ibex-2026": ("nova m0 m1 m2", {OVER, "constrained"}),
    "window_rag-document": ("request_too_large", set()),
    "window_rag-scribe-2025.08": ("request_too_large", set()),
    # System prompt and current message are never cut.
    "slots-document": ("nova m2", {OVER, "slot_exceeded"}),
    "slots-brain-0.5": ("nova m2", {OVER, "slot_exceeded", "no_room_for_memory", "newest_message_too_long"}),
    "slots-brain-0.1": ("nova m2", {OVER, "slot_exceeded", "no_room_for_memory", "newest_message_too_long"}),
    "langchain_trim-document": ("nova", {OVER, "empty_history", "not_placed"}),
    # The least limit of the three others is 1: a token, a message, a token.
    "llamaindex_buffer-document": (
        "m2",
        {OVER, "guarantee_over_budget", "not_placed", "window_smaller_than_budget"},
    ),
    "semantic_kernel_truncation-document": ("nova", {OVER, "empty_history", "not_placed"}),
    "priority-document": ("request_too_large", {"not_placed", "window_smaller_than_budget"}),
    # Not even the system prompt fits, and then nothing after it is sent.
    "sillytavern-document": ("", {"mandatory_over_budget", "empty_history", "not_placed"}),
    # The fixed text is sent in any case. The least limit of the programs is 1.
    "sillytavern_text-document": ("nova", {OVER, "empty_history", "not_placed", "window_smaller_than_budget"}),
    "ollama-document": ("", {"prompt_cut", "empty_history", "not_placed", "window_smaller_than_budget"}),
    "llamacpp-document": ("request_too_large", {"not_placed", "window_smaller_than_budget"}),
    "text_generation_webui-document": ("request_too_large", {"not_placed", "window_smaller_than_budget"}),
    # The least context of 8 holds the memory and the end of the newest message.
    "koboldcpp-document": ("nova m2", {OVER, "prompt_cut", "not_placed", "window_smaller_than_budget"}),
    "open_webui-document": ("nova m2", {OVER, "compacted", "not_placed"}),
    # A limit of 0 is the window, but at least 1,024 tokens; with Jan it is none.
    "librechat-document": ("nova m0 m1 m2", {OVER, "not_placed", "window_smaller_than_budget"}),
    "jan-document": ("nova m0 m1 m2", {OVER, "not_placed"}),
    "vllm-document": ("request_too_large", {"not_placed", "window_smaller_than_budget"}),
    # It looks before a message of the user is appended, and without it: m0 and m1 are told.
    "codex_compact-document": ("m2 summary:1", {OVER, "compacted", "not_placed"}),
    # A summary would be longer than what it tells, so it is thrown away.
    "gemini_compress-document": ("m0 m1 m2", {OVER, "not_placed"}),
    # The first pair stays, the reply as a notice, and of the one message after it half is none.
    "cline_truncate-document": ("m0 m1 m2", {OVER, "not_placed"}),
    # The newest message of the user stays; the summary of m0 is told by the second one.
    "cline_compact-document": ("m2 summary:2", {OVER, "compacted", "not_placed"}),
    # The newest message of the user is told as well.
    "roo_context-document": ("summary:1", {OVER, "compacted", "not_placed"}),
    "anthropic_compaction-document": ("summary:2", {OVER, "compacted", "not_placed"}),
    "llamaindex_summary_buffer-document": ("summary:2", {OVER, "compacted", "not_placed"}),
    # A window of 0 is an unknown one, and then it never compacts.
    "opencode_compact-document": ("m0 m1 m2", {OVER, "not_placed"}),
    # Results of tools are all that they clear, and here are none.
    "anthropic_context_editing-document": ("m0 m1 m2", {OVER, "not_placed"}),
    "langchain_clear_tools-document": ("m0 m1 m2", {OVER, "not_placed"}),
    # Half of the fewest events, one, holds no first event and no newest one.
    "openhands_condenser-document": ("invalid_parameter", set()),
    "openhands_condenser-sdk-1x": ("invalid_parameter", set()),
    # A limit of 0 is a sixteenth of the window, but at least 1,024 tokens; nor does Aider touch the newest m2.
    "aider_summary-document": ("m0 m1 m2", {OVER, "not_placed"}),
    "continue_prune-document": ("request_too_large", {"not_placed"}),
    # The last message stays where none fits.
    "langchain_summarize-document": ("m2 summary:1", {OVER, "compacted", "not_placed"}),
    # The least target is one message, and it looks after each.
    "semantic_kernel_summarization-document": ("m2 summary:2", {OVER, "compacted", "not_placed"}),
    # The first message is the system's, so it stays.
    "letta_buffer-document": ("m0", {OVER, "history_gap", "not_placed"}),
}
"""What is left of the small sample with a window and limits of nothing, or the error, and what is found about it."""


def named(kind: str, most: int) -> st.SearchStrategy[list[tuple[str, str]]]:
    """Ids with texts of 1 to 30 words, none of them blank and no two the same."""
    return st.lists(st.integers(0, 29), max_size=most).map(
        lambda costs: [(f"{kind}{n}", f"{kind}{n} {words(cost)}".strip()) for n, cost in enumerate(costs)]
    )


@st.composite
def small_workspaces(draw: st.DrawFn) -> Workspace:
    """Messages, memories that are much like the query, and perhaps a character: fewer than any policy's counts."""
    told = [
        Message(name, "assistant" if n % 2 else "user", text) for n, (name, text) in enumerate(draw(named("m", 15)))
    ]
    stored = tuple(Memory(name, text, similarity=0.9) for name, text in draw(named("k", 10)))
    return workspace(told, MemorySet("all", stored), draw(st.sampled_from([None, NOVA])))


def lost_of(answer: Answer) -> dict[str, str]:
    """Reason → ids of what is not kept whole, in runs such as m0-3."""
    runs: dict[str, list[list[str]]] = {}
    for name, (action, _, reason) in decisions(answer).items():
        if action == "kept":
            continue
        found = runs.setdefault(reason, [])
        if found and found[-1][-1] == f"{name[0]}{int(name[1:]) - 1}":
            found[-1].append(name)
        else:
            found.append([name])
    return {reason: " ".join(_run(names) for names in found) for reason, found in runs.items()}


def left_of(answer: Answer) -> list[str]:
    """The ids that are in the prompt, and the summaries in it that the program wrote; what these tell is not."""
    found = decisions(answer).items()
    own = [name for name, (action, _, reason) in found if action != "dropped" and reason != "compacted"]
    return [*own, *(summary.id for summary in answer.assembly.compactions if summary.stands)]


def _run(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]}-{names[-1][1:]}"


def test_every_preset_is_in_both_tables() -> None:
    assert set(LOST) == set(AT_ZERO) == {"-".join(key) for key in PRESETS}


@EACH_PRESET
def test_without_limits_only_rules_that_are_no_budget_leave_something_out(policy: str, preset: str) -> None:
    answer = answer_to(CROWD, query="zebra", **held(policy, preset, WINDOW, LIMIT))
    assert answer.status == "ok"
    assert lost_of(answer) == LOST[f"{policy}-{preset}"]


@EACH_PRESET
@examples(25)
@given(small_workspaces())
def test_without_limits_everything_that_has_a_place_is_kept(policy: str, preset: str, found: Workspace) -> None:
    answer = answer_to(found, query="zebra", **held(policy, preset, WINDOW, LIMIT))
    placeless = {memory.id for memory in found.memory_sets[0].memories} if policy in WITHOUT_MEMORIES else set()
    if policy in SESSIONS:
        placeless |= {character.id for character in found.characters}
    for name, (action, spent, reason) in decisions(answer).items():
        if name in placeless:
            assert (action, reason) == ("dropped", "filtered")
        else:
            assert action == "kept"
            assert spent > 0
    assert answer.status == "ok"
    assert ("not_placed" in codes(answer)) == bool(placeless)


@EACH_PRESET
def test_with_nothing_to_spend_only_this_is_left_and_it_is_said(policy: str, preset: str) -> None:
    answer = answer_to(SMALL, query="zebra", **held(policy, preset, 0, 0))
    left, found = AT_ZERO[f"{policy}-{preset}"]
    assert set(codes(answer)) - {"estimated_counts", "embedding_unavailable"} == found
    assert codes(answer).count("guarantee_over_budget") <= 1
    if answer.assembly.error is not None:
        assert (answer.status, answer.assembly.error.code) == ("error", left)
    else:
        assert answer.status == (OVER if OVER in found else "ok")
        assert " ".join(left_of(answer)) == left


BY_RULE = {
    "naive": "everything stays",
    "reserve": "the whole conversation stays",
    "semantic_kernel_truncation": "tokens do not count, one message may stay",
    "koboldcpp": "its least context is 8 tokens",
    "open_webui": "what is not folded stays",
    "librechat": "a limit of 0 is the window, and at least 1,024 tokens",
    "jan": "a limit of 0 is none",
    "adaptive-whisperengine-2025.11": "a budget of 0 is none, and the emergency keeps what is below its cut",
    "codex_compact": "what was said since its last look stays",
    "gemini_compress": "a summary longer than what it tells is thrown away",
    "cline_truncate": "the first pair stays, and the part after it that is not cut",
    "cline_compact": "the newest message of the user stays, and what follows it",
    "roo_context": "what was said since its last look stays, and a single message",
    "anthropic_compaction": "what was said since its last look stays",
    "llamaindex_summary_buffer": "what was said since its last look stays",
    "opencode_compact": "a window of 0 is an unknown one",
    "anthropic_context_editing": "it clears results of tools alone",
    "langchain_clear_tools": "it clears results of tools alone",
    "aider_summary": "a limit of 0 is at least 1,024 tokens",
    "langchain_summarize": "the last message stays, and what was said since",
    "semantic_kernel_summarization": "tokens do not count, one message may stay",
    "letta_buffer": "the first message stays",
}
"""What keeps more than its guarantees with nothing to spend, and why."""
LEAST = {"llamaindex_buffer": 1, "priority": 1}
"""The least limit in tokens, which a message of one word fits into, of those that refuse a limit of 0."""


@EACH_PRESET
@examples(25)
@given(small_workspaces())
def test_with_nothing_to_spend_what_stays_is_guaranteed_and_over_the_window(
    policy: str, preset: str, found: Workspace
) -> None:
    answer = answer_to(found, query="zebra", **held(policy, preset, 0, 0))
    stays = [(spent, reason) for _, spent, reason in decisions(answer).values() if spent]
    is_by_rule = policy in BY_RULE or f"{policy}-{preset}" in BY_RULE
    by_choice = sum(spent for spent, reason in stays if reason not in FIRM_REASONS)
    assert is_by_rule or by_choice <= LEAST.get(policy, 0)
    assert not stays or answer.status in ("error", OVER)


@EACH_PRESET
@examples(25)
@given(small_workspaces())
def test_a_window_of_nothing_is_said_whatever_the_limits_are(policy: str, preset: str, found: Workspace) -> None:
    answer = answer_to(found, **held(policy, preset, 0, LIMIT))
    is_spent = any(spent for _, spent, _ in decisions(answer).values())
    assert not is_spent or answer.status in ("error", OVER)


OVERHEADS = [
    (policy, parameter.name)
    for policy, kind in policies()[0].items()
    for parameter in parameters_of(kind)
    if parameter.name.endswith("_overhead") and not isinstance(parameter.default, bool)
]


@pytest.mark.parametrize(("policy", "name"), OVERHEADS)
def test_an_overhead_beyond_every_window_is_not_charged_as_less(policy: str, name: str) -> None:
    def at(overhead: int) -> dict[str, tuple[str, int, str]]:
        return decisions(answer_to(EVERYTHING, policy=policy, parameters={name: overhead}, context_window=900))

    assert at(MOST) == at(10**6)


def test_every_program_with_a_formatting_of_messages_has_its_overhead_here() -> None:
    assert len(OVERHEADS) >= 15
