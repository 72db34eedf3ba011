"""Findings of reserve, and of what the published ibex-harness makes of it."""

from inspector.assembly.finding_kinds.kind import FindingKind

CONSTRAINED = FindingKind(
    "constrained",
    "warning",
    "The conversation, the reply and the margin leave little for memories.",
    "Lower response_ratio, response_min or safety_ratio, take a larger window, or exclude old messages: this policy "
    "never cuts the conversation.",
)
KNAPSACK_GREEDY = FindingKind(
    "knapsack_greedy",
    "info",
    "There are too many memories to look for the best set, so those with the most score per token go first.",
    "The set taken is close to the best. For the best one itself exclude memories, or take a smaller window.",
)
GREEDY_FALLBACK = FindingKind(
    "greedy_fallback",
    "info",
    "There are too many memories for this system's search, so the best scores go first until too many do not fit.",
    "Raise dp_cell_ceiling, or max_consecutive_skips so that shorter memories further down still get in.",
)
BUCKET_ROUNDING = FindingKind(
    "bucket_rounding",
    "info",
    "Memories are weighed in steps of 16 tokens, so the set that looked best had to be changed.",
    "Compare with pack=knapsack, which counts every token.",
)
CUT_UNRANKED = FindingKind(
    "cut_unranked",
    "warning",
    "Only the first memories of the file were ranked, and better ones come after them.",
    "Raise memory_candidates, or set it to 0 to rank them all.",
)
