"""Findings of ratio, and of what Chorus Engine's published code makes of it."""

from inspector.assembly.finding_kinds.kind import FindingKind

SYSTEM_PROMPT_TOO_LARGE = FindingKind(
    "system_prompt_too_large",
    "warning",
    "The system prompt takes a larger part of the window than it should.",
    "Shorten the system prompt, take a larger window, or raise system_limit.",
)
NEGATIVE_BUDGET = FindingKind(
    "negative_budget",
    "error",
    "System prompt and documents are larger than the window, so that all other limits are below 0.",
    "Shorten the system prompt, exclude documents, or take a larger window.",
)
UNUSED_LIMIT = FindingKind(
    "unused_limit",
    "warning",
    "Documents cost more than their share, which this system works out and never applies.",
    "Exclude or shorten documents. A larger document_share hides this, and the prompt stays the same.",
)
SUMMARIES_UNLIMITED = FindingKind(
    "summaries_unlimited",
    "warning",
    "A limit of 0 for past conversations is taken for no limit at all.",
    "Set context_share a little above 0, or summary_cap to 0 for none of them.",
)
TRAILING_REMOVED = FindingKind(
    "trailing_removed",
    "warning",
    "The prompt has to end with the user, so messages after the last one of the user were removed.",
    "Raise history_share until all messages fit, since nothing is removed then, or turn off trailing_user.",
)
NEWEST_MESSAGES_LOST = FindingKind(
    "newest_messages_lost",
    "error",
    "Only the oldest messages are read, and the newest, which call for the reply, are lost.",
    "Raise message_limit above the number of messages, or compare with chorus-2026.02, which reads the newest.",
)
CORE_MEMORY_FILTERED_BY_SOURCE = FindingKind(
    "core_memory_filtered_by_source",
    "warning",
    "Core memories that were saved on another platform are left out, although they should hold everywhere.",
    "Pin them, or save them for this platform too.",
)
CHARACTER_WIDE_MEMORY_LOST = FindingKind(
    "character_wide_memory_lost",
    "warning",
    "Memories of no conversation would fit every one, but this system takes them for those of another.",
    "Pin them, give them the thread of this conversation, or make them core memories or facts.",
)
PRIORITY_ZERO = FindingKind(
    "priority_zero",
    "info",
    "A priority of 0 counts as 50, as if the memory had none.",
    "Give the memory a priority of 1, which counts as what it is.",
)
MULTI_SOURCE_MEMORY_IGNORED = FindingKind(
    "multi_source_memory_ignored",
    "info",
    "Messages that a memory comes from are not kept for its sake, because it names several of them.",
    "Pin the messages that have to stay, or mark them as emotional.",
)
