"""Findings of adaptive, and of what WhisperEngine's published code makes of it."""

from inspector.assembly.finding_kinds.kind import FindingKind

EMERGENCY_TRUNCATION = FindingKind(
    "emergency_truncation",
    "warning",
    "The system message alone takes the whole limit of the prompt, at the cost of the conversation.",
    "Lower system_budget well below max_tokens, so that components go and not the conversation; or shorten the system "
    "prompt, or raise max_tokens.",
)
CURRENT_MESSAGE_LOST = FindingKind(
    "current_message_lost",
    "error",
    "The model will not see the message that it is to answer.",
    "Pin that message; to keep the conversation too, lower system_budget well below max_tokens.",
)
SYSTEM_OVER_STAGE2 = FindingKind(
    "system_over_stage2",
    "warning",
    "The components may grow past the limit of the whole prompt, which then has no room for the conversation.",
    "Set system_budget well below max_tokens; 0 sets no limit at all.",
)
REQUIRED_OVER_BUDGET = FindingKind(
    "required_over_budget",
    "warning",
    "The required components alone cost more than the system message may.",
    "Make fewer components required, shorten them, or raise system_budget.",
)
COMPONENT_CUT = FindingKind(
    "component_cut",
    "warning",
    "A required component lost its middle, because the required ones do not fit together.",
    "Shorten the component, raise system_budget, or set required_overflow=keep, which leaves them all whole.",
)
DUPLICATES_CHARGED = FindingKind(
    "duplicates_charged",
    "warning",
    "Components that repeat another one took up room before they were left out, and something else missed it.",
    "Exclude the repeats (their first 200 characters are the same), or raise system_budget.",
)
