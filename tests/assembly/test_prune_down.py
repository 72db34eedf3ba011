"""Prune-down: for every policy, what is dropped as its budget shrinks token by token to zero, worked out by hand.

Each case is a table of steps (budget, what is dropped from here down). Costs are words: nova 4, k0 5, k1 4, k2 3, l0 3,
m0 4, m1 3, m2 5, m3 2, m4 6, m5 1, m6 3; m6 is the current message. Before m2, m4 and m6 a session has 7, 14 and 21, with
them 12, 20 and 24. Of the session with tools the results are r1 6, r2 3, r3 5, and everything is 30.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from building import answer_to, chat, decisions, memories, words, workspace

from inspector.model import Call, Character, Component, Lorebook, LoreEntry, Message, Result, Text, Workspace
from inspector.plugins import policies

TALK = chat(4, 3, 5, 2, 6, 1, 3)
NOVA = Character("nova", system_prompt="be kind and brief")
LORE = Lorebook("book", (LoreEntry("l0", "it is old", constant=True),))
FULL = workspace(TALK, memories(5, 4, 3), NOVA, lorebooks=(LORE,))
MESSAGES = workspace(TALK, character=NOVA)
PARTS = workspace(
    TALK,
    character=Character(
        "nova",
        system_prompt=NOVA.system_prompt,
        components=(
            Component("c0", "rule", words(3), 0),
            Component("c1", "hint", words(4), 5),
            Component("c2", "fact", words(2), 1),
        ),
    ),
)
SESSION = workspace(TALK)
TOOLS = workspace(
    [
        Message("m0", "user", words(4)),
        Message("m1", "assistant", parts=(Text(words(2)), Call("t1", "look"), Call("t2", "look"))),
        Message("r1", "tool", parts=(Result("t1", "look", words(6)),)),
        Message("r2", "tool", parts=(Result("t2", "look", words(3)),)),
        Message("m2", "assistant", parts=(Text(words(1)), Call("t3", "look"))),
        Message("r3", "tool", parts=(Result("t3", "look", words(5)),)),
        Message("m3", "assistant", words(2)),
        Message("m4", "user", words(3)),
        Message("m5", "assistant", words(1)),
        Message("m6", "user", words(2)),
        Message("m7", "assistant", words(1)),
    ]
)
WINDOW = "context_window"
GIVES_WAY = ("compacted", "cleared", "notice")
"""Reasons for which another text stands in the place of an item."""
ALL_BUT_NEWEST = "m0 m1 m2 m3 m4 m5"


@dataclass(frozen=True)
class Pruning:
    """A policy, what of it shrinks (the window or a parameter) with everything else as it is, and the steps."""

    policy: str
    shrinks: str
    sample: Workspace
    steps: tuple[tuple[int, str], ...]
    fixed: Mapping[str, Any] = field(default_factory=dict)

    def lost(self, budget: int) -> str:
        """What is dropped, told by a summary or cleared with this budget, or the error."""
        scenario: dict[str, Any] = {WINDOW: 1000, "parameters": dict(self.fixed)}
        holder = scenario if self.shrinks == WINDOW else scenario["parameters"]
        holder[self.shrinks] = budget
        # A query that is like nothing here, so that only the memories have a similarity, the recorded one.
        answer = answer_to(self.sample, policy=self.policy, query="zebra", **scenario)
        if answer.assembly.error is not None:
            return answer.assembly.error.code
        found = decisions(answer).items()
        return " ".join(name for name, (action, _, reason) in found if action == "dropped" or reason in GIVES_WAY)


RESERVE = {"response_ratio": 0.0, "response_min": 0, "safety_ratio": 0.0, "count_overhead": False}
PLAIN = {"message_overhead": 0, "reply_overhead": 0}
BRIEF = {"summary_size": 2}
SLOTS = {"system_slot": 4, "profile_slot": 0, "history_slot": 21, "response_slot": 0}
CASES = {
    "naive": Pruning("naive", WINDOW, FULL, ((60, ""),)),  # everything stays, whatever the window is
    # Available is the window without nova; history gets .4 of it, floored, memories and then lore .3.
    "ratio": Pruning(
        "ratio",
        WINDOW,
        FULL,
        (
            (70, ""),
            (63, "m0"),
            (53, "l0 m0 m1"),
            (46, "l0 m0 m1 m2"),
            (43, "k2 l0 m0 m1 m2"),
            (33, "k1 k2 m0 m1 m2 m3"),  # the misfit k1 stops the memories and leaves room for the lore again
            (30, "k1 k2 l0 m0 m1 m2 m3"),
            (28, "k1 k2 l0 m0 m1 m2 m3 m4"),
            (20, "k0 k1 k2 m0 m1 m2 m3 m4"),  # and so does k0
            (13, "k0 k1 k2 l0 m0 m1 m2 m3 m4 m5"),  # the newest exchange, m6, stays to the end
        ),
        {"min_exchanges": 1, "system_overflow": "ignore"},
    ),
    # An error is the whole answer: with the default overflow nova may take a quarter of the window, 4 of 16.
    "ratio, refusing": Pruning(
        "ratio", WINDOW, MESSAGES, ((70, ""), (15, "system_prompt_too_large")), {"min_exchanges": 4}
    ),
    # The system message takes 19 beside the messages; the two newest stay, older misfits are skipped.
    "adaptive, max_tokens": Pruning(
        "adaptive",
        "max_tokens",
        FULL,
        (
            (50, ""),
            (42, "m0"),
            (38, "m0 m1"),
            (35, "m0 m2"),  # the misfit m2 (5) leaves room for m1 (3), which comes back
            (33, "m0 m1 m2"),
            (30, "m0 m1 m2 m3"),
            (28, "m0 m2 m4"),  # without m4 (6) both m3 and m1 fit again
            (27, "m0 m1 m2 m4"),
            (24, "m0 m1 m2 m3 m4"),
            (16, "l0 m0 m1 m2 m3 m4"),  # from 19 on the emergency cuts the system message at its end, lore first
            (13, "k2 l0 m0 m1 m2 m3 m4"),
            (9, "k1 k2 l0 m0 m1 m2 m3 m4"),
            (4, "k0 k1 k2 l0 m0 m1 m2 m3 m4"),
            (0, "nova k0 k1 k2 l0 m0 m1 m2 m3 m4"),  # of nova something is left down to its last token
        ),
    ),
    # nova is required and stays at 0; the optional components are skip-packed by priority and similarity.
    "adaptive, system_budget": Pruning(
        "adaptive",
        "system_budget",
        FULL,
        (
            (20, ""),
            (18, "l0"),
            (15, "k2 l0"),
            (12, "k1 l0"),  # k1 (4) misses by one, so that k2 (3) fits
            (11, "k1 k2 l0"),
            (8, "k0 k2 l0"),  # k0 (5) misses by one, so that k1 (4) fits
            (7, "k0 k1 l0"),
            (6, "k0 k1 k2 l0"),
        ),
    ),
    # The memory limit is the window without nova and all messages, 28; lore has what the memories leave.
    "reserve, skip": Pruning(
        "reserve",
        WINDOW,
        FULL,
        (
            (50, ""),
            (42, "l0"),
            (39, "k2 l0"),
            (36, "k1 l0"),
            (35, "k1 k2 l0"),
            (32, "k0 k2 l0"),
            (31, "k0 k1 l0"),
            (30, "k0 k1 k2 l0"),  # directive and messages stay in full, over any window
        ),
        RESERVE,
    ),
    "reserve, stop": Pruning(
        "reserve",
        WINDOW,
        FULL,
        (
            (50, ""),
            (42, "l0"),
            (39, "k2 l0"),
            (36, "k1 k2"),  # after the misfit k1 nothing is looked at but the lore, which fits
            (35, "k1 k2 l0"),
            (32, "k0 k1 k2"),
            (30, "k0 k1 k2 l0"),
        ),
        {**RESERVE, "pack": "stop"},
    ),
    "reserve, knapsack": Pruning(
        "reserve",
        WINDOW,
        FULL,
        (
            (50, ""),
            (42, "l0"),
            (39, "k2 l0"),
            (36, "k1 l0"),
            (35, "k0 l0"),  # k1 and k2 together (7) are worth more than k0 alone, which `skip` takes here
            (34, "k1 k2 l0"),
            (32, "k0 k2 l0"),
            (31, "k0 k1 l0"),
            (30, "k0 k1 k2 l0"),
        ),
        {**RESERVE, "pack": "knapsack"},
    ),
    # Everything is 43. The last check takes chunks from the lowest score up, then history down to the tail.
    "window_rag, oldest": Pruning(
        "window_rag",
        WINDOW,
        FULL,
        (
            (50, ""),
            (42, "l0"),
            (39, "k2 l0"),
            (36, "k1 k2 l0"),
            (32, "k0 k1 k2 l0"),
            (27, "k0 k1 k2 l0 m0"),
            (23, "k0 k1 k2 l0 m0 m1"),
            (20, "k0 k1 k2 l0 m0 m1 m2"),
            (15, "k0 k1 k2 l0 m0 m1 m2 m3"),
            (13, "request_too_large"),  # nova, the tail m4 m5 and the current m6 are 14
        ),
        {"min_tail": 2},
    ),
    "window_rag, middle_out": Pruning(
        "window_rag",
        WINDOW,
        FULL,
        (
            (50, ""),
            (42, "l0"),
            (39, "k2 l0"),
            (36, "k1 k2 l0"),
            (32, "k0 k1 k2 l0"),
            (27, "k0 k1 k2 l0 m3"),  # from just before the tail backwards, the first message last
            (25, "k0 k1 k2 l0 m2 m3"),
            (20, "k0 k1 k2 l0 m1 m2 m3"),
            (17, "k0 k1 k2 l0 m0 m1 m2 m3"),
            (13, "request_too_large"),
        ),
        {"min_tail": 2, "trim": "middle_out"},
    ),
    # History keeps m4 and m5 (7); the older ones are chunks behind memories and lore, as like the query as the lore.
    "window_rag, rag_budget": Pruning(
        "window_rag",
        "rag_budget",
        FULL,
        (
            (40, ""),  # all four lost messages came back
            (28, "m3"),  # equal scores keep file order, so that the newest of them goes first
            (26, "m2 m3"),
            (21, "m1 m2 m3"),
            (18, "m0 m1 m2 m3"),
            (14, "l0 m0 m1 m2 m3"),
            (11, "k2 l0 m0 m1 m2 m3"),
            (8, "k1 k2 l0 m0 m1 m2 m3"),
            (4, "k0 k1 k2 l0 m0 m1 m2 m3"),
        ),
        {"history_budget": 7},
    ),
    # The memory limit is the window without the slots of system and history, 25; the mark of a line costs a word.
    "slots, window": Pruning(
        "slots",
        WINDOW,
        FULL,
        (
            (50, ""),
            (42, "l0"),
            (39, "k2"),  # the misfit k2 leaves 3, which is what the lore needs
            (38, "k2 l0"),
            (35, "k1 k2"),
            (33, "k1 k2 l0"),
            (30, "k0 k1 k2"),
            (27, "k0 k1 k2 l0"),  # the history has its slot and the system text its place at any window
        ),
        SLOTS,
    ),
    "slots, history_slot": Pruning(
        "slots",
        "history_slot",
        FULL,
        (
            (30, ""),
            (20, "m0"),
            (16, "m0 m1"),
            (13, "m0 m1 m2"),
            (8, "m0 m1 m2 m3"),
            (6, "m0 m1 m2 m3 m4"),
            (0, ALL_BUT_NEWEST),  # m6 is the current message and in no slot
        ),
        {name: size for name, size in SLOTS.items() if name != "history_slot"},
    ),
    # Each message is charged 3 more than its content: nova 7, m0 7, m1 6, m2 8, m3 5, m4 9, m5 4, m6 6.
    "langchain_trim, last": Pruning(
        "langchain_trim",
        "max_tokens",
        MESSAGES,
        (
            (60, ""),
            (51, "m0"),
            (44, "m0 m1"),
            (38, "m0 m1 m2"),
            (30, "m0 m1 m2 m3"),
            (25, "m0 m1 m2 m3 m4"),
            (16, ALL_BUT_NEWEST),
            (12, "m0 m1 m2 m3 m4 m5 m6"),  # the library puts the system message back, even where it is over the limit
        ),
    ),
    "langchain_trim, from a user message": Pruning(
        "langchain_trim",
        "max_tokens",
        MESSAGES,
        (
            (60, ""),
            (51, "m0 m1"),  # m1 would fit, but is no user message
            (38, "m0 m1 m2 m3"),
            (25, ALL_BUT_NEWEST),
            (12, "m0 m1 m2 m3 m4 m5 m6"),
        ),
        {"start_on": "user"},
    ),
    "langchain_trim, first": Pruning(
        "langchain_trim",
        "max_tokens",
        MESSAGES,
        (
            (60, ""),
            (51, "m6"),
            (45, "m5 m6"),
            (41, "m4 m5 m6"),
            (32, "m3 m4 m5 m6"),
            (27, "m2 m3 m4 m5 m6"),
            (19, "m1 m2 m3 m4 m5 m6"),
            (13, "m0 m1 m2 m3 m4 m5 m6"),
            (6, "nova m0 m1 m2 m3 m4 m5 m6"),  # `include_system` belongs to `last`: here nova goes like any message
        ),
        {"strategy": "first"},
    ),
    # What is kept may not begin with a reply, so two messages go at a time; the system prompt is the oldest message.
    "llamaindex_buffer": Pruning(
        "llamaindex_buffer",
        "token_limit",
        MESSAGES,
        (
            (30, ""),
            (27, "nova"),
            (23, "nova m0 m1"),
            (16, "nova m0 m1 m2 m3"),
            (9, "nova m0 m1 m2 m3 m4 m5"),  # the newest message stays whatever it costs
            (0, "invalid_parameter"),  # the library refuses a limit of 0
        ),
    ),
    # The budget is a number of messages, and nova takes one place of it.
    "semantic_kernel_truncation": Pruning(
        "semantic_kernel_truncation",
        "target_count",
        MESSAGES,
        (
            (9, ""),
            (7, "m0"),
            (6, "m0 m1"),
            (5, "m0 m1 m2"),
            (4, "m0 m1 m2 m3"),
            (3, "m0 m1 m2 m3 m4"),
            (2, ALL_BUT_NEWEST),
            (1, "m0 m1 m2 m3 m4 m5 m6"),
            (0, "invalid_parameter"),
        ),
    ),
    "semantic_kernel_truncation, with a threshold": Pruning(
        "semantic_kernel_truncation",
        "target_count",
        MESSAGES,
        (
            (9, ""),
            (6, "m0 m1"),  # one more than the target is let be; the cut falls on a user message where one is near
            (4, "m0 m1 m2 m3"),
            (2, ALL_BUT_NEWEST),
            (1, "m0 m1 m2 m3 m4 m5 m6"),
            (0, "invalid_parameter"),
        ),
        {"threshold_count": 1},
    ),
    # Highest number first, of these the oldest; c0 has the number 0 and nova none, which is 0 too. All are 37.
    "priority": Pruning(
        "priority",
        "token_limit",
        PARTS,
        (
            (40, ""),
            (36, "c1"),
            (32, "c1 c2"),  # c2 has the number of the messages and stands before them
            (30, "c1 c2 m0"),
            (26, "c1 c2 m0 m1"),
            (23, "c1 c2 m0 m1 m2"),
            (18, "c1 c2 m0 m1 m2 m3"),
            (16, "c1 c2 m0 m1 m2 m3 m4"),
            (10, "c1 c2 m0 m1 m2 m3 m4 m5"),
            (9, "c1 c2 m0 m1 m2 m3 m4 m5 m6"),
            (6, "request_too_large"),  # nova and c0 are 7
            (0, "invalid_parameter"),
        ),
    ),
    "priority, ten at a time": Pruning(
        "priority",
        "token_limit",
        PARTS,
        (
            (40, ""),
            (36, "c1 c2 m0"),  # 1 to 10 tokens over take 10 away, 11 to 20 take 20
            (26, "c1 c2 m0 m1 m2 m3"),
            (16, "c1 c2 m0 m1 m2 m3 m4 m5 m6"),
            (6, "request_too_large"),
            (0, "invalid_parameter"),
        ),
        {"truncation_step": 10},
    ),
    # Everything is 28: nova 4, m0 4, m1 3, m2 5, m3 2, m4 6, m5 1, m6 3; no program formats anything here.
    "sillytavern": Pruning(
        "sillytavern",
        "context_size",
        MESSAGES,
        (
            (40, ""),
            (27, "m0"),
            (23, "m0 m1"),
            (20, "m0 m1 m2"),
            (15, "m0 m1 m2 m3"),
            (13, "m0 m1 m2 m3 m4"),
            (7, "m0 m1 m2 m3 m4 m5"),
            (6, "m0 m1 m2 m3 m4 m5 m6"),
            (3, "nova m0 m1 m2 m3 m4 m5 m6"),  # not even the fixed prompt fits
            (0, ""),  # 0 is the window
        ),
        {"response_length": 0, "message_overhead": 0, "reply_priming": 0, "new_chat_prompt": ""},
    ),
    "sillytavern_text": Pruning(
        "sillytavern_text",
        "context_size",
        MESSAGES,
        (
            (40, ""),
            (28, "m0"),  # strictly below the limit
            (24, "m0 m1"),
            (21, "m0 m1 m2"),
            (16, "m0 m1 m2 m3"),
            (14, "m0 m1 m2 m3 m4"),
            (8, "m0 m1 m2 m3 m4 m5"),
            (7, "m0 m1 m2 m3 m4 m5 m6"),  # the fixed text is sent in any case
            (0, "invalid_parameter"),
        ),
        {"response_length": 0, "message_overhead": 0, "token_padding": 0, "fixed_overhead": 0},
    ),
    "ollama": Pruning(
        "ollama",
        "num_ctx",
        MESSAGES,
        (
            (40, ""),
            (28, "m0 m1 m2"),  # fits, so that nothing is dropped, and then half of what is not kept is cut: 12
            (27, "m0"),
            (24, "m0 m1 m2 m3"),  # again as long as the context: 10 of the rest are cut, the first of m4, too
            (23, "m0 m1"),
            (21, "m0 m1 m2 m3"),
            (20, "m0 m1 m2"),
            (16, "m0 m1 m2 m3"),
            (13, "m0 m1 m2 m3 m4"),
            (8, "m0 m1 m2 m3 m4 m5"),
            (5, "m0 m1 m2 m3 m4 m5 m6"),
            (1, "nova m0 m1 m2 m3 m4 m5 m6"),
            (0, "invalid_parameter"),
        ),
        PLAIN,
    ),
    "llamacpp": Pruning(
        "llamacpp",
        "n_ctx",
        MESSAGES,
        (
            (40, ""),
            (28, "request_too_large"),  # a prompt as long as the context
            (0, "invalid_parameter"),
        ),
        PLAIN,
    ),
    "llamacpp, shifted": Pruning(
        "llamacpp",
        "n_ctx",
        MESSAGES,
        (
            (60, ""),
            (47, "nova m0 m1 m2 m3"),  # 46 tokens are stored: the first 23 go
            (36, "nova m0 m1 m2"),  # 35: 17
            (32, "nova m0 m1 m2 m3 m4 m5 m6"),  # shifted more than once
            (28, "request_too_large"),
            (0, "invalid_parameter"),
        ),
        {**PLAIN, "context_shift": True, "reply_tokens": 20},
    ),
    "text_generation_webui": Pruning(
        "text_generation_webui",
        "truncation_length",
        MESSAGES,
        (
            (40, ""),
            (27, "m0"),
            (23, "m0 m1"),
            (20, "m0 m1 m2"),
            (15, "m0 m1 m2 m3"),
            (13, "m0 m1 m2 m3 m4"),
            (7, "m0 m1 m2 m3 m4 m5"),
            (4, "m0 m1 m2 m3 m4 m5 m6"),  # nothing is left of m6, which is cut below 7
            (3, "request_too_large"),
            (0, "invalid_parameter"),
        ),
        {**PLAIN, "max_new_tokens": 0},
    ),
    "koboldcpp": Pruning(
        "koboldcpp",
        "context_size",
        MESSAGES,
        (
            (60, ""),
            (40, "m0"),  # 24 beside the reply
            (37, "m0 m1"),
            (32, "m0 m1 m2"),
            (18, "m0 m1 m2 m3"),  # from 19 on the reply gets less: 16 tokens for the prompt
            (12, "m0 m1 m2 m3 m4"),  # the reply keeps 4
            (8, "nova m0 m1 m2 m3 m4"),  # memory leaves 4 tokens free
            (7, "invalid_parameter"),
        ),
        {**PLAIN, "max_length": 16, "add_bos": False},
    ),
    "open_webui": Pruning(
        "open_webui",
        "token_threshold",
        MESSAGES,
        (
            (40, ""),
            (27, "m0 m1 m2 m3"),  # 7 messages, of which 2 stay, cut at the user's message m4
            (0, "invalid_parameter"),
        ),
        {"message_overhead": 0},
    ),
    "librechat": Pruning(
        "librechat",
        "max_context_tokens",
        MESSAGES,
        (
            (40, ""),
            (27, "m0"),
            (23, "m0 m1"),
            (20, "m0 m1 m2"),
            (15, "m0 m1 m2 m3"),
            (13, "m0 m1 m2 m3 m4"),
            (7, "m0 m1 m2 m3 m4 m5"),
            (6, "request_too_large"),  # no message is left
            (0, ""),  # 0 is the window, and at least 1,024
        ),
        {"message_overhead": 0, "reply_priming": 0, "reserve_ratio": 0.0},
    ),
    "jan": Pruning(
        "jan",
        "max_context_tokens",
        MESSAGES,
        (
            (40, ""),
            (27, "m0"),
            (23, "m0 m1"),
            (20, "m0 m1 m2"),
            (15, "m0 m1 m2 m3"),
            (13, "m0 m1 m2 m3 m4"),
            (7, "m0 m1 m2 m3 m4 m5"),
            (0, ""),  # the newest message stays; 0 is no limit
        ),
        {"message_overhead": 0, "max_output_tokens": 0},
    ),
    "vllm": Pruning(
        "vllm",
        "max_model_len",
        MESSAGES,
        (
            (40, ""),
            (24, "nova"),  # the last tokens, whatever they are
            (20, "nova m0"),
            (17, "nova m0 m1"),
            (12, "nova m0 m1 m2"),
            (10, "nova m0 m1 m2 m3"),
            (4, "nova m0 m1 m2 m3 m4"),
            (3, "nova m0 m1 m2 m3 m4 m5"),
            (0, "invalid_parameter"),
        ),
        {**PLAIN, "truncate_prompt_tokens": -1},
    ),
    # It looks before m2, m4 and m6 without them, at nine tenths of the window; charges are 2, 3 and 3 for m0, m2 and m4.
    "codex_compact": Pruning(
        "codex_compact",
        WINDOW,
        SESSION,
        (
            (30, ""),
            (24, "m0 m1 m3 m5"),  # 5 tokens are m4 and a part of m2
        ),
        {**BRIEF, "user_message_tokens": 5},
    ),
    "codex_compact, user messages": Pruning(
        "codex_compact",
        "user_message_tokens",
        SESSION,
        (
            (12, "m1 m3 m5"),
            (6, "m0 m1 m3 m5"),  # with 7 there was a part of m0
            (3, "m0 m1 m2 m3 m5"),
            (0, ALL_BUT_NEWEST),
        ),
        {**BRIEF, "auto_compact_limit": 20},
    ),
    # The last answer does not count: 4, 12 and 20 before m2, m4 and m6. No message of the user begins the last third.
    "gemini_compress": Pruning(
        "gemini_compress",
        WINDOW,
        SESSION,
        (
            (25, ""),
            (20, ALL_BUT_NEWEST),
            (12, "m0 m1 m2 m3"),  # before m4; then m4 and m5 are too few for another one
            (4, ""),  # the acknowledgement alone is more than m0, so that no summary is tried any more
        ),
        {"summary_size": 0, "threshold": 1.0},
    ),
    # It looks at four fifths of the window; m1 is a notice of a token from the first cut on.
    "cline_truncate": Pruning(
        "cline_truncate",
        WINDOW,
        SESSION,
        (
            (30, ""),
            (26, "m1 m2 m3"),
            (6, "m1 m2 m3 m4 m5"),  # 12 before m4 are more than twice what is allowed, so that more is cut there
        ),
        {"notice": "w"},
    ),
    # It looks at nine tenths, and its aim is seven tenths of that: the tail is 8, and 4 and 3 at last.
    "cline_compact": Pruning(
        "cline_compact",
        "max_input_tokens",
        SESSION,
        (
            (30, ""),
            (26, "m0 m1 m2 m3"),
            (22, "m0 m1 m2"),  # before m4 is sent, of which the 8 newest are m3 and m4
            (15, "m0 m1 m2 m3"),
            (7, "m0 m1 m2 m3 m4"),
            (6, ALL_BUT_NEWEST),
            (0, ""),  # 0 is unknown: nine tenths of the window
        ),
        {**BRIEF, "preserve_recent_tokens": 8},
    ),
    # Everything is told, m6 too, unless the last compaction was before it: the summary, m5 and m6 are 6.
    "roo_context": Pruning(
        "roo_context",
        WINDOW,
        SESSION,
        (
            (30, ""),
            (26, "m0 m1 m2 m3 m4 m5 m6"),
            (22, "m0 m1 m2 m3 m4"),
            (13, "m0 m1 m2 m3 m4 m5 m6"),  # with m2, and then with m6: 14
            (11, "m0 m1 m2 m3 m4"),  # with m2, then with m4: 10
            (6, "m0 m1 m2 m3 m4 m5 m6"),
        ),
        {**BRIEF, "max_tokens": 0},
    ),
    "roo_context, hiding": Pruning(
        "roo_context",
        WINDOW,
        SESSION,
        (
            (30, ""),
            (26, "m1 m2"),
            (22, "m1 m2 m3 m4"),  # the marker of the first two has 9 tokens itself
        ),
        {"max_tokens": 0, "auto_condense": False},
    ),
    # It measures up to the newest answer: 7, 14 and 21. Of the oldest turn that does not fit the last answer may stay.
    "opencode_compact": Pruning(
        "opencode_compact",
        WINDOW,
        SESSION,
        (
            (30, ""),
            (21, "m0 m1 m2 m3 m4"),
            (14, "m0 m1 m2"),  # before m4 is sent; the summary, m3, m4 and m5 are 11
            (11, "m0 m1 m2 m3 m4"),
            (0, ""),  # a window of 0 is an unknown one
        ),
        {**BRIEF, "max_output": 0, "preserve_recent_tokens": 8},
    ),
    "opencode_compact, results": Pruning(
        "opencode_compact",
        "prune_protect",
        TOOLS,
        (
            (20, ""),
            (13, "r1"),
            (7, "r1 r2"),
            (4, "r1 r2 r3"),
        ),
        {"max_output": 0, "prune": True, "prune_minimum": 0},
    ),
    "anthropic_context_editing": Pruning(
        "anthropic_context_editing", "trigger_input_tokens", TOOLS, ((40, ""), (29, "r1 r2")), {"keep": 1}
    ),
    "anthropic_context_editing, keep": Pruning(
        "anthropic_context_editing",
        "keep",
        TOOLS,
        ((4, ""), (2, "r1"), (1, "r1 r2"), (0, "r1 r2 r3")),
        {"trigger_input_tokens": 29},
    ),
    # As Roo Code's with everything, but at the limit itself nothing happens.
    "anthropic_compaction": Pruning(
        "anthropic_compaction",
        "trigger",
        SESSION,
        (
            (30, ""),
            (23, "m0 m1 m2 m3 m4 m5 m6"),
            (19, "m0 m1 m2 m3 m4"),
            (11, "m0 m1 m2 m3 m4 m5 m6"),
            (9, "m0 m1 m2 m3 m4"),
            (5, "m0 m1 m2 m3 m4 m5 m6"),
        ),
        BRIEF,
    ),
    # Events, not tokens: 1, 3, 5 and 7 at the requests.
    "openhands_condenser, recent": Pruning(
        "openhands_condenser",
        "max_size",
        SESSION,
        (
            (9, ""),
            (6, "m1"),
            (5, "m1 m2"),
            (4, "m1 m2 m3"),
            (3, "m1 m2 m3 m4"),
            (2, "m1 m2 m3 m4 m5"),
            (1, "m1 m2 m3 m4 m5 m6"),
            (0, "invalid_parameter"),
        ),
        {"condenser": "recent"},
    ),
    "openhands_condenser, amortized": Pruning(
        "openhands_condenser",
        "max_size",
        SESSION,
        (
            (9, ""),
            (6, "m1 m2 m3 m4"),  # half is 3
            (5, "m1 m2 m3 m4 m5"),
            (4, "m1 m2 m3"),  # with m4; then four are left
            (3, "invalid_parameter"),  # the first event is half
        ),
        {"condenser": "amortized"},
    ),
    "openhands_condenser, summarizing": Pruning(
        "openhands_condenser",
        "max_size",
        SESSION,
        (
            (9, ""),
            (6, "m0 m1 m2 m3 m4"),
            (5, ALL_BUT_NEWEST),
            (4, "m0 m1 m2 m3"),
            (3, "invalid_parameter"),
        ),
        {**BRIEF, "keep_first": 0},
    ),
    # Finished exchanges only: 7, 14 and 21 after m1, m3 and m5. Four messages and fewer are told together.
    "aider_summary": Pruning(
        "aider_summary",
        "max_tokens",
        SESSION,
        (
            (30, ""),
            (20, ALL_BUT_NEWEST),
            (13, "m0 m1 m2 m3"),  # after m3; the summary, the answer to it, m4 and m5 are 10
            (9, ALL_BUT_NEWEST),
            (0, ""),  # by the window, and at least 1,024
        ),
        BRIEF,
    ),
    # A fiftieth of the window stays free, and the rest is nova, m6 and the others, which are 21.
    "continue_prune": Pruning(
        "continue_prune",
        WINDOW,
        MESSAGES,
        (
            (40, ""),
            (28, "m0"),
            (24, "m0 m1"),
            (21, "m0 m1 m2"),
            (16, "m0 m1 m2 m3"),
            (14, "m0 m1 m2 m3 m4"),
            (8, ALL_BUT_NEWEST),
            (7, "request_too_large"),
        ),
        {"max_tokens": 0},
    ),
    "langchain_summarize, trigger": Pruning(
        "langchain_summarize",
        "trigger_tokens",
        SESSION,
        (
            (30, ""),
            (24, "m0 m1 m2 m3"),
            (20, "m0 m1"),  # with m4; the summary and m2 to m6 are 19
            (19, "m0 m1 m2 m3"),
        ),
        {**BRIEF, "trigger_kind": "tokens", "keep_messages": 3},
    ),
    "langchain_summarize, keep": Pruning(
        "langchain_summarize",
        "keep_tokens",
        SESSION,
        (
            (30, ""),
            (23, "m0"),
            (19, "m0 m1"),
            (16, "m0 m1 m2"),
            (11, "m0 m1 m2 m3"),
            (9, "m0 m1 m2 m3 m4"),
            (3, ALL_BUT_NEWEST),  # the last message stays where it does not fit
        ),
        {**BRIEF, "trigger_kind": "tokens", "trigger_tokens": 24, "keep_kind": "tokens"},
    ),
    "langchain_clear_tools": Pruning(
        "langchain_clear_tools", "trigger", TOOLS, ((40, ""), (29, "r1")), {"keep": 0, "clear_at_least": 1}
    ),
    # A placeholder has one token, so that 5, 2 and 4 are gained.
    "langchain_clear_tools, enough": Pruning(
        "langchain_clear_tools",
        "clear_at_least",
        TOOLS,
        (
            (30, "r1 r2 r3"),
            (7, "r1 r2"),
            (5, "r1"),
            (0, "r1 r2 r3"),  # 0 is all
        ),
        {"keep": 0, "trigger": 20},
    ),
    # What stays may not begin with a reply, and the summary costs 2 more once it is there.
    "llamaindex_summary_buffer": Pruning(
        "llamaindex_summary_buffer",
        "token_limit",
        SESSION,
        (
            (30, ""),
            (23, "m0 m1"),
            (16, "m0 m1 m2 m3"),
            (9, ALL_BUT_NEWEST),
            (2, "m0 m1 m2 m3 m4 m5 m6"),
        ),
        BRIEF,
    ),
    # The summary is not among the messages that are counted off from the end.
    "semantic_kernel_summarization": Pruning(
        "semantic_kernel_summarization",
        "target_count",
        SESSION,
        (
            (9, ""),
            (6, "m0"),
            (5, "m0 m1"),
            (4, "m0 m1 m2"),
            (3, "m0 m1 m2 m3"),
            (2, "m0 m1 m2 m3 m4"),
            (1, ALL_BUT_NEWEST),
            (0, "invalid_parameter"),
        ),
        BRIEF,
    ),
    "letta_buffer, limit": Pruning(
        "letta_buffer", "buffer_limit", SESSION, ((9, ""), (6, "m1 m2 m3"), (0, "invalid_parameter")), {"buffer_min": 3}
    ),
    # m0 is taken for the system's, and what stays after it begins with a message of the user.
    "letta_buffer, newest": Pruning(
        "letta_buffer",
        "buffer_min",
        SESSION,
        (
            (9, "m1"),
            (4, "m1 m2 m3"),
            (2, "m1 m2 m3 m4 m5"),
            (0, "m1 m2 m3 m4 m5 m6"),
        ),
        {"buffer_limit": 4},
    ),
    "letta_buffer, share": Pruning(
        "letta_buffer", WINDOW, SESSION, ((30, ""), (23, "m1 m2 m3 m4")), {**BRIEF, "mode": "partial_evict"}
    ),
    # What is left has to be below seven tenths of the window: 16 from m3 on, 8 from m5 on.
    "letta_buffer, sliding": Pruning(
        "letta_buffer",
        WINDOW,
        SESSION,
        (
            (30, ""),
            (26, "m1 m2"),
            (22, "m1 m2 m3 m4"),
            (11, "m1 m2 m3 m4 m5 m6"),
        ),
        {**BRIEF, "mode": "sliding_window"},
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_shrinking_the_budget_drops_in_this_sequence(case: Pruning) -> None:
    found: list[tuple[int, str]] = []
    for budget in range(case.steps[0][0], -1, -1):
        lost = case.lost(budget)
        if not found or found[-1][1] != lost:
            found.append((budget, lost))
    assert tuple(found) == case.steps


def test_every_policy_is_pruned_down() -> None:
    assert {case.policy for case in CASES.values()} == set(policies()[0])
