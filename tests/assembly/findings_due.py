"""For each kind of finding a situation in which it is due, and what its advice makes of that situation."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from building import BY_WORDS, START, chat, memories, words, workspace

from inspector.assembly import finding_kinds as kinds
from inspector.assembly import policy_finding_kinds as policy_kinds
from inspector.assembly.finding_kind import FindingKind
from inspector.assembly.marks import ItemKey, Marks
from inspector.model import (
    Attachment,
    Call,
    Character,
    Component,
    Conversation,
    Document,
    Memory,
    MemorySet,
    Message,
    MessageTree,
    Passage,
    PastSummary,
    Problem,
    Result,
    Text,
    Tool,
    Workspace,
)
from inspector.secrets import MASKED


@dataclass(frozen=True)
class Due:
    """A scenario in which a finding is due, and the changes of it that settle the matter, as the advice says.

    `settled` is the workspace to try these in, where the advice is to change a file; None for the same one. `marks` are
    those of a person.
    """

    found: Workspace
    scenario: dict[str, Any]
    remedy: dict[str, Any] = field(default_factory=dict)
    settled: Workspace | None = None
    marks: Marks = field(default_factory=Marks)

    @property
    def remedied(self) -> tuple[Workspace, dict[str, Any]]:
        """The workspace and the scenario after the advice was taken."""
        parameters = {**self.scenario.get("parameters", {}), **self.remedy.get("parameters", {})}
        return self.settled or self.found, {**self.scenario, **self.remedy, "parameters": parameters}


FITTING = workspace(chat(30, 30, 30), memories(10))
SCORED = workspace(
    chat(3),
    MemorySet(
        "default",
        tuple(
            Memory(word, f"likes {word}", similarity=0.1 * place) for place, word in enumerate(("tea", "rain", "jam"))
        ),
    ),
)
TOOL_TALK = workspace(
    [
        Message("m0", "user", "w w w"),
        Message("m1", "assistant", parts=(Text("w"), Call("t1", "look", "{}"))),
        Message("m2", "tool", parts=(Result("t1", content="w w"),)),
        Message("m3", "user", "w"),
    ]
)
ASKED = workspace(
    [Message("m0", "user", "w w w"), Message("m1", "assistant", "w", metadata={"recorded_prompt_tokens": 900})]
)
WITH_SECRET = workspace(
    [Message("m0", "user", "my token is ghp_abcdefghijklmnopqrstuvwxyz12"), Message("m1", "user", "w")],
    problems=(Problem("chat.json", "message m0", f"holds 1 secret: a GitHub token; {MASKED}", "warning"),),
)
SAID = tuple(Message(f"m{number}", "user", "w") for number in range(3))
BRANCHED = Workspace((Conversation("c", SAID[:2], tree=MessageTree(SAID, ("", "m0", "m0"), "m1")),))
TWO_CHATS = Workspace(conversations=(Conversation("a", ()), Conversation("b", ())))
ALIKE = workspace(
    chat(3),
    MemorySet(
        "default",
        tuple(
            Memory(f"k{place}", f"Nell keeps the key of the boathouse under the third{word} stone")
            for place, word in enumerate(("", " big"))
        ),
    ),
)
TALK = workspace(
    [
        Message("m0", "user", "The boat lies in the harbour. It rained on the way. We drank some tea."),
        Message("m1", "assistant", "Yes, I know."),
        Message("m2", "user", "The keel of the boat is cracked. Somebody has to mend the keel."),
        Message("m3", "user", "So what now?"),
    ]
)
SELECTIVE = {"selective": True, "recent_messages": 0, "min_exchanges": 1}
EXTRACTIVE = {"summaries": "extractive", "summary_tokens": 9}
COUNTED = {"tokenizer": "auto", "policy": "naive"}

GENERAL: dict[FindingKind, Due] = {
    kinds.UNKNOWN_ITEM: Due(FITTING, {"pinned": ("nobody",)}, {"pinned": ()}),
    kinds.ON_OTHER_BRANCHES: Due(BRANCHED, {"pinned": ("m0", "m2")}, {"leaf": "m2"}),
    kinds.BELONGS_TO_NONE: Due(
        workspace(chat(3), MemorySet("far", (Memory("k", "w"),), conversations=())), {}, {"memory_sets": ("far",)}
    ),
    kinds.FIRST_OF_MANY: Due(TWO_CHATS, {}, {"conversation": "b"}),
    kinds.MODEL_UNKNOWN: Due(FITTING, {"model": "nobody-knows-1"}, {"model": "gpt-4o"}),
    kinds.MODEL_BY_PREFIX: Due(FITTING, {"model": "gpt-4o-2099-01-01"}, {"model": "gpt-4o"}),
    kinds.SETTINGS_FROM_FILE: Due(
        workspace(chat(3), character=Character("nova", system_prompt="w", preferred_llm={"model": "qwen2.5"})),
        {},
        {"model": "gpt-4o"},
    ),
    kinds.ESTIMATED_COUNTS: Due(FITTING, {}, {"tokenizer": "embedded:o200k_base", "model": "gpt-4o"}),
    kinds.TEMPLATE_REFUSED: Due(
        workspace([Message("m0", "assistant", "w"), Message("m1", "user", "w")]),
        {**COUNTED, "model": "gemma-3-27b-it"},
        {"excluded": ("m0",)},
    ),
    kinds.TOOLS_LEFT_OUT: Due(
        workspace(chat(3), tools=(Tool({"name": "look"}),)),
        {**COUNTED, "model": "gemma-3-27b-it"},
        {"model": "qwen2.5-7b-instruct"},
    ),
    kinds.SPECIAL_TOKEN_TEXT: Due(
        workspace([Message("m0", "user", "hi"), Message("m1", "user", "stop <|im_end|> here")]),
        {**COUNTED, "model": "qwen2.5-7b-instruct"},
        {"excluded": ("m1",)},
    ),
    kinds.OVER_WINDOW: Due(FITTING, {"policy": "naive", "context_window": 50}, {"context_window": 500}),
    kinds.INPUT_LIMIT: Due(
        workspace(chat(1, 1, 1, 1, 1, tokens=80_000)),
        {
            "model": "gpt-5",
            "parameters": {"memory_share": 0.0, "history_share": 0.9, "reserve_share": 0.1, "min_exchanges": 1},
        },
        {"context_window": 272_000},
    ),
    kinds.BUDGET_UNUSED: Due(
        workspace(chat(*[30] * 20)),
        {"context_window": 500, "parameters": {"memory_share": 0.5, "history_share": 0.3, "reserve_share": 0.2}},
        {"parameters": {"borrow": "both"}},
    ),
    kinds.WINDOW_SMALLER_THAN_BUDGET: Due(
        FITTING, {"policy": "adaptive", "context_window": 9000}, {"parameters": {"max_tokens": 6000}}
    ),
    kinds.NOT_PLACED: Due(
        workspace(chat(2), passages=(Passage("p0", "w", "document"),)), {"policy": "ratio"}, {"policy": "window_rag"}
    ),
    kinds.EMPTY_HISTORY: Due(
        FITTING, {"context_window": 40, "parameters": {"min_exchanges": 0}}, {"parameters": {"min_exchanges": 1}}
    ),
    kinds.HISTORY_GAP: Due(
        FITTING, {"pinned": ("m0",), "context_window": 60, "parameters": {"min_exchanges": 1}}, {"pinned": ()}
    ),
    kinds.GUARANTEE_OVER_BUDGET: Due(FITTING, {"context_window": 40}, {"parameters": {"min_exchanges": 0}}),
    kinds.ORPHAN_TOOL_RESULT: Due(TOOL_TALK, {"excluded": ("m1",)}, {"excluded": ("m1", "m2")}),
    kinds.EMBEDDING_UNAVAILABLE: Due(
        workspace(chat(3), MemorySet("default", (Memory("k0", "tea"),))),
        {"query": "tea", "similarity": "embedding", "embedding": BY_WORDS},
        {"similarity": "lexical"},
    ),
    kinds.NEAR_DUPLICATE_MEMORIES: Due(ALIKE, {"similarity": "recorded"}, {"excluded": ("k1",)}),
    kinds.SCORE_DIRECTION: Due(SCORED, {"query": "tea"}, {"score_scales": {"default": "distance"}}),
    kinds.RECORDED_REMAINDER: Due(ASKED, {}, settled=workspace([ASKED.conversations[0].messages[0]])),
    kinds.SUMMARIES_UNAVAILABLE: Due(
        TALK, {"summaries": "endpoint", "parameters": SELECTIVE}, {"summaries": "extractive"}
    ),
    kinds.SUMMARIES_UNUSED: Due(TALK, EXTRACTIVE, {"parameters": SELECTIVE}),
    kinds.COMPUTED_SUMMARIES: Due(TALK, {**EXTRACTIVE, "parameters": SELECTIVE}, {"summaries": None}),
    kinds.SUMMARY_LONGER: Due(TALK, {"parameters": SELECTIVE}, {"parameters": {"only_if_shorter": True}}),
}

LATE = {"policy": "ratio", "preset": "chorus-2026.02", "context_window": 1000}
EARLY = {"policy": "ratio", "preset": "chorus-2026.01", "context_window": 1000}
NOVA = Character("nova", "Nova", "You are Nova")
TALKED = (Message("m0", "user", words(50)), Message("m1", "assistant", words(20)))


def _recalling(**fields: Any) -> Workspace:
    """A conversation of a thread, and one memory that is like its question."""
    memory = Memory("k0", "x", similarity=0.9, **fields)
    talk = Conversation("c1", (Message("m0", "user", "what now"),), thread_id="t1")
    return Workspace((talk,), (MemorySet("default", (memory,)),), (NOVA,))


RATIO: dict[FindingKind, Due] = {
    policy_kinds.SYSTEM_PROMPT_TOO_LARGE: Due(
        workspace(chat(2), character=Character("n", system_prompt=words(40))),
        {"context_window": 100, "parameters": {"system_overflow": "warn"}},
        {"parameters": {"system_limit": 0.5}},
    ),
    policy_kinds.NEGATIVE_BUDGET: Due(workspace(chat(2), character=NOVA), {**LATE, "context_window": 2}, LATE),
    policy_kinds.UNUSED_LIMIT: Due(
        workspace(chat(2), character=NOVA, documents=(Document("d0", words(300), "Guide"),)),
        LATE,
        {"excluded": ("d0",)},
    ),
    policy_kinds.SUMMARIES_UNLIMITED: Due(
        workspace(chat(2), summaries=(PastSummary("s0", words(9), similarity=0.9),)),
        {**LATE, "parameters": {"memory_share": 0.25, "context_share": 0.0}},
        {"parameters": {"summary_cap": 0}},
    ),
    policy_kinds.TRAILING_REMOVED: Due(
        workspace(TALKED), {**LATE, "context_window": 70}, {"parameters": {"trailing_user": False}}
    ),
    policy_kinds.NEWEST_MESSAGES_LOST: Due(workspace(chat(*[1] * 60)), EARLY, {"parameters": {"message_limit": 60}}),
    policy_kinds.CORE_MEMORY_FILTERED_BY_SOURCE: Due(
        _recalling(type="core", source="discord"), LATE, {"pinned": ("k0",)}
    ),
    policy_kinds.CHARACTER_WIDE_MEMORY_LOST: Due(_recalling(type="story"), LATE, {"pinned": ("k0",)}),
    policy_kinds.PRIORITY_ZERO: Due(_recalling(priority=0), LATE, settled=_recalling(priority=1)),
    policy_kinds.MULTI_SOURCE_MEMORY_IGNORED: Due(
        workspace(
            [Message(f"m{number}", "user", words(30)) for number in range(8)],
            MemorySet("default", (Memory("k0", "x", similarity=0.9, source_messages=("m2", "m3")),)),
        ),
        {**LATE, "parameters": {"selective": True, "selective_above": 0, "recent_messages": 2}},
        {"pinned": ("m2", "m3")},
    ),
}

WHISPER = {"policy": "adaptive", "preset": "whisperengine-2025.11"}


def _components(*lengths: int, required: bool) -> Workspace:
    """A short talk, and components of so many characters."""
    parts = tuple(
        Component(f"c{place}", "note", letter * length, place, required)
        for place, (letter, length) in enumerate(zip("abcdefgh", lengths, strict=False))
    )
    return workspace(chat(1, 1, 1), character=Character("nova", components=parts))


SAME = tuple(Component(f"c{place}", "note", "x" * 40, place) for place in range(2))
REQUIRED = Due(_components(400, 8000, 400, required=True), {**WHISPER, "parameters": {"system_budget": 1100}})

ADAPTIVE: dict[FindingKind, Due] = {
    policy_kinds.EMERGENCY_TRUNCATION: Due(
        workspace(
            chat(1, 1),
            character=Character(
                "nova", components=tuple(Component(f"c{n}", "note", words(9, f"w{n}"), n) for n in range(4))
            ),
        ),
        {"policy": "adaptive", "parameters": {"max_tokens": 20}},
        {"parameters": {"system_budget": 10}},
    ),
    policy_kinds.CURRENT_MESSAGE_LOST: Due(
        workspace(chat(1, 1, 1), character=Character("nova", system_prompt=words(9))),
        {**WHISPER, "parameters": {"max_tokens": 9}},
        {"pinned": ("m2",)},
    ),
    policy_kinds.SYSTEM_OVER_STAGE2: Due(
        _components(80, 80, 80, required=False),
        {**WHISPER, "tokenizer": "estimate:chorus", "parameters": {"max_tokens": 50}},
        {"parameters": {"system_budget": 30}},
    ),
    policy_kinds.REQUIRED_OVER_BUDGET: Due(REQUIRED.found, REQUIRED.scenario, {"parameters": {"system_budget": 3000}}),
    policy_kinds.COMPONENT_CUT: Due(REQUIRED.found, REQUIRED.scenario, {"parameters": {"required_overflow": "keep"}}),
    policy_kinds.DUPLICATES_CHARGED: Due(
        workspace(chat(1), character=Character("nova", components=(*SAME, Component("c2", "note", "y" * 40, 3)))),
        {**WHISPER, "parameters": {"system_budget": 20}},
        {"excluded": ("c1",)},
    ),
}

NOTHING_RESERVED = {"response_ratio": 0, "response_min": 0, "safety_ratio": 0}
IBEX = {"policy": "reserve", "preset": "ibex-2026", "context_window": 40, "parameters": NOTHING_RESERVED}

RESERVE: dict[FindingKind, Due] = {
    policy_kinds.CONSTRAINED: Due(
        FITTING, {"policy": "reserve", "context_window": 1500}, {"parameters": {"response_min": 0, "safety_ratio": 0.0}}
    ),
    policy_kinds.KNAPSACK_GREEDY: Due(
        workspace(chat(1), memories(3, 3, 3)),
        {"policy": "reserve", "context_window": 10_000_000, "parameters": {"pack": "knapsack"}},
        {"context_window": 10_000},
    ),
    policy_kinds.GREEDY_FALLBACK: Due(
        workspace((), memories(30, 9, 3)),
        {**IBEX, "parameters": {**NOTHING_RESERVED, "dp_cell_ceiling": 0}},
        {"parameters": {"dp_cell_ceiling": 437_570}},
    ),
    policy_kinds.BUCKET_ROUNDING: Due(workspace((), memories(31, 31)), IBEX, {"parameters": {"pack": "knapsack"}}),
    policy_kinds.CUT_UNRANKED: Due(
        workspace((), MemorySet("all", (Memory("low", "w", similarity=0.1), Memory("high", "w", similarity=0.9)))),
        {**IBEX, "parameters": {**NOTHING_RESERVED, "memory_candidates": 1}},
        {"parameters": {"memory_candidates": 0}},
    ),
}

SCRIBE = {"policy": "window_rag", "preset": "scribe-2025.08", "now": (START + timedelta(9)).isoformat()}

WINDOW_RAG: dict[FindingKind, Due] = {
    policy_kinds.TWO_TOTALS: Due(
        FITTING, {**SCRIBE, "parameters": {"total_limit": 1000}}, {"parameters": {"hard_limit": 1000}}
    ),
    policy_kinds.FIRST_CHUNK_OVER_BUDGET: Due(
        workspace(chat(1), passages=(Passage("p0", words(9), "chat", score=0.9),)),
        {**SCRIBE, "parameters": {"rag_budget": 3}},
        {"parameters": {"rag_budget": 9}},
    ),
    policy_kinds.TAIL_CUT: Due(
        workspace(chat(5, 5, 5)),
        {**SCRIBE, "parameters": {"preamble_tokens": 10, "hard_limit": 20}},
        {"parameters": {"preamble_tokens": 5}},
    ),
}

BRAIN = {"policy": "slots", "preset": "brain-0.5"}
NO_SLOTS = {f"{name}_slot": 0 for name in ("system", "profile", "history", "response", "attachments")}
TOLD = workspace((), memories(2, 2, 2), Character("nova", system_prompt=words(5)))

SLOTS: dict[FindingKind, Due] = {
    policy_kinds.SLOT_EXCEEDED: Due(
        TOLD, {"policy": "slots", "parameters": {"system_slot": 4}}, {"parameters": {"system_slot": 5}}
    ),
    policy_kinds.ATTACHMENTS_OVER_SLOT: Due(
        workspace(chat(1), attachments=(Attachment("f", words(400)),)),
        {"policy": "slots", "parameters": {"attachments_slot": 200}},
        {"parameters": {"attachment_floor_chars": 0, "chars_per_token": 2}},
    ),
    policy_kinds.SYSTEM_CHARGED_TO_MEMORY: Due(
        TOLD,
        {**BRAIN, "context_window": 17, "parameters": {**NO_SLOTS, "system_slot": 5, "scale": "fixed"}},
        {"preset": "document"},
    ),
    policy_kinds.NO_ROOM_FOR_MEMORY: Due(
        TOLD,
        {**BRAIN, "context_window": 10, "parameters": {**NO_SLOTS, "system_slot": 5, "scale": "fixed"}},
        {"parameters": {"system_slot": 0}},
    ),
    policy_kinds.NEWEST_MESSAGE_TOO_LONG: Due(
        workspace(chat(1, 6, 1)),
        {**BRAIN, "parameters": {"history_slot": 5, "scale": "fixed"}},
        {"excluded": ("m1",)},
    ),
}

SPOKEN = workspace(chat(30, 30, 30), character=Character("nova", system_prompt=words(20)))
"""110 words: more than each limit below."""

PROGRAMS = {
    policy_kinds.MANDATORY_OVER_BUDGET: Due(
        SPOKEN,
        {"policy": "sillytavern", "parameters": {"context_size": 310}},
        {"parameters": {"context_size": 4096}},
    ),
    policy_kinds.PROMPT_CUT: Due(
        SPOKEN,
        {"policy": "vllm", "parameters": {"truncate_prompt_tokens": 40}},
        {"parameters": {"truncate_prompt_tokens": 0}},
    ),
    policy_kinds.CONTEXT_SHIFTED: Due(
        SPOKEN,
        {"policy": "llamacpp", "parameters": {"n_ctx": 150, "context_shift": True, "reply_tokens": 50}},
        {"parameters": {"n_ctx": 400}},
    ),
    kinds.COMPACTED: Due(
        SPOKEN,
        {"policy": "open_webui", "parameters": {"token_threshold": 50}},
        {"parameters": {"token_threshold": 500}},
    ),
    policy_kinds.SERVER_DROPS: Due(
        SPOKEN,
        {"policy": "naive", "server": "ollama", "server_context": 100},
        {"server_context": 400},
    ),
    policy_kinds.SERVER_REFUSES: Due(
        SPOKEN,
        {"policy": "naive", "server": "llamacpp", "server_context": 100},
        {"server_context": 400},
    ),
}

DUE = {
    kinds.SECRET_MASKED: Due(WITH_SECRET, {}, {"excluded": ("m0",)}),
    kinds.MUST_SURVIVE_DROPPED: Due(FITTING, {"excluded": ("m0",)}, {"excluded": ()}, marks=Marks((ItemKey("m0"),))),
    **GENERAL,
    **RATIO,
    **ADAPTIVE,
    **RESERVE,
    **WINDOW_RAG,
    **SLOTS,
    **PROGRAMS,
}
