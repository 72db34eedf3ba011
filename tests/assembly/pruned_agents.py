"""Prune-down of the policies of coding agents and frameworks, worked out by hand; `test_prune_down` tries it.

Costs are those of `pruning`. Before m2, m4 and m6 a session has 7, 14 and 21, with them 12, 20 and 24. Of the session
with tools the results are r1 6, r2 3, r3 5, and everything is 30.
"""

from building import words, workspace
from pruning import ALL_BUT_NEWEST, MESSAGES, TALK, WINDOW, Pruning

from inspector.model import Call, Message, Result, Text

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
BRIEF = {"summary_size": 2}
AGENTS = {
    # It looks before m2, m4 and m6 without them, at nine tenths of the window. Charges of m0, m2 and m4 are 2, 3 and 3.
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
    # As with Roo Code, but at the limit itself nothing happens.
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
"""The cases by name."""
