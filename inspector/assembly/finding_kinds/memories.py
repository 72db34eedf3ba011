"""Findings about memories and summaries."""

from inspector.assembly.finding_kinds.kind import FindingKind

EMBEDDING_UNAVAILABLE = FindingKind(
    "embedding_unavailable",
    "info",
    "Texts should be compared by what they mean; no model for that can be had, so their words are compared.",
    "Install the model that is named, choose another one (--embedding), or ask for words with --similarity lexical.",
)
NEAR_DUPLICATE_MEMORIES = FindingKind(
    "near_duplicate_memories",
    "warning",
    "Several memories say nearly the same, and each of them in the prompt takes the room of another one.",
    "Exclude the repeats, or merge them where they are kept.",
)
SUMMARIES_UNAVAILABLE = FindingKind(
    "summaries_unavailable",
    "warning",
    "Summaries were asked for and cannot be made, so the beginning of a message stands in for its summary.",
    "Name a server under summaries in settings.yaml and see that it runs, or set --summaries extractive, which takes "
    "sentences of the message itself.",
)
SUMMARIES_UNUSED = FindingKind(
    "summaries_unused",
    "info",
    "Summaries were asked for, but no message of this prompt is summarized.",
    "With ratio, turn on selective and lower recent_messages (and selective_above, where the preset has it); other "
    "policies summarize nothing. Messages shorter than --summary-tokens stay whole.",
)
COMPUTED_SUMMARIES = FindingKind(
    "computed_summaries",
    "info",
    "The file has no summary of some messages, so computed ones stand in for them.",
    "Read them before you trust them: the tab Summaries and prompt-inspector fidelity say which names, numbers and "
    "dates each of them lost.",
)
SUMMARY_LONGER = FindingKind(
    "summary_longer",
    "info",
    "What stands in for a message costs more than the message itself.",
    "Set only_if_shorter, where the policy has it, so that such messages stay as they are; --summary-tokens makes "
    "computed summaries shorter.",
)
