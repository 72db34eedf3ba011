"""Prune-down: for every policy, what is dropped as its budget shrinks token by token to zero, worked out by hand.

Each case is a table of steps (budget, what is dropped from here down). Costs are words: nova 4, k0 5, k1 4, k2 3, l0 3,
m0 4, m1 3, m2 5, m3 2, m4 6, m5 1, m6 3; m6 is the current message.
"""

import pytest
from pruned_agents import AGENTS
from pruning import ALL_BUT_NEWEST, FULL, MESSAGES, PARTS, WINDOW, Pruning

from inspector.plugins import policies

RESERVE = {"response_ratio": 0.0, "response_min": 0, "safety_ratio": 0.0, "count_overhead": False}
PLAIN = {"message_overhead": 0, "reply_overhead": 0}
SLOTS = {"system_slot": 4, "profile_slot": 0, "history_slot": 21, "response_slot": 0}
CASES = {
    **AGENTS,
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
