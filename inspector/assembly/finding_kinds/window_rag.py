"""Findings of window_rag, as the published Sanguine Scribe has it."""

from inspector.assembly.finding_kinds.kind import FindingKind

TWO_TOTALS = FindingKind(
    "two_totals",
    "info",
    "The limit that the last check holds is another one than the total limit.",
    "Set hard_limit and total_limit to the same figure.",
)
FIRST_CHUNK_OVER_BUDGET = FindingKind(
    "first_chunk_over_budget",
    "warning",
    "The best text that was found is kept, although it is longer than what was left for it.",
    "Raise rag_budget (and total_limit, where the conversation took the room), or exclude this text.",
)
TAIL_CUT = FindingKind(
    "tail_cut",
    "warning",
    "Some of the newest messages, which are otherwise safe, had to go as well.",
    "Raise hard_limit, or shorten what never goes: the system prompt, the current message and preamble_tokens.",
)
