"""Findings of slots, and of what the published brainos-cortex makes of them."""

from inspector.assembly.finding_kinds.kind import FindingKind

SLOT_EXCEEDED = FindingKind(
    "slot_exceeded",
    "warning",
    "The system text or the profile is longer than its slot; it stays whole, and memories get less.",
    "Shorten it, or raise system_slot or profile_slot.",
)
ATTACHMENTS_OVER_SLOT = FindingKind(
    "attachments_over_slot",
    "warning",
    "The attached files together take more than their slot.",
    "Attach fewer or shorter files, raise attachments_slot, or lower attachment_floor_chars, which each file gets at "
    "least; where a text has many tokens for its length, lower chars_per_token.",
)
SYSTEM_CHARGED_TO_MEMORY = FindingKind(
    "system_charged_to_memory",
    "warning",
    "The system message has its slot and is taken from the memories once more, so fewer of them fit.",
    "Shorten the system prompt, lower system_slot and profile_slot, or compare with the preset document, which takes "
    "it once.",
)
NO_ROOM_FOR_MEMORY = FindingKind(
    "no_room_for_memory",
    "warning",
    "The system message alone takes all that was set aside for memories.",
    "Shorten the system prompt, lower system_slot, profile_slot or response_slot, or take a larger window.",
)
NEWEST_MESSAGE_TOO_LONG = FindingKind(
    "newest_message_too_long",
    "warning",
    "The newest message before the current one does not fit into the history, so no older one is looked at.",
    "Raise history_slot (with scale=window: take a larger window), or exclude that message.",
)
