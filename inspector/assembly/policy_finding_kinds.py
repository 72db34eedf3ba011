"""Kinds of findings of the built-in policies, declared once: their meaning, and advice for the user.

Third-party policies declare their own kinds beside their rules.
"""

from inspector.assembly.finding_kind import FindingKind

# ratio, and Chorus Engine's published code.

SYSTEM_PROMPT_TOO_LARGE = FindingKind(
    "system_prompt_too_large",
    "warning",
    "The system prompt takes a larger part of the window than it should.",
    "Shorten the system prompt, take a larger window, or raise {system_limit}.",
    "System prompt too large",
)
NEGATIVE_BUDGET = FindingKind(
    "negative_budget",
    "error",
    "System prompt and documents are larger than the window, so all other limits are below 0.",
    "Shorten the system prompt, leave out documents, or take a larger window.",
    "Nothing left for the rest",
)
UNUSED_LIMIT = FindingKind(
    "unused_limit",
    "warning",
    "Documents cost more than their share; this system computes the share and never applies it.",
    "Leave out or shorten documents. A larger {document_share} hides this, and the prompt stays the same.",
    "Limit never applied",
)
SUMMARIES_UNLIMITED = FindingKind(
    "summaries_unlimited",
    "warning",
    "A limit of 0 for past conversations means no limit in this system.",
    "Set {context_share} a little above 0, or {summary_cap} to 0 for none of them.",
    "Past conversations without limit",
)
TRAILING_REMOVED = FindingKind(
    "trailing_removed",
    "warning",
    "The prompt has to end with a message of the user, so later messages were removed.",
    "Raise {history_share} until all messages fit (nothing is removed then), or turn off {trailing_user}.",
    "Later messages removed",
)
NEWEST_MESSAGES_LOST = FindingKind(
    "newest_messages_lost",
    "error",
    "Only the oldest messages are read, and the newest, needed for the reply, are lost.",
    "Raise {message_limit} above the number of messages, or use the preset chorus-2026.02, which reads the newest.",
    "Newest messages lost",
)
CORE_MEMORY_FILTERED_BY_SOURCE = FindingKind(
    "core_memory_filtered_by_source",
    "warning",
    "Core memories saved on another platform are left out, although they should hold everywhere.",
    "Pin them, or save them for this platform too.",
    "Core memories of other platforms",
)
CHARACTER_WIDE_MEMORY_LOST = FindingKind(
    "character_wide_memory_lost",
    "warning",
    "Memories of no conversation should fit every conversation, but this system assigns them to another one.",
    "Pin them, give them the thread of this conversation, or make them core memories or facts.",
    "Memories for every chat lost",
)
PRIORITY_ZERO = FindingKind(
    "priority_zero",
    "info",
    "A priority of 0 counts as 50, as if the memory had none.",
    "Give the memory a priority of 1 instead.",
    "Priority 0 counts as 50",
)
MULTI_SOURCE_MEMORY_IGNORED = FindingKind(
    "multi_source_memory_ignored",
    "info",
    "The source messages of a memory are not kept with it, because it names several of them.",
    "Pin these messages, or mark them as emotional.",
    "Source messages not kept along",
)

# adaptive, and WhisperEngine's published code.

EMERGENCY_TRUNCATION = FindingKind(
    "emergency_truncation",
    "warning",
    "The system message alone takes the whole limit of the prompt, at the cost of the conversation.",
    "Shorten the system prompt, lower {system_budget} well below {max_tokens}, or raise {max_tokens}.",
    "System message fills the limit",
)
CURRENT_MESSAGE_LOST = FindingKind(
    "current_message_lost",
    "error",
    "The model will not see the message to answer.",
    "Pin that message; to keep the conversation too, lower {system_budget} well below {max_tokens}.",
    "Message to answer lost",
)
SYSTEM_OVER_STAGE2 = FindingKind(
    "system_over_stage2",
    "warning",
    "The components may exceed the limit of the whole prompt, leaving no room for the conversation.",
    "Set {system_budget} well below {max_tokens}; 0 sets no limit at all.",
    "Components above the whole limit",
)
REQUIRED_OVER_BUDGET = FindingKind(
    "required_over_budget",
    "warning",
    "The required components alone exceed the limit of the system message.",
    "Make fewer components required, shorten them, or raise {system_budget}.",
    "Required components too large",
)
COMPONENT_CUT = FindingKind(
    "component_cut",
    "warning",
    "A required component lost its middle, because all required ones together do not fit.",
    "Shorten the component, raise {system_budget}, or set {required_overflow=keep} to keep them whole.",
    "Required component cut",
)
DUPLICATES_CHARGED = FindingKind(
    "duplicates_charged",
    "warning",
    "Repeated components took up room before they were left out, at the cost of other items.",
    "Leave out the repeats (their first 200 characters are the same), or raise {system_budget}.",
    "Repeated components charged",
)

# reserve, and the published ibex-harness.

CONSTRAINED = FindingKind(
    "constrained",
    "warning",
    "The conversation, the reply and the margin leave little for memories.",
    "Lower {response_ratio}, {response_min} or {safety_ratio}, take a larger window, or leave out old messages: this "
    "policy never cuts the conversation.",
    "Little left for memories",
)
KNAPSACK_GREEDY = FindingKind(
    "knapsack_greedy",
    "info",
    "There are too many memories to find the best set, so those with the most score per token go first.",
    "The result is close to the best set. For the best set itself leave out memories, or take a smaller window.",
    "Too many memories to find the best set",
)
GREEDY_FALLBACK = FindingKind(
    "greedy_fallback",
    "info",
    "There are too many memories for this system, so the best scores go first until too many do not fit.",
    "Raise {dp_cell_ceiling}, or {max_consecutive_skips} so that shorter memories further down still get in.",
    "Best scores go first",
)
BUCKET_ROUNDING = FindingKind(
    "bucket_rounding",
    "info",
    "Memories are weighed in steps of 16 tokens, so the best set had to be changed.",
    "Compare with {pack=knapsack}, which counts every token.",
    "Best set changed by rounding",
)
CUT_UNRANKED = FindingKind(
    "cut_unranked",
    "warning",
    "Only the first memories of the file are ranked, and better ones come after them.",
    "Raise {memory_candidates}, or set it to 0 to rank them all.",
    "Later memories not ranked",
)

# window_rag, and the published Sanguine Scribe.

TWO_TOTALS = FindingKind(
    "two_totals",
    "info",
    "The last check keeps to another limit than the total limit.",
    "Set {hard_limit} and {total_limit} to the same figure.",
    "Two different total limits",
)
FIRST_CHUNK_OVER_BUDGET = FindingKind(
    "first_chunk_over_budget",
    "warning",
    "The best match is kept, although it exceeds the rest of its budget.",
    "Raise {rag_budget} (and {total_limit}, if the conversation took the room), or leave this item out.",
    "Best match over its budget",
)
TAIL_CUT = FindingKind(
    "tail_cut",
    "warning",
    "Some of the newest messages, otherwise always kept, are dropped as well.",
    "Raise {hard_limit}, or shorten the fixed parts: the system prompt, the next message and {preamble_tokens}.",
    "Some of the newest dropped",
)

# slots, and the published brainos-cortex.

SLOT_EXCEEDED = FindingKind(
    "slot_exceeded",
    "warning",
    "The system text or the profile is longer than its slot; it stays whole, and memories get less.",
    "Shorten it, or raise {system_slot} or {profile_slot}.",
    "Text longer than its slot",
)
ATTACHMENTS_OVER_SLOT = FindingKind(
    "attachments_over_slot",
    "warning",
    "The attached files together take more than their slot.",
    "Attach less, raise {attachments_slot}, or lower {attachment_floor_chars}, the least of each file. "
    "For texts with many tokens for their length lower {chars_per_token}.",
    "Attached files over their slot",
)
SYSTEM_CHARGED_TO_MEMORY = FindingKind(
    "system_charged_to_memory",
    "warning",
    "The system message has its slot and is charged to the memories once more, so fewer of them fit.",
    "Shorten the system prompt, lower {system_slot} and {profile_slot}, or use the preset document, which "
    "charges it once.",
    "System message charged twice",
)
NO_ROOM_FOR_MEMORY = FindingKind(
    "no_room_for_memory",
    "warning",
    "The system message alone takes all tokens for memories.",
    "Shorten the system prompt, lower {system_slot}, {profile_slot} or {response_slot}, or take a larger window.",
    "No room for memories",
)
NEWEST_MESSAGE_TOO_LONG = FindingKind(
    "newest_message_too_long",
    "warning",
    "The newest message before the next one exceeds the conversation slot, so no older message is considered.",
    "Raise {history_slot} (with {scale=window}: take a larger window), or leave that message out.",
    "Newest message too long",
)

# Chat programs and the servers behind them.

MANDATORY_OVER_BUDGET = FindingKind(
    "mandatory_over_budget",
    "error",
    "A fixed prompt does not fit, so nothing after it is sent: neither conversation nor next message.",
    "Raise {context_size}, lower {response_length}, or shorten the fixed prompts: the system prompt, the character and "
    "the active lore.",
    "A fixed prompt does not fit",
)
PROMPT_CUT = FindingKind(
    "prompt_cut",
    "warning",
    "The program or the server cuts tokens out of the prompt, in the middle of messages.",
    "Raise {prompt}, or lower {reply}, so that nothing is cut; or leave items out yourself.",
    "Tokens cut out of the prompt",
)
CONTEXT_SHIFTED = FindingKind(
    "context_shifted",
    "warning",
    "While the reply grows, the server forgets tokens of the prompt.",
    "Raise {n_ctx}, or lower {reply_tokens}.",
    "Prompt forgotten during the reply",
)
SERVER_DROPS = FindingKind(
    "server_drops",
    "warning",
    "The server behind the application cannot hold the prompt, and leaves out a part of it without a word.",
    "Run the model with more context and say so (--server-context), or send less. It helps to lower {prompt}.",
    "The server drops a part of the prompt",
)
SERVER_REFUSES = FindingKind(
    "server_refuses",
    "error",
    "The server behind the application refuses the prompt, since it is longer than the context.",
    "Run the model with more context and say so (--server-context), or send less. It helps to lower {prompt}.",
    "The server refuses the prompt",
)

POLICY_FINDING_KINDS = tuple(value for value in list(globals().values()) if isinstance(value, FindingKind))
"""Every kind of a built-in policy, in the order of this module."""
